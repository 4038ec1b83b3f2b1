package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
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
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/text"
)

const maxNamed = 5 // files listed for one trouble; the others are counted

// troubles are findings about files, counted by trouble.
type troubles struct {
	findings
	count map[string]int
}

func (t *troubles) add(trouble string, state State, hint, format string, args ...any) {
	if t.count == nil {
		t.count = map[string]int{}
	}
	if t.count[trouble]++; t.count[trouble] <= maxNamed {
		t.findings.add(state, text.Line(hint), "%s", text.Line(fmt.Sprintf(format, args...)))
	}
}

// all returns the findings, and for each trouble the number of files that are not listed.
func (t *troubles) all() []Finding {
	for _, trouble := range slices.Sorted(maps.Keys(t.count)) {
		if n := t.count[trouble]; n > maxNamed {
			t.findings.add(Note, "", "%s: %d more", trouble, n-maxNamed)
		}
	}
	return t.findings
}

// recordExam is the check of all records.
type recordExam struct {
	*exam
	here    troubles
	foreign troubles // about other projects; only their number is reported to Claude

	where  map[string]string // the folder of each record id
	shared int
	// How many can be read: of all projects, of this one and the user's own, and of these in the archive.
	records, ours, archived int
}

// checkRecords checks the records, the search index and the inbox.
func (x *exam) checkRecords() {
	s := &recordExam{exam: x, where: map[string]string{}}
	for _, folder := range [...]string{naming.Archive, search.Folder} {
		path := filepath.Join(x.Config.Dir, folder)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := safefile.Dir(path); err != nil {
			s.here.add("folder", Bad, folderHint(path, err), "the folder %s cannot be used: %v", folder, err)
		}
	}
	for _, folder := range [...]string{"", naming.Archive} {
		path := filepath.Join(x.Config.Dir, folder)
		entries, err := safefile.List(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.here.add("folder", Bad, safefile.Step(err), "the records cannot be listed: %s", text.Reason(err))
		}
		if info, err := os.Lstat(path); folder != "" && (err != nil || !info.IsDir()) {
			continue
		}
		for _, e := range entries {
			s.checkFile(folder, e)
		}
	}
	s.sum()
	x.checkIndex(len(s.where))
	x.checkInbox()
}

// sum adds the findings about all files.
func (s *recordExam) sum() {
	if s.shared > 0 {
		const format = "%s may be read by others who can enter the folder"
		s.here.add("modes", Note, "memento doctor --fix", format, text.Count(s.shared, "record"))
	}
	if n := len(s.foreign.all()); n > 0 {
		const hint = "memento doctor in a terminal names them"
		s.here.add("foreign", Note, hint, "%s about records of other projects", text.Count(n, "finding"))
	}
	s.exam.findings = append(s.exam.findings, s.here.all()...)
	if s.records > 0 {
		what := text.Count(s.ours, "record") + " that can be read"
		if s.archived > 0 {
			what += fmt.Sprintf(", %d of them in the archive", s.archived)
		}
		s.ok("%s%s", what, ofAll(s.ours, s.records, "record"))
	}
}

// ofAll tells of the things of all projects beside those of this one.
func ofAll(ours, all int, thing string) string {
	if ours == all {
		return ""
	}
	return "; of all projects " + text.Count(all, thing)
}

// isOurs reports whether a project is the one that the doctor examines, or the user's own records.
func (x *exam) isOurs(project string) bool {
	return project == naming.User || x.lane.Slug != "" && project == naming.Project(x.lane.Slug)
}

// checkFile checks one file in the folder of records or in the archive. It skips files that are not records.
func (s *recordExam) checkFile(folder string, e fs.DirEntry) {
	id, of, ok := naming.OfFile(e.Name())
	if !ok {
		return
	}
	t := &s.here
	if s.Claude && !s.isOurs(of) {
		t = &s.foreign
	}
	path := filepath.Join(s.Config.Dir, folder, e.Name())
	if _, isRecord := naming.Stem(e.Name()); !isRecord {
		const hint = "read it, take what you need, then delete it"
		t.add("set aside", Note, hint, "another version of a record was set aside: %s", path)
		return
	}
	if e.IsDir() {
		t.add("folders", Note, safefile.InPlace(path), "%s is a folder, and no record", path)
		return
	}
	if !checkRecord(t, id, path) {
		return
	}
	s.records++
	if s.isOurs(of) {
		if s.ours++; folder != "" {
			s.archived++
		}
	}
	if open, err := safefile.Shared(path, false); err == nil && open {
		s.shared++
	}
	if _, twice := s.where[id]; twice {
		t.add("twice", Note, "memento gc, which keeps the later version",
			"%s stands in both the folder and the archive", id)
	}
	s.where[id] = folder
}

// checkRecord looks at one record's file and reports whether it can be read.
func checkRecord(t *troubles, id, path string) bool {
	if _, _, err := naming.Split(id); err != nil {
		t.add("names", Note, "rename it: PROJECT--NAME.md", "%s is not read as a record: %v", path, err)
		return false
	}
	data, err := record.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // it went meanwhile
		return false
	case errors.Is(err, safefile.ErrTooLarge):
		t.add("too large", Bad, "make two of it: a record has at most 100 KB", "%v", err)
		return false
	case errors.Is(err, safefile.ErrRefused):
		t.add("not files", Bad, safefile.InPlace(path), "a record is not used: %v", err)
		return false
	case err != nil:
		t.add("unreadable", Bad, safefile.Step(err), "a record cannot be read: %s", text.Reason(err))
		return false
	}
	r, err := record.Decode(id, data)
	var front *markdown.FrontError
	if errors.As(err, &front) {
		const hint = "mend line %d by hand: memento neither reads nor writes the file until then"
		t.add("front matter", Bad, fmt.Sprintf(hint, front.Line), "%s: %v", path, err)
		return false
	}
	if err != nil {
		t.add("unreadable", Bad, "", "%s: %v", path, err)
		return false
	}
	if r.VersionOf != "" && r.Status == schema.Active {
		t.add("two versions", Note, "take what holds into the other one, then memento rm "+r.ID,
			"%s is another version of %s, changed on two machines", r.ID, text.Line(r.VersionOf))
	}
	if problems := r.Problems(); problems != nil {
		hint := "memento edit " + r.ID
		if !slices.Contains(schema.Statuses(), r.Status) {
			hint = "memento restore " + r.ID
		}
		t.add("against the schema", Note, hint, "record %s: %s", r.ID, text.Line(problems[0]))
	}
	if _, kinds := redact.Text(string(data)); kinds != nil {
		hint := "memento edit " + r.ID + ": saving it takes that out"
		kind := strings.ReplaceAll(kinds[0], "-", " ")
		t.add("secrets", Note, hint, "record %s holds what looks like a secret (%s)", r.ID, kind)
	}
	return true
}

// checkIndex compares the search index with the number of records. The next search brings it up to date.
func (x *exam) checkIndex(records int) {
	folder := filepath.Join(x.Config.Dir, search.Folder)
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() { // checkRecords has reported what is no folder
		return
	}
	n, built, err := indexed(x.Config.Dir)
	switch {
	case err != nil:
		x.add(Bad, "look at what stands in "+folder+", then remove it", "the search index cannot be used: %v", err)
	case built && n == 0 && records > 0:
		const what = "the search index is damaged or of another version: the next search makes it again"
		x.add(Note, "memento search --rebuild", what)
	default:
		x.ok("the search index has %d of %s", n, text.Count(records, "record"))
	}
}

// indexed returns how many records the search index in dir, memento's folder, has, and whether there is one. The error
// is a link's or the disk's.
func indexed(dir string) (n int, built bool, err error) {
	if _, err := os.Lstat(filepath.Join(dir, search.Folder, "base")); err != nil {
		return 0, false, nil
	}
	index, err := search.Open(dir)
	if err != nil {
		return 0, true, err
	}
	defer index.Close()
	return index.Len(), true, nil
}

func (x *exam) checkInbox() {
	path := suggest.Path(x.Config.Dir)
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	switch err := Damaged(path); {
	case errors.Is(err, ErrDamaged):
		hint := "take what you need, then: mv " + safefile.ShellWord(path) + " " + safefile.ShellWord(path+".old")
		x.add(Bad, hint, "%v: what waited in it is not shown", err)
	case err != nil:
		x.add(Bad, safefile.InPlace(path), "the inbox is not used: %v", err)
	default:
		waiting, _ := suggest.Box{Dir: x.Config.Dir, Now: x.Now()}.List("")
		ours := 0
		for _, e := range waiting {
			if x.isOurs(e.Project) {
				ours++
			}
		}
		x.ok("the inbox: %s%s", text.Count(ours, "suggestion"), ofAll(ours, len(waiting), "suggestion"))
	}
}
