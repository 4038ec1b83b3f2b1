package suggest

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/safefile"
)

// maxRenamed is the largest inbox, in bytes, that erasing and renaming read. It is above maxFile, so that they also
// reach an inbox that is too large to use.
const maxRenamed = 64 << 20

// Of counts the suggestions of a project, also in lists that another version of memento wrote. A missing or damaged
// inbox has none. Errors: safefile's.
func (b Box) Of(project string) (int, error) {
	raw, err := b.text()
	if err != nil {
		return 0, err
	}
	_, n := renameWaiting(raw, project, project)
	return n, nil
}

// Rename renames a project in the inbox and returns the number of its suggestions. It also notes the old name, because
// the fingerprints of sentences that were asked contain the name. All other bytes stay. Errors: safefile's; then the
// inbox is unchanged.
func (b Box) Rename(from, to string) (n int, err error) {
	change := func() (raw string, n int, changed bool, err error) {
		raw, err = b.text()
		raw, n = renameWaiting(raw, from, to)
		raw, noted := noteFormer(raw, from, to)
		return raw, n, n > 0 || noted, err
	}
	if _, n, changed, err := change(); err != nil || !changed {
		return n, err
	}
	unlock, err := safefile.LockIn(b.Dir, "inbox", b.Wait)
	if err != nil {
		return 0, err
	}
	defer unlock()
	raw, n, changed, err := change()
	if err != nil || !changed {
		return 0, err
	}
	return n, safefile.Replace(Path(b.Dir), []byte(raw), 0o600)
}

// text returns the bytes of the inbox, "" if it is missing or damaged. Errors: safefile's.
func (b Box) text() (string, error) {
	data, err := safefile.Read(Path(b.Dir), maxRenamed)
	if safefile.Unreadable(err) {
		return "", err
	}
	if err != nil || !gjson.ValidBytes(data) {
		return "", nil
	}
	return string(data), nil
}

// renameWaiting changes the project of suggestions in every list of raw, an inbox, and returns their number.
func renameWaiting(raw, from, to string) (string, int) {
	n := 0
	gjson.Parse(raw).ForEach(func(key, list gjson.Result) bool {
		if !list.IsArray() || strings.ContainsAny(key.Str, `.*?|#@!{}[]()\:~`) || key.Str == "former" {
			return true
		}
		for i, e := range list.Array() {
			if !e.IsObject() || e.Get("project").Str != from {
				continue
			}
			if out, err := sjson.Set(raw, fmt.Sprintf("%s.%d.project", key.Str, i), to); err == nil {
				raw, n = out, n+1
			}
		}
		return true
	})
	return raw, n
}

// noteFormer notes in raw, an inbox, that the project to was called from. It reports whether raw changed.
func noteFormer(raw, from, to string) (string, bool) {
	if gjson.Get(raw, "marks").Str == "" {
		return raw, false
	}
	list := gjson.Get(raw, "former")
	if list.Exists() && !list.IsArray() {
		return raw, false
	}
	known, changed := false, false
	for i, e := range list.Array() {
		if !e.IsObject() {
			continue
		}
		if e.Get("project").Str == from {
			if out, err := sjson.Set(raw, fmt.Sprintf("former.%d.project", i), to); err == nil {
				raw, changed = out, true
			}
		}
		known = known || e.Get("project").Str == to && e.Get("was").Str == from
	}
	if !known {
		q := func(s string) string { return string(gjson.AppendJSONString(nil, s)) }
		if out, err := sjson.SetRaw(raw, "former.-1", `{"project":`+q(to)+`,"was":`+q(from)+`}`); err == nil {
			raw, changed = out, true
		}
	}
	return raw, changed
}
