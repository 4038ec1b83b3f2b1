package redact

import (
	"strings"
	"unicode/utf8"
)

// A look says how random a value looks.
type look uint8

const (
	letters look = iota // letters and the signs of identifiers: butterfly
	number              // digits alone
	mild                // a word with a digit or a sign: width2
	chosen              // as people choose passwords: hunter22, Tr0ub4dor&3, three-joined-words
	mixed               // as machines mix it, of 8 bytes or more
	drawn               // drawn at random, of 20 bytes or more
	never               // no value looks so
)

// place is where a value stands.
type place uint8

const (
	nowhere place = iota // in the line below the name, where another key may hold it
	near                 // behind the name, without a sign that ties it to the name
	beside               // the word behind the name: password hunter22
	listed               // a string behind a comma or an operator, the line below the name, a user's name before it
	said                 // in a sentence: password is X
	code                 // may be an expression
	tight                // name=value in the midst of others, headers, URLs
	line                 // NAME=value in a line of its own, or in quotation marks
	option               // behind a flag
)

// least is the look from which a value counts as a secret, by the rank of its name and its place.
var least = [...][option + 1]look{
	// nowhere, near, beside, listed, said, code, tight, line, option
	none:     {never, never, never, never, never, never, never, never, never},
	password: {never, chosen, chosen, chosen, letters, mild, letters, letters, letters},
	secret:   {never, drawn, drawn, chosen, mixed, mixed, letters, letters, letters},
	token:    {never, drawn, drawn, mixed, mixed, mixed, mixed, mixed, mixed},
	anyKey:   {never, never, never, drawn, drawn, drawn, drawn, drawn, drawn},
}

// A candidate is the text s[start:end], which may be a secret: what announces it, and where it stands.
type candidate struct {
	named
	where      place
	s          string
	start, end int
	quoted     bool
	label      bool // a colon stands before it, as in a form
}

// secret returns the candidate's span, and whether it is a secret. It is the one judge of every value with a name.
func (c candidate) secret() (span, bool) {
	found := span{c.start, c.end, c.kind}
	v, where := c.s[c.start:c.end], c.where
	f := measure(v)
	switch {
	case f.length < 4 && c.kind != "url-password",
		where <= beside && f.digits == 0 && strings.IndexByte(v, '-') < 0:
		return found, false // as nearly all are
	case f.spaced:
		least := 2
		if c.kind == "secret" || byteAt(c.s, c.end) == '<' { // a text of the page
			least = 4
		}
		if where >= listed && groupsEnd(c.s, c.start) == c.end {
			return found, true
		}
		return found, where > listed && (c.rank <= secret || c.kind == "secret" && c.quoted) &&
			passphrase(v, least)
	}
	if c.quoted && where >= code {
		where = line
	}
	l := lookOf(v, f)
	if l < least[c.rank][where] || innocent(v, f) || !c.quoted && expression(v, where) {
		return found, false
	}
	switch {
	case c.rank == anyKey && f.length == 36 && v[8] == '-' && v[23] == '-': // a UUID
		return found, false
	case c.kind == "pin":
		return found, l == number && f.length <= 12 && where > listed
	case l == letters && (f.uppers == f.length || !c.quoted && where == option && remark(v) || !c.isAnswer(v, f)):
		return found, false // the name of a constant, a word of a form or of a sentence
	case l == number && (c.rank != password || where == said && !clause(c.s, c.end)):
		return found, false // an amount
	case f.digits == 0 && l <= chosen && (describes(strings.TrimRight(v, "!?*")) || f.letters() == 0),
		l == mild && (where == said && f.foreign || where == code && f.digits == 1): // width2
		return found, false
	case where <= beside && !c.isStray(v, f, l):
		return found, false
	}
	return found, true
}

// isAnswer reports whether v, which consists of letters, is what the sentence or the form says the secret is.
func (c candidate) isAnswer(v string, f form) bool {
	spaced := c.start > 0 && class[c.s[c.start-1]]&space != 0
	switch {
	case c.quoted || c.where == option || c.where != said && !spaced:
		return true
	case remark(v) || !clause(c.s, c.end) && !c.script:
		return false
	}
	return c.label || c.where > said || c.rank == password && !c.verb && (!c.abroad || c.script || f.uppers > 1)
}

// isStray reports whether v is a secret although no sign ties it to its name.
func (c candidate) isStray(v string, f form, l look) bool {
	sign := strings.ContainsAny(v[:f.length-1], "!#$%^&*~+")
	sure := l == drawn && !(f.hex && f.length < 32) || c.rank == password && f.length > 5 &&
		!strings.ContainsAny(v, "=(<>:/{[") && (sign || l == mixed && (f.uppers > 0 && f.lowers > 0 || f.changes > 4))
	if ends := clause(c.s, c.end); c.where == beside || c.abroad && ends {
		return sure || !strings.ContainsAny(v, "=(<>:/") && (ends && joined(v) || f.digits > 2 || ends && f.digits > 1)
	}
	return sure && f.digits > 2 && strings.IndexByte(separators, c.s[c.start-1]) >= 0 &&
		(sign || !wordy(v) && strings.Count(v, "-") < 4 && strings.IndexByte(v, '/') < 0) && // no UUID, no test
		!inAddress(c.s, c.start) && !public(c.s, c.start, v)
}

// separators stand before a word that may be a secret by its look.
const separators = " \t\n\"'`(,<>[]{}|;*\\"

// read returns the value at i: what quotation marks enclose, or what goes to the next blank.
func read(s string, i int, n named, where place) candidate {
	c := candidate{named: n, where: where, s: s, start: i, end: i}
	if strings.HasPrefix(s[i:], "[]byte(") {
		i += len("[]byte(")
	}
	if next := byteAt(s, i+1); (next == '"' || next == '\'') && strings.IndexByte("N@brfu", s[i]) >= 0 { // b"X", N'X'
		i++
	}
	if b := byteAt(s, i); b == '"' || b == '\'' || b == '`' || b == '\\' || b >= 0x80 {
		for _, marks := range quotes {
			if strings.HasPrefix(s[i:], marks[0]) {
				c.quoted, c.start = true, i+len(marks[0])
				c.end = quotedEnd(s, c.start, marks[1])
				return c
			}
		}
	}
	most := maxBare
	if n.rank == password {
		most = maxPassword
	}
	if n.kind == "passphrase" { // words without quotation marks
		last := runIn(s, i, min(len(s), i+maxBare), lower|space)
		if v := strings.TrimRight(s[i:last], " "); passphrase(v, 4) {
			c.quoted, c.end = true, i+len(v)
			return c
		}
	}
	if c.end = groupsEnd(s, i); c.end > i {
		return c
	}
	c.end = bareEnd(s, i, most, where)
	if steps(c.end - i); c.end-i > most || c.end-i < 12 && cutOff(s, c.end) {
		c.end = i
	}
	return c
}

// groupsEnd returns the end of four or more groups of four letters and digits at i, as people copy a key by hand, or i.
func groupsEnd(s string, i int) int {
	at, n := i, 0
	for ; run(s, at, alnum) == at+4 && !remark(s[at:at+4]); n++ {
		if at += 5; byteAt(s, at-1) != ' ' {
			n++
			break
		}
	}
	if n < 4 {
		return i
	}
	return at - 1
}

// bareEnd returns the end of the value at i that no quotation marks enclose, or a place more than most bytes behind i.
func bareEnd(s string, i, most int, where place) int {
	end := i
scan:
	for end < len(s) && end-i <= most {
		c := s[end]
		switch {
		case class[c]&word != 0: // as nearly all are
		case c <= ' ' || c == 0x7f || c == '"' || c == '`', c == '\'' && where != line:
			break scan
		case c == '\\' && end+1 < len(s) && strings.IndexByte("nrt\"'\\", s[end+1]) >= 0:
			break scan
		case where != line && where != said && (strings.IndexByte(",;)}]|<>", c) >= 0 || c == '&' && where > beside),
			where <= beside && strings.IndexByte("=:([{", c) >= 0:
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
	for end > i && strings.IndexByte(".,;:)", s[end-1]) >= 0 {
		end--
	}
	return end
}

// quotedEnd returns the end of the value at i, whose closing quotation mark is quote. The line or maxValue ends it too.
func quotedEnd(s string, i int, quote string) int {
	limit := min(len(s), i+maxValue)
	end := i
	for ; end < limit && s[end] != '\n' && !strings.HasPrefix(s[end:limit], quote); end++ {
		if s[end] == '\\' && len(quote) == 1 && end+1 < limit && s[end+1] != '\n' {
			end++
		}
	}
	if end == limit { // a long key goes whole
		end = run(s, end, alnum|base)
	}
	steps(end - i)
	return end
}

var quotes = [...][2]string{{`\"`, `\"`}, {`"`, `"`}, {"'", "'"}, {"`", "`"},
	{"“", "”"}, {"«", "»"}, {"‘", "’"}, {"「", "」"}, {"„", "“"}, {"『", "』"}}

// lookOf says how random v looks, of which f is the form.
func lookOf(v string, f form) look {
	switch {
	case f.digits == f.length:
		return number
	case strings.IndexByte(v, '-') > 0 && joined(v):
		return chosen
	case plain(v) && (f.length < 20 || f.changes*3 < f.length):
		return letters
	case f.drawn() && !wordy(v):
		return drawn
	case f.digits > 0 && f.length >= 8 && f.letters() > 0 && f.changes >= 4 && !wordy(v):
		return mixed
	case f.letters() > 1 && (f.digits > 1 || f.digits > 0 && f.uppers > 0 && f.lowers > 0 ||
		strings.ContainsAny(v, "!@#$%^&*+~")):
		return chosen
	}
	return mild
}

// plain reports whether v holds only letters and the signs of identifiers and hyphenated words.
func plain(v string) bool {
	for i := range len(v) {
		if class[v[i]]&(upper|lower) == 0 && strings.IndexByte("-_./:,", v[i]) < 0 && v[i] < 0x80 {
			return false
		}
	}
	return true
}

// joined reports whether v is three words or more with one sign between them, like a password made of words.
func joined(v string) bool {
	at := strings.IndexAny(v, "-_.")
	return at >= 0 && passphrase(strings.ReplaceAll(v, v[at:at+1], " "), 3)
}

// passphrase reports whether v is a list of at least least words that make no sentence. Numbers may follow the words.
func passphrase(v string, least int) bool {
	words, odd := 0, 0
	for w := range strings.FieldsSeq(v) {
		f := measure(w)
		if f.letters() != f.length && (words < 2 || f.digits != f.length) || f.length < 2 {
			return false
		}
		if words++; describes(w) || remark(w) {
			odd++
		}
	}
	return words >= least && words <= 24 && (odd == 0 || odd == 1 && words > 3)
}
