package redact

import "strings"

// announced looks for the secret that the name s[i:end] announces: in an assignment, a header, a flag, an element or a
// sentence.
func announced(s string, i, end int, n named) (span, bool) {
	if i > 1 && s[i-1] == ':' && class[s[i-2]]&alnum != 0 && end < len(s) && s[end] == ':' || follows(s, i, "${") { // arn:…:secret:…, ${PASSWORD:-}
		return span{}, false
	}
	if end+1 < len(s) && s[end] == ':' && class[s[end+1]]&alnum != 0 { // ${db.password:X}
		k := i
		for k > 0 && i-k < 64 && (class[s[k-1]]&word != 0 || s[k-1] == '.') {
			k--
		}
		if close := strings.IndexByte(s[end:min(len(s), end+maxValue)], '}'); follows(s, k, "${") && close > 0 {
			return spare(s, end+1, end+close, n)
		}
	}
	switch n.rank {
	case header:
		return authorized(s, i, end, n)
	case pair:
		return both(s, i, end)
	}
	p := end
	quoted := false
	switch { // the end of a quoted key, an index
	case strings.HasPrefix(s[p:], `\"`):
		p += 2
		quoted = true
	case p < len(s) && (s[p] == '"' || s[p] == '\'' || s[p] == '`') && !strings.HasPrefix(s[p:], "'s "):
		p++
		quoted = true
	}
	if p < len(s) && s[p] == ']' {
		p++
	}
	gap := run(s, p, space)
	if gap < len(s) && (s[gap] == '=' || s[gap] == ':') || strings.HasPrefix(s[gap:], "：") || strings.HasPrefix(s[gap:], "＝") {
		if strings.HasPrefix(s[gap:], ":** ") {
			return spoken(s, run(s, gap+3, space), n, true)
		}
		if s[gap] == ':' && n.short && !n.abroad && (s[i:end] == "PASS" || i > 0 && s[i-1] == '"' && s[end] == ':') {
			return span{}, false // a test's PASS: …
		}
		return assigned(s, i, gap, gap > p, n)
	}
	if p < len(s) && !quoted && s[p] == '(' {
		return called(s, i, p, n)
	}
	if f, ok := valued(s, i, end, p, quoted, n); ok {
		return f, true
	}
	if p != end && s[end] != '`' && s[end] != '"' {
		return span{}, false
	}
	if i >= 1 && s[i-1] == '-' && (i == 1 || s[i-2] == '-' || class[s[i-2]]&space != 0) { // a flag and its value
		if gap == end {
			return span{}, false
		}
		return literal(s, gap, n, flagged)
	}
	if gap < len(s) && (strings.HasPrefix(s[gap:], "** ") || strings.HasPrefix(s[gap:], "| ") || strings.HasPrefix(s[gap:], ":** ")) && n.rank == strong { // a table's cell, bold type
		return spoken(s, run(s, gap+strings.IndexByte(s[gap:], ' '), space), n, false)
	}
	if gap > p && gap < len(s) && (strings.HasPrefix(s[gap:], "-String ") || n.kind == "password" && n.rank == strong) {
		if strings.HasPrefix(s[gap:], "-String ") {
			gap += len("-String ")
		}
		if by := strings.EqualFold(s[i:end], "by"); (by || !n.short && (leads(s, i) || !n.bare || s[i]&0x20 == 0 || end-i > 8)) && (s[gap] == '\'' || s[gap] == '"') { // PASSWORD 'X', IDENTIFIED BY 'X', $password 'X'
			return literal(s, gap, n, tight)
		}
	}
	if gap > p && sets(s, i, s[i:end], n) {
		if f, ok := literal(s, gap, n, flagged); ok && (f.end >= len(s) || s[f.end] <= ' ' && s[f.end] != ' ' || s[f.end] == '"' || s[f.end] == '\'') { // ENV NAME X
			return f, true
		}
	}
	if n.short && !n.abroad {
		f, ok := spoken(s, gap, n, false)
		if was := strings.HasPrefix(s[gap:], "is "); was {
			f, ok = spoken(s, gap, n, true)
		}
		m := measure(s[min(f.start, len(s)):min(f.end, len(s))])
		return f, ok && m.digits > 0 && !strings.ContainsAny(s[f.start:f.end], "=(<>:/") && (m.letters() > 2 || n.kind == "pin" && strings.HasPrefix(s[gap:], "is "))
	}
	if n.bare || n.kind == "api-key" || n.rank == strong {
		if f, ok := backward(s, i, n); ok {
			return f, true
		}
		return sentence(s, i, p, n)
	}
	return spoken(s, gap, named{rank: weak, kind: n.kind}, false) // aws configure set aws_secret_access_key …
}

// sets reports whether the name at i is that of a setting, and its value stands behind a blank.
func sets(s string, i int, name string, n named) bool {
	line := lineBefore(s, i)
	named := n.kind == "password" && !n.bare || strings.HasPrefix(name, "require") || name == "masterauth" ||
		strings.HasPrefix(line, "ENV ") || strings.HasPrefix(line, "setx")
	return named && (leads(s, i) || strings.HasSuffix(line, "set -x ") || strings.Contains(line, "config set "))
}

// lineBefore is the line of i as far as i.
func lineBefore(s string, i int) string {
	line := s[max(0, i-128):i]
	steps(len(line))
	return strings.TrimLeft(line[lastLine(line):], " \t")
}

// lastLine returns where the last line of s begins. Looking for it forwards is faster than strings.LastIndexByte.
func lastLine(s string) (start int) {
	for {
		nl := strings.IndexByte(s[start:], '\n')
		if nl < 0 {
			return start
		}
		start += nl + 1
	}
}

// valued looks for the value that stands apart from its name: in an element, in the next attribute or line, as a function's
// second argument, or as what a variable is by default.
func valued(s string, i, end, p int, quoted bool, n named) (span, bool) {
	if p < len(s) && s[p] == '>' && i > 0 && (s[i-1] == '<' || s[i-1] == ':' || quoted) { // <password>X</password>
		from := p + 1
		last := from
		for last < len(s) && last-from < maxValue && s[last] != '<' && s[last] != '\n' {
			last++
		}
		if strings.HasPrefix(s[last:], "</") && strings.TrimSpace(s[from:last]) == s[from:last] {
			return spare(s, from, last, n)
		}
		if rest := s[from:]; strings.HasPrefix(rest, "<value>") || strings.HasPrefix(rest, "<string>") {
			return valued(s, i, end, from+strings.IndexByte(rest, '>'), true, n)
		}
		return span{}, false
	}
	if !quoted && strings.HasPrefix(s[p:], "</key>") { // a property list
		from := p + len("</key>")
		from += len(s[from:min(len(s), from+64)]) - len(strings.TrimLeft(s[from:min(len(s), from+64)], " \t\r\n"))
		if strings.HasPrefix(s[from:], "<string>") {
			return valued(s, i, end, from+len("<string>")-1, true, n)
		}
		return span{}, false
	}
	q := p
	for q < len(s) && q-p < 48 && (s[q] == ' ' || s[q] == '\t' || s[q] == '\n' || s[q] == '\r' || quoted && strings.IndexByte(",{", s[q]) >= 0) {
		q++
	}
	if q == p || q >= len(s) {
		return span{}, false
	}
	if quoted && s[p] == ',' && (s[q] == '"' || s[q] == '\'') {
		if f, ok := second(s, i, q, n); ok {
			return f, true
		}
	}
	if q < len(s) && (s[q] == '"' || s[q] == '\'') {
		q++
	}
	if !quoted && !strings.Contains(s[p:q], "\n") {
		return span{}, false
	}
	switch {
	case len(s)-q > 6 && strings.EqualFold(s[q:q+5], "value"):
		q += 5
	case quoted && strings.Contains(s[p:q], "{"): // variable "db_password" { default = "X" }
		body := s[q:min(len(s), q+240)]
		if close := strings.IndexByte(body, '}'); close >= 0 {
			body = body[:close]
		}
		at := strings.Index(body, "default")
		if at < 0 {
			return span{}, false
		}
		q += at + len("default")
	default:
		return span{}, false
	}
	if q < len(s) && (s[q] == '"' || s[q] == '\'') {
		q++
	}
	q = run(s, q, space)
	if q >= len(s) || s[q] != '=' && s[q] != ':' {
		return span{}, false
	}
	return literal(s, run(s, q+1, space), n, file)
}

// second is the second argument, quoted at q, of a function that sets what its first names: define('DB_PASSWORD', 'X').
func second(s string, i, q int, n named) (span, bool) {
	k := i
	for k > 0 && i-k < 80 && (class[s[k-1]]&word != 0 || s[k-1] == '.' || s[k-1] == ':') {
		k--
	}
	if k == 0 || s[k-1] != '"' && s[k-1] != '\'' {
		return span{}, false
	}
	k--
	for k > 0 && s[k-1] == ' ' && i-k < 96 {
		k--
	}
	if k == 0 || s[k-1] != '(' {
		return span{}, false
	}
	function := strings.ToLower(s[max(0, k-40) : k-1])
	for _, verb := range [...]string{"define", "set", "setenv", "putenv", "put", "add", "property", "variable", "header", "append", "with"} {
		if at := strings.LastIndex(function, verb); at >= 0 && run(function, at, word) == len(function) {
			return literal(s, q, n, tight)
		}
	}
	return span{}, false
}

// called is the argument of a function that is named after what it takes, whose bracket opens at p: setPassword("X").
func called(s string, i, p int, n named) (span, bool) {
	verb := strings.ToLower(s[i:p])
	if !n.bare && !strings.HasPrefix(verb, "set") && !strings.HasPrefix(verb, "with") && !strings.HasPrefix(verb, "use") || p+1 >= len(s) || s[p+1] != '"' && s[p+1] != '\'' {
		return span{}, false
	}
	f, ok := literal(s, p+1, n, tight)
	return f, ok && f.end+1 < len(s) && s[f.end+1] == ')'
}

// logins are functions that take a password, and the place of it among the arguments.
var logins = [...]struct {
	name string
	at   int
}{{"mysqli_connect", 3}, {"mysql_connect", 3}, {"mysqli", 3}, {"PDO", 3}, {"getConnection", 3}, {"auth", 2}, {"login", 2}, {"HTTPBasicAuth", 2}, {"basicAuth", 2}, {"basic_auth", 2}, {"BasicAuth", 2}, {"SetBasicAuth", 2}, {"setBasicAuth", 2}, {"authenticate", 2}, {"NetworkCredential", 2}, {"sign_in", 2}, {"signIn", 2}}

// authenticated looks for the password among the arguments of the function s[i:end].
func authenticated(s string, i, end int) (span, bool) {
	p := end
	if p < len(s) && s[p] == '=' {
		p++
	}
	if p >= len(s) || s[p] != '(' {
		return span{}, false
	}
	for _, l := range logins {
		if s[i:end] != l.name {
			continue
		}
		p++
		for n := l.at; p < len(s); n-- {
			p = run(s, p, space)
			if n == 1 {
				if p < len(s) && (s[p] == '"' || s[p] == '\'') {
					return literal(s, p, named{rank: strong, kind: "password"}, tight)
				}
				return span{}, false
			}
			from := p
			if p < len(s) && (s[p] == '"' || s[p] == '\'') {
				for p++; p < len(s) && p-from < 200 && s[p] != s[from] && s[p] != '\n'; p++ {
				}
				p++
			} else {
				for p < len(s) && p-from < 64 && (class[s[p]]&word != 0 || s[p] == '.' || s[p] == '$') {
					p++
				}
			}
			if p >= len(s) || s[p] != ',' {
				return span{}, false
			}
			p++
		}
	}
	return span{}, false
}

// assigned looks at what stands behind the separator at p. spaced says that white space stands before it.
func assigned(s string, i, p int, spaced bool, n named) (span, bool) {
	where := code
	colon := s[p] == ':'
	switch {
	case s[p] >= 0x80: // ：＝
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
		p++
		switch front := leads(s, i); {
		case front && !spaced:
			where = file
		case n.abroad:
			where = prose
		case front && !colon && class[byteAt(s, p)]&space != 0 && settings(s, i):
			where = file
		case !colon && spaced && n.rank == strong && n.bare && inProse(s, i):
			where = prose
		case colon && n.rank == strong && n.bare && class[byteAt(s, p)]&space != 0:
			where = prose
		case !spaced && class[byteAt(s, p)]&space == 0:
			where = tight
		}
	}
	q := run(s, p, space)
	if q > p && where == file && !colon && !settings(s, i) {
		where = code
	}
	if q < len(s) && s[q] == 'N' && strings.HasPrefix(s[q+1:], "'") { // N'X' of SQL
		q++
	}
	if strings.HasPrefix(s[q:], "PASSWORD(") || strings.HasPrefix(s[q:], "base64:") && n.rank != strong {
		q += strings.IndexAny(s[q:], "(:") + 1
	}
	if follows(s, i, "/") && colon { // user/pass: bob/X
		if user := run(s, q, word); user > q && user+1 < len(s) && s[user] == '/' && s[user+1] > ' ' {
			q = user + 1
		}
	}
	if where == tight && i > 1 && s[i-1] == '(' && s[i-2] == ' ' {
		where = flagged
	}
	if f, ok := literal(s, q, n, where); ok {
		v := s[f.start:f.end]
		alone := f.start == q && (where == prose || where == file && (colon || q > p)) && plain(v)
		return f, !alone || n.rank == weak || !describes(v) && (clause(s, f.end) || strings.HasPrefix(lineBefore(s, i), "- {"))
	}
	if colon && where == prose && n.abroad {
		return spoken(s, q, n, true)
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

func byteAt(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// follows reports whether this stands right before i.
func follows(s string, i int, what string) bool { return strings.HasSuffix(s[:i], what) }

// inProse reports whether nothing but words stands before i in its line, none of which begins a declaration.
func inProse(s string, i int) bool {
	line := strings.TrimRight(lineBefore(s, i), " ")
	last := line[strings.LastIndexByte(line, ' ')+1:]
	return line != "" && strings.Trim(line, " abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'") == "" && !strings.Contains(" const let var val string auto def final static char local my our set and if when where public private ", " "+strings.ToLower(last)+" ")
}

// clause reports whether a clause of a sentence, or a line, ends at i.
func clause(s string, i int) bool {
	switch {
	case i >= len(s) || s[i] == '\n' || s[i] == '\r':
		return true
	case strings.IndexByte(".,;!?)\"'", s[i]) >= 0:
		return i+1 >= len(s) || s[i+1] <= ' ' || s[i+1] == '"'
	case s[i] == '\\':
		return strings.HasPrefix(s[i:], `\n`) || strings.HasPrefix(s[i:], `\"`)
	}
	rest := s[i:]
	return strings.HasPrefix(rest, " and ") || strings.HasPrefix(rest, " but ") || strings.HasPrefix(rest, " by the way") || strings.HasPrefix(rest, " #") || strings.HasPrefix(rest, " please") || strings.HasPrefix(rest, "  ")
}

// settings reports whether the name at i stands among settings of the form name = value, not in code.
func settings(s string, i int) bool {
	from := max(0, i-200)
	steps(min(len(s), i+200) - from)
	start := from + strings.LastIndexByte(s[from:i], '\n') + 1
	line := s[i:min(len(s), i+200)]
	if nl := strings.IndexByte(line, '\n'); nl >= 0 {
		line = line[:nl]
	}
	if strings.ContainsAny(line, ";({") && !strings.Contains(line, "'") || strings.ContainsAny(s[start:i], "$;(") {
		return false
	}
	above := strings.TrimRight(s[from:start], "\n")
	above = strings.TrimSpace(above[strings.LastIndexByte(above, '\n')+1:])
	if above == "" {
		return true
	}
	key, _, ok := strings.Cut(above, "=")
	key = strings.TrimSpace(key)
	return above[0] == '[' || above[0] == '#' || ok && run(key, 0, word) == len(key) && !strings.ContainsAny(above, ";({[")
}

// leads reports whether the name at i begins its line, but for white space, a list's dash, export, or a shell's set.
func leads(s string, i int) bool {
	start := max(0, i-128)
	steps(i - start)
	start += lastLine(s[start:i])
	if strings.IndexByte(s[start:i], '\\') >= 0 {
		if at := strings.LastIndex(s[start:i], `\n`); at >= 0 {
			start += at + 2
		}
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
		if f := measure(s[w+1 : min(len(s), w+257)]); f.digits == 0 {
			return span{}, false
		}
		last := w + 1
		for last < min(len(s), w+2*maxValue) && s[last] != '"' && s[last] != '\'' && s[last] != '\n' && s[last] != '`' {
			last++
		}
		v := strings.TrimRight(s[w+1:last], " \r\\")
		steps(len(v))
		if f := measure(v[:min(len(v), 256)]); f.length < 16 || f.digits == 0 || placeholder(v) || wordy(v) {
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
	steps(len(v))
	f := measure(v)
	switch {
	case f.length < 8 || placeholder(v) || strings.Contains(v, "://"):
		return span{}, false
	case f.digits > 0 && f.letters() > 0 && (!wordy(v) || f.length >= 24), f.digits == 0 && f.length >= 12 && (f.changes >= 5 && f.uppers >= 2 && f.lowers >= 2 || strings.HasSuffix(v, "=")):
		return span{p, end, kind}, !expression(v, code) || f.length >= 16
	}
	return span{}, false
}

// copula says whether w stands between a password's name and itself, in English or a foreign language; 0 when it does not.
func copula(w string) byte {
	if len(w) > len("είναι") {
		return 0
	}
	switch strings.ToLower(w) {
	case "is", "was", "now", "to", "this", "set", "becomes", "remains":
		return 'e'
	case "ist", "war", "lautet", "heißt", "heisst", "es", "é", "era", "est", "était", "è", "jest", "це", "это", "είναι", "هي", "هو", "היא", "הוא", "है", "será", "sera", "wird", "este", "e", "je", "är", "er", "on", "là", "adalah", "ialah", "yra", "ir", "е", "је":
		return 'f'
	}
	return 0
}

// sentence looks for the secret that is named in prose: "the password for staging is …".
func sentence(s string, i, p int, n named) (span, bool) {
	const reach = 56
	at, words := p, 0
	if strings.HasPrefix(s[p:], "'s ") || strings.HasPrefix(s[p:], "’s ") {
		return spoken(s, p+strings.IndexByte(s[p:], ' ')+1, n, true)
	}
	for at < len(s) && at-p < reach && words < 8 {
		next := run(s, at, space)
		if next >= len(s) {
			return span{}, false
		}
		if c := s[next]; c >= 0x80 || c == '-' || c == '=' { // 密码是…: no white space between words.
			for _, is := range [...]string{"是", "为", "為", "は", "는", "은", "이", "เป็น", "คือ", "—", "–", "→", "：", "->", "=>"} {
				if c == is[0] && strings.HasPrefix(s[next:], is) {
					return spoken(s, run(s, next+len(is), space), n, true)
				}
			}
		}
		if next == at && s[at] == ',' && n.rank == strong {
			for _, verb := range [...]string{", type ", ", enter ", ", use ", ", try "} {
				if f, ok := spoken(s, at+len(verb), n, false); ok && strings.HasPrefix(s[at:], verb) {
					return f, true
				}
			}
		}
		if next == at && (at != p || class[s[at]]&alnum == 0 && s[at] < 0x80) {
			return span{}, false // punctuation: the sentence or its clause ends
		}
		if s[next] == '=' || s[next] == ':' {
			if words == 0 && !n.abroad {
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
			return spoken(s, next, n, false)
		}
		steps(end - at)
		is := copula(s[next:end])
		said := is != 0
		if said {
			if end < len(s) && s[end] == ':' {
				end++
			}
			n.abroad = n.abroad || is == 'f'
			f, ok := spoken(s, run(s, end, space), n, true)
			if ok || words > 0 && !n.abroad || n.rank == weak {
				return f, ok
			}
		}
		if !said && (words == 0 || n.abroad) {
			if f, ok := spoken(s, next, n, false); ok {
				return f, true
			}
		}
		if !said && end < len(s) && s[end] == ':' {
			return spoken(s, run(s, end+1, space), n, true)
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
	if class[s[p]]&lower != 0 {
		for _, is := range [...]string{"is: ", "is ", "to ", "now ", "still ", "just ", "actually ", "set to ", "jetzt ", "nun ", "ahora ", "agora "} {
			if s[p] != is[0] {
				continue
			}
			if rest, ok := strings.CutPrefix(s[p:], is); ok && rest != "" {
				p = len(s) - len(rest)
				said = true
			}
		}
	}
	if !said && !n.entry && aWord(s, p) {
		return span{}, false
	}
	f, ok := literal(s, p, n, prose)
	if !ok {
		return f, false
	}
	v := s[f.start:f.end]
	m := measure(v)
	if v[0] == '-' {
		return span{}, false
	}
	if rest := s[f.end:]; m.digits == len(v) && len(rest) > 1 && rest[0] == ' ' && class[rest[1]]&lower != 0 {
		return span{}, false // 1024 bytes
	}
	quoted := f.start > p
	if said {
		if n.rank != weak && !quoted && plain(v) { // a word
			return f, clause(s, f.end) && !describes(v) && (!n.abroad || m.uppers > 1 || strings.Count(v, "-")+strings.Count(v, "_")+strings.Count(v, ".") > 1)
		}
		return f, true
	}
	if n.rank == weak {
		return f, m.hex && m.length >= 32 || m.length >= 20 && m.changes >= 6 && !wordy(v)
	}
	signs := m.others > 0 && strings.ContainsAny(v, "!@#$%^&*+~")
	if quoted {
		return f, m.digits > 0 || signs || !describes(v) && (follows(s[:p], p, " password ") || follows(s[:p], p, " password \n"))
	}
	line := lineBefore(s, p)
	if netrc(line) || strings.Contains(line, " connect ") && clause(s, f.end) {
		return f, !describes(v)
	}
	if m.digits < 1 && !signs || m.letters() == 0 {
		return f, false
	}
	if n.abroad || n.short && !plain(v) && m.letters() > 2 {
		return f, m.digits >= 2 || m.changes > 3 || signs
	}
	for _, w := range [...]string{"login ", "user ", "username ", "with ", "use ", "using ", "new ", "connect ", ", ", "type ", "wifi "} {
		if strings.Contains(line, w) {
			return f, true
		}
	}
	return f, m.digits > 1 && m.changes >= 3 || signs
}

// netrc reports whether the line is one of .netrc.
func netrc(line string) bool {
	return strings.HasPrefix(line, "machine ") || strings.HasPrefix(line, "default login")
}

// aWord reports whether a word of letters alone stands at p of s, as most do.
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

// backward looks for the password that stands before its name: "use X as the password".
func backward(s string, i int, n named) (span, bool) {
	if !strings.Contains(s[max(0, i-14):i], " as ") {
		return span{}, false
	}
	line := lineBefore(s, i)
	before := line
	for _, w := range [...]string{"the ", "my ", "a ", "your ", "new ", "admin ", "root ", "our "} {
		before = strings.TrimSuffix(before, w)
	}
	rest, ok := strings.CutSuffix(before, " as ")
	if !ok {
		return span{}, false
	}
	at := strings.LastIndexByte(rest, ' ') + 1
	start := i - len(line) + at
	if v := strings.Trim(rest[at:], "\"'`"); v != rest[at:] {
		start++
	}
	f, ok := literal(s[:i], start, n, prose)
	if v := s[min(f.start, i):min(f.end, i)]; ok && (plain(v) || measure(v).digits < 2) {
		return span{}, false
	}
	return f, ok
}

// both looks for the user and password behind a word such as login: "login: bob / X", "credentials bob:X".
func both(s string, i, end int) (span, bool) {
	p := end
	told := false // the pair stands behind a colon
	for words := 0; words < 6; words++ {
		q := run(s, p, space)
		if told = false; q < len(s) && (s[q] == ':' || s[q] == '=') && q == p {
			told = true
			q = run(s, q+1, space)
		}
		if q >= len(s) || q == p {
			return span{}, false
		}
		last := q
		for last < len(s) && last-q < 80 && (class[s[last]]&word != 0 || s[last] == '.' || s[last] == '@' || s[last] == '+') {
			last++
		}
		if last == q {
			return span{}, false
		}
		user := s[q:last]
		from := last
		switch {
		case strings.HasPrefix(s[last:], " / "):
			from += 3
		case last+1 < len(s) && (s[last] == '/' || s[last] == ':') && s[last+1] > ' ' && s[last+1] != '/':
			from++
		case strings.HasPrefix(s[last:], " with ") && !told:
			from += len(" with ")
		case strings.HasPrefix(s[last:], " ") && strings.Contains(user, "@") && told:
			from++
		}
		if from > last && (!dummy(user) || strings.Contains(user, "@")) {
			stop := from
			for stop < len(s) && stop-from < 128 && s[stop] > ' ' && strings.IndexByte("\"'`,;", s[stop]) < 0 {
				stop++
			}
			for stop > from && strings.IndexByte(".)!?", s[stop-1]) >= 0 && stop < len(s) {
				stop--
			}
			v := s[from:stop]
			if len(v) < 4 || strings.HasSuffix(v, ":") || strings.Contains(v, "/") || s[last] == '/' && !told && plain(v) {
				return span{}, false
			}
			n := named{rank: strong, kind: "password"}
			if m := measure(v); strings.HasPrefix(s[last:], " with ") && m.digits < 2 && (m.digits == 0 || m.changes < 4) {
				return span{}, false
			}
			if plain(v) && (strings.IndexByte(v, ':') >= 0 || !clause(s, stop) || describes(v) || describes(user) || dummy(v) || !told && s[i]|0x20 != 'c') {
				return span{}, false
			}
			return spare(s, from, stop, n)
		}
		p = last
	}
	return span{}, false
}

// url looks at the user and password, or what stands for them, of the URL whose authority begins at p.
func url(s string, p int) (span, bool) {
	end := p
	for end < len(s) && end-p < maxValue && s[end] > ' ' && strings.IndexByte("/?#\"'`<>|\\", s[end]) < 0 {
		end++
	}
	at := strings.LastIndexByte(s[p:end], '@')
	if steps(end - p); at < 0 {
		return span{}, false
	}
	user, pass, ok := strings.Cut(s[p:p+at], ":")
	from := p + len(user) + 1
	if strings.HasPrefix(s[p:], Mark) {
		return span{}, false
	}
	if f, known := known(s, p, run(s, p, word)); known && f.kind != "" {
		return f, true
	}
	if !ok || pass == "" || pass == "x-oauth-basic" {
		if strings.HasSuffix(s[p:end], ".sentry.io") { // public, and in every page
			return span{}, false
		}
		if f := measure(user); f.length >= 20 && (f.digits > 0 || f.changes > 9) && !placeholder(user) && !wordy(user) {
			return span{p, p + len(user), "url-password"}, true
		}
		return span{}, false
	}
	if placeholder(pass) || dummy(pass) && plain(pass) || pass == user {
		return span{}, false
	}
	return span{from, p + at, "url-password"}, true
}

// unnamed looks for the password of a connection string that is no URL, in the word s[i:end]: user:X@tcp(host), a line of
// .pgpass, jdbc:oracle:thin:user/X@host.
func unnamed(s string, i, end int) (span, bool) {
	n := named{rank: strong, kind: "password"}
	switch s[end] {
	case '/':
		if i > 4 && s[i-1] == ':' && strings.EqualFold(s[i-5:i], "thin:") {
			return slashed(s, i)
		}
	case ':':
		last := end + 1
		for last < len(s) && last-end < 128 && s[last] > ' ' && s[last] != '"' && s[last] != '\'' && s[last] != '/' {
			last++
		}
		if at := strings.Index(s[end:last], "@tcp("); at > 1 {
			return spare(s, end+1, end+at, n)
		}
		if end-i == 4 && s[end-1] >= '0' && s[i] >= '1' && run(s, i, digit) == end && strings.HasPrefix(s[end:], ":*:") { // any database
			if user := run(s, end+3, word); user > end+3 && user < last && s[user] == ':' {
				return spare(s, user+1, last, n)
			}
		}
		if run(s, i, digit) == end && end-i >= 4 && end-i <= 5 && i > 1 && s[i-1] == ':' && class[s[i-2]]&alnum != 0 { // host:port:database:user:X
			fields := strings.SplitN(s[end+1:last], ":", 3)
			if len(fields) == 3 && fields[0] != "" && len(fields[1]) > 1 && measure(fields[1]).letters() > 0 && len(fields[0]) > 2 {
				return spare(s, last-len(fields[2]), last, n)
			}
		}
	}
	return span{}, false
}
