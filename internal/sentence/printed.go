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
	if letters*2 < n || n >= short && (letters*10 < n*7 || digits*5 > n) {
		return false
	}
	if text.BeginsWithOne(s, "File \"", "Traceback", "ERROR", "FAIL", "WARN", "INFO", "DEBUG", "FATAL", "+ ", "| ",
		"> ", "$ ", "# ", "//", "/*", "*/", "<!--", "#!", "**", "==", "--", "go: ", "⎿", "❯", "●", "✓", "✗", "✔", "✘",
		"│", "┃", "├", "└", "╭", "╰", "⏺") {
		return false
	}
	if text.ContainsOne(s, " ERROR ", " WARN ", " INFO ", " DEBUG ", "Exception:", "Exception in thread", "Error: ",
		"error:", "⎿", ":=") {
		return false
	}
	if len(s) > 5 && s[4] == '-' && strings.Trim(s[:4], "0123456789") == "" { // a date
		return false
	}
	if strings.Contains(s, " = ") && strings.ContainsAny(s, "_(.[") || isCall(s) || strings.HasSuffix(s, "==") ||
		strings.HasSuffix(s, ">") && strings.Contains(s, "@") {
		return false
	}
	if strings.HasSuffix(s, ";") || strings.HasSuffix(s, "{") || strings.HasSuffix(s, "}") {
		return false
	}
	return !strings.HasPrefix(s, "at ") || !strings.Contains(s, "(")
}

// isCall reports whether s calls a function with a string, as code does.
func isCall(s string) bool {
	i := strings.Index(s, `("`)
	return i > 0 && s[i-1] != ' '
}

// printedLines reports for each line whether it was printed rather than typed: the line looks printed, stands between
// printed lines without speaking to anybody, or is indented under a printed line.
func printedLines(lines []string) []bool {
	printed := make([]bool, len(lines))
	some := 0
	for i, l := range lines {
		t := strings.TrimSpace(l)
		if printed[i] = text.Runes(t) > 3 && !isProse(firstSentence(t)) ||
			strings.HasPrefix(l, "  ") && i > 0 && printed[i-1]; printed[i] {
			some++
		}
	}
	if some < 2 {
		return printed
	}
	last, between, typed := -1, 0, false // the printed line before; the lines since, and whether one of them was typed
	for i, l := range lines {
		t := strings.TrimSpace(l)
		switch {
		case printed[i]:
			if last >= 0 && between <= maxBetween && !typed {
				for k := last + 1; k < i; k++ {
					printed[k] = true
				}
			}
			last, between, typed = i, 0, false
		case t == "":
			between++
		default:
			between++
			blank := i == 0 || strings.TrimSpace(lines[i-1]) == "" // it opens a paragraph
			typed = typed || blank && read(t).found&(person|polite) != 0
		}
	}
	return printed
}

// TypedPart returns the part of a message that is shown where room is short: all of it or, when the message begins with
// printed lines, the last lines that were typed.
func TypedPart(message string) string {
	lines := strings.Split(message, "\n")
	printed := printedLines(lines)
	first := 0
	for first < len(lines)-1 && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	if !printed[first] {
		return message
	}
	end := len(lines)
	for end > 0 && (printed[end-1] || strings.TrimSpace(lines[end-1]) == "") {
		end--
	}
	begin := end
	for begin > 0 && !printed[begin-1] {
		begin--
	}
	if part := strings.TrimSpace(strings.Join(lines[begin:end], "\n")); part != "" {
		return part
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

// maxBetween is how many lines between two printed lines are taken for printed too.
const maxBetween = 8

// announcesPrint reports whether a line announces text that somebody else wrote, or that was printed.
func announcesPrint(line string) bool {
	_, words := foldWords(line)
	return has(words, "feedback", "comment", "comments", "review", "error", "errors", "log", "logs", "output", "says",
		"said", "got", "get", "message", "reported", "reports", "shows", "trace", "result", "seeing", "prints", "wrote") &&
		!has(words, "my", "rules", "requirements")
}

// heading reports whether a line is a heading of a Markdown document.
func heading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	return len(rest) < len(line) && strings.HasPrefix(rest, " ")
}
