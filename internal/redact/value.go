package redact

import (
	"strings"
	"unicode/utf8"
)

// announced looks for the secret that the name s[i:end] announces: in an assignment, a header, a flag or a sentence.
func announced(s string, i, end int, n named) (span, bool) {
	if n.rank == header {
		return authorized(s, i, end, n)
	}
	p := end
	if n.bare || p < len(s) {
		switch { // the end of a quoted key, an index
		case strings.HasPrefix(s[p:], `\"`):
			p += 2
		case p < len(s) && (s[p] == '"' || s[p] == '\'' || s[p] == '`'):
			p++
		}
		if p < len(s) && s[p] == ']' {
			p++
		}
	}
	gap := run(s, p, space)
	if gap < len(s) && s[gap] == ':' && s[end] == ':' && (n.kind == "token" && !strings.HasSuffix(s[i:end], "oken") && !strings.HasSuffix(s[i:end], "OKEN") || short(s[i:end])) {
		return span{}, false // a test's PASS: …, a build's signature: …
	}
	if gap < len(s) && (s[gap] == '=' || s[gap] == ':') || strings.HasPrefix(s[gap:], "：") || strings.HasPrefix(s[gap:], "＝") {
		return assigned(s, i, gap, gap > p, n)
	}
	if p != end && s[end] != '`' && s[end] != '"' {
		return span{}, false
	}
	if i >= 2 && s[i-2:i] == "--" || i >= 1 && s[i-1] == '-' && (i == 1 || class[s[i-2]]&space != 0) { // a flag and its value
		if gap == end {
			return span{}, false
		}
		return literal(s, gap, n, flagged)
	}
	if short(s[i:end]) { // to pass something, a test's pass, the command pwd
		return span{}, false
	}
	if n.bare || n.kind == "api-key" {
		return sentence(s, i, p, n)
	}
	return spoken(s, gap, named{rank: weak, kind: n.kind}, false) // aws configure set aws_secret_access_key …
}

// option recognises the password behind a short flag, whose letter stands at i, of a few programs that take one there.
func option(s string, i int) (span, bool) {
	if i < 2 || s[i-1] != '-' || class[s[i-2]]&space == 0 || i+1 >= len(s) {
		return span{}, false
	}
	line := s[max(0, i-256):i]
	line = line[strings.LastIndexAny(line, "\n|;&`(")+1:]
	has := func(programs ...string) bool {
		for _, p := range programs {
			if at := strings.Index(line, p); at >= 0 && (at == 0 || class[line[at-1]]&word == 0) {
				return true
			}
		}
		return false
	}
	p := run(s, i+1, space)
	switch s[i] {
	case 'p':
		if p == i+1 && has("mysql", "mariadb") || p > i+1 && has("docker login", "podman login", "helm registry login", "mongo", "ldapsearch") || has("sshpass") {
			return literal(s, p, named{rank: strong, kind: "password"}, flagged)
		}
	case 'a':
		if p > i+1 && has("redis-cli") {
			return literal(s, p, named{rank: strong, kind: "password"}, flagged)
		}
	case 'u':
		if !has("curl", "http", "wget") {
			return span{}, false
		}
		if p < len(s) && (s[p] == '"' || s[p] == '\'') {
			p++
		}
		end := p
		for end < len(s) && s[end] > ' ' && strings.IndexByte("\"'`|;", s[end]) < 0 {
			end++
		}
		if user, pass, ok := strings.Cut(s[p:end], ":"); ok && len(pass) >= 4 && !placeholder(pass) && !strings.HasPrefix(pass, "//") {
			return span{p + len(user) + 1, end, "password"}, true
		}
	}
	return span{}, false
}

// short reports whether a name is as often another word.
func short(name string) bool {
	return strings.EqualFold(name, "pass") || strings.EqualFold(name, "pwd") || strings.EqualFold(name, "pw")
}

// Where a value stands.
type place int

const (
	code    place = iota // may be an expression
	file                 // NAME=value, a line of its own
	flagged              // behind a flag
	prose                // in a sentence
)

// assigned looks at what stands behind the separator at p. spaced says that white space stands before it.
func assigned(s string, i, p int, spaced bool, n named) (span, bool) {
	where := code
	switch {
	case strings.HasPrefix(s[p:], "：") || strings.HasPrefix(s[p:], "＝"):
		p += 3
		where = prose
	case strings.HasPrefix(s[p:], "::"), strings.HasPrefix(s[p:], "://"):
		return span{}, false
	case strings.HasPrefix(s[p:], ":="), strings.HasPrefix(s[p:], "=>"), strings.HasPrefix(s[p:], "=="):
		p += 2
		if p < len(s) && s[p] == '=' {
			p++
		}
	default:
		if !spaced && leads(s, i) {
			where = file
		} else if s[p] == ':' && !spaced && n.rank == strong && n.bare {
			where = prose
		}
		p++
	}
	q := run(s, p, space)
	if q > p && where == file && s[p-1] == '=' {
		where = code
	}
	if f, ok := literal(s, q, n, where); ok {
		return f, true
	}
	// A type between the name and the value: token: string = "…"
	if w := run(s, q, word); s[p-1] == ':' && w > q && w-q < 24 {
		if e := run(s, w, space); e < len(s) && s[e] == '=' && !strings.HasPrefix(s[e:], "==") {
			if v := run(s, e+1, space); v < len(s) && (s[v] == '"' || s[v] == '\'' || s[v] == '`') {
				return literal(s, v, n, code)
			}
		}
	}
	return span{}, false
}

// leads reports whether the name at i begins its line, but for white space, a list's dash, export, or a shell's set.
func leads(s string, i int) bool {
	start := max(0, i-128)
	start += strings.LastIndexByte(s[start:i], '\n') + 1
	if at := strings.LastIndex(s[start:i], `\n`); at >= 0 {
		start += at + 2
	}
	before := strings.TrimLeft(s[start:i], " \t")
	if strings.HasSuffix(before, "_") || strings.HasPrefix(before, "//") { // .npmrc: //registry/:_authToken=
		return true
	}
	before = strings.TrimRight(before, " ")
	if dot := strings.TrimRight(before, "."); len(dot) < len(before) && !strings.ContainsAny(dot, " \t(") { // spring.datasource.password=
		return true
	}
	switch before {
	case "", "-", "export", "set", "setx", "ENV", "env", "$", "- -":
		return true
	}
	return false
}

// literal returns the value at q, if it is one and not an expression, a type, or something to fill in.
func literal(s string, q int, n named, where place) (span, bool) {
	if q >= len(s) {
		return span{}, false
	}
	quote := ""
	switch {
	case strings.HasPrefix(s[q:], `\"`):
		quote = `\"`
	case s[q] == '"', s[q] == '\'', s[q] == '`':
		quote = s[q : q+1]
	case strings.HasPrefix(s[q:], "“"):
		quote = "”"
	case strings.HasPrefix(s[q:], "«"):
		quote = "»"
	}
	if quote != "" {
		from := q + len(quote)
		if quote == "»" {
			from = q + len("«")
		}
		line := min(len(s), from+maxValue)
		if nl := strings.IndexByte(s[from:line], '\n'); nl >= 0 {
			line = from + nl
		}
		end, closed := line, false
		for k := from; k < line; k++ {
			if strings.HasPrefix(s[k:line], quote) {
				end, closed = k, true
				break
			}
			if s[k] == '\\' && len(quote) == 1 {
				k++
			}
		}
		v := s[from:end]
		if !closed {
			if len(v) > 200 || strings.Contains(v, " ") {
				return span{}, false
			}
		}
		if strings.HasPrefix(v, "+") || strings.HasSuffix(v, "+") { // "password="+word+"…": the quote ends a string
			return span{}, false
		}
		if !accepts(v, n, where, true) {
			return span{}, false
		}
		return span{from, end, n.kind}, true
	}
	end := q
scan:
	for end < len(s) && end-q <= maxValue {
		c := s[end]
		switch {
		case class[c]&word != 0: // as nearly all are
		case c <= ' ' || c == 0x7f || c == '"' || c == '`':
			break scan
		case c == '\'' && where != file:
			break scan
		case c == '\\' && end+1 < len(s) && strings.IndexByte("nrt\"'\\", s[end+1]) >= 0:
			break scan
		case where != file && where != prose && strings.IndexByte(",;)}]&|<>", c) >= 0:
			break scan
		case c >= 0x80:
			r, size := utf8.DecodeRuneInString(s[end:])
			if r == utf8.RuneError || strings.ContainsRune("…”’»，。、；）」』！？", r) || r == 0x2028 || r == 0xa0 || r == 0x3000 {
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
	if len(v) > maxValue || !accepts(v, n, where, false) {
		return span{}, false
	}
	return span{q, end, n.kind}, true
}

// accepts reports whether v, behind the name n, is a secret.
func accepts(v string, n named, where place, quoted bool) bool {
	if len(v) < 4 || placeholder(v) || strings.Contains(v, "://") {
		return false
	}
	if strings.HasPrefix(v, "eyJ") && len(v) > 20 {
		return true
	}
	f := measure(v)
	if !quoted && expression(v, where) {
		return false
	}
	if path(v) || algorithm(v) {
		return false
	}
	if n.rank == weak {
		return weakly(v, f, n, quoted)
	}
	blank := strings.ContainsAny(v, " \t")
	switch {
	case blank:
		return false
	case f.digits == f.length: // a PIN; a number of something
		return where != code && f.length <= 16 && n.kind == "password" || quoted
	case f.letters() == f.length || f.digits == 0 && plain(v):
		if dummy(v) || capital(v) || f.uppers == f.length {
			return false
		}
		if quoted {
			return len(v) >= 5 && where != prose || where == prose && !common(v) && len(v) >= 5
		}
		return where != code && f.changes*2 >= f.length && f.uppers >= 2 // aWorDlike thIs; an identifier is not
	case f.digits > 0 && wordy(v) && strings.ContainsAny(v, "-_./"): // min-8-chars, reset_password_v2
		return quoted && where != prose && !strings.Contains(strings.ToLower(v), "pass")
	case f.digits > 0 && f.letters() > 0:
		return !unit(v) && (where != prose || len(v) >= 5)
	case f.digits == 0:
		return strings.ContainsAny(v, "!@#$%^&*?+~") && f.letters() > 2 && !strings.HasSuffix(v[:len(v)-1], "!") && strings.ContainsAny(v[:len(v)-1], "!@#$%^&*?+~")
	}
	return where != prose || strings.ContainsAny(v, "!@#$%^&*")
}

// weakly is accepts for tokens and keys, which are longer and made by machines.
func weakly(v string, f form, n named, quoted bool) bool {
	if strings.ContainsAny(v, " \t(){}[]<>|\"'`,;") || f.length < 8 {
		return false
	}
	switch {
	case n.any && (f.digits < 3 || f.length < 16 || f.others > f.length/8 || f.hex && f.uppers+f.lowers < 3):
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

// authorized looks at a header's value: a scheme and a token.
func authorized(s string, i, end int, n named) (span, bool) {
	p := end
	if n.kind == "authorization" && strings.EqualFold(s[i:end], "bearer") {
		p = run(s, p, space)
		if p == end {
			return span{}, false
		}
		return credential(s, p, n.kind)
	}
	if p < len(s) && (s[p] == '"' || s[p] == '\'') {
		p++
	}
	if p < len(s) && s[p] == ']' {
		p++
	}
	p = run(s, p, space)
	if p >= len(s) || s[p] != ':' && s[p] != '=' {
		return span{}, false
	}
	p = run(s, p+1, space)
	for p < len(s) && (s[p] == '"' || s[p] == '\'' || s[p] == '`' || s[p] == '\\' || s[p] == 'f' && p+1 < len(s) && (s[p+1] == '"' || s[p+1] == '\'')) {
		p++
	}
	if n.kind == "cookie" {
		w := run(s, p, word)
		if w >= len(s) || w == p || s[w] != '=' {
			return span{}, false
		}
		last := w + 1
		for last < min(len(s), w+2*maxValue) && s[last] != '"' && s[last] != '\'' && s[last] != '\n' && s[last] != '`' {
			last++
		}
		v := strings.TrimRight(s[w+1:last], " \r\\")
		if f := measure(v); f.length < 16 || f.digits == 0 || placeholder(v) || wordy(v) {
			return span{}, false
		}
		return span{w + 1, w + 1 + len(v), n.kind}, true
	}
	w := run(s, p, word)
	if v := run(s, w, space); v > w && v < len(s) {
		switch strings.ToLower(s[p:w]) {
		case "bearer", "basic", "token", "apikey", "digest", "negotiate", "key", "bot", "ssws", "genie", "geniekey":
			if s[v] == '"' || s[v] == '\'' { // "Bearer " + token
				return span{}, false
			}
			return credential(s, v, n.kind)
		}
		if strings.HasPrefix(s[p:], "AWS4-HMAC-SHA256") {
			last := v
			for last < min(len(s), v+maxValue) && s[last] != '"' && s[last] != '\'' && s[last] != '\n' && s[last] != '`' {
				last++
			}
			return span{v, last, n.kind}, last-v > 20
		}
	}
	return credential(s, p, n.kind)
}

// credential is the token at p of a header.
func credential(s string, p int, kind string) (span, bool) {
	if p < len(s) && (s[p] == '`' || s[p] == '"') {
		p++
	}
	end := p
	for end < len(s) && (class[s[end]]&(alnum|base) != 0 || s[end] == '.' || s[end] == '~' || s[end] == ':' || s[end] == '%' || s[end] == '!' || s[end] == '@' || s[end] == '#' || s[end] == '*' || s[end] == '$' || s[end] == '^') {
		end++
	}
	for end > p && (s[end-1] == '.' || s[end-1] == ':' || s[end-1] == '!') && !cutOff(s, end-1) {
		end--
	}
	for end > p && s[end-1] == '.' {
		end--
	}
	v := s[p:end]
	f := measure(v)
	switch {
	case f.length < 8 || placeholder(v) || strings.Contains(v, "://"):
		return span{}, false
	case f.digits > 0 && f.letters() > 0 && (!wordy(v) || f.length >= 24), f.digits == 0 && f.length >= 12 && (f.changes >= 5 && f.uppers >= 2 && f.lowers >= 2 || strings.HasSuffix(v, "=")):
		return span{p, end, kind}, !expression(v, code) || f.length >= 16
	}
	return span{}, false
}

// sentence looks for the secret that is named in prose: "the password for staging is …".
func sentence(s string, i, p int, n named) (span, bool) {
	const reach = 56
	at, words := p, 0
	for at < len(s) && at-p < reach && words < 8 {
		next := run(s, at, space)
		if next >= len(s) {
			return span{}, false
		}
		// 密码是…: no white space between words.
		for _, is := range [...]string{"是", "为", "は", "는", "은", "이", "เป็น", "คือ", "—", "–", "→"} {
			if strings.HasPrefix(s[next:], is) {
				return spoken(s, run(s, next+len(is), space), n, true)
			}
		}
		if next == at && at != p {
			return span{}, false // punctuation: the sentence or its clause ends
		}
		if next == at && class[s[at]]&alnum == 0 && s[at] < 0x80 {
			return span{}, false
		}
		if s[next] == '=' || s[next] == ':' {
			if words == 0 {
				return span{}, false
			}
			return spoken(s, run(s, next+1, space), n, true)
		}
		if (s[next] == '"' || s[next] == '\'' || s[next] == '`') && words == 0 {
			return spoken(s, next, n, true)
		}
		end := next
		for end < len(s) && end-next <= reach && (class[s[end]]&alnum != 0 || s[end] >= 0x80 || s[end] == '-' || s[end] == '_' || s[end] == '/' || s[end] == '\'' || s[end] == '.' && end+1 < len(s) && s[end+1] > ' ') {
			end++
		}
		if end == next {
			if words == 0 {
				return spoken(s, next, n, false)
			}
			return span{}, false
		}
		switch strings.ToLower(s[next:end]) {
		case "is", "was", "ist", "war", "lautet", "es", "é", "era", "est", "était", "è", "to", "jest", "это", "είναι", "هي", "है", "now", "será", "sera", "wird":
			if f, ok := spoken(s, run(s, end, space), n, true); ok {
				return f, true
			}
			if words > 0 || n.rank == weak {
				return span{}, false
			}
		default:
			if words == 0 {
				if f, ok := spoken(s, next, n, false); ok {
					return f, true
				}
			}
			if end < len(s) && s[end] == ':' {
				return spoken(s, run(s, end+1, space), n, true)
			}
		}
		at = end
		words++
	}
	return span{}, false
}

// spoken is the secret at p of a sentence. Said so, it stands behind "is" or a colon; else right behind its name.
func spoken(s string, p int, n named, said bool) (span, bool) {
	if p >= len(s) {
		return span{}, false
	}
	for _, is := range [...]string{"is ", "now ", "still ", "just ", "actually "} {
		if rest, ok := strings.CutPrefix(s[p:], is); ok {
			p = len(s) - len(rest)
		}
	}
	f, ok := literal(s, p, n, prose)
	if !ok {
		return f, false
	}
	v := s[f.start:f.end]
	if rest := s[f.end:]; measure(v).digits == len(v) && len(rest) > 1 && rest[0] == ' ' && class[rest[1]]&lower != 0 {
		return span{}, false // 1024 bytes
	}
	if said {
		return f, true
	}
	m := measure(v)
	if n.rank == weak {
		return f, m.hex && m.length >= 32 || m.length >= 20 && m.changes >= 6 && !wordy(v)
	}
	if p < len(s) && (s[p] == '"' || s[p] == '`' || s[p] == '\'') {
		return f, m.digits > 0 || strings.ContainsAny(v, "!@#$%^&*")
	}
	line := s[max(0, p-256):p]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return f, m.digits > 0 && m.letters() > 0 && (m.changes >= 3 || strings.ContainsAny(v, "!@#$%^&*") || strings.Contains(line, "login ") || strings.Contains(line, "user ") || strings.Contains(line, "with password ") || strings.Contains(line, "use password "))
}

// url looks at the user and password, or what stands for them, of the URL whose authority begins at p.
func url(s string, p int) (span, bool) {
	end := p
	for end < len(s) && end-p < maxValue && s[end] > ' ' && strings.IndexByte("/?#\"'`<>|\\", s[end]) < 0 {
		end++
	}
	at := strings.LastIndexByte(s[p:end], '@')
	if at < 0 {
		return span{}, false
	}
	user, pass, ok := strings.Cut(s[p:p+at], ":")
	from := p + len(user) + 1
	if strings.HasPrefix(s[p:], Mark) {
		return span{}, false
	}
	if f, known := known(s, p, run(s, p, word)); known {
		return f, true
	}
	if !ok || pass == "" || pass == "x-oauth-basic" {
		if f := measure(user); f.length >= 20 && f.digits > 0 && !placeholder(user) && !wordy(user) {
			return span{p, p + len(user), "url-password"}, true
		}
		return span{}, false
	}
	if placeholder(pass) {
		return span{}, false
	}
	return span{from, p + at, "url-password"}, true
}
