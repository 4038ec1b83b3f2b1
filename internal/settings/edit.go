package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

type edit struct {
	span
	text string
}

// cut returns the edits that take out the items in gone. A comma that came with an item goes with it. If the item is
// last, the edit begins at the end of the item before it. Otherwise it ends at the start of the next item, which so
// takes the removed item's place.
func (l list) cut(gone map[int]bool) (edits []edit) {
	if len(gone) == 0 {
		return nil
	}
	last := len(l.items) - 1 // the last item that is kept
	for last >= 0 && gone[last] {
		last--
	}
	if last < 0 {
		return []edit{{span{l.from + 1, l.to - 1}, ""}}
	}
	for i, item := range l.items[:last+1] {
		if gone[i] {
			edits = append(edits, edit{span{item.from, l.items[i+1].from}, ""})
		}
	}
	return append(edits, edit{span{l.items[last].to, l.items[len(l.items)-1].to}, ""})
}

// add returns the edit that adds values at the end of l, which is in depth other lists: each on lines of its own, or in
// a file of one line all on it.
func (f *document) add(l list, depth int, values []value) []edit {
	if len(values) == 0 {
		return nil
	}
	nl, unit := f.newline(), f.unit()
	lines := len(f.top.items) == 0 || strings.Contains(strings.TrimRight(f.text, "\r\n"), "\n")
	lead, tail := "", ""
	if lines {
		tail = nl + strings.Repeat(unit, depth)
		lead = tail + unit
	}
	at := span{l.from + 1, l.to - 1}
	if n := len(l.items); n > 0 {
		at, tail = span{l.items[n-1].to, l.items[n-1].to}, ""
	}
	text := ""
	for i, v := range values {
		if i > 0 || len(l.items) > 0 {
			text += ","
		}
		text += lead + v.layout(strings.Repeat(unit, depth+1), unit, nl, lines)
	}
	return []edit{{at, text + tail}}
}

func (f *document) newline() string {
	if i := strings.IndexByte(f.text, '\n'); i > 0 && f.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// unit returns one level of the file's indentation, as its first item shows it.
func (f *document) unit() string {
	if len(f.top.items) > 0 {
		before := f.text[:f.top.items[0].from]
		unit := before[strings.LastIndexByte(before, '\n')+1:]
		if unit != before && unit != "" && strings.Trim(unit, " \t") == "" {
			return unit
		}
	}
	return "  "
}

// value is compact JSON that is added to a list; with a key, if the list is an object.
type value struct{ key, text string }

// layout returns the value on one line, or over several of which all but the first start with indent.
func (v value) layout(indent, unit, nl string, lines bool) string {
	text, colon := v.text, ":"
	if lines {
		var b bytes.Buffer
		if json.Indent(&b, []byte(text), indent, unit) == nil { // memento's own JSON is valid
			text, colon = strings.ReplaceAll(b.String(), "\n", nl), ": "
		}
	}
	if v.key == "" {
		return text
	}
	return encode(v.key) + colon + text
}

func joined(open string, members []value, end string) string {
	var all []string
	for _, m := range members {
		all = append(all, m.layout("", "", "", false))
	}
	return open + strings.Join(all, ",") + end
}

func object(members []value) string { return joined("{", members, "}") }

func array(items []value) string { return joined("[", items, "]") }

// group returns the compact JSON of a group that holds h alone.
func group(h Hook) string {
	type entry struct {
		Type    string    `json:"type"`
		Command string    `json:"command"`
		Args    *[]string `json:"args,omitempty"`
		If      string    `json:"if,omitempty"`
		Timeout int       `json:"timeout,omitempty"`
	}
	e := entry{Type: "command", Command: h.Command, If: h.If, Timeout: h.Timeout}
	if h.Args != nil {
		e.Args = &h.Args
	}
	return encode(struct {
		Matcher string  `json:"matcher,omitempty"`
		Hooks   []entry `json:"hooks"`
	}{h.Matcher, []entry{e}})
}

// encode returns v as compact JSON that a person can read: && stays &&.
func encode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // callers pass only strings and numbers
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// apply returns the file with the edits made. Edits do not overlap.
func (f *document) apply(edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b bytes.Buffer
	b.WriteString(f.bom)
	at := 0
	for _, e := range edits {
		b.WriteString(f.text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.WriteString(f.text[at:])
	return b.Bytes()
}
