package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// Where a value stands.
type place int

const (
	code    place = iota // may be an expression
	file                 // NAME=value or name: value, a line of its own
	tight                // name=value in the midst of others
	flagged              // behind a flag
	prose                // in a sentence
)

// literal returns the value at q, if it is one and not an expression, a type, or something to fill in.
func literal(s string, q int, n named, where place) (span, bool) {
	if q >= len(s) {
		return span{}, false
	}
	open, quote := "", ""
	switch {
	case strings.HasPrefix(s[q:], `\"`):
		open, quote = `\"`, `\"`
	case s[q] == '"', s[q] == '\'', s[q] == '`':
		open, quote = s[q:q+1], s[q:q+1]
	case s[q] < 0x80:
	default:
		for _, pair := range [...][2]string{{"“", "”"}, {"«", "»"}, {"‘", "’"}, {"「", "」"}, {"„", "“"}, {"『", "』"}} {
			if strings.HasPrefix(s[q:], pair[0]) {
				open, quote = pair[0], pair[1]
			}
		}
	}
	if quote != "" {
		return quotedValue(s, q+len(open), quote, n, where)
	}
	if s[q] >= 0x80 && where == prose { // a word of another script
		return span{}, false
	}
	end := q
scan:
	for end < len(s) && end-q <= maxBare {
		c := s[end]
		switch {
		case class[c]&word != 0: // as nearly all are
		case c <= ' ' || c == 0x7f || c == '"' || c == '`':
			break scan
		case c == '\'' && where != file:
			break scan
		case c == '\\' && end+1 < len(s) && strings.IndexByte("nrt\"'\\", s[end+1]) >= 0:
			break scan
		case c == '&' && where != file && where != prose && !parameter(s, end+1):
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
	steps(len(v))
	if len(v) < 12 && cutOff(s, end) || len(v) > maxBare || !accepts(v, n, where, false) {
		return span{}, false
	}
	if n.rank != weak && where != flagged && !strings.HasPrefix(s[end:], ",") && end < len(s) && plain(v) && (strings.IndexByte("),}]", s[end]) >= 0 && where != prose || s[end] == ';' && where == file || s[end] == '(') {
		return span{}, false // an argument, a field of an object: a variable's name
	}
	return span{q, end, n.kind}, true
}

// parameter reports whether what follows & is a further parameter, or a command.
func parameter(s string, i int) bool {
	last := i
	for last < len(s) && last-i < 32 && (class[s[last]]&word != 0 || s[last] == '.') {
		last++
	}
	return last == i || byteAt(s, last) == '=' || strings.HasPrefix(s[i:], "amp;")
}

// quotedValue is literal for what begins at from, behind a quotation mark.
func quotedValue(s string, from int, quote string, n named, where place) (span, bool) {
	end, closed := from, false
	for limit := min(len(s), from+maxValue); end < limit && s[end] != '\n' && !closed; {
		switch {
		case s[end] == quote[0] && strings.HasPrefix(s[end:limit], quote):
			closed = true
			continue
		case s[end] == '\\' && len(quote) == 1 && end+1 < limit && s[end+1] != '\n':
			end++
		}
		end++
	}
	v := s[from:end]
	steps(len(v))
	switch {
	case !closed && (len(v) > 200 || strings.Contains(v, " ")),
		strings.HasPrefix(v, "+") && (strings.HasSuffix(v, "+") || class[byteAt(v, 1)]&(lower|upper) != 0 && !closed) || strings.HasPrefix(v, "+ ") || strings.HasSuffix(v, " +"), // "password="+word+"…"
		!accepts(v, n, where, true):
		return span{}, false
	}
	return span{from, end, n.kind}, true
}

// accepts reports whether v, behind the name n, is a secret.
func accepts(v string, n named, where place, quoted bool) bool {
	if len(v) < 4 || placeholder(v) {
		return false
	}
	f := measure(v)
	if f.others > 0 && strings.Contains(v, "://") {
		return false
	}
	if strings.HasPrefix(v, "eyJ") && len(v) > 20 {
		return true
	}
	if f.others > 0 && (!quoted && expression(v, where) || path(v)) || algorithm(v) {
		return false
	}
	if len(v) >= 10 && v[4] == '-' && v[7] == '-' && strings.Trim(v[:4], digits) == "" { // a day
		return false
	}
	if f, ok := known(v, 0, run(v, 0, word)); ok && f.kind == "" {
		return false
	}
	if n.kind == "pin" {
		return f.digits == f.length && f.length <= 12
	}
	if n.otp && f.length >= 16 && f.length%8 == 0 && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == "" {
		return true
	}
	if n.rank == weak {
		return weakly(v, f, n, quoted) || basic(v, f)
	}
	if n.rank == firm {
		if weakly(v, f, n, quoted) {
			return true
		}
		if where == prose || where == code && !quoted || strings.Contains(v, "/") {
			return false
		}
	}
	switch {
	case f.others > 0 && strings.ContainsAny(v, " \t"):
		return quoted && (passphrase(v, 3) || where == file && passphrase(v, 2))
	case f.digits == f.length: // a PIN; a number of something
		return where != code && f.length <= 16 && n.kind == "password" || quoted
	case f.letters() == f.length || f.digits == 0 && plain(v):
		switch {
		case dummy(v) || f.uppers == f.length:
			return false
		case quoted:
			return where != prose || len(v) >= 5
		case where == code && joined(v) && strings.IndexByte(v, '-') > 0:
			return true
		case where == code: // aWorDlike thIs; an identifier is not
			return f.changes*2 >= f.length && f.uppers >= 2
		case where == prose && f.lowers+f.uppers == 0: // not ASCII
			return false
		}
		return !describes(v)
	case f.digits > 0 && wordy(v) && strings.ContainsAny(v, "-_./"): // min-8-chars, reset_password_v2
		return where != code && !dummy(v) && f.digits >= 2 || quoted && where != prose && !dummy(v)
	case where == code && !quoted && f.digits == 1 && f.uppers == 0 && plain(strings.TrimRight(v, digits)): // width2
		return false
	case f.digits > 0 && f.letters() > 0:
		return !unit(v) && (where != prose || len(v) >= 5)
	case f.digits == 0:
		return f.letters() > 2 && strings.ContainsAny(v[:len(v)-1], "!@#$%^&*?+~") && !strings.HasSuffix(v[:len(v)-1], "!") || where == flagged || where == file
	}
	return where != prose || strings.ContainsAny(v, "!@#$%^&*")
}

// basic reports whether v is a user and a password in base64.
func basic(v string, f form) bool {
	if f.length < 8 || f.length%4 != 0 || f.uppers == 0 || f.lowers == 0 {
		return false
	}
	data, err := base64.StdEncoding.DecodeString(v)
	if err != nil || bytes.IndexByte(data, ':') < 1 {
		return false
	}
	for _, c := range data {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// weakly is accepts for tokens and keys, which are longer and made by machines.
func weakly(v string, f form, n named, quoted bool) bool {
	if f.length < 8 || f.others > 0 && strings.ContainsAny(v, " \t(){}[]<>|\"'`,;") {
		return false
	}
	switch {
	case n.any && (!f.drawn() || f.hex || f.digits < 2 && wordy(v)) && (f.digits < 2 || f.digits < 3 && f.changes < 14 || f.length < 16 || f.others > f.length/8 || f.hex && f.uppers+f.lowers < 3):
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

// prefixes are beginnings of words in lower case, by their first byte.
type prefixes [128][]string

// of returns the first of the beginnings that s has, or "".
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

// fillers are how what stands for a secret begins.
var fillers = prefixes{
	'y': {"your"}, 'm': {"my-", "my_"}, 'x': {"xxx"}, 'r': {"required", "ref+", "replace", "redacted"},
	'p': {"process.env", "placeholder"}, 'o': {"os.", "op://"}, 'e': {"env.", "env(", "enc[", "example", "enter"},
	'i': {"import.meta", "insert"}, 's': {"secrets.", "some-", "some_"}, 'v': {"vault:"}, '!': {"!"}, 'a': {"arn:"},
	'f': {"fake"}, 'd': {"dummy"}, 'c': {"changeme", "change-me", "change_me"},
	't': {"todo", "the-", "test-token", "test_token"},
}

// algorithms are how the names of ways to encode, hash or number things begin.
var algorithms = prefixes{
	's': {"sha1", "sha2", "sha3", "sha5", "sha-", "scrypt"}, 'm': {"md5"}, 'b': {"base64", "base32", "bcrypt"},
	'u': {"utf-8", "utf8", "utf16", "uint"}, 'a': {"argon2", "aes-", "aes1", "aes2"}, 'p': {"pbkdf2"},
	'r': {"rsa-", "rsa2", "rs256"}, 'h': {"hmac", "http/", "hs256", "hs512"}, 'e': {"ed25519", "es256"},
	'x': {"x509"}, 'o': {"oauth"}, 'i': {"ipv", "int32", "int64"}, 't': {"toolu_"}, 'v': {"varchar"}, 'f': {"float"},
	'n': {"nvarchar"},
}

// placeholder reports whether v stands for a secret instead of being one.
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
		case v[0] == '#' && len(v) > 6, v[0] == '%' && len(v) > 5 && f.digits > 1,
			v[0] == '$' && len(v) > 6 && f.digits > 1 && f.others > 1 && !strings.HasPrefix(v, "${") && !strings.HasPrefix(v, "$("),
			v[0] == '*' && !wordy(v[1:]) && strings.Trim(v, "*.") != "" && f.digits > 1:
		default:
			return true
		}
	}
	if v[0] == '.' && strings.HasPrefix(v, "...") || v[0] >= 0x80 && strings.HasPrefix(v, "…") || strings.Contains(v, Mark) {
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
		return strings.Contains(low, "xxxx") || len(low) >= 8 && (strings.Contains(low, "redacted") || strings.Contains(low, "placeholder") || strings.HasSuffix(low, "example"))
	}
	for _, p := range [...]string{"xxxx", "****", "${", "{{", "your_", "your-", "placeholder", "redacted"} {
		if strings.Contains(low, p) {
			return true
		}
	}
	return strings.HasSuffix(low, "example") || strings.HasSuffix(low, "_here") || strings.HasSuffix(low, "-here")
}

// expression reports whether v, unquoted, is a piece of code rather than a value.
func expression(v string, where place) bool {
	if strings.ContainsAny(v, "({[") && where != prose && where != file || strings.Contains(v, "()") || strings.Contains(v, "::") || strings.Contains(v, "->") {
		return true
	}
	if at := strings.IndexByte(v, '('); at > 0 && (strings.IndexByte(v, ')') > at || at == len(v)-1 || v[at+1] == '\'') {
		return true
	}
	if at := strings.IndexByte(v, '<'); at > 0 && strings.HasSuffix(v, ">") { // Secret<String>
		return true
	}
	// a.b.c, obj?.field, names[0]
	if strings.ContainsAny(v, ".[") && class[v[0]]&(upper|lower) != 0 || v[0] == '_' {
		if where == flagged || where == tight || where == prose && strings.Count(v, ".") > 1 && !hasRoot(v) || where == file && !strings.ContainsAny(v, "[?!") && !hasRoot(v) {
			return false
		}
		for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune(".?![]", r) }) {
			if part = strings.Trim(part, "'\""); !wordy(part) || where == prose && measure(part).digits > 1 {
				return false
			}
		}
		return true
	}
	return v[0] == '&' || v[0] == '=' || v[0] == '@' && wordy(v[1:]) || v[0] == '-' && wordy(v)
}

// hasRoot reports whether v is a member of what code calls its surroundings.
func hasRoot(v string) bool {
	root, _, _ := strings.Cut(v, ".")
	switch root {
	case "this", "self", "process", "os", "env", "config", "cfg", "settings", "var", "local", "data", "module", "args", "opts", "options", "req", "request", "params", "props", "state", "values", "form", "user", "account", "secrets", "z", "yup", "models", "sa", "db", "app", "ctx", "creds", "credentials", "response", "res", "body", "input":
		return true
	}
	return false
}

func path(v string) bool {
	return strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || v[0] == '/' && wordy(v) || len(v) > 2 && v[1] == ':' && (v[2] == '\\' || v[2] == '/') || strings.Count(v, "/") > 0 && wordy(v)
}

// algorithm reports whether v begins with the name of a way to encode, hash or number things.
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
	return len(v)-len(rest) <= 4 && (rest == "chars" || rest == "characters" || rest == "days" || rest == "minutes" || rest == "hours")
}

// fields are parts of words that describe a value instead of being one.
var fields = prefixes{
	'p': {"passw", "passphrase", "pwd", "param", "protected"}, 's': {"secret", "string", "senha"}, 't': {"token"},
	'a': {"apikey", "api_key", "account", "address"}, 'r': {"require"},
	'o': {"optional", "obligat", "obrigat", "oublié"}, 'h': {"hidden"}, 'u': {"undefined", "unknown", "username"},
	'e': {"example", "expire", "encrypt", "erforder"}, 'i': {"invalid", "incorrect", "input"},
	'm': {"missing", "min:"}, 'c': {"credential", "config", "contrase"}, 'f': {"field"},
	'v': {"variable", "vergessen"}, 'g': {"generate"}, 'd': {"default"}, 'k': {"kennwort"}, 'n': {"nullable"},
}

// kindOfValue reports whether a word says what a value is, or that there is none.
func kindOfValue(low string) bool {
	switch low {
	case "any", "ask", "always", "bytes", "byte", "boolean", "bool", "bearer", "basic", "buffer", "blob", "current",
		"charfield", "char", "chararray", "disabled", "date", "data", "delete", "digest", "empty", "enabled",
		"encrypted", "email", "env", "false", "field", "form", "file", "files", "get", "hashed", "hello", "hash",
		"int", "json", "key", "keys", "login", "logout", "label", "mandatory", "null", "none", "nil", "number",
		"name", "never", "next", "no", "nonexistent", "object", "option", "plain", "plaintext", "prompt",
		"password1", "password2", "pass", "path", "post", "put", "patch", "reset", "read", "raw", "result",
		"response", "request", "strong", "short", "self", "submit", "str", "some", "sensitive", "salt", "true",
		"text", "test", "this", "type", "title", "user", "unset", "url", "value", "valid", "varchar", "wrong",
		"weak", "write", "yes", "yaml":
		return true
	}
	return false
}

// dummy reports whether v is a word that describes a field instead of filling it.
func dummy(v string) bool {
	low := strings.ToLower(v)
	for i := range low {
		if fields.of(low[i:]) != "" {
			return true
		}
	}
	return strings.HasPrefix(low, "pass") || kindOfValue(low)
}

// saysOf reports whether a sentence says the word of a password, or puts it in front of such a word.
func saysOf(low string) bool {
	switch low {
	case "a", "an", "another", "and", "as", "at", "also", "already", "again", "always", "ask", "anything", "about",
		"after", "available", "are", "but", "by", "been", "being", "bad", "broken", "both", "between", "before",
		"be", "boş", "below", "above", "correct", "clear", "case", "can", "could", "case-sensitive", "different", "does", "do", "did",
		"empty", "either", "enough", "est", "errada", "for", "from", "fine", "forgotten", "falsch", "för", "forkert",
		"feil", "fel", "good", "gone", "given", "greșită", "geçersiz", "his", "her", "how", "here", "hidden", "he",
		"has", "have", "had", "hibás", "its", "if", "in", "insecure", "important", "it", "is", "inte", "ikke",
		"incorrecta", "incorrecto", "inválida", "just", "kept", "known", "kein", "krátké", "long", "lost", "less",
		"leer", "liian", "my", "mandatory", "more", "must", "may", "muy", "missing", "not", "no", "now", "never",
		"new", "nothing", "none", "nicht", "nur", "non", "não", "niet", "nesprávné", "our", "one", "or", "of", "on",
		"only", "ok", "okay", "old", "out", "off", "over", "plain", "public", "private", "part", "pas", "příliš",
		"prea", "povinné", "povinná", "pakollinen", "right", "required", "read-only", "richtig", "still", "strong",
		"short", "set", "same", "sent", "shown", "see", "stored", "secure", "safe", "stolen", "something",
		"somewhere", "she", "should", "sbagliata", "salah", "sai", "the", "their", "this", "that", "to", "too",
		"there", "taken", "there's", "they", "than", "then", "trop", "te", "unset", "unsafe", "unique", "up", "used",
		"under", "until", "unchanged", "visible", "very", "vacía", "vazia", "väärä", "verplicht", "what", "when",
		"where", "why", "with", "without", "wrong", "weak", "written", "we", "who", "which", "will", "would", "was",
		"were", "works", "work", "your", "you", "yanlış", "zu", "zbyt", "zły", "złe", "đúng", "špatné":
		return true
	}
	return false
}

// describes reports whether v, in a sentence, says something of a password instead of being it.
func describes(v string) bool {
	low := strings.ToLower(v)
	if low == "" || saysOf(low) {
		return true
	}
	for _, e := range [...]string{"ed", "ing", "able", "ible", "n't", "'s", "ory", "ary", "ly"} {
		if low[len(low)-1] == e[len(e)-1] && strings.HasSuffix(low, e) && !strings.HasSuffix(low, "fly") {
			return true
		}
	}
	if first, _, ok := strings.Cut(low, "-"); ok {
		switch first {
		case "case", "read", "self", "one", "per", "well", "non", "too", "re", "pre", "auto", "user", "server", "client":
			return true
		}
	}
	return strings.HasSuffix(low, "-only") || strings.HasSuffix(low, "-based") || strings.HasSuffix(low, "-specific")
}

// passphrase reports whether v is so many words or more that make no sentence.
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
