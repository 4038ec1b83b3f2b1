package markdown

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Parse reads a file with front matter: lines of "key: value" between two lines of three hyphens. A value is plain or
// quoted, a list on one line ([a, b]) or in lines of "- a", and for the key changes a list of maps. Everything else in
// YAML is a *FrontError. Bytes of the result returns data unchanged.
func Parse(data []byte) (*Doc, error) {
	s := string(data)
	head := strings.TrimPrefix(s, "\ufeff")
	first, rest, ok := strings.Cut(head, "\n")
	if !ok || strings.TrimSuffix(first, "\r") != "---" {
		return nil, &FrontError{1, `it does not begin with a line "---": a record has two lines "---" at the top, ` +
			`with nothing between them if need be`}
	}
	if line := lineOf(s, func(line string) bool { return !utf8.ValidString(line) }); line > 0 {
		return nil, &FrontError{line, "it is not valid UTF-8"}
	}
	if line := lineOf(s, func(line string) bool { return strings.Contains(line, "\x00") }); line > 0 {
		return nil, &FrontError{line, "it holds a NUL"}
	}
	d := &Doc{start: s[:len(s)-len(rest)]}
	var lines []string
	for n := 2; ; n++ {
		line := rest
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			line = rest[:i+1]
		}
		if line == "" {
			return nil, &FrontError{n, `the closing line "---" is missing`}
		}
		rest = rest[len(line):]
		if strings.TrimRight(line, "\r\n") == "---" && strings.Trim(line[3:], "\n") != "\r\r" {
			d.end = line
			break
		}
		lines = append(lines, line)
	}
	d.Body = rest
	if d.end == "---\r" { // a carriage return alone does not end a line
		return nil, &FrontError{len(lines) + 2, "a carriage return without a line feed"}
	}
	p := parser{lines: lines, first: 2}
	seen := map[string]bool{}
	for p.at < len(p.lines) {
		it, err := p.item()
		if err != nil {
			return nil, err
		}
		if it.key != "" && seen[it.key] {
			return nil, &FrontError{it.line, fmt.Sprintf("%q stands there twice", it.key)}
		}
		seen[it.key] = true
		d.items = append(d.items, it)
	}
	return d, nil
}

// lineOf returns the number of the first line for which is reports true, 0 without one.
func lineOf(s string, is func(line string) bool) int {
	n := 0
	for line := range strings.SplitSeq(s, "\n") {
		if n++; is(line) {
			return n
		}
	}
	return 0
}

type parser struct {
	lines []string // with their line ends
	at    int      // the current line
	first int      // the number of the first line in the file
}

func (p *parser) fail(why string) error { return &FrontError{p.first + p.at, why} }

// text returns the current line without its line end.
func (p *parser) text() (string, error) {
	line := strings.TrimSuffix(strings.TrimSuffix(p.lines[p.at], "\n"), "\r")
	for _, r := range line {
		switch {
		case r == '\t':
			return "", p.fail("it holds a tab: write spaces")
		case !plainRune(r):
			return "", p.fail(fmt.Sprintf("it holds the character %U", r))
		}
	}
	return line, nil
}

// item reads the next key with its value, or a line without a key.
func (p *parser) item() (item, error) {
	line, err := p.text()
	if err != nil {
		return item{}, err
	}
	it := item{line: p.first + p.at, raw: p.lines[p.at]}
	if nothing(line) {
		p.at++
		return it, nil
	}
	switch line[0] {
	case ' ':
		return item{}, p.fail("an indented line: a value on several lines, or a map, is not understood")
	case '-':
		return item{}, p.fail("a list without a key before it")
	case '%', '&', '*', '!', '?', '"', '\'', '{', '[', '<', '.':
		return item{}, p.fail(fmt.Sprintf("a line that begins with %q is not understood", line[0]))
	}
	key, rest, ok := strings.Cut(line, ":")
	switch {
	case !ok:
		return item{}, p.fail(`"key: value" is expected`)
	case !word(key):
		const why = "a key of other characters than letters, digits, hyphens and underscores, or of over %d"
		return item{}, p.fail(fmt.Sprintf(why, maxKey))
	case rest != "" && rest[0] != ' ':
		return item{}, p.fail("a space is missing behind the colon")
	}
	it.key, it.shape = key, scalar
	value := strings.TrimLeft(rest, " ")
	it.from = len(line) - len(value)
	switch {
	case nothing(value):
		it.to = it.from
		if value == "" { // a value set later comes before the spaces at the end of the line
			it.from = len(key) + 1
			it.to = it.from
		}
		p.at++
		return it, p.list(&it)
	case value[0] == '[':
		list, left, err := p.flow(value)
		if err != nil {
			return item{}, err
		}
		it.shape, it.list, it.to = flow, list, len(line)-len(left)
	default:
		v, left, err := p.scalar(value, "")
		if err != nil {
			return item{}, err
		}
		it.value, it.to = v, len(line)-len(left)
	}
	p.at++
	return it, nil
}

// nothing reports whether a line, or the rest of one, is blank or a comment.
func nothing(s string) bool {
	s = strings.TrimLeft(s, " ")
	return s == "" || s[0] == '#'
}

// word reports whether s may be a key.
func word(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || i > 0 && (c >= '0' && c <= '9' || c == '-')) {
			return false
		}
	}
	return s != "" && len(s) <= maxKey
}

// list reads the lines of "- …" below a key without a value. There may be none.
func (p *parser) list(it *item) error {
	var pending string // comments and blank lines; they belong to the list only if another of its items follows
	start, pieces := p.at, []string{it.raw}
	kept := p.at
	for p.at < len(p.lines) {
		line, err := p.text()
		if err != nil {
			return err
		}
		if nothing(line) {
			pending += p.lines[p.at]
			p.at++
			continue
		}
		bare := strings.TrimLeft(line, " ")
		if bare != "-" && !strings.HasPrefix(bare, "- ") {
			break
		}
		indent := len(line) - len(bare)
		if len(pieces) == 1 {
			it.indent = indent
		} else if indent != it.indent {
			return p.fail("the list's lines begin at different columns")
		}
		pieces[len(pieces)-1] += pending
		pending = ""
		raw, err := p.listed(it, line, bare)
		if err != nil {
			return err
		}
		pieces = append(pieces, raw)
		kept = p.at
	}
	p.at = kept
	if kept == start {
		return nil
	}
	it.pieces, it.raw = pieces, strings.Join(pieces, "")
	return nil
}

// listed reads one item of a block list: a scalar, or for the key changes a map on one or several lines.
func (p *parser) listed(it *item, line, bare string) (string, error) {
	raw := p.lines[p.at]
	value := strings.TrimLeft(bare[1:], " ")
	if it.key != "changes" {
		it.shape = block
		v, _, err := p.scalar(value, "")
		if err != nil {
			return "", err
		}
		it.list = append(it.list, v)
		p.at++
		return raw, nil
	}
	it.shape = entries
	if strings.HasPrefix(value, "{") {
		m, err := p.flowMap(value)
		if err != nil {
			return "", err
		}
		it.entry = append(it.entry, m)
		p.at++
		return raw, nil
	}
	column := len(line) - len(value)
	m := map[string]string{}
	if _, err := p.pair(m, value, ""); err != nil {
		return "", err
	}
	p.at++
	var pending string
	back := p.at
	for p.at < len(p.lines) {
		line, err := p.text()
		if err != nil {
			return "", err
		}
		if nothing(line) {
			pending += p.lines[p.at]
			p.at++
			continue
		}
		value := strings.TrimLeft(line, " ")
		if len(line)-len(value) <= it.indent {
			break
		}
		if len(line)-len(value) != column {
			return "", p.fail("the keys of a change begin at different columns")
		}
		if _, err := p.pair(m, value, ""); err != nil {
			return "", err
		}
		raw += pending + p.lines[p.at]
		pending = ""
		p.at++
		back = p.at
	}
	p.at = back
	it.entry = append(it.entry, m)
	return raw, nil
}

// pair reads "key: value" into m and returns the text behind the value. ends is as for scalar.
func (p *parser) pair(m map[string]string, s, ends string) (left string, err error) {
	key, value, ok := strings.Cut(s, ":")
	if !ok || !word(key) || value != "" && value[0] != ' ' {
		return "", p.fail(`"key: value" is expected in a change`)
	}
	if _, twice := m[key]; twice {
		return "", p.fail(fmt.Sprintf("%q stands there twice", key))
	}
	m[key], left, err = p.scalar(strings.TrimLeft(value, " "), ends)
	return left, err
}

// flow reads [a, b] and returns the text behind it.
func (p *parser) flow(s string) (list []string, left string, err error) {
	s = strings.TrimLeft(s[1:], " ")
	for first := true; ; first = false {
		if first && strings.HasPrefix(s, "]") {
			return list, s[1:], p.tail(s[1:])
		}
		var v string
		if v, s, err = p.scalar(s, ",[]{}"); err != nil {
			return nil, "", err
		}
		list = append(list, v)
		s = strings.TrimLeft(s, " ")
		switch {
		case strings.HasPrefix(s, ","):
			s = strings.TrimLeft(s[1:], " ")
		case strings.HasPrefix(s, "]"):
			return list, s[1:], p.tail(s[1:])
		default:
			return nil, "", p.fail(`the list has no closing "]" on its line`)
		}
	}
}

// flowMap reads {a: b, c: d}.
func (p *parser) flowMap(s string) (map[string]string, error) {
	m := map[string]string{}
	s = strings.TrimLeft(s[1:], " ")
	for {
		left, err := p.pair(m, s, ",[]{}")
		if err != nil {
			return nil, err
		}
		left = strings.TrimLeft(left, " ")
		switch {
		case strings.HasPrefix(left, ","):
			s = strings.TrimLeft(left[1:], " ")
		case strings.HasPrefix(left, "}"):
			return m, p.tail(left[1:])
		default:
			return nil, p.fail(`the change has no closing "}" on its line`)
		}
	}
}

// tail returns an error when anything but a comment follows a value.
func (p *parser) tail(s string) error {
	if s == "" || s[0] == ' ' && nothing(s) {
		return nil
	}
	return p.fail("there is more behind the value")
}

// scalar reads the value at the beginning of s and returns the text behind it. Within a list or map on one line, ends
// holds the characters that end the value.
func (p *parser) scalar(s, ends string) (value, left string, err error) {
	switch {
	case ends == "" && nothing(s):
		return "", s, nil
	case s == "":
		return "", "", p.fail("the value has no end on its line")
	case s[0] == '"':
		value, left, err = p.double(s)
	case s[0] == '\'':
		value, left, err = p.single(s)
	default:
		return p.plain(s, ends)
	}
	if err == nil && ends == "" {
		err = p.tail(left)
	}
	if err == nil && ends != "" && strings.HasPrefix(strings.TrimLeft(left, " "), "#") {
		err = p.fail("a comment within a list")
	}
	return value, left, err
}

// plain reads a value without quotes.
func (p *parser) plain(s, ends string) (value, left string, err error) {
	end := len(s)
	for i := 0; i < len(s); i++ {
		if ends != "" && strings.IndexByte(ends, s[i]) >= 0 {
			end = i
			break
		}
		if s[i] == '#' && (i == 0 || s[i-1] == ' ') {
			if ends != "" {
				return "", "", p.fail("a comment within a list")
			}
			end = i
			break
		}
		if s[i] == '?' && ends != "" { // some YAML readers take it for the mark of a key
			return "", "", p.fail(`a "?" within a list: write the value in quotes`)
		}
		if s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ' || ends != "" && strings.IndexByte(ends, s[i+1]) >= 0) {
			return "", "", p.fail(`a map in a value's place: write a value with ":" in it in quotes`)
		}
	}
	v := strings.TrimRight(s[:end], " ")
	if v == "" {
		return "", "", p.fail("an empty value in a list: write \"\"")
	}
	switch {
	case strings.IndexByte("&*!|>%@`{}[],?:#", v[0]) >= 0, v == "-", strings.HasPrefix(v, "- "):
		return "", "", p.fail(fmt.Sprintf("a value that begins with %q is not understood: write it in quotes", v[0]))
	case v == "---" || v == "..." || v[0] == '=' && len(v) == 1 || v == "<<":
		return "", "", p.fail("this value has a meaning of its own in YAML: write it in quotes")
	}
	return v, s[len(v):], nil
}

// single reads a value in single quotes.
func (p *parser) single(s string) (value, left string, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			b.WriteByte('\'')
			i++
			continue
		}
		return b.String(), s[i+1:], nil
	}
	return "", "", p.fail("the quote is not closed on its line")
}

// escapes holds the characters that may follow a backslash in double quotes, and escaped their meanings. Besides them
// \x, \u and \U take a number.
const escapes, escaped = `"\ntrbf`, "\"\\\n\t\r\b\f"

// double reads a value in double quotes.
func (p *parser) double(s string) (value, left string, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], nil
		case s[i] != '\\':
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			break
		}
		if e := strings.IndexByte(escapes, s[i]); e >= 0 {
			b.WriteByte(escaped[e])
			continue
		}
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i]]
		if digits == 0 || i+digits >= len(s) {
			return "", "", p.fail(fmt.Sprintf(`\%c in quotes is not understood`, s[i]))
		}
		n, err := strconv.ParseUint(s[i+1:i+1+digits], 16, 32)
		if err != nil || n == 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
			return "", "", p.fail(`a number in quotes that is no character`)
		}
		b.WriteRune(rune(n))
		i += digits
	}
	return "", "", p.fail("the quote is not closed on its line")
}
