package redact

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// This file says no: to what stands in the place of a secret, to code, and to what is public although it looks random.

// remarks are words that a form has in the place of a value, or a sentence around a password.
const remarks = " a about above after again already also always an and another any anything are as ask at available " +
	"bad basic be bearer been before being below between blob bool boolean both broken buffer but by byte bytes " +
	"called can case-sensitive char chararray charfield clear correct could current data date delete did different " +
	"digest disabled do does either email empty enabled encrypted enough env falsch false field file files fine " +
	"for forgotten form from get given gone good had has hash hashed have he hello her here hidden his how if " +
	"important in incorrect incorrecta incorrecto insecure int is it its json just kept key keys known label leer " +
	"less login logout long lost mandatory may missing more must muy my name necessary never new next nicht nil no " +
	"non none nonexistent not nothing now null number object obligatory of off ok okay old on one only option or " +
	"our out over part pass password1 password2 patch path per plain plaintext post private prompt public put raw " +
	"read read-only readline request required reset response result right safe salt same secure see self sensitive " +
	"sent set she short should shown some something somewhere still stolen stored str strong submit taken " +
	"temporary test text than that the their then there they this title to too trop true type unchanged under " +
	"unique unsafe unset until up url used user valid value varchar very visible was we weak were what when where " +
	"which who why will with without work works would write written wrong yaml yes you your "

// among reports whether w is one of the words, which have a space before and behind them.
func among(words, w string) bool { return strings.Contains(words, " "+w+" ") }

// fillers are the beginnings of what stands in the place of a secret.
var fillers = []string{
	"your", "my-", "my_", "xxx", "required", "ref+", "replace", "redacted", "process.env", "placeholder", "os.",
	"op://", "env.", "env(", "enc[", "example", "enter", "import.meta", "insert", "secrets.", "some-", "some_",
	"vault:", "arn:", "fake", "dummy", "changeme", "change-me", "change_me", "todo", "the-", "test-token",
	"test_token",
}

// describing are parts of words that describe a value.
var describing = []string{
	"pass", "pwd", "param", "protected", "secret", "string", "senha", "token", "apikey", "api_key", "account",
	"address", "require", "optional", "obligat", "obrigat", "oublié", "hidden", "undefined", "unknown", "username",
	"example", "expire", "encrypt", "erforder", "invalid", "incorrect", "input", "missing", "min:", "credential",
	"config", "contrase", "field", "variable", "vergessen", "generate", "default", "kennwort", "wrong", "nullable",
}

// stands reports whether v stands in the place of a secret: <password>, ${TOKEN}, your-key-here, ********.
func stands(v string) bool {
	if v == "" || strings.IndexByte("<{[(", v[0]) >= 0 {
		return true
	}
	steps(len(v))
	if rest := strings.TrimLeft(v, "$%*#"); len(rest) < len(v) && (measure(v).digits < 2 || wordy(rest)) { // a variable
		return true
	}
	low := strings.ToLower(v)
	return text.ContainsOne(low, "xxxx", "****", "${", "$(", "%(", "{{", "your_", "your-", "placeholder", "redacted",
		"example", "_here", "-here") || strings.HasPrefix(low, "…") ||
		low[0] == '!' && plain(strings.TrimLeft(v, "!")) || strings.Trim(low, "x*.•·_-") == "" ||
		text.BeginsWithOne(low, fillers...)
}

// innocent reports whether v is no secret whatever announces it: a placeholder, a path, an address, a date.
func innocent(v string, f form) bool {
	switch {
	case stands(v), alphabet(v), f.foreign && f.letters() == 0: // 12文字以上
		return true
	case f.others == 0:
		return f.length == len("0x")+40 && v[:2] == "0x" // an account
	case strings.IndexByte("),;]}", v[0]) >= 0, strings.Contains(v, "//"), path(v),
		v[f.length-1] == ')' && plain(v[:max(0, strings.IndexByte(v, '('))]), // a call
		strings.Trim(v, "0123456789:.-TZ") == "",
		// a port, an address, a day, a version
		v[0] == 'v' && class[v[1]]&digit != 0 && f.uppers == 0 && strings.IndexByte(v, '.') > 0:
		return true
	}
	known, ok := knownToken(v, 0, run(v, 0, word))
	return ok && known.kind == ""
}

// expression reports whether v, unquoted, is code and not a value.
func expression(v string, where place) bool {
	at := strings.IndexAny(v, "({[")
	switch {
	case at >= 0 && (where != said && where != line || at > 2 && plain(v[:at]) || strings.IndexByte(v, ')') > at),
		strings.IndexByte("&@-?+", v[0]) >= 0 && wordy(v[1:]):
		return true
	case where == code: // a.b.c, obj?.field, _name
		return (v[0] == '_' || strings.IndexAny(v, ".?") > 0) && wordy(strings.ReplaceAll(v, "?", "."))
	}
	return where == said && strings.Count(v, ".") > 1 && !joined(v)
}

func path(v string) bool {
	return strings.IndexByte(v, '/') >= 0 && wordy(strings.TrimLeft(v, "~.")) ||
		len(v) > 2 && v[1] == ':' && (v[2] == '\\' || v[2] == '/')
}

// describes reports whether v describes the value of a field and is no value.
func describes(v string) bool {
	low := strings.ToLower(v)
	if _, last := phraseAt(v, 0); last == len(v) && v != "" { // a label: ja.password=パスワード
		return true
	}
	return among(remarks, low) || text.ContainsOne(low, describing...)
}

// remark reports whether v, in a sentence, says something about a password.
func remark(v string) bool {
	low := strings.ToLower(v)
	isEnd := func(e string) bool { return strings.HasSuffix(low, e) && !strings.HasSuffix(low, "fly") }
	return low == "" || among(remarks, low) || slices.ContainsFunc([]string{"ed", "ing", "able", "ible", "n't",
		"'s", "ly", "-only", "-based", "-specific"}, isEnd)
}

// alphabet reports whether v holds letters or digits in their order, as a set of characters does.
func alphabet(v string) bool {
	steps(len(v))
	next := 0
	for i := 1; i < len(v); i++ {
		if v[i] == v[i-1]+1 || i > 1 && v[i] == v[i-2]+1 { // also AaBb, and the gaps of base58
			next++
		}
	}
	return next >= 8 && next*3 > len(v)*2
}

// public reports whether the random string v, which begins at i, is a checksum, a public key, an address or an id.
func public(s string, i int, v string) bool {
	if alphabet(v) || strings.HasPrefix(v, "0x") || strings.HasPrefix(v, "eyJ") {
		return true
	}
	before := s[max(0, i-96):i]
	above := before[strings.LastIndexByte(strings.TrimSuffix(before, "\n"), '\n')+1:]
	if run(above, 0, alnum|base) == len(above)-1 && len(above) > 60 { // data in lines
		return true
	}
	near := before[strings.LastIndexAny(before, " \t\n")+1:]
	if text.ContainsOne(near+v, "h1:", "SHA256:", "sha256:", "sha256-", "sha512:", "sha512-", "sha384-", "sha1:",
		"md5:", "base64,", "ENC[", `W/"`) {
		return true
	}
	if strings.HasSuffix(near, "-1:") ||
		len(v) < 36 && (v[0] == '1' || v[0] == '3') && strings.IndexAny(v, "0OIl+/=-_") < 0 {
		return true // a key of a nix cache: cache.nixos.org-1:, an address of bitcoin
	}
	low := strings.ToLower(before)
	return text.ContainsOne(low, "public", "integrity", "checksum", "etag", "kid\"", "kid:", "kid=", "fingerprint",
		"thumbprint", "peer", "cursor", "recipient", "x-amz-id", "x-amz-cf-id", "verification", "client_id", "clientid",
		"digest", "hash", "\"n\"", "n: \"", "x5t", "boundary", "sitekey", "site_key", "base64", "encrypteddata",
		"ssh-rsa", "request id", "request-id", "commit")
}
