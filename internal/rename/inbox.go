package rename

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/suggest"
)

// plain reports whether a key means itself in a path.
func plain(key string) bool { return !strings.ContainsAny(key, `.*?|#@!{}[]()\:~`) }

// inbox renames the project of what waits in the inbox, and returns how much does; dry only counts.
func (m Migration) inbox(dry bool) (n int, err error) {
	path := suggest.Path(m.Dir)
	count := func() (string, int, error) {
		data, err := safefile.Read(path, maxFile)
		if safefile.Unreadable(err) {
			return "", 0, err
		}
		if err != nil || !gjson.ValidBytes(data) {
			return "", 0, nil
		}
		raw, n := string(data), 0
		gjson.Parse(raw).ForEach(func(key, list gjson.Result) bool {
			index := -1
			list.ForEach(func(_, e gjson.Result) bool {
				index++
				if list.IsArray() && plain(key.Str) && key.Str != "former" && e.IsObject() && e.Get("project").Str == record.Project(m.From) {
					if out, err := sjson.Set(raw, fmt.Sprintf("%s.%d.project", key.Str, index), record.Project(m.To)); err == nil {
						raw, n = out, n+1
					}
				}
				return list.IsArray()
			})
			return true
		})
		return raw, n, nil
	}
	raw, n, err := count()
	if _, more := m.former(raw); err != nil || n == 0 && !more || dry {
		return n, err
	}
	unlock, err := safefile.LockIn(m.Dir, "inbox", m.Wait)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if raw, n, err = count(); err != nil {
		return 0, err
	}
	raw, more := m.former(raw)
	if n == 0 && !more {
		return 0, nil
	}
	return n, safefile.Replace(path, []byte(raw), 0o600)
}

// former notes in the inbox what the project was called, and reports whether that is new: what was asked already is known there by the name of
// the time.
func (m Migration) former(raw string) (string, bool) {
	if gjson.Get(raw, "marks").Str == "" {
		return raw, false
	}
	from, to, more := record.Project(m.From), record.Project(m.To), false
	list := gjson.Get(raw, "former")
	if list.Exists() && !list.IsArray() {
		return raw, false
	}
	known, index := false, -1
	list.ForEach(func(_, e gjson.Result) bool {
		index++
		if e.IsObject() && e.Get("project").Str == from {
			if out, err := sjson.Set(raw, fmt.Sprintf("former.%d.project", index), to); err == nil {
				raw, more = out, true
			}
		}
		known = known || e.IsObject() && e.Get("project").Str == to && e.Get("was").Str == from
		return true
	})
	if !known {
		if out, err := sjson.SetRaw(raw, "former.-1", `{"project":`+string(gjson.AppendJSONString(nil, to))+`,"was":`+string(gjson.AppendJSONString(nil, from))+`}`); err == nil {
			raw, more = out, true
		}
	}
	return raw, more
}
