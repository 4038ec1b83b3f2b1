package suggest

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
)

// maxDepth bounds nesting before anything recursive sees an inbox.
const maxDepth = 70

// Gone is a suggestion that was erased.
type Gone struct{ TS, Words string }

// Erase takes out of data, the inbox, each suggestion of the chosen projects that has reports a text of, or that came
// from a prompt that from reports. All else stays byte for byte. It is not ok when data is no inbox.
func Erase(data []byte, chosen func(project string) bool, has func(words string) bool,
	from func(ref string) bool) (left []byte, gone []Gone, ok bool) {
	root, ok := jsonx.Parse(data, maxDepth)
	if !ok {
		return data, nil, false
	}
	out, marks := jsonx.ObjectOf(root.Raw), jsonx.MarksOf(new(Suggestion), (*Suggestion).fields)
	root.ForEach(func(key, list gjson.Result) bool {
		if !list.IsArray() {
			return true
		}
		var stay []string
		before := len(gone)
		for _, it := range list.Array() {
			words, found := hit(it, marks, has)
			if chosen(it.Get("project").String()) && (found || from(it.Get("ref").String())) {
				words = cmp.Or(words, it.Get("quote").String(), it.Get("title").String())
				gone = append(gone, Gone{it.Get("ts").String(), words})
				continue
			}
			stay = append(stay, it.Raw)
		}
		if len(gone) > before {
			out.Set(key.Str, "["+strings.Join(stay, ",")+"]")
		}
		return true
	})
	if gone == nil {
		return data, nil, true
	}
	return []byte(out.String()), gone, true
}

// hit returns the first text of a suggestion that has reports, but for its marks.
func hit(it gjson.Result, marks jsonx.Marks, has func(words string) bool) (words string, found bool) {
	it.ForEach(func(key, v gjson.Result) bool {
		switch {
		case key.Type == gjson.String && marks.Has(key.Str, v):
		case v.IsArray() || v.IsObject():
			words, found = hit(v, marks, has)
		case v.Type == gjson.String && has(v.Str):
			words, found = v.Str, true
		}
		return !found
	})
	return words, found
}

// EraseProjects takes what is of the chosen projects out of the inbox in dir, memento's folder, whatever it says.
// What is no inbox goes whole, as does what was set aside of one: nobody reads it any more. Errors: safefile's; the
// same again goes on.
func EraseProjects(dir string, chosen func(project string) bool, wait time.Duration) error {
	entries, err := safefile.ListFolder(dir)
	if err != nil {
		return err
	}
	path, there := Path(dir), false
	for _, f := range entries {
		there = there || f.Name() == filepath.Base(path)
		if strings.HasPrefix(f.Name(), filepath.Base(path)+".") {
			if err := safefile.Remove(filepath.Join(dir, f.Name())); err != nil {
				return err
			}
		}
	}
	if !there {
		return nil
	}
	unlock, err := safefile.LockIn(dir, "inbox", wait)
	if err != nil {
		return err
	}
	defer unlock()
	data, err := safefile.Read(path, maxRenamed)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefile.ErrRefused) { // not ours: nothing of it is read either
		return nil
	}
	if err != nil {
		return err
	}
	all := func(string) bool { return true }
	left, gone, ok := Erase(data, chosen, all, all)
	switch {
	case !ok:
		return safefile.Remove(path)
	case len(gone) > 0:
		return safefile.Replace(path, left, 0o600)
	}
	return nil
}
