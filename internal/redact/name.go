package redact

import "strings"

// What a name promises.
const (
	strong = 1 + iota // a password: nearly anything may stand behind it
	firm              // a secret that people choose too, such as JWT_SECRET
	weak              // a token or key: what stands behind it must look like one
	header            // Authorization and its like
	pair              // a login: a user and a password
)

// named is what a word says of what stands behind it.
type named struct {
	rank   int
	kind   string
	bare   bool // the word is the name alone, as in a sentence, and nothing longer
	any    bool // it names a key of whatever kind: what stands behind it must look drawn at random
	abroad bool // its language is not English
	short  bool // it is as often another word
	entry  bool // its line is one of .netrc, or connect stands before it
}

// title is the end of a name, in lower case and without - and _. When after is set, one of its words must stand before it.
type title struct {
	words, kind string
	rank        int
	how         uint8
	after       string
}

// How a title stands in a word.
const (
	tail  = iota // at its end; a short one as a part of its own
	alone        // as all of it
)

var titles = [...]title{
	{"password", "password", strong, tail, ""}, {"passwd", "password", strong, tail, ""}, {"pwd", "password", strong, tail, ""}, {"pw", "password", strong, tail, ""}, {"pass", "password", strong, tail, ""},
	{"passphrase", "password", strong, tail, ""}, {"passcode", "password", strong, tail, ""}, {"storepass", "password", strong, alone, ""}, {"keypass", "password", strong, alone, ""}, {"psk", "password", strong, alone, ""},
	{"dbpass", "password", strong, tail, ""}, {"pgpass", "password", strong, alone, ""}, {"srcstorepass", "password", strong, alone, ""}, {"deststorepass", "password", strong, alone, ""}, {"userpass", "password", strong, tail, ""}, {"rootpass", "password", strong, tail, ""}, {"adminpass", "password", strong, tail, ""}, {"securestring", "password", strong, tail, ""},
	{"requirepass", "password", strong, alone, ""}, {"masterauth", "password", strong, alone, ""}, {"by", "password", strong, alone, "identified"}, {"pin", "pin", strong, alone, ""}, {"wpapassphrase", "password", strong, alone, ""},
	{"secret", "secret", firm, tail, ""}, {"secretkey", "secret", firm, tail, ""}, {"secretkeybase", "secret", weak, tail, ""}, {"secretstring", "secret", firm, tail, ""}, {"secretvalue", "secret", firm, tail, ""},
	{"authorization", "authorization", header, tail, ""}, {"bearer", "authorization", header, alone, ""}, {"cookie", "cookie", header, alone, ""}, {"setcookie", "cookie", header, alone, ""},
	{"auth", "token", weak, alone, ""}, {"token", "token", weak, tail, ""}, {"authtoken", "token", weak, tail, ""}, {"jwt", "token", weak, alone, ""}, {"pat", "token", weak, tail, ""}, {"signature", "token", weak, tail, ""}, {"sig", "token", weak, tail, ""},
	{"credential", "secret", weak, tail, ""}, {"key", "api-key", weak, tail, ""}, {"apikey", "api-key", weak, tail, ""}, {"secretkey", "secret", firm, tail, ""}, {"accesskey", "secret", weak, tail, ""}, {"privatekey", "private-key", weak, tail, ""},
	{"encryptionkey", "secret", weak, tail, ""}, {"signingkey", "secret", weak, tail, ""}, {"masterkey", "secret", weak, tail, ""}, {"accountkey", "azure-key", weak, tail, ""}, {"authkey", "secret", weak, tail, ""},
	{"servicekey", "secret", weak, tail, ""}, {"sessionkey", "secret", weak, tail, ""}, {"appkey", "api-key", weak, tail, ""}, {"deploykey", "secret", weak, tail, ""}, {"licensekey", "secret", weak, tail, ""},
	{"rolekey", "secret", weak, tail, ""}, {"consumerkey", "api-key", weak, tail, ""}, {"clientkey", "api-key", weak, tail, ""}, {"integrationkey", "api-key", weak, tail, ""}, {"clientkeydata", "private-key", weak, tail, ""},
	{"login", "password", pair, alone, ""}, {"account", "password", pair, alone, ""}, {"logins", "password", pair, alone, ""}, {"credentials", "password", pair, tail, ""}, {"creds", "password", pair, tail, ""},
	{"zugangsdaten", "password", pair, alone, ""}, {"anmeldedaten", "password", pair, alone, ""}, {"identifiants", "password", pair, alone, ""}, {"credenciales", "password", pair, alone, ""}, {"credenciais", "password", pair, alone, ""},
	{"credenziali", "password", pair, alone, ""}, {"inloggegevens", "password", pair, alone, ""},
	{"in", "password", pair, alone, "log"}, {"in", "password", pair, alone, "sign"}, {"passe", "password", strong, alone, "mot de"}, {"palavrapasse", "password", strong, alone, ""},
}

// trailers are what may stand behind a name and leaves it one: DB_PASSWORD_PROD, passwordOld.
var trailers = [...]string{"prod", "production", "staging", "stage", "stg", "dev", "development", "test", "testing", "qa", "uat", "live", "sandbox", "new", "old", "current", "backup", "primary", "secondary", "main", "default", "admin", "root", "local", "ci"}

// abroad are the names of other languages, each with the endings that it may take. Those in ASCII stand as words, and at the
// end of a name (minha_senha); the others wherever they begin.
var abroad = [...]string{
	"passwort", "kennwort", "wachtwoord", "mdp", "contrasena", "contraseña", "clave", "contrasenya", "contrasinal", "senha", "parola", "parole", "parool", "heslo", "hasło", "haslo", "jelsz", "salasana",
	"lösenord", "losenord", "adgangskode", "kodeord", "passord", "lozink", "geslo", "slaptažodis", "slaptazodis", "şifre", "sifre", "Şifre", "sandi", "laluan", "mật khẩu", "Mật khẩu", "lykilorð", "pasahitza", "fjalëkalim", "nenosiri",
	"пароль", "Пароль", "ПАРОЛЬ", "пароля", "паролем", "парол", "Парол", "лозинк", "Лозинк", "κωδικ", "Κωδικ", "סיסמ", "הסיסמ", "كلمة السر", "كلمة المرور", "كلمه المرور", "گذرواژه", "رمز عبور", "पासवर्ड", "রাসওয়ার্ড", "পাসওয়ার্ড", "პაროლ", "գաղտնաբառ",
	"รหัสผ่าน", "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호",
}

// nameIndex tells at once that a word is no name, as nearly all are none: ends has the last three bytes of every title and
// trailer, begins the first three bytes of every name of abroad. last has one more than the place of the first title that
// ends with a letter, next that of the one after it; first and then are the same for abroad and a first byte.
type nameIndex struct {
	ends, begins triples
	last         [32]uint8
	next         [len(titles)]uint8
	first        [256]uint8
	then         [len(abroad)]uint8
}

func (x *nameIndex) build() {
	for i := len(titles) - 1; i >= 0; i-- {
		w := titles[i].words
		if len(w) > 2 {
			x.ends.add(w, len(w)-3)
		}
		b := w[len(w)-1] & 31
		x.next[i], x.last[b] = x.last[b], uint8(i+1)
	}
	for _, t := range trailers {
		x.ends.add("_"+t, len(t)-2)
	}
	for i := len(abroad) - 1; i >= 0; i-- {
		a := abroad[i]
		x.begins.add(a, 0)
		x.then[i], x.first[a[0]] = x.first[a[0]], uint8(i+1)
	}
}

// triples is a set of three bytes each, of which the lower five bits count. It may hold others too: it is small, so that a
// process has it at hand soon.
type triples [1 << 7]uint32

func (t *triples) at(s string, i int) (word int, bit uint32) {
	n := uint32(s[i]&31)<<10 | uint32(s[i+1]&31)<<5 | uint32(s[i+2]&31)
	n ^= n >> 7
	return int(n>>5) & 127, 1 << (n & 31)
}

func (t *triples) add(s string, i int) {
	word, bit := t.at(s, i)
	t[word] |= bit
}

func (t *triples) has(s string, i int) bool {
	word, bit := t.at(s, i)
	return t[word]&bit != 0
}

// name says whether the word s[i:last] announces a secret.
func name(s string, i, last int) (n named) {
	for last > i && class[s[last-1]]&(digit|lower|upper) == digit { // PASSWORD2
		last--
	}
	for last > i+2 && s[last-1] == '_' {
		last--
	}
	if last-i < 2 || (last-i == 2 || !index.names.ends.has(s, last-3)) && !(s[last-1]|0x20 == 'w' && s[last-2]|0x20 == 'p') && !(last-i == 2 && i > 1 && (s[i-2]|0x20 == 'd' && s[i]|0x20 == 'b' || (s[i-2]|0x20 == 'g' || s[i-2]|0x20 == 'n') && s[i]|0x20 == 'i')) {
		return n
	}
	if n = titled(s, i, last); n.rank != 0 {
		return n
	}
	for _, t := range trailers {
		if k := last - len(t); k > i+2 && s[k]|0x20 == t[0] && strings.EqualFold(s[k:last], t) && apart(s, i, last, len(t)) {
			for k > i && (s[k-1] == '_' || s[k-1] == '-') {
				k--
			}
			n = titled(s, i, k)
			n.bare = false
			return n
		}
	}
	return n
}

// titled is name for a word that ends as names do.
func titled(s string, i, last int) (n named) {
	var buf [48]byte
	at := len(buf)
	for k := last - 1; k >= i && at > 0; k-- {
		if c := s[k]; c != '-' && c != '_' {
			if class[c]&upper != 0 {
				c |= 0x20
			}
			at--
			buf[at] = c
		}
	}
	word := string(buf[at:])
	if word == "" {
		return n
	}
	for k := index.names.last[word[len(word)-1]&31]; k != 0; k = index.names.next[k-1] {
		t := &titles[k-1]
		if size := len(t.words); len(word) < size || t.words[0] != word[len(word)-size] || !strings.HasSuffix(word, t.words) || len(n.kind) > 0 && t.words != "secretkey" && len(t.words) < 5 {
			continue
		}
		whole := len(word) == len(t.words)
		switch {
		case t.how == tail && len(t.words) <= 5 && !whole && !apart(s, i, last, len(t.words)), t.how == alone && !whole:
			continue // compass, lpw, monkey
		case t.after != "" && !after(s, i, t.after):
			continue
		}
		x := named{rank: t.rank, kind: t.kind, bare: whole, short: len(t.words) <= 4}
		switch {
		case t.words == "key":
			x.any = !whole || !qualified(s, i)
			if strings.Contains(word, "public") || whole && !qualified(s, i) && (i == 0 || s[i-1] != '?' && s[i-1] != '&') || !whole && last < len(s) && strings.IndexByte("=:\"' <,", s[last]) < 0 {
				continue
			}
		case t.words == "auth":
			x.any = true
		case t.words == "secret" && whole:
			x.rank = weak
		case (t.words == "sig" || t.words == "signature") && (i == 0 || s[i-1] != '?' && s[i-1] != '&'):
			continue // a build's, a function's
		case t.words == "pat" && whole && s[i] != 'P':
			continue
		case strings.HasPrefix(word, "aws") || strings.HasPrefix(word, "secretaccess"):
			x.kind = "aws-secret"
		}
		n = x
		if t.words != "key" {
			return n
		}
	}
	return n
}

// after reports whether one of these words ends shortly before i.
func after(s string, i int, words string) bool {
	before := strings.ToLower(s[max(0, i-48):i])
	if words == "identified" {
		return strings.Contains(before, words)
	}
	return strings.HasSuffix(strings.TrimRight(before, " "), words)
}

// foreign returns the end of a name of another language that begins at i, with its ending; 0 when there is none.
func foreign(s string, i int) int {
	if len(s)-i < 3 || !index.names.begins.has(s, i) {
		return 0
	}
	return foreignName(s, i)
}

// foreignName is foreign where the first three bytes are those of a name.
func foreignName(s string, i int) int {
	c := s[i]
	if c < 0x80 {
		c |= 0x20
	}
	for k := index.names.first[c]; k != 0; k = index.names.then[k-1] {
		w := abroad[k-1]
		if len(s)-i < len(w) || s[i+1]&31 != w[1]&31 || !(s[i+1:i+len(w)] == w[1:] || w[0] < 0x80 && strings.EqualFold(s[i:i+len(w)], w)) {
			continue
		}
		last := i + len(w)
		if w[0] >= 0xe0 && w[0] != 0xe2 { // no white space between words, or no endings
			return last
		}
		for last < len(s) && last-i-len(w) < 8 && (class[s[last]]&(lower|upper) != 0 || s[last] >= 0x80 && s[last] != 0xc2 && s[last] != 0xe2 && s[last] < 0xe3 || s[last]&0xc0 == 0x80) {
			last++
		}
		if last < len(s) && (class[s[last]]&alnum != 0 || s[last] == '_' || s[last] == '-') {
			return 0
		}
		return last
	}
	return 0
}

// apart reports whether the last size letters of the word s[i:last] are a part of their own: DB_PASS, dbPass, db-pass.
func apart(s string, i, last, size int) bool {
	k := last - size
	if k <= i || strings.ContainsAny(s[k:last], "-_") {
		return false
	}
	before := s[k-1]
	return before == '-' || before == '_' || class[s[k]]&upper != 0 && class[before]&(lower|digit) != 0
}

// qualified reports whether the word before i makes a key a secret one.
func qualified(s string, i int) bool {
	last := i
	for last > 0 && s[last-1] == ' ' {
		last--
	}
	if last == i || i-last > 1 {
		return false
	}
	k := last
	for k > 0 && last-k < 16 && class[s[k-1]]&(upper|lower) != 0 {
		k--
	}
	switch strings.ToLower(s[k:last]) {
	case "api", "secret", "access", "private", "encryption", "signing", "auth", "master", "account", "license", "service", "app":
		return true
	}
	return false
}
