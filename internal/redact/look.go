package redact

import "strings"

// A look says how random a value looks.
type look uint8

const (
	letters look = iota // letters and the signs of identifiers: butterfly
	number              // digits alone
	worded              // words and digits, such as a file name: reset_password_v2
	mild                // as people mix it: hunter2, Tr0ub4dor&3
	mixed               // as machines mix it, of 8 bytes or more
	drawn               // drawn at random, of 20 bytes or more
	never               // beyond every look
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
	case f.hex && f.length >= 32, len(v) == 36 && strings.Count(v, "-") == 4 && f.length == f.digits+f.lowers+4,
		f.drawn() && (f.digits >= 2 && !sparse(f) || !wordy(v)):
		return drawn
	case f.digits == 0 && f.lettered > 9 && f.others == 0:
		return letters
	case machine(v, f):
		return mixed
	case f.digits > 0 && wordy(v) && strings.ContainsAny(v, "-_./:"):
		if f.digits > 2 && f.uppers > 0 && f.lowers > 0 && !strings.ContainsAny(v, "_./:") { // Harbor-417
			return mild
		}
		return worded
	}
	return mild
}

// sparse reports whether letters and digits change so seldom that words may have made the string.
func sparse(f form) bool { return f.changes*4 < f.length }

// machine reports whether v is mixed as only machines mix.
func machine(v string, f form) bool {
	switch {
	case f.length < 8 || f.letters() == 0, strings.ContainsAny(v, " \t(){}[]<>|\"'`,;"):
		return false
	case f.digits == 0:
		return f.length >= 20 && f.uppers >= 3 && f.lowers >= 3 && f.changes*3 >= f.length && f.lettered <= 9
	case f.hex && f.others == 0:
		return f.length >= 16
	case v[0] == 'v' && class[v[1]]&digit != 0 && strings.Contains(v, "."): // a version
		return false
	case wordy(v):
		return false
	case f.length < 12:
		return f.digits >= 2 && f.changes >= 4
	}
	return f.changes >= 4
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
	if at < 0 {
		return false
	}
	words, odd := 0, 0
	for w := range strings.SplitSeq(v, v[at:at+1]) {
		f := measure(w)
		if f.letters() != f.length && (words < 2 || f.digits != f.length) || f.length < 2 || describes(w) {
			return false
		}
		if words++; remark(w) {
			odd++
		}
	}
	return words >= 3 && odd < 2
}

// sure reports whether v looks like a password or a token among words of all kinds. A word with a number behind it, as
// names of versions and of machines have, is not enough.
func sure(v string, n named) bool {
	f := measure(v)
	l := lookFrom(v, f)
	if l == drawn && !(f.hex && f.length < 32) {
		return true
	}
	if n.rank != password && n.rank != pair || f.length < 6 || f.letters() == 0 || unit(v) ||
		strings.ContainsAny(v, "/=<>(){}[]") {
		return false
	}
	digits := f.digits > 1 && f.digits*8 > f.length
	if strings.ContainsAny(v[:f.length-1], "!#$%^&*~+") || strings.Contains(v[1:f.length-1], "@") &&
		!strings.Contains(v, ".") {
		return f.digits > 0 || f.uppers > 0 && f.lowers > 0
	}
	return l == mixed && (digits && (f.uppers > 0 && f.lowers > 0 || f.changes > 4) ||
		f.uppers > 1 && f.lowers > 1 && f.lettered < 5 && f.changes*2 >= f.length)
}

// likely reports whether v is a password where one is expected: a word with two digits, a mixed one, three words.
func likely(v string) bool {
	f := measure(v)
	l := lookFrom(v, f)
	if f.length < 4 || unit(v) {
		return false
	}
	sign := strings.ContainsAny(v[:f.length-1], "!@#$%^&*+~") ||
		f.digits > 0 && strings.ContainsAny(v[f.length-1:], "!#$%*")
	return l >= worded && f.letters() > 1 && (sign || f.digits > 1 || f.digits > 0 && f.uppers > 0 && f.lowers > 0) ||
		joined(v) && f.digits+f.letters() < f.length
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
	case n.otp && f.length >= 16 && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == "":
		return true
	case f.others > 0 && strings.ContainsAny(v, " \t"):
		return n.rank <= secret && quoted && (passphrase(v, 3) || where == line && passphrase(v, 2) ||
			machine(strings.ReplaceAll(v, " ", ""), f))
	case n.rank == secret && strings.Contains(v, "/") && f.digits == 0:
		return false
	}
	if quoted && where != told || n.rank <= secret && where == code && joined(v) && strings.Contains(v, "-") {
		where = line
	}
	l := lookFrom(v, f)
	switch l {
	case letters:
		// the name of a constant, a word of a form
		if describes(v) || f.uppers == f.length || strings.HasPrefix(v, "-") || f.letters() == 0 {
			return false
		}
	case number:
		if n.kind != "password" || f.length > 16 {
			return false
		}
	case worded:
		if describes(v) || f.digits < 2 && where == code {
			return false
		}
	case mild:
		foreign := strings.IndexFunc(v, func(r rune) bool { return r >= 0x80 }) >= 0
		switch {
		case unit(v), where == told && foreign && f.digits < 2,
			where == code && f.digits == 1 && f.uppers == 0 && plain(strings.TrimRight(v, digits)): // width2
			return false
		case f.digits == 0 && (describes(strings.TrimRight(v, "!?*")) || f.letters() == 0):
			return false
		}
	}
	return l >= least[n.rank][where]
}

// passphrase reports whether v is a list of at least least words that make no sentence.
func passphrase(v string, least int) bool {
	words, odd := 0, 0
	for w := range strings.FieldsSeq(v) {
		f := measure(w)
		if f.lowers+f.digits != f.length || f.length < 3 || describes(w) {
			return false
		}
		if words++; remark(w) {
			odd++
		}
	}
	return words >= least && words <= 24 && (odd == 0 || odd == 1 && words > 3)
}
