package redact

import "strings"

// field reports whether w describes a value, or says that there is none.
func field(w string) bool {
	switch w {
	case "always", "any", "ask", "basic", "bearer", "blob", "bool", "boolean", "buffer", "byte", "bytes", "char",
		"chararray", "charfield", "current", "data", "date", "delete", "digest", "disabled", "email", "empty",
		"enabled", "encrypted", "env", "false", "field", "file", "files", "form", "get", "hash", "hashed", "hello",
		"int", "json", "key", "keys", "label", "login", "logout", "mandatory", "name", "never", "next", "nil", "no",
		"none", "nonexistent", "null", "number", "object", "option", "pass", "password1", "password2", "patch",
		"path", "plain", "plaintext", "post", "prompt", "put", "raw", "read", "request", "reset", "response",
		"result", "salt", "self", "sensitive", "short", "some", "str", "strong", "submit", "test", "text", "this",
		"title", "true", "type", "unset", "url", "user", "valid", "value", "varchar", "weak", "write", "wrong",
		"yaml", "yes":
		return true
	}
	return false
}

// remark reports whether w is a word that a sentence uses around a password.
func remark(w string) bool {
	switch w {
	case "a", "about", "above", "after", "again", "already", "also", "anders", "always", "an", "and", "another",
		"anything",
		"are", "as", "ask", "at", "available", "bad", "be", "been", "before", "being", "below", "between", "both",
		"boş", "broken", "but", "by", "can", "case", "case-sensitive", "clear", "correct", "could", "did",
		"different", "do", "does", "either", "empty", "enough", "errada", "est", "falsch", "feil", "fel", "fine",
		"for", "forgotten", "forkert", "from", "för", "geçersiz", "given", "gone", "good", "greșită", "had", "has",
		"have", "he", "her", "here", "hibás", "hidden", "his", "how", "if", "ikke", "important", "in", "incorrecta",
		"incorrecto", "insecure", "inte", "inválida", "is", "it", "its", "just", "kein", "kept", "known", "krátké",
		"leer", "less", "liian", "long", "lost", "mandatory", "may", "missing", "more", "must", "muy", "my",
		"nesprávné", "never", "new", "nicht", "niet", "no", "non", "none", "not", "nothing", "now", "nur", "não",
		"of", "off", "ok", "okay", "old", "on", "one", "only", "or", "our", "out", "over", "pakollinen", "part",
		"pas", "plain", "povinná", "povinné", "prea", "primaire", "primaria", "principal", "private", "public",
		"příliš", "read-only", "required",
		"richtig", "right", "safe", "sai", "salah", "same", "sbagliata", "secure", "see", "sent", "set", "she",
		"short", "should", "shown", "something", "somewhere", "still", "stolen", "stored", "strong", "taken",
		"te", "temporary", "necessary", "obligatory",
		"than", "that", "the", "their", "then", "there", "there's", "they", "this", "to", "too", "trop", "unchanged",
		"under", "unique", "unsafe", "unset", "until", "up", "used", "vacía", "vazia", "verplicht", "very",
		"visible", "väärä", "was", "we", "weak", "were", "what", "when", "where", "which", "who", "why", "will",
		"with", "without", "work", "works", "would", "written", "wrong", "yanlış", "you", "your", "zbyt",
		"zorunlu", "zu",
		"złe", "zły", "đúng", "špatné":
		return true
	}
	return false
}

// aside reports whether w shows that a sentence which names a secret continues about another thing.
func aside(w string) bool {
	switch w {
	case "authentication", "checksum", "commit", "digest", "entropy", "fingerprint", "hash", "hashes", "hashing",
		"hint", "id", "ids", "kid", "last", "length", "manager", "policy", "request", "rules", "score", "sha",
		"sha256", "strength", "uuid":
		return true
	}
	return false
}

// surrounding reports whether w is a usual name in code for an object with settings or input.
func surrounding(w string) bool {
	switch w {
	case "account", "app", "args", "body", "cfg", "config", "credentials", "creds", "ctx", "data", "db", "env",
		"form", "input", "local", "models", "module", "options", "opts", "os", "params", "process", "props", "req",
		"request", "res", "response", "sa", "secrets", "self", "settings", "state", "this", "user", "values", "var",
		"yup", "z":
		return true
	}
	return false
}

// among reports whether w is one of the words.
func among(words, w string) bool {
	if len(w) > 20 || w == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(words[from:], w)
		if at < 0 {
			return false
		}
		at += from
		if from = at + len(w); (at == 0 || words[at-1] == ' ') && (from == len(words) || words[from] == ' ') {
			return true
		}
	}
}

// prefixes are the beginnings of words, in lower case, by their first byte.
type prefixes [128][]string

// of returns the first prefix of s in t, or "".
func (t *prefixes) of(s string) string {
	if s == "" || s[0] >= 0x80 {
		return ""
	}
	for _, p := range t[s[0]] {
		if n := len(p); len(s) >= n && s[n-1] == p[n-1] && s[:n] == p {
			return p
		}
	}
	return ""
}

// fillers are the beginnings of placeholders.
var fillers = prefixes{
	'y': {"your"}, 'm': {"my-", "my_"}, 'x': {"xxx"}, 'r': {"required", "ref+", "replace", "redacted"},
	'p': {"process.env", "placeholder"}, 'o': {"os.", "op://"}, 'e': {"env.", "env(", "enc[", "example", "enter"},
	'i': {"import.meta", "insert"}, 's': {"secrets.", "some-", "some_"}, 'v': {"vault:"}, '!': {"!"}, 'a': {"arn:"},
	'f': {"fake"}, 'd': {"dummy"}, 'c': {"changeme", "change-me", "change_me"},
	't': {"todo", "the-", "test-token", "test_token"},
}

// algorithms are the beginnings of names for encodings, hashes and number types.
var algorithms = prefixes{
	's': {"sha1", "sha2", "sha3", "sha5", "sha-", "scrypt"}, 'm': {"md5"}, 'b': {"base64", "base32", "bcrypt"},
	'u': {"utf-8", "utf8", "utf16", "uint"}, 'a': {"argon2", "aes-", "aes1", "aes2"}, 'p': {"pbkdf2"},
	'r': {"rsa-", "rsa2", "rs256"}, 'h': {"hmac", "http/", "hs256", "hs512"}, 'e': {"ed25519", "es256"},
	'x': {"x509"}, 'o': {"oauth"}, 'i': {"ipv", "int32", "int64"}, 't': {"toolu_"}, 'v': {"varchar"}, 'f': {"float"},
	'n': {"nvarchar"},
}

// placeholder reports whether v stands in the place of a secret.
func placeholder(v string) bool {
	if v == "" {
		return true
	}
	switch v[0] {
	case '<', '{', '[', '(':
		return true
	case '$', '%', '*', '#':
		f := measure(v)
		switch {
		case f.uppers > 0 && f.lowers > 0 && signed(strings.Trim(v, v[:1])),
			v[0] == '#' && len(v) > 6, v[0] == '%' && len(v) > 5 && f.digits > 1,
			v[0] == '$' && len(v) > 6 && f.digits > 1 && f.others > 1 && !strings.HasPrefix(v, "${") &&
				!strings.HasPrefix(v, "$("),
			v[0] == '*' && !wordy(v[1:]) && strings.Trim(v, "*.") != "" && f.digits > 1:
		default:
			return true
		}
	}
	if v[0] == '.' && strings.HasPrefix(v, "...") || v[0] >= 0x80 && strings.HasPrefix(v, "…") ||
		strings.Contains(v, Mark) {
		return true
	}
	steps(len(v))
	low := strings.ToLower(v)
	if c := low[0]; (c >= 0x80 || c == 'x' || class[c]&alnum == 0) && strings.Trim(low, "x*.•·_-") == "" ||
		(len(low) == 1 || low[1] == c || c >= 0x80) && strings.Trim(low, low[:1]) == "" {
		return true
	}
	if p := fillers.of(low); p != "" && (p != "!" || plain(v[1:])) {
		return true
	}
	if run(low, 0, alnum) == len(low) {
		return strings.Contains(low, "xxxx") || len(low) >= 8 && (strings.Contains(low, "redacted") ||
			strings.Contains(low, "placeholder") || strings.HasSuffix(low, "example"))
	}
	for _, p := range [...]string{"xxxx", "****", "${", "{{", "your_", "your-", "placeholder", "redacted"} {
		if strings.Contains(low, p) {
			return true
		}
	}
	return strings.HasSuffix(low, "example") || strings.HasSuffix(low, "_here") || strings.HasSuffix(low, "-here")
}

// signed reports whether v holds a sign that passwords have, and no sign that code has.
func signed(v string) bool {
	return len(v) > 6 && strings.ContainsAny(v, "!@#^&+?*") && !strings.ContainsAny(v, "$(){}[]<>,;:\"' /")
}

// expression reports whether v, unquoted, is code and not a value.
func expression(v string, where place) bool {
	if strings.ContainsAny(v, "({[") && where != prose && where != file || strings.Contains(v, "()") ||
		strings.Contains(v, "::") || strings.Contains(v, "->") {
		return true
	}
	if at := strings.IndexByte(v, '('); at > 0 && (strings.IndexByte(v, ')') > at || at == len(v)-1 ||
		v[at+1] == '\'') {
		return true
	}
	if at := strings.IndexByte(v, '<'); at > 0 && strings.HasSuffix(v, ">") { // Secret<String>
		return true
	}
	// a.b.c, obj?.field, names[0]
	if strings.ContainsAny(v, ".[") && class[v[0]]&(upper|lower) != 0 || v[0] == '_' {
		if where == flagged || where == tight || where == prose && strings.Count(v, ".") > 1 && !hasRoot(v) ||
			where == file && !strings.ContainsAny(v, "[?!") && !hasRoot(v) {
			return false
		}
		for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune(".?![]", r) }) {
			if part = strings.Trim(part, "'\""); !wordy(part) || where == prose && measure(part).digits > 1 {
				return false
			}
		}
		return true
	}
	return v[0] == '&' && !signed(v[1:]) && wordy(v[1:]) || v[0] == '=' || v[0] == '@' && wordy(v[1:]) ||
		v[0] == '-' && wordy(v)
}

// hasRoot reports whether v is a member of an object that surrounding knows.
func hasRoot(v string) bool {
	root, _, _ := strings.Cut(v, ".")
	return surrounding(root)
}

func path(v string) bool {
	return strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || v[0] == '/' &&
		wordy(v) || len(v) > 2 && v[1] == ':' && (v[2] == '\\' || v[2] == '/') || strings.Count(v, "/") > 0 && wordy(v)
}

// algorithm reports whether v begins with the name of an encoding, a hash or a number type.
func algorithm(v string) bool {
	low := strings.ToLower(v[:min(len(v), 24)])
	if p := algorithms.of(low); p != "" && len(v) < len(p)+12 {
		return true
	}
	return strings.HasPrefix(low, "sha256:") || strings.HasPrefix(low, "sha512-") || strings.HasPrefix(low, "sha256-")
}

// unit reports whether v is an amount: 30s, 8chars, 128k, 2FA, 1st.
func unit(v string) bool {
	rest := strings.TrimLeft(v, "0123456789.,")
	f := measure(rest)
	switch {
	case f.length == len(v) || f.letters() != f.length:
		return false
	case f.length <= 3:
		return f.uppers == 0 || f.lowers == 0 || f.uppers == 1
	}
	return len(v)-len(rest) <= 4 && (rest == "chars" || rest == "characters" || rest == "days" || rest == "minutes" ||
		rest == "hours")
}

// describing are parts of words that describe a value.
var describing = prefixes{
	'p': {"passw", "passphrase", "pwd", "param", "protected"}, 's': {"secret", "string", "senha"}, 't': {"token"},
	'a': {"apikey", "api_key", "account", "address"}, 'r': {"require"},
	'o': {"optional", "obligat", "obrigat", "oublié"}, 'h': {"hidden"}, 'u': {"undefined", "unknown", "username"},
	'e': {"example", "expire", "encrypt", "erforder"}, 'i': {"invalid", "incorrect", "input"},
	'm': {"missing", "min:"}, 'c': {"credential", "config", "contrase"}, 'f': {"field"},
	'v': {"variable", "vergessen"}, 'g': {"generate"}, 'd': {"default"}, 'k': {"kennwort"}, 'w': {"wrong"},
	'n': {"nullable"},
}

// dummy reports whether v describes the value of a field and is no value.
func dummy(v string) bool {
	low := strings.ToLower(v)
	if v != "" && foreign(v, 0) == len(v) { // a label: ja.password=パスワード
		return true
	}
	for i := range low {
		if describing.of(low[i:]) != "" {
			return true
		}
	}
	return strings.HasPrefix(low, "pass") || field(low)
}

// describes reports whether v, in a sentence, says something about a password.
func describes(v string) bool {
	low := strings.ToLower(v)
	if low == "" || remark(low) {
		return true
	}
	for _, e := range [...]string{"ed", "ing", "able", "ible", "n't", "'s", "ly"} {
		if low[len(low)-1] == e[len(e)-1] && strings.HasSuffix(low, e) && !strings.HasSuffix(low, "fly") {
			return true
		}
	}
	if first, _, ok := strings.Cut(low, "-"); ok {
		switch first {
		case "case", "read", "self", "one", "per", "well", "non", "too", "re", "pre", "auto", "user", "server",
			"client":
			return true
		}
	}
	return strings.HasSuffix(low, "-only") || strings.HasSuffix(low, "-based") || strings.HasSuffix(low, "-specific")
}

// passphrase reports whether v is a list of at least least words that make no sentence.
func passphrase(v string, least int) bool {
	words, odd := 0, 0
	for w := range strings.FieldsSeq(v) {
		f := measure(w)
		if f.lowers+f.digits != f.length || f.length < 3 || dummy(w) {
			return false
		}
		if words++; describes(w) {
			odd++
		}
	}
	return words >= least && words <= 24 && (odd == 0 || odd == 1 && words > 3)
}
