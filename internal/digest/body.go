package digest

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// Limits of what is written. A journal and a session's tasks stay far below; they keep a record below schema.MaxBytes.
const (
	maxItems = 200
	maxItem  = 400 // characters
)

// page is a body being written, a section at a time.
type page struct{ body string }

// text adds a section; words that would not stay within it stand in fenced code.
func (p *page) text(heading, words string) {
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

// list adds a section with an item a line. Of too many the first ones go: they are the oldest.
func (p *page) list(heading string, items []string) {
	var b strings.Builder
	for _, it := range items[max(0, len(items)-maxItems):] {
		it, _ = text.Cut(text.Line(it), maxItem)
		b.WriteString("- " + it + "\n")
	}
	p.text(heading, b.String())
}

// title makes a record's title of words: one line of at most schema.MaxTitle characters.
func title(words string) string {
	words, _ = text.Cut(text.Line(words), schema.MaxTitle)
	return words
}

// mark tells a body apart from others.
func mark(body string) string {
	h := fnv.New64a()
	h.Write([]byte(body))
	return fmt.Sprintf("%016x", h.Sum64())
}

// merged returns body, which a person has changed, with what next has and it lacks: sections, and items of lists.
func merged(kind, body, next string) (string, error) {
	k, _ := schema.Named(kind)
	for _, part := range k.Sections {
		words, ok := markdown.Text(next, part.Heading)
		if !ok {
			continue
		}
		old, _ := markdown.Text(body, part.Heading)
		switch {
		case strings.TrimSpace(old) == "":
		case !part.List:
			continue
		default:
			have, lines := markdown.Items(old), []string{old}
			for _, it := range markdown.Items(words) {
				if !slices.ContainsFunc(have, func(h string) bool { return text.Same(h, it) }) {
					lines = append(lines, strings.TrimRight(markdown.List([]string{it}), "\n"))
				}
			}
			words = strings.Join(lines, "\n")
		}
		var err error
		if body, err = markdown.SetSection(body, part.Heading, words); err != nil {
			return "", err
		}
	}
	return body, nil
}
