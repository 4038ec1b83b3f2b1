package jsonx

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Object is a JSON object whose members can be changed one by one. All other members keep their bytes, their order and
// their layout.
type Object struct {
	members []member
	tail    string // before the closing bracket
}

// member is one member of an object. name and value are raw JSON. lead is the text before the name, with the comma;
// colon is the text between name and value. An object may hold a key twice.
type member struct{ key, lead, name, colon, value string }

// ObjectOf returns the members of a valid object. "" is an empty object.
func ObjectOf(raw string) *Object {
	o := &Object{members: make([]member, 0, 16)}
	if raw == "" {
		return o
	}
	rest := raw[strings.IndexByte(raw, '{')+1:]
	gjson.Parse(raw).ForEach(func(k, v gjson.Result) bool {
		m := member{key: k.Str, name: k.Raw, value: v.Raw}
		begin := strings.IndexByte(rest, '"')
		m.lead = rest[:begin]
		rest = rest[begin+len(k.Raw):]
		begin = len(rest) - len(strings.TrimLeft(rest, ": \t\r\n"))
		m.colon = rest[:begin]
		rest = rest[begin+len(v.Raw):]
		o.members = append(o.members, m)
		return true
	})
	o.tail, _, _ = strings.Cut(rest, "}")
	return o
}

// Get returns the raw value of the first member with this key. It returns "" when no member has the key.
func (o *Object) Get(key string) string {
	for i := range o.members {
		if o.members[i].key == key {
			return o.members[i].value
		}
	}
	return ""
}

// Set replaces the raw value of the first member with this key. When no member has the key, Set adds one at the end,
// with the layout of the member before it.
func (o *Object) Set(key, value string) {
	for i := range o.members {
		if m := &o.members[i]; m.key == key {
			m.value = value
			return
		}
	}
	m := member{key: key, name: Quote(key), colon: ":", value: value}
	if n := len(o.members); n > 0 {
		m.lead, m.colon = o.members[n-1].lead, o.members[n-1].colon
	}
	o.members = append(o.members, m)
}

// Drop removes every member with one of these keys.
func (o *Object) Drop(keys ...string) {
	o.members = slices.DeleteFunc(o.members, func(m member) bool { return slices.Contains(keys, m.key) })
}

// String returns the object as raw JSON.
func (o *Object) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range o.members {
		if comma := strings.Contains(m.lead, ","); i == 0 && comma {
			m.lead = strings.Replace(m.lead, ",", "", 1)
		} else if i > 0 && !comma {
			b.WriteByte(',')
		}
		b.WriteString(m.lead + m.name + m.colon + m.value)
	}
	b.WriteString(o.tail + "}")
	return b.String()
}

// Marshal returns v as one line of JSON in which <, > and & stay as they are. Errors: those of encoding/json.
func Marshal(v any) ([]byte, error) {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return []byte(strings.TrimSuffix(out.String(), "\n")), err
}
