package redact

import "strings"

// The rank of a name says what kind of value follows it.
const (
	strong  = 1 + iota // a password: nearly any value
	firm               // a secret that people choose too, such as JWT_SECRET
	weak               // a token or key: the value must look like one
	header             // Authorization and its like
	pair               // a login: a user and a password
	several            // codes or words in a row
)

// named says what a name tells about the value behind it.
type named struct {
	rank   int
	kind   string
	bare   bool // the name is the whole word, as in a sentence
	any    bool // it names any kind of key, so the value must look drawn at random
	abroad bool // its language is not English
	script bool // its letters are not Latin
	short  bool // it often means another thing, as pass does
	otp    bool // it names the secret behind one-time passwords
	entry  bool // it stands in a line of .netrc, or behind connect
}

// A name is the end of a word or the whole word.
const (
	tail  = iota // the end of a word; a short name must be a part of its own
	alone        // the whole word
)

// names are the words that names of secrets end with, in lower case and without - and _. When after is set, one of its
// parts, which commas separate, must stand before the name.
var names = [...]struct {
	kind        string
	rank, how   int
	after, ends string
}{
	{"password", strong, tail, "",
		"password passwd pwd pw pass passphrase passcode rootpw dbpass userpass rootpass adminpass securestring " +
			"redisauth"},
	{"password", strong, alone, "",
		"sshpass storepass keypass srcstorepass deststorepass pgpass psk presharedkey requirepass masterauth " +
			"wpapassphrase palavrapasse"},
	{"password", strong, alone, "identified", "by"},
	{"password", strong, alone, "mot de", "passe"},
	{"password", strong, alone, "snmp-server", "community"},
	{"pin", strong, alone, "", "pin pincode"},
	{"pin", strong, alone, "pin", "code"},
	{"secret", firm, tail, "", "secret secretkey secretstring secretvalue pepper"},
	{"secret", weak, tail, "",
		"secretkeybase credential accesskey encryptionkey signingkey masterkey authkey servicekey sessionkey " +
			"deploykey licensekey rolekey salt"},
	{"token", weak, tail, "", "token authtoken pat signature sig"},
	{"token", weak, tail, "", "auth"},
	{"token", weak, alone, "", "jwt"},
	{"token", weak, alone, "?,&", "code"},
	{"token", weak, tail, "", "devicecode authcode authorizationcode"},
	{"password", strong, alone, "9>", "auth"},
	{"api-key", weak, tail, "", "key apikey appkey consumerkey clientkey integrationkey"},
	{"private-key", weak, tail, "", "privatekey clientkeydata"},
	{"azure-key", weak, tail, "", "accountkey"},
	{"authorization", header, tail, "", "authorization"},
	{"authorization", header, alone, "", "bearer"},
	{"cookie", header, alone, "", "cookie setcookie"},
	{"password", pair, tail, "", "credentials creds basicauth httpbasic"},
	{"password", pair, alone, "",
		"login userid account logins zugangsdaten anmeldedaten identifiants credenciales credenciais credenziali " +
			"inloggegevens"},
	{"password", pair, alone, "log,sign", "in"},
	{"password", pair, alone, "basic", "auth"},
	{"code", several, alone, "recovery,backup,unlock,rescue,emergency,scratch", "code codes"},
	{"code", several, alone, "recovery,setup,rescue", "key"},
	{"seed-phrase", several, alone, "seed,recovery,mnemonic,secret,backup", "phrase words"},
	{"seed-phrase", several, tail, "", "mnemonic seedphrase"},
}

// trailers are words that may follow a name: DB_PASSWORD_PROD, passwordOld.
var trailers = [...]string{"prod", "production", "staging", "stage", "stg", "dev", "development", "test", "testing",
	"qa",
	"uat", "live", "sandbox", "new", "old", "current", "backup", "primary", "secondary", "main", "default", "admin",
	"root",
	"local", "ci", "field", "input"}

// abroad holds the names in other languages, each with any ending. ASCII names must stand as words of their own or at
// the end of a longer name (minha_senha). The others count wherever they begin.
var abroad = [...]string{
	"passwort", "kennwort", "wachtwoord", "mdp", "contrasena", "contraseña", "clave", "contrasenya", "contrasinal",
	"senha", "parol", "parool", "heslo", "hasło", "haslo", "jelsz", "salasana", "lösenord", "losenord", "adgangskode",
	"kodeord", "passord", "lozink", "geslo", "slaptažodis", "slaptazodis", "şifre", "sifre", "Şifre", "sandi", "laluan",
	"mật khẩu", "Mật khẩu", "lykilorð", "pasahitza", "fjalëkalim", "nenosiri", "пароль", "Пароль", "ПАРОЛЬ", "пароля",
	"паролем", "парол", "Парол", "лозинк", "Лозинк", "κωδικ", "Κωδικ", "סיסמ", "הסיסמ", "كلمة السر", "كلمة المرور",
	"كلمه المرور", "گذرواژه", "رمز عبور", "पासवर्ड", "রাসওয়ার্ড", "পাসওয়ার্ড", "პაროლ", "գաղտնաբառ", "รหัสผ่าน",
	"密码", "密碼", "口令",
	"パスワード", "暗証番号", "비밀번호", "암호",
}

// title is one word of the ends in names, with the row that it belongs to.
type title struct {
	words string
	row   uint8
}

// nameIndex tells at once that a word is no name; nearly no word is one. ends has the last three bytes of every title
// and trailer. begins has the first three bytes of every foreign name. titles is sorted by the last letter of a title,
// foreign by the first byte of a name.
type nameIndex struct {
	ends, begins triples
	titles       [32][]title
	foreign      [256][]uint8
}

func (x *nameIndex) build() {
	for row := range names {
		for w := range strings.SplitSeq(names[row].ends, " ") {
			if len(w) > 2 {
				x.ends.add(w, len(w)-3)
			}
			b := w[len(w)-1] & 31
			x.titles[b] = append(x.titles[b], title{w, uint8(row)})
		}
	}
	for _, t := range trailers {
		x.ends.add("_"+t, len(t)-2)
	}
	for i, a := range abroad {
		x.begins.add(a, 0)
		x.foreign[a[0]] = append(x.foreign[a[0]], uint8(i))
	}
}

// triples is a set of three-byte strings. Only the lower five bits of a byte count, and a string that was never added
// may seem to be in the set. So it stays small and a process builds it fast.
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
	for last > i && class[s[last-1]]&alnum == digit { // PASSWORD2
		last--
	}
	for last > i+2 && s[last-1] == '_' {
		last--
	}
	switch {
	case last-i < 2:
		return n
	case last-i == 2: // pw, identified by, log in
		if a, b := s[i]|0x20, s[i+1]|0x20; !(a == 'p' && b == 'w' || i > 1 && (a == 'b' && b == 'y' || a == 'i' &&
			b == 'n')) {
			return n
		}
	case !index.names.ends.has(s, last-3) && !(s[last-1]|0x20 == 'w' && s[last-2]|0x20 == 'p'):
		return n
	}
	if n = titled(s, i, last); n.rank != 0 {
		return n
	}
	for _, t := range trailers {
		if k := last - len(t); k > i+2 && s[k]|0x20 == t[0] && strings.EqualFold(s[k:last], t) &&
			apart(s, i, last, len(t)) {
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

// titled is name for a word that ends like a name. The longest title that fits counts.
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
	if len(word) < 2 {
		return n
	}
	best := 0
	for _, t := range index.names.titles[word[len(word)-1]&31] {
		size := len(t.words)
		if size < best || size > len(word) || t.words[size-2] != word[len(word)-2] ||
			!strings.HasSuffix(word, t.words) {
			continue
		}
		row, whole := &names[t.row], len(word) == size
		if row.how == tail && size <= 5 && !whole && !apart(s, i, last, size) || row.how == alone && !whole ||
			row.after != "" && !after(s, i, row.after) {
			continue // compass, lpw, monkey
		}
		x := named{rank: row.rank, kind: row.kind, bare: whole, short: size <= 4 && row.rank == strong}
		switch t.words {
		case "key":
			if row.rank == several {
				break
			}
			x.any = !whole || !qualified(s, i)
			query := i > 0 && (s[i-1] == '?' || s[i-1] == '&')
			if strings.Contains(word, "public") || strings.Contains(word, "cache") ||
				strings.Contains(word, "idempot") || x.any && whole && !query ||
				!whole && last < len(s) && strings.IndexByte("=:\"' <,", s[last]) < 0 {
				continue
			}
		case "token":
			if s := strings.TrimSuffix(word, "token"); strings.HasSuffix(s, "next") || strings.HasSuffix(s, "page") ||
				strings.HasSuffix(s, "continuation") {
				continue // the next page of a list
			}
		case "auth":
			x.any = whole || class[s[last-1]]&upper == 0
		case "secret":
			switch strings.TrimSuffix(word, "secret") {
			case "existing", "imagepull", "pull", "tls", "ca", "cert", "external", "key", "envfrom", "user",
				"auth", "ref":
				continue // the value is the name of a Kubernetes object
			}
			if whole && byteAt(s, i-min(i, 1)) != '.' {
				x.rank = weak
			}
			x.otp = follows(s, i, "?")
			for _, otp := range [...]string{"otp", "OTP", "Otp", "2fa", "2FA", "mfa", "MFA"} {
				x.otp = x.otp || strings.Contains(s[max(0, i-12):last], otp)
			}
		case "sig", "signature":
			if i == 0 || s[i-1] != '?' && s[i-1] != '&' {
				continue // the signature of a build or a function
			}
		case "pat":
			x.short = true
			if whole && s[i] != 'P' {
				continue
			}
		}
		if row.rank == weak && (strings.HasPrefix(word, "aws") || strings.HasPrefix(word, "secretaccess")) {
			x.kind = "aws-secret"
		}
		n, best = x, size
	}
	return n
}

// after reports whether one of these words stands right before i. The word identified may stand 48 bytes before i.
func after(s string, i int, words string) bool {
	if words == "identified" {
		return strings.Contains(strings.ToLower(s[max(0, i-48):i]), words)
	}
	for i > 0 && (s[i-1] == ' ' || s[i-1] == '-') {
		i--
	}
	for w := range strings.SplitSeq(words, ",") {
		if k := i - len(w); k >= 0 && s[k]|0x20 == w[0] && strings.EqualFold(s[k:i], w) {
			return true
		}
	}
	return false
}

// foreign returns the end of the foreign name, with its ending, that begins at i. It returns 0 when none begins there.
func foreign(s string, i int) int {
	if len(s)-i < 3 || !index.names.begins.has(s, i) {
		return 0
	}
	return foreignName(s, i)
}

// foreignName is foreign for a place whose first three bytes begin a name.
func foreignName(s string, i int) int {
	c := s[i]
	if c < 0x80 {
		c |= 0x20
	}
	for _, k := range index.names.foreign[c] {
		w := abroad[k]
		if len(s)-i < len(w) || s[i+1]&31 != w[1]&31 ||
			!(s[i+1:i+len(w)] == w[1:] || w[0] < 0x80 && strings.EqualFold(s[i:i+len(w)], w)) {
			continue
		}
		last := i + len(w)
		if w[0] >= 0xe0 && w[0] != 0xe2 { // no white space between words, or no endings
			return last
		}
		for last < len(s) && last-i-len(w) < 8 && (class[s[last]]&(lower|upper) != 0 ||
			s[last] >= 0x80 && s[last] != 0xc2 && s[last] != 0xe2 && s[last] < 0xe3 || s[last]&0xc0 == 0x80) {
			last++
		}
		if last < len(s) && class[s[last]]&word != 0 {
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

// qualified reports whether the word before i makes a key a secret key.
func qualified(s string, i int) bool {
	last := i
	for last > 0 && (s[last-1] == ' ' || s[last-1] == '.') {
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
	case "api", "secret", "access", "private", "encryption", "signing", "auth", "master", "account", "license",
		"service", "app", "activation", "product", "vendor", "partner", "application":
		return true
	}
	return false
}
