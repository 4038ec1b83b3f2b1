package redact

import "strings"

// copula returns 'e' when w is an English word between a password's name and the password, 'f' when it is a foreign
// one, and 0 when it is neither.
func copula(w string) byte {
	if len(w) > len("είναι") || w == "" {
		return 0
	}
	if class[w[0]]&upper != 0 {
		w = strings.ToLower(w)
	}
	switch w {
	case "is", "was", "now", "to", "this", "set", "becomes", "remains":
		return 'e'
	case "ist", "war", "lautet", "heißt", "heisst", "es", "é", "era", "est", "était", "è", "jest", "це", "это",
		"είναι", "هي",
		"هو", "היא", "הוא", "है", "será", "sera", "wird", "este", "e", "je", "är", "er", "on", "là", "adalah",
		"ialah", "yra",
		"ir", "е", "је", "c'est":
		return 'f'
	}
	return 0
}

// sentence looks for the secret that a sentence names: "the password for staging is …".
func sentence(s string, i, p int, n named) (span, bool) {
	const reach = 64
	if strings.HasPrefix(s[p:], "'s ") || strings.HasPrefix(s[p:], "’s ") {
		return readSpoken(s, p+strings.IndexByte(s[p:], ' ')+1, n, true)
	}
	at := p
	for words := 0; at < len(s) && at-p < reach && words < 10; words++ {
		next := run(s, at, space)
		if next >= len(s) {
			return span{}, false
		}
		if f, ok, over := sign(s, p, at, next, n); over {
			return f, ok
		}
		if s[next] == '[' { // aws configure: [None]
			if close := strings.IndexByte(s[next:min(len(s), next+24)], ']'); close > 0 {
				at = next + close + 1
				continue
			}
		}
		end, of := next, uint8(0)
		for end < len(s) && end-next <= reach && (class[s[end]]&word != 0 || s[end] >= 0x80 ||
			strings.IndexByte("/'@", s[end]) >= 0 || s[end] == '.' && byteAt(s, end+1) > ' ') {
			of |= class[s[end]]
			end++
		}
		if end == next {
			return readSpoken(s, next, n, false)
		}
		steps(end - at)
		is := copula(s[next:end])
		n.abroad = n.abroad || is == 'f'
		colon := byteAt(s, end) == ':'
		switch {
		case is == 0 && words < 2 && aside(s[next:end]), words > 0 && s[next]|0x20 == 'p' &&
			name(s, next, end).rank == strong:
			return span{}, false // the secret belongs to the next name
		case is != 0:
			if colon {
				end++
			}
			f, ok := readSpoken(s, run(s, end, space), n, true)
			vague := s[next] == 't' || s[next] == 's' || s[next] == 'n' // to, this, set, now
			if ok || words > 0 && !n.abroad && n.rank != weak && !vague {
				return f, ok
			}
		case words == 0 || n.abroad && !aWord(s, next):
			f, ok := readSpoken(s, next, n, false)
			verb := ""
			if ok && words > 0 {
				verb, _, _ = strings.Cut(strings.TrimLeft(s[f.end:min(len(s), f.end+12)], " "), " ")
			}
			if ok && copula(verb) == 0 {
				return f, true
			}
		case end-next > 5 && of&digit != 0 && !colon:
			if f, ok := readValue(s, next, n, prose); ok && (n.rank == strong && isMixed(s[f.start:f.end]) ||
				n.rank == weak &&
					isRandomToken(s[f.start:f.end])) {
				return f, true
			}
		}
		if colon && is == 0 {
			return readSpoken(s, run(s, end+1, space), n, true)
		}
		at = end
	}
	return span{}, false
}

// sign looks for the secret when a sign, not a word, stands at next in the sentence about a name. The name ends at p;
// at is the end of the last word before next. over reports that the sentence ends there.
func sign(s string, p, at, next int, n named) (f span, ok, over bool) {
	c := s[next]
	if c >= 0x80 || c == '-' || c == '=' { // 密码是…: no white space between words
		for _, is := range [...]string{"是", "为", "為", "は", "는", "은", "이", "เป็น", "คือ", "—", "–", "→", "：",
			"->", "=>"} {
			if c == is[0] && strings.HasPrefix(s[next:], is) {
				next = run(s, next+len(is), space)
				if strings.HasPrefix(s[next:], "：") {
					next += len("：")
				}
				f, ok = readSpoken(s, next, n, true)
				return f, ok, true
			}
		}
	}
	if next == at && n.rank == strong && (c == ',' || c == '?' || c == ')') && (at > p || at == 0 || s[at-1] != '"') {
		q, told := run(s, at+1, space), false
		if c == '?' && strings.HasPrefix(s[q:], "\"") {
			q = run(s, q+1, space) + 1
		}
		for _, verb := range [...]string{"type ", "I type ", "enter ", "use ", "try ", "c'est ", "-> ", "it's ",
			"it is "} {
			if q < len(s) && strings.HasPrefix(s[q:], verb) {
				q, told = q+len(verb), true
			}
		}
		if f, ok = readSpoken(s, q, n, false); ok && (told || strange(s[f.start:f.end])) {
			return f, true, true
		}
	}
	switch {
	case next == at && at > p && s[at-1] == ']' && c == ':': // Key [None]: X
	case next == at && (at != p || class[c]&alnum == 0 && c < 0x80):
		return span{}, false, true // punctuation: the sentence or its clause ends
	case c == '=' || c == ':':
	case next != run(s, p, space) || strings.IndexByte("\"'`(", c) < 0:
		return span{}, false, false
	case c == '(':
		f, ok = readValue(s, next+1, n, prose)
		v := s[min(f.start, len(s)):min(f.end, len(s))]
		sure := n.rank == strong && strange(v) || n.rank == weak && isRandomToken(v)
		return f, ok && sure && byteAt(s, f.end) == ')', true
	default:
		f, ok = readSpoken(s, next, n, true)
		return f, ok, true
	}
	f, ok = readSpoken(s, run(s, next+1, space), n, true)
	return f, ok, true
}

// isMixed reports whether v is so mixed that it is no word of a sentence about a password.
func isMixed(v string) bool {
	f := measure(v)
	segments := 0 // of an identifier: TestLogin2FA
	for i := range len(v) {
		if c := class[v[i]]; c&(upper|lower) != 0 && (i == 0 || class[v[i-1]]&(upper|lower) == 0 || c&upper != 0 &&
			class[v[i-1]]&lower != 0) {
			segments++
		}
	}
	return strange(v) && f.letters() < 3*segments+2 && (f.uppers > 0 && f.lowers > 0 && f.digits > 1 &&
		f.changes >= 4 || strings.ContainsAny(v, "!#$%^&*") && f.digits > 0)
}

// isRandomToken is like sure, but for tokens.
func isRandomToken(v string) bool {
	f := measure(v)
	return f.drawn() && !wordy(v) && (!f.hex || f.length >= 32)
}

// readSpoken returns the secret at p of a sentence. said means that "is" or a colon stands before p; otherwise the name
// does.
func readSpoken(s string, p int, n named, said bool) (span, bool) {
	for _, is := range [...]string{"code ", "is: ", "is ", "to ", "now ", "still ", "just ", "actually ", "set to ",
		"jetzt ", "nun ", "ahora ", "agora "} {
		if p < len(s) && s[p] == is[0] && strings.HasPrefix(s[p:], is) && len(s) > p+len(is) {
			p += len(is)
			said = said || is != "code "
		}
	}
	if p >= len(s) || !said && !n.entry && aWord(s, p) {
		return span{}, false
	}
	f, ok := readValue(s, p, n, prose)
	if !ok {
		if said && s[p] == '\n' {
			return below(s, p, n)
		}
		return f, false
	}
	v := s[f.start:f.end]
	m := measure(v)
	if rest := s[f.end:]; v[0] == '-' || m.digits == len(v) && len(rest) > 1 && rest[0] == ' ' &&
		class[rest[1]]&lower != 0 {
		return span{}, false // an amount: 1024 bytes
	}
	quoted := f.start > p
	if said {
		if n.rank != weak && !quoted && plain(v) { // a word
			signs := strings.Count(v, "-") + strings.Count(v, "_") + strings.Count(v, ".")
			return f, (clause(s, f.end) || n.script && f.end+1 < len(s) && s[f.end+1] >= 0x80) &&
				!describes(v) && (!n.abroad || m.uppers > 1 || signs > 1 || latin(s[:p]) && odd(v) || n.script ||
				follows(s, p, " lautet ")) || joined(v)
		}
		return f, true
	}
	if n.rank == weak {
		return f, m.hex && m.length >= 32 || m.length >= 20 && m.changes >= 6 && !wordy(v)
	}
	signs := m.others > 0 && strings.ContainsAny(v, "!@#$%^&*+~")
	if quoted {
		return f, m.digits > 0 || signs || !describes(v) && (follows(s, p, " password ") ||
			follows(s, p, " password \n"))
	}
	line := lineBefore(s, p)
	switch {
	case netrc(line) || strings.Contains(line, " connect ") && clause(s, f.end):
		return f, !describes(v)
	case m.digits < 1 && !signs:
		return f, joined(v) && !strings.HasPrefix(s[f.end:], "(") && !strings.HasPrefix(line, "#")
	case m.letters() == 0:
		return f, false
	case strange(v) && m.digits > 2 && m.length >= 8 || clause(s, f.end) && (strange(v) && m.digits > 1 ||
		m.changes > 3 && m.uppers > 0 && m.lowers > 0):
		return f, true
	case n.abroad || n.short && !plain(v) && m.letters() > 2:
		return f, m.digits >= 2 || m.changes > 3 || signs
	}
	return f, m.digits > 1 && m.changes >= 3 || signs
}

// latin reports whether before ends with the word for "is" in a Romance language.
func latin(before string) bool {
	for _, is := range [...]string{" es ", " é ", " est ", " è ", " este ", " era ", " será "} {
		if strings.HasSuffix(before, is) {
			return true
		}
	}
	return false
}

// odd reports whether v is no word of a Romance language.
func odd(v string) bool {
	for _, x := range [...]string{"k", "w", "oo", "ee", "sh", "th", "ll", "tt"} {
		if len(v) > 8 && strings.Contains(v, x) {
			return true
		}
	}
	return false
}

// netrc reports whether line is a line of .netrc.
func netrc(line string) bool {
	return strings.HasPrefix(line, "machine ") || strings.HasPrefix(line, "default login")
}

// aWord reports whether the word at p of s holds letters only. Most words do.
func aWord(s string, p int) bool {
	if class[s[p]]&alnum == 0 {
		return false
	}
	last := p
	for last < len(s) && last-p < 64 && (class[s[last]]&(upper|lower) != 0 || s[last] >= 0x80) {
		last++
	}
	return last >= len(s) || s[last] <= ' '
}

// before looks for the secret that stands before its name s[i:end]: "use X as the password", "X is the login", "X (my
// password)". When the line begins with "that's the token", it looks in the line above.
func before(s string, i, end int, n named) (span, bool) {
	if i == 0 || strings.IndexByte(" (-", s[i-1]) < 0 {
		return span{}, false
	}
	var of uint8
	for _, c := range []byte(s[max(0, i-64):i]) {
		of |= class[c]
	}
	if of&(digit|base) == 0 { // most texts
		return span{}, false
	}
	line := lineBefore(s, i)
	start := i - len(line)
	rest := strings.TrimRight(line, "-")
	for words := 0; words < 6 && rest != ""; words++ {
		rest = strings.TrimRight(rest, " ")
		switch rest {
		case "that's", "That's", "this is", "that is":
			return above(s, start, n)
		}
		at := strings.LastIndexByte(rest, ' ') + 1
		w := rest[at:]
		as, is := w == "as" || w == "como" || w == "als" || w == "comme", copula(w)
		switch {
		case aside(w), w == "with", w == "of", (as || is == 'e' || w == "(") && !ends(s, end):
			return span{}, false
		case w == "when": // type X when asked for the password
			f, ok := subject(s, start, strings.TrimRight(rest[:at], " "), true, n)
			return f, ok && measure(s[f.start:f.end]).digits > 1
		case w == "bad" || w == "weak" || w == "good" || w == "strong" || w == "not" || w == "valid" || w == "common":
			return span{}, false
		case as, is != 0 && w != "to" && w != "set", w == "—", w == "–", w == "(" && byteAt(s, end) == ')':
			return subject(s, start, strings.TrimRight(rest[:at], " "), as, n)
		}
		rest = rest[:at]
		if strings.HasPrefix(w, "(") {
			w, rest = w[1:], rest+"( "
		}
		for k := range len(w) {
			if class[w[k]]&(upper|lower) == 0 && w[k] < 0x80 {
				return tried(s, start, line[:at+len(w)], n)
			}
		}
	}
	return span{}, false
}

// tried returns the last word of line, which begins at start, when the verb before it says that somebody types or tries
// it.
func tried(s string, start int, line string, n named) (span, bool) {
	from := strings.LastIndexByte(line, ' ') + 1
	v := strings.Trim(line[from:], "\"'`,")
	before := strings.TrimRight(line[:from], " ")
	switch before[strings.LastIndexByte(before, ' ')+1:] {
	case "type", "typed", "enter", "entered", "try", "tried", "tested", "use", "used", "from", "is", "Is":
		f := measure(v)
		start += from + strings.Index(line[from:], v)
		return span{start, start + len(v), "password"}, n.rank == strong && strange(v) && f.digits+f.others > 1 &&
			!strings.ContainsAny(v, "/.:=()") && accepts(v, n, prose, false)
	}
	return span{}, false
}

// subject returns the last word of line, which begins at start and ends before the words that name the secret.
func subject(s string, start int, line string, as bool, n named) (span, bool) {
	from := strings.LastIndexByte(line, ' ') + 1
	v := strings.Trim(line[from:], "\"'`")
	start += from + strings.Index(line[from:], v)
	f := measure(v)
	password := n.rank == strong || n.rank == pair
	switch {
	case n.rank == strong && (joined(v) || as && f.digits > 1 && f.letters() > 2 && accepts(v, n, prose, false)):
	case !strange(v), !password && !isRandomToken(v), f.digits < 2 && f.others == 0 && f.changes < 4,
		strings.ContainsAny(v, ":,/"),
		strings.IndexByte(v, '@') >= 0 && strings.IndexByte(v, '.') >= 0:
		return span{}, false
	case f.digits < 3 && f.changes < 3 && !strings.HasSuffix(line[:from], "/ ") && (from > 0 || algorithm(v)):
		return span{}, false
	}
	return span{start, start + len(v), "password"}, true
}

// ends reports whether the name that ends at i is complete: "the password", "the password for staging", but not "the
// password field".
func ends(s string, i int) bool {
	if i < len(s) && (s[i] == '"' || s[i] == '\'' || s[i] == '`') {
		i++
	}
	if clause(s, i) || byteAt(s, i) != ' ' || byteAt(s, i+1) < 'a' {
		return true
	}
	next, _, _ := strings.Cut(s[i+1:min(len(s), i+16)], " ")
	switch next {
	case "for", "to", "of", "on", "at", "in", "from", "when", "if", "and", "now", "here", "there", "by",
		"instead", "with":
		return true
	}
	return false
}

// above looks for a value that stands alone in the last line before p that is not empty.
func above(s string, p int, n named) (span, bool) {
	end := len(strings.TrimRight(s[max(0, p-4):p], " \n")) + max(0, p-4)
	start := max(0, end-maxValue/4)
	start += lastLine(s[start:end])
	v := s[start:end]
	f := measure(v)
	switch {
	case v == "" || strings.ContainsAny(v, " \t") || end == p || strings.HasPrefix(v, Mark):
	case strange(v) && f.digits > 1, f.hex && f.length >= 32, f.drawn() && !wordy(v), f.length == 36 &&
		strings.Count(v, "-") == 4:
		return span{start, end, n.kind}, true
	}
	return span{}, false
}

// login looks for the user and the password behind a word such as login: "login: bob / X", "credentials bob:X".
func login(s string, i, end int) (span, bool) {
	n := named{rank: strong, kind: "password"}
	if f, ok := before(s, i, end, n); ok {
		return f, true
	}
	p := end
	if quote := byteAt(s, p); quote == '"' || quote == '\'' {
		p++
	}
	for words := 0; words < 6; words++ {
		q, told := run(s, p, space), false // told: the pair stands behind a colon
		if c := byteAt(s, q); (c == ':' || c == '=') && (q == p || words == 0) {
			told = true
			q = run(s, q+1, space)
			if c := byteAt(s, q); c == '"' || c == '\'' {
				q++
			}
		}
		if q >= len(s) || q == p {
			return span{}, false
		}
		last := q
		for last < len(s) && last-q < 80 && (class[s[last]]&word != 0 || s[last] == '.' || s[last] == '@' ||
			s[last] == '+') {
			last++
		}
		user, from := s[q:last], last
		if user == "" {
			return span{}, false
		}
		switch c := byteAt(s, last); {
		case strings.HasPrefix(s[last:], " / "):
			from += 3
		case (c == '/' || c == ':') && byteAt(s, last+1) > ' ' && s[last+1] != '/':
			from++
		case strings.HasPrefix(s[last:], " with ") && !told:
			from += len(" with ")
		case strings.HasPrefix(s[last:], " and ") && (strings.Contains(user, "@") ||
			likely(firstWord(s[last+len(" and "):])) || signed(firstWord(s[last+len(" and "):]))):
			from += len(" and ")
		case c == ' ' && strings.Contains(user, "@") && told:
			from++
		}
		if from == last || dummy(user) && !strings.Contains(user, "@") {
			p = last
			continue
		}
		stop := from
		for stop < len(s) && stop-from < 128 && s[stop] > ' ' && strings.IndexByte("\"'`,;", s[stop]) < 0 {
			stop++
		}
		for stop > from && strings.IndexByte(".)!?", s[stop-1]) >= 0 && stop < len(s) && (s[stop-1] != '!' ||
			s[stop] != ' ') {
			stop--
		}
		v := s[from:stop]
		m := measure(v)
		named := told || s[i]|0x20 == 'c'
		switch {
		case len(v) < 4, strings.HasSuffix(v, ":"), strings.Contains(v, "/"), s[last] == '/' && !told && plain(v),
			s[last] == ' ' && s[last+1] != '/' && m.digits < 2 && (m.digits == 0 || m.changes < 4) && !strange(v):
			return span{}, false
		case joined(v):
		case m.letters() == 0 && strings.IndexByte(v, ':') >= 0, s[last] == ' ' && m.digits < 2 && wordy(v) &&
			(m.digits == 1 && !told || m.uppers > 0 && strings.IndexByte(v, '-') > 0):
			return span{}, false // a time, a name: 10:00:00, GitHub2
		case run(v, 0, lower) < 9 && byteAt(v, run(v, 0, lower)) == '=': // user=bob@acme.io ip=…
			return span{}, false
		case plain(v) && (strings.IndexByte(v, ':') >= 0 || !clause(s, stop) || describes(v) || describes(user) ||
			dummy(v) || !named):
			return span{}, false
		}
		return checkSecret(s, from, stop, n)
	}
	return span{}, false
}

// firstWord returns the beginning of s up to the first blank or comma, at most 64 bytes.
func firstWord(s string) string {
	end := 0
	for end < len(s) && end < 64 && s[end] > ' ' && s[end] != ',' {
		end++
	}
	return s[:end]
}

// list looks for a secret of several words or lines: the words of a wallet, recovery codes.
func list(s string, end int, n named) (span, bool) {
	p := end
	for p < len(s) && p-end < 16 && strings.IndexByte(" \t\r\n:=\"'`-*", s[p]) >= 0 {
		p++
		for _, is := range [...]string{"is ", "is:", "are ", "are:"} {
			if strings.HasPrefix(s[p:], is) {
				p += len(is)
			}
		}
	}
	last, found, first, digits := p, 0, 0, 0
	for at := p; at < len(s) && at-p < maxValue; {
		q := at
		for q < len(s) && q-at < 8 && (strings.IndexByte(" \t\r\n,-*", s[q]) >= 0 ||
			class[s[q]]&digit != 0 && strings.IndexByte(".)", byteAt(s, q+1)) >= 0 || q > at && (s[q] == '.' ||
			s[q] == ')')) {
			q++
		}
		e := q
		for e < len(s) && e-q < 80 && class[s[e]]&word != 0 {
			e++
		}
		f := measure(s[q:e])
		if found == 0 {
			first = f.length
		}
		if n.kind == "code" && (f.length < 4 || f.length != first || f.lowers > 0 && (f.length < 6 ||
			f.digits+f.others == 0)) ||
			n.kind != "code" && (f.lowers != f.length || f.length < 3 || f.length > 8) {
			break
		}
		digits += f.digits
		found++
		last, at = e, e
	}
	if n.kind == "code" && last-p < 8 || n.kind != "code" && last-p < found*11/2 {
		return span{}, false
	}
	if found == 0 || n.kind == "code" && digits < 1 || n.kind != "code" && found < 12 {
		return span{}, false
	}
	return span{p, last, n.kind}, true
}
