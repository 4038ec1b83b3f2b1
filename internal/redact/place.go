package redact

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// reach is how far behind a name its secret may stand, and maxWords how many words may stand between the two.
const reach, maxWords = 96, 10

// announced is a name in a text. The scanner of this file goes from the name to each value behind it. The signs and
// words on the way say in which place the value stands.
type announced struct {
	named
	s          string
	start, end int  // the name
	behind     int  // where the quotation mark or bracket ends that closes the name
	quoted     bool // the name is a string
	ended      bool // the clause with the name is over
	label      bool // a colon follows the name, as in a form
	words      int  // between the name and the value
}

// readAnnounced looks for the secret that the name s[i:end] announces.
func readAnnounced(s string, i, end int, n named) (span, bool) {
	// arn:…:secret:… is no name, in "shop:dbPassword: X" there is one
	if i > 1 && s[i-1] == ':' && class[s[i-2]]&alnum != 0 && byteAt(s, end) == ':' && byteAt(s, end+1) > ' ' {
		return span{}, false
	}
	switch bracket := callAt(s, i, end, n); {
	case bracket > 0:
		return readArguments(s, bracket, n, strings.EqualFold(s[i:end], "login"))
	case n.rank == cookies:
		return readCookies(s, end, n)
	case n.rank == pair:
		return readLogin(s, end, n)
	case n.rank == several:
		return readList(s, end, n)
	}
	a := announced{named: n, s: s, start: i, end: end, behind: end}
	if byteAt(s, end) == '\\' && byteAt(s, end+1) == '"' { // {\"password\": \"X\"}
		a.behind++
	}
	for a.behind < len(s) && (strings.IndexByte("\"'`", s[a.behind]) >= 0 && !strings.HasPrefix(s[a.behind:], "'s ") ||
		s[a.behind] == ']' || s[a.behind] == ')' && a.quoted) {
		a.quoted = a.quoted || s[a.behind] != ']'
		a.behind++
	}
	// <password>X<, <x:password>X<, name="password">X<
	if before := byteAt(s, i-1); byteAt(s, a.behind) == '>' && (a.behind > end || before == '<' || before == ':') {
		c := read(s, a.behind+1, n, tight)
		if end := quotedEnd(s, c.start, "<"); end > c.start && byteAt(s, end) == '<' {
			c.quoted, c.end = true, end
		}
		if byteAt(s, c.start) != '<' {
			return c.secret()
		}
	}
	return a.scan()
}

// scan goes from the name to its secret: the first candidate that looks random enough for its place.
func (a *announced) scan() (span, bool) {
	s, where := a.s, a.opening()
	for at := a.behind; at < len(s) && at-a.behind < reach && a.words < maxWords; {
		if class[s[at]]&space != 0 {
			at++
			continue
		}
		if s[at] == '\n' || s[at] == '\r' {
			switch last := s[at-1]; {
			case last == '\n' || last == '\r': // an empty line
			case where == nowhere, where == near && last == ':':
			case where == listed, where >= said && last == ':', a.printed(at):
				where = listed
			default:
				where = nowhere
			}
			at++
			continue
		}
		if class[s[at]]&alnum == 0 && where != nowhere {
			if size, to := a.sign(at); size > 0 {
				at, where = at+size, to
				continue
			}
		}
		if where > beside || where != nowhere && class[s[at]]&word != 0 && hasDigit(s, at) {
			c := read(s, at, a.named, where)
			c.label = a.label
			if f, ok := c.secret(); ok {
				return f, true
			}
		}
		end := wordEnd(s, at)
		if steps(end - at); end == at {
			a.ended = a.ended || strings.IndexByte(".,;!?(){[", s[at]) >= 0
			if at++; where > beside || where == beside && s[at-1] != '\'' && s[at-1] != '"' {
				where = near
			}
			continue
		}
		holds, role := a.holder(at, end), roleOf(s[at:end])
		switch {
		case holds > 0:
			where, end = line, holds
		case where == nowhere:
		case a.kind == "authorization" && role == scheme && a.words == 0:
			where = tight
			a.words++
		case a.words == 0 && role == aside:
			return span{}, false // the sentence goes on about another thing, or another name
		case !a.ended && !a.quoted && (role == copula || role == copulaAbroad) &&
			!(a.verb && (a.words > 0 || s[at:end] == "to")):
			a.abroad = a.abroad || role == copulaAbroad
			where = said
		default:
			a.words++
			where = near
		}
		at = end
	}
	return span{}, false
}

// printed reports whether the line break at at divides a command from the one word that it printed.
func (a *announced) printed(at int) bool {
	command, is := strings.CutPrefix(lineBefore(a.s, a.start), "$ ")
	program, _, _ := strings.Cut(command, " ")
	below, _, _ := strings.Cut(a.s[at+1:min(len(a.s), at+maxValue)], "\n")
	return is && len(below) >= 12 && !strings.Contains(strings.TrimSpace(below), " ") &&
		!among(" git ls find grep stat docker md5sum sha1sum sha256sum sha512sum shasum ssh-keygen ", program)
}

// The roles of a word between a name and its secret.
const (
	other        = iota
	copula       // ties the two together
	copulaAbroad // does so in another language
	scheme       // stands before the token of a header
	aside        // shows that the sentence is about another thing
)

func roleOf(w string) int {
	switch w {
	case "is", "was", "now", "to", "this", "set", "becomes", "remains", "be":
		return copula
	case "ist", "war", "lautet", "heißt", "heisst", "es", "é", "era", "est", "était", "è", "jest", "це", "это", "είναι",
		"és", "هي", "هو", "היא", "הוא", "है", "será", "sera", "wird", "este", "e", "je", "är", "er", "là", "adalah",
		"ialah", "yra", "ir", "е", "је", "c'est":
		return copulaAbroad
	case "Bearer", "bearer", "Basic", "basic", "Token", "token", "ApiKey", "Digest", "Negotiate", "Key", "Bot", "SSWS",
		"GenieKey":
		return scheme
	case "authentication", "check", "checksum", "commit", "digest", "entropy", "fingerprint", "hash", "hashes", "hashing", "hint",
		"id", "ids", "kid", "length", "manager", "policy", "request", "rule", "rules", "score", "sha", "sha256",
		"strength", "uuid", "field", "column", "prompt", "flow", "reset", "name":
		return aside
	}
	return other
}

// hasDigit reports whether the value at i may be one that needs no sign. Nearly no word is.
func hasDigit(s string, i int) bool {
	for k := i; k < min(len(s), i+maxPassword) && s[k] > ' '; k++ {
		if class[s[k]]&digit != 0 || s[k] == '-' {
			return true
		}
	}
	return false
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

// holder returns where the value begins that the word s[at:end], such as value or default, holds for the name. It
// returns 0 when the word holds none: name: DB_PASSWORD with value: X, two attributes of an element, fill("X").
func (a *announced) holder(at, end int) int {
	s, p := a.s, end
	if quote := byteAt(s, p); quote == '"' || quote == '\'' {
		p++
	}
	p = run(s, p, space)
	if w := s[at:end]; w == "--value" || w == "--body" { // put --name db_password --value X
		return p
	}
	if p >= len(s) || strings.IndexByte("=:(>", s[p]) < 0 || p-at > 24 {
		return 0
	}
	keys := " value default body val literal content parametervalue "
	if s[p] == '(' {
		keys = " val fill type send_keys setvalue "
	}
	if !among(keys, strings.ToLower(s[at:end])) {
		return 0
	}
	return run(s, p+1, space)
}

// sign returns the length of the sign at at, which ties the next value to the name, and the place of that value. It
// returns 0 when no such sign stands there.
func (a *announced) sign(at int) (int, place) {
	s := a.s
	first := a.words == 0 && at == run(s, a.behind, space)
	switch c := s[at]; {
	case strings.IndexByte("=:<-", c) >= 0:
		e := at + 1
		for e < len(s) && e-at < 3 && strings.IndexByte("=:<>-", s[e]) >= 0 && (s[e] != '-' || s[e-1] != '=') {
			e++
		}
		blank := class[byteAt(s, e)]&space != 0
		switch sign := s[at:e]; {
		case sign == "<", sign == "-", strings.HasPrefix(sign, "--"), sign == ":" && s[a.start:a.end] == "PASS":
			return 0, near // also of a test: "PASS: TestCart"
		case strings.HasPrefix(s[at:], ":** "): // **password:** X
			return len(":** "), said
		case first && leads(s, a.start) && at == a.behind:
			return e - at, line
		case first && sign == ":" && a.rank == password && a.bare && blank:
			a.label = true
			return e - at, said
		case first && (blank || at > a.behind):
			return e - at, code
		case first:
			return e - at, tight
		case sign == ":" && !a.ended && !a.verb && byteAt(s, e) <= ' ':
			return 1, said
		case sign != ":" && blank: // password: str = "X"
			return e - at, code
		}
	case strings.HasPrefix(s[at:], "...") && at == a.behind: // password......X
		if e := at + len(s[at:]) - len(strings.TrimLeft(s[at:], ".")); byteAt(s, e) > ' ' {
			return e - at, code
		}
	case strings.HasPrefix(s[at:], "'s ") && at == a.behind: // the password's X
		return len("'s "), listed
	case strings.IndexByte("(|?", c) >= 0 && a.words == 0, // getpass("X"), password || "X", define('PASSWORD', 'X')
		c == ',' && a.quoted && strings.IndexByte("\"'#", byteAt(s, a.start-1)) >= 0 && at == a.behind:
		if e := run(s, at+1, space); byteAt(s, e) == '"' || byteAt(s, e) == '\'' || c == '|' && e > at+1 {
			return e - at, listed
		}
	case c >= 0x80 && !a.verb && (!a.ended || c == 0xef):
		for _, is := range [...]string{"是", "为", "為", "は", "는", "은", "이", "เป็น", "คือ", "—", "–", "→", "："} {
			if strings.HasPrefix(s[at:], is) {
				return len(is), said
			}
		}
	}
	return 0, near
}

// opening returns the place of a value that follows the name without a sign: --password X, ENV DB_PASSWORD X,
// IDENTIFIED BY 'X'. It returns beside when another word or sign has to tie the value to the name.
func (a *announced) opening() place {
	s, i := a.s, a.start
	gap := run(s, a.behind, space)
	flag := i >= 1 && s[i-1] == '-' && (i == 1 || s[i-2] == '-' || class[s[i-2]]&space != 0)
	switch {
	case flag && gap > a.end+1: // --password   Asks for a password
		return near
	case flag && item(s, a.end) > a.end:
		a.behind = item(s, a.end)
		return option
	case gap == a.behind || gap >= len(s) || s[a.behind] == '\t' && a.verb: // the next column
		return near
	case strings.HasPrefix(s[gap:], "BY "), strings.HasPrefix(s[gap:], "-String "):
		a.behind = gap + strings.IndexByte(s[gap:], ' ')
		return option
	case a.kind == "password" && !a.verb && (s[gap] == '\'' || s[gap] == '"') && (!a.bare || s[i]&0x20 == 0),
		!a.bare && leads(s, i):
		return option
	}
	before := strings.TrimRight(lineBefore(s, i), " ")
	if before == "" { // the line above it, of .netrc
		before = "machine X " + lineBefore(s, max(0, strings.LastIndexByte(s[:i], '\n')))
	}
	if w := strings.Fields(before); len(w) > 2 && len(w) < 5 && w[len(w)-2] == "login" {
		return option
	}
	return beside
}

// leads reports whether the name at i begins its line. White space, the dash of a list, export and the set command of a
// shell may stand before it.
func leads(s string, i int) bool {
	before := strings.TrimRight(lineBefore(s, i), " ")
	return before == "" || among(" - export set setx ENV ARG env $ # + > configure ", before) ||
		strings.HasSuffix(before, " set")
}

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
	}
	return text.BeginsWithOne(s[i:], " and ", " but ", " should ", " #", " //", "  ", " }")
}

// readLogin looks for the password that follows a user behind a word such as login: "login: bob / X".
func readLogin(s string, end int, n named) (span, bool) {
	n.rank = password
	for p, words := end, 0; words < 6; words++ {
		user, signed := run(s, p, space), false // signed: a colon stands before the user
		if c := byteAt(s, user); c == ':' || c == '=' {
			signed, user = true, run(s, user+1, space)
		}
		p = user
		for p < len(s) && p-user < 80 && (class[s[p]]&word != 0 || strings.IndexByte(".@+", s[p]) >= 0) {
			p++
		}
		address := strings.Contains(s[user:p], "@")
		for _, sign := range [...]string{" / ", "/", ":", " with ", " and ", " "} {
			at := p + len(sign)
			if !strings.HasPrefix(s[p:], sign) || byteAt(s, at) <= ' ' || sign == " " && !(address && signed) ||
				!address && describes(s[user:p]) {
				continue
			}
			c := read(s, at, n, listed)
			if signed || sign == ":" {
				c.where, c.label = said, true
			}
			f, ok := c.secret()
			return f, ok && !strings.ContainsAny(s[c.start:c.end], "/=")
		}
	}
	return span{}, false
}

// callAt returns where the bracket is that begins the arguments of the name s[i:end], when they are a user and a
// password: SetBasicAuth("bob", "X"), auth=("bob", "X"). It returns 0 for another name.
func callAt(s string, i, end int, n named) int {
	if n.rank != pair && !strings.HasSuffix(strings.ToLower(s[i:end]), "auth") {
		return 0
	}
	p := run(s, end, space)
	if byteAt(s, p) == '=' {
		p = run(s, p+1, space)
	}
	if byteAt(s, p) != '(' {
		return 0
	}
	return p
}

// readArguments returns the password behind a user in the arguments of the call whose bracket is at p. A login, which
// tests call most, must have one that a machine made.
func readArguments(s string, p int, n named, isLogin bool) (span, bool) {
	n.kind, n.rank = "password", password
	where := line
	if isLogin {
		n.rank, where = token, listed
	}
	for k := 0; k < 5 && p+1 < len(s); k++ {
		c := read(s, run(s, p+1, space), n, where)
		last := c.end + 1
		if !c.quoted {
			last = bareEnd(s, c.start, maxBare, code)
		}
		p = run(s, last, space)
		next := byteAt(s, run(s, p+1, space))
		if byteAt(s, p) == ',' && next != '{' && next != '[' {
			continue
		}
		if f, ok := c.secret(); k > 0 && c.quoted {
			return f, ok
		}
		break
	}
	return span{}, false
}

// readCookies returns the first value in a header with cookies that looks drawn at random, of at most maxWords.
func readCookies(s string, p int, n named) (span, bool) {
	n.rank = token
	for range maxWords {
		name := p
		for p < len(s) && p-name < reach && s[p] != '=' {
			p++
		}
		c := read(s, min(p+1, len(s)), n, tight)
		if steps(p - name); byteAt(s, p) != '=' {
			break
		}
		if f, ok := c.secret(); ok {
			return f, true
		}
		if p = c.end; byteAt(s, p) == ']' { // redacted
			p++
		}
		if byteAt(s, p) != ';' {
			break
		}
	}
	return span{}, false
}

// readList looks for a secret of several words or lines: the words of a wallet, recovery codes.
func readList(s string, end int, n named) (span, bool) {
	if head, _, ok := strings.Cut(s[end:min(len(s), end+40)], ":"); ok && !strings.Contains(head, "\n") {
		end += len(head) // codes for the bank: …
	}
	start, at, found, size, numbers := 0, end, 0, 0, 0
	for word := range strings.FieldsFuncSeq(s[end:min(len(s), end+maxValue)], dividesList) {
		f := measure(word)
		// also 1. of a list
		if found == 0 && among(" is are ", word) || strings.Trim(word, digits) == "" && f.length < 3 {
			continue
		}
		isOther := f.length < 4 || strings.Contains(word, "/") || found > 0 && f.length != size ||
			f.lowers > 0 && f.digits+f.others == 0
		if n.kind == "code" && isOther ||
			n.kind != "code" && (f.lowers != f.length || f.length < 3 || f.length > 8) {
			break
		}
		at += strings.Index(s[at:], word)
		if found == 0 {
			start, size = at, f.length
		}
		at += len(word)
		numbers += f.digits
		found++
	}
	return span{start, at, n.kind}, n.kind == "code" && at-start >= 8 && numbers > 0 || found >= 12
}

// dividesList reports whether r stands between the words of a list.
func dividesList(r rune) bool { return strings.ContainsRune(" \t\r\n:=\"'`*,.)", r) }
