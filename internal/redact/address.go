package redact

import "strings"

// authorized looks at the value of a header: a scheme and a token.
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
	for p < len(s) && strings.IndexByte("\"'`\\", s[p]) >= 0 {
		p++
	}
	if n.kind == "cookie" {
		w := run(s, p, word)
		for byteAt(s, w) == '.' {
			w = run(s, w+1, word)
		}
		if w >= len(s) || w == p || s[w] != '=' {
			return span{}, false
		}
		if f := measure(s[w+1 : min(len(s), w+65)]); f.digits == 0 && (f.uppers == 0 || f.lowers == 0 ||
			run(s, w+1, word) < w+17) {
			return span{}, false
		}
		last := w + 1
		for last < min(len(s), w+2*maxValue) && s[last] != '"' && s[last] != '\'' && s[last] != '\n' && s[last] != '`' {
			last++
		}
		v := strings.TrimRight(s[w+1:last], " \r\\")
		steps(len(v))
		if f := measure(v[:min(len(v), 256)]); f.length < 16 || f.letters() < 4 || f.digits == 0 &&
			f.changes < 10 || placeholder(v) ||
			wordy(v) {
			return span{}, false
		}
		return span{w + 1, w + 1 + len(v), n.kind}, true
	}
	w := run(s, p, word)
	if v := run(s, w, space); v > w && v < len(s) {
		switch strings.ToLower(s[p:w]) {
		case "bearer", "basic", "token", "apikey", "digest", "negotiate", "key", "bot", "ssws", "genie", "geniekey":
			return credential(s, v, n.kind)
		}
	}
	return credential(s, p, n.kind)
}

// credential returns the token at p of a header.
func credential(s string, p int, kind string) (span, bool) {
	end := p
	for end < len(s) && (class[s[end]]&(alnum|base) != 0 || s[end] == '.' || s[end] == '~' || s[end] == ':' ||
		s[end] == '%' || s[end] == '!' || s[end] == '@' || s[end] == '#' || s[end] == '*' || s[end] == '$' ||
		s[end] == '^') {
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
	case f.digits > 0 && f.letters() > 0 && (!wordy(v) || f.length >= 24), f.digits == 0 && f.length >= 12 &&
		(f.changes >= 5 && f.uppers >= 2 && f.lowers >= 2 || strings.HasSuffix(v, "=")):
		return span{p, end, kind}, !expression(v, code) || f.length >= 16
	}
	return span{}, false
}

// url returns the password, or the user that serves as one, of the URL whose authority begins at p.
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
	if f, known := knownToken(s, p, run(s, p, word)); known && f.kind != "" {
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

// administrator reports whether w is a user that exists on most machines.
func administrator(w string) bool {
	switch w {
	case "admin", "administrator", "Administrator", "root", "sa", "guest", "postgres", "superuser":
		return true
	}
	return false
}

// user returns the password at p, behind a user and a sign. Without a blank around the sign, a verb must stand before
// the user.
func user(s string, p int, spaced bool) (span, bool) {
	line := strings.TrimRight(lineBefore(s, p-1), "abcdefghijklmnopqrstuvwxyzA")
	switch w := strings.TrimRight(line, " "); w[strings.LastIndexByte(w, ' ')+1:] {
	case "with", "use", "using", "try", "is", "are", "as", "login", "creds", "credentials", "401":
	default:
		if !spaced {
			return span{}, false
		}
	}
	f, ok := readValue(s, p, named{rank: strong, kind: "password"}, prose)
	if !ok || f.start != p {
		return span{}, false
	}
	v := s[f.start:f.end]
	return f, likely(v) && !strings.ContainsAny(v, "/.:")
}

// scheme reports whether w is a word whose colon begins an address.
func scheme(w string) bool {
	switch w {
	case "mailto", "acct", "sip", "sips", "xmpp", "email", "mail", "contact", "to", "from", "cc", "ssh", "git", "npm":
		return true
	}
	return false
}

// unnamed looks in the word s[i:end] for the password of a connection string that is no URL: user:X@tcp(host), a line
// of .pgpass, jdbc:oracle:thin:user/X@host.
func unnamed(s string, i, end int) (span, bool) {
	n := named{rank: strong, kind: "password"}
	switch s[end] {
	case '/':
		if i > 4 && s[i-1] == ':' && strings.EqualFold(s[i-5:i], "thin:") {
			return slashed(s, i)
		}
		if i == 0 || s[i-1] == ' ' || s[i-1] == '=' { // system/X@orcl, use admin/X
			if f, ok := slashed(s, i); ok && class[byteAt(s, f.end+1)]&(lower|upper) != 0 && byteAt(s, f.end+1) != 'v' {
				return f, likely(s[f.start:f.end]) && !plain(s[f.start:f.end]) && !measure(s[f.start:f.end]).hex
			}
			if administrator(s[i:end]) {
				return user(s, end+1, false)
			}
		}
	case ':':
		if (i == 0 || s[i-1] == ' ') && administrator(s[i:end]) {
			if f, ok := user(s, end+1, false); ok {
				return f, true
			}
		}
		if end-i == 1 && s[i]|0x20 == 'p' && lineBefore(s, i) == "" { // u: bob, p: X
			start := max(0, i-64)
			above := strings.TrimLeft(s[start+lastLine(s[start:max(start, i-1)]):i], " ")
			if strings.HasPrefix(above, "u:") || strings.HasPrefix(above, "U:") || strings.HasPrefix(above, "user:") {
				f, ok := readValue(s, run(s, end+1, space), n, file)
				return f, ok && (strange(s[f.start:f.end]) || joined(s[f.start:f.end]))
			}
		}
		// a line of /etc/shadow
		for _, hash := range [...]string{":$6$", ":$5$", ":$1$", ":$y$", ":$7$", ":$2y$", ":$2b$", ":$2a$", ":$apr1$"} {
			if byteAt(s, end+1) == '$' && strings.HasPrefix(s[end:], hash) &&
				!strings.HasPrefix(s[end+len(hash):], Mark) {
				from := end + len(hash)
				return span{from, from + max(0, strings.IndexByte(s[from:min(len(s), from+256)]+":", ':')),
					"password-hash"}, true
			}
		}
		last := end + 1
		for last < len(s) && last-end < 128 && s[last] > ' ' && s[last] != '"' && s[last] != '\'' && s[last] != '/' {
			last++
		}
		// bob:X@db.internal:5432
		if at := strings.LastIndexByte(s[end:last], '@'); at > 4 && !scheme(s[i:end]) && strange(s[end+1:end+at]) {
			host := end + at + 1
			for host < last && (class[s[host]]&word != 0 || s[host] == '.') {
				host++
			}
			after := run(s, host+1, digit)
			port := byteAt(s, host) == ':' && after > host+1 && class[byteAt(s, after)]&word == 0 ||
				byteAt(s, host) == '/'
			if name := s[end+at+1 : host]; port && name != "" &&
				class[name[0]]&digit == 0 {
				return span{end + 1, end + at, n.kind}, true
			}
		}
		if at := strings.Index(s[end:last], "@tcp("); at > 1 {
			return checkSecret(s, end+1, end+at, n)
		}
		// any database
		if end-i == 4 && run(s, i, digit) == end && strings.HasPrefix(s[end:], ":*:") {
			if user := run(s, end+3, word); user > end+3 && user < last && s[user] == ':' {
				return checkSecret(s, user+1, last, n)
			}
		}
		// host:port:database:user:X
		if run(s, i, digit) == end && end-i >= 4 && end-i <= 5 && i > 1 && s[i-1] == ':' && (class[s[i-2]]&alnum != 0 ||
			s[i-2] == '*') {
			fields := strings.SplitN(s[end+1:last], ":", 3)
			if len(fields) == 3 && len(fields[0]) > 2 && measure(fields[1]).letters() > 0 {
				return checkSecret(s, last-len(fields[2]), last, n)
			}
		}
	}
	return span{}, false
}
