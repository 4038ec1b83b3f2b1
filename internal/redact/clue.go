package redact

import "strings"

// A clue is the name of a secret in a text. Its rules look for the secret in an assignment, an element, a call, a flag,
// a table or a sentence.
type clue struct {
	s string
	named
	i, end int  // the name
	p      int  // behind the quotation mark or bracket that closes the name
	gap    int  // behind the white space there
	quoted bool // the name is a string
}

// rules are the places where the secret may stand, in the order in which announced tries them. opens holds the bytes
// one of which must follow the name there; "" allows any byte. A rule that returns a span without a kind stops the
// search of the rules.
var rules = [...]struct {
	opens string
	find  func(*clue) (span, bool)
}{
	{":=<", (*clue).assigned}, {"<>", (*clue).element}, {"(,", (*clue).argument}, {",)", (*clue).inserted},
	{"|?o", (*clue).fallback},
	{"/", (*clue).linked},
	{"", (*clue).sibling}, {"", (*clue).flag}, {"|*:,\n", (*clue).cell}, {"", (*clue).adjacent}, {"", (*clue).said},
}

// findAnnounced looks for the secret that the name s[i:end] announces.
func (m *matcher) findAnnounced(i, end int, n named) (span, bool) {
	s := m.s
	if i > 1 && s[i-1] == ':' && class[s[i-2]]&alnum != 0 && byteAt(s, end) == ':' { // arn:…:secret:… is no name
		return span{}, false
	}
	if c := byteAt(s, end); c == ':' || c == '}' || c == '/' || c == '%' {
		if f, ok := braced(s, i, end, n); ok {
			return f, f.kind != ""
		}
	}
	switch n.rank {
	case header:
		return authorized(s, i, end, n)
	case pair:
		return login(s, i, end)
	case several:
		return list(s, end, n)
	}
	c := &m.clue // reused for each name, so that nothing is allocated
	*c = clue{s: s, named: n, i: i, end: end, p: end}
	switch { // the end of a quoted key, an index
	case strings.HasPrefix(s[end:], `\"`):
		c.p, c.quoted = end+2, true
	case end < len(s) && strings.IndexByte("\"'`", s[end]) >= 0 && !strings.HasPrefix(s[end:], "'s "):
		c.p, c.quoted = end+1, true
	}
	for c.p < len(s) && (s[c.p] == ']' || c.p > end && strings.IndexByte("\"')", s[c.p]) >= 0) {
		c.quoted = c.quoted || s[c.p] == '"' || s[c.p] == '\''
		c.p++
	}
	if byteAt(s, c.p) == '.' && !c.quoted && (strings.HasPrefix(s[c.p:], ".text =") ||
		strings.HasPrefix(s[c.p:], ".value =")) {
		c.p = run(s, c.p+1, lower)
	}
	c.gap = run(s, c.p, space)
	behind := byteAt(s, c.gap)
	for i := range rules {
		if rules[i].opens != "" && strings.IndexByte(rules[i].opens, behind) < 0 {
			continue
		}
		if f, ok := rules[i].find(c); ok {
			if f.kind != "" {
				return f, true
			}
			break
		}
	}
	return m.findNear(c)
}

// findNear looks for a word that follows the name in its line and whose look alone makes it the secret: a string drawn
// at random, or a mixed password behind the name of a password. So it finds secrets in places that no rule describes.
func (m *matcher) findNear(c *clue) (span, bool) {
	const reach, separators = 96, " \t\r\"'`:(,<>[]{}|;*\\"
	if c.short {
		return span{}, false
	}
	s, limit, seen := c.s, min(len(c.s), c.p+reach), true
	for at := max(c.p, m.dull); at < limit && s[at] != '\n'; {
		end, of := at, uint8(0)
		for end < len(s) && end < at+maxBare && class[s[end]]&word != 0 {
			of |= class[s[end]]
			end++
		}
		if byteAt(s, end) == '=' && class[byteAt(s, end+1)]&word != 0 { // a name
			at = end + 1
			continue
		}
		for end < len(s) && end < at+maxBare && s[end] > ' ' && strings.IndexByte(separators, s[end]) < 0 {
			of |= class[s[end]]
			end++
		}
		if of&digit != 0 && of&lower != 0 && end-at >= 6 {
			seen = false
			v := strings.TrimRight(s[at:end], ".!?")
			if f := measure(v); f.digits > 2 && !strings.ContainsAny(v, "#@/.") &&
				(c.rank == strong && isMixed(v) || isRandomToken(v) && strings.Count(v, "-") < 4) && // no UUID
				accepts(v, c.named, tight, true) && !address(s, at) && !public(s, at, v) {
				return span{at, at + len(v), c.kind}, true
			}
		}
		if at = max(end, at+1); seen {
			m.dull = at
		}
	}
	return span{}, false
}

// noSecret is the answer of a rule that is certain that no secret follows the name.
func noSecret() (span, bool) { return span{}, true }

// braced looks for the default value of a variable in braces: ${db.password:X}, ${DB_PASSWORD:-X}.
func braced(s string, i, end int, n named) (span, bool) {
	k := i
	for k > 0 && i-k < 64 && (class[s[k-1]]&word != 0 || s[k-1] == '.') {
		k--
	}
	if k < 2 || s[k-1] != '{' || s[k-2] != '$' && s[k-2] != '#' {
		return span{}, false
	}
	close := strings.IndexByte(s[end:min(len(s), end+maxBare)], '}')
	if close < 2 || s[end] != ':' {
		return noSecret()
	}
	from := end + 1
	if s[from] == '?' || s[from] == '+' {
		return noSecret()
	}
	if s[from] == '-' || s[from] == '=' {
		from++
	}
	f, ok := checkSecret(s, from, end+close, n)
	if !ok {
		return noSecret()
	}
	return f, true
}

// assigned looks for the value behind =, : or a similar sign.
func (c *clue) assigned() (span, bool) {
	s, p := c.s, c.gap
	at := s[p:]
	colon, spaced := strings.HasPrefix(at, ":"), p > c.p
	switch {
	case strings.HasPrefix(at, ":** "):
		return c.decided(readSpoken(s, run(s, p+3, space), c.named, true))
	case colon && c.short && !c.abroad && (s[c.i:c.end] == "PASS" || c.i > 0 && s[c.i-1] == '"' && !c.quoted),
		strings.HasPrefix(at, "::"), strings.HasPrefix(at, "://"):
		return noSecret() // PASS: in the output of a test
	case strings.HasPrefix(at, "<- "), strings.HasPrefix(at, ":="), strings.HasPrefix(at, "=>"),
		strings.HasPrefix(at, "=="):
		p += 2
		if byteAt(s, p) == '=' {
			p++
		}
	case colon, strings.HasPrefix(at, "="):
		p++
	default:
		return span{}, false
	}
	where := c.place(p, colon, spaced)
	q := run(s, p, space)
	// b"X", N'X'
	if quote := byteAt(s, q+1); (quote == '"' || quote == '\'') && strings.IndexByte("N@brfu", s[q]) >= 0 {
		q++
	}
	if tag := run(s, q+1, lower|upper); byteAt(s, q) == '!' && byteAt(s, tag) == ' ' { // !Sub X
		q = tag + 1
	}
	if follows(s, c.i, "/") && colon { // user/pass: bob/X
		if user := run(s, q, word); user > q && byteAt(s, user) == '/' && byteAt(s, user+1) > ' ' {
			q = user + 1
		}
	}
	if f, ok, typed := c.typed(q); colon && typed {
		return c.decided(f, ok)
	}
	if last := runIn(s, q, min(len(s), q+maxBare), lower|space); last > q &&
		strings.HasSuffix(strings.ToLower(s[c.i:c.end]), "phrase") {
		if v := strings.TrimRight(s[q:last], " "); passphrase(v, 4) {
			return span{q, q + len(v), c.kind}, true
		}
	}
	if f, ok := readValue(s, q, c.named, where); ok {
		v := s[f.start:f.end]
		alone := f.start == q && (where == prose || where == file && (colon || q > p)) && plain(v)
		if !alone || c.rank == weak || joined(v) || !describes(v) && (clause(s, f.end) ||
			strings.HasPrefix(lineBefore(s, c.i), "- {")) {
			return f, true
		}
		return noSecret()
	}
	if colon {
		if f, ok := below(s, q, c.named); ok {
			return f, true
		}
	}
	return noSecret()
}

// typed looks for the value behind a type that begins at q: token: string = "…".
func (c *clue) typed(q int) (f span, ok, typed bool) {
	s, w := c.s, q
	for w < len(s) && w-q < 24 && (class[s[w]]&word != 0 || strings.IndexByte("&'.<>[]*", s[w]) >= 0 ||
		s[w] == ' ' && byteAt(s, w+1) != '=') {
		w++
	}
	if e := run(s, w, space); w > q && byteAt(s, e) == '=' && !strings.HasPrefix(s[e:], "==") {
		if v := run(s, e+1, space); v < len(s) && strings.IndexByte("\"'`", s[v]) >= 0 {
			f, ok = readValue(s, v, c.named, code)
			return f, ok, true
		}
	}
	return f, false, false
}

// decided turns "not found" into "certain that there is none".
func (c *clue) decided(f span, ok bool) (span, bool) {
	if !ok {
		return noSecret()
	}
	return f, true
}

// place returns the surroundings of the separator that ends at p.
func (c *clue) place(p int, colon, spaced bool) place {
	s, front := c.s, leads(c.s, c.i)
	blank := class[byteAt(s, p)]&space != 0
	named := c.rank == strong && c.bare
	switch {
	case front && !spaced:
		return file
	case front && !colon && blank && settings(s, c.i):
		return file
	case !colon && spaced && named && inProse(s, c.i), colon && named && blank:
		return prose
	case spaced || blank:
		return code
	case c.i > 1 && s[c.i-1] == '(' && s[c.i-2] == ' ':
		return flagged
	}
	return tight
}

// below looks for a value that stands alone in the line after p, when a colon ended the line of p.
func below(s string, p int, n named) (span, bool) {
	q := p
	for q < len(s) && q-p < 32 && strings.IndexByte(" \t\r\n>`", s[q]) >= 0 {
		q++
	}
	if !strings.Contains(s[p:q], "\n") || q >= len(s) {
		return span{}, false
	}
	end := q
	for end < len(s) && end-q < maxBare && s[end] > ' ' {
		end++
	}
	v := s[q:end]
	if end < len(s) && s[run(s, end, space)%len(s)] >= ' ' || strings.HasSuffix(v, ":") || v == "" {
		return span{}, false
	}
	f := measure(v)
	if f.hex && f.length < 16 || wordy(v) && !joined(v) && f.digits < 2 {
		return span{}, false
	}
	if password := strange(v); n.rank != weak && !password ||
		n.rank == weak && !accepts(v, n, prose, true) {
		return span{}, false
	}
	return span{q, end, n.kind}, true
}

// element looks for the text of an XML element: <password>X</password>, <key>password</key><string>X</string>.
func (c *clue) element() (span, bool) {
	s, p := c.s, c.p
	if !c.quoted && strings.HasPrefix(s[p:], "</key>") {
		p += len("</key>") - 1
	} else if byteAt(s, p) != '>' || c.i == 0 || s[c.i-1] != '<' && s[c.i-1] != ':' && !c.quoted {
		return span{}, false
	}
	for p++; p < len(s); {
		if strings.HasPrefix(s[p:], "<![CDATA[") {
			p += len("<![CDATA[")
			return c.decided(checkSecret(s, p, p+max(0, strings.Index(s[p:min(len(s), p+maxValue)], "]]>")), c.named))
		}
		rest := strings.TrimLeft(s[p:min(len(s), p+64)], " \t\r\n")
		inner := min(len(s), p+64) - len(rest)
		if strings.HasPrefix(rest, "<value>") || strings.HasPrefix(rest, "<string>") {
			p = inner + strings.IndexByte(rest, '>') + 1
			continue
		}
		last := p
		for last < len(s) && last-p < maxValue && s[last] != '<' && s[last] != '\n' {
			last++
		}
		if strings.HasPrefix(s[last:], "</") && strings.TrimSpace(s[p:last]) == s[p:last] {
			return c.decided(checkSecret(s, p, last, c.named))
		}
		break
	}
	return noSecret()
}

// argument looks for the value in a call: setPassword("X"), define('DB_PASSWORD', 'X'), os.getenv("DB_PASSWORD", "X").
func (c *clue) argument() (span, bool) {
	s := c.s
	if i := c.i; i > 0 && s[i-1] == '(' && byteAt(s, c.p) == ',' && s[i]&0x20 == 0 { // -define(PASSWORD, "X")
		return readValue(s, run(s, c.p+1, space), c.named, tight)
	}
	if byteAt(s, c.p) == '(' && !c.quoted {
		verb := strings.ToLower(s[c.i:c.p])
		set := strings.HasPrefix(verb, "set") || strings.HasPrefix(verb, "with") || strings.HasPrefix(verb, "use")
		if q := byteAt(s, c.p+1); !c.bare && !set || q != '"' && q != '\'' {
			return noSecret()
		}
		if f, ok := readValue(s, c.p+1, c.named, tight); ok && byteAt(s, f.end+1) == ')' {
			return f, true
		}
		return noSecret()
	}
	q := run(s, c.p+1, space)
	if quote := byteAt(s, q); !c.quoted || byteAt(s, c.p) != ',' || quote != '"' && quote != '\'' {
		return span{}, false
	}
	k := c.i
	for k > 0 && c.i-k < 80 && (class[s[k-1]]&word != 0 || strings.IndexByte(".:#", s[k-1]) >= 0) {
		k--
	}
	if k == 0 || s[k-1] != '"' && s[k-1] != '\'' {
		return span{}, false
	}
	k = len(strings.TrimRight(s[:k-1], " "))
	if k == 0 || s[k-1] != '(' {
		return span{}, false
	}
	function := strings.ToLower(s[max(0, k-40) : k-1])
	for _, verb := range [...]string{"define", "set", "env", "put", "add", "property", "variable", "header", "append",
		"with",
		"get", "fetch", "default", "fill", "environ", "string"} {
		if at := strings.LastIndex(function, verb); at >= 0 && run(function, at, word) == len(function) {
			return readValue(s, q, c.named, tight)
		}
	}
	return span{}, false
}

// inserted looks for the value in INSERT INTO users (name, password) VALUES ('bob', 'X').
func (c *clue) inserted() (span, bool) {
	s := c.s
	open := strings.LastIndexByte(s[max(0, c.i-128):c.i], '(') + max(0, c.i-128)
	rest := s[c.p:min(len(s), c.p+128)]
	close := strings.IndexByte(rest, ')')
	steps(len(rest))
	if close < 0 || open < max(0, c.i-128) || strings.ContainsAny(s[open:c.i], "\n'") {
		return span{}, false
	}
	p := c.p + close + 1
	if p = run(s, p, space); len(s) < p+8 || !strings.EqualFold(s[p:p+6], "values") {
		return span{}, false
	}
	p = run(s, p+6, space) + 1
	for n := strings.Count(s[open:c.i], ","); p < len(s); n-- {
		p = run(s, p, space)
		if n == 0 {
			return c.decided(readValue(s, p, c.named, tight))
		}
		next := strings.IndexByte(s[p:min(len(s), p+128)], ',')
		if next < 0 {
			break
		}
		p += next + 1
	}
	return noSecret()
}

// fallback looks for the value that code uses when a variable is not set: process.env.DB_PASSWORD || 'X'.
func (c *clue) fallback() (span, bool) {
	s, p := c.s, c.gap
	for _, or := range [...]string{"|| ", "?? ", "?: ", "or "} {
		if strings.HasPrefix(s[p:], or) {
			if q := run(s, p+len(or), space); q < len(s) && strings.IndexByte("\"'`", s[q]) >= 0 {
				return c.decided(readValue(s, q, c.named, tight))
			}
		}
	}
	return span{}, false
}

// linked looks for the token in a link: https://…/reset-password/X.
func (c *clue) linked() (span, bool) {
	end := run(c.s, c.p+1, word)
	v := c.s[min(len(c.s), c.p+1):end]
	return span{c.p + 1, end, "token"}, c.rank == strong && isRandomToken(v) && !measure(v).hex && address(c.s, c.i)
}

// sibling looks for the value that another key holds: name: DB_PASSWORD with value: X, two attributes of an element,
// two flags of a command, two settings of a block.
func (c *clue) sibling() (span, bool) {
	const reach = 160
	s := c.s
	tag := c.i > 0 && s[c.i-1] == '<'
	if c.p >= len(s) || !c.quoted && s[c.p] > ' ' && s[c.p] != ',' || class[byteAt(s, c.gap)]&alnum != 0 &&
		!c.quoted && !tag &&
		!c.keyed() {
		return span{}, false
	}
	for q := c.p; q < len(s) && q-c.p < reach; q++ {
		switch ch := s[q]; {
		case ch == ';', ch == '}', ch == '\n' && byteAt(s, q+1) == '\n', ch == '<' && byteAt(s, q+1) == '/':
			return span{}, false
		case class[ch]&alnum == 0 || class[s[q-1]]&word != 0 && s[q-1] != '-':
		default:
			e := run(s, q, word)
			steps(e - q)
			if !value(s[q:e]) && !(s[q:e] == "b" && s[q-1] == '-') && !(s[q:e] == "with" &&
				strings.Contains(lineBefore(s, c.i), "fill")) {
				q = e - 1
				continue
			}
			p, flag, call := e, s[q-1] == '-', strings.IndexByte("fst", s[q]) >= 0 || s[q:e] == "val"
			if quote := byteAt(s, p); quote == '"' || quote == '\'' {
				p++
			}
			if p = run(s, p, space); p >= len(s) || call != (s[p] == '(') || !call &&
				strings.IndexByte("=:>", s[p]) < 0 &&
				(!flag || p == e) {
				q = e - 1
				continue
			}
			if !flag || s[p] == '=' {
				p = run(s, p+1, space)
			}
			where := file
			if s[e] == '>' || flag {
				where = flagged
			}
			f, ok := readValue(s, p, c.named, where)
			if ok && (c.quoted || c.keyed() || flag || tag) {
				return f, true
			}
			return span{}, false
		}
	}
	return span{}, false
}

// value reports whether w is the name of an attribute that holds a value.
func value(w string) bool {
	switch w {
	case "ParameterValue", "value", "Value", "VALUE", "default", "body", "val", "literal", "content",
		"send_keys", "fill", "type",
		"setValue":
		return true
	}
	return false
}

// keyed reports whether the clue is itself the value of a key such as name.
func (c *clue) keyed() bool {
	k := c.i
	for k > 0 && c.i-k < 48 && (class[c.s[k-1]]&word != 0 || c.s[k-1] == '/' || c.s[k-1] == '.') {
		k--
	}
	for k > 3 && c.i-k < 48 && strings.IndexByte(" \t\"':=", c.s[k-1]) >= 0 {
		k--
	}
	if k < 3 || k == c.i {
		return false
	}
	switch strings.ToLower(c.s[k-3 : k]) {
	case "ame", "key", "set": // name
		return true
	}
	return false
}

// flag looks for the value behind --password.
func (c *clue) flag() (span, bool) {
	s, i := c.s, c.i
	if q := item(s, c.end); follows(s, i, "--") && q > c.end && q != run(s, c.end, space) { // ["--password", "X"]
		return c.decided(readValue(s, q, c.named, flagged))
	}
	if c.p != c.end && s[c.end] != '`' && s[c.end] != '"' {
		return noSecret()
	}
	if i >= 1 && s[i-1] == '-' && (i == 1 || s[i-2] == '-' || class[s[i-2]]&space != 0) {
		if c.gap == c.end {
			return noSecret()
		}
		f, ok := readValue(s, c.gap, c.named, flagged)
		if ok && c.gap > c.end+1 && plain(s[f.start:f.end]) { // --password   Forces a prompt
			return noSecret()
		}
		return c.decided(f, ok)
	}
	return span{}, false
}

// cell looks for the value in the next cell of a table, behind bold type, and in the same column of the next rows.
func (c *clue) cell() (span, bool) {
	s := c.s
	if c.rank == firm || c.gap >= len(s) {
		return span{}, false
	}
	for _, mark := range [...]string{"** ", "| ", ":** "} {
		if !strings.HasPrefix(s[c.gap:], mark) {
			continue
		}
		q := run(s, c.gap+len(mark), space)
		f, ok := readSpoken(s, q, c.named, false)
		if c.rank == weak {
			f, ok = readValue(s, q, c.named, prose)
			return f, ok && isRandomToken(s[f.start:f.end])
		}
		if ok || mark != "| " {
			return c.decided(f, ok)
		}
		if f, ok := readValue(s, q, c.named, prose); ok && strange(s[f.start:f.end]) {
			return f, true
		}
		return c.decided(c.column('|'))
	}
	if sep := byteAt(s, c.gap); c.rank == strong && (sep == '|' || sep == ',' || sep == '\n') {
		if line := lineBefore(s, c.i); sep == '|' || strings.Contains(line, ",") && !strings.Contains(line, " ") {
			if sep != '|' {
				sep = ','
			}
			return c.column(sep)
		}
	}
	return span{}, false
}

// column looks for the value in the cells below the name, which heads a column. Cells that hold a mark were found
// before.
func (c *clue) column(sep byte) (span, bool) {
	s := c.s
	start := c.i - len(lineBefore(s, c.i))
	at := strings.Count(s[start:c.i], string(sep))
	for row := 0; row < 8; row++ {
		nl := strings.IndexByte(s[start:min(len(s), start+512)], '\n')
		if nl < 0 {
			break
		}
		start += nl + 1
		line, _, _ := strings.Cut(s[start:min(len(s), start+512)], "\n")
		steps(len(line))
		q, n := start, 0
		for ; n < at && q < start+len(line); q++ {
			if s[q] == sep {
				n++
			}
		}
		q = run(s, q, space)
		if line == "" || n < at {
			break
		}
		end := q
		for end < start+len(line) && s[end] > ' ' && s[end] != sep {
			end++
		}
		if v := s[q:end]; strange(v) || joined(v) || signed(v) && accepts(v, c.named, file, false) {
			return span{q, end, c.kind}, true
		}
	}
	return span{}, false
}

// adjacent looks for the value right behind the name: PASSWORD 'X', ENV DB_PASSWORD X, a line of .netrc.
func (c *clue) adjacent() (span, bool) {
	s, i, gap := c.s, c.i, c.gap
	if gap == c.p || gap >= len(s) {
		return span{}, false
	}
	if rest, ok := strings.CutPrefix(s[gap:], "-String "); ok || c.kind == "password" {
		by := strings.EqualFold(s[i:c.end], "by") || s[i:c.end] == "PSK"
		if q := len(s) - len(rest); (by || !c.short && (leads(s, i) || !c.bare || s[i]&0x20 == 0 || c.end-i > 8)) &&
			(byteAt(s, q) == '\'' || byteAt(s, q) == '"') {
			if f, ok := readValue(s, q, c.named, tight); ok {
				return f, true
			}
		}
	}
	q := gap
	if class[s[q]]&digit != 0 && byteAt(s, q+1) == ' ' { // password 0 X
		q += 2
	}
	if follows(s, i, "> ") && strings.HasPrefix(s[q:], "default ") {
		q += len("default ")
	}
	if c.rank <= firm && (q > gap || follows(s, i, "> ")) { // the prompt of redis-cli: 10.0.0.1:6379> AUTH X
		if f, ok := readValue(s, q, c.named, flagged); ok && byteAt(s, f.end) < ' ' &&
			(likely(s[f.start:f.end]) || s[gap] == '0' || s[i] == 'A') {
			return f, true
		}
	}
	line := lineBefore(s, i)
	set := c.kind == "password" && !c.bare || strings.HasPrefix(s[i:c.end], "require") || s[i:c.end] == "masterauth" ||
		strings.HasPrefix(line, "ENV ") || follows(s, i, "/") && strings.Contains(line, " put ") ||
		strings.HasPrefix(line, "setx")
	if set && (leads(s, i) || strings.HasSuffix(line, "set -x ") || strings.Contains(line, " put ") ||
		strings.Contains(line, "config set ")) {
		if f, ok := readValue(s, gap, c.named, flagged); ok && (f.end >= len(s) || s[f.end] < ' ' ||
			strings.IndexByte("\t\"';", s[f.end]) >= 0) {
			return f, true
		}
	}
	return span{}, false
}

// said looks for the secret in a sentence.
func (c *clue) said() (span, bool) {
	s := c.s
	if strings.HasPrefix(s[c.end:], "'s ") && c.short {
		return readSpoken(s, c.end+len("'s "), c.named, true)
	}
	if c.rank == strong && byteAt(s, c.gap) >= 0x80 || byteAt(s, c.gap) == '-' {
		for _, is := range [...]string{"→ ", "-> ", "– ", "— "} {
			if strings.HasPrefix(s[c.gap:], is) {
				f, ok := readSpoken(s, c.gap+len(is), c.named, true)
				return f, ok && !(c.short && plain(s[f.start:f.end]))
			}
		}
	}
	// /etc/passwd, PASS|FAIL
	if c.i > 0 && s[c.i-1] == '/' && (c.p > c.end || c.gap > c.end) || c.gap == c.end && c.short && !c.abroad {
		return span{}, false
	}
	if c.short && !c.abroad && (c.end-c.i > 3 || s[c.i+1]|0x20 != 'w' || !aWord(s, min(c.gap, len(s)-1))) {
		was := strings.HasPrefix(s[c.gap:], "is ") || strings.HasPrefix(s[c.gap:], "code is ")
		f, ok := readSpoken(s, c.gap, c.named, was)
		if v := s[min(f.start, len(s)):min(f.end, len(s))]; ok && (was || !strings.ContainsAny(v, "=(<>:/")) {
			if m := measure(v); was && !plain(v) || joined(v) || m.digits > 0 && m.letters() > 2 {
				return f, true
			}
		}
		if !strings.Contains(s[c.p:min(len(s), c.p+64)], " is ") {
			return before(s, c.i, c.end, c.named)
		}
		if f, ok := sentence(s, c.i, c.p, c.named); ok && follows(s, f.start, "is ") {
			if v := s[f.start:f.end]; strange(v) || joined(v) || !plain(v) && measure(v).digits > 1 {
				return f, true
			}
		}
		return before(s, c.i, c.end, c.named)
	}
	if c.bare || c.kind == "api-key" || c.rank == strong {
		if f, ok := before(s, c.i, c.end, c.named); ok {
			return f, true
		}
		if f, ok := sentence(s, c.i, c.p, c.named); ok || !c.bare {
			return f, ok
		}
		if follows(s, c.i, ".") && byteAt(s, c.p) == '\n' { // cat master.key
			return below(s, c.p, c.named)
		}
		line, _, _ := strings.Cut(s[c.p:min(len(s), c.p+160)], "\n")
		if steps(len(line)); strings.HasSuffix(line, ":") && !strings.Contains(line, "commit") { // the next line has it
			return below(s, c.p+len(line), c.named)
		}
		return span{}, false
	}
	if c.gap == c.p {
		return span{}, false
	}
	return readSpoken(s, c.gap, named{rank: weak, kind: c.kind}, false) // aws configure set aws_secret_access_key …
}
