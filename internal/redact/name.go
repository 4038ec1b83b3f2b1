package redact

import "strings"

// What a name promises.
const (
	strong = 1 + iota // a password: nearly anything may stand behind it
	weak              // a token or key: what stands behind it must look like one
	header            // Authorization and its like
)

// named is what a word says of what stands behind it.
type named struct {
	rank int
	kind string
	bare bool // the word is the name alone, as in a sentence, and nothing longer
	any  bool // it names a key of whatever kind: what stands behind it must look drawn at random
}

// stem is the end of a name in lower case, without - and _.
type stem struct {
	words, kind string
	rank        int
}

// The stems by their last letter.
var (
	stemsA = [...]stem{{"senha", "password", strong}, {"contrasena", "password", strong}, {"parola", "password", strong}, {"clave", "password", strong}}
	stemsD = [...]stem{{"password", "password", strong}, {"passwd", "password", strong}, {"pwd", "password", strong}, {"wachtwoord", "password", strong}}
	stemsE = [...]stem{{"passphrase", "password", strong}, {"passcode", "password", strong}, {"motdepasse", "password", strong}, {"passe", "password", strong}, {"clave", "password", strong}, {"secretkeybase", "secret", weak}, {"signature", "token", weak}, {"cookie", "cookie", header}}
	stemsG = [...]stem{{"sig", "token", weak}}
	stemsL = [...]stem{{"credential", "secret", weak}}
	stemsN = [...]stem{{"authorization", "authorization", header}, {"token", "token", weak}, {"usertoken", "token", weak}}
	stemsO = [...]stem{{"haslo", "password", strong}}
	stemsP = [...]stem{{"mdp", "password", strong}}
	stemsR = [...]stem{{"bearer", "authorization", header}}
	stemsS = [...]stem{{"pass", "password", strong}, {"credentials", "secret", weak}}
	stemsT = [...]stem{{"secret", "secret", weak}, {"passwort", "password", strong}, {"kennwort", "password", strong}}
	stemsW = [...]stem{{"pw", "password", strong}}
	stemsY = [...]stem{
		{"apikey", "api-key", weak}, {"secretkey", "secret", weak}, {"accesskey", "secret", weak}, {"privatekey", "private-key", weak}, {"encryptionkey", "secret", weak}, {"signingkey", "secret", weak},
		{"masterkey", "secret", weak}, {"accountkey", "azure-key", weak}, {"authkey", "secret", weak}, {"servicekey", "secret", weak}, {"sessionkey", "secret", weak}, {"appkey", "api-key", weak}, {"deploykey", "secret", weak},
		{"licensekey", "secret", weak}, {"rolekey", "secret", weak}, {"consumerkey", "api-key", weak}, {"clientkey", "api-key", weak}, {"integrationkey", "api-key", weak}, {"key", "", weak},
	}
)

// name says whether the word s[i:end] announces a secret.
func name(s string, i, end int) (n named) {
	if !ending(s, i, end) {
		return n
	}
	var list []stem
	switch s[end-1] | 0x20 {
	case 'a':
		list = stemsA[:]
	case 'd':
		list = stemsD[:]
	case 'e':
		list = stemsE[:]
	case 'g':
		list = stemsG[:]
	case 'l':
		list = stemsL[:]
	case 'n':
		list = stemsN[:]
	case 'o':
		list = stemsO[:]
	case 'p':
		list = stemsP[:]
	case 'r':
		list = stemsR[:]
	case 's':
		list = stemsS[:]
	case 't':
		list = stemsT[:]
	case 'w':
		list = stemsW[:]
	case 'y':
		list = stemsY[:]
	default:
		return n
	}
	var buf [48]byte
	at := len(buf)
	for k := end - 1; k >= i && at > 0; k-- {
		if c := s[k]; c != '-' && c != '_' {
			if class[c]&upper != 0 {
				c |= 0x20
			}
			at--
			buf[at] = c
		}
	}
	word := string(buf[at:])
	for _, t := range list {
		if !strings.HasSuffix(word, t.words) {
			continue
		}
		whole := len(word) == len(t.words)
		if len(t.words) <= 5 && !whole && !apart(s, i, end, len(t.words)) {
			continue // compass, lpw, monkey
		}
		if t.words == "passe" && (i < 7 || !strings.EqualFold(s[i-7:i], "mot de ")) {
			continue
		}
		n = named{rank: t.rank, kind: t.kind, bare: whole}
		if t.words == "key" {
			n.any = !whole
			switch { // the API key, STRIPE_KEY=
			case strings.Contains(word, "public"):
				return named{}
			case whole && !qualified(s, i):
				return named{}
			case !whole && (end >= len(s) || s[end] != '=' && s[end] != ':' && s[end] != '"' && s[end] != '\'' && s[end] != ' '):
				return named{}
			}
			n.kind = "api-key"
		}
		if (t.words == "cookie" || t.words == "bearer") && !whole {
			return named{}
		}
		if strings.HasPrefix(word, "aws") || strings.HasPrefix(word, "secretaccess") {
			n.kind = "aws-secret"
		}
		return n
	}
	return n
}

// ending reports whether the word ends like one of the names: nearly none does, and this tells at once.
func ending(s string, i, end int) bool {
	if end-i < 3 {
		return end-i == 2 && s[end-1]|0x20 == 'w'
	}
	switch uint32(s[end-3]|0x20)<<16 | uint32(s[end-2]|0x20)<<8 | uint32(s[end-1]|0x20) {
	case 'n'<<16 | 'h'<<8 | 'a', 'e'<<16 | 'n'<<8 | 'a', 'o'<<16 | 'l'<<8 | 'a', 'a'<<16 | 'v'<<8 | 'e', 'o'<<16 | 'r'<<8 | 'd', 's'<<16 | 'w'<<8 | 'd', 'p'<<16 | 'w'<<8 | 'd',
		'a'<<16 | 's'<<8 | 'e', 'o'<<16 | 'd'<<8 | 'e', 's'<<16 | 's'<<8 | 'e', 'u'<<16 | 'r'<<8 | 'e', 'k'<<16 | 'i'<<8 | 'e', 's'<<16 | 'i'<<8 | 'g', 'i'<<16 | 'a'<<8 | 'l',
		'i'<<16 | 'o'<<8 | 'n', 'k'<<16 | 'e'<<8 | 'n', 's'<<16 | 'l'<<8 | 'o', 'm'<<16 | 'd'<<8 | 'p', 'r'<<16 | 'e'<<8 | 'r', 'a'<<16 | 's'<<8 | 's', 'a'<<16 | 'l'<<8 | 's',
		'r'<<16 | 'e'<<8 | 't', 'o'<<16 | 'r'<<8 | 't', 'k'<<16 | 'e'<<8 | 'y':
		return true
	}
	return s[end-1]|0x20 == 'w' && s[end-2]|0x20 == 'p'
}

// apart reports whether the last size letters of the word s[i:end] are a part of their own: DB_PASS, dbPass, db-pass.
func apart(s string, i, end, size int) bool {
	k := end - size
	if k <= i || strings.ContainsAny(s[k:end], "-_") {
		return false
	}
	before := s[k-1]
	return before == '-' || before == '_' || class[s[k]]&upper != 0 && class[before]&(lower|digit) != 0
}

// qualified reports whether the word before i makes a key a secret one.
func qualified(s string, i int) bool {
	end := i
	for end > 0 && s[end-1] == ' ' {
		end--
	}
	if end == i || i-end > 1 {
		return false
	}
	k := end
	for k > 0 && class[s[k-1]]&(upper|lower) != 0 {
		k--
	}
	switch strings.ToLower(s[k:end]) {
	case "api", "secret", "access", "private", "encryption", "signing", "auth", "master", "account", "license", "service", "app":
		return true
	}
	return false
}

// abroad are the names that are not written in ASCII, for sentences and assignments.
var abroad = [...]string{"пароль", "пароля", "Пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호", "şifre", "Şifre", "κωδικός", "סיסמה", "كلمة السر", "كلمة المرور", "पासवर्ड", "รหัสผ่าน"}

// foreign looks for a secret behind a name that is not ASCII and begins at i.
func foreign(s string, i int) (span, bool) {
	if s[i]&0xc0 == 0x80 {
		return span{}, false
	}
	var end int
	switch {
	case strings.HasPrefix(s[i:], "ñ") && i >= 8 && strings.EqualFold(s[i-8:i], "contrase") && strings.HasPrefix(s[i+2:], "a"):
		end = i + 3
	case strings.HasPrefix(s[i:], "ł") && i >= 3 && strings.EqualFold(s[i-3:i], "has") && strings.HasPrefix(s[i+2:], "o"):
		end = i + 3
	default:
		for _, w := range abroad {
			if strings.HasPrefix(s[i:], w) {
				end = i + len(w)
				break
			}
		}
	}
	if end == 0 {
		return span{}, false
	}
	return announced(s, i, end, named{rank: strong, kind: "password", bare: true})
}
