package markdown

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

// Redact takes the secrets out of comments and of the keys that memento does not know, and returns the kinds of the
// secrets. Whoever sets the value of a known key redacts it before. A known list on lines of its own goes whole.
func (d *Doc) Redact() (kinds []string) {
	for i := range d.items {
		it := &d.items[i]
		isKnown := slices.Contains(order[:], it.key)
		if isKnown {
			it.cutComments(d.nl(), func(comment string) bool {
				_, found := redact.Text(comment)
				kinds = append(kinds, found...)
				return found != nil
			})
		}
		if _, ok := it.inline(); ok && isKnown {
			continue
		}
		clean, found := redact.Text(it.raw)
		if clean == it.raw {
			continue
		}
		kinds = append(kinds, found...)
		switch {
		case it.key == "":
			it.raw = clean
		case it.key == "changes":
			it.raw = it.key + ": []" + d.nl()
		default: // the comment goes too
			it.raw = it.key + ": " + double(redact.Mark+found[0]+"]") + d.nl()
		}
	}
	return kinds
}

// Eraser decides what Erase removes from front matter.
type Eraser struct {
	Has   func(words string) bool            // reports whether words must go
	Fixed func(key, value string) bool       // reports whether memento chose the value, so that the value stays
	Entry func(entry map[string]string) bool // reports whether an entry of a list of maps must go
	Gone  func(words string)                 // receives each part that went, whole
}

// Erase removes from the front matter each part that e selects: a value of a list, an entry of the history, a comment,
// or all lines of a key. The rest stays byte for byte.
func (d *Doc) Erase(e Eraser) {
	for i := range d.items {
		d.erase(&d.items[i], e)
	}
	d.items = slices.DeleteFunc(d.items, func(it item) bool { return it.raw == "" })
}

// goes reports whether words must go, and passes them to Gone.
func (e Eraser) goes(words string) bool {
	if !e.Has(words) {
		return false
	}
	e.Gone(words)
	return true
}

// erase removes from a key the parts that e selects. The item's raw is "" when all of it goes.
func (d *Doc) erase(it *item, e Eraser) {
	value, isText := d.Get(it.key)
	list, isList := d.List(it.key)
	switch {
	case it.key == "":
		if e.goes(it.raw) {
			it.raw = ""
		}
		return
	case isText:
		if !e.Fixed(it.key, value) && e.goes(value) {
			it.raw = ""
			return
		}
	case isList:
		left := slices.DeleteFunc(slices.Clone(list), func(v string) bool { return e.goes(v) })
		if len(left) < len(list) {
			d.SetList(it.key, left)
		}
	case it.key == "changes":
		d.eraseEntries(it, e)
		it.cutComments(d.nl(), e.goes)
		return
	}
	if isText || isList {
		it.cutComments(d.nl(), e.goes)
	}
	_, isInline := it.inline()
	isKnown := slices.Contains(order[:], it.key)
	if !isKnown && !text.Name(it.key) && e.Has(it.key) ||
		!(isKnown && isInline) && e.Has(strings.TrimPrefix(it.raw, it.key)) {
		e.Gone(it.raw) // a comment between the lines of a list counts too
		it.raw = ""
	}
}

// eraseEntries removes the entries of the history that e selects.
func (d *Doc) eraseEntries(it *item, e Eraser) {
	entries, _ := d.Maps(it.key)
	head, parts, _ := it.parts()
	it.raw = ""
	for i, entry := range entries {
		if e.Entry(entry) {
			e.Gone(entry["summary"])
			continue
		}
		if it.raw == "" {
			it.raw = head
		}
		it.raw += parts[i]
	}
}
