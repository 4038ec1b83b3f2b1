package sentence

import (
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// What follows tells what was typed from what was printed and pasted.

// isProse reports whether a line reads like something typed rather than printed: no time stamp, no path and line
// number, no stack frame, mostly letters.
func isProse(s string) bool {
	letters, digits, n := 0, 0, 0
	for _, w := range strings.Fields(s) {
		if strings.Contains(w, "://") { // an address says nothing of the words around it
			continue
		}
		letters, n = letters+1, n+1 // the space behind it
		for _, r := range w {
			n++
			switch {
			case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '\'' ||
				r >= 0x80 && (unicode.IsLetter(r) || unicode.Is(unicode.M, r)):
				letters++
			case unicode.IsDigit(r):
				digits++
			}
		}
	}
	const short = 24 // characters: a person may type "see #401"
	switch {
	case letters*2 < n, n >= short && (letters*10 < n*7 || digits*5 > n),
		text.BeginsWithOne(s, "File \"", "Traceback", "ERROR", "FAIL", "WARN", "INFO", "DEBUG", "FATAL", "+ ", "| ",
			"> ", "$ ", "# ", "//", "/*", "*/", "<!--", "#!", "**", "==", "--", "go: ", "⎿", "❯", "●", "✓", "✗", "✔", "✘",
			"│", "┃", "├", "└", "╭", "╰", "⏺"),
		text.ContainsOne(s, " ERROR ", " WARN ", " INFO ", " DEBUG ", "Exception:", "Exception in thread", "Error: ",
			"error:", "⎿", ":="),
		len(s) > 5 && s[4] == '-' && strings.Trim(s[:4], "0123456789") == "", // a date
		strings.Contains(s, " = ") && strings.ContainsAny(s, "_(.["), strings.HasSuffix(s, "=="),
		strings.HasSuffix(s, ">") && strings.Contains(s, "@"), strings.ContainsAny(s[max(0, len(s)-1):], ";{}"):
		return false
	}
	return !strings.HasPrefix(s, "at ") || !strings.Contains(s, "(")
}

// printedLines reports for each line whether it was printed rather than typed: the line looks printed, or is indented
// under a printed line.
func printedLines(lines []string) []bool {
	printed := make([]bool, len(lines))
	for i, l := range lines {
		t := strings.TrimSpace(l)
		printed[i] = text.Runes(t) > 3 && !isProse(firstSentence(t)) ||
			strings.HasPrefix(l, "  ") && i > 0 && printed[i-1]
	}
	return printed
}

// TypedPart returns a message without the printed lines that it begins with, if something that was typed follows them.
func TypedPart(message string) string {
	if all := judge(message); len(all) > 0 && printedLines(strings.Split(message, "\n"))[0] {
		return message[max(0, strings.Index(message, all[0].Text)):]
	}
	return message
}

// firstSentence returns the first sentence of a line, without the number of a list before it.
func firstSentence(line string) string {
	for _, s := range splitLine(line) {
		if strings.IndexFunc(s, unicode.IsLetter) >= 0 {
			return s
		}
	}
	return line
}

// announcesPrint reports whether a line announces text that somebody else wrote, or that was printed.
func announcesPrint(line string) bool {
	_, words := foldWords(line)
	const tells = `feedback comment comments review error errors log logs output says said got get message reported reports
		shows trace result seeing prints wrote`
	return hasAny(words, tells) && !hasAny(words, "my rules requirements")
}

// heading reports whether a line is a heading of a Markdown document.
func heading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	return len(rest) < len(line) && strings.HasPrefix(rest, " ")
}
