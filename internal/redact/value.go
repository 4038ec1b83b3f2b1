package redact

import (
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
	if len(v) < 12 && cutOff(s, end) || len(v) > maxBare || !accepts(v, n, where, false) {
		return span{}, false
	}
	if n.rank != weak && where != flagged && !strings.HasPrefix(s[end:], ",") && end < len(s) && plain(v) && (strings.IndexByte("),}]", s[end]) >= 0 && where != prose || s[end] == ';' && where == file || s[end] == '(') {
		return span{}, false // an argument, a field of an object: a variable's name
	}
	return span{q, end, n.kind}, true
}

// quotedValue is literal for what begins at from, behind a quotation mark.
func quotedValue(s string, from int, quote string, n named, where place) (span, bool) {
	line := min(len(s), from+maxValue)
	if nl := strings.IndexByte(s[from:line], '\n'); nl >= 0 {
		line = from + nl
	}
	end, closed := line, false
	for k := from; k < line; k++ {
		if strings.HasPrefix(s[k:line], quote) {
			end, closed = k, true
			break
		}
		if s[k] == '\\' && len(quote) == 1 {
			k++
		}
	}
	v := s[from:end]
	switch {
	case !closed && (len(v) > 200 || strings.Contains(v, " ")),
		strings.HasPrefix(v, "+") || strings.HasSuffix(v, "+"), // "password="+word+"…": the quote ends a string
		!accepts(v, n, where, true):
		return span{}, false
	}
	return span{from, end, n.kind}, true
}

// accepts reports whether v, behind the name n, is a secret.
func accepts(v string, n named, where place, quoted bool) bool {
	if len(v) < 4 || placeholder(v) || strings.Contains(v, "://") {
		return false
	}
	if strings.HasPrefix(v, "eyJ") && len(v) > 20 {
		return true
	}
	if !quoted && expression(v, where) || path(v) || algorithm(v) {
		return false
	}
	if f, ok := known(v, 0, run(v, 0, word)); ok && f.kind == "" {
		return false
	}
	f := measure(v)
	if n.kind == "pin" {
		return f.digits == f.length && f.length <= 12
	}
	if n.rank == weak {
		return weakly(v, f, n, quoted)
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
	case strings.ContainsAny(v, " \t"):
		return quoted && passphrase(v)
	case f.digits == f.length: // a PIN; a number of something
		return where != code && f.length <= 16 && n.kind == "password" || quoted
	case f.letters() == f.length || f.digits == 0 && plain(v):
		switch {
		case dummy(v) || f.uppers == f.length:
			return false
		case quoted:
			return where != prose || len(v) >= 5
		case where == code: // aWorDlike thIs; an identifier is not
			return f.changes*2 >= f.length && f.uppers >= 2
		case where == prose && f.lowers+f.uppers == 0: // not ASCII
			return false
		}
		return !describes(v)
	case f.digits > 0 && wordy(v) && strings.ContainsAny(v, "-_./"): // min-8-chars, reset_password_v2
		return where != code && !dummy(v) && f.digits >= 2 || quoted && where != prose && !dummy(v)
	case f.digits > 0 && f.letters() > 0:
		return !unit(v) && (where != prose || len(v) >= 5)
	case f.digits == 0:
		return f.letters() > 2 && strings.ContainsAny(v[:len(v)-1], "!@#$%^&*?+~") && !strings.HasSuffix(v[:len(v)-1], "!") || where == flagged || where == file
	}
	return where != prose || strings.ContainsAny(v, "!@#$%^&*")
}

// weakly is accepts for tokens and keys, which are longer and made by machines.
func weakly(v string, f form, n named, quoted bool) bool {
	if strings.ContainsAny(v, " \t(){}[]<>|\"'`,;") || f.length < 8 {
		return false
	}
	switch {
	case n.any && (f.digits < 2 || f.digits < 3 && f.changes < 14 || f.length < 16 || f.others > f.length/8 || f.hex && f.uppers+f.lowers < 3):
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
	if strings.HasPrefix(v, "…") || strings.HasPrefix(v, "...") || strings.Contains(v, Mark) {
		return true
	}
	low := strings.ToLower(v)
	if len(strings.Trim(low, "x*.•·_-")) == 0 || len(strings.Trim(low, low[:1])) == 0 {
		return true
	}
	for _, p := range [...]string{"your", "my-", "my_", "xxx", "required", "process.env", "os.", "env.", "env(", "enc[", "import.meta", "secrets.", "vault:", "op://", "ref+", "!", "arn:", "fake", "dummy", "example", "placeholder", "changeme", "change-me", "change_me", "replace", "insert", "redacted", "todo", "enter", "some-", "some_", "the-", "test-token", "test_token"} {
		if strings.HasPrefix(low, p) && (p != "!" || plain(v[1:])) {
			return true
		}
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
			if !wordy(part) || where == prose && measure(part).digits > 1 {
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

// plain reports whether v is letters with the marks that stand in identifiers and hyphened words.
func plain(v string) bool {
	for i := range len(v) {
		if class[v[i]]&(upper|lower) == 0 && strings.IndexByte("-_./:,", v[i]) < 0 && v[i] < 0x80 {
			return false
		}
	}
	return true
}

// algorithm reports whether v begins with the name of a way to encode, hash or number things.
func algorithm(v string) bool {
	low := strings.ToLower(v[:min(len(v), 24)])
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

// fields are parts of words that describe a value instead of being one.
var fields = [...]string{"passw", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "string", "require", "optional", "hidden", "undefined", "example", "invalid", "incorrect", "missing", "expire", "unknown", "credential", "input", "field", "encrypt", "config", "param", "variable", "generate", "default", "username", "obligat", "obrigat", "erforder", "vergessen", "oublié", "kennwort", "contrase", "senha", "account", "address", "protected", "min:", "nullable"}

var fieldStarts = func() (first triples) {
	for _, p := range fields {
		first.add(p, 0)
	}
	return first
}()

// types are words that say what a value is, or that there is none.
const types = " null none nil true false text test wrong empty field value number bytes byte boolean bool object disabled enabled mandatory strong weak short valid hashed encrypted plain plaintext reset bearer basic self this hello " +
	"user email name login logout submit form str int any option some date unset prompt ask env never always sensitive write read hash raw data result response request next current charfield char chararray varchar password1 password2 " +
	"pass key keys file files path url type label title yes no get post put delete patch salt digest buffer blob json yaml nonexistent "

// dummy reports whether v is a word that describes a field instead of filling it.
func dummy(v string) bool {
	low := strings.ToLower(v)
	for i := range max(0, len(low)-2) {
		if !fieldStarts.has(low, i) {
			continue
		}
		for _, p := range fields {
			if strings.HasPrefix(low[i:], p) {
				return true
			}
		}
	}
	return strings.HasPrefix(low, "pass") || strings.Contains(types, " "+low+" ")
}

// describing are words that a sentence says of a password, and those that stand in front of them.
const describing = " the a an my your our their his her its this that one another what when where why how if but and or as by with without of in on at to for from not no now still just too also only already again never always " +
	"wrong correct right weak strong short long empty set unset same different fine ok okay here there been being kept sent shown known see ask stored required secure safe unsafe insecure plain clear visible public private old new good bad " +
	"broken gone lost stolen forgotten hidden taken given written read-only mandatory important unique up out off part case something somewhere nothing anything very both either none used between less more over under about after before until " +
	"enough unchanged available there's they it we you he she who which than then must should may can will would could does do did has have had is are was were be works work falsch leer richtig zu nicht kein nur est pas trop non muy no não non niet te zbyt příliš krátké " +
	"liian för inte ikke för prea trop incorrecta incorrecto inválida errada sbagliata vacía vazia forkert feil fel väärä zły złe špatné nesprávné greșită geçersiz boş yanlış povinné povinná verplicht pakollinen hibás salah sai đúng mandatory missing case-sensitive "

// describes reports whether v, in a sentence, says something of a password instead of being it.
func describes(v string) bool {
	low := strings.ToLower(v)
	if strings.Contains(describing, " "+low+" ") {
		return true
	}
	for _, e := range [...]string{"ed", "ing", "able", "ible", "n't", "'s", "ory", "ary"} {
		if strings.HasSuffix(low, e) {
			return true
		}
	}
	if strings.HasSuffix(low, "ly") && !strings.HasSuffix(low, "fly") {
		return true
	}
	if first, _, ok := strings.Cut(low, "-"); ok {
		switch first {
		case "case", "read", "self", "one", "per", "well", "non", "too", "re", "pre", "auto", "user", "server", "client":
			return true
		}
	}
	return strings.HasSuffix(low, "-only") || strings.HasSuffix(low, "-based") || strings.HasSuffix(low, "-specific")
}

// passphrase reports whether v is three words or more that make no sentence.
func passphrase(v string) bool {
	words := 0
	for w := range strings.FieldsSeq(v) {
		f := measure(w)
		if f.lowers+f.digits != f.length || f.length < 3 || describes(w) || dummy(w) {
			return false
		}
		words++
	}
	return words >= 3 && words <= 8
}
