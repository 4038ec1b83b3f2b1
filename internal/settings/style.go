package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// style is the layout of a file, so that an added hook looks like the rest.
type style struct {
	nl     string // "\n" or "\r\n"
	unit   string // one level of indentation
	colon  string // between a key and its value
	comma  string // between items on one line
	pretty bool   // more than one line
}

func (f *document) detect() style {
	s := style{nl: "\n", unit: "  ", colon: ": ", comma: ", ", pretty: true}
	if i := strings.IndexByte(f.text, '\n'); i > 0 && f.text[i-1] == '\r' {
		s.nl = "\r\n"
	}
	if len(f.top.items) == 0 {
		return s
	}
	s.pretty = strings.Contains(f.text[f.top.from:f.top.to], "\n")
	first := f.text[f.top.items[0].from:f.top.items[0].to]
	key := len(quotedPrefix(first))
	gap := key
	for gap < len(first) && strings.IndexByte(" \t:", first[gap]) >= 0 {
		gap++
	}
	if c := first[key:gap]; strings.Contains(c, ":") && first[gap] != '\r' && first[gap] != '\n' {
		s.colon = c
	}
	if !s.pretty {
		s.comma = ","
		if len(f.top.items) > 1 {
			s.comma += f.lead(f.top, 1)
		} else if strings.HasSuffix(s.colon, " ") {
			s.comma = ", "
		}
	}
	lists := []listNode{f.top, f.hookList}
	for _, ev := range f.events {
		lists = append(lists, ev.list)
	}
	for _, l := range lists {
		if len(l.items) == 0 {
			continue
		}
		child, ok := ownLine(f.lead(l, 0))
		if parent := f.lineIndent(l.from); ok && len(child) > len(parent) && strings.HasPrefix(child, parent) {
			s.unit = child[len(parent):]
			break
		}
	}
	return s
}

// quotedPrefix returns the JSON string at the start of s.
func quotedPrefix(s string) string {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[:i+1]
		}
	}
	return s
}

// lead returns the white space before item i of l.
func (f *document) lead(l listNode, i int) string {
	to := l.items[i].from
	from := to
	for from > 0 && strings.IndexByte(" \t\r\n", f.text[from-1]) >= 0 {
		from--
	}
	return f.text[from:to]
}

// ownLine returns the indentation that lead gives its item; ok is false if the item does not begin a line.
func ownLine(lead string) (indent string, ok bool) {
	i := strings.LastIndexByte(lead, '\n')
	return lead[i+1:], i >= 0
}

// lineIndent returns the indentation of the line at position at.
func (f *document) lineIndent(at int) string {
	line := f.text[strings.LastIndexByte(f.text[:at], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// value is compact JSON that is added to a list; with a key, if the list is an object.
type value struct{ key, text string }

func (v value) compact() string {
	if v.key == "" {
		return v.text
	}
	return encode(v.key) + ":" + v.text
}

func object(members []value) string {
	var all []string
	for _, m := range members {
		all = append(all, m.compact())
	}
	return "{" + strings.Join(all, ",") + "}"
}

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

// layout writes compact JSON in the file's style: on one line, or over several of which all but the first
// start with indent.
func (s style) layout(compact, indent string, lines bool) string {
	var b strings.Builder
	depth := 0
	brk := func() {
		b.WriteString(s.nl + indent + strings.Repeat(s.unit, depth))
	}
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		switch c {
		case '"':
			q := quotedPrefix(compact[i:])
			b.WriteString(q)
			i += len(q) - 1
		case ':':
			b.WriteString(s.colon)
		case ',':
			if !lines {
				b.WriteString(s.comma)
				continue
			}
			b.WriteByte(c)
			brk()
		case '{', '[':
			b.WriteByte(c)
			if next := compact[i+1]; lines && next != '}' && next != ']' {
				depth++
				brk()
			}
		case '}', ']':
			if prev := compact[i-1]; lines && prev != '{' && prev != '[' {
				depth--
				brk()
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// fate says what becomes of an item of a list.
type fate struct {
	drop    bool
	replace string // the item's new text
}

var (
	keep = fate{}
	drop = fate{drop: true}
)

func allDropped(fates []fate) bool {
	return !slices.ContainsFunc(fates, func(f fate) bool { return !f.drop })
}

type edit struct {
	span
	text string
}

// splice returns the edits that give the items of l their fates and add values at the end. Nil fates keep all items.
//
// A comma that came with an item goes with it. If the item is last, the edit begins at the end of the item before it.
// Otherwise it ends at the start of the next item, which so takes the removed item's place.
func (f *document) splice(l listNode, fates []fate, add []value) []edit {
	if fates == nil {
		fates = make([]fate, len(l.items))
	}
	lead, indent, lines := f.placeNew(l)
	var added []string
	for _, v := range add {
		added = append(added, f.style.layout(v.compact(), indent, lines))
	}
	extra := strings.Join(added, ","+lead)

	inside := span{l.from + 1, l.to - 1}
	if len(l.items) == 0 {
		if len(add) == 0 {
			return nil
		}
		tail := ""
		if lines {
			tail = f.style.nl + f.lineIndent(l.from)
		}
		return []edit{{inside, lead + extra + tail}}
	}
	last := len(fates) - 1 // the last item that is kept
	for last >= 0 && fates[last].drop {
		last--
	}
	if last < 0 {
		// The new items replace the old ones, so the white space next to the brackets stays.
		if len(add) == 0 {
			return []edit{{inside, ""}}
		}
		return []edit{{span{l.items[0].from, l.items[len(l.items)-1].to}, extra}}
	}

	var edits []edit
	for i, item := range l.items[:last+1] {
		switch {
		case fates[i].drop:
			edits = append(edits, edit{span{item.from, l.items[i+1].from}, ""})
		case fates[i].replace != "":
			edits = append(edits, edit{item, fates[i].replace})
		}
	}
	tail := edit{span{l.items[last].to, l.items[len(l.items)-1].to}, ""}
	if extra != "" {
		tail.text = "," + lead + extra
	}
	if tail.from < tail.to || tail.text != "" {
		edits = append(edits, tail)
	}
	return edits
}

// placeNew returns the layout of an item that is added to l: the white space before it, the indentation of its other
// lines, and whether it has several lines.
func (f *document) placeNew(l listNode) (lead, indent string, lines bool) {
	if n := len(l.items); n > 0 {
		lead = f.lead(l, n-1)
		if indent, ok := ownLine(lead); ok {
			return f.style.nl + indent, indent, true
		}
		last := l.items[n-1]
		lines = strings.Contains(f.text[last.from:last.to], "\n")
		if n == 1 {
			lead = strings.TrimPrefix(f.style.comma, ",")
		}
		return lead, f.lineIndent(last.to), lines
	}
	// An empty list gets lines of its own, unless its line holds more than its key.
	line := f.text[strings.LastIndexByte(f.text[:l.from], '\n')+1 : l.from]
	if !f.style.pretty || strings.ContainsAny(line, "{[,") {
		return "", "", false
	}
	indent = f.lineIndent(l.from) + f.style.unit
	return f.style.nl + indent, indent, true
}

// inPlace lays out text for the place of item i of l.
func (f *document) inPlace(l listNode, i int, text string) string {
	item := l.items[i]
	indent, lines := ownLine(f.lead(l, i))
	if !lines {
		indent = f.lineIndent(item.to)
		lines = strings.Contains(f.text[item.from:item.to], "\n")
	}
	return f.style.layout(text, indent, lines)
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
