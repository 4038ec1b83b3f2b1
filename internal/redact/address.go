package redact

import "strings"

// inAddress reports whether i stands in a URL or a path. Their parts are ids, and a secret in a query has a name.
func inAddress(s string, i int) bool {
	start := i
	for start > 0 && s[start-1] > ' ' && i-start < 512 && strings.IndexByte("\"'`<>", s[start-1]) < 0 {
		start--
	}
	before := s[start:i]
	steps(len(before))
	return s[max(i-1, 0)] != '=' && strings.Contains(before, "/")
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
	c := candidate{s: s, where: option, start: p, end: p + at, quoted: true}
	c.named = named{kind: "url-password", rank: password}
	user, pass, ok := strings.Cut(s[p:p+at], ":")
	switch {
	case ok && pass != user && pass != "x-oauth-basic":
		c.start = c.end - len(pass)
	case strings.HasSuffix(s[p:end], ".sentry.io"): // in every page
		return span{}, false
	default:
		c.rank, c.end = anyKey, p+len(user)
	}
	return c.secret()
}

// readConnection looks behind the word s[i:end] for the password of a connection string that is no URL:
// user:X@tcp(host), bob:X@host, scott/X@host, scott/X@//host, a line of .pgpass.
func readConnection(s string, i, end int) (span, bool) {
	slash := s[end] == '/'
	if slash && i > 0 && strings.IndexByte(" :='\"", s[i-1]) < 0 {
		return span{}, false
	}
	last := end + 1
	for last < len(s) && last-end < 160 && s[last] > ' ' && strings.IndexByte("\"'/", s[last]) < 0 {
		last++
	}
	rest := s[end+1 : last]
	c := candidate{named: named{kind: "password", rank: password}, where: listed, s: s, start: end + 1, quoted: true}
	at := strings.LastIndexByte(rest, '@')
	host := byteAt(s, end+2+at)
	isHost := class[host]&alnum != 0 || slash && host == '/'
	if at > 3 && isHost && !(slash && host == 'v') && !strings.HasPrefix(rest[at:], "@sha256:") &&
		!among(" mailto acct sip sips xmpp email mail contact to from cc ssh git npm http https ", s[i:end]) {
		c.end = end + 1 + at
		f, ok := c.secret()
		if strings.HasPrefix(rest[at:], "@tcp(") || strings.HasSuffix(s[:i], ":thin:") {
			return f, ok
		}
		look := measure(rest[:at])
		return f, ok && look.digits > 0 && !look.hex && !strings.ContainsAny(rest[:at], "@:.\\#,;{}~|<>()[]")
	}
	if !slash && run(s, i, digit) == end && end-i >= 4 && end-i <= 5 && i > 1 && s[i-1] == ':' { // host:port:…:X
		fields := strings.SplitN(rest, ":", 3)
		if len(fields) == 3 && strings.Trim(fields[0]+fields[1], "0123456789abcdefABCDEF[]") != "" { // no IPv6 address
			c.where, c.start, c.end = option, last-len(fields[2]), last
			return c.secret()
		}
	}
	return span{}, false
}
