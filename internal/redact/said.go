package redact

import "strings"

// copula reports whether w stands between the name of a secret and the secret, and whether it does so in another
// language.
func copula(w string) (is, abroad bool) {
	switch w {
	case "is", "was", "now", "to", "this", "set", "becomes", "remains", "be":
		return true, false
	case "ist", "war", "lautet", "heißt", "heisst", "es", "é", "era", "est", "était", "è", "jest", "це", "это", "είναι",
		"és", "هي", "هو", "היא", "הוא", "है", "será", "sera", "wird", "este", "e", "je", "är", "er", "on", "là", "adalah",
		"ialah", "yra", "ir", "е", "је", "c'est":
		return true, true
	}
	return false, false
}

// aside reports whether w shows that a sentence that names a secret continues about another thing.
func aside(w string) bool {
	switch w {
	case "authentication", "checksum", "commit", "digest", "entropy", "fingerprint", "hash", "hashes", "hashing", "hint",
		"id", "ids", "kid", "length", "manager", "policy", "request", "rule", "rules", "score", "sha", "sha256",
		"strength", "uuid", "field", "column", "prompt", "flow", "reset", "name":
		return true
	}
	return false
}

// adjacent reports whether f, the word behind the name, is the secret, although no word says so: "password hunter2".
func (a *announced) adjacent(f span) bool {
	s, v := a.s, a.s[f.start:f.end]
	m := measure(v)
	switch {
	case joined(v):
		return m.letters() < m.length && strings.Count(v, "-") > 1 && clause(s, f.end)
	case sure(v, a.named):
		return true
	}
	if !likely(v) {
		return false
	}
	return m.digits > 1 && !strings.ContainsAny(v, "=(<>:/") &&
		(clause(s, f.end) || m.digits > 2 && m.length > 7 || a.abroad || a.short)
}

// login looks for the user and the password behind a word such as login: "login: bob / X", "credentials bob:X".
func login(s string, end int, n named) (span, bool) {
	n = named{kind: n.kind, rank: password}
	p := end
	for range 6 {
		q, signed := run(s, p, space), false // signed: a colon stands before the user
		if c := byteAt(s, q); c == ':' || c == '=' {
			signed = true
			q = run(s, q+1, space)
		}
		user := q
		for user < len(s) && user-q < 80 && (class[s[user]]&word != 0 || strings.IndexByte(".@+", s[user]) >= 0) {
			user++
		}
		from := user
		for _, sign := range [...]string{" / ", "/", ":", " with ", " and "} {
			if strings.HasPrefix(s[user:], sign) && byteAt(s, user+len(sign)) > ' ' {
				from += len(sign)
				break
			}
		}
		address := strings.Contains(s[q:user], "@")
		if from == user && address && signed && byteAt(s, user) == ' ' {
			from++
		}
		if from == user || !address && describes(s[q:user]) {
			p = user
			continue
		}
		stop := from
		for stop < len(s) && stop-from < 128 && s[stop] > ' ' && strings.IndexByte("\"'`,;", s[stop]) < 0 {
			stop++
		}
		for stop > from && strings.IndexByte(".)?", s[stop-1]) >= 0 {
			stop--
		}
		v := s[from:stop]
		tied := byteAt(s, user) == ':' && from == user+1 // credentials bob:butterfly
		if v == "" || strings.ContainsAny(v, "/=") || strings.HasSuffix(v, ":") || remark(v) ||
			!n.accepts(v, option, true) {
			return span{}, false
		}
		return span{from, stop, n.kind}, likely(v) && !(strings.Contains(v, ":") && measure(v).letters() == 0) ||
			(signed || tied) && (plain(v) && !strings.ContainsAny(v, ":.") || lookOf(v) >= mild) && clause(s, stop)
	}
	return span{}, false
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
	codes := n.kind == "code"
	last, found, first, digits := p, 0, 0, 0
	for at := p; at < len(s) && at-p < maxValue; {
		q := at
		for q < len(s) && q-at < 8 && (strings.IndexByte(" \t\r\n,-*.)", s[q]) >= 0 ||
			class[s[q]]&digit != 0 && strings.IndexByte(".)", byteAt(s, q+1)) >= 0) {
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
		if codes && (f.length < 4 || f.length != first || f.lowers > 0 && f.digits+f.others == 0) ||
			!codes && (f.lowers != f.length || f.length < 3 || f.length > 8) {
			break
		}
		digits += f.digits
		found++
		last, at = e, e
	}
	return span{p, last, n.kind}, codes && last-p >= 8 && digits > 0 || !codes && found >= 12
}
