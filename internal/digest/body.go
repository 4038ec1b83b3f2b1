package digest

import (
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// The limits keep a record below schema.MaxBytes. A journal and a session's tasks stay far below them.
const (
	maxItems = 200
	maxItem  = 400 // characters
)

// page is a record's body that is written section by section.
type page struct{ body string }

// addText adds a section. Words that would end the section, such as a heading, are put into fenced code.
func (p *page) addText(heading, words string) {
	if words = strings.TrimSpace(words); words == "" {
		return
	}
	body, err := markdown.SetSection(p.body, heading, words)
	if err != nil {
		body, err = markdown.SetSection(p.body, heading, text.Fenced("", words))
	}
	if err == nil {
		p.body = body
	}
}

// addList adds a section with one item a line. Of more than maxItems the oldest, which come first, are left out.
func (p *page) addList(heading string, items []string) {
	var b strings.Builder
	for _, it := range items[max(0, len(items)-maxItems):] {
		it, _ = text.Cut(text.OneLine(it), maxItem)
		b.WriteString("- " + it + "\n")
	}
	p.addText(heading, b.String())
}

// titleOf returns words as a record's title: one line of at most schema.MaxTitle characters.
func titleOf(words string) string {
	words, _ = text.Cut(text.OneLine(words), schema.MaxTitle)
	return words
}
