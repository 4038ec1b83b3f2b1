package redact

import "strings"

// minRandom is how long a string must be to be taken for a secret by its look alone.
const minRandom = 32

// random recognises a string from i on that is too mixed to be made of words. Hexadecimal digits alone are none: hashes,
// UUIDs and checksums look so.
func random(s string, i int) (span, bool) {
	if len(s)-i < minRandom || i > 0 && s[i-1] == '/' { // a part of an address
		return span{}, false
	}
	v := s[i:min(len(s), i+256)]
	v = v[:run(v, 0, alnum|base)]
	if at := strings.IndexByte(v, '='); at >= 0 { // padding, or what stands behind NAME=
		pad := len(v) - len(strings.TrimLeft(v[at:], "="))
		v = v[:pad]
	}
	if len(v) < minRandom {
		return span{}, false
	}
	f := measure(v)
	switch {
	case f.digits < 3 || f.uppers*10 < f.length || f.lowers*10 < f.length || f.lettered > 9,
		f.changes*20 < f.length*9, // letters and digits drawn at random change class more often than not
		public(s, i, v), address(s, i), wordy(v):
		return span{}, false
	}
	end := i + len(v)
	if len(v) >= 250 {
		end = run(s, end, alnum|base)
	}
	return span{i, end, "high-entropy"}, true
}

// public reports whether a random string is known to be no secret: a checksum, a public key, an id of the client's.
func public(s string, i int, v string) bool {
	for _, p := range [...]string{"sha1-", "sha256-", "sha384-", "sha512-", "AAAA", "toolu_", "srvtoolu_", "msg_", "req_", "call_", "chatcmpl-", "resp_", "thread_", "asst_", "eyJ", "run_", "agent_", "SHA256"} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	start := i
	for start > 0 && s[start-1] > ' ' && i-start < 128 {
		start--
	}
	for _, p := range [...]string{"h1:", "SHA256:", "sha256:", "sha256-", "sha512:", "sha512-", "sha384-", "sha1:", "md5:", "base64,"} {
		if strings.Contains(s[start:i], p) {
			return true
		}
	}
	before := s[max(0, i-80):i]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return strings.Contains(before, "public") || strings.Contains(before, "Public") || strings.Contains(before, "integrity") || strings.Contains(before, "checksum")
}

// address reports whether i stands in a URL or a path: their parts are ids, and what is secret in a query has a name.
func address(s string, i int) bool {
	start := i
	for start > 0 && s[start-1] > ' ' && i-start < 512 {
		if c := s[start-1]; c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' {
			break
		}
		start--
	}
	before := s[start:i]
	return strings.Contains(before, "://") || strings.HasPrefix(before, "/") || strings.HasPrefix(before, "~/") || strings.HasPrefix(before, "./") || strings.Contains(before, "/") && strings.HasSuffix(before, "/")
}

// wordy reports whether v is put together of words and short numbers: an identifier, a file name, a version.
func wordy(v string) bool {
	for v != "" {
		part := v
		if at := strings.IndexAny(v, "-_./: +="); at >= 0 {
			part, v = v[:at], v[at+1:]
		} else {
			v = ""
		}
		f := measure(part)
		if f.digits == f.length && f.length <= 4 || f.length == 0 {
			continue
		}
		trail := len(part) - len(strings.TrimRight(part, "0123456789"))
		lead := len(part) - len(strings.TrimLeft(part, "0123456789"))
		if f.digits != trail && f.digits != lead || f.digits > 4 || f.others > 0 {
			return false
		}
		if f.letters() > 3 && f.changes > 2+f.length/4 {
			return false
		}
	}
	return true
}

// placeholder reports whether v stands for a secret instead of being one.
func placeholder(v string) bool {
	if v == "" {
		return true
	}
	switch v[0] {
	case '$', '<', '{', '[', '%', '(', '*', '#':
		if v[0] != '$' && v[0] != '%' && v[0] != '#' && v[0] != '*' {
			return true
		}
		if v[0] == '#' && len(v) > 6 || v[0] == '%' && len(v) > 5 && measure(v).digits > 1 {
			break
		}
		if v[0] == '$' && len(v) > 6 && measure(v).digits > 1 && measure(v).others > 1 && !strings.HasPrefix(v, "${") && !strings.HasPrefix(v, "$(") {
			break
		}
		if v[0] == '*' && !wordy(v[1:]) && strings.Trim(v, "*.") != "" && measure(v).digits > 1 {
			break
		}
		return true
	}
	if strings.HasPrefix(v, "…") || strings.HasPrefix(v, "...") || strings.Contains(v, Mark) {
		return true
	}
	low := strings.ToLower(v)
	if len(strings.Trim(low, "x*.•·_-")) == 0 || len(strings.Trim(low, low[:1])) == 0 {
		return true
	}
	for _, p := range [...]string{"your", "my-", "my_", "xxx", "<", "process.env", "os.", "env.", "import.meta", "secrets.", "vault:", "op://", "ref+", "!ref", "arn:", "fake", "dummy", "example", "placeholder", "changeme", "change-me", "change_me", "replace", "insert", "redacted", "todo", "enter", "some-", "some_", "the-", "test-token", "test_token"} {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	return strings.Contains(low, "xxxx") || strings.Contains(low, "****") || strings.Contains(low, "${") || strings.Contains(low, "{{") || strings.Contains(low, "your_") || strings.Contains(low, "your-") ||
		strings.Contains(low, "placeholder") || strings.Contains(low, "redacted") || strings.HasSuffix(low, "example") || strings.HasSuffix(low, "_here") || strings.HasSuffix(low, "-here")
}

// expression reports whether v, unquoted, is a piece of code rather than a value.
func expression(v string, where place) bool {
	if strings.ContainsAny(v, "({[") && where != prose && where != file || strings.Contains(v, "()") || strings.Contains(v, "::") || strings.Contains(v, "->") {
		return true
	}
	if at := strings.IndexByte(v, '('); at > 0 && strings.IndexByte(v, ')') > at {
		return true
	}
	// a.b.c, obj?.field, names[0]
	if strings.ContainsAny(v, ".[") && class[v[0]]&(upper|lower) != 0 || v[0] == '_' {
		for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune(".?![]", r) }) {
			if !wordy(part) {
				return false
			}
		}
		return true
	}
	return v[0] == '&' || v[0] == '=' || v[0] == '@' && wordy(v[1:]) || v[0] == '-' && wordy(v)
}

func path(v string) bool {
	return strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || v[0] == '/' && wordy(v) || len(v) > 2 && v[1] == ':' && (v[2] == '\\' || v[2] == '/') || strings.Count(v, "/") > 0 && wordy(v)
}

// plain reports whether v is letters with the marks that stand in identifiers and hyphened words.
func plain(v string) bool {
	for i := range len(v) {
		if class[v[i]]&(upper|lower) == 0 && strings.IndexByte("-_./:,", v[i]) < 0 && v[i] < 0x80 {
			return false
		}
	}
	return true
}

func capital(v string) bool {
	f := measure(v)
	return f.uppers == 1 && class[v[0]]&upper != 0
}

// algorithm reports whether v begins with the name of a way to encode, hash or number things.
func algorithm(v string) bool {
	low := strings.ToLower(v)
	for _, p := range [...]string{"sha1", "sha2", "sha3", "sha5", "sha-", "md5", "base64", "base32", "utf-8", "utf8", "utf16", "bcrypt", "argon2", "pbkdf2", "scrypt", "aes-", "aes1", "aes2", "rsa-", "rsa2", "hmac", "ed25519", "x509", "oauth", "http/", "ipv", "es256", "rs256", "hs256", "hs512", "toolu_", "varchar", "int32", "int64", "uint", "float", "nvarchar"} {
		if strings.HasPrefix(low, p) && len(v) < len(p)+12 {
			return true
		}
	}
	return strings.HasPrefix(low, "sha256:") || strings.HasPrefix(low, "sha512-") || strings.HasPrefix(low, "sha256-")
}

// unit reports whether v is an amount: 30s, 8chars, 128k, 2FA, 1st.
func unit(v string) bool {
	rest := strings.TrimLeft(v, "0123456789.,")
	return len(rest) < len(v) && len(v)-len(rest) <= 4 && measure(rest).letters() == len(rest) && (len(rest) <= 3 || rest == "chars" || rest == "characters" || rest == "days" || rest == "minutes" || rest == "hours")
}

// dummy reports whether v is a word that describes a field instead of filling it.
func dummy(v string) bool {
	low := strings.ToLower(v)
	for _, p := range [...]string{"passw", "secret", "token", "apikey", "api_key", "string", "required", "optional", "hidden", "undefined", "example", "invalid", "incorrect", "missing", "expired", "unknown", "credential"} {
		if strings.Contains(low, p) {
			return true
		}
	}
	switch low {
	case "null", "none", "true", "false", "text", "test", "wrong", "empty", "field", "input", "value", "default", "number", "bytes", "boolean", "object", "disabled", "enabled", "mandatory", "strong", "weak", "short", "valid", "hashed", "encrypted", "plain", "plaintext", "reset", "bearer", "basic", "self", "this", "hello", "admin", "user", "username", "email", "name", "login", "submit", "form":
		return true
	}
	return false
}

// common reports whether a quoted word in a sentence is more likely a word than a password.
func common(v string) bool {
	f := measure(v)
	return f.digits == 0 && f.lowers == f.length && f.length < 5 || dummy(v)
}
