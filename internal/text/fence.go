package text

import "strings"

// Fence follows fenced code through the lines of a Markdown text: three or more backticks or tildes begin it, and at
// least as many of the same end it, with nothing behind them. The zero value stands outside of any.
type Fence struct {
	Mark string // what the code began with that is open, "" outside of any
}

// Has takes the next line and reports whether it belongs to fenced code, as the lines with its marks do.
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

// FenceMark returns the mark of fenced code that a line begins with, behind up to three spaces, and what stands behind
// it. mark is "" when there is none.
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

// Fenced returns s as fenced code of the language info, which it cannot end.
func Fenced(info, s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + info + "\n" + s + "\n" + fence
}
