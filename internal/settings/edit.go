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

// add returns the edit that adds values at the end of l: each on lines of its own where the last item is, and on one
// line otherwise. An empty list gets lines of its own, unless its line holds more than its key.
func (f *document) add(l list, values []value) []edit {
	if len(values) == 0 {
		return nil
	}
	nl, at, tail := f.newline(), l.to-1, ""
	line := f.text[strings.LastIndexByte(f.text[:l.from], '\n')+1 : l.from]
	lead, indent, lines := "", "", false
	if n := len(l.items); n > 0 {
		at = l.items[n-1].to
		if lead = f.lead(l, n-1); strings.Contains(lead, "\n") {
			indent, lines = lead[strings.LastIndexByte(lead, '\n')+1:], true
			lead = nl + indent
		}
	} else if !strings.ContainsAny(line, "{[,") {
		indent, lines = f.lineIndent(l.from)+f.unit(), true
		lead, tail = nl+indent, nl+f.lineIndent(l.from)
	}
	text := ""
	for i, v := range values {
		if i > 0 || len(l.items) > 0 {
			text += ","
		}
		text += lead + v.layout(indent, f.unit(), nl, lines)
	}
	if len(l.items) == 0 {
		return []edit{{span{l.from + 1, at}, text + tail}}
	}
	return []edit{{span{at, at}, text}}
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
		lead := f.lead(f.top, 0)
		child, parent := lead[strings.LastIndexByte(lead, '\n')+1:], f.lineIndent(f.top.from)
		if unit, ok := strings.CutPrefix(child, parent); ok && unit != "" && unit != lead {
			return unit
		}
	}
	return "  "
}

// lead returns the white space before item i of l.
func (f *document) lead(l list, i int) string {
	before := f.text[:l.items[i].from]
	return before[len(strings.TrimRight(before, " \t\r\n")):]
}

// lineIndent returns the indentation of the line at position at.
func (f *document) lineIndent(at int) string {
	line := f.text[strings.LastIndexByte(f.text[:at], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
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
