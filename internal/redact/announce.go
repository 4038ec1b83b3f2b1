package redact

import (
	"strings"
	"unicode/utf8"
)

// reach is how far behind a name its secret may stand.
const reach = 96

// announced is a name in a text, and where the text continues behind the name.
type announced struct {
	s string
	named
	i, end int  // the name
	p      int  // behind the quotation mark or bracket that closes the name
	gap    int  // behind the white space there
	quoted bool // the name is a string
}

// readAnnounced looks for the secret that the name s[i:end] announces.
func (m *matcher) readAnnounced(i, end int, n named) (span, bool) {
	s := m.s
	switch {
	case i > 1 && s[i-1] == ':' && class[s[i-2]]&alnum != 0 && byteAt(s, end) == ':': // arn:…:secret:… is no name
		return span{}, false
	case n.rank == header:
		return authorized(s, i, end, n)
	case n.rank == pair:
		return login(s, i, end, n)
	case n.rank == several:
		return list(s, end, n)
	}
	a := &m.announced // reused for each name, so that nothing is allocated
	*a = announced{s: s, named: n, i: i, end: end, p: end}
	switch { // the end of a quoted key, an index
	case strings.HasPrefix(s[end:], `\"`):
		a.p, a.quoted = end+2, true
	case end < len(s) && strings.IndexByte("\"'`", s[end]) >= 0 && !strings.HasPrefix(s[end:], "'s "):
		a.p, a.quoted = end+1, true
	}
	for a.p < len(s) && (s[a.p] == ']' || a.p > end && strings.IndexByte("\"')", s[a.p]) >= 0) {
		a.quoted = a.quoted || s[a.p] == '"' || s[a.p] == '\''
		a.p++
	}
	for _, property := range [...]string{".text =", ".value ="} {
		if !a.quoted && strings.HasPrefix(s[a.p:], property) {
			a.p += len(property) - 2
		}
	}
	a.gap = run(s, a.p, space)
	if f, ok := a.direct(); ok && f.end > f.start {
		return f, true
	}
	return m.readNear(a)
}

// direct looks for the secret in the places that directly follow a name.
func (a *announced) direct() (span, bool) {
	switch c := byteAt(a.s, a.gap); {
	case c == '=', c == ':', strings.HasPrefix(a.s[a.gap:], "<- "):
		return a.assigned(a.gap)
	case c == '>', c == '<':
		if f, ok := a.element(); ok {
			return f, true
		}
	}
	if f, ok := a.sibling(); ok {
		return f, true
	}
	if f, ok, over := a.option(); ok || over {
		return f, ok
	}
	return a.said()
}

// readNear looks for a word that follows the name in its line and whose look alone makes it the secret. So it finds
// secrets in places that no rule describes. A string may look less random than a word.
func (m *matcher) readNear(a *announced) (span, bool) {
	const separators = " \t\r\"'`:(,<>[]{}|;*\\"
	if a.short || a.rank == anyKey {
		return span{}, false
	}
	s, limit, seen := a.s, min(len(a.s), a.p+reach), true
	for at := max(a.p, m.dull); at < limit; {
		if s[at] == '\n' && s[at-1] != ':' && s[at-1] != '\n' { // a colon leads to the next line
			break
		}
		end, of := at, uint8(0)
		for end < len(s) && end < at+maxBare && s[end] > ' ' && (class[s[end]]&word != 0 ||
			s[end] != '=' && strings.IndexByte(separators, s[end]) < 0) {
			of |= class[s[end]]
			end++
		}
		if byteAt(s, end) == '=' && class[byteAt(s, end+1)]&word != 0 { // a name
			at = end + 1
			continue
		}
		if of&digit != 0 && of&(lower|upper) != 0 && end-at >= 6 {
			seen = false
			if f, ok := a.stringAt(at); ok {
				return f, true
			}
			v := strings.TrimRight(s[at:end], ".!?")
			if measure(v).digits > 2 && !strings.ContainsAny(v, "#@/.") && sure(v, a.named) && unidentified(v) &&
				a.accepts(v, tight, true) && !inAddress(s, at) && !public(s, at, v) {
				return span{at, at + len(v), a.kind}, true
			}
		}
		if at = max(end, at+1); seen {
			m.dull = at
		}
	}
	return span{}, false
}

// stringAt returns the string at at when it stands behind a comma, a bracket or an operator: getenv("PASSWORD", "X").
func (a *announced) stringAt(at int) (span, bool) {
	s, k := a.s, a.i
	if quote := s[at-1]; quote != '"' && quote != '\'' || at-1 < a.p || at-a.p > 24 {
		return span{}, false
	}
	for k > 0 && a.i-k < 80 && (class[s[k-1]]&word != 0 || strings.IndexByte(".:#", s[k-1]) >= 0) {
		k--
	}
	if a.quoted && (k == 0 || strings.IndexByte("\"'[`", s[k-1]) < 0) { // the name ends a string of words
		return span{}, false
	}
	before := strings.TrimRight(s[a.p:at-1], " bN")
	if before != "" && strings.IndexByte("(,|?:=@", before[len(before)-1]) < 0 {
		return span{}, false
	}
	f, ok := read(s, at-1, a.named, tight)
	return f, ok && (a.rank == token || likely(s[f.start:f.end]))
}

// unidentified reports whether v is no UUID, and no identifier such as TestLogin2FA.
func unidentified(v string) bool {
	f, parts := measure(v), 0
	for i := range len(v) {
		if c := class[v[i]]; c&(upper|lower) != 0 && (i == 0 || class[v[i-1]]&(upper|lower) == 0 || c&upper != 0 &&
			class[v[i-1]]&lower != 0) {
			parts++
		}
	}
	return strings.Count(v, "-") < 4 && f.letters() < 3*parts+2 || strings.ContainsAny(v, "!$%^&*~+")
}

// assigned looks for the value behind the sign at p: = : := => == or <-.
func (a *announced) assigned(p int) (span, bool) {
	s, colon, spaced := a.s, a.s[p] == ':' && byteAt(a.s, p+1) != '=', p > a.p
	if strings.HasPrefix(s[p:], "::") || strings.HasPrefix(s[p:], "://") ||
		colon && a.short && s[a.i:a.end] == "PASS" { // of a test
		return span{}, false
	}
	// also ${PASSWORD:-X}
	for p++; p < len(s) && strings.IndexByte("=>-", s[p]) >= 0 && (s[p] != '-' || s[p-1] != '='); {
		p++
	}
	if strings.HasPrefix(s[p:], "** ") {
		return a.spoken(run(s, p+2, space), true)
	}
	where := a.place(p, colon, spaced)
	q := run(s, p, space)
	// b"X", N'X'
	if quote := byteAt(s, q+1); (quote == '"' || quote == '\'') && strings.IndexByte("N@brfu", s[q]) >= 0 {
		q++
	}
	if last := runIn(s, q, min(len(s), q+maxBare), lower|space); last > q && // words without quotation marks
		strings.HasSuffix(strings.ToLower(s[a.i:a.end]), "phrase") && passphrase(s[q:last], 4) {
		return span{q, q + len(strings.TrimRight(s[q:last], " ")), a.kind}, true
	}
	if f, ok := read(s, q, a.named, where); ok {
		v := s[f.start:f.end]
		alone := f.start == q && (where == told || where == line && (colon || q > p)) && plain(v)
		return f, !alone || a.rank == token || joined(v) || !remark(v) && clause(s, f.end)
	}
	if colon && byteAt(s, q) == '\n' { // in the next line
		for q < len(s) && q-p < 32 && strings.IndexByte(" \t\r\n>`", s[q]) >= 0 {
			q++
		}
		f, ok := read(s, q, a.named, told)
		v := s[f.start:min(f.end, len(s))]
		return f, ok && (likely(v) || lookOf(v) == drawn) && clause(s, f.end)
	}
	return span{}, false
}

// place returns the place of the value behind the sign that ends at p.
func (a *announced) place(p int, colon, spaced bool) place {
	s := a.s
	blank := class[byteAt(s, p)]&space != 0
	named := a.rank == password && a.bare
	switch {
	case leads(s, a.i) && !spaced:
		return line
	case colon && named && blank:
		return told
	case spaced || blank:
		return code
	}
	return tight
}

// element looks for the text of an XML element: <password>X</password>, <key>password</key><string>X</string>.
func (a *announced) element() (span, bool) {
	s, p := a.s, a.p
	if !a.quoted && strings.HasPrefix(s[p:], "</key>") {
		p += len("</key>") - 1
	} else if byteAt(s, p) != '>' || a.i == 0 || s[a.i-1] != '<' && s[a.i-1] != ':' && s[a.i-1] != '.' && !a.quoted {
		return span{}, false
	}
	for p++; p < len(s) && strings.IndexByte(" \t\r\n", s[p]) >= 0; {
		p++
	}
	for _, inner := range [...]string{"<string>", "<value>", "<![CDATA["} {
		if strings.HasPrefix(s[p:], inner) {
			p += len(inner)
		}
	}
	last := p
	for last < len(s) && last-p < maxValue && s[last] != '<' && s[last] != '\n' {
		last++
	}
	last -= len(s[p:last]) - len(strings.TrimSuffix(s[p:last], "]]>"))
	if last >= len(s) || s[last] != '<' && s[last] != ']' {
		return span{}, false
	}
	return expected(s, p, last, a.named)
}

// sibling looks for the value that another key holds: name: DB_PASSWORD with value: X, two attributes of an element,
// a Terraform default, type('X') in a test of a page.
func (a *announced) sibling() (span, bool) {
	s := a.s
	tag := a.i > 0 && s[a.i-1] == '<'
	if a.p >= len(s) || !a.quoted && !tag && !a.keyed() {
		return span{}, false
	}
	for q := a.p; q < len(s) && q-a.p < reach; q++ {
		switch ch := s[q]; {
		case ch == ';', ch == '}', ch == '\n' && byteAt(s, q+1) == '\n', ch == '<' && byteAt(s, q+1) == '/':
			return span{}, false
		case class[ch]&alnum == 0 || class[s[q-1]]&word != 0:
			continue
		}
		e := run(s, q, word)
		steps(e - q)
		p, call := e, byteAt(s, e) == '('
		if quote := byteAt(s, p); quote == '"' || quote == '\'' {
			p++
		}
		p = run(s, p, space)
		if p >= len(s) || strings.IndexByte("=:(>", s[p]) < 0 || call != (strings.IndexByte("fst", s[q]) >= 0) ||
			!among("parametervalue value default body val literal content send_keys fill type setvalue",
				strings.ToLower(s[q:e])) {
			q = e - 1
			continue
		}
		if s[p] == '>' {
			return read(s, p+1, a.named, tight)
		}
		return read(s, run(s, p+1, space), a.named, line)
	}
	return span{}, false
}

// keyed reports whether the name is itself the value of a key such as name.
func (a *announced) keyed() bool {
	k := a.i
	for k > 0 && a.i-k < 48 && (class[a.s[k-1]]&word != 0 || a.s[k-1] == '/' || a.s[k-1] == '.') {
		k--
	}
	for k > 3 && a.i-k < 48 && strings.IndexByte(" \t\"':=", a.s[k-1]) >= 0 {
		k--
	}
	return k >= 3 && k < a.i && among("ame key", strings.ToLower(a.s[k-3:k]))
}

// option looks for the value behind --password, as a word or as the next string of a list, behind a name in
// quotation marks, and in commands that set a variable.
func (a *announced) option() (f span, ok, over bool) {
	s, i := a.s, a.i
	if i >= 1 && s[i-1] == '-' && (i == 1 || s[i-2] == '-' || class[s[i-2]]&space != 0) {
		q := item(s, a.end)
		if q == a.end {
			return span{}, false, byteAt(s, a.end) != '`'
		}
		f, ok = read(s, q, a.named, option)
		return f, ok && !(q > a.end+1 && plain(s[f.start:f.end])), true // --password   Forces a prompt
	}
	if a.gap == a.p || a.gap >= len(s) {
		return span{}, false, false
	}
	before := lineBefore(s, i)
	quote := s[a.gap] == '\'' || s[a.gap] == '"'
	by := a.kind == "password" && quote && (!a.bare || s[i]&0x20 == 0 || before == "" || a.end-i > 12)
	sets := a.rank <= secret && (before == "ENV " || before == "setx " || strings.HasPrefix(before, "machine ") ||
		strings.HasPrefix(before, "default login ") || strings.HasSuffix(before, "config set ") ||
		before == "" && (!a.bare || strings.HasPrefix(s[i:a.end], "require"))) ||
		strings.HasSuffix(before, " configure set ")
	q := a.gap
	if !a.short && class[s[q]]&digit != 0 && byteAt(s, q+1) == ' ' { // password 0 X
		q, sets = q+2, true
	}
	for _, w := range [...]string{"-String ", "BY "} {
		if strings.HasPrefix(s[q:], w) && strings.IndexByte("'\"", byteAt(s, q+len(w))) >= 0 {
			q, by = q+len(w), true
		}
	}
	if s[i:a.end] == "AUTH" && (before == "" || strings.HasSuffix(before, "> ")) { // of redis
		f, ok = read(s, q, named{kind: "password", rank: password}, option)
		return f, ok && likely(s[f.start:f.end]) && (f.end >= len(s) || s[f.end] < ' '), ok
	}
	if by || sets {
		f, ok = read(s, q, a.named, option)
		return f, ok && (by || f.end >= len(s) || s[f.end] < ' ' || strings.HasPrefix(before, "machine ") ||
			strings.IndexByte("\"';", s[f.end]) >= 0), ok
	}
	return span{}, false, false
}

// closing has the quotation marks that are not ASCII.
var closing = [...][2]string{{"“", "”"}, {"«", "»"}, {"‘", "’"}, {"「", "」"}, {"„", "“"}, {"『", "』"}}

// read returns the value at q when it is a secret. It returns none when an expression, a type or a placeholder stands
// there.
func read(s string, q int, n named, where place) (span, bool) {
	if q >= len(s) {
		return span{}, false
	}
	switch {
	case strings.HasPrefix(s[q:], `\"`):
		return readQuoted(s, q+2, `\"`, n, where)
	case s[q] == '"', s[q] == '\'', s[q] == '`':
		return readQuoted(s, q+1, s[q:q+1], n, where)
	case s[q] >= 0x80:
		for _, marks := range closing {
			if strings.HasPrefix(s[q:], marks[0]) {
				return readQuoted(s, q+len(marks[0]), marks[1], n, where)
			}
		}
		if where == told { // a word of another script
			return span{}, false
		}
	}
	most := maxBare
	if n.rank == password {
		most = maxPassword
	}
	end := bareEnd(s, q, most, where)
	v := s[q:end]
	steps(len(v))
	if len(v) < 12 && cutOff(s, end) || len(v) > most || !n.accepts(v, where, false) {
		return span{}, false
	}
	return span{q, end, n.kind}, true
}

// bareEnd returns the end of the value at q that no quotation marks enclose, or a place more than most bytes behind q.
func bareEnd(s string, q, most int, where place) int {
	end := q
scan:
	for end < len(s) && end-q <= most {
		c := s[end]
		switch {
		case class[c]&word != 0: // as nearly all are
		case c <= ' ' || c == 0x7f || c == '"' || c == '`', c == '\'' && where != line:
			break scan
		case c == '\\' && end+1 < len(s) && strings.IndexByte("nrt\"'\\", s[end+1]) >= 0:
			break scan
		case where != line && where != told && strings.IndexByte(",;)}]&|<>", c) >= 0:
			break scan
		case c >= 0x80:
			r, size := utf8.DecodeRuneInString(s[end:])
			if r == utf8.RuneError || strings.ContainsRune("…”’»，。、；）」』！？\u2028\u00a0\u3000", r) {
				break scan
			}
			end += size
			continue
		}
		end++
	}
	for end > q && strings.IndexByte(".,;:)", s[end-1]) >= 0 {
		end--
	}
	return end
}

// readQuoted is read for a value that begins at from, behind a quotation mark.
func readQuoted(s string, from int, quote string, n named, where place) (span, bool) {
	end, closed := from, false
	for limit := min(len(s), from+maxValue); end < limit && s[end] != '\n' && !closed; {
		switch {
		case s[end] == quote[0] && strings.HasPrefix(s[end:limit], quote):
			closed = true
			continue
		case s[end] == '\\' && len(quote) == 1 && end+1 < limit && s[end+1] != '\n':
			end++
		}
		end++
	}
	v := s[from:end]
	steps(len(v))
	switch {
	case !closed && (len(v) > 200 || strings.Contains(v, " ")),
		strings.HasPrefix(v, "+") && (strings.HasSuffix(v, "+") || !closed), // "password="+word+"…"
		strings.HasPrefix(v, "+ ") || strings.HasSuffix(v, " +"),
		!n.accepts(v, where, true):
		return span{}, false
	}
	return span{from, end, n.kind}, true
}

// expected returns s[from:last] when it is a secret. It is for places where a secret is expected.
func expected(s string, from, last int, n named) (span, bool) {
	v := s[from:last]
	return span{from, last, n.kind}, n.accepts(v, option, true) && (strings.Trim(v, digits) != "" || len(v) > 5)
}
