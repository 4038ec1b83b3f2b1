package log

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
)

// Forgotten says what is erased. Package withheld keeps the list of it.
type Forgotten interface {
	Has(words string) bool                     // reports whether a text holds the words
	HasID(id string) bool                      // reports whether the prompt or entry with this id is erased
	HasTurn(session string, at time.Time) bool // reports whether a turn of this time is erased with its session
	Loose(data []byte) bool                    // reports whether bytes of any form hold the words
}

// Erasure says where Erase erases, and how.
type Erasure struct {
	Forgotten
	Chosen func(project string) bool // selects projects by their slug
	// OfJournal erases in an entry of a journal, and returns what went. It takes the ID of an entry that goes whole.
	// nil leaves such entries alone.
	OfJournal func(project string, e *Entry) []Gone
	File      func() // is called after each file, nil for none
	Dry       bool   // change nothing
}

// Gone is one erased text.
type Gone struct {
	Kind  string // said, answer, rule, the field of a journal, the kind of an entry or of a file
	Path  string // of the file
	TS    string // RFC 3339, "" for none
	ID    string // of the entry of a session that went
	Words string
}

// Erase erases words from the entries of the chosen projects and returns what went. A turn whose prompt holds them goes
// whole: the answer may repeat them. Else only the entries that hold them go. What went leaves its id, so that nothing
// brings it back. Erase replaces a session's file, so that no earlier version of an entry stays. Errors:
// safefile.ErrBusy, safefile.ErrRefused, the disk's; the same call again does the rest.
func (s Store) Erase(e Erasure) (gone []Gone, err error) {
	err = s.each(func(project, _ string) bool { return e.Chosen(project) }, func(one Session) error {
		if e.File != nil {
			defer e.File()
		}
		return s.rewrite(one, !e.Dry, func(lines [][]byte) [][]byte {
			left, found := e.from(one.Project, one.ID, lines)
			for _, g := range found {
				g.Path = one.Path
				gone = append(gone, g)
			}
			return left
		})
	})
	return gone, err
}

// EraseSent erases words from the lines of the session whose file is called session, as Erase does. It returns lines
// itself when they hold none of the words.
func EraseSent(session string, lines []byte, words Forgotten) (left []byte, gone []Gone) {
	kept, gone := Erasure{Forgotten: words}.from("", session, splitLines(lines))
	if len(gone) == 0 {
		return lines, nil
	}
	return joinLines(kept), gone
}

// from erases from the lines of a session. It returns the lines that stay, and the texts that went.
func (e Erasure) from(project, session string, lines [][]byte) (left [][]byte, gone []Gone) {
	wordless := jsonx.WordlessOf(new(Entry), (*Entry).fields)
	whole := map[string]bool{} // the turns that go whole
	for _, line := range lines {
		if x, ok := Parse(line); ok && x.Kind == Typed && (e.Has(x.Text) || e.Has(x.Asked) || e.HasID(x.ID) ||
			!x.Time.IsZero() && e.HasTurn(cmp.Or(x.Session, session), x.Time)) {
			whole[x.ID] = true
		}
	}
	erased := map[string]bool{}
	for _, line := range lines {
		x, ok := Parse(line)
		var went []Gone
		switch {
		case !ok && e.Loose(line):
			gone = append(gone, Gone{Kind: "damaged turn"})
			continue
		case ok && !x.Happened() && e.OfJournal != nil:
			x.Session = cmp.Or(x.Session, session)
			if went = e.OfJournal(project, &x); len(went) > 0 && x.ID != "" {
				line = x.JSON()
			}
		case ok && x.Happened() && x.Kind != Erased:
			words, found := wordless.Find(gjson.ParseBytes(line), e.Has)
			if !found {
				words, found = x.Text, e.HasID(x.ID) || x.Decides() && e.HasID(x.Of) || x.Kind == Typed && whole[x.ID]
			}
			if found {
				went = []Gone{x.gone(words, whole[x.Turn()])}
			}
		}
		gone = append(gone, went...)
		if isOfTurn := x.Happened() && (len(went) > 0 || whole[x.Turn()]); !isOfTurn {
			if len(went) == 0 || x.ID != "" {
				left = append(left, line)
			}
			continue
		}
		if !erased[x.ID] {
			erased[x.ID] = true
			left = append(left, (&Entry{ID: x.ID, Kind: Erased}).JSON())
		}
	}
	return left, gone
}

// gone returns what is said of the erased entry, with its words; inTurn says that its turn goes whole.
func (e *Entry) gone(words string, inTurn bool) Gone {
	out := Gone{Kind: "answer", ID: e.ID, Words: words}
	switch {
	case e.Decides():
		out.Kind = "rule"
	case inTurn:
		out.Kind = "said"
	}
	if !e.Time.IsZero() {
		out.TS = e.Time.UTC().Format(time.RFC3339)
	}
	return out
}

// rewrite replaces the lines of a session's file by what change makes of them, unless write is false. It writes only
// what changed, and removes a file without lines.
func (s Store) rewrite(one Session, write bool, change func(lines [][]byte) [][]byte) error {
	unlock, err := s.lock(one.Project, one.ID)
	if err != nil {
		return err
	}
	defer unlock()
	data, err := safefile.Read(one.Path, maxFile)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	left := joinLines(change(splitLines(data)))
	switch {
	case !write || string(left) == string(data):
		return nil
	case len(left) == 0:
		return safefile.Remove(one.Path)
	}
	return safefile.Replace(one.Path, left, 0o600)
}

// maxFile is how large a session's file may be, in bytes.
const maxFile = 1 << 30

func splitLines(data []byte) (lines [][]byte) {
	for line := range strings.Lines(string(data)) {
		lines = append(lines, []byte(strings.TrimSuffix(line, "\n")))
	}
	return lines
}

func joinLines(lines [][]byte) (data []byte) {
	for _, line := range lines {
		data = append(append(data, line...), '\n')
	}
	return data
}

// Since returns the entries of a session without those of turns that began before earliest; the zero time keeps all.
func Since(entries []Entry, earliest time.Time) []Entry {
	isOld := map[string]bool{}
	for _, e := range entries {
		if e.Kind == Typed && e.Time.Before(earliest) {
			isOld[e.ID] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return isOld[e.Turn()] })
}

// Limit removes turns that began before earliest, in every project, and what killed processes left. It opens no month
// in which an earlier call left nothing to remove. It stops when inTime returns false; the next call begins again with
// the same months.
func (s Store) Limit(earliest, now time.Time, inTime func() bool) error {
	note := filepath.Join(s.Dir, Folder, "limited") // the newest month that was limited
	first, last := "", monthOf(earliest)
	if data, err := safefile.Read(note, 1<<10); err == nil {
		first = string(data)
	}
	late, swept := false, ""
	err := s.each(func(string, string) bool { return !late }, func(one Session) error {
		if late = !inTime(); late {
			return nil
		}
		if folder := filepath.Dir(one.Path); folder != swept {
			safefile.Sweep(folder, abandoned, now)
			swept = folder
		}
		if one.Month < first || one.Month > last {
			return nil
		}
		return s.rewrite(one, true, func(lines [][]byte) [][]byte { return linesSince(lines, earliest) })
	})
	if err == nil && !late && last != "" && last != first {
		if err = safefile.ReplaceVolatile(note, []byte(last), 0o600); errors.Is(err, fs.ErrNotExist) {
			err = nil // no session was kept yet
		}
	}
	return err
}

// abandoned is the age from which a temporary file belongs to a process that was killed.
const abandoned = time.Hour

// linesSince is Since for lines. What is no entry stays, and so do a lane's prompts, aside.
func linesSince(lines [][]byte, earliest time.Time) (out [][]byte) {
	stays := map[string]bool{}
	for _, e := range Since(Decode(joinLines(lines)), earliest) {
		stays[e.ID] = true
	}
	for _, line := range lines {
		e, ok := Parse(line)
		switch {
		case !ok || stays[e.ID]:
			out = append(out, line)
		case e.Kind == Typed && e.Lane != "":
			e.Aside = true
			out = append(out, e.JSON())
		}
	}
	return out
}

// monthOf returns the name of a month's folder, "" for the zero time.
func monthOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(monthForm)
}

// Rename gives the sessions of the project from to the project to. When to has entries of a session too, both are
// joined, those of from first: a hook wrote the others since a run was cut off. The same run again goes on.
func (s Store) Rename(from, to string) error {
	err := s.each(func(project, _ string) bool { return project == from }, func(one Session) error {
		return s.move(one, to)
	})
	if err != nil {
		return err
	}
	return s.drop(from)
}

// move moves one session to another project.
func (s Store) move(one Session, to string) error {
	unlock, err := s.lock(one.Project, one.ID) // until the file is gone: a hook may still wait to add to it
	if err != nil {
		return err
	}
	defer unlock()
	if one.ID == "" {
		unlock, err := s.lock(to, "")
		if err != nil {
			return err
		}
		defer unlock()
	}
	all, err := load(one.Path)
	if err != nil {
		return err
	}
	if err := s.join(to, map[string][]Entry{one.ID: all.entries}, true); err != nil {
		return err
	}
	return safefile.Remove(one.Path)
}

// drop removes the folders of a project without sessions, and the lock of its own file.
func (s Store) drop(project string) error {
	folder := s.folder(project)
	if _, err := safefile.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, err := s.lock(project, "")
	if err != nil {
		return err
	}
	left, err := s.Sessions(project)
	_, there, _ := s.find(project, "", time.Time{})
	isEmpty := err == nil && len(left) == 0 && !there
	if isEmpty {
		err = safefile.RemoveTree(folder)
	}
	unlock()
	if err != nil || !isEmpty {
		return err
	}
	return safefile.Remove(safefile.LockPath(s.Dir, lockName(project, "")))
}

// Forget removes the sessions for which goes returns true, and everywhere what is of the chosen lanes. It returns the
// files that it changed or removed; in a dry run, those that it would.
func (s Store) Forget(dry bool, goes func(project, file string) bool,
	lanes func(project, lane string) bool) (paths []string, err error) {
	err = s.each(every, func(one Session) error {
		return s.rewrite(one, !dry, func(lines [][]byte) [][]byte {
			all, before := goes(one.Project, one.ID), len(lines)
			lines = slices.DeleteFunc(lines, func(line []byte) bool {
				if e, ok := Parse(line); ok && e.Lane != "" {
					return lanes(one.Project, e.Lane) || all && e.Happened()
				}
				return all
			})
			if len(lines) < before {
				paths = append(paths, one.Path)
			}
			return lines
		})
	})
	if err != nil || dry {
		return paths, err
	}
	projects, err := s.Projects()
	for _, project := range projects {
		if err == nil {
			err = s.drop(project)
		}
	}
	return paths, err
}

func every(string, string) bool { return true }

// Find returns the sessions of the chosen projects, and those with an entry of a chosen lane, sorted. Errors: the
// disk's.
func (s Store) Find(projects func(project string) bool, lanes func(project, lane string) bool) ([]string, error) {
	ids := map[string]bool{}
	err := s.each(every, func(one Session) error {
		ids[one.ID] = ids[one.ID] || projects(one.Project)
		return Scan(one.Path, maxLine, true, nil, func(e Entry) {
			id := cmp.Or(e.Session, one.ID)
			ids[id] = ids[id] || lanes(one.Project, e.Lane)
		})
	})
	maps.DeleteFunc(ids, func(id string, isChosen bool) bool { return id == "" || !isChosen })
	return slices.Sorted(maps.Keys(ids)), err
}
