package redact

import "strings"

// A random string is a secret by its look alone when it has minRandom to maxRandom bytes. A longer string is data.
const (
	minRandom = 32
	maxRandom = 320
)

// random recognises a random string that begins with the word s[i:end]. Hexadecimal digits alone are no secret: hashes,
// UUIDs and checksums look the same. A public string is passed over as a whole.
func random(s string, i, end int) (span, bool) {
	if i > 0 && class[s[i-1]]&base != 0 && s[i-1] != '=' && end-i < minRandom || len(s)-i < minRandom {
		return span{}, false // looked at from its beginning
	}
	last := i
	for limit := min(len(s), i+maxRandom); last < limit && class[s[last]]&(alnum|base) != 0 && s[last] != '='; {
		last++
	}
	for last-i >= minRandom && last < len(s) && s[last] == '=' && last-i < maxRandom { // padding
		last++
	}
	v := s[i:last]
	steps(len(v))
	if len(v) < minRandom {
		return span{}, false
	}
	f := measure(v)
	if f.digits < 3 || f.uppers*10 < f.length || f.lowers*10 < f.length || f.lettered > 9 ||
		f.changes*20 < f.length*9 || // letters and digits drawn at random change class more often than not
		address(s, i) || strings.HasPrefix(v, "0x") || wordy(v) || strings.HasPrefix(v, "eyJ") {
		return span{}, false
	}
	if dir, _, ok := strings.Cut(v, "/"); ok && wordy(dir) && measure(dir).lettered > 4 { // a path
		return span{}, false
	}
	if public(s, i, v) || last-i == maxRandom {
		return span{i, run(s, last, alnum|base), ""}, true
	}
	return span{i, i + len(v), "high-entropy"}, true
}

// public reports whether the random string v is a checksum, a public key or an id.
func public(s string, i int, v string) bool {
	for _, p := range [...]string{"sha1-", "sha256-", "sha384-", "sha512-", "SHA256"} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	before := s[max(0, i-96):i]
	near := before[strings.LastIndexAny(before, " \t\n")+1:]
	for _, p := range [...]string{"h1:", "SHA256:", "sha256:", "sha256-", "sha512:", "sha512-", "sha384-", "sha1:",
		"md5:", "base64,", `W/"`} {
		if strings.Contains(near, p) {
			return true
		}
	}
	if line := before[strings.LastIndexByte(before, '\n')+1:]; len(line) < len(before) || len(before) < 96 {
		// minisign
		if nl := strings.LastIndexByte(before[:len(before)-len(line)], ' '); line == "" && nl >= 0 &&
			strings.Contains(before, "public key") {
			return true
		}
		before = line
	}
	low := strings.ToLower(before)
	for _, p := range [...]string{"public", "integrity", "checksum", "etag", "kid\"", "kid:", "kid=", "fingerprint",
		"thumbprint", "peer", "cursor", "recipient", "x-amz-id", "verification", "client_id", "clientid",
		"digest", "hash", "\"n\"", "n: \""} {
		if strings.Contains(low, p) {
			return true
		}
	}
	return false
}

// address reports whether i stands in a URL or a path. Their parts are ids, and a secret in a query has a name.
func address(s string, i int) bool {
	start := i
	for start > 0 && s[start-1] > ' ' && i-start < 512 {
		if c := s[start-1]; c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' {
			break
		}
		start--
	}
	before := s[start:i]
	steps(len(before))
	return strings.Contains(before, "://") && s[i-1] != '=' || strings.HasPrefix(before, "/") ||
		strings.HasPrefix(before, "~/") || strings.HasPrefix(before, "./") || strings.Contains(before, "/") &&
		strings.HasSuffix(before, "/")
}

// unlisted recognises a token of an issuer that formats does not list: the words at its beginning say that it is a
// token, and the rest is random.
func unlisted(s string, i, end int) (span, bool) {
	says := false
	for from, to := i, 0; from < end; from = to + 1 {
		to = runIn(s, from, end, alnum)
		long := from > i && from-i <= 6 && s[from-1] == '_' && end-from >= 40
		if (says || long) && end-from >= 20 {
			f := measure(s[from:end])
			if f.drawn() && f.others == 0 && !wordy(s[from:end]) && (!f.hex || says && f.length >= 32) {
				return span{i, end, "token"}, !address(s, i)
			}
		}
		switch s[from:to] {
		case "sk", "sec", "secret", "apikey", "api", "token", "tok", "pat", "live", "oauth", "private",
			"SECRET", "TOKEN":
			says = true
		case "pk", "pub", "public", "publishable", "hash", "cache", "id", "sha", "etag", "req", "request", "trace",
			"commit", "run":
			return span{}, false
		}
	}
	return span{}, false
}
