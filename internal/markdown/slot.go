package markdown

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Slot is a part of a file that is merged by itself: a key of the front matter, a comment there, or a heading with the
// text below it. Two machines may have changed it; then it has several values.
type Slot struct {
	Key    string
	Values []string // of a list, its values in their order; else the versions, sorted, without doubles
}

// Form says what the values of a slot in the front matter are.
type Form int

const (
	Plain   Form = iota // versions of one value
	Set                 // the values of a list
	History             // the entries of the key changes
	Comment             // the key is the comment
	Raw                 // versions of whole lines that memento does not read
)

// sets names the keys whose values are lists.
var sets = [...]string{"tags", "files"}

// FormOf returns the form of the slot that has this key in the front matter.
func FormOf(key string) Form {
	switch {
	case strings.HasPrefix(key, "#"):
		return Comment
	case slices.Contains(sets[:], key):
		return Set
	case key == "changes":
		return History
	case slices.Contains(order[:], key):
		return Plain
	}
	return Raw
}

// otherFront and otherBack stand around the key in a comment that keeps another version of a value.
const (
	otherFront = "# Another version of "
	otherBack  = conflictMark + "one, then delete this line): "
)

// labelBack ends the line before a version of a section, behind "**Version 1 of 2**".
const labelBack = conflictMark + "what holds, then delete this line)"

// Slots returns the parts of the front matter and of the body, in their order. The body's slots have these keys: "" for
// the text before the first heading, else the heading's line behind the heading of the first level above it. A file
// that FromSlots wrote has the slots that FromSlots got. Of other files the slots leave out blank lines between parts,
// a missing line end, and the kind of line ends.
func (d *Doc) Slots() (front, body []Slot) {
	at := map[string]int{}
	add := func(key string, values ...string) {
		if i, ok := at[key]; ok {
			front[i].Values = append(front[i].Values, values...)
			return
		}
		at[key] = len(front)
		front = append(front, Slot{key, values})
	}
	for i := range d.items {
		it := &d.items[i]
		if it.shape == aside {
			line := strings.TrimSpace(it.raw)
			if key, value, ok := otherVersion(line); ok {
				add(key, value)
			} else if line != "" {
				add(line, "")
			}
			continue
		}
		form := FormOf(it.key)
		switch {
		case form == Plain && it.shape == scalar:
			add(it.key, it.value)
		case form == Set && it.shape != entries:
			list, _ := d.List(it.key)
			add(it.key, list...)
		case form == History && (it.shape == entries || it.shape == scalar && it.value == ""):
			add(it.key)
			for _, m := range it.entry {
				add(it.key, entryLine(m))
			}
		default:
			add(it.key, strings.Trim(withoutReturns(it.raw), "\n"))
			continue
		}
		for _, c := range it.comments() {
			add(c, "")
		}
	}
	for i, s := range front {
		if f := FormOf(s.Key); f == Plain || f == Raw || f == Comment {
			front[i].Values = distinct(s.Values)
		}
	}
	return front, bodySlots(d.Body)
}

// distinct returns the versions sorted, each once, and the empty one only where there is no other.
func distinct(versions []string) []string {
	slices.Sort(versions)
	versions = slices.Compact(versions)
	if len(versions) > 1 && versions[0] == "" {
		versions = versions[1:]
	}
	return versions
}

// otherVersion reads a comment that keeps another version of a value.
func otherVersion(comment string) (key, value string, ok bool) {
	rest, ours := strings.CutPrefix(comment, otherFront)
	key, value, cut := strings.Cut(rest, otherBack)
	if !ours || !cut || !word(key) || FormOf(key) != Plain && FormOf(key) != Raw || value == "" {
		return "", "", false
	}
	if value[0] != '"' {
		return key, value, true
	}
	v, left, err := new(parser).double(value)
	return key, v, err == nil && left == ""
}

// Settle removes the comments that keep other versions of the value of key.
func (d *Doc) Settle(key string) {
	d.items = slices.DeleteFunc(d.items, func(it item) bool {
		k, _, ok := otherVersion(strings.TrimSpace(it.raw))
		return it.shape == aside && ok && k == key
	})
}

// entryLine returns an entry of the history as Add writes it, with the keys that memento does not know behind.
func entryLine(m map[string]string) string {
	known := []string{"date", "summary", "field", "old", "new"}
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(k string) bool { return slices.Contains(known, k) })
	keys = append(slices.DeleteFunc(known, func(k string) bool { _, has := m[k]; return !has }), keys...)
	var pairs []string
	for _, k := range keys {
		pairs = append(pairs, k+": "+quoteIn(m[k]))
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

// comments returns the comments within the lines of a key.
func (it *item) comments() (out []string) {
	if it.shape == scalar || it.shape == flow {
		if c := strings.TrimSpace(it.raw[it.to:]); c != "" {
			return []string{c}
		}
		return nil
	}
	for line := range strings.Lines(it.raw) {
		line = strings.TrimRight(line, "\r\n")
		if at := commentAt(line); at >= 0 {
			out = append(out, strings.TrimRight(line[at:], " "))
		}
	}
	return out
}

// commentAt returns where the comment of a line of front matter begins, -1 without one.
func commentAt(line string) int {
	open, before := byte(0), byte('[')
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case open == '"' && c == '\\':
			i++
		case open != 0:
			if open == '\'' && strings.HasPrefix(line[i:], "''") {
				i++
			} else if c == open {
				open, before = 0, 'x'
			}
		case c == '#' && (i == 0 || line[i-1] == ' '):
			return i
		case (c == '"' || c == '\'') && strings.IndexByte("[{,:-", before) >= 0:
			open = c
		case c != ' ':
			before = c
		}
	}
	return -1
}

// withoutReturns returns s without the carriage returns that end lines.
func withoutReturns(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, "\r")
	}
	return strings.Join(lines, "\n")
}

// FromSlots returns a file of these parts in this order. crlf chooses the line ends.
func FromSlots(front, body []Slot, crlf bool) []byte {
	var b strings.Builder
	b.WriteString("---\n")
	for _, s := range front {
		writeFront(&b, s)
	}
	b.WriteString("---\n")
	for i, s := range body {
		if i == 0 && s.Key != "" && !strings.HasPrefix(s.Key, "##") {
			b.WriteString(noText + "\n\n")
		}
		if i > 0 {
			b.WriteString("\n")
		}
		writeSection(&b, s)
	}
	out := b.String()
	if crlf {
		out = strings.ReplaceAll(out, "\n", "\r\n")
	}
	return []byte(out)
}

func writeFront(b *strings.Builder, s Slot) {
	form := FormOf(s.Key)
	var list []string
	switch form {
	case Comment:
		b.WriteString(s.Key + "\n")
		return
	case Set:
		for _, v := range s.Values {
			list = append(list, quoteIn(v))
		}
		b.WriteString(s.Key + ": [" + strings.Join(list, ", ") + "]\n")
		return
	case History:
		b.WriteString(s.Key + ":\n")
		for _, v := range s.Values {
			b.WriteString("  - " + v + "\n")
		}
		return
	case Plain:
		b.WriteString(s.Key + ": " + quote(s.Key, s.Values[0], 0) + "\n")
	case Raw:
		b.WriteString(s.Values[0] + "\n")
	}
	for _, v := range s.Values[1:] {
		if form == Raw || v == "" || v[0] == '"' || v != strings.TrimSpace(v) || !printable(v) {
			v = double(v)
		}
		b.WriteString(otherFront + s.Key + otherBack + v + "\n")
	}
}

// The keys of the body's slots: under stands between a heading of the first level and one below it, again before the
// number of a heading that stands there a second time. No body holds a NUL.
const under, again = "\x00/", "\x00#"

// noText stands before a heading of the first level at the beginning of a body that does not belong to the text before
// the first section: what stood before it has gone.
const noText = "<!-- -->"

// bodySlots returns the parts of a body. A heading of the first level at the very beginning belongs to the text before
// the first section.
func bodySlots(body string) (out []Slot) {
	body = withoutReturns(body)
	var text strings.Builder
	key, part, begun := "", "", false // begun: the text before the first heading has words
	used := map[string]int{}
	flush := func() {
		v := versionsOf(text.String())
		text.Reset()
		if key != "" || v[0] != "" {
			out = append(out, Slot{key, v})
		}
	}
	for l := range Lines(body) {
		if l.Level == 0 || l.Level > 2 || key == "" && l.Level == 1 && !begun {
			if key == "" && !begun && !l.Code && strings.TrimSpace(l.Text) == noText {
				begun = true
				continue
			}
			text.WriteString(l.Text)
			switch {
			case !l.Code && isLabel(l.Text):
				begun = false
			case strings.TrimSpace(l.Text) != "":
				begun = true
			}
			continue
		}
		flush()
		key = strings.TrimSpace(l.Text)
		if l.Level == 2 && part != "" {
			key = part + under + key
		}
		if used[key]++; used[key] > 1 {
			key += fmt.Sprint(again, used[key])
		}
		if l.Level == 1 {
			part = key
		}
	}
	flush()
	return out
}

// isLabel reports whether line announces a version of a section.
func isLabel(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, " \r\n"), "**Version ")
	if rest, ok = strings.CutSuffix(rest, "**"+labelBack); !ok || rest == "" {
		return false
	}
	n, of, ok := strings.Cut(rest, " of ")
	const digits = "0123456789"
	return ok && n != "" && of != "" && strings.Trim(n, digits) == "" && strings.Trim(of, digits) == ""
}

// WithoutLabels returns text without the lines that announce the versions of a section.
func WithoutLabels(text string) string {
	if !strings.Contains(text, labelBack) {
		return text
	}
	var b strings.Builder
	for l := range Lines(text) {
		if l.Code || !isLabel(l.Text) {
			b.WriteString(l.Text)
		}
	}
	return b.String()
}

// versionsOf returns the versions in the text of a section: the text itself where it has no labels.
func versionsOf(text string) (out []string) {
	at := 0
	if strings.Contains(text, labelBack) {
		for l := range Lines(text) {
			if !l.Code && isLabel(l.Text) {
				out = append(out, closed(text[at:l.At]))
				at = l.End
			}
		}
	}
	return distinct(append(out, closed(text[at:])))
}

// closed returns a text without blank lines around it and with an end of its last fenced code.
func closed(text string) string {
	for {
		line, rest, more := strings.Cut(text, "\n")
		if strings.TrimSpace(line) != "" {
			break
		}
		if text = rest; !more {
			return ""
		}
	}
	for {
		i := strings.LastIndexByte(text, '\n')
		if strings.TrimSpace(text[i+1:]) != "" {
			break
		}
		text = text[:i]
	}
	if fence := openFence(text); fence != "" {
		text += "\n" + fence
	}
	return text
}

// writeSection writes a part of a body. Several versions stand behind their labels.
func writeSection(b *strings.Builder, s Slot) {
	if s.Key != "" {
		_, line := parentOf(s.Key)
		line, _, _ = strings.Cut(line, again)
		b.WriteString(line + "\n")
		if s.Values[0] != "" {
			b.WriteString("\n")
		}
	}
	for i, v := range s.Values {
		if len(s.Values) > 1 {
			if i > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(b, "**Version %d of %d**%s\n\n", i+1, len(s.Values), labelBack)
		}
		if v != "" {
			b.WriteString(v + "\n")
		}
	}
}

// parentOf splits the key of a body's slot into the key of the slot above it and the rest.
func parentOf(key string) (parent, rest string) {
	if i := strings.LastIndex(key, under); i >= 0 {
		return key[:i], key[i+len(under):]
	}
	return "", key
}

// conflictMark stands in every label.
const conflictMark = " (changed on two machines; keep "

// Conflicts names the parts of which a file holds several versions: keys of the front matter and headings, "the text"
// for the text before the first section. A file that memento cannot read has none.
func Conflicts(data []byte) (parts []string) {
	if !bytes.Contains(data, []byte(conflictMark)) {
		return nil
	}
	d, err := Parse(data)
	if err != nil {
		return nil
	}
	front, body := d.Slots()
	for _, s := range front {
		if f := FormOf(s.Key); (f == Plain || f == Raw) && len(s.Values) > 1 {
			parts = append(parts, s.Key)
		}
	}
	for _, s := range body {
		if len(s.Values) > 1 {
			_, line := parentOf(s.Key)
			line, _, _ = strings.Cut(line, again)
			heading, _ := headingOf(line)
			parts = append(parts, cmp.Or(heading, "the text"))
		}
	}
	return parts
}
