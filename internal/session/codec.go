package session

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/text"
)

// maxDepth bounds nesting before anything recursive sees a state; what this version knows of nests four deep.
const maxDepth = 128

// coder writes a state as JSON, takes one field of it that was read, or erases words from it: the names and their order
// stand in one place for all three, each struct's fields. Reflection, which encoding/json does at the first struct it
// meets, costs more than all the rest of a small hook.
//
// What is empty is left out. A field that is null stays as it is, and one of another type spoils the whole state, as in encoding/json.
type coder struct {
	out []byte // what was written so far

	reading bool
	key     string // of the field in hand
	value   gjson.Result
	known   bool // somebody took it
	spoilt  bool
	inner   func(key, value gjson.Result) // unless nil, is told of fields inside a field of ours that nobody knows

	gone  func(words string) bool // erasing: what is to go; nil otherwise
	found []string                // what went
}

type coded interface{ fields(*coder) }

// encode writes the fields of v and, behind them, others: those of another version, `,"key":value` each.
func encode(v coded, others string) []byte {
	c := coder{out: make([]byte, 0, 4<<10)}
	c.open(v)
	if len(c.out) == len("{}") {
		others = strings.TrimPrefix(others, ",")
	}
	return append(append(c.out[:len(c.out)-1], others...), '}')
}

func (c *coder) open(v coded) {
	c.out = append(c.out, '{')
	v.fields(c)
	c.out = append(c.out, '}')
}

// decode reads data into v and returns the fields that v does not know, as they stand there: `,"key":value` each. Versions may take
// turns at one session, after an upgrade or where two are wired: what one of them remembers is not for the other to drop. Of what it
// holds inside a field of ours nothing is kept.
func decode(data []byte, v coded) (others string, ok bool) {
	if event.TooDeep(data, maxDepth) >= 0 || !gjson.ValidBytes(data) {
		return "", false
	}
	root := gjson.ParseBytes(data)
	if !root.IsObject() {
		return "", false
	}
	c := coder{reading: true}
	c.each(root, v, func(key, value gjson.Result) { others += "," + key.Raw + ":" + value.Raw })
	return others, !c.spoilt
}

// Erase takes out of data, a state as it stands on disk, each text that gone reports, and returns those. A list loses
// the items that hold one. Fields that this version does not know are judged by what they hold, not by their names.
// When a text went, or words that the block was made of went elsewhere, the block goes too. Without any, out is data.
// It is not ok when data is no state.
func Erase(data []byte, gone func(words string) bool, elsewhere bool) (out []byte, found []string, ok bool) {
	if event.TooDeep(data, maxDepth) >= 0 || !gjson.ValidBytes(data) {
		return nil, nil, false
	}
	var s State
	others, erasing := "", coder{gone: gone}
	reading := coder{reading: true, inner: func(_, value gjson.Result) { erasing.judge(value) }}
	reading.each(gjson.ParseBytes(data), &s, func(key, value gjson.Result) {
		if !erasing.judgeField(key, value) {
			others += "," + key.Raw + ":" + value.Raw
		}
	})
	if reading.spoilt || s.ID == "" {
		return nil, nil, false
	}
	s.fields(&erasing)
	block := s.Block != "" || len(s.Arrived) > 0
	if len(erasing.found) == 0 && !(elsewhere && block) {
		return data, nil, true
	}
	s.Block, s.Arrived = "", nil
	return encode(&s, others), erasing.found, true
}

// judgeField reports whether a text in a field is gone. A key that does not read like a field's name is a text too.
func (c *coder) judgeField(key, value gjson.Result) (gone bool) {
	if gone = !text.Name(key.Str) && c.gone(key.Str); gone {
		c.found = append(c.found, key.Str)
	}
	return c.judge(value) || gone
}

// judge reports whether a text in value is gone.
func (c *coder) judge(value gjson.Result) (gone bool) {
	if value.IsObject() || value.IsArray() {
		value.ForEach(func(key, value gjson.Result) bool {
			gone = c.judgeField(key, value) || gone // an item of a list has no key
			return true
		})
		return gone
	}
	if gone = value.Type == gjson.String && c.gone(value.Str); gone {
		c.found = append(c.found, value.Str)
	}
	return gone
}

// each hands the fields of the object to v, and those that it does not know to unknown.
func (c *coder) each(object gjson.Result, v coded, unknown func(key, value gjson.Result)) {
	object.ForEach(func(key, value gjson.Result) bool {
		for _, name := range [...]string{key.Str, strings.ToLower(key.Str)} { // encoding/json took any case for the same
			c.key, c.value, c.known = name, value, false
			if v.fields(c); c.known {
				return true
			}
		}
		if unknown != nil {
			unknown(key, value)
		}
		return true
	})
}

// mine reports whether the field in hand has this name and says anything.
func (c *coder) mine(name string) bool {
	if c.key != name {
		return false
	}
	c.known = true
	return c.value.Type != gjson.Null
}

func (c *coder) name(name string) {
	if c.out[len(c.out)-1] != '{' {
		c.out = append(c.out, ',')
	}
	c.out = append(append(append(c.out, '"'), name...), `":`...)
}

// mark is a text that is nobody's words.
func (c *coder) mark(name string, v *string) {
	if c.gone == nil {
		c.text(name, v)
	}
}

func (c *coder) text(name string, v *string) {
	switch {
	case c.gone != nil:
		if *v != "" && c.gone(*v) {
			c.found, *v = append(c.found, *v), ""
		}
	case !c.reading && *v != "":
		c.name(name)
		c.out = gjson.AppendJSONString(c.out, *v)
	case c.reading && c.mine(name):
		c.string(c.value, v)
	}
}

func (c *coder) string(from gjson.Result, to *string) {
	switch from.Type {
	case gjson.String:
		*to = from.Str
	case gjson.Null:
	default:
		c.spoilt = true
	}
}

func (c *coder) yes(name string, v *bool) {
	switch {
	case c.gone != nil:
	case !c.reading && *v:
		c.name(name)
		c.out = append(c.out, "true"...)
	case c.reading && c.mine(name):
		*v = c.value.Type == gjson.True
		c.spoilt = c.spoilt || !c.value.IsBool()
	}
}

func number[T int | int64](c *coder, name string, v *T) {
	switch {
	case c.gone != nil:
	case !c.reading && *v != 0:
		c.name(name)
		c.out = strconv.AppendInt(c.out, int64(*v), 10)
	case c.reading && c.mine(name):
		n, err := strconv.ParseInt(c.value.Raw, 10, 64)
		*v = T(n)
		c.spoilt = c.spoilt || err != nil || int64(*v) != n
	}
}

// time is written in universal time: a process that never asks for the local one does not read which that is.
func (c *coder) time(name string, v *time.Time) {
	switch {
	case c.gone != nil:
	case !c.reading && !v.IsZero():
		c.name(name)
		c.out = append(v.UTC().AppendFormat(append(c.out, '"'), time.RFC3339Nano), '"')
	case c.reading && c.mine(name):
		err := v.UnmarshalJSON([]byte(c.value.Raw))
		year := v.UTC().Year()
		c.spoilt = c.spoilt || err != nil || year < 0 || year > 9999 // which could not be written
	}
}

// object leaves out one that has nothing in it.
func (c *coder) object(name string, v coded) {
	switch {
	case c.gone != nil:
		v.fields(c)
	case !c.reading:
		before := len(c.out)
		c.name(name)
		begin := len(c.out)
		if c.open(v); len(c.out) == begin+len("{}") {
			c.out = c.out[:before]
		}
	case c.mine(name):
		c.inside(c.value, v)
	}
}

// inside reads an object into v, and stays at the field that holds it.
func (c *coder) inside(from gjson.Result, v coded) {
	switch {
	case from.IsObject():
		outer := *c
		c.each(from, v, c.inner)
		outer.spoilt = c.spoilt
		*c = outer
	case from.Type != gjson.Null:
		c.spoilt = true
	}
}

// optional is an object that may be missing, and that may have nothing in it.
func optional[T any, P interface {
	*T
	coded
}](c *coder, name string, v **T) {
	switch {
	case c.gone != nil:
		if *v != nil {
			P(*v).fields(c)
		}
	case !c.reading && *v != nil:
		c.name(name)
		c.open(P(*v))
	case c.reading && c.mine(name):
		*v = new(T)
		c.inside(c.value, P(*v))
	}
}

// marks is a list of texts that are nobody's words.
func (c *coder) marks(name string, v *[]string) {
	if c.gone == nil {
		c.texts(name, v)
	}
}

func (c *coder) texts(name string, v *[]string) {
	if c.gone != nil {
		*v = slices.DeleteFunc(*v, func(s string) bool { c.text(name, &s); return s == "" })
		return
	}
	all(c, name, v, func(s *string) { c.out = gjson.AppendJSONString(c.out, *s) }, c.string)
}

// objects is a list of structs.
func objects[T any, P interface {
	*T
	coded
}](c *coder, name string, v *[]T) {
	if c.gone != nil {
		*v = slices.DeleteFunc(*v, func(one T) bool {
			before := len(c.found)
			P(&one).fields(c)
			return len(c.found) > before
		})
		return
	}
	all(c, name, v, func(one *T) { c.open(P(one)) }, func(from gjson.Result, one *T) { c.inside(from, P(one)) })
}

func all[T any](c *coder, name string, v *[]T, write func(*T), read func(gjson.Result, *T)) {
	switch {
	case !c.reading && len(*v) > 0:
		c.name(name)
		for i := range *v {
			c.out = append(c.out, "[,"[min(i, 1)])
			write(&(*v)[i])
		}
		c.out = append(c.out, ']')
	case c.reading && c.mine(name):
		if *v = nil; !c.value.IsArray() {
			c.spoilt = true
			return
		}
		list := c.value
		list.ForEach(func(_, from gjson.Result) bool {
			var one T
			read(from, &one)
			*v = append(*v, one)
			return true
		})
		*v = slices.Clip(*v)
	}
}
