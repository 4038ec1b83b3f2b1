package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/text"
)

// maxNamed is how many files with one trouble are named; of the others their number.
const maxNamed = 5

// tally collects files by what is the matter with them, the first trouble first.
type tally struct {
	out   []finding
	count map[string]int
}

func (t *tally) add(trouble, state, hint, format string, args ...any) {
	if t.count[trouble]++; t.count[trouble] <= maxNamed {
		t.out = append(t.out, finding{state, text.Line(fmt.Sprintf(format, args...)), text.Line(hint)})
	}
}

func (t *tally) findings() []finding {
	for _, trouble := range slices.Sorted(maps.Keys(t.count)) {
		if n := t.count[trouble]; n > maxNamed {
			t.out = append(t.out, finding{state: "note", what: fmt.Sprintf("%s: %d more", trouble, n-maxNamed)})
		}
	}
	return t.out
}

// examineRecords looks at the records, what waits in the inbox, and the index. Claude, who may run it unasked, is told of the records of
// the lane's project and of the user's own; of others how many need a look.
func (c *call) examineRecords(lane project.Lane) []finding {
	dir := c.config.Dir
	t := &tally{count: map[string]int{}}
	foreign := &tally{count: map[string]int{}} // what Claude is not told
	for _, folder := range [...]string{record.Archive, search.Folder} {
		path := filepath.Join(dir, folder)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := safefile.Dir(path); err != nil {
			t.add("folder", "bad", folderHint(path, err), "the folder %s cannot be used: %v", folder, err)
		}
	}
	where := map[string]string{} // id → the folder it stands in
	records, archived, shared := 0, 0, 0
	for _, folder := range [...]string{"", record.Archive} {
		entries, err := safefile.List(filepath.Join(dir, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.add("folder", "bad", stepFor(err), "the records cannot be listed: %s", worded(err))
		}
		if folder != "" && !c.isDir(filepath.Join(dir, folder)) {
			continue
		}
		for _, e := range entries {
			id, of, ok := forget.OfRecord(e.Name())
			if !ok {
				continue
			}
			t := t
			if c.caller() == journal.ByClaude && of != record.User && (lane.Slug == "" || of != record.Project(lane.Slug)) {
				t = foreign
			}
			path := filepath.Join(dir, folder, e.Name())
			if _, isRecord := record.Stem(e.Name()); !isRecord {
				t.add("set aside", "note", "read it, take what you need, then delete it", "another version of a record was set aside: %s", path)
				continue
			}
			if e.IsDir() {
				t.add("folders", "note", safefile.InPlace(path), "%s is a folder, and no record", path)
				continue
			}
			if at, packed := strings.CutSuffix(path, record.Packed); packed {
				if _, err := os.Lstat(at + record.Ending); err == nil {
					t.add("packed", "note", "memento gc, which keeps the plain one", "%s is not used: %s beside it counts", path, id+record.Ending)
					continue
				}
			}
			if !c.examineRecord(t, id, path) {
				continue
			}
			if records++; folder != "" {
				archived++
			}
			if open, err := safefile.SharedFile(path); err == nil && open {
				shared++
			}
			if _, twice := where[id]; twice {
				t.add("twice", "note", "memento gc, which keeps the later version", "%s stands in both the folder and the archive", id)
			}
			where[id] = folder
		}
	}
	if shared > 0 {
		t.add("modes", "note", "memento doctor --fix", "%s may be read by others who can enter the folder", count(shared, "record"))
	}
	if n := len(foreign.findings()); n > 0 {
		t.add("foreign", "note", "memento doctor in a terminal names them", "%s about records of other projects", count(n, "finding"))
	}
	out := t.findings()
	switch {
	case records > 0 && archived > 0:
		out = append(out, finding{state: "ok", what: fmt.Sprintf("%s that can be read, %d of them in the archive", count(records, "record"), archived)})
	case records > 0:
		out = append(out, finding{state: "ok", what: count(records, "record") + " that can be read"})
	}
	return append(append(out, c.examineIndex(len(where))...), c.examineInbox()...)
}

// examineRecord looks at one record's file and reports whether it can be read.
func (c *call) examineRecord(t *tally, id, path string) bool {
	if _, _, err := record.Split(id); err != nil {
		t.add("names", "note", "rename it: "+tried(id, err), "%s is not read as a record: %v", path, err)
		return false
	}
	data, err := record.ReadFile(path)
	var front *record.FrontError
	switch {
	case errors.Is(err, fs.ErrNotExist): // it went meanwhile
		return false
	case errors.Is(err, safefile.ErrTooLarge):
		t.add("too large", "bad", "make two of it: a record has at most 100 KB", "%v", err)
		return false
	case errors.Is(err, safefile.ErrRefused):
		t.add("not files", "bad", safefile.InPlace(path), "a record is not used: %v", err)
		return false
	case err != nil:
		t.add("unreadable", "bad", stepFor(err), "a record cannot be read: %s", worded(err))
		return false
	}
	r, err := record.Decode(id, data)
	if errors.As(err, &front) {
		t.add("front matter", "bad", "mend line "+fmt.Sprint(front.Line)+" by hand: memento neither reads nor writes the file until then", "%s: %v", path, err)
		return false
	}
	if err != nil {
		t.add("unreadable", "bad", "", "%s: %v", path, err)
		return false
	}
	if problems := r.Problems(); problems != nil {
		hint := "memento edit " + r.ID
		if !slices.Contains(record.Statuses(), r.Status) {
			hint = "memento restore " + r.ID
		}
		t.add("against the schema", "note", hint, "record %s: %s", r.ID, text.Line(problems[0]))
	}
	if _, kinds := redact.Text(string(data)); kinds != nil {
		t.add("secrets", "note", "memento edit "+r.ID+": saving it takes that out", "record %s holds what looks like a secret (%s)", r.ID, strings.ReplaceAll(kinds[0], "-", " "))
	}
	return true
}

// tried is the name that an error of names suggests.
func tried(id string, err error) string {
	var name *record.NameError
	if errors.As(err, &name) && name.Try != "" {
		if name.What == "project" {
			if _, slug, ok := strings.Cut(id, "--"); ok {
				return name.Try + "--" + slug + ".md"
			}
		}
		if project, _, ok := strings.Cut(id, "--"); ok && name.What == "record" && !strings.Contains(name.Try, "--") {
			return project + "--" + name.Try + ".md"
		}
		return name.Try + ".md"
	}
	return "PROJECT--NAME.md"
}

// damagedIndex reports whether an index is there that has none of the records.
func (c *call) damagedIndex(records int) bool {
	if _, err := os.Lstat(filepath.Join(c.config.Dir, search.Folder, "base")); err != nil || records == 0 {
		return false
	}
	x, err := search.Open(c.config.Dir)
	if err != nil { // a link, or the disk: dropping is not the cure
		return false
	}
	defer x.Close()
	return x.Len() == 0
}

func (c *call) examineIndex(records int) []finding {
	folder := filepath.Join(c.config.Dir, search.Folder)
	if info, err := os.Lstat(folder); err == nil && !info.IsDir() { // said already
		return nil
	} else if err != nil {
		if records > 0 {
			return []finding{{state: "ok", what: "no search index yet: the next search makes it"}}
		}
		return nil
	}
	x, err := search.Open(c.config.Dir)
	if err != nil {
		return []finding{{"bad", "the search index cannot be used: " + err.Error(), "look at what stands in " + folder + ", then remove it"}}
	}
	defer x.Close()
	switch {
	case c.damagedIndex(records):
		return []finding{{"note", "the search index is damaged or of another version: the next search makes it again", "memento index --rebuild"}}
	case records > 0 && x.Len() == records:
		return []finding{{state: "ok", what: fmt.Sprintf("the search index has %s", count(records, "record"))}}
	case records < x.Len():
		return []finding{{state: "ok", what: fmt.Sprintf("the search index still has %s of %d: the next search brings it up to date", count(x.Len(), "record"), records)}}
	case records > 0:
		return []finding{{state: "ok", what: fmt.Sprintf("the search index has %d of %s: the next search brings it up to date", x.Len(), count(records, "record"))}}
	}
	return nil
}

func (c *call) examineInbox() []finding {
	path := suggest.Path(c.config.Dir)
	data, err := object(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, errNoObject):
		return []finding{{"bad", err.Error() + ": what waited in it is not shown", "take what you need, then: mv " + safefile.ShellWord(path) + " " + safefile.ShellWord(path+".old")}}
	case err != nil:
		return []finding{{"bad", "the inbox is not used: " + err.Error(), safefile.InPlace(path)}}
	}
	return []finding{{state: "ok", what: fmt.Sprintf("the inbox: %s", count(int(gjson.GetBytes(data, "waiting.#").Int()), "suggestion"))}}
}

func (c *call) examineWorkspace() []finding {
	path := filepath.Join(c.config.Dir, "workspace.json")
	_, err := object(path)
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, errNoObject):
		return []finding{{"bad", err.Error() + ": no project is known by its name", "mend it by hand to keep what is said of projects; the next session sets it aside and names the projects again"}}
	}
	return []finding{{"bad", "which projects there are is not known: " + err.Error(), safefile.InPlace(path)}}
}

var errNoObject = errors.New("not a JSON object")

// object reads a file of memento's that holds a JSON object. Errors: errNoObject, fs.ErrNotExist, safefile's.
func object(path string) ([]byte, error) {
	data, err := safefile.Read(path, 4<<20)
	if err == nil && (!gjson.ValidBytes(data) || !gjson.ParseBytes(data).IsObject()) {
		err = fmt.Errorf("%s is %w", path, errNoObject)
	}
	return data, err
}

// warn says beside an answer that this file cannot be read, and so that something may be missing from it.
func (c *call) warn(path, missing string) {
	if _, err := object(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(c.Err, "memento: %s: %s\nmemento: hint: memento doctor\n", text.Line(worded(err)), missing)
	}
}

// mendRecords makes records yours alone and drops an index that cannot be used; what is wrong in a file stays for a person.
func (c *call) mendRecords(did func(format string, args ...any), failed func(err error, hint string)) {
	dir := c.config.Dir
	paths, err := forget.RecordFiles(dir, func(string) bool { return true }, true)
	if err != nil {
		failed(fmt.Errorf("listing the records: %w", err), stepFor(err))
		return
	}
	for _, path := range append(paths, suggest.Path(dir)) {
		shared, err := safefile.SharedFile(path)
		if err != nil || !shared {
			continue // what is no file of ours is examined later
		}
		if !c.fix.dryRun {
			err = safefile.PrivateFile(path)
		}
		if err != nil {
			failed(fmt.Errorf("making %s yours alone: %w", path, err), stepFor(err))
		} else {
			did("make %s yours alone: chmod 600", path)
		}
	}
	if c.damagedIndex(len(paths)) {
		var err error
		if !c.fix.dryRun {
			err = forget.DropIndex(dir, 2*time.Second)
		}
		if err != nil {
			failed(fmt.Errorf("dropping the damaged search index: %w", err), stepFor(err))
		} else {
			did("drop the damaged search index: the next search makes it again")
		}
	}
}
