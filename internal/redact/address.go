package redact

import "strings"

// authorized looks at the value of a header: a scheme and a token, or cookies.
func authorized(s string, i, end int, n named) (span, bool) {
	p := run(s, end, space)
	if !strings.EqualFold(s[i:end], "bearer") {
		for p = end; p < len(s) && strings.IndexByte("\"']", s[p]) >= 0; {
			p++
		}
		if p = run(s, p, space); p >= len(s) || strings.IndexByte(":=,", s[p]) < 0 {
			return span{}, false
		}
		p = run(s, p+1, space)
	}
	for p < len(s) && strings.IndexByte("\"'`\\", s[p]) >= 0 {
		p++
	}
	w := run(s, p, word)
	if n.kind == "cookie" { // all behind the name of the first cookie
		if byteAt(s, w) != '=' {
			return span{}, false
		}
		p = w + 1
	} else if among("bearer basic token apikey digest negotiate key bot ssws genie geniekey", strings.ToLower(s[p:w])) {
		p = run(s, w, space)
	}
	last := p
	for last < min(len(s), p+maxBare) && (class[s[last]]&(alnum|base) != 0 ||
		strings.IndexByte(".~:%!@#*$^", s[last]) >= 0) {
		last++
	}
	v := strings.TrimRight(s[p:last], ".:!")
	f := measure(v)
	random := f.digits > 0 && f.letters() > 0 && (!wordy(v) || f.length >= 24) || f.digits == 0 && f.length >= 12 &&
		f.uppers >= 2 && f.lowers >= 2 && (f.changes >= 5 || strings.IndexByte(v, '=') == f.length-1)
	return span{p, p + len(v), n.kind}, random && !stands(v) && (f.length >= 16 || f.length >= 8 &&
		n.kind != "cookie" && !expression(v, code))
}

// inAddress reports whether i stands in a URL or a path. Their parts are ids, and a secret in a query has a name.
func inAddress(s string, i int) bool {
	start := i
	for start > 0 && s[start-1] > ' ' && i-start < 512 && strings.IndexByte("\"'`<>", s[start-1]) < 0 {
		start--
	}
	before := s[start:i]
	steps(len(before))
	return strings.Contains(before, "://") && s[i-1] != '=' || strings.HasPrefix(before, "/") ||
		strings.HasPrefix(before, "~/") || strings.HasPrefix(before, "./") || strings.HasSuffix(before, "/")
}

// url returns the password, or the user that serves as one, of the URL whose authority begins at p.
func url(s string, p int) (span, bool) {
	end := p
	for end < len(s) && end-p < maxValue && s[end] > ' ' && strings.IndexByte("/?#\"'`<>|\\", s[end]) < 0 {
		end++
	}
	at := strings.LastIndexByte(s[p:end], '@')
	if steps(end - p); at < 0 || strings.HasPrefix(s[p:], Mark) {
		return span{}, false
	}
	user, pass, ok := strings.Cut(s[p:p+at], ":")
	if !ok || pass == "" || pass == "x-oauth-basic" {
		public := strings.HasSuffix(s[p:end], ".sentry.io") // in every page
		return span{p, p + len(user), "url-password"}, !public && lookOf(user) == drawn && !stands(user)
	}
	if stands(pass) || describes(pass) && plain(pass) || pass == user {
		return span{}, false
	}
	return span{p + len(user) + 1, p + at, "url-password"}, true
}

// unnamed looks behind the word s[i:end] for the password of a connection string that is no URL: user:X@tcp(host),
// bob:X@host, a line of .pgpass, scott/X@host.
func unnamed(s string, i, end int) (span, bool) {
	n := named{rank: password, kind: "password"}
	slash := s[end] == '/'
	if slash && i > 0 && strings.IndexByte(" :='\"", s[i-1]) < 0 {
		return span{}, false
	}
	last := end + 1
	for last < len(s) && last-end < 160 && s[last] > ' ' && strings.IndexByte("\"'/", s[last]) < 0 {
		last++
	}
	rest := s[end+1 : last]
	at := strings.LastIndexByte(rest, '@')
	const schemes = "mailto acct sip sips xmpp email mail contact to from cc ssh git npm http https"
	host := byteAt(s, end+2+at)
	if at > 3 && class[host]&alnum != 0 && !(slash && host == 'v') && !strings.HasPrefix(rest[at:], "@sha256:") &&
		!among(schemes, s[i:end]) {
		v := rest[:at] // bob:X@db.internal:5432
		return span{end + 1, end + 1 + at, n.kind}, likely(v) && lookOf(v) >= mild && !stands(v) && !measure(v).hex &&
			!strings.ContainsAny(v, "@:.\\#,;{}~|<>()[]")
	}
	if !slash && run(s, i, digit) == end && end-i >= 4 && end-i <= 5 && i > 1 && s[i-1] == ':' { // host:port:…:X
		fields := strings.SplitN(rest, ":", 3)
		if len(fields) == 3 && len(fields[0]) > 0 && measure(fields[1]).letters() > 0 {
			return expected(s, last-len(fields[2]), last, n)
		}
	}
	return span{}, false
}
