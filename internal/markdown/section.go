package markdown

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// ErrSection says that a text cannot become a section, since the sections behind it would not be found any more.
var ErrSection = errors.New("this cannot stand in a section")

// Section is a part of a body that begins with a second-level heading. Start, Text and End are offsets in the body: of
// the heading, of the text below, and of the end.
type Section struct {
	Heading          string
	Start, Text, End int
}

// Line is a line of a body.
type Line struct {
	At, End       int    // offsets in the body
	Text          string // with the line end
	Heading       string // the text of a heading
	Level         int    // of the heading; 0 for a line that is none
	Opens, Closes bool   // the line begins, or ends, fenced code
	Code          bool   // the line is part of fenced code, and so no heading
}

// Lines returns the lines of a body.
func Lines(body string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		var code text.Fence
		at := 0
		for raw := range strings.Lines(body) {
			bare, inside := strings.TrimRight(raw, "\r\n"), code.Mark != ""
			l := Line{At: at, End: at + len(raw), Text: raw, Code: code.Has(bare)}
			l.Opens, l.Closes = l.Code && !inside, inside && code.Mark == ""
			if !l.Code {
				l.Heading, l.Level = headingOf(bare)
			}
			if !yield(l) {
				return
			}
			at = l.End
		}
	}
}

// openFence returns the opening characters of fenced code without an end in body, "" when there is none.
func openFence(body string) string {
	var code text.Fence
	for line := range strings.Lines(body) {
		code.Has(strings.TrimRight(line, "\r\n"))
	}
	return code.Mark
}

// Sections lists the sections of a Markdown body: "## Heading" and the text below, up to the next heading of the first
// or second level. A line of fenced code is no heading.
func Sections(body string) (out []Section) {
	open := false
	for l := range Lines(body) {
		if l.Level == 0 || l.Level > 2 {
			continue
		}
		if open {
			out[len(out)-1].End = l.At
		}
		if open = l.Level == 2; open {
			out = append(out, Section{l.Heading, l.At, l.End, len(body)})
		}
	}
	return out
}

// headingOf returns the text and the level of a heading, level 0 for another line.
func headingOf(line string) (heading string, level int) {
	s := strings.TrimLeft(line, " ")
	rest := strings.TrimLeft(s, "#")
	level = len(s) - len(rest)
	if len(line)-len(s) > 3 || level == 0 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", 0
	}
	heading = strings.Trim(rest, " \t")
	if cut := strings.TrimRight(heading, "#"); cut == "" || strings.HasSuffix(cut, " ") {
		heading = strings.TrimRight(cut, " \t")
	}
	return heading, level
}

// section returns the first section called heading, in upper or lower case.
func section(body, heading string) (Section, bool) {
	for _, s := range Sections(body) {
		if strings.EqualFold(s.Heading, heading) {
			return s, true
		}
	}
	return Section{}, false
}

// Text returns the text of the section called heading, without the blank lines around it, and whether there is such a
// section. Case does not matter. Of two sections with one name Text returns the first.
func Text(body, heading string) (string, bool) {
	s, ok := section(body, heading)
	if !ok {
		return "", false
	}
	return strings.Trim(body[s.Text:s.End], "\r\n"), true
}

// SetSection returns body with text in the section called heading. It adds a missing section at the end. The other
// sections stay byte for byte. The line ends of text become the body's. Errors: ErrSection when text holds a heading of
// the first two levels (outside fenced code) or leaves a fence open.
func SetSection(body, heading, text string) (string, error) {
	nl := lineEnd(body)
	text = inLines(text, nl)
	if err := checkSection(heading, text); err != nil {
		return "", err
	}
	s, ok := section(body, heading)
	if !ok {
		if fence := openFence(body); fence != "" {
			return "", fmt.Errorf("%w: the fenced code that the body begins with %s has no end", ErrSection, fence)
		}
		if body != "" && !strings.HasSuffix(body, nl+nl) {
			if body = ended(body, nl); !strings.HasSuffix(body, nl+nl) {
				body += nl
			}
		}
		return body + "## " + heading + nl + nl + text, nil
	}
	head := ended(body[s.Start:s.Text], nl)
	rest := body[s.End:]
	if text += nl; rest == "" {
		text = strings.TrimSuffix(text, nl)
	}
	return body[:s.Start] + head + nl + text + rest, nil
}

// RemoveSection returns body without the section called heading. The others stay byte for byte.
func RemoveSection(body, heading string) string {
	s, ok := section(body, heading)
	if !ok {
		return body
	}
	before, rest := body[:s.Start], body[s.End:]
	if nl := lineEnd(body); rest == "" && strings.HasSuffix(before, nl+nl) { // it was between the two sections
		before = strings.TrimSuffix(before, nl)
	}
	return before + rest
}

// AppendSection is SetSection that adds text below the text of the section.
func AppendSection(body, heading, text string) (string, error) {
	old, ok := Text(body, heading)
	if !ok || old == "" {
		return SetSection(body, heading, text)
	}
	return SetSection(body, heading, old+"\n"+text)
}

// checkSection returns ErrSection when text cannot stand in a section called heading.
func checkSection(heading, text string) (err error) {
	if h, level := headingOf("## " + heading); level != 2 || h != heading || h == "" || strings.ContainsAny(h, "\r\n") {
		return fmt.Errorf("%w: %q is no heading", ErrSection, heading)
	}
	for l := range Lines(text) {
		if l.Level == 1 || l.Level == 2 {
			err = fmt.Errorf("%w: it holds the heading %q: write it with ### or more", ErrSection, l.Heading)
		}
	}
	if fence := openFence(text); fence != "" {
		return fmt.Errorf("%w: the fenced code it begins with %s has no end", ErrSection, fence)
	}
	return err
}

// lineEnd returns the line end of the first line of body.
func lineEnd(body string) string {
	if i := strings.IndexByte(body, '\n'); i > 0 && body[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// inLines returns s with the line ends nl, one behind it and no blank lines around it; of blank text "".
func inLines(s, nl string) string {
	s = strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), "\r\n")
	if s == "" {
		return ""
	}
	return strings.ReplaceAll(s+"\n", "\n", nl)
}
