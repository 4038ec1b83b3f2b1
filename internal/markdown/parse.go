package markdown

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Parse reads a file with front matter: lines of "key: value" between two lines of three hyphens. The value of a key
// may go on in lines that are indented or begin with a hyphen. Parse does not read the values; see Get, List and Maps.
// Bytes of the result returns data unchanged. Error: *FrontError.
func Parse(data []byte) (*Doc, error) {
	s := string(data)
	first, rest, ok := strings.Cut(strings.TrimPrefix(s, "\ufeff"), "\n")
	if !ok || strings.TrimSuffix(first, "\r") != "---" {
		return nil, &FrontError{1, `it does not begin with a line "---": a record has two lines "---" at the top, ` +
			`with nothing between them if need be`}
	}
	if !utf8.Valid(data) || strings.Contains(s, "\x00") {
		return nil, &FrontError{lineOf(s), "it is not valid UTF-8, or holds a NUL"}
	}
	d := &Doc{start: s[:len(s)-len(rest)]}
	n, from := 1, 0 // the number of the line; where the last key begins
	to, last := len(d.start), -1
	seen := map[string]bool{}
	for raw := range strings.Lines(rest) {
		n++
		at, line := to, withoutEnd(raw)
		to += len(raw)
		if line == "---" {
			d.end, d.Body = raw, s[to:]
			return d, nil
		}
		if i := strings.IndexFunc(line, func(r rune) bool { return !plainRune(r) }); i >= 0 {
			r, _ := utf8.DecodeRuneInString(line[i:])
			return nil, &FrontError{n, "it holds the character " + strconv.QuoteRune(r)}
		}
		key, value, ok := strings.Cut(line, ":")
		switch {
		case isNothing(line):
			d.items = append(d.items, item{raw: raw, line: n})
		case line[0] == ' ' || line == "-" || strings.HasPrefix(line, "- "): // of the key above
			if last < 0 {
				return nil, &FrontError{n, "an indented line, or a list, without a key before it"}
			}
			d.items = d.items[:last+1]
			d.items[last].raw = s[from:to]
		case !ok || !isKey(key) || value != "" && value[0] != ' ':
			return nil, &FrontError{n, `"key: value" is expected, with a key of letters, digits, "-" and "_"`}
		case seen[key]:
			return nil, &FrontError{n, strconv.Quote(key) + " stands there twice"}
		default:
			seen[key], from, last = true, at, len(d.items)
			d.items = append(d.items, item{key, raw, n})
		}
	}
	return nil, &FrontError{n + 1, `the closing line "---" is missing`}
}

// lineOf returns the number of the first line that is not valid UTF-8 or holds a NUL.
func lineOf(s string) int {
	lines := strings.Split(s, "\n")
	return 1 + slices.IndexFunc(lines, func(line string) bool {
		return !utf8.ValidString(line) || strings.Contains(line, "\x00")
	})
}

// withoutEnd returns a line without its line end.
func withoutEnd(raw string) string { return strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\r") }

// isNothing reports whether a line, or the rest of one, is blank or a comment.
func isNothing(s string) bool {
	s = strings.TrimLeft(s, " ")
	return s == "" || s[0] == '#'
}

// isKey reports whether s may be a key.
func isKey(s string) bool {
	return s != "" && len(s) <= maxKey && strings.Trim(s, letters+digits+"_-") == "" &&
		strings.IndexByte(digits+"-", s[0]) < 0
}

// inline is what stands on the line of a key: one value, or a list of values.
type inline struct {
	values   []string // one, unless isList
	isList   bool
	from, to int // where it begins and ends in the lines of the key
}

// inline reads the value on the line of a key. ok is false when the value goes on below, or memento does not read it.
func (it *item) inline() (v inline, ok bool) {
	line := withoutEnd(it.raw)
	if it.key == "" || strings.Contains(line, "\n") {
		return v, false
	}
	s := strings.TrimLeft(line[len(it.key)+1:], " ")
	v.from = len(line) - len(s)
	left, value := s, ""
	switch {
	case s == "":
		v.from = len(it.key) + 1 // a value set later comes before the spaces at the end of the line
		v.to, v.values = v.from, []string{""}
		return v, true
	case s[0] == '#':
		v.to, v.values = v.from, []string{""}
		return v, true
	case s[0] == '[':
		v.isList = true
		left, ok = elements(s, ']', func(s string) (left string, ok bool) {
			value, left, ok = scalar(s, inside)
			v.values = append(v.values, value)
			return left, ok
		})
	default:
		value, left, ok = scalar(s, "")
		v.values = []string{value}
	}
	v.to = len(line) - len(left)
	return v, ok && isEnd(left)
}

// isEnd reports whether nothing but a comment follows a value.
func isEnd(s string) bool { return s == "" || s[0] == ' ' && isNothing(s) }

// parts splits the lines of a key at the hyphens of its list: head is the line of the key, with the comments below it,
// and indent the number of spaces before the hyphens.
func (it *item) parts() (head string, parts []string, indent int) {
	var starts []int
	at := 0
	for raw := range strings.Lines(it.raw) {
		s := strings.TrimLeft(raw, " ")
		isItem := at > 0 && (strings.HasPrefix(s, "- ") || withoutEnd(s) == "-")
		if isItem && (starts == nil || len(raw)-len(s) == indent) {
			starts, indent = append(starts, at), len(raw)-len(s)
		}
		at += len(raw)
	}
	for i, start := range starts {
		end := len(it.raw)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		parts = append(parts, it.raw[start:end])
	}
	return strings.TrimSuffix(it.raw, strings.Join(parts, "")), parts, indent
}

// listed returns the lines of each item of a list below a key, without hyphens, indentation, comments and blank lines.
// ok is false when the key has a value of another form.
func (it *item) listed() (items [][]string, ok bool) {
	head, parts, _ := it.parts()
	for line := range strings.Lines(strings.TrimPrefix(head, it.key+":")) {
		if !isNothing(withoutEnd(line)) {
			return nil, false
		}
	}
	for _, part := range parts {
		lines, indent := []string{}, 0
		for raw := range strings.Lines(strings.Replace(part, "-", " ", 1)) {
			line := withoutEnd(raw)
			if isNothing(line) {
				continue
			}
			s := strings.TrimLeft(line, " ")
			if lines = append(lines, s); len(lines) == 1 {
				indent = len(line) - len(s)
			} else if len(line)-len(s) != indent { // the value of a key above, to YAML
				return nil, false
			}
		}
		items = append(items, lines)
	}
	return items, true
}

// inside are the characters that end a value within a list or a map on one line.
const inside = ",[]{}"

// elements reads the elements of the list or map at the beginning of s, up to the bracket end, and returns what
// follows. read takes one element and returns what follows it.
func elements(s string, end byte, read func(s string) (left string, ok bool)) (left string, ok bool) {
	s = strings.TrimLeft(s[1:], " ")
	if end == ']' && strings.HasPrefix(s, "]") {
		return s[1:], true
	}
	for {
		if s, ok = read(s); !ok {
			return s, false
		}
		s = strings.TrimLeft(s, " ")
		switch {
		case strings.HasPrefix(s, ","):
			s = strings.TrimLeft(s[1:], " ")
		case s != "" && s[0] == end:
			return s[1:], true
		default:
			return s, false
		}
	}
}

// mapOf reads the lines of a map: one of {a: b, c: d}, or lines of "a: b".
func mapOf(lines []string) (map[string]string, bool) {
	m := map[string]string{}
	pair := func(s, ends string) (left string, ok bool) {
		key, value, ok := strings.Cut(s, ":")
		_, isTwice := m[key]
		if !ok || !isKey(key) || isTwice || value != "" && value[0] != ' ' {
			return "", false
		}
		value = strings.TrimLeft(value, " ")
		if ends == "" && isNothing(value) {
			m[key] = ""
			return "", true
		}
		m[key], left, ok = scalar(value, ends)
		return left, ok
	}
	if len(lines) == 1 && lines[0][0] == '{' {
		left, ok := elements(lines[0], '}', func(s string) (string, bool) { return pair(s, inside) })
		return m, ok && isEnd(left)
	}
	for _, line := range lines {
		if left, ok := pair(line, ""); !ok || !isEnd(left) {
			return nil, false
		}
	}
	return m, len(m) > 0
}

// scalar reads the value at the beginning of s and returns what follows. Within a list or map on one line, ends are the
// characters that end the value. ok is false for what not every YAML reader takes for the same text.
func scalar(s, ends string) (value, left string, ok bool) {
	switch {
	case s == "":
		return "", "", false
	case s[0] == '"': // Go's escapes are YAML's, but for those of bytes
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil || escapesByte(quoted) {
			return "", "", false
		}
		value, err = strconv.Unquote(quoted)
		return value, s[len(quoted):], err == nil && utf8.ValidString(value) && !strings.Contains(value, "\x00")
	case s[0] == '\'':
		for i := 1; i < len(s); i++ {
			switch {
			case s[i] != '\'':
			case strings.HasPrefix(s[i+1:], "'"):
				i++
			default:
				return strings.ReplaceAll(s[1:i], "''", "'"), s[i+1:], true
			}
		}
		return "", "", false
	}
	return plain(s, ends)
}

// escapesByte reports whether a quoted text has an escape of Go's that means another text to YAML: \101, \xc3.
func escapesByte(quoted string) bool {
	for i := 0; i < len(quoted); i++ {
		if quoted[i] == '\\' {
			i++ // QuotedPrefix has seen that something follows
			if c := quoted[i]; c == 'x' && quoted[i+1] >= '8' || '0' <= c && c <= '7' {
				return true
			}
		}
	}
	return false
}

// plain is scalar for a value without quotes.
func plain(s, ends string) (value, left string, ok bool) {
	end := len(s)
	for i := range len(s) {
		c, next := s[i], s[i+1:]
		if strings.IndexByte(ends, c) >= 0 || c == '#' && (i == 0 || s[i-1] == ' ') && ends == "" {
			end = i
			break
		}
		isMap := c == ':' && (next == "" || next[0] == ' ' || strings.IndexByte(ends, next[0]) >= 0)
		if isMap || ends != "" && (c == '?' || c == '#' && s[i-1] == ' ') {
			return "", "", false
		}
	}
	v := strings.TrimRight(s[:end], " ")
	isSpecial := v == "" || strings.IndexByte("&*!|>%@`{}[],?:#", v[0]) >= 0 || strings.HasPrefix(v, "- ") ||
		slices.Contains([]string{"-", "---", "...", "=", "<<"}, v)
	return v, s[len(v):], !isSpecial
}
