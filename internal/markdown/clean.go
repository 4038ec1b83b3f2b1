package markdown

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

// Redact takes the secrets out of comments and of the keys that memento does not know, and returns the kinds of the
// secrets. It writes each line that holds a secret anew. Whoever sets the value of a known key redacts it before.
func (d *Doc) Redact() (kinds []string) {
	for i := range d.items {
		it := &d.items[i]
		if (it.shape == scalar || it.shape == flow) && slices.Contains(order[:], it.key) { // only its comment
			if _, found := redact.Text(it.raw[it.to:]); found != nil {
				kinds = append(kinds, found...)
				d.reread(it, it.raw[:it.to]+it.raw[it.to+len(strings.TrimRight(it.raw[it.to:], "\r\n")):])
			}
			continue
		}
		clean, found := redact.Text(it.raw)
		if clean == it.raw {
			continue
		}
		kinds = append(kinds, found...)
		switch it.shape {
		case aside:
			it.raw = clean
		case entries: // the whole list goes, since the secret may span entries
			entry := strings.Repeat(" ", it.indent) + "- {summary: " + double(redact.Mark+"changes]") + "}"
			d.reread(it, it.key+":"+d.nl()+entry+d.nl())
		default:
			d.reread(it, it.key+": "+double(redact.Mark+found[0]+"]")+d.nl()) // the comment goes too
		}
	}
	return kinds
}

// Eraser decides what Erase removes from front matter.
type Eraser struct {
	Has   func(words string) bool            // reports whether words must go
	Fixed func(key, value string) bool       // reports whether memento chose the value, so that the value stays
	Entry func(entry map[string]string) bool // reports whether an entry of a list of maps must go
	Gone  func(part, words string)           // receives each part that went, whole
}

// Erase removes from the front matter each part that e selects: a value of a list, an entry of a list of maps, a
// comment, or all lines of a key. The rest stays byte for byte.
func (d *Doc) Erase(e Eraser) {
	d.items = slices.DeleteFunc(d.items, func(it item) bool { return it.shape == aside && e.goes("comment", it.raw) })
	for i := range d.items {
		if it := &d.items[i]; it.shape != aside {
			d.erase(it, e)
		}
	}
	d.items = slices.DeleteFunc(d.items, func(it item) bool { return it.raw == "" })
}

// goes reports whether words must go, and passes them to Gone.
func (e Eraser) goes(part, words string) bool {
	if !e.Has(words) {
		return false
	}
	e.Gone(part, words)
	return true
}

// erase removes from a key the parts that e selects. The key's raw is "" when the whole key goes.
func (d *Doc) erase(it *item, e Eraser) {
	switch {
	case it.shape == flow || it.shape == block:
		left := slices.DeleteFunc(slices.Clone(it.list), func(v string) bool { return e.goes(it.key, v) })
		if len(left) < len(it.list) {
			d.SetList(it.key, left)
		}
	case it.shape == entries:
		raw, left := it.pieces[0], 0
		for i, entry := range it.entry {
			if e.Entry(entry) {
				e.Gone(it.key, entry["summary"])
				continue
			}
			raw += it.pieces[1+i]
			left++
		}
		switch {
		case left == 0:
			it.raw = ""
			return
		case left < len(it.entry):
			d.reread(it, raw)
		}
	case !e.Fixed(it.key, it.value) && e.goes(it.key, it.value):
		it.raw = ""
		return
	}
	if it.shape == scalar || it.shape == flow {
		if tail := it.raw[it.to:]; e.goes("comment", tail) {
			d.reread(it, it.raw[:it.to]+tail[len(strings.TrimRight(tail, "\r\n")):])
		}
	}
	known := slices.Contains(order[:], it.key)
	switch {
	case !known && !text.Name(it.key) && e.Has(it.key),
		(it.shape == block || !known) && e.Has(strings.TrimPrefix(it.raw, it.key)):
		e.Gone(it.key, it.raw) // a comment between the lines of a list counts too
		it.raw = ""
	}
}
