package redact

import (
	"strings"
	"unicode/utf8"
)

// reach is how far behind a name its secret may stand.
const reach = 96

// announced is a name in a text, and the text behind it.
type announced struct {
	s string
	named
	i, end int  // the name
	p      int  // behind the quotation mark or bracket that closes the name
	quoted bool // the name is a string
	ended  bool // the clause with the name is over
	label  bool // a colon follows the name, as in a form
	held   bool // the name is a string, an element or the value of a key such as name: another key may hold the secret
}

// readAnnounced looks for the secret that the name s[i:end] announces.
func readAnnounced(s string, i, end int, n named) (span, bool) {
	switch {
	case i > 1 && s[i-1] == ':' && class[s[i-2]]&alnum != 0 && byteAt(s, end) == ':': // arn:…:secret:… is no name
		return span{}, false
	case n.rank == header:
		return authorized(s, i, end, n)
	case n.rank == pair:
		return login(s, end, n)
	case n.rank == several:
		return list(s, end, n)
	}
	a := announced{s: s, named: n, i: i, end: end, p: end}
	a.close()
	return a.walk()
}

// close finds the end of the name, behind its quotation mark or index, and what the name is.
func (a *announced) close() {
	s := a.s
	switch {
	case strings.IndexByte("\"'`", byteAt(s, a.end)) >= 0 && a.end < len(s) && !strings.HasPrefix(s[a.end:], "'s "):
		a.p, a.quoted = a.end+1, true
	}
	for a.p < len(s) && (s[a.p] == ']' || a.p > a.end && strings.IndexByte("\"')", s[a.p]) >= 0) {
		a.quoted = a.quoted || s[a.p] == '"' || s[a.p] == '\''
		a.p++
	}
	a.held = a.quoted || a.tag() || a.keyed()
}

// tag reports whether the name is the name of an XML element.
func (a *announced) tag() bool {
	return a.i > 0 && a.s[a.i-1] == '<' || a.i > 1 && a.s[a.i-1] == ':' && class[a.s[a.i-2]]&alnum != 0
}

// keyed reports whether the name is itself the value of a key such as name.
func (a *announced) keyed() bool {
	k := a.i
	for k > 0 && a.i-k < 48 && (class[a.s[k-1]]&word != 0 || a.s[k-1] == '/' || a.s[k-1] == '.') {
		k--
	}
	for k > 3 && a.i-k < 48 && strings.IndexByte(" \t\"':=>", a.s[k-1]) >= 0 {
		k--
	}
	return k >= 3 && k < a.i && among("ame key", strings.ToLower(a.s[k-3:k]))
}

// walk goes from the name to its secret. The signs and words on the way say in which place the next value stands; the
// first value that looks random enough for its place is the secret.
func (a *announced) walk() (span, bool) {
	s, where, words, most := a.s, a.opening(), 0, 10
	for at := a.p; at < len(s) && at-a.p < reach && words < most; {
		if class[s[at]]&space != 0 {
			at++
			continue
		}
		if n, to := a.tie(at, words, where); n > 0 {
			at, where = at+n, to
			continue
		}
		if s[at] == '\n' || s[at] == '\r' {
			switch before := byteAt(s, at-1); {
			case where == below, where >= told && before == ':':
				where = below
			case !a.held || before == '\n':
				return span{}, false
			default:
				where = holding
			}
			at++
			continue
		}
		if f, ok := a.value(at, where); ok {
			return f, true
		}
		end := wordEnd(s, at)
		steps(end - at)
		if end == at {
			a.ended = a.ended || strings.IndexByte(".,;!?){[", s[at]) >= 0
			if at++; where != holding {
				where = near
			}
			continue
		}
		w := s[at:end]
		switch is, abroad := copula(w); {
		case a.holds(at, end) > 0:
			where, end = line, a.holds(at, end)
		case is && !a.ended && !a.quoted && (w != "on" || a.abroad):
			a.abroad = a.abroad || abroad
			where = told
		case words == 0 && aside(w):
			return span{}, false // the sentence goes on about another thing, or another name
		default:
			words++
			where = near
		}
		at = end
	}
	return span{}, false
}

// wordEnd returns the end of the word of a sentence that begins at i.
func wordEnd(s string, i int) int {
	end := i
	for end < len(s) && end-i <= 64 && (class[s[end]]&word != 0 || s[end] >= 0x80 ||
		strings.IndexByte("/'@[]%", s[end]) >= 0 && end > i || s[end] == '.' && byteAt(s, end+1) > ' ' && end > i) {
		end++
	}
	return end
}

// holds returns where the value begins that the word s[at:end], such as value or default, holds for the name. It
// returns 0 when the word holds none: name: DB_PASSWORD with value: X, two attributes of an element, fill("X").
func (a *announced) holds(at, end int) int {
	s, p := a.s, end
	if !a.held || class[s[at-1]]&word != 0 {
		return 0
	}
	if quote := byteAt(s, p); quote == '"' || quote == '\'' {
		p++
	}
	p = run(s, p, space)
	if p >= len(s) || strings.IndexByte("=:(>", s[p]) < 0 || p-at > 24 {
		return 0
	}
	keys := "value default body val literal content parametervalue"
	if s[p] == '(' {
		keys = "val fill type send_keys setvalue"
	}
	if !among(keys, strings.ToLower(s[at:end])) {
		return 0
	}
	return p + 1
}

// tie returns the length of the sign at at, which ties the next value to the name, and the place of that value. It
// returns 0 when no such sign stands there.
func (a *announced) tie(at, words int, where place) (int, place) {
	s, direct := a.s, words == 0 && where != holding
	switch c := s[at]; c {
	case '=', ':', '<', '-':
		e := at + 1
		for e < len(s) && e-at < 3 && strings.IndexByte("=:<>-", s[e]) >= 0 && (s[e] != '-' || s[e-1] != '=') {
			e++
		}
		switch sign := s[at:e]; {
		case sign == "<" || sign == "-":
			return 0, near
		case strings.HasPrefix(sign, "--"), sign[0] == ':' && s[a.i:a.end] == "PASS": // of a test: "PASS: TestCart"
			return 0, near
		case sign == ":" && direct && strings.HasPrefix(s[e:], "** "): // **password:** X
			return len(":** "), told
		case direct && at == run(s, a.p, space):
			return e - at, a.place(e, sign[0] == ':' && sign != ":=", at > a.p)
		case sign == ":" && !a.ended && byteAt(s, e) <= ' ' && s[at-1] > ' ':
			return 1, told
		case sign != ":" && class[byteAt(s, e)]&space != 0 && class[s[at-1]]&space != 0: // password: str = "X"
			return e - at, code
		}
	case '>':
		if direct && at == a.p && (a.tag() || a.quoted || s[a.i-1] == '.') {
			return 1, element
		}
	case '\'':
		if at == a.p && strings.HasPrefix(s[at:], "'s ") { // the password's X
			return len("'s "), listed
		}
	case '(', '|', '?':
		e := run(s, at+1, space)
		for _, quote := range [...]string{`"`, "'", `b"`, "N'"} {
			if strings.HasPrefix(s[min(e, len(s)):], quote) && direct && !a.short {
				return e - at, listed
			}
		}
	default:
		if c < 0x80 || a.ended && c != 0xef {
			break
		}
		for _, is := range [...]string{"是", "为", "為", "は", "는", "은", "이", "เป็น", "คือ", "—", "–", "→", "："} {
			if strings.HasPrefix(s[at:], is) {
				return len(is), told
			}
		}
	}
	return 0, near
}

// place returns the place of the value behind a sign that directly follows the name and ends at p.
func (a *announced) place(p int, colon, spaced bool) place {
	blank := class[byteAt(a.s, p)]&space != 0
	switch {
	case leads(a.s, a.i) && !spaced:
		return line
	case colon && a.rank == password && a.bare && blank:
		a.label = true
		return told
	case spaced || blank:
		return code
	}
	return tight
}

// opening returns the place of a value that follows the name without a sign: --password X, ENV DB_PASSWORD X,
// IDENTIFIED BY 'X'. It returns near when another word or sign has to tie the value to the name.
func (a *announced) opening() place {
	s, i := a.s, a.i
	gap := run(s, a.p, space)
	flag := i >= 1 && s[i-1] == '-' && (i == 1 || s[i-2] == '-' || class[s[i-2]]&space != 0)
	switch {
	case flag && gap > a.end+1: // --password   Asks for a password
		return near
	case flag && item(s, a.end) > a.end:
		a.p = item(s, a.end)
		return option
	case gap == a.p || gap >= len(s):
		return near
	case strings.HasPrefix(s[gap:], "BY "), strings.HasPrefix(s[gap:], "-String "):
		a.p = gap + strings.IndexByte(s[gap:], ' ')
		return option
	}
	before := lineBefore(s, i)
	quote := s[gap] == '\'' || s[gap] == '"'
	if a.kind == "password" && quote && (!a.bare || s[i]&0x20 == 0 || before == "" || a.end-i > 12) {
		return option
	}
	alone := before == "" && (!a.bare || strings.HasPrefix(s[i:], "require"))
	if a.rank <= secret && (alone || among("ENV setx", strings.TrimRight(before, " ")) ||
		strings.HasPrefix(before, "machine ") || strings.HasPrefix(before, "default login ")) ||
		strings.HasSuffix(before, " configure set ") {
		return option
	}
	return near
}

// value returns the secret that begins at at.
func (a *announced) value(at int, where place) (span, bool) {
	s := a.s
	if where >= listed && strings.IndexByte("N@brfu", s[at]) >= 0 &&
		(byteAt(s, at+1) == '"' || byteAt(s, at+1) == '\'') { // b"X", N'X'
		at++
	}
	switch where {
	case holding:
		return span{}, false
	case near:
		return a.beside(at)
	case element:
		last := at
		for last < len(s) && last-at < maxValue && s[last] != '<' && s[last] != '\n' {
			last++
		}
		if byteAt(s, last) != '<' {
			return span{}, false
		}
		return expected(s, at, last, a.named)
	case listed:
		f, ok := read(s, at, a.named, tight)
		return f, ok && (a.rank == token || likely(s[f.start:f.end]))
	case below:
		f, ok := read(s, at, a.named, told)
		return f, ok && (likely(s[f.start:f.end]) || lookOf(s[f.start:f.end]) == drawn) && clause(s, f.end)
	case option:
		f, ok := read(s, at, a.named, option)
		return f, ok
	case told:
		return a.spoken(at)
	}
	if last := runIn(s, at, min(len(s), at+maxBare), lower|space); last > at && // words without quotation marks
		strings.HasSuffix(strings.ToLower(s[a.i:a.end]), "phrase") && passphrase(s[at:last], 4) {
		return span{at, at + len(strings.TrimRight(s[at:last], " ")), a.kind}, true
	}
	f, ok := read(s, at, a.named, where)
	if !ok {
		return f, false
	}
	v := s[f.start:f.end]
	alone := f.start == at && where == line && s[at-1] == ' ' && plain(v)
	return f, !alone || a.rank == token || joined(v) || !remark(v) && clause(s, f.end)
}

// spoken returns the secret at p of a sentence, behind a copula or a colon.
func (a *announced) spoken(p int) (span, bool) {
	s := a.s
	f, ok := read(s, p, a.named, told)
	if !ok {
		return f, false
	}
	v := s[f.start:f.end]
	m := measure(v)
	switch rest := s[f.end:]; {
	case m.digits == len(v) && len(rest) > 1 && rest[0] == ' ' && class[rest[1]]&lower != 0:
		return f, false // an amount: 1024 bytes
	case f.start > p: // in quotation marks
		return f, !a.short && !a.abroad || likely(v)
	case plain(v): // a word
		if a.label {
			return f, joined(v) || !remark(v) && clause(s, f.end)
		}
		if a.rank != password || a.quoted || remark(v) || !clause(s, f.end) && !a.script || a.short && a.end-a.i > 3 {
			return f, false
		}
		return f, !a.abroad || a.script || m.uppers > 1
	}
	return f, true
}

// separators stand before a word that may be a secret by its look.
const separators = "\"'`:(,<>[]{}|;*\\"

// beside returns the secret at at when its look alone says so: no sign and no word ties it to the name.
func (a *announced) beside(at int) (span, bool) {
	s := a.s
	direct := at == run(s, a.p, space)
	end, of := at, uint8(0)
	for end < len(s) && end < at+maxBare && s[end] > ' ' && (class[s[end]]&word != 0 ||
		s[end] != '=' && strings.IndexByte(separators, s[end]) < 0) {
		of |= class[s[end]]
		end++
	}
	if of&digit == 0 && !(direct && of&base != 0) || end-at < 4 ||
		s[at-1] > ' ' && strings.IndexByte(separators, s[at-1]) < 0 {
		return span{}, false
	}
	if direct || a.abroad {
		if f, ok := read(s, at, a.named, told); ok && (direct || clause(s, f.end)) && a.adjacent(f) {
			return f, true
		}
	}
	if end == at+maxBare { // a long key goes whole
		end = run(s, end, alnum|base)
	}
	v := strings.TrimRight(s[at:end], ".!?")
	return span{at, at + len(v), a.kind}, !a.short && a.rank != anyKey && len(v) >= 6 && measure(v).digits > 2 &&
		!strings.ContainsAny(v, "#@/.") && sure(v, a.named) && unidentified(v) && a.accepts(v, tight, true) &&
		!inAddress(s, at) && !public(s, at, v)
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
	case v != "" && strings.IndexByte("),;]}", v[0]) >= 0, !n.accepts(v, where, true):
		return span{}, false
	}
	return span{from, end, n.kind}, true
}

// expected returns s[from:last] when it is a secret. It is for places where a secret is expected.
func expected(s string, from, last int, n named) (span, bool) {
	v := s[from:last]
	return span{from, last, n.kind}, n.accepts(v, option, true) && (strings.Trim(v, digits) != "" || len(v) > 5)
}

// closing has the quotation marks that are not ASCII.
var closing = [...][2]string{{"“", "”"}, {"«", "»"}, {"‘", "’"}, {"「", "」"}, {"„", "“"}, {"『", "』"}}
