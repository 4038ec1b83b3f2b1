package redact

import "strings"

// This file says no: to what stands in the place of a secret, to code, and to what is public although it looks random.

// field has words that describe a value, or say that there is none.
const field = "always any ask basic bearer blob bool boolean buffer byte bytes char chararray charfield current data date " +
	"delete digest disabled email empty enabled encrypted env false field file files form get hash hashed hello int json " +
	"key keys label login logout mandatory name never next nil no none nonexistent null number object option pass " +
	"password1 password2 patch path plain plaintext post prompt put raw read request reset response result salt self " +
	"sensitive short some str strong submit test text this title true type unset url user valid value varchar weak write " +
	"wrong yaml yes readline"

// remarks are words that a sentence uses around a password.
const remarks = "a about above after again already also always an and another anything are as ask at available bad be been " +
	"before being below between both broken but by called can case-sensitive clear correct could did different do does " +
	"either empty enough fine for forgotten from given gone good had has have he her here hidden his how if important in " +
	"insecure is it its just kept known less long lost mandatory may missing more must my never new no non none not " +
	"nothing now of off ok okay old on one only or our out over part per plain private public read-only required right " +
	"safe same secure see sent set she short should shown something somewhere still stolen stored strong taken temporary " +
	"necessary obligatory than that the their then there they this to too unchanged under unique unsafe unset until up " +
	"used very visible was we weak were what when where which who why will with without work works would written wrong " +
	"you your falsch incorrect incorrecta incorrecto leer nicht muy trop"

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

// beginnings are beginnings of words by their first byte.
type beginnings [128][]string

func (t *beginnings) build(words string) {
	for w := range strings.SplitSeq(words, " ") {
		t[w[0]&127] = append(t[w[0]&127], w)
	}
}

// of returns the first of the beginnings that s has, or "".
func (t *beginnings) of(s string) string {
	if s != "" {
		for _, p := range t[s[0]&127] {
			if strings.HasPrefix(s, p) {
				return p
			}
		}
	}
	return ""
}

const (
	// fillers are the beginnings of what stands in the place of a secret.
	fillers = "your my- my_ xxx required ref+ replace redacted process.env placeholder os. op:// env. env( enc[ example " +
		"enter import.meta insert secrets. some- some_ vault: arn: fake dummy changeme change-me change_me todo the- " +
		"test-token test_token"
	// describing are beginnings of parts of words that describe a value.
	describing = "passw passphrase pwd param protected secret string senha token apikey api_key account address require " +
		"optional obligat oublié hidden undefined unknown username example expire encrypt erforder invalid incorrect input " +
		"missing min: credential config contrase field variable vergessen generate default kennwort wrong nullable"
)

// stands reports whether v stands in the place of a secret: <password>, ${TOKEN}, your-key-here, ********.
func stands(v string) bool {
	if v == "" || strings.IndexByte("<{[(", v[0]) >= 0 || strings.Contains(v, Mark) {
		return true
	}
	steps(len(v))
	if strings.IndexByte("$%*#", v[0]) >= 0 { // a variable, unless it is too mixed
		f := measure(v)
		rest := strings.TrimLeft(v, v[:1])
		if strings.HasPrefix(v, "${") || strings.HasPrefix(v, "$(") || strings.HasPrefix(v, "%(") ||
			f.digits < 2 || f.length < 7 || wordy(rest) && !strings.ContainsAny(rest, "!@#$%^&*+") {
			return true
		}
	}
	low := strings.ToLower(v)
	if strings.HasPrefix(low, "...") || strings.HasPrefix(low, "…") || strings.Trim(low, "x*.•·_-") == "" ||
		(len(low) == 1 || low[1] == low[0] || low[0] >= 0x80) && strings.Trim(low, low[:1]) == "" {
		return true
	}
	if low[0] == '!' && plain(v[1:]) || index.fillers.of(low) != "" {
		return true
	}
	for _, p := range [...]string{"xxxx", "****", "${", "{{", "your_", "your-", "placeholder", "redacted"} {
		if strings.Contains(low, p) {
			return true
		}
	}
	return strings.HasSuffix(low, "example") || strings.HasSuffix(low, "_here") || strings.HasSuffix(low, "-here")
}

// innocent reports whether v is no secret whatever announces it: a placeholder, a path, an address, a date.
func innocent(v string, f form) bool {
	switch {
	case stands(v), alphabet(v), among("admin administrator root guest postgres superuser", v),
		v[0] >= 0x80 && strings.IndexFunc(v, func(r rune) bool { return r < 0x80 }) < 0: // a word of another script
		return true
	case f.others == 0:
		return false
	case strings.IndexByte("),;]}", v[0]) >= 0, strings.Contains(v, "://"), strings.HasPrefix(v, "//"), path(v),
		strings.Trim(v, "0123456789:.") == "", strings.Count(v, ":") > 1 && strings.Trim(v, "0123456789abcdefABCDEF:") == "",
		len(v) >= 10 && v[4] == '-' && v[7] == '-' && strings.Trim(v[:10], "0123456789-") == "",
		v[0] == 'v' && class[v[1]]&digit != 0 && strings.IndexByte(v, '.') > 0: // a port, an address, a day, a version
		return true
	}
	known, ok := knownToken(v, 0, run(v, 0, word))
	return ok && known.kind == ""
}

// expression reports whether v, unquoted, is code and not a value.
func expression(v string, where place) bool {
	if strings.ContainsAny(v, "({[") && where != said && where != line || strings.Contains(v, "()") ||
		strings.Contains(v, "::") || strings.Contains(v, "->") {
		return true
	}
	if at := strings.IndexByte(v, '('); at > 2 && plain(v[:at]) || at > 0 && strings.IndexByte(v, ')') > at {
		return true
	}
	if at := strings.IndexByte(v, '['); at > 0 && plain(v[:at]) {
		return true
	}
	if strings.IndexByte("&@-=?+", v[0]) >= 0 && wordy(v[1:]) || v[0] == '=' {
		return true
	}
	if at := strings.IndexAny(v, ".[?"); at > 0 && class[v[0]]&(upper|lower) != 0 { // a.b.c, obj?.field, names[0]
		parts := strings.NewReplacer("[", ".", "]", ".", "?", ".", "'", "", "\"", "", "!", "")
		return where == code && wordy(parts.Replace(v)) ||
			where == said && strings.Count(v, ".") > 1 && measure(v).digits < 2 && !joined(v)
	}
	return v[0] == '_' && wordy(v) && where == code
}

func path(v string) bool {
	return strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") ||
		strings.IndexByte(v, '/') >= 0 && wordy(v) || len(v) > 2 && v[1] == ':' && (v[2] == '\\' || v[2] == '/')
}

// describes reports whether v describes the value of a field and is no value.
func describes(v string) bool {
	low := strings.ToLower(v)
	if _, last := phraseAt(v, 0); last == len(v) && v != "" { // a label: ja.password=パスワード
		return true
	}
	for i := range min(len(low), 64) {
		if (i == 0 || low[i-1] != 'n') && index.describing.of(low[i:]) != "" {
			return true
		}
	}
	return strings.HasPrefix(low, "pass") || among(field, low)
}

// remark reports whether v, in a sentence, says something about a password.
func remark(v string) bool {
	low := strings.ToLower(v)
	if low == "" || among(remarks, low) {
		return true
	}
	for _, e := range [...]string{"ed", "ing", "able", "ible", "n't", "'s", "ly", "-only", "-based", "-specific"} {
		if strings.HasSuffix(low, e) && !strings.HasSuffix(low, "fly") {
			return true
		}
	}
	first, _, ok := strings.Cut(low, "-")
	return ok && among("case read self one per well non too re pre auto user server client", first)
}

// alphabet reports whether v holds letters or digits in their order, as a set of characters does.
func alphabet(v string) bool {
	steps(len(v))
	streak, best := 1, 1
	for i := 1; i < len(v); i++ {
		// also AaBb, and the gaps of base58
		next := v[i] == v[i-1]+1 || i > 1 && (v[i] == v[i-2]+1 || v[i]^0x20 == v[i-1])
		if next {
			streak++
			best = max(best, streak)
		} else {
			streak = 1
		}
	}
	return best*3 >= len(v) && best >= 8
}

// groups returns the end of the IPv6 or hardware address, or of other hexadecimal groups with colons between them,
// that begins at i. It returns i when none begins there.
func groups(s string, i int) int {
	colons, p := 0, i
	for p < len(s) && p-i < 64 {
		q := p
		for q < len(s) && q-p < 5 && class[s[q]]&hexa != 0 || q < len(s) && s[q] >= 'A' && s[q] <= 'F' {
			q++
		}
		if q-p > 4 || byteAt(s, q) != ':' {
			p = q
			break
		}
		colons++
		p = q + 1
	}
	if colons < 5 || p < len(s) && class[s[p]]&word != 0 {
		return i
	}
	return p
}

// public reports whether the random string v, which begins at i, is a checksum, a public key, an address or an id.
func public(s string, i int, v string) bool {
	if alphabet(v) || coin(v) || strings.HasPrefix(v, "0x") || strings.HasPrefix(v, "SHA256") {
		return true
	}
	before := s[max(0, i-96):i]
	near := before[strings.LastIndexAny(before, " \t\n")+1:]
	for _, p := range [...]string{"h1:", "SHA256:", "sha256:", "sha256-", "sha512:", "sha512-", "sha384-", "sha1:",
		"md5:", "base64,", `W/"`} {
		if strings.Contains(near, p) || strings.HasPrefix(v, p) {
			return true
		}
	}
	if strings.HasSuffix(near, ":") && class[byteAt(near, len(near)-2)]&digit != 0 && strings.IndexByte(near, '.') > 0 {
		return true // a key of a nix cache: cache.nixos.org-1:
	}
	low := strings.ToLower(before)
	for _, p := range [...]string{"public", "integrity", "checksum", "etag", "kid\"", "kid:", "kid=", "fingerprint",
		"thumbprint", "peer", "cursor", "recipient", "x-amz-id", "x-amz-cf-id", "verification", "client_id", "clientid",
		"digest", "hash", "\"n\"", "n: \"", "x5t", "boundary", "request id", "request-id", "commit"} {
		if strings.Contains(low, p) {
			return true
		}
	}
	return false
}

// coin reports whether v has the form of a bitcoin address.
func coin(v string) bool {
	return len(v) >= 26 && len(v) <= 35 && (v[0] == '1' || v[0] == '3') &&
		strings.Trim(v, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz") == ""
}
