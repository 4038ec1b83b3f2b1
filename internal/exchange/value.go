package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/event"
)

var errJSON = errors.New("it is not valid JSON")

// object reads a file of one JSON object.
func object(data []byte) (gjson.Result, error) {
	if event.TooDeep(data, maxDepth) >= 0 {
		return gjson.Result{}, errors.New("its JSON is nested too deep")
	}
	if !gjson.ValidBytes(data) {
		return gjson.Result{}, errJSON
	}
	root := gjson.ParseBytes(data)
	if !root.IsObject() {
		return root, errors.New("it is not a JSON object")
	}
	return root, nil
}

// fields is an object whose members are taken one by one: what nobody took is left.
type fields struct {
	keys   []string
	values map[string]gjson.Result
}

// members reads an object; of one that says a key twice, the last counts, as for those who wrote it.
func members(v gjson.Result) *fields {
	f := &fields{values: map[string]gjson.Result{}}
	if !v.IsObject() {
		return f
	}
	v.ForEach(func(k, v gjson.Result) bool {
		if _, twice := f.values[k.String()]; !twice {
			f.keys = append(f.keys, k.String())
		}
		f.values[k.String()] = v
		return true
	})
	return f
}

// take returns the member called by the first of these names that is there.
func (f *fields) take(names ...string) (out gjson.Result) {
	for _, name := range names {
		if v, ok := f.values[name]; ok {
			delete(f.values, name)
			if !out.Exists() || said(out) == "" {
				out = v
			} else if said(v) != "" { // two names for one thing, both used: the second is left
				f.values[name] = v
			}
		}
	}
	return out
}

// rest returns what nobody took, as JSON for reading, "" when it says nothing.
func (f *fields) rest() string {
	var out bytes.Buffer
	out.WriteByte('{')
	for _, k := range f.keys {
		v, ok := f.values[k]
		if !ok || said(v) == "" {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.Write(gjson.AppendJSONString(nil, k))
		out.WriteByte(':')
		out.WriteString(v.Raw)
	}
	if out.Len() == 1 {
		return ""
	}
	out.WriteByte('}')
	var indented bytes.Buffer
	if json.Indent(&indented, out.Bytes(), "", "  ") != nil {
		return out.String()
	}
	return indented.String()
}

// said returns a value as text: a string itself, an object or a list as its values in words, null and what is empty as "".
func said(v gjson.Result) string {
	switch {
	case v.Type == gjson.Null:
		return ""
	case v.Type == gjson.String:
		if strings.TrimSpace(v.Str) == "" {
			return ""
		}
		return v.Str
	case v.IsArray():
		return strings.Join(list(v), "; ")
	case v.IsObject():
		var parts []string
		v.ForEach(func(k, v gjson.Result) bool {
			if s := said(v); s != "" {
				parts = append(parts, k.String()+": "+s)
			}
			return true
		})
		return strings.Join(parts, "; ")
	}
	return v.Raw
}

// list returns the items of a list; a value that is none is its only item.
func list(v gjson.Result) (out []string) {
	if !v.IsArray() {
		if s := said(v); s != "" {
			out = append(out, s)
		}
		return out
	}
	v.ForEach(func(_, e gjson.Result) bool {
		if s := said(e); s != "" {
			out = append(out, s)
		}
		return true
	})
	return out
}

// fenced returns s as fenced code, whatever it holds.
func fenced(info, s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + info + "\n" + strings.TrimRight(s, "\n") + "\n" + fence
}

// other keeps what no field of ours takes.
func (d *Draft) other(names string, f *fields) {
	rest := f.rest()
	if rest == "" {
		return
	}
	var keys []string
	for _, k := range f.keys {
		if v, ok := f.values[k]; ok && said(v) != "" && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	note(d, "kept as they are under %s: %s", names, strings.Join(keys, ", "))
	d.put(names, fenced("json", rest))
}
