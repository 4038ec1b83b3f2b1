package markdown

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// Items returns the items of a Markdown list: the text behind each hyphen, star, plus or number at the left margin,
// with the lines that follow. Text before the first item is an item too. A line of fenced code begins no item.
func Items(list string) (items []string) {
	lines := strings.Split(strings.ReplaceAll(list, "\r\n", "\n"), "\n")
	var code text.Fence
	for n, line := range lines {
		rest, ok := Bullet(line)
		inside := code.Mark != ""
		if !inside && (ok || n == 0) {
			items = append(items, rest)
		} else {
			rest = line
			items[len(items)-1] += "\n" + rest
		}
		if next := code; next.Has(strings.TrimLeft(rest, " ")) && (inside || ends(next, lines[n+1:])) {
			code = next
		}
	}
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return slices.DeleteFunc(items, func(s string) bool { return s == "" })
}

// ends reports whether one of lines closes the fenced code.
func ends(code text.Fence, lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		code.Has(strings.TrimLeft(line, " "))
		return code.Mark == ""
	})
}

// List writes items as a Markdown list that Items reads back. It indents the further lines of an item unless all are
// indented. An item that begins with a space or a tab goes into fenced code, since a list drops leading spaces.
func List(items []string) string {
	var b strings.Builder
	for _, item := range items {
		item = strings.Trim(strings.ReplaceAll(item, "\r\n", "\n"), "\n")
		if item == "" {
			continue
		}
		if item[0] == ' ' || item[0] == '\t' {
			item = text.Fenced("", item)
		}
		lines := strings.Split(item, "\n")
		below := slices.ContainsFunc(lines[1:], func(line string) bool {
			return line != "" && !strings.HasPrefix(line, "  ")
		})
		for i, line := range lines {
			var code text.Fence
			switch {
			case i == 0 && code.Has(line) && ends(code, lines[1:]):
				b.WriteString("- \n  ") // a reader that goes line by line expects a fence at the beginning of its line
			case i == 0:
				b.WriteString("- ")
			case line != "" && below:
				b.WriteString("  ")
			}
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// Bullet returns the text behind the mark of a list item, and whether line begins an item at the left margin.
func Bullet(line string) (rest string, ok bool) {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	switch {
	case digits > 0 && digits < 10 && len(line) > digits+1 &&
		(line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' ':
		return line[digits+2:], true
	case len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && line[1] == ' ':
		return line[2:], true
	}
	return line, false
}
