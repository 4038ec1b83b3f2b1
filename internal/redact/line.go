package redact

import "strings"

// lineBefore returns the beginning of the line of i, up to i and at most 128 bytes.
func lineBefore(s string, i int) string {
	line := s[max(0, i-128):i]
	steps(len(line))
	return strings.TrimLeft(line[lastLine(line):], " \t")
}

// lastLine returns where the last line of s begins. This forward search is faster than strings.LastIndexByte.
func lastLine(s string) (start int) {
	for {
		nl := strings.IndexByte(s[start:], '\n')
		if nl < 0 {
			return start
		}
		start += nl + 1
	}
}

// follows reports whether what stands right before i.
func follows(s string, i int, what string) bool { return strings.HasSuffix(s[:i], what) }

// inProse reports whether only words stand before i in its line, and none of them begins a declaration.
func inProse(s string, i int) bool {
	line := strings.TrimRight(lineBefore(s, i), " ")
	last := line[strings.LastIndexByte(line, ' ')+1:]
	const declares = "const let var val string auto def final static char local my our set and if when where public private"
	return line != "" && !among(declares, strings.ToLower(last)) &&
		strings.Trim(line, " 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
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
	rest := s[i:]
	return strings.HasPrefix(rest, " and ") || strings.HasPrefix(rest, " but ") ||
		strings.HasPrefix(rest, " should ") || strings.HasPrefix(rest, " #") || strings.HasPrefix(rest, "  ")
}

// settings reports whether the name at i stands among settings of the form name = value, and not in code.
func settings(s string, i int) bool {
	from := max(0, i-200)
	steps(min(len(s), i+200) - from)
	start := from + strings.LastIndexByte(s[from:i], '\n') + 1
	line := s[i:min(len(s), i+200)]
	if nl := strings.IndexByte(line, '\n'); nl >= 0 {
		line = line[:nl]
	}
	if strings.ContainsAny(line, ";({") && !strings.Contains(line, "'") || strings.ContainsAny(s[start:i], "$;(") {
		return false
	}
	above := strings.TrimRight(s[from:start], "\n")
	above = strings.TrimSpace(above[strings.LastIndexByte(above, '\n')+1:])
	first, _, _ := strings.Cut(above, " ")
	if above == "" || strings.HasSuffix(above, ":") && !strings.ContainsAny(above, "({[=") && !statement(first) {
		return true
	}
	key, _, ok := strings.Cut(above, "=")
	key = strings.TrimSpace(key)
	return above[0] == '[' || above[0] == '#' || ok && run(key, 0, word) == len(key) &&
		!strings.ContainsAny(above, ";({[")
}

// leads reports whether the name at i begins its line. White space, the dash of a list, export and the set command of a
// shell may stand before it.
func leads(s string, i int) bool {
	start := max(0, i-128)
	steps(i - start)
	start += lastLine(s[start:i])
	if strings.IndexByte(s[start:i], '\\') >= 0 {
		if at := strings.LastIndex(s[start:i], `\n`); at >= 0 {
			start += at + 2
		}
	}
	before := strings.TrimLeft(s[start:i], " \t")
	if strings.HasPrefix(before, "//") { // .npmrc: //registry/:_authToken=
		return true
	}
	before = strings.TrimRight(before, " ")
	// spring.datasource.password=
	if dot := strings.TrimRight(before, "."); len(dot) < len(before) && !strings.ContainsAny(dot, " \t(") {
		return true
	}
	switch before {
	case "", "-", "export", "set", "setx", "ENV", "env", "$", "- -":
		return true
	}
	return false
}

// statement reports whether w begins a statement that ends with a colon and opens a block.
func statement(w string) bool {
	switch w {
	case "class", "if", "else:", "elif", "for", "while", "with", "try:", "except", "def", "match", "case", "default:",
		"finally:", "async":
		return true
	}
	return false
}
