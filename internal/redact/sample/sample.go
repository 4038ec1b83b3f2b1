// Package sample makes up secrets in the sentences people and tools put them in, and lines that only look so. It is for
// tests: nothing in it ever opened a door, and no secret stands in its text whole.
package sample

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Secret is one in its surroundings.
type Secret struct {
	Kind  string
	Text  string // what was typed or printed
	Value string // the part of it that nobody may see
}

const (
	letters = "abcdefghijklmnopqrstuvwxyz"
	capital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
	hexa    = "0123456789abcdef"
	base62  = letters + capital + digits
	base32  = capital + "234567"
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

// password is one a person would choose, or a manager would.
func (m maker) password() string {
	word := m.one("hunter", "Winter", "correct", "Tr0ub4dor", "shop", "Sommer", "dragon", "Lisboa")
	switch m.r.IntN(4) {
	case 0:
		return word + m.of(digits, 2+m.r.IntN(3)) + m.one("", "!", "#")
	case 1:
		return word + m.one("@", "&", "$", "!") + m.of(digits, 3)
	case 2:
		return m.of(base62, 9) + m.of(digits, 1) + m.of(letters, 2) + m.of(capital, 1)
	}
	return m.of(letters, 3) + m.of(capital, 2) + m.of(digits, 2) + m.one("%", "!", "^") + m.of(base62, 5)
}

func (m maker) uuid() string {
	return m.of(hexa, 8) + "-" + m.of(hexa, 4) + "-4" + m.of(hexa, 3) + "-a" + m.of(hexa, 3) + "-" + m.of(hexa, 12)
}

func (m maker) pem(label string, lines int) string {
	var b strings.Builder
	b.WriteString("-----BEGIN " + label + " KEY-----\n")
	for range lines {
		b.WriteString(m.of(base62+"+/", 64) + "\n")
	}
	b.WriteString(m.of(base62, 20) + "==\n-----END " + label + " KEY-----")
	return b.String()
}

// said puts a token that is known by its form into the midst of words.
func (m maker) said(token string) string {
	return fmt.Sprintf(m.one(
		"use %s for the staging deploy, and never commit it",
		"the CI fails with 401, I rotated it: %s",
		"curl -s -H 'X-Token: %s' https://api.example.com/v1/orders",
		`{"key": "%s", "region": "eu-west-1"}`,
		"KEY=%s npm run deploy",
		"here it is (%s), put it into .env",
		"Error: request to /v1/users failed: invalid credentials %s",
		"config.set('value', '%s')",
		"a chave é %s, não a mostre",
		"der Schlüssel lautet %s.",
		"%s",
	), token)
}

// kinds name what is made; each returns the text and the secret in it.
var kinds = []struct {
	name string
	make func(m maker) (text, value string)
}{
	{"aws key id", func(m maker) (string, string) { v := m.one("AK", "AS") + "IA" + m.of(base32, 16); return m.said(v), v }},
	{"aws secret key", func(m maker) (string, string) {
		v := m.of(base62+"+/", 40)
		return fmt.Sprintf(m.one("aws_secret_access_key = %s", "export AWS_SECRET_ACCESS_KEY=%s", `"SecretAccessKey": "%s",`, "aws configure set aws_secret_access_key %s", "the secret key is %s"), v), v
	}},
	{"github token", func(m maker) (string, string) {
		v := "gh" + m.one("p", "o", "u", "s", "r") + "_" + m.of(base62, 36)
		return m.said(v), v
	}},
	{"github fine-grained token", func(m maker) (string, string) {
		v := "github" + "_pat_" + m.of(base62, 22) + "_" + m.of(base62, 59)
		return m.said(v), v
	}},
	{"gitlab token", func(m maker) (string, string) {
		v := "gl" + "pat-" + m.of(base62+"-_", 19) + m.of(base62, 1)
		return m.said(v), v
	}},
	{"slack token", func(m maker) (string, string) {
		v := "xo" + "xb-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + m.of(base62, 24)
		return m.said(v), v
	}},
	{"slack webhook", func(m maker) (string, string) {
		v := m.of(base62, 24)
		return m.said("https://hooks.slack" + ".com/services/T" + m.of(base32, 8) + "/B" + m.of(base32, 8) + "/" + v), v
	}},
	{"stripe key", func(m maker) (string, string) {
		v := m.one("sk", "rk") + "_" + m.one("live", "test") + "_" + m.of(base62, 24)
		return m.said(v), v
	}},
	{"stripe webhook secret", func(m maker) (string, string) { v := "wh" + "sec_" + m.of(base62, 32); return m.said(v), v }},
	{"openai key", func(m maker) (string, string) {
		v := "s" + "k-" + m.one("", "proj-") + m.of(base62, 20) + "T3Blbk" + "FJ" + m.of(base62, 20)
		return m.said(v), v
	}},
	{"anthropic key", func(m maker) (string, string) {
		v := "sk-" + "ant-api03-" + m.of(base62+"-_", 92) + "AA"
		return m.said(v), v
	}},
	{"google key", func(m maker) (string, string) {
		v := "AI" + "zaSy" + m.of(base62+"-_", 32) + m.of(base62, 1)
		return m.said(v), v
	}},
	{"google oauth", func(m maker) (string, string) {
		v := "ya" + "29.a0" + m.of(base62+"-_", 60) + m.of(base62, 1)
		return m.said(v), v
	}},
	{"npm token", func(m maker) (string, string) { v := "np" + "m_" + m.of(base62, 36); return m.said(v), v }},
	{"npmrc", func(m maker) (string, string) { v := m.uuid(); return "//registry.npmjs.org/:_authToken=" + v, v }},
	{"pypi token", func(m maker) (string, string) {
		v := "py" + "pi-AgEIcHlwaS5vcmc" + m.of(base62+"-_", 80) + m.of(base62, 1)
		return m.said(v), v
	}},
	{"docker token", func(m maker) (string, string) {
		v := "dckr" + "_pat_" + m.of(base62+"-_", 26) + m.of(base62, 1)
		return m.said(v), v
	}},
	{"sendgrid key", func(m maker) (string, string) {
		v := "S" + "G." + m.of(base62+"-_", 22) + "." + m.of(base62+"-_", 42) + m.of(base62, 1)
		return m.said(v), v
	}},
	{"twilio key", func(m maker) (string, string) { v := "S" + "K" + m.of(hexa, 32); return m.said(v), v }},
	{"telegram token", func(m maker) (string, string) {
		v := m.of("123456789", 9) + ":A" + "A" + m.of(base62+"-_", 32) + m.of(base62, 1)
		return m.said(v), v
	}},
	{"discord webhook", func(m maker) (string, string) {
		v := m.of(base62+"-_", 67) + m.of(base62, 1)
		return m.said("https://discord" + ".com/api/webhooks/" + m.of("123456789", 18) + "/" + v), v
	}},
	{"jwt", func(m maker) (string, string) {
		part := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"` + m.of(digits, 10) + `","name":"alice"}`))
		v := "ey" + "JhbGciOiJIUzI1NiJ9." + part + "." + m.of(base62+"-_", 42) + m.of(base62, 1)
		return m.said(v), v
	}},
	{"private key", func(m maker) (string, string) {
		v := m.pem(m.one("RSA PRIVATE", "PRIVATE", "EC PRIVATE", "OPENSSH PRIVATE"), 4)
		body := strings.Split(v, "\n")[2]
		switch m.r.IntN(4) {
		case 0:
			v = v[:strings.Index(v, body)+40]
			body = body[:40]
		case 1:
			return `"private_key": "` + strings.ReplaceAll(v, "\n", `\n`) + `",`, body
		case 2:
			return "KEY=\"" + strings.ReplaceAll(v, "\n", " ") + "\"", body
		}
		return "put this on the server:\n" + v + "\nand restart it", body
	}},
	{"age key", func(m maker) (string, string) {
		v := "AGE-SECRET" + "-KEY-1" + m.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)
		return m.said(v), v
	}},
	{"azure storage", func(m maker) (string, string) {
		v := m.bytes(64)
		return "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=" + v + ";EndpointSuffix=core.windows.net", v
	}},
	{"database url", func(m maker) (string, string) {
		v := m.password()
		v = strings.NewReplacer("#", "%23", "%", "%25", "@", "%40").Replace(v)
		return fmt.Sprintf(m.one("DATABASE_URL=%s", "connect with %s and count the orders", `"url": "%s"`, "psql %s -c 'select 1'"), m.one("postgres://shop:", "mysql://root:", "mongodb+srv://app:", "redis://:", "amqp://guest:")+v+"@db.internal:5432/shop"), v
	}},
	{"url with a token", func(m maker) (string, string) {
		v := m.of(base62, 30)
		return "git clone https://oauth2:" + v + "@git.example.com/acme/shop.git", v
	}},
	{"authorization", func(m maker) (string, string) {
		v := m.of(base62+"-_", 39) + m.of(base62, 1)
		return fmt.Sprintf(m.one(`curl -H "Authorization: Bearer %s" https://api.example.com/v1/me`, "Authorization: Bearer %s", `"Authorization": "Bearer %s",`, "> authorization: token %s", "headers: { Authorization: `Bearer %s` }"), v), v
	}},
	{"basic authorization", func(m maker) (string, string) {
		v := base64.StdEncoding.EncodeToString([]byte("alice:" + m.password()))
		return fmt.Sprintf(m.one(`curl -H 'Authorization: Basic %s' https://ci.example.com`, "Authorization: Basic %s", `--header "Proxy-Authorization: Basic %s"`), v), v
	}},
	{"password in a file", func(m maker) (string, string) {
		v := strings.ReplaceAll(m.password(), "$", "S")
		return fmt.Sprintf(m.one("DB_PASSWORD=%s", "export PGPASSWORD='%s'", "  password: %s", `"password": "%s",`, "password = \"%s\"", "spring.datasource.password=%s", "MYSQL_ROOT_PASSWORD: %s", "Server=db;User Id=sa;Password=%s;", `db_pass: '%s'`, "conn = connect(user='shop', passwd='%s')"), v), v
	}},
	{"password in a command", func(m maker) (string, string) {
		v := strings.NewReplacer("$", "S", "!", "i", "&", "e", "#", "h").Replace(m.password())
		return fmt.Sprintf(m.one("./deploy.sh --user alice --password %s --force", "./deploy.sh --password=%s", "docker login -u alice --password '%s' registry.example.com", "MYSQL_PWD=%s mysqldump shop > dump.sql", "az login --service-principal -u app --password %s", "mysql -u root -p%s shop", "sshpass -p %s ssh deploy@10.0.0.4", "curl -u alice:%s https://ci.example.com/job/1"), v), v
	}},
	{"password in a sentence", func(m maker) (string, string) {
		v := m.password()
		return fmt.Sprintf(m.one("my password is %s", "the password for the staging db is %s, try again", "Password: %s", "log in as admin with password \"%s\"", "minha senha é %s", "la contraseña es %s", "das Passwort lautet %s", "le mot de passe est %s", "пароль: %s", "密码是%s", "パスワードは %s です", "the root password is `%s`", "user: alice\npassword: %s"), v), v
	}},
	{"secret in a file", func(m maker) (string, string) {
		v := m.one(m.of(hexa, 32), m.of(base62, 24), m.of(hexa, 64), m.uuid())
		return fmt.Sprintf(m.one("JWT_SECRET=%s", "client_secret: %s", `"clientSecret": "%s"`, "api_key = \"%s\"", "const apiKey = '%s';", "SESSION_TOKEN=%s", "?access_token=%s&page=2", "stripe --api-key %s listen", "x-api-key: %s", "secret_key_base: %s"), v), v
	}},
	{"netrc", func(m maker) (string, string) {
		v := m.password()
		return "machine git.example.com login alice password " + v, v
	}},
	{"vault token", func(m maker) (string, string) {
		v := "hv" + "s." + m.of(base62+"-_", 90) + m.of(base62, 1)
		return m.said(v), v
	}},
	{"hugging face token", func(m maker) (string, string) { v := "h" + "f_" + m.of(letters+capital, 34); return m.said(v), v }},
	{"digitalocean token", func(m maker) (string, string) { v := "do" + "p_v1_" + m.of(hexa, 64); return m.said(v), v }},
	{"heroku key", func(m maker) (string, string) {
		v := m.uuid()
		return fmt.Sprintf(m.one("HEROKU_API_KEY=%s git push heroku main", "the Heroku API key is %s", "HEROKU_API_KEY: \"%s\""), v), v
	}},
	{"mailgun key", func(m maker) (string, string) { v := "ke" + "y-" + m.of(hexa, 32); return m.said(v), v }},
	{"databricks token", func(m maker) (string, string) { v := "da" + "pi" + m.of(hexa, 32); return m.said(v), v }},
	{"linear key", func(m maker) (string, string) { v := "lin" + "_api_" + m.of(base62, 40); return m.said(v), v }},
	{"random string", func(m maker) (string, string) { v := m.of(base62, 40+m.r.IntN(24)); return m.said(v), v }},
}

// Make returns n secrets, every kind in turn; the same seed makes the same.
func Make(seed uint64, n int) []Secret {
	m := maker{rand.New(rand.NewPCG(seed, 7))}
	out := make([]Secret, n)
	for i := range out {
		k := kinds[i%len(kinds)]
		text, value := k.make(m)
		out[i] = Secret{k.name, text, value}
	}
	return out
}
