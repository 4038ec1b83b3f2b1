package redact

import "strings"

// lineBefore returns the beginning of the line of i, up to i and at most 128 bytes.
func lineBefore(s string, i int) string {
	line := s[max(0, i-128):i]
	steps(len(line))
	return strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " \t")
}

// clause reports whether a clause, a sentence or a line ends at i.
func clause(s string, i int) bool {
	switch {
	case i >= len(s) || s[i] == '\n' || s[i] == '\r':
		return true
	case strings.IndexByte(".,;!?)\"'", s[i]) >= 0:
		return i+1 >= len(s) || s[i+1] <= ' ' || s[i+1] == '"'
	case s[i] == '\\':
		return strings.HasPrefix(s[i:], `\n`) || strings.HasPrefix(s[i:], `\"`)
	}
	for _, next := range [...]string{" and ", " but ", " should ", " #", " //", "  ", " }"} {
		if strings.HasPrefix(s[i:], next) {
			return true
		}
	}
	return false
}

// leads reports whether the name at i begins its line. White space, the dash of a list, export and the set command of a
// shell may stand before it.
func leads(s string, i int) bool {
	before := lineBefore(s, i)
	if strings.IndexByte(before, '\\') >= 0 { // rare, and cheaper to look for
	}
	before = strings.TrimRight(before, " ")
	// spring.datasource.password=
	return before == "" || among("- export set setx ENV ARG env $ #", before)
}
