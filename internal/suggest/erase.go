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

// maxDepth is the deepest nesting of JSON that memento reads in an inbox.
const maxDepth = 70

// Gone is a suggestion that was erased.
type Gone struct{ TS, Words string }

// Erase removes suggestions of the chosen projects from data, an inbox: those with a text that has recognises, and
// those from a prompt that from recognises. All other bytes stay. ok is false if data is not an inbox.
func Erase(data []byte, chosen func(project string) bool, has func(words string) bool,
	from func(ref string) bool) (left []byte, gone []Gone, ok bool) {
	root, ok := jsonx.Parse(data, maxDepth)
	if !ok {
		return data, nil, false
	}
	out, exempt := jsonx.ObjectOf(root.Raw), jsonx.WordlessOf(new(Suggestion), (*Suggestion).fields)
	root.ForEach(func(key, list gjson.Result) bool {
		if !list.IsArray() {
			return true
		}
		var stay []string
		before := len(gone)
		for _, it := range list.Array() {
			words, found := firstHit(it, exempt, has)
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

// firstHit returns the first text of a suggestion that has recognises. Fields in exempt are not somebody's words.
func firstHit(it gjson.Result, exempt jsonx.Wordless, has func(words string) bool) (words string, found bool) {
	it.ForEach(func(key, v gjson.Result) bool {
		switch {
		case key.Type == gjson.String && exempt.Has(key.Str, v):
		case v.IsArray() || v.IsObject():
			words, found = firstHit(v, exempt, has)
		case v.Type == gjson.String && has(v.Str):
			words, found = v.Str, true
		}
		return !found
	})
	return words, found
}

// EraseProjects removes all suggestions of the chosen projects from the inbox in dir, memento's folder. It deletes a
// damaged inbox and those that were set aside, since nobody can tell whose words they hold. Errors: safefile's; a
// second call goes on.
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
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefile.ErrRefused) { // memento does not read such a file
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
