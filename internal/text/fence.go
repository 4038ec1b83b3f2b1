package text

import "strings"

// Fence follows fenced code through the lines of a Markdown text. Three or more backticks or tildes begin the code. A
// line with at least as many of the same sign, and nothing else, ends it. The zero value is outside of fenced code.
type Fence struct {
	Mark string // what the code began with that is open, "" outside of any
}

// Has reads the next line and reports whether it belongs to fenced code. The lines with the marks belong to it.
func (f *Fence) Has(line string) bool {
	mark, info := FenceMark(line)
	switch {
	case f.Mark != "":
		if strings.HasPrefix(mark, f.Mark) && strings.TrimSpace(info) == "" {
			f.Mark = ""
		}
		return true
	case mark != "" && (mark[0] == '~' || !strings.Contains(info, "`")):
		f.Mark = mark
		return true
	}
	return false
}

// FenceMark returns the mark of fenced code at the beginning of a line, behind up to three spaces, and the text behind
// the mark. mark is "" when the line has none.
func FenceMark(line string) (mark, info string) {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 || s == "" || s[0] != '`' && s[0] != '~' {
		return "", ""
	}
	info = strings.TrimLeft(s, s[:1])
	if mark = s[:len(s)-len(info)]; len(mark) < 3 {
		return "", ""
	}
	return mark, info
}

// Fenced returns s as fenced code in the language info. Nothing in s can end the code.
func Fenced(info, s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + info + "\n" + s + "\n" + fence
}
