package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// place is the surroundings of a value.
type place int

const (
	code    place = iota // may be an expression
	file                 // NAME=value or name: value, a line of its own
	tight                // name=value in the midst of others
	flagged              // behind a flag
	prose                // in a sentence
)

// readValue returns the value at q. It returns none when an expression, a type or a placeholder stands there.
func readValue(s string, q int, n named, where place) (span, bool) {
	if q >= len(s) {
		return span{}, false
	}
	open, quote := "", ""
	switch {
	case strings.HasPrefix(s[q:], `\"`):
		open, quote = `\"`, `\"`
	case s[q] == '"', s[q] == '\'', s[q] == '`':
		open, quote = s[q:q+1], s[q:q+1]
	case s[q] < 0x80:
	default:
		for _, pair := range [...][2]string{{"“", "”"}, {"«", "»"}, {"‘", "’"}, {"「", "」"}, {"„", "“"}, {"『", "』"}} {
			if strings.HasPrefix(s[q:], pair[0]) {
				open, quote = pair[0], pair[1]
			}
		}
	}
	if quote != "" {
		return quotedValue(s, q+len(open), quote, n, where)
	}
	if s[q] >= 0x80 && where == prose { // a word of another script
		return span{}, false
	}
	end := q
scan:
	for end < len(s) && end-q <= maxBare {
		c := s[end]
		switch {
		case class[c]&word != 0: // as nearly all are
		case c <= ' ' || c == 0x7f || c == '"' || c == '`':
			break scan
		case c == '\'' && where != file:
			break scan
		case c == '\\' && end+1 < len(s) && strings.IndexByte("nrt\"'\\", s[end+1]) >= 0:
			break scan
		case c == '&' && where != file && where != prose && !parameter(s, end+1):
		case where != file && where != prose && strings.IndexByte(",;)}]&|<>", c) >= 0:
			break scan
		case c >= 0x80:
			r, size := utf8.DecodeRuneInString(s[end:])
			if r == utf8.RuneError || strings.ContainsRune("…”’»，。、；）」』！？", r) || r == 0x2028 || r == 0xa0 ||
				r == 0x3000 {
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
	v := s[q:end]
	steps(len(v))
	if len(v) < 12 && cutOff(s, end) || len(v) > maxBare || !accepts(v, n, where, false) {
		return span{}, false
	}
	return span{q, end, n.kind}, true
}

// parameter reports whether a further parameter, or a command, follows the & before i.
func parameter(s string, i int) bool {
	last := i
	for last < len(s) && last-i < 32 && (class[s[last]]&word != 0 || s[last] == '.') {
		last++
	}
	return last == i || byteAt(s, last) == '=' || strings.HasPrefix(s[i:], "amp;")
}

// quotedValue is literal for a value that begins at from, behind a quotation mark.
func quotedValue(s string, from int, quote string, n named, where place) (span, bool) {
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
		// "password="+word+"…"
		strings.HasPrefix(v, "+") && (strings.HasSuffix(v, "+") || class[byteAt(v, 1)]&(lower|upper) != 0 && !closed) ||
			strings.HasPrefix(v, "+ ") || strings.HasSuffix(v, " +"),
		!accepts(v, n, where, true):
		return span{}, false
	}
	return span{from, end, n.kind}, true
}

// accepts reports whether v is a secret when the name n announces it.
func accepts(v string, n named, where place, quoted bool) bool {
	if len(v) < 4 || placeholder(v) {
		return false
	}
	if administrator(v) || v[0] >= 0x80 && (dummy(v) || strings.IndexFunc(v, ascii) < 0) { // a word of another script
		return false
	}
	f := measure(v)
	if f.others > 0 && (strings.Contains(v, "://") || strings.HasPrefix(v, "//")) {
		return false
	}
	if f.others > 0 && (!quoted && expression(v, where) || path(v)) || algorithm(v) {
		return false
	}
	if f.others > 0 && f.letters() == 0 && strings.Trim(v, "0123456789.") == "" { // a version, an address
		return false
	}
	if len(v) >= 10 && v[4] == '-' && v[7] == '-' && strings.Trim(v[:4], digits) == "" { // a day
		return false
	}
	if f, ok := knownToken(v, 0, run(v, 0, word)); ok && f.kind == "" {
		return false
	}
	if n.kind == "pin" {
		return f.digits == f.length && f.length <= 12
	}
	if n.otp && f.length >= 16 && f.length%8 == 0 && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == "" {
		return true
	}
	if n.rank == weak {
		return weakly(v, f, n, quoted) || basic(v, f)
	}
	if n.rank == firm {
		if weakly(v, f, n, quoted) {
			return true
		}
		if where == prose || where == code && !quoted || strings.Contains(v, "/") {
			return false
		}
	}
	switch {
	case f.others > 0 && strings.ContainsAny(v, " \t"):
		return quoted && (passphrase(v, 3) || where == file && passphrase(v, 2))
	case f.digits == f.length: // a PIN; a number of something
		return where != code && f.length <= 16 && n.kind == "password" || quoted
	case f.letters() == f.length || f.digits == 0 && plain(v):
		switch {
		case dummy(v) || f.uppers == f.length:
			return false
		case quoted:
			return where != prose || len(v) >= 5
		case where == code && joined(v) && strings.IndexByte(v, '-') > 0:
			return true
		case where == code: // aWorDlike thIs; an identifier is not
			return f.changes*2 >= f.length && f.uppers >= 2
		case where == prose && f.lowers+f.uppers == 0: // not ASCII
			return false
		}
		return !describes(v)
	case f.digits > 0 && wordy(v) && strings.ContainsAny(v, "-_./"): // min-8-chars, reset_password_v2
		return where != code && !dummy(v) && f.digits >= 2 || quoted && where != prose && !dummy(v)
	case where == code && !quoted && f.digits == 1 && f.uppers == 0 && plain(strings.TrimRight(v, digits)): // width2
		return false
	case f.digits > 0 && f.letters() > 0:
		return !unit(v) && (where != prose || len(v) >= 5)
	case f.digits == 0 && f.letters() == f.length-1 && v[f.length-1] == '!': // dragonheron!
		return !dummy(v[:f.length-1]) && (where != prose || !describes(v[:f.length-1])) && (quoted ||
			where != code) && (where != prose || f.length > 8)
	case f.digits == 0 && (quoted || where != code && where != prose) && f.uppers > 1 && f.lowers > 1 &&
		f.changes*2 >= f.length:
		return true
	case f.digits == 0:
		return f.letters() > 2 && strings.ContainsAny(v[:len(v)-1], "!@#$%^&*?+~") &&
			!strings.HasSuffix(v[:len(v)-1], "!") || where == flagged || where == file ||
			joined(strings.TrimRight(v, "!?"))
	}
	return where != prose || strings.ContainsAny(v, "!@#$%^&*")
}

func ascii(r rune) bool { return r < 0x80 }

// basic reports whether v is user:password in base64.
func basic(v string, f form) bool {
	if f.length < 8 || f.length%4 != 0 || f.uppers == 0 || f.lowers == 0 {
		return false
	}
	data, err := base64.StdEncoding.DecodeString(v)
	if err != nil || bytes.IndexByte(data, ':') < 1 {
		return false
	}
	for _, c := range data {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// weakly is accepts for tokens and keys. Machines make them, so they are longer and mixed.
func weakly(v string, f form, n named, quoted bool) bool {
	if f.length < 8 || f.others > 0 && strings.ContainsAny(v, " \t(){}[]<>|\"'`,;") {
		return false
	}
	switch {
	case n.any && (!f.drawn() || f.hex || f.digits < 2 && wordy(v)) && (f.digits < 3 || f.length < 16 ||
		f.others > f.length/8):
		return false
	case f.digits == 0:
		return f.length >= 20 && f.uppers >= 3 && f.lowers >= 3 && f.changes*3 >= f.length && f.lettered <= 9
	case f.letters() == 0:
		return false
	case f.hex && f.others == 0:
		return f.length >= 16
	case len(v) > 2 && v[0] == 'v' && class[v[1]]&digit != 0 && strings.Contains(v, "."):
		return false // a version
	case wordy(v):
		return quoted && n.kind != "token" && !strings.ContainsAny(v, "-_./:")
	case f.length < 12:
		return quoted && f.digits >= 2 && f.changes >= 3
	}
	return f.changes >= 4
}
