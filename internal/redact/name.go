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
	cookies              // names and values
	trailer              // may follow a name: DB_PASSWORD_PROD, passwordOld
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
// so the first row without a kind lists exceptions.
var names = [...]struct {
	kind string
	rank rank
	ends string
}{
	{"password", password,
		"password passwd pwd pw pass passcode rootpw dbpass userpass rootpass adminpass securestring redisauth " +
			"=bindpw =sshpass =storepass =keypass =srcstorepass =deststorepass =pgpass =psk =pwgen =presharedkey " +
			"=requirepass =masterauth"},
	{"passphrase", password, "passphrase"},
	{"pin", password, "=pin =pincode"},
	{"secret", secret, "secret secretkey secretstring secretvalue pepper jwtkey hmackey"},
	{"secret", token, "=secret authsecret secretkeybase credential accesskey encryptionkey signingkey masterkey " +
		"authkey servicekey sessionkey deploykey licensekey rolekey salt"},
	{"token", token, "token genkey authtoken pat jwt =sig signature devicecode authcode authorizationcode =code"},
	{"token", anyKey, "auth"},
	{"api-key", anyKey, "key"},
	{"api-key", token, "apikey appkey consumerkey clientkey integrationkey subscriptionkey"},
	{"private-key", token, "privatekey clientkeydata"},
	{"azure-key", token, "accountkey"},
	{"aws-secret", token, "awssecretaccesskey secretaccesskey awssecretkey awssecret awssessiontoken accesskeysecret"},
	{"authorization", token, "authorization bearer"},
	{"cookie", cookies, "=cookie =setcookie"},
	{"password", pair, "credentials creds basicauth httpbasic =login =logins =account =testaccount =zugangsdaten " +
		"networkcredential setbasicauth usernamepasswordcredentials =pdo getconnection =anmeldedaten =identifiants " +
		"=credenciales =credenciais =credenziali =inloggegevens"},
	{"seed-phrase", several, "mnemonic seedphrase"},
	{"", none, "publickey sitekey cachekey idempotencykey primarykey foreignkey sortkey partitionkey hotkey " +
		"nexttoken pagetoken continuationtoken maxtoken existingsecret imagepullsecret pullsecret tlssecret " +
		"casecret certsecret externalsecret hashedsecret hashedpassword keysecret usersecret 1password websocketkey"},
	{"", trailer, "prod production staging stage dev test live new old backup primary secondary main default admin " +
		"root local"},
}

// phrases are names that begin with these words. abroad has those of passwords in other languages.
var phrases = [...]struct {
	kind  string
	rank  rank
	words string
}{
	{"password", password, "identified by"},
	{"api-key", token, "api key;secret key;access key;private key;encryption key;signing key;auth key;master key;" +
		"account key;license key;service key;app key;activation key;unseal key;my key;wandb login"},
	{"api-key", token, "api-schlüssel;api schlüssel;clé api;clave api;chave api;chave de api;chave da api;chiave " +
		"api;api-sleutel"},
	{"pin", password, "unlock code;verification code"},
	{"password", password, "wlan-schlüssel;wlan schlüssel;wlan key;wifi key;wi-fi key"},
	{"secret", token, "openssl rand"},
	{"token", token, "токен"},
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

// phrase is a beginning in phrases, and its row.
type phrase struct {
	words string
	row   uint8
}

// nameIndex tells at once that a word is no name; nearly no word is one. ends has the last three bytes of every title,
// begins the first three bytes of every phrase. titles has the row of each title; phrases is sorted by the first byte.
type nameIndex struct {
	ends, begins triples
	titles       map[string]uint8
	phrases      [256][]phrase
}

// maxTitle is the length of the longest title.
const maxTitle = 23

func (x *nameIndex) build() {
	x.titles = make(map[string]uint8, 256)
	for row := range names {
		for w := range strings.SplitSeq(names[row].ends, " ") {
			x.titles[w] = uint8(row)
			if len(w) > 2 {
				x.ends.add(w, len(w)-3)
			}
		}
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

// nameOf says whether the word s[i:last] announces a secret. The longest title that fits counts.
func nameOf(s string, i, last int) (n named) {
	for last > i+1 && (class[s[last-1]]&alnum == digit || s[last-1] == '_') { // PASSWORD2
		last--
	}
	pw := last-i >= 2 && s[last-1]|0x20 == 'w' && s[last-2]|0x20 == 'p'
	if !pw && (last-i < 3 || !index.names.ends.has(s, last-3)) {
		return n
	}
	var buf [48]byte // = and the word in lower case, without - and _
	at := len(buf)
	for k := last - 1; k >= i && at > 1; k-- {
		if c := s[k]; c != '-' && c != '_' {
			if class[c]&upper != 0 {
				c |= 0x20
			}
			at--
			buf[at] = c
		}
	}
	buf[at-1] = '='
	word := string(buf[at-1:])
	if row, ok := index.names.titles[word]; ok {
		return named{kind: names[row].kind, rank: names[row].rank}.refine(s, i, last, word[1:])
	}
	for size := min(len(word)-1, maxTitle); size >= 2; size-- {
		row, ok := index.names.titles[word[len(word)-size:]]
		r, whole := &names[row], len(word)-1 == size
		switch {
		case !ok || !whole && (size <= 5 || r.rank == trailer) && !apart(s, last, size): // no compass, monkey
		case r.rank == trailer:
			n = nameOf(s, i, last-size)
			n.bare = false
			return n
		default:
			title := word[len(word)-size:]
			n = named{kind: r.kind, rank: r.rank, bare: whole, verb: title == "pass",
				short: size <= 4 && r.rank == password}
			return n.refine(s, i, last, title)
		}
	}
	return n
}

// refine looks at what stands around the name s[i:last], which ends with a title that means other things too.
func (n named) refine(s string, i, last int, title string) named {
	before, behind := byteAt(s, i-1), byteAt(s, last)
	query := before == '?' || before == '&'
	if n.verb {
		said := strings.Fields(lineBefore(s, i))
		n.verb = len(said) == 0 ||
			!among(" the my our your his her old new root admin ", strings.ToLower(said[len(said)-1]))
	}
	switch {
	case title == "key" && (n.bare && !query || !n.bare && behind != 0 && strings.IndexByte("=:\"' <,", behind) < 0),
		title == "passwd" && before == '/',                                     // the file
		title == "pwd" && behind == '=' && before != ';' && s[i:last] == "PWD", // the folder
		!query && (title == "sig" || title == "signature" || title == "code"):  // the signature of a function
		return named{}
	case title == "secret" && before == '.': // app.jwt.secret
		n.rank = secret
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

// apart reports whether the last size letters of the word that ends at last are a part of their own: DB_PASS, dbPass.
func apart(s string, last, size int) bool {
	k := last - size
	before := s[k-1]
	return before == '-' || before == '_' || class[s[k]]&upper != 0 && class[before]&(lower|digit) != 0
}
