// Package expiry says which transcripts the client deletes soon, and which of them memento has not taken in whole. How
// a transcript is read, what is done before it goes, and whether a person was told, may not come in.
package expiry

import (
	"bytes"
	"cmp"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

const (
	// usual is after how many days the client deletes a transcript unless a setting says another number.
	usual = 30
	// Ahead is how long before its deletion a transcript is named.
	Ahead = 7 * 24 * time.Hour
)

// maxSettings is the size of the client's settings that are read, in bytes.
const maxSettings = 1 << 20

// TestOnlyManaged replaces the folder of the managed settings in tests.
var TestOnlyManaged string

// ManagedSettings returns the files in which the client looks for managed settings, the weakest first: the first need
// not exist, the others are the parts beside it (client 2.1.330).
func ManagedSettings() []string {
	dir := "/etc/claude-code"
	switch {
	case TestOnlyManaged != "":
		dir = TestOnlyManaged
	case runtime.GOOS == "darwin":
		dir = "/Library/Application Support/ClaudeCode"
	case runtime.GOOS == "windows":
		dir = `C:\Program Files\ClaudeCode`
	}
	files := []string{filepath.Join(dir, "managed-settings.json")}
	parts := filepath.Join(dir, "managed-settings.d")
	// a missing folder has none
	_ = safefile.Names(parts, ".json", func(n safefile.Name) {
		if !strings.HasPrefix(n.Name, ".") {
			files = append(files, filepath.Join(parts, n.Name))
		}
	})
	slices.Sort(files[1:])
	return files
}

// Setting returns the cleanupPeriodDays in the client's settings at path, and whether they have one.
func Setting(path string) (days gjson.Result, set bool) {
	data, err := safefile.ReadForeign(path, maxSettings)
	if data = bytes.TrimPrefix(data, []byte("\ufeff")); err != nil || !gjson.ValidBytes(data) {
		return days, false
	}
	days = gjson.GetBytes(data, "cleanupPeriodDays")
	return days, days.Exists()
}

// Days returns after how many days without a change the client deletes a transcript, in a session whose project has the
// top folder root, "" for none. It returns 0 when the client deletes nothing, as for a number that it refuses. The
// settings of the administrator come first, then those of the project, then the user's (measured on client 2.1.330: a
// session deletes the transcripts of all projects by the settings of its own).
func Days(c config.Config, root string) int {
	files := ManagedSettings()
	slices.Reverse(files)
	if root != "" {
		files = append(files, filepath.Join(root, ".claude", "settings.local.json"),
			filepath.Join(root, ".claude", "settings.json"))
	}
	for _, path := range append(files, filepath.Join(c.ClaudeDir, "settings.json")) {
		days, set := Setting(path)
		switch {
		case !set:
		case days.Type != gjson.Number || days.Num < 1 || days.Num != math.Trunc(days.Num):
			return 0
		default:
			return int(min(days.Num, 1e5))
		}
	}
	return usual
}

// Transcript is a transcript of a session.
type Transcript struct {
	Path, Session string
	Size          int64
	Changed       time.Time
	Deleted       time.Time // when the client deletes it, unless it changes
}

// Due returns the transcripts in a folder of the client's that it deletes within Ahead or has not yet come to delete,
// those that go first first. days is a result of Days. It looks at each file's time, and stops when inTime returns
// false.
func Due(folder string, days int, now time.Time, inTime func() bool) (due []Transcript) {
	if days == 0 {
		return nil
	}
	const end = ".jsonl"
	// a missing folder has none
	_ = safefile.Names(folder, end, func(n safefile.Name) {
		if strings.HasPrefix(n.Name, "agent-") || !inTime() {
			return
		}
		t := Transcript{Path: filepath.Join(folder, n.Name), Session: strings.TrimSuffix(n.Name, end)}
		at, err := safefile.Stat(t.Path)
		if err != nil {
			return
		}
		t.Size, t.Changed = at.Size, time.Unix(0, at.Time)
		t.Deleted = t.Changed.AddDate(0, 0, days)
		if t.Size > 0 && t.Deleted.Before(now.Add(Ahead)) {
			due = append(due, t)
		}
	})
	slices.SortFunc(due, sooner)
	return due
}

// FolderOf returns the folder in which the client keeps the transcripts of sessions that began in the folder at path.
func FolderOf(c config.Config, path string) string {
	return filepath.Join(c.ClaudeDir, "projects", strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, path))
}

// Known is what memento noted about the transcripts that it has taken in.
type Known struct {
	config config.Config
	noted  map[string]string
}

// Load reads what memento noted. It returns the disk's error.
func Load(c config.Config) (Known, error) {
	noted, err := past.Store{Dir: c.Dir}.Taken()
	return Known{c, noted}, err
}

// KnownBy returns what is known by the marks that past.Store.Taken returned.
func KnownBy(c config.Config, noted map[string]string) Known { return Known{c, noted} }

// maxRest is how much of a transcript Whole reads behind what memento has read, in bytes.
const maxRest = 256 << 10

// Whole reports whether all turns of a transcript are kept: a backfill took it in as it is, or the hooks of its session
// read it up to lines that belong to no turn. When in doubt it returns false.
func (k Known) Whole(t Transcript) bool {
	if k.noted[t.Session] == past.Mark(string(k.config.Past), t.Size, t.Changed) {
		return true
	}
	var read transcript.Position
	keep, offset, file := past.ReadUpTo(k.noted[t.Session])
	if keep == string(k.config.Past) {
		read = transcript.Position{Offset: offset, File: file}
	}
	if st, err := session.Load(k.config.Dir, t.Session); err == nil && st.Turns.Keep == string(k.config.Past) {
		read = st.Turns.Read
	}
	if read.Offset == 0 || t.Size-read.Offset > maxRest || !transcript.Continues(t.Path, read) {
		return false
	}
	shown := false
	next, _, err := transcript.Follow(t.Path, read, func() bool { return true }, true, func(e transcript.Entry) {
		shown = true
	})
	return err == nil && !shown && next.Long == 0
}

// Lacking returns those of due that memento has not taken in whole, without the session that runs now. It stops when
// inTime returns false.
func (k Known) Lacking(due []Transcript, running string, inTime func() bool) (left []Transcript) {
	for _, t := range due {
		if t.Session != running && inTime() && !k.Whole(t) {
			left = append(left, t)
		}
	}
	return left
}

// Of returns the transcripts of the project slug that the client deletes within Ahead and that memento has not taken in
// whole: those of sessions that began in the folder at path or in a top folder of the project. session runs and does
// not count. It returns the disk's error.
func Of(c config.Config, slug, path, session string, now time.Time) (left []Transcript, err error) {
	if c.Past == config.PastJournal {
		return nil, nil
	}
	folders := []string{FolderOf(c, path)}
	root := path
	if p, ok := project.OpenWorkspace(c.Dir).Named(slug); ok && slug != "" {
		for i, top := range p.Roots {
			if i == 0 {
				root = top
			}
			folders = append(folders, FolderOf(c, top))
		}
	}
	slices.Sort(folders)
	always := func() bool { return true }
	var due []Transcript
	for _, folder := range slices.Compact(folders) {
		due = append(due, Due(folder, Days(c, root), now, always)...)
	}
	if len(due) == 0 {
		return nil, nil
	}
	known, err := Load(c)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(due, sooner)
	return known.Lacking(due, session, always), nil
}

// Lost returns the transcripts of a folder that the client deletes within Ahead and that memento has not taken in
// whole, those that go first first, without the sessions that skip names. root is as in Days. It stops when inTime
// returns false. Where it cannot read what was taken in, it returns none.
func Lost(c config.Config, root, folder string, now time.Time, skip func(session string) bool,
	inTime func() bool) []Transcript {
	due := slices.DeleteFunc(Due(folder, Days(c, root), now, inTime),
		func(t Transcript) bool { return skip(t.Session) })
	if len(due) == 0 {
		return nil
	}
	known, err := Load(c)
	if err != nil {
		return nil
	}
	return known.Lacking(due, "", inTime)
}

// sooner compares two transcripts by when they are deleted.
func sooner(a, b Transcript) int {
	return cmp.Or(a.Deleted.Compare(b.Deleted), strings.Compare(a.Path, b.Path))
}
