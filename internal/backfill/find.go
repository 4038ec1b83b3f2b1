package backfill

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// Transcript is a transcript of a client's.
type Transcript struct {
	Path    string
	Session string
	Project string // slug, "" outside any project
	Folder  string // in which the session began
	Size    int64
	Changed time.Time // when its file was written
	Last    time.Time // when its last line was written, Changed when no line has a time
	Taken   bool      // an earlier backfill, or the hooks of its session, took all of it in

	root   string // top folder of the project
	copies bool   // it begins with a copy of another session's lines
}

// Problem is a file that could not be taken in.
type Problem struct {
	Path string
	Err  error
}

// ErrNoTranscripts says that a folder holds no transcript.
var ErrNoTranscripts = errors.New("there is no transcript in it")

// place is the project of a folder.
type place struct {
	project project.Project
	slug    string
}

// Find returns the transcripts at these paths, files or folders, or else all that the clients keep; the oldest first.
// problems has the files that cannot be read. Errors: ErrNoTranscripts, transcript.ErrNone, the disk's for a path that
// was named, and for memento's own files.
func (b *Backfill) Find(paths []string) (found []Transcript, problems []Problem, err error) {
	if b.workspace = project.OpenWorkspace(b.Config.Dir); b.workspace.Err != nil {
		return nil, nil, b.workspace.Err
	}
	b.located = map[string]place{}
	b.locate(b.Here)
	if b.noted, err = past.Taken(b.store()); err != nil {
		return nil, nil, err
	}
	var files []string
	if len(paths) == 0 {
		files = append(client.ClaudeCode.Sessions(b.Config.ClaudeDir), client.Codex.Sessions(b.CodexDir)...)
	}
	named := map[string]bool{}
	for _, path := range paths {
		inside, folder, err := filesAt(path)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, inside...)
		named[path] = !folder
	}
	for _, file := range files {
		t, err := b.about(file)
		switch {
		case err != nil && named[file]:
			return nil, nil, fmt.Errorf("%s: %w", file, err)
		case errors.Is(err, transcript.ErrNone) && len(paths) == 0: // a session without a line
		case err != nil:
			problems = append(problems, Problem{file, err})
		default:
			t.Taken = b.isWhole(t)
			found = append(found, t)
		}
	}
	slices.SortStableFunc(found, func(a, b Transcript) int {
		if a.copies != b.copies { // after the sessions that they were copied from
			return map[bool]int{false: -1, true: 1}[a.copies]
		}
		return cmp.Or(a.Last.Compare(b.Last), strings.Compare(a.Path, b.Path))
	})
	return slices.CompactFunc(found, func(a, b Transcript) bool { return a.Path == b.Path }), problems, nil
}

// filesAt returns the transcripts at path: itself, or those in the folder and in the folders in it. folder says that it
// is one. Errors: ErrNoTranscripts for a folder without any, the disk's.
func filesAt(path string) (files []string, folder bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false, err
	}
	if !info.IsDir() {
		return []string{path}, false, nil
	}
	if files = client.Transcripts(path, "*.jsonl", "*/*.jsonl"); len(files) == 0 {
		err = fmt.Errorf("%s: %w", path, ErrNoTranscripts)
	}
	return files, true, err
}

// maxRest is how much of a transcript isWhole reads behind what hooks have read, in bytes.
const maxRest = 256 << 10

// isWhole reports whether all turns of a transcript are kept: a backfill took it in as it is, or the hooks of its
// session read it up to lines that belong to no turn. When in doubt it returns false.
func (b *Backfill) isWhole(t Transcript) bool {
	want := string(b.Config.Past)
	if b.noted[t.Session+" "+past.Mark(want, t.Size, t.Changed)] {
		return true
	}
	st, err := session.Load(b.Config.Dir, t.Session)
	read := st.Read
	if err != nil || st.Turns.Keep != want || read.Offset == 0 || t.Size-read.Offset > maxRest ||
		!transcript.Continues(t.Path, read) {
		return false
	}
	hasTurn := false
	next, _, err := transcript.Follow(t.Path, read, func() bool { return true }, true, func(transcript.Entry) {
		hasTurn = true
	})
	return err == nil && !hasTurn && next.Long == 0
}

// about reads the beginning and the end of a transcript.
func (b *Backfill) about(path string) (Transcript, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Transcript{}, err
	}
	id, cwd, err := transcript.About(path)
	if err != nil {
		return Transcript{}, err
	}
	last, err := transcript.Last(path)
	if err != nil {
		return Transcript{}, err
	}
	if last.IsZero() {
		last = info.ModTime()
	}
	stem := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	t := Transcript{Path: path, Session: id, Folder: cwd, Size: info.Size(), Changed: info.ModTime(), Last: last}
	if id == "" || isUUID(stem) {
		t.Session, t.copies = stem, id != "" && id != stem
	}
	id = t.Session
	if st, err := session.Load(b.Config.Dir, id); err == nil {
		if lane, ok := project.LaneNamed(b.Config.Dir, st.Lane); ok {
			t.Project, t.root = lane.Slug, st.Root
			return t, nil
		}
	}
	at := b.locate(cwd)
	t.Project, t.root = at.slug, at.project.Root
	return t, nil
}

// isUUID reports whether s has the form of the client's ids.
func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && strings.Trim(s, "0123456789abcdefABCDEF-") == ""
}

// locate returns the project of a folder, which may be gone.
func (b *Backfill) locate(folder string) place {
	at, known := b.located[folder]
	if !known {
		at.project = b.workspace.LocateGone(folder, b.Home)
		at.slug = b.workspace.Slug(at.project)
		b.located[folder] = at
		if p := at.project; !p.None() { // another project of the same name gets another one
			b.workspace.Known = append(b.workspace.Known,
				project.Known{Slug: at.slug, ID: p.ID, Roots: []string{p.Root}})
		}
	}
	return at
}

// Record adds the projects of these transcripts to the list of projects, so that no other one gets their names, and
// corrects the names in all. The project here comes first, before a gone folder of its name. Errors: the disk's.
func (b *Backfill) Record(all []Transcript) error {
	here := b.locate(b.Here)
	if i := slices.IndexFunc(all, func(t Transcript) bool { return t.Project == here.slug }); i >= 0 {
		if _, err := project.OpenWorkspace(b.Config.Dir).Record(here.project, all[i].Last, b.Wait); err != nil {
			return err
		}
	}
	for i := range all {
		t := &all[i]
		at, ok := b.located[t.Folder]
		if !ok || at.project.None() || at.slug != t.Project { // the session's memory named the project
			continue
		}
		slug, err := project.OpenWorkspace(b.Config.Dir).Record(at.project, t.Last, b.Wait)
		if err != nil {
			return err
		}
		t.Project = slug
	}
	b.located = map[string]place{} // other folders may have another name now, too
	b.workspace = project.OpenWorkspace(b.Config.Dir)
	return b.workspace.Err
}
