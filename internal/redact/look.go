package redact

import "strings"

// A look says how random a value looks.
type look uint8

const (
	letters look = iota // letters and the signs of identifiers: butterfly
	number              // digits alone
	mild                // as people mix it: hunter2, Tr0ub4dor&3
	mixed               // as machines mix it, of 8 bytes or more
	drawn               // drawn at random, of 20 bytes or more
)

// place is where a value stands. It decides how random the value must look.
type place uint8

const (
	near    place = iota // behind the name, without a sign that ties it to the name
	holding              // another key may hold it
	told                 // in a sentence: password is X
	below                // in the line below the sentence
	element              // the text of an XML element
	listed               // a string behind a comma or an operator
	line                 // NAME=value in a line of its own, or in quotation marks
	tight                // name=value in the midst of others
	option               // behind a flag
	code                 // may be an expression
)

// least is the look from which a value counts as a secret, by the rank of its name and its place. said.go and
// announce.go ask more where the place itself is in doubt.
var least = [...][code + 1]look{
	password: {line: letters, tight: letters, option: letters, code: mild, told: letters},
	secret:   {line: letters, tight: letters, option: letters, code: mixed, told: mixed},
	token:    {line: mixed, tight: mixed, option: mixed, code: mixed, told: mixed},
	anyKey:   {line: drawn, tight: drawn, option: drawn, code: drawn, told: drawn},
}

// lookOf says how random v looks.
func lookOf(v string) look { return lookFrom(v, measure(v)) }

func lookFrom(v string, f form) look {
	switch {
	case f.digits == f.length:
		return number
	case plain(v) && (f.length < 20 || f.changes*3 < f.length):
		return letters
	case f.drawn() && (f.digits >= 2 && f.changes*4 >= f.length || !wordy(v)):
		return drawn
	case machine(v, f):
		return mixed
	}
	return mild
}

// machine reports whether v is mixed as only machines mix.
func machine(v string, f form) bool {
	if f.digits == 0 {
		return f.length >= 20 && f.uppers >= 3 && f.lowers >= 3 && f.changes*3 >= f.length
	}
	return f.length >= 8 && f.letters() > 0 && f.changes >= 4 && !wordy(v)
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

// sure reports whether v looks like a password or a token among words of all kinds. A word with a number behind it, as
// names of versions and of machines have, is not enough.
func sure(v string, n named) bool {
	f := measure(v)
	l := lookFrom(v, f)
	if l == drawn && !(f.hex && f.length < 32) {
		return true
	}
	if n.rank != password && n.rank != pair || f.length < 6 || f.letters() == 0 ||
		strings.ContainsAny(v, "/=<>(){}[]") {
		return false
	}
	if strings.ContainsAny(v[:f.length-1], "!#$%^&*~+") {
		return f.digits > 0 || f.uppers > 0 && f.lowers > 0
	}
	return l == mixed && (f.digits > 1 && f.uppers > 0 && f.lowers > 0 || f.changes > 4)
}

// likely reports whether v is a password where one is expected: a word with two digits, a mixed one, three words.
func likely(v string) bool {
	f := measure(v)
	if f.length < 4 {
		return false
	}
	sign := strings.ContainsAny(v[:f.length-1], "!@#$%^&*+~") ||
		f.digits > 0 && strings.ContainsAny(v[f.length-1:], "!#$%*")
	return lookFrom(v, f) >= mild && f.letters() > 1 && (sign || f.digits > 1 || f.digits > 0 && f.uppers > 0 &&
		f.lowers > 0) || joined(v) && f.digits+f.letters() < f.length
}

// accepts reports whether v is a secret when the name n announces it.
func (n named) accepts(v string, where place, quoted bool) bool {
	f := measure(v)
	if len(v) < 4 || stands(v) || notSecret(v, f, where, quoted) ||
		among("admin administrator root guest postgres superuser", v) {
		return false
	}
	switch {
	case n.kind == "pin":
		return f.digits == f.length && f.length <= 12
	case f.others > 0 && strings.ContainsAny(v, " \t"):
		return n.rank <= secret && quoted && (passphrase(v, 3) || where == line && passphrase(v, 2))
	}
	if quoted && where != told || n.rank <= secret && where == code && joined(v) && strings.Contains(v, "-") {
		where = line
	}
	l := lookFrom(v, f)
	switch l {
	case letters:
		// the name of a constant, a word of a form
		if describes(v) || f.uppers == f.length || v[0] == '-' || f.letters() == 0 {
			return false
		}
	case number:
		if n.kind != "password" {
			return false
		}
	case mild:
		foreign := strings.IndexFunc(v, func(r rune) bool { return r >= 0x80 }) >= 0
		if where == told && foreign && f.digits < 2 ||
			where == code && f.digits == 1 && f.uppers == 0 && plain(strings.TrimRight(v, digits)) || // width2
			f.digits == 0 && (describes(strings.TrimRight(v, "!?*")) || f.letters() == 0) {
			return false
		}
	}
	return l >= least[n.rank][where]
}

// passphrase reports whether v is a list of at least least words that make no sentence. Numbers may follow the words.
func passphrase(v string, least int) bool {
	words, odd := 0, 0
	for w := range strings.FieldsSeq(v) {
		f := measure(w)
		if f.letters() != f.length && (words < 2 || f.digits != f.length) || f.length < 2 || describes(w) {
			return false
		}
		if words++; remark(w) {
			odd++
		}
	}
	return words >= least && words <= 24 && (odd == 0 || odd == 1 && words > 3)
}
