package jsonx

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/text"
)

// Table visits the fields of a struct: to write them as JSON, to read one of them, or to name those without words. The
// owner of the struct names its fields once, in their order, in a function that calls one method of the table for each
// field. Reflection, which encoding/json needs for the first struct, costs more than the rest of a small hook.
//
// An empty field is left out, unless Or says what to write.
//
// The first of two fields with one name counts, a field of another type spoils the object, and null says nothing. What
// people edit too (see ReadEdited) is read as they mean it: white space alone is no text; an item of a list, and a
// field in such an item, may have any type.
type Table struct {
	out    []byte  // what was written so far
	over   *Object // unless nil, what is written over: it keeps the fields that nobody knows
	absent string  // the field that was left out last, to be written by Or

	reading bool
	edited  bool // people edit it too
	inside  bool // an item of a list
	key     string
	value   gjson.Result
	raw     string // the whole object that the field in hand stands in
	known   bool   // somebody took the field in hand
	wrong   string // why the whole is not of the struct's form, "" for no reason

	wordless Wordless // unless nil, collects the wordless fields
}

// Wordless has the names of the fields that hold nobody's words: ids, paths, and words of memento's or the client's.
// The value is false for a field that Ref names.
type Wordless map[string]bool

// WordlessOf returns the wordless fields of v and of the objects in it.
func WordlessOf[T any](v *T, fields func(*T, *Table)) Wordless {
	t := Table{reading: true, wordless: Wordless{}} // it reads no field: none has the name ""
	fields(v, &t)
	return t.wordless
}

// Has reports whether the field of this name, with the value v, holds nobody's words.
func (m Wordless) Has(name string, v gjson.Result) bool {
	all, ok := m[name]
	return ok && (all || !strings.Contains(v.String(), "/"))
}

// Find returns the first text in v that is reports true for. Each string is a text, except in a wordless field, and
// each key that does not read like the name of a field. A format may have more fields than it knows.
func (m Wordless) Find(v gjson.Result, is func(words string) bool) (found string, ok bool) {
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(k, v gjson.Result) bool { // an item of a list has no key
			if found, ok = k.Str, !text.Name(k.Str) && is(k.Str); !ok && !m.Has(k.Str, v) {
				found, ok = m.Find(v, is)
			}
			return !ok
		})
		return found, ok
	}
	return v.Str, v.Type == gjson.String && is(v.Str)
}

// Erase takes out of the object raw each field, and each item of a list, that goes reports; goes gets the name of the
// field, too. A key that does not read like the name of a field goes by itself. Without a hit it returns raw.
func (m Wordless) Erase(raw string, goes func(field string, v gjson.Result) bool) string {
	var fields []string
	erased := false
	gjson.Parse(raw).ForEach(func(k, v gjson.Result) bool {
		value := v.Raw
		switch {
		case m.Has(k.Str, v):
		case !text.Name(k.Str) && goes(k.Str, k), !v.IsArray() && goes(k.Str, v):
			erased = true
			return true
		case v.IsArray():
			var items []string
			all := v.Array()
			for _, item := range all {
				if !goes(k.Str, item) {
					items = append(items, item.Raw)
				}
			}
			if len(items) < len(all) {
				erased, value = true, "["+strings.Join(items, ",")+"]"
			}
		}
		fields = append(fields, k.Raw+":"+value)
		return true
	})
	if !erased {
		return raw
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// noteWordless notes that the field called name is wordless.
func (t *Table) noteWordless(name string, all bool) {
	if t.wordless != nil {
		t.wordless[name] = all
	}
}

// inside calls fields for what a field may hold, so that WordlessOf finds the wordless fields in it.
func inside[T any](t *Table, fields func(*T, *Table)) {
	if t.wordless != nil {
		fields(new(T), t)
	}
}

// Write returns v as JSON.
func Write[T any](v *T, fields func(*T, *Table)) []byte {
	t := Table{out: make([]byte, 0, 4<<10)}
	open(&t, v, fields)
	return t.out
}

// open writes an object with the fields of v.
func open[T any](t *Table, v *T, fields func(*T, *Table)) {
	outer, begin := t.over, len(t.out)
	t.over = nil
	t.out = append(t.out, '{')
	fields(v, t)
	if t.drop(); t.over != nil {
		t.out = append(t.out[:begin], t.over.String()...)
	} else {
		t.out = append(t.out, '}')
	}
	t.over = outer
}

// Over keeps the object raw that v was read from, and writes v over it. The fields that v does not know stay in their
// place. Over must be called before any field.
func (t *Table) Over(raw *string) {
	if t.reading {
		*raw = t.raw
	} else if *raw != "" {
		t.over = ObjectOf(*raw)
	}
}

// Read reads the object data into v, and reports whether data is an object of v's form that nests at most levels deep.
// If it is not, v may have changed. Fields that v does not know are lost.
func Read[T any](data []byte, levels int, v *T, fields func(*T, *Table)) bool {
	root, ok := Parse(data, levels)
	t := Table{reading: true}
	if ok {
		each(&t, root, v, fields, nil)
	}
	return ok && t.wrong == ""
}

// ReadEdited reads an object that people edit too into v. It calls unknown with each field that v does not know, and
// with each second field of a name. It returns why the object does not have v's form, "" when it has.
func ReadEdited[T any](object gjson.Result, v *T, fields func(*T, *Table),
	unknown func(key, value gjson.Result)) (wrong string) {
	t := Table{reading: true, edited: true}
	each(&t, object, v, fields, unknown)
	return t.wrong
}

// each gives the known fields of the object to v and the others to unknown.
func each[T any](t *Table, object gjson.Result, v *T, fields func(*T, *Table), unknown func(key, value gjson.Result)) {
	var seen []string
	t.key, t.raw = "", object.Raw // without any field, v is still told of the object
	fields(v, t)
	object.ForEach(func(key, value gjson.Result) bool {
		if !slices.Contains(seen, key.Str) {
			// a field's own may have been read meanwhile
			t.key, t.value, t.raw, t.known = key.Str, value, object.Raw, false
			if fields(v, t); t.known {
				seen = append(seen, key.Str)
				return t.wrong == ""
			}
		}
		if unknown != nil {
			unknown(key, value)
		}
		return true
	})
}

// mine reports whether the current field has this name and a value.
func (t *Table) mine(name string) bool {
	if t.key != name {
		return false
	}
	t.known = true
	return t.value.Type != gjson.Null
}

func (t *Table) spoil(name, why string) {
	t.wrong = cmp.Or(t.wrong, name+" is not "+why)
}

// write writes the field, or leaves it out.
func (t *Table) write(name string, there bool, value func()) {
	t.drop()
	switch {
	case !there:
		t.absent = name
	case t.over != nil:
		over, begin := t.over, len(t.out)
		if value(); len(t.out) > begin {
			over.Set(name, string(t.out[begin:]))
			t.out = t.out[:begin]
		} else {
			over.Drop(name)
		}
	default:
		if t.out[len(t.out)-1] != '{' {
			t.out = append(t.out, ',')
		}
		t.out = append(append(append(t.out, '"'), name...), `":`...)
		value()
	}
}

// drop removes the field that was left out last from the output, when no Or followed it.
func (t *Table) drop() {
	if t.over != nil && t.absent != "" {
		t.over.Drop(t.absent)
	}
	t.absent = ""
}

// Or says what to write, as raw JSON, when the field before it is empty.
func (t *Table) Or(raw string) *Table {
	if !t.reading && t.absent != "" {
		name := t.absent
		t.absent = ""
		t.write(name, true, func() { t.out = append(t.out, raw...) })
	}
	return t
}

// Holds reports whether the field called name has this type in the object. Another program may use the same name for a
// value of another type.
func (t *Table) Holds(name string, kind gjson.Type) bool {
	if t.wordless != nil {
		return true
	}
	if t.reading {
		return t.key == name && t.value.Type == kind
	}
	return t.over != nil && gjson.Parse(t.over.Get(name)).Type == kind
}

// Custom is a field with a form of its own. read takes its value, which may have any type, and returns the form that it
// had to have, "" when it has it. write returns the value as raw JSON, "" when it is empty. Nothing in it is erased.
func (t *Table) Custom(name string, read func(gjson.Result) (want string), write func() string) *Table {
	t.noteWordless(name, true)
	switch {
	case !t.reading:
		raw := write()
		t.write(name, raw != "", func() { t.out = append(t.out, raw...) })
	case t.key == name:
		t.known = true
		if want := read(t.value); want != "" {
			t.spoil(name, want)
		}
	}
	return t
}

// Former is a field of an older version. It is read and never written.
func (t *Table) Former(name string, read func(gjson.Result)) {
	if t.wordless != nil {
		return
	}
	t.Custom(name, func(v gjson.Result) string { read(v); return "" }, func() string { return "" })
}

// Wordless is a text without anybody's words: an id, a path, a time, a kind.
func (t *Table) Wordless(name string, v *string) *Table {
	t.noteWordless(name, true)
	return t.Text(name, v)
}

// Ref is an id that another program made. Words or an address may follow a slash in it.
func (t *Table) Ref(name string, v *string) *Table {
	t.Wordless(name, v)
	t.noteWordless(name, false)
	return t
}

// Text is what somebody wrote.
func (t *Table) Text(name string, v *string) *Table {
	switch {
	case !t.reading:
		t.write(name, *v != "", func() { t.out = gjson.AppendJSONString(t.out, *v) })
	case t.mine(name):
		t.string(name, t.value, v)
	}
	return t
}

func (t *Table) string(name string, from gjson.Result, to *string) {
	switch {
	case t.edited && t.inside:
		if s := from.String(); s != "" {
			*to = s
		}
	case from.Type == gjson.String:
		if !t.edited || strings.TrimSpace(from.Str) != "" {
			*to = from.Str
		}
	case from.Type != gjson.Null:
		t.spoil(name, "text")
	}
}

// Yes is true or false. false is empty.
func (t *Table) Yes(name string, v *bool) {
	switch {
	case !t.reading:
		t.write(name, *v, func() { t.out = append(t.out, "true"...) })
	case t.mine(name):
		*v = t.value.Type == gjson.True
		if t.edited {
			*v = t.value.Bool()
		} else if !t.value.IsBool() {
			t.spoil(name, "true or false")
		}
	}
}

// Verdict is true, false or unknown.
func (t *Table) Verdict(name string, v **bool) {
	t.Custom(name, func(from gjson.Result) string {
		if from.IsBool() {
			yes := from.Bool()
			*v = &yes
		}
		return ""
	}, func() string {
		if *v == nil {
			return ""
		}
		return strconv.FormatBool(**v)
	})
}

// Number is a whole number; 0 is empty.
func Number[T int | int64](t *Table, name string, v *T) {
	switch {
	case !t.reading:
		t.write(name, *v != 0, func() { t.out = strconv.AppendInt(t.out, int64(*v), 10) })
	case t.mine(name):
		n, err := strconv.ParseInt(t.value.Raw, 10, 64)
		if *v = T(n); err != nil || int64(*v) != n {
			t.spoil(name, "a whole number")
		}
	}
}

// Time is written in universal time. A process that never needs the local time zone does not have to read it.
func (t *Table) Time(name string, v *time.Time) {
	t.noteWordless(name, true)
	switch {
	case !t.reading:
		t.write(name, !v.IsZero(), func() {
			t.out = append(v.UTC().AppendFormat(append(t.out, '"'), time.RFC3339Nano), '"')
		})
	case t.mine(name):
		err := v.UnmarshalJSON([]byte(t.value.Raw))
		if year := v.UTC().Year(); err != nil || year < 0 || year > 9999 { // which could not be written
			t.spoil(name, "a time")
		}
	}
}

// One is an object. It is left out when it is empty.
func One[T any](t *Table, name string, v *T, fields func(*T, *Table)) {
	inside(t, fields)
	switch {
	case !t.reading:
		begin := len(t.out)
		t.write(name, true, func() {
			inner := len(t.out)
			if open(t, v, fields); len(t.out) == inner+len("{}") {
				t.out = t.out[:begin]
			}
		})
	case t.mine(name):
		read(t, name, t.value, v, fields)
	}
}

// Optional is an object that may be missing, and that may be empty. words, for what people edit too, makes an object
// from plain text.
func Optional[T any](t *Table, name string, v **T, fields func(*T, *Table), words ...func(string) T) {
	inside(t, fields)
	switch {
	case !t.reading:
		t.write(name, *v != nil, func() { open(t, *v, fields) })
	case t.mine(name):
		*v = new(T)
		if !item(t, name, t.value, *v, fields, words) {
			*v = nil
		}
	}
}

// item reads an object into v, or the plain text that people wrote instead. It reports whether there was a value.
func item[T any](t *Table, name string, from gjson.Result, v *T, fields func(*T, *Table), words []func(string) T) bool {
	if len(words) == 0 || from.IsObject() {
		read(t, name, from, v, fields)
		return true
	}
	said := from.String()
	if said != "" {
		*v = words[0](said)
	}
	return said != ""
}

// read reads an object into v; the table stays at the field that holds the object.
func read[T any](t *Table, name string, from gjson.Result, v *T, fields func(*T, *Table)) {
	switch {
	case from.IsObject():
		outer := *t
		t.inside = true
		each(t, from, v, fields, nil)
		outer.wrong = t.wrong
		*t = outer
	case from.Type != gjson.Null:
		t.spoil(name, "an object")
	}
}

// WordlessList is a list of texts without anybody's words.
func (t *Table) WordlessList(name string, v *[]string) *Table {
	t.noteWordless(name, true)
	return t.Texts(name, v)
}

// Texts is a list of texts that somebody wrote. A list that people edit too may be a single item. Empty items are left
// out.
func (t *Table) Texts(name string, v *[]string) *Table {
	if t.reading && t.edited {
		if t.mine(name) {
			*v = Words(t.value)
		}
	} else {
		list(t, name, v, func(s *string) { t.out = gjson.AppendJSONString(t.out, *s) },
			func(from gjson.Result, s *string) { t.string(name, from, s) })
	}
	return t
}

// Words returns the items of a list that are not empty, as text. A value that is no list is its own only item.
func Words(v gjson.Result) (out []string) {
	for _, item := range v.Array() {
		if s := item.String(); s != "" && item.Type != gjson.Null {
			out = append(out, s)
		}
	}
	return out
}

// Many is a list of structs. words, for what people edit too, makes an item from plain text; the list may be a single
// item then.
func Many[T any](t *Table, name string, v *[]T, fields func(*T, *Table), words ...func(string) T) *Table {
	inside(t, fields)
	if t.reading && len(words) > 0 {
		if t.mine(name) {
			*v = nil
			for _, from := range t.value.Array() {
				var one T
				if item(t, name, from, &one, fields, words) {
					*v = append(*v, one)
				}
			}
		}
	} else {
		list(t, name, v, func(one *T) { open(t, one, fields) },
			func(from gjson.Result, one *T) { read(t, name, from, one, fields) })
	}
	return t
}

func list[T any](t *Table, name string, v *[]T, write func(*T), read func(gjson.Result, *T)) {
	switch {
	case !t.reading:
		t.write(name, len(*v) > 0, func() {
			for i := range *v {
				t.out = append(t.out, "[,"[min(i, 1)])
				write(&(*v)[i])
			}
			t.out = append(t.out, ']')
		})
	case t.mine(name):
		if *v = nil; !t.value.IsArray() {
			t.spoil(name, "a list")
			return
		}
		t.value.ForEach(func(_, from gjson.Result) bool {
			var one T
			read(from, &one)
			*v = append(*v, one)
			return true
		})
		*v = slices.Clip(*v)
	}
}
