package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/search"
	"github.com/mementohq/memento/internal/text"
)

const maxNamed = 5 // files listed for one trouble; the others are counted

// recordExam is the check of all records.
type recordExam struct {
	*exam
	count map[string]int  // files by trouble
	seen  map[string]bool // the ids of the records
}

// tell adds a finding about a file, unless maxNamed files have this trouble already.
func (s *recordExam) tell(trouble string, state State, hint, format string, args ...any) {
	if s.count[trouble]++; s.count[trouble] <= maxNamed {
		s.add(state, text.Line(hint), "%s", text.Line(fmt.Sprintf(format, args...)))
	}
}

// checkRecords checks the records. Claude is told of those of this project and the user's own alone.
func (x *exam) checkRecords() {
	s := &recordExam{exam: x, count: map[string]int{}, seen: map[string]bool{}}
	for _, folder := range [...]string{"", naming.Archive, search.Folder} {
		path := filepath.Join(x.Config.Dir, folder)
		if err := safefile.CheckDir(path); err != nil {
			x.add(Bad, folderHint(path, err), "the folder %s cannot be used: %v", folder, err)
			continue
		}
		entries, err := safefile.ListFolder(path)
		if err != nil {
			x.add(Bad, safefile.Step(err), "the records cannot be listed: %s", text.Reason(err))
		}
		for _, e := range entries {
			if folder != search.Folder {
				s.checkFile(filepath.Join(path, e.Name()))
			}
		}
	}
	for _, trouble := range slices.Sorted(maps.Keys(s.count)) {
		if n := s.count[trouble]; n > maxNamed {
			s.add(Note, "", "%s: %d more", trouble, n-maxNamed)
		}
	}
}

// checkFile checks one file in the folder of records or in the archive. It skips files that are not records.
func (s *recordExam) checkFile(path string) {
	id, of, ok := naming.OfFile(filepath.Base(path))
	isOurs := of == naming.User || s.lane.Slug != "" && of == naming.Project(s.lane.Slug)
	if !ok || s.Claude && !isOurs {
		return
	}
	if _, isRecord := naming.Stem(filepath.Base(path)); !isRecord {
		const hint = "read it, take what you need, then delete it"
		s.tell("set aside", Note, hint, "another version of a record was set aside: %s", path)
		return
	}
	if !s.checkRecord(id, path) {
		return
	}
	if s.seen[id] {
		s.tell("twice", Note, "memento reads the folder's alone: keep one of the two",
			"%s stands in both the folder and the archive", id)
	}
	s.seen[id] = true
}

// checkRecord looks at one record's file and reports whether it can be read.
func (s *recordExam) checkRecord(id, path string) bool {
	if _, _, err := naming.Split(id); err != nil {
		s.tell("names", Note, "rename it: PROJECT--NAME.md", "%s is not read as a record: %v", path, err)
		return false
	}
	data, err := record.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // it went meanwhile
		return false
	case errors.Is(err, safefile.ErrTooLarge):
		s.tell("too large", Bad, "make two of it: a record has at most 100 KB", "%v", err)
		return false
	case err != nil:
		s.tell("unreadable", Bad, hintAt(path, err), "a record is not used: %v", err)
		return false
	}
	r, err := record.Decode(id, data)
	if err != nil {
		hint := ""
		if front := (*markdown.FrontError)(nil); errors.As(err, &front) {
			hint = fmt.Sprintf("mend line %d by hand: memento neither reads nor writes the file until then", front.Line)
		}
		s.tell("front matter", Bad, hint, "%s: %v", path, err)
		return false
	}
	if problems := r.Problems(); problems != nil {
		hint := "memento edit " + r.ID
		if !slices.Contains(schema.Statuses(), r.Status) {
			hint = "memento restore " + r.ID
		}
		s.tell("against the schema", Note, hint, "record %s: %s", r.ID, problems[0])
	}
	if _, kinds := redact.Text(string(data)); kinds != nil {
		s.tell("secrets", Note, "memento edit "+r.ID+": saving it takes that out",
			"record %s holds what looks like a secret (%s)", r.ID, strings.ReplaceAll(kinds[0], "-", " "))
	}
	return true
}
