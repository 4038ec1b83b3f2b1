package redact

import "strings"

// rank says how plainly a name says that a secret follows it.
type rank uint8

const (
	none     rank = iota // no secret follows
	password             // nearly any value is a secret
	secret               // people choose the value too, such as JWT_SECRET
	token                // a machine made the value
	anyKey               // a key of any kind: the value must look drawn at random
	pair                 // a user and a password
	several              // codes or words in a row
)

// named is what a name tells about the value behind it.
type named struct {
	kind   string
	rank   rank
	bare   bool // the name is the whole word, as in a sentence
	short  bool // the name has few letters, so it often means another thing
	verb   bool // pass, which also is a verb
	abroad bool // its language is not English
	script bool // its letters are not Latin
}

// names are the words that names of secrets end with, in lower case and without - and _. A title behind = is the whole
// word. Other titles of up to five letters are a part of their own, as in DB_PASS and dbPass. The longest title counts,
// so the row without a kind lists exceptions.
var names = [...]struct {
	kind string
	rank rank
	ends string
}{
	{"password", password,
		"password passwd pwd pw pass passcode rootpw dbpass userpass rootpass adminpass securestring redisauth " +
			"=sshpass =storepass =keypass =srcstorepass =deststorepass =pgpass =psk =presharedkey =requirepass =masterauth"},
	{"passphrase", password, "passphrase"},
	{"pin", password, "=pin =pincode"},
	{"secret", secret, "secret secretkey secretstring secretvalue pepper"},
	{"secret", token, "=secret secretkeybase credential accesskey encryptionkey signingkey masterkey authkey servicekey " +
		"sessionkey deploykey licensekey rolekey salt"},
	{"token", token, "token authtoken pat jwt =sig =signature devicecode authcode authorizationcode =code"},
	{"token", anyKey, "auth"},
	{"api-key", anyKey, "key"},
	{"api-key", token, "apikey appkey consumerkey clientkey integrationkey subscriptionkey"},
	{"private-key", token, "privatekey clientkeydata"},
	{"azure-key", token, "accountkey"},
	{"aws-secret", token, "awssecretaccesskey secretaccesskey awssecretkey awssecret awssessiontoken"},
	{"authorization", token, "authorization =bearer"},
	{"cookie", token, "=cookie =setcookie"},
	{"password", pair, "credentials creds basicauth httpbasic =login =logins =account =testaccount =zugangsdaten " +
		"=anmeldedaten =identifiants =credenciales =credenciais =credenziali =inloggegevens"},
	{"seed-phrase", several, "mnemonic seedphrase"},
	{"", none, "publickey cachekey idempotencykey primarykey foreignkey sortkey partitionkey hotkey nexttoken pagetoken " +
		"continuationtoken maxtoken existingsecret imagepullsecret pullsecret tlssecret casecret certsecret " +
		"externalsecret keysecret usersecret authsecret 1password websocketkey"},
}

// phrases are names that begin with these words. abroad has those of passwords in other languages.
var phrases = [...]struct {
	kind  string
	rank  rank
	words string
}{
	{"password", password, "identified by"},
	{"pin", password, "unlock code"},
	{"password", pair, "log in;sign in"},
	{"secret", token, "totp secret;otp secret;2fa secret;mfa secret"},
	{"code", several, "recovery code;backup code;rescue code;scratch code;emergency code;recovery key"},
	{"seed-phrase", several, "seed phrase;recovery phrase;mnemonic phrase;secret phrase;seed words;recovery words"},
	{"password", password, abroad},
}

// abroad has the names of passwords in other languages, each with any ending.
const abroad = "passwort;kennwort;wachtwoord;mot de passe;mdp;contrasena;contraseña;clave;contrasenya;contrasinal;" +
	"palavra-passe;senha;parol;parool;heslo;hasło;haslo;jelsz;salasana;lösenord;losenord;adgangskode;kodeord;passord;" +
	"lozink;geslo;slaptažodis;slaptazodis;şifre;sifre;Şifre;sandi;laluan;mật khẩu;Mật khẩu;lykilorð;pasahitza;" +
	"fjalëkalim;nenosiri;пароль;Пароль;ПАРОЛЬ;пароля;паролем;парол;Парол;лозинк;Лозинк;κωδικ;Κωδικ;סיסמ;הסיסמ;" +
	"كلمة السر;كلمة المرور;كلمه المرور;گذرواژه;رمز عبور;पासवर्ड;পাসওয়ার্ড;პაროლ;գաղտնաբառ;รหัสผ่าน;密码;密碼;口令;" +
	"パスワード;暗証番号;비밀번호;암호"

// trailers are words that may follow a name: DB_PASSWORD_PROD, passwordOld.
var trailers = [...]string{"prod", "production", "staging", "stage", "dev", "test", "live", "new", "old", "backup",
	"primary", "secondary", "main", "default", "admin", "root", "local", "ci"}

// title is one of the ends in names; phrase is one of phrases.
type (
	title struct {
		words string
		whole bool
		row   uint8
	}
	phrase struct {
		words string
		row   uint8
	}
)

// nameIndex tells at once that a word is no name; nearly no word is one. ends has the last three bytes of every title
// and trailer, begins the first three bytes of every phrase. titles is sorted by the last letter of a title, phrases by
// the first byte.
type nameIndex struct {
	ends, begins triples
	titles       [32][]title
	phrases      [256][]phrase
}

func (x *nameIndex) build() {
	for row := range names {
		for w := range strings.SplitSeq(names[row].ends, " ") {
			w, whole := strings.CutPrefix(w, "=")
			if len(w) > 2 {
				x.ends.add(w, len(w)-3)
			}
			b := w[len(w)-1] & 31
			x.titles[b] = append(x.titles[b], title{w, whole, uint8(row)})
		}
	}
	for _, t := range trailers {
		x.ends.add("_"+t, len(t)-2)
	}
	for row := range phrases {
		for w := range strings.SplitSeq(phrases[row].words, ";") {
			x.begins.add(w, 0)
			x.phrases[w[0]] = append(x.phrases[w[0]], phrase{w, uint8(row)})
		}
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

// nameOf says whether the word s[i:last] announces a secret.
func nameOf(s string, i, last int) (n named) {
	for last > i && class[s[last-1]]&alnum == digit { // PASSWORD2
		last--
	}
	for last > i+2 && s[last-1] == '_' {
		last--
	}
	pw := last-i >= 2 && s[last-1]|0x20 == 'w' && s[last-2]|0x20 == 'p'
	if last-i < 3 && !pw || !pw && !index.names.ends.has(s, last-3) {
		return n
	}
	n = titled(s, i, last)

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

// titled is nameOf for a word that ends like a name. The longest title that fits counts.
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
	best := title{}
	for _, t := range index.names.titles[word[len(word)-1]&31] {
		size := len(t.words)
		if size < len(best.words) || size > len(word) || t.words[size-2] != word[len(word)-2] ||
			!strings.HasSuffix(word, t.words) {
			continue
		}
		// no compass, monkey
		if whole := len(word) == size; whole || !t.whole && (size > 5 || apart(s, i, last, size)) {
			best = t
		}
	}
	if best.words == "" {
		return n
	}
	row := &names[best.row]
	n = named{kind: row.kind, rank: row.rank, bare: len(best.words) == len(word) && !best.whole,
		short: len(best.words) <= 4 && row.rank == password, verb: best.words == "pass"}
	return refine(n, s, i, last, best.words)
}

// refine looks at what stands around the name s[i:last], which ends with a title that means other things too.
func refine(n named, s string, i, last int, title string) named {
	query := i > 0 && (s[i-1] == '?' || s[i-1] == '&')
	switch title {
	case "key":
		switch {
		case n.bare && qualified(s, i):
			n.rank = token
		case n.bare && !query, !n.bare && last < len(s) && strings.IndexByte("=:\"' <,", s[last]) < 0:
			return named{}
		}
	case "secret":
		if len(title) == last-i && i > 0 && s[i-1] == '.' {
			n.rank = secret // app.jwt.secret
		}
	case "pwd":
		if s[i:last] == "PWD" && byteAt(s, last) == '=' && (i == 0 || s[i-1] != ';') {
			return named{} // the folder
		}
	case "sig", "signature", "code":
		if !query {
			return named{} // the signature of a function
		}
	case "pat":
	}
	return n
}

// phraseAt returns what the phrase that begins at i announces, and where it ends.
func phraseAt(s string, i int) (n named, last int) {
	if len(s)-i < 3 || !index.names.begins.has(s, i) {
		return n, 0
	}
	c := s[i]
	if c < 0x80 && class[c]&upper != 0 {
		c |= 0x20
	}
	for _, p := range index.names.phrases[c] {
		w := p.words
		if len(s)-i < len(w) || s[i:i+len(w)] != w && (w[0] >= 0x80 || !strings.EqualFold(s[i:i+len(w)], w)) {
			continue
		}
		row := &phrases[p.row]
		n = named{kind: row.kind, rank: row.rank, bare: true, abroad: len(row.words) == len(abroad),
			script: w[0] >= 0xcd && w[0] != 0xe1, short: len(w) < 4}
		last = i + len(w)
		for last < len(s) && last-i-len(w) < 8 && (class[s[last]]&(lower|upper) != 0 ||
			s[last] >= 0x80 && s[last] != 0xc2 && s[last] != 0xe2 && s[last] < 0xe3 || s[last]&0xc0 == 0x80) {
			last++
		}
		if last < len(s) && class[s[last]]&word != 0 {
			return named{}, 0
		}
		return n, last
	}
	return n, 0
}

// apart reports whether the last size letters of the word s[i:last] are a part of their own: DB_PASS, dbPass, db-pass.
func apart(s string, i, last, size int) bool {
	k := last - size
	before := s[k-1]
	return before == '-' || before == '_' || class[s[k]]&upper != 0 && class[before]&(lower|digit) != 0
}

// qualified reports whether the word before i makes a key a secret key.
func qualified(s string, i int) bool {
	k := i - 1
	if k < 1 || s[k] != ' ' && s[k] != '.' {
		return false
	}
	last := k
	for k > 0 && last-k < 16 && class[s[k-1]]&(upper|lower) != 0 {
		k--
	}
	return among("api secret access private encryption signing auth master account license service app activation",
		strings.ToLower(s[k:last]))
}
