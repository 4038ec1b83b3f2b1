package journal

import (
	"slices"

	"github.com/tidwall/gjson"
)

// object is a JSON object taken apart: many of its members are changed before it is written, once.
type object struct{ members []member }

// member is one of them; name and value are raw JSON. A key may stand twice.
type member struct{ key, name, value string }

// objectOf takes a valid object apart; "" is an empty one.
func objectOf(raw string) *object {
	o := &object{members: make([]member, 0, 16)}
	if raw != "" {
		gjson.Parse(raw).ForEach(func(k, v gjson.Result) bool {
			o.members = append(o.members, member{k.Str, k.Raw, v.Raw})
			return true
		})
	}
	return o
}

// set gives the first member with this key a raw value; without one, a member is added at the end.
func (o *object) set(key, value string) {
	for i := range o.members {
		if m := &o.members[i]; m.key == key {
			m.value = value
			return
		}
	}
	o.members = append(o.members, member{key, str(key), value})
}

// drop takes out every member with this key.
func (o *object) drop(key string) {
	o.members = slices.DeleteFunc(o.members, func(m member) bool { return m.key == key })
}

// encode writes it without white space between its members.
func (o *object) encode() []byte {
	size := 2
	for _, m := range o.members {
		size += len(m.name) + len(m.value) + 2
	}
	out := append(make([]byte, 0, size), '{')
	for i, m := range o.members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, m.name...), ':'), m.value...)
	}
	return append(out, '}')
}
