package forget

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/text"
)

// slugOf is a phrase as a record's name would have it, "" when that leaves too little of it to tell one from another.
func slugOf(phrase string) string {
	const least = 5
	if !strings.ContainsFunc(phrase, alnum) {
		return ""
	}
	if s := record.Slug(phrase); text.Runes(s) >= least {
		return s
	}
	return ""
}

// named reports whether s, folded, speaks of a record that goes.
func (w *What) named(s string) bool {
	for _, id := range w.names {
		if strings.Contains(s, id) {
			return true
		}
	}
	return false
}

// inRecord reports whether s, a part of a record, is to go. Of an entry or a mission also what quotes it.
func (w *What) inRecord(s string) bool {
	if w.has(s) {
		return true
	}
	f := text.Fold(s)
	if w.phrase != "" {
		return w.slug != "" && asWord(f, w.slug)
	}
	for e := range w.exact {
		if text.Runes(e) >= telling && strings.Contains(f, e) {
			return true
		}
	}
	for _, act := range w.acts {
		if text.Runes(act) >= telling && strings.Contains(f, act) {
			return true
		}
	}
	return false
}

// asWord reports whether word stands in s with neither a letter nor a digit beside it: in a name, a path.
func asWord(s, word string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(s[:from+i])
		after, _ := utf8.DecodeRuneInString(s[from+i+len(word):])
		if !alnum(before) && !alnum(after) {
			return true
		}
		from += i + len(word)
	}
}

func alnum(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// OfRecord returns the id in the name of a record's file, or of a copy of one that was set aside, and the project in it: ""
// where the name has none. False when a file of this name is neither.
func OfRecord(name string) (id, project string, ok bool) {
	id, rest, ok := strings.Cut(name, ".md")
	if !ok || rest != "" && rest[0] != '.' || safefile.Temporary(name) {
		return "", "", false
	}
	if before, _, ok := strings.Cut(id, "--"); ok {
		project = before
	}
	return id, project, true
}

func ofRecord(name string) bool {
	_, _, ok := OfRecord(name)
	return ok
}

// RecordFiles lists the files of the records of the chosen projects, in the folder and in the archive, with what was set
// aside of them. Those whose name has no project count when all is set.
func RecordFiles(dir string, chosen func(project string) bool, all bool) (paths []string, err error) {
	if chosen == nil {
		return nil, nil
	}
	for _, folder := range [...]string{"", record.Archive} {
		entries, err := List(filepath.Join(dir, folder))
		if errors.Is(err, safefile.ErrRefused) { // not ours: nothing of it is read either
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, f := range entries {
			_, project, ok := OfRecord(f.Name())
			if ok && !f.IsDir() && (project != "" && chosen(project) || project == "" && all) {
				paths = append(paths, filepath.Join(dir, folder, f.Name()))
			}
		}
	}
	return paths, nil
}

// elsewhere reports whether something other than a folder stands at path: a link is not followed.
func elsewhere(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && !info.IsDir()
}

// eraseFrom is what is left of a record's file, nil when it goes whole, and what of it went. One that was packed stays so.
func (e *Eraser) eraseFrom(path string, file []byte) ([]byte, []record.Gone, string) {
	data, bad := record.Unpack(file)
	if bad != nil { // what can be read of it decides
		if e.What.Loose(data) {
			return nil, []record.Gone{{}}, "unreadable record"
		}
		return file, nil, ""
	}
	left, gone, kind := e.eraseText(path, data)
	if left != nil && gone == nil {
		return file, nil, kind
	}
	return record.Pack(path, left), gone, kind
}

func (e *Eraser) eraseText(path string, data []byte) ([]byte, []record.Gone, string) {
	name := filepath.Base(path)
	id, _, _ := OfRecord(name)
	if _, isRecord := record.Stem(name); !isRecord { // set aside: nobody reads it any more
		if e.What.Loose(data) {
			return nil, []record.Gone{{}}, "set aside"
		}
		return data, nil, ""
	}
	r, err := record.Decode(id, data)
	if err != nil && e.What.Loose(data) {
		return nil, []record.Gone{{}}, "unreadable record"
	}
	if err == nil && e.What.phrase == "" { // one that was asked for is more than the entry it speaks of
		if k, ok := record.KindNamed(r.Kind); !ok || !k.Unasked {
			return data, nil, ""
		}
	}
	out, kind, gone := record.Erase(id, data, e.What.inRecord)
	if kind == "" {
		return out, gone, "unreadable record"
	}
	return out, gone, "record " + kind
}

// gatherRecords learns which records go whole, so that what speaks of them by name is known.
func (e *Eraser) gatherRecords() error {
	paths, err := RecordFiles(e.Dir, e.Records, e.All)
	if err != nil {
		return err
	}
	for _, path := range paths {
		e.step(1)
		data, err := safefile.Read(path, maxOther)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, safefile.ErrRefused):
			continue
		case err != nil:
			return err
		}
		id, project, _ := OfRecord(filepath.Base(path))
		if out, gone, kind := e.eraseFrom(path, data); out == nil && gone != nil && kind != "set aside" && project != "" {
			e.What.names = append(e.What.names, text.Fold(id))
			if r, err := record.DecodeFile(id, data); err == nil {
				e.What.add(r.Title)
			}
		}
	}
	return nil
}

// eraseRecords takes what is to go out of the records that stay, and removes what was set aside of any.
func (e *Eraser) eraseRecords() (bool, error) { return e.records(false) }

// removeRecords removes those whose name or title holds it. They go last: what speaks of them is known by them.
func (e *Eraser) removeRecords() (bool, error) { return e.records(true) }

func (e *Eraser) records(whole bool) (changed bool, err error) {
	paths, err := RecordFiles(e.Dir, e.Records, e.All)
	if err != nil {
		return false, err
	}
	for _, path := range paths {
		e.step(1)
		data, err := safefile.Read(path, maxOther)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, safefile.ErrRefused): // not ours: nothing of it is read either
			continue
		case err != nil:
			return changed, err
		}
		out, gone, kind := e.eraseFrom(path, data)
		if gone == nil || whole != (out == nil && kind != "set aside") {
			continue
		}
		if err := e.stop(path); err != nil {
			return changed, err
		}
		did, err := e.record(path, whole)
		if err != nil {
			return changed, err
		}
		changed = changed || did
	}
	return changed, nil
}

// record does it to one file, as it is now, under the lock of all records.
func (e *Eraser) record(path string, whole bool) (bool, error) {
	if !e.Dry {
		unlock, err := safefile.LockIn(e.Dir, "records", e.Wait)
		if err != nil {
			return false, err
		}
		defer unlock()
	}
	var failed error
	did, err := e.rewrite(path, "", maxOther, func(data []byte) ([]byte, []hit) {
		out, gone, kind := e.eraseFrom(path, data)
		if whole != (out == nil && kind != "set aside") { // it was changed meanwhile: the next pass sees to it
			return data, nil
		}
		var hits []hit
		for _, g := range gone {
			hits = append(hits, hit{kind, "", g.Words})
			if g.Part != "file" {
				e.What.add(g.Words)
			}
		}
		if id, project, _ := OfRecord(filepath.Base(path)); whole && !e.Dry {
			if r, err := record.DecodeFile(id, data); err == nil {
				store := record.Store{Dir: e.Dir, Now: func() time.Time { return e.Now }}
				failed = store.Forbid(project, r.Title)
			}
		}
		if failed != nil {
			return data, nil
		}
		return out, hits
	})
	return did, errors.Join(err, failed)
}

// eraseInbox takes out of the inbox each suggestion that holds it.
func (e *Eraser) eraseInbox() (bool, error) {
	path := suggest.Path(e.Dir)
	if _, err := os.Lstat(path); err != nil || e.Records == nil {
		return false, nil
	}
	if !e.Dry {
		unlock, err := safefile.LockIn(e.Dir, "inbox", e.Wait)
		if err != nil {
			return false, err
		}
		defer unlock()
	}
	did, err := e.rewrite(path, "", maxOther, func(data []byte) ([]byte, []hit) {
		if !valid(data) {
			if e.What.all {
				return nil, nil
			}
			return e.whole("damaged inbox")(data)
		}
		out, hits := string(data), []hit(nil)
		gjson.ParseBytes(data).ForEach(func(k, v gjson.Result) bool {
			if !v.IsArray() {
				return true
			}
			var left []string
			before := len(hits)
			for _, it := range v.Array() {
				if e.Records(it.Get("project").String()) && e.suggested(it) {
					hits = append(hits, hit{"inbox", it.Get("ts").String(), cmp.Or(e.What.words(it), it.Get("quote").String(), it.Get("title").String())})
					continue
				}
				left = append(left, it.Raw)
			}
			if len(hits) > before {
				out = with(out, k.Str, "["+strings.Join(left, ",")+"]")
			}
			return true
		})
		return []byte(out), hits
	})
	if errors.Is(err, safefile.ErrRefused) {
		return false, nil
	}
	return did, err
}

// Suggestions takes out of the inbox in dir, memento's folder, what is of the chosen projects, and removes what was set aside
// of it, which nobody reads any more.
func Suggestions(dir string, chosen func(project string) bool, wait time.Duration) error {
	entries, err := List(dir)
	if err != nil {
		return err
	}
	for _, f := range entries {
		if strings.HasPrefix(f.Name(), filepath.Base(suggest.Path(dir))+".") {
			if err := safefile.Remove(filepath.Join(dir, f.Name())); err != nil {
				return err
			}
		}
	}
	e := &Eraser{Dir: dir, Records: chosen, Wait: wait, What: &What{phrase: "", all: true}, found: map[string]Found{}}
	_, err = e.eraseInbox()
	return err
}

// suggested reports whether any text of a suggestion is to go, or it came from a prompt that does.
func (e *Eraser) suggested(it gjson.Result) (found bool) {
	if e.What.all || e.What.from(it.Get("ref").String()) {
		return true
	}
	it.ForEach(func(k, v gjson.Result) bool {
		switch {
		case k.Str == "kind" || k.Str == "project" || k.Str == "session":
		case v.IsArray() || v.IsObject():
			found = e.What.holds(v)
		case v.Type == gjson.String:
			found = e.What.inRecord(v.Str)
		}
		return !found
	})
	return found
}

// dropIndex removes the search index, which holds the words of records in forms of its own, unless there is nothing of
// them in it. It is made again from what is left.
func (e *Eraser) dropIndex() (bool, error) {
	if e.Dry || e.Records == nil || len(e.order) == 0 && e.What.phrase != "" && !e.inIndex() {
		return false, nil
	}
	return false, DropIndex(e.Dir, e.Wait)
}

// inIndex reports whether the index may hold the phrase of a record that is not there any more, or was changed since:
// in a title, a tag or a name, which it keeps as they are, or among its terms, where no record of today accounts for
// that. It forgets endings: "waits" accounts for "waiting".
func (e *Eraser) inIndex() bool {
	entries, err := List(filepath.Join(e.Dir, search.Folder))
	if err != nil {
		return true
	}
	for _, f := range entries {
		if data, err := safefile.Read(filepath.Join(e.Dir, search.Folder, f.Name()), maxHistory); err != nil || e.What.Loose(data) {
			return true
		}
	}
	if !search.Holds(e.Dir, e.What.phrase) {
		return false
	}
	paths, _ := RecordFiles(e.Dir, func(string) bool { return true }, true)
	for _, path := range paths {
		if data, rerr := safefile.Read(path, maxOther); rerr == nil && search.Alike(string(data), e.What.phrase) {
			return false
		}
	}
	return true
}

// DropIndex removes the search index in dir, memento's folder.
func DropIndex(dir string, wait time.Duration) error {
	folder := filepath.Join(dir, search.Folder)
	if _, err := os.Lstat(folder); err != nil || elsewhere(folder) {
		return nil
	}
	unlock, err := safefile.LockIn(dir, "index", wait)
	if err != nil {
		return err
	}
	defer unlock()
	entries, err := safefile.List(folder)
	if err != nil {
		return err
	}
	for _, f := range entries {
		path := filepath.Join(folder, f.Name())
		if err := safefile.Check(path); errors.Is(err, safefile.ErrRefused) { // not ours: nothing of it is read either
			continue
		} else if err != nil {
			return err
		}
		if err := safefile.Remove(path); err != nil {
			return err
		}
	}
	return nil
}
