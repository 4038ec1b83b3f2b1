package redact

import (
	_ "embed"
	"encoding/base64"
	"math/rand/v2"
	"strconv"
	"strings"
)

// This file makes up secrets with the text that people and tools put around them, and text that only looks like a
// secret. No secret in it is real, and its source holds none whole. A kind is a template. «p» is a made-up secret; ‹p›
// is made up too but is no secret. The letter names the form of the text (see maker.field). \n is a new line.

// The kinds, one a line: those of both sets, with === between them, # in front of a remark.
var (
	//go:embed testdata/sample/secrets.txt
	secrets string
	//go:embed testdata/sample/issuers.txt
	issuers string
	//go:embed testdata/sample/innocent.txt
	harmless string
)

// Set says which kinds are made.
type Set int

const (
	Tuned Set = iota // the kinds the matcher was made with
	Aside            // kinds that were written down before the matcher was first run on them; then it was mended
)

func (s Set) String() string { return [...]string{"tuned", "aside"}[s] }

// Secret is a secret in its surrounding text.
type Secret struct {
	Kind  string // its group and its template
	Text  string // the text that was typed or printed
	Value string // the part of it that nobody may see
}

// Group is the first word of the kind.
func (s Secret) Group() string { group, _, _ := strings.Cut(s.Kind, " "); return group }

const (
	minuscule = "abcdefghijklmnopqrstuvwxyz"
	capital   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	hexDigits = "0123456789abcdef"
	base62    = minuscule + capital + digits
	base32    = capital + "234567"
)

type maker struct{ r *rand.Rand }

func (m maker) of(set string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(set[m.r.IntN(len(set))])
	}
	return b.String()
}

func (m maker) one(of ...string) string { return of[m.r.IntN(len(of))] }

func (m maker) bytes(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(m.r.UintN(256))
	}
	return base64.StdEncoding.EncodeToString(b)
}

var words = strings.Fields("butterfly sunflower mountain dragonfly lighthouse letmein monkey orchid harbor tiger " +
	"velvet marble coffee pumpkin rainbow wizard " +
	"shadow thunder penguin castle banana rocket cactus falcon meadow copper walnut trumpet pepper sailor lantern " +
	"glacier saffron")

func (m maker) word() string { return words[m.r.IntN(len(words))] }

func capitalize(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// plain is a password of words alone.
func (m maker) plain() string {
	switch m.r.IntN(5) {
	case 0:
		return m.word()
	case 1:
		return capitalize(m.word()) + capitalize(m.word())
	case 2:
		return m.word() + m.word()
	}
	sep := m.one("-", "_", ".")
	return m.word() + sep + m.word() + sep + m.word()
}

// mixed is a password with digits, and safe for a shell and a URL.
func (m maker) mixed() string {
	switch m.r.IntN(4) {
	case 0:
		return m.word() + m.of(digits, 2+m.r.IntN(3))
	case 1:
		return capitalize(m.word()) + "-" + m.of(digits, 3)
	case 2:
		return m.of(base62, 9) + m.of(digits, 1) + m.of(minuscule, 2) + m.of(capital, 1)
	}
	return m.of(minuscule, 3) + m.of(capital, 2) + m.of(digits, 2) + m.one("_", ".", "-") + m.of(base62, 5)
}

// signed is a password with signs.
func (m maker) signed() string {
	switch m.r.IntN(3) {
	case 0:
		return capitalize(m.word()) + m.of(digits, 2) + m.one("!", "#", "%", "*")
	case 1:
		return m.word() + m.one("@", "!", "+", "^") + m.of(digits, 3)
	}
	return m.of(base62, 4) + m.one("!", "^", "*", "~", "+") + m.of(base62, 5) + m.of(digits, 1) + m.of(base62, 3)
}

func (m maker) uuid() string {
	hex := func(n int) string { return m.of(hexDigits, n) }
	return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12)
}

func (m maker) pem(label string) string {
	var b strings.Builder
	b.WriteString("-----BEGIN " + label + "-----\n")
	for range 4 {
		b.WriteString(m.of(base62+"+/", 64) + "\n")
	}
	b.WriteString(m.of(base62, 20) + "==\n-----END " + label + "-----")
	return b.String()
}

// field makes the text for a template's field, which is a letter, for some minuscule with a length.
func (m maker) field(f string) string {
	n, _ := strconv.Atoi(strings.TrimLeft(f, minuscule+capital))
	switch strings.TrimRight(f, digits) {
	case "a":
		return m.of(base62, n)
	case "w":
		return m.of(base62+"-_", n-1) + m.of(base62, 1)
	case "x":
		return m.of(hexDigits, n)
	case "X":
		return strings.ToUpper(m.of(hexDigits, n))
	case "d":
		return m.of("123456789", 1) + m.of(digits, n-1)
	case "l":
		return m.of(minuscule+digits, n)
	case "u":
		return m.of(base32, n)
	case "U":
		return m.of(capital+digits, n)
	case "L":
		return m.of(minuscule+capital, n)
	case "s":
		return m.of(minuscule, n)
	case "b":
		return m.of(base62+"+/", n)
	case "k": // n bytes in base64
		return m.bytes(n)
	case "word":
		return m.word()
	case "plain":
		return m.plain()
	case "mixed":
		return m.mixed()
	case "signed":
		return m.signed()
	case "pw": // anything a person chooses, without white space
		return [...]func() string{m.plain, m.mixed, m.mixed, m.signed}[m.r.IntN(4)]()
	case "quoted": // with white space too
		if m.r.IntN(4) == 0 {
			return m.word() + " " + m.word() + " " + m.word() + " " + m.word()
		}
		return m.field("pw")
	case "said": // a password as sentences have it
		return [...]func() string{m.mixed, m.mixed, m.signed}[m.r.IntN(3)]()
	case "odd": // anything, with signs that words have too
		return m.of(minuscule, 1) + m.of(base62+"+-_.", 11) + m.of(digits, 1) + m.of(capital, 1)
	case "two":
		return m.word() + " " + m.word()
	case "joined":
		return m.word() + "-" + m.word() + "-" + m.word()
	case "code":
		return m.of(minuscule+digits, 4) + m.of(digits, 1) + "-" + m.of(minuscule+digits, 5)
	case "wallet":
		list := make([]string, 12)
		for i := range list {
			list[i] = m.one("butter", "harbor", "velvet", "marble", "pumpkin", "shadow", "castle", "falcon", "cactus",
				"walnut")
		}
		return strings.Join(list, " ")
	case "token":
		return m.field(m.one("a24", "a32", "a40", "x32", "x40", "x64", "uuid", "w43"))
	case "uuid":
		return m.uuid()
	case "PEM":
		return m.pem(m.one("RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY",
			"ENCRYPTED PRIVATE KEY", "DSA PRIVATE KEY"))
	case "PUB":
		return m.pem(m.one("CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE REQUEST"))
	case "JWT":
		part := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"` + m.of(digits, 10) + `","name":"alice"}`))
		return "ey" + "JhbGciOiJIUzI1NiJ9." + part + "." + m.of(base62+"-_", 42) + m.of(base62, 1)
	case "basic":
		return base64.StdEncoding.EncodeToString([]byte("alice:" + m.mixed()))
	case "user":
		return m.one("alice", "bob", "admin", "deploy", "root", "app", "shop", "svc")
	case "host":
		return m.one("db.internal", "10.0.4.12", "localhost", "db-1.eu-west-1.example.com", "127.0.0.1",
			"shop-prod.example.net")
	case "name":
		return m.one("billing", "orders", "checkout", "invoice", "search", "catalog", "users")
	case "cut": // a commit
		return m.of(hexDigits, 7+m.r.IntN(3))
	}
	panic("no field " + f)
}

// fill makes a template's text, and the value of its first secret.
func (m maker) fill(template string) (text, value string) {
	var b strings.Builder
	for {
		at := strings.IndexAny(template, "«‹")
		if at < 0 {
			break
		}
		b.WriteString(strings.ReplaceAll(template[:at], `\n`, "\n"))
		secret := strings.HasPrefix(template[at:], "«")
		field, rest, _ := strings.Cut(template[at+len("«"):], map[bool]string{true: "»", false: "›"}[secret])
		if !secret {
			field, rest, _ = strings.Cut(template[at+len("‹"):], "›")
		}
		v := m.field(field)
		if secret && value == "" {
			value = v
			if field == "PEM" { // its inner lines
				value = strings.Split(v, "\n")[2]
			}
		}
		b.WriteString(v)
		template = rest
	}
	b.WriteString(strings.ReplaceAll(template, `\n`, "\n"))
	return b.String(), value
}

// carriers lists sentences to put around a token that is known by its form.
var carriers = [2][]string{
	{
		"use %s for the staging deploy, and never commit it", "the CI fails with 401, I rotated it: %s",
		"curl -s -H 'X-Token: %s' https://api.example.com/v1/orders",
		`{"key": "%s", "region": "eu-west-1"}`, "KEY=%s npm run deploy", "here it is (%s), put it into .env",
		"Error: request to /v1/users failed: invalid credentials %s",
		"config.set('value', '%s')", "a chave é %s, não a mostre", "der Schlüssel lautet %s.", "%s",
		"client = Client(\"%s\")", "https://api.example.com/v1?auth=%s&page=2",
	},
	{
		"I pasted %s into the wrong window", "- old one: %s\n- new one: tomorrow", "`%s` does not work any more",
		"export SERVICE=%s", "<value>%s</value>", "[ERROR] rejected: \"%s\" (403)",
		"value: '%s' # rotate", "./run.sh --with %s --fast", "voici: %s", "これを使って: %s", "| staging | %s |",
		"init(\n  '%s',\n)",
	},
}

// Make returns n secrets of the set, every kind in turn; the same seed makes the same.
func Make(set Set, seed uint64, n int) []Secret {
	m := maker{rand.New(rand.NewPCG(seed, 7))}
	kinds := secretKinds(set)
	out := make([]Secret, n)
	for i := range out {
		kind := kinds[i%len(kinds)]
		group, template, _ := strings.Cut(kind, " ")
		if group == "issuer" {
			_, format, _ := strings.Cut(template, " ")
			value := ""
			for value == "" || strings.Trim(value, digits+minuscule) == "" && len(value) < 20 { // make the whole of it
				value, _ = m.fill(strings.NewReplacer("[", "‹", "]", "›").Replace(format))
			}
			out[i] = Secret{kind, strings.Replace(carriers[set][m.r.IntN(len(carriers[set]))], "%s", value, 1), value}
			continue
		}
		text, value := m.fill(template)
		out[i] = Secret{kind, text, value}
	}
	return out
}

// Innocent returns n texts of the set that hold no secret, every kind in turn.
func Innocent(set Set, seed uint64, n int) []Secret {
	m := maker{rand.New(rand.NewPCG(seed, 9))}
	kinds := lines(harmless, set)
	out := make([]Secret, n)
	for i := range out {
		kind := kinds[i%len(kinds)]
		_, template, _ := strings.Cut(kind, " ")
		text, _ := m.fill(template)
		out[i] = Secret{Kind: kind, Text: text}
	}
	return out
}

// Count returns how many kinds of secrets and of innocent texts a set has.
func Count(set Set) (secrets, innocents int) {
	return len(secretKinds(set)), len(lines(harmless, set))
}

func secretKinds(set Set) []string {
	out := lines(secrets, set)
	for _, issuer := range lines(issuers, set) {
		out = append(out, "issuer "+issuer)
	}
	return out
}

// lines are the kinds of a set in a table.
func lines(table string, set Set) (out []string) {
	table = strings.Split(table, "# ===")[set]
	for line := range strings.Lines(table) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}
