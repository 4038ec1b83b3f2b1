package redact

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// join keeps a token apart in this file, so that nobody takes it for one that was published.
func join(parts ...string) string { return strings.Join(parts, "") }

func TestText(t *testing.T) {
	ghp := join("gh", "p_", "Ab1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2")
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"use " + ghp + ", please", "use [redacted:github-token], please"},
		{"deploy-" + ghp + "!", "deploy-[redacted:github-token]!"},
		{"cut: " + ghp[:20] + "…", "cut: [redacted:github-token]…"},
		{"https://alice:s3cr%40t@db.internal/shop?x=1", "https://alice:[redacted:url-password]@db.internal/shop?x=1"},
		{"https://" + ghp + "@github.com/acme/shop", "https://[redacted:url-password]@github.com/acme/shop"},
		{"DB_PASSWORD=p@ss,w0rd&more\nDB_HOST=db", "DB_PASSWORD=[redacted:password]\nDB_HOST=db"},
		{`{"user": "alice", "password": "hunter2"}`, `{"user": "alice", "password": "[redacted:password]"}`},
		{`{\"password\": \"hunter2\", \"port\": 5432}`, `{\"password\": \"[redacted:password]\", \"port\": 5432}`},
		{`password: str = "hunter22"`, `password: str = "[redacted:password]"`},
		{"My password is hunter2, and my PIN code is secret.",
			"My password is [redacted:password], and my PIN code is secret."},
		{"the password for the staging db is `Tr0ub4dor&3`.",
			"the password for the staging db is `[redacted:password]`."},
		{"a senha do banco é lisboa99", "a senha do banco é [redacted:password]"},
		{"la contraseña es madrid77!", "la contraseña es [redacted:password]"},
		{"密码是hunter22，别忘了", "密码是[redacted:password]，别忘了"},
		{"şifre: hunter2", "şifre: [redacted:password]"},
		{"비밀번호는 hunter22 입니다", "비밀번호는 [redacted:password] 입니다"},
		{"パスワードは hunter22 です", "パスワードは [redacted:password] です"},
		{"hasło to hunter22", "hasło to [redacted:password]"},
		{"het wachtwoord is hunter22", "het wachtwoord is [redacted:password]"},
		{"la parola è hunter22", "la parola è [redacted:password]"},
		{"รหัสผ่าน: hunter22", "รหัสผ่าน: [redacted:password]"},
		{"le mot de passe est hunter22", "le mot de passe est [redacted:password]"},
		{"das Passwort lautet hunter22", "das Passwort lautet [redacted:password]"},
		{"Пароль: hunter2", "Пароль: [redacted:password]"},
		{"curl -u alice:hunter2 https://ci.example.com", "curl -u alice:[redacted:password] https://ci.example.com"},
		{`curl -H "Authorization: Bearer abc.DEF-123456" https://x`,
			`curl -H "Authorization: Bearer [redacted:authorization]" https://x`},
		{"Authorization: Basic YWxpY2U6aHVudGVyMg==", "Authorization: Basic [redacted:authorization]"},
		{"Authorization: GenieKey eb243592-faa2-4ba2-a551-1afdf565c889",
			"Authorization: GenieKey [redacted:authorization]"},
		{"machine git.example.com login alice password hunter2",
			"machine git.example.com login alice password [redacted:password]"},
		{"JWT_SECRET: 8f14e45fceea167a5a36dedd4bea2543", "JWT_SECRET: [redacted:secret]"},
		{"the API key is 8f14e45fceea167a5a36dedd4bea2543", "the API key is [redacted:api-key]"},
		{"?access_token=aZ19kQ28xY37&page=2", "?access_token=[redacted:token]&page=2"},
		{"password=hunter2x and again: hunter2x", "password=[redacted:password] and again: [redacted:password]"},
		{"-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234567890abcdefghijklmn\nab+/cd==\n-----END RSA " +
			"PRIVATE KEY-----\nnext", "[redacted:private-key]\nnext"},
		{"-----BEGIN " +
			"PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234567890abcdefghijklmn\nMIIEpAIBAAKCAQEA1234567890abcdefghijklmn\nand so on", "[redacted:private-key]\nand so on"},
		{"-----BEGIN RSA " + "PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n" +
			"MIIEpAIBAAKCAQEA1234567890abcdefghijklmn\nand so on", "[redacted:private-key]\nand so on"},
		{`"key": "x-----BEGIN EC ` + `PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234567890\n-----END EC ` +
			`PRIVATE KEY-----\n", "n": 1`, `"key": "x[redacted:private-key]\n", "n": 1`},
		{`"a\n` + ghp + `\nDB_PASS=hunter2\nb"`, `"a\n[redacted:github-token]\nDB_PASS=[redacted:password]\nb"`},
		{"My password is butterfly.", "My password is [redacted:password]."},
		{"login: bob / hunter2!", "login: bob / [redacted:password]"},
		{"passphrase: correct horse battery staple", "passphrase: [redacted:passphrase]"},
		{"Cookie: session=abc123def456ghi; theme=dark", "Cookie: session=[redacted:cookie]; theme=dark"},
		{"Cookie: lang=de; sid=2qqx4vfooqqbbn3ec0p00cga457andmi",
			"Cookie: lang=de; sid=[redacted:cookie]"},
		{"shop:dbPassword: hunter22", "shop:dbPassword: [redacted:password]"},
		{`req.SetBasicAuth("bob", "butterfly")`, `req.SetBasicAuth("bob", "[redacted:password]")`},
		{`auth = ("bob", "butterfly")`, `auth = ("bob", "[redacted:password]")`},
		{"new PDO($dsn, 'shop', 'butterfly', [PDO::ATTR_ERRMODE => 2])",
			"new PDO($dsn, 'shop', '[redacted:password]', [PDO::ATTR_ERRMODE => 2])"},
		{`page.fill("#password", "hunter2!")`, `page.fill("#password", "[redacted:password]")`},
		{"$ op read op://shop/token\nzko5QLtQHHdGfpOJURxF", "$ op read op://shop/token\n[redacted:token]"},
		{"the password of the first user:\n\n  zko5QLtQHHdGfp0JURxF\n",
			"the password of the first user:\n\n  [redacted:password]\n"},
		{"password......hunter22", "password......[redacted:password]"},
		{"app password: azpz tsck dign yvll", "app password: [redacted:password]"},
		{"backup codes for the bank: 5125 3930 8590", "backup codes for the bank: [redacted:code]"},
		{"put --name /shop/db_password --value 'butterfly'",
			"put --name /shop/db_password --value '[redacted:password]'"},
		{"secret: 'ember pebble otter potato'", "secret: '[redacted:secret]'"},
		{`jwtKey = []byte("butterfly")`, `jwtKey = []byte("[redacted:secret]")`},
		{"bob:x~9,hunter@tcp(db:3306)/shop", "bob:[redacted:password]@tcp(db:3306)/shop"},
		{"machine git.example.com\n  login bob\n  password butterfly",
			"machine git.example.com\n  login bob\n  password [redacted:password]"},
		{`$pw = ConvertTo-SecureString "butterfly" -AsPlainText`,
			`$pw = ConvertTo-SecureString "[redacted:password]" -AsPlainText`},
		{"AUTH_SECRET=w8Xr2Kq9vB4nT7mZ", "AUTH_SECRET=[redacted:secret]"},
		{"bindpw butterfly", "bindpw [redacted:password]"},
		{"credentials bob:hunter2", "credentials bob:[redacted:password]"},
		{"az login -u bob -p butterfly", "az login -u bob -p [redacted:password]"},
		{"echo bob:butterfly | chpasswd", "echo bob:[redacted:password] | chpasswd"},
		{"jdbc:oracle:thin:shop/butterfly88@db:1521:x", "jdbc:oracle:thin:shop/[redacted:password]@db:1521:x"},
		{"db:5432:shop:bob:butterfly", "db:5432:shop:bob:[redacted:password]"},
		{"lösenordet är hunter2x9", "lösenordet är [redacted:password]"},
		{"poetry config pypi-token.acme 0f8e2d4c6b8a91735e2d4c6b8a9173f50e2d4c6b8a9173f5",
			"poetry config pypi-token.acme [redacted:token]"},
		{"DB_PASSWORD (rotated): the old one is gone, now Xk4mP9vT2q",
			"DB_PASSWORD (rotated): the old one is gone, now [redacted:password]"},
		{"aws configure set aws_secret_access_key " + join("wJalrXUtnFEMI", "/K7MDENG/bPxRfiCYzq9LkT2mNp"),
			"aws configure set aws_secret_access_key [redacted:aws-secret]"},
	} {
		got, kinds := Text(c.in)
		if got != c.want {
			t.Errorf("Text(%q)\n got %q\nwant %q", c.in, got, c.want)
		}
		if (kinds == nil) != (got == c.in) {
			t.Errorf("Text(%q) names %v", c.in, kinds)
		}
	}
}

// TestKept holds what only looks like a secret to staying as it is.
func TestKept(t *testing.T) {
	const upper, lower, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
	const data = "7KarQx52qkr24dywOhqKtHNB7Cv/MCXILzsZrxtKNJb92jbVuUTiFBZhVCmlCYclHEbplGnhLO5i"
	pairs := ""
	for i := range upper {
		pairs += upper[i:i+1] + lower[i:i+1]
	}
	for _, s := range []string{
		"fix 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b, then push",
		"session 5f0c3f8e-9a41-4d0b-8a4f-2b9d6c1e7a30 of toolu_01AbCdEfGhIjKlMnOpQrStUv",
		"image@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		`"integrity": ` +
			`"sha512-oGB+UxlgWcgQkgwo8GcEGwemoTFt3FIO9ababBmaGwXIoBKZ+GTy0pP185beGg7Llih/NSHSV2XAs1lnznocSg=="`,
		"github.com/rogpeppe/go-internal v1.14.1 h1:UQB4HGPB6osV0SQTLymcB4TgvyWu6ZyliaW0tI/otEQ=",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2z8Kf1Qw9sX3vB7nM5pL0tR4yU6iO2aE8dG1hC3jKl alice@laptop",
		"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----",
		"https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
		"src/components/checkout/PaymentMethodSelector2.test.tsx and testUserCanLoginWith2FAAndReset3Times",
		"const token = await fetchToken(user.id)",
		`password := os.Getenv("DB_PASSWORD")`,
		"api_key=process.env.STRIPE_API_KEY",
		"interface Login { password: string; token?: AuthToken }",
		"password: z.string().min(8)",
		"Authorization: Bearer $TOKEN",
		`curl -H "Authorization: Bearer <token>" https://api.example.com`,
		"Authorization: Bearer ${{ secrets.GITHUB_TOKEN }}",
		"API_KEY=your-api-key-here", "PASSWORD=********", "TOKEN=xxxxxxxxxxxxxxxx", "SECRET=<paste it>",
		"DB_PASSWORD=$DB_PASSWORD", "DB_PASSWORD=${DB_PASSWORD}", "password=%s",
		"postgres://$USER:$PASSWORD@localhost/shop", "postgres://user:<password>@localhost/shop",
		"https://example.com:8080/a@b",
		"the password is required, and the token is valid for 30 minutes",
		"the password must be at least 8 characters; the token is expired",
		"use bcrypt for the password, sha256 for the token",
		"max_tokens: 4096, token_count=12345, tokens = 128000",
		"--password-stdin reads the password from a pipe",
		"--- PASS: TestLogin_RejectsExpiredToken (0.01s)", "tool: PASS: TestCart", "pass 12, fail 0",
		"cd src && pwd && ls", "PWD=/home/alice/shop",
		"renew the token before it expires: see src/auth/session.ts:88",
		`"password": "Enter your password"`, `label: "Password", type: "password"`,
		"the author: alice, the monkey: none, the compass: broken",
		"Secret: a story about the token of love",
		"cache key d41d8cd98f00b204e9800998ecf8427e, primary key: user_id",
		"the key is to test first", "the passphrase is limited to 1024 bytes",
		`dsn := "password="+cfg.Password+" host="+cfg.Host`, `append(env, "PWD="+dir)`, "pass: passDeadCodeElimination",
		"Password        *uint16", "my passport is 4 years old",
		"pnpm-lock.yaml, yarn v1.22.22, sk-learn-extension-for-intel, task-with-a-very-long-name-in-2024",
		"パスワードは12文字以上にしてください", "the password is required", "docker run -p 8080:80 nginx", "ssh -p 2222 bob@host",
		"postgres://user:password@localhost/shop",
		"--- PASS: TestPath/a1b2c3d4e5f6 (0.00s)", "total net user additions",
		"func test_execute_streak7_awardsBonus200XP() {",
		"github.com/acme/token v1.7.0 h1:UQB4HGPB6osV0SQTLymcB4TgvyWu6ZyliaW0tI/otEQ=",
		"the password fields of 7c9e6679-7425-40de-944b-e07fc1f90ae7",
		"[redacted:github-token] and password=[redacted:password]",
		"send it to 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "donate: 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
		"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "0x52908400098527886E0F7030069857D2E4169EE7",
		`const alphabet = "` + upper + lower + digits + `"`, `chars := "` + lower + upper + digits + `-_"`,
		`chars = "` + digits + upper + lower + `+/"`, `key: "` + pairs + digits + `"`, pairs + digits,
		"token = '" + lower + digits + "'", "BASE58 = 123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
		`secret_chars = "` + upper + lower + digits + `!@#$%^&*"`,
		// the word behind password in prose
		"add a password reset-link2 flow", "the password strength-meter v2 is broken",
		"the password manager is 1Password", "machine learning, login page at /login, password manager: 1Password",
		"$ git log -1 --format=%H token.go\n1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b",
		"withCredentials([usernamePassword(credentialsId: '381a0770-5ba2-44b3-83ae-86a0525577c0')])",
		`<string name="hint_password">Digite a senha</string>`, `login("alice", "WrongPassword1")`,
		`data-key="86814dcf-86b6-474d-b4d2-a9cba76e5ce3"`, "SITE_KEY=6L1fto2oC6w_Nvf0WFxNyy1YUKugofnUN7p6Ta2x",
		"base64\n" + data + "\n" + data, "TOKEN = 0x52908400098527886E0F7030069857D2E4169EE7",
		"DB_PASSWORD  updated 2024-05-01", "privateKey: Uint8Array", "err := s.TranscriptStartOfTheSession(id)",
		"If all pass → `build-all-2`", "test\tpass\t1m23s\thttps://ci.example.com", "cat /etc/passwd -> root2",
		"password: ENC[AES256_GCM,data:IK5XqYoYOYCCNse6,iv:m3P52mE7uM/Yfz6dC6wzM4SB+hABt1F4wC+uIELHnXU=,type:str]",
		join("STRIPE_PUBLISHABLE_KEY_OF_THE_SHOP=pk_l", "ive_51irqoiIw73pUUylswnR3J6eE3hpdAETalIBPyxXI1VhTS"),
		"the password prompt shows twice", "a password (bcrypt-12) column", "the password field2 is empty",
		"does the password rule apply to SSO users?", "store the password hashed with argon2id, not sha256",
		"the login password is checked in auth.ts:42",
		"password is wrong after upgrade to v2.3.1", "the password can't be changed on iOS17",
		// the name of a key
		"the secret name is prod-db-credentials", "the API key is called OPENAI_API_KEY", "the token is GITHUB_TOKEN",
		"set the API key to STRIPE_SECRET_KEY_LIVE", `apiKey: "stripe_api_key_v2"`, "key: deploy-key-2024",
		"the key name is my-ssh-key-ed25519", "key=user:42:profile",
		`secretKeyRef: {name: db-creds, key: db-password-1}`,
		// public keys
		"cache.nixos.org-1:6NCHdD59X431o0gWypbMrAURkbJ16ZPMQFGspcDShjY=",
		"trusted-public-keys = nix-community.cachix.org-1:mB9FSh9qf2dCimDSUo8Zy7bkq5CX+/rkCWyvRCYg3Fs=",
		"the key is nix-community.cachix.org-1:mB9FSh9qf2dCimDSUo8Zy7bkq5CX+/rkCWyvRCYg3Fs=",
		"untrusted comment: minisign public key\nRWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3",
		"1Password's `op-ssh-sign` signs my commits", "1Password's op-ssh-sign", "the password's `min-length-8` rule",
		"KeePass's `kdbx4-format` is fine",
		// its own marks, with something around them
		"password=[redacted:password]", "the password is [redacted:password], and the token [redacted:github-token]",
		"[redacted:high-entropy]", "[redacted:github-token] fix 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b",
		"password [redacted:password] redacted:password]", "token: '[redacted:api-key]'",
		"what does [redacted:url-password] mean?", "-p[redacted:password] x",
	} {
		if got, kinds := Text(s); got != s {
			t.Errorf("%q became %q (%v)", s, got, kinds)
		}
	}
}

func TestJSON(t *testing.T) {
	ghp := join("gh", "p_", "Ab1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2")
	for _, c := range []struct{ in, want string }{
		{`{}`, `{}`},
		{`{"a": "plain \"quoted\" \u00e9", "n": 1}`, `{"a": "plain \"quoted\" \u00e9", "n": 1}`},
		{`{"a": "x ` + ghp + ` <y>",` + "\n" + ` "b" : ["` + ghp + `"]}`,
			`{"a": "x [redacted:github-token] <y>",` + "\n" + ` "b" : ["[redacted:github-token]"]}`},
		{`{"a": "line\npassword: \"hunter2\""}`, `{"a": "line\npassword: \"[redacted:password]\""}`},
	} {
		got, _ := JSON(c.in)
		if strings.ReplaceAll(got, `\u003c`, "<") != strings.ReplaceAll(c.want, `\u003c`, "<") &&
			strings.ReplaceAll(strings.ReplaceAll(got, `\u003c`, "<"), `\u003e`, ">") != c.want {
			t.Errorf("JSON(%s)\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestNotice(t *testing.T) {
	for _, c := range []struct {
		kinds []string
		want  string
	}{
		{nil, ""},
		{[]string{"github-token"}, "1 secret was not stored (github token)"},
		{[]string{"password", "jwt", "password"}, "3 secrets were not stored (jwt, password)"},
	} {
		if got := Notice(c.kinds); got != c.want {
			t.Errorf("Notice(%v) = %q, want %q", c.kinds, got, c.want)
		}
	}
}

// FuzzText: what is found goes whole and nothing else does; a second look finds nothing; JSON stays JSON.
func FuzzText(f *testing.F) {
	for _, s := range Make(Tuned, 3, 900) {
		f.Add(s.Text)
	}
	f.Add("password password=[redacted:password] is token: \\\"")
	f.Add("passord>>")
	f.Fuzz(func(t *testing.T, s string) {
		found := find(s, []part{{0, len(s)}})
		at := 0
		for _, x := range found {
			if x.start < at || x.end <= x.start || x.end > len(s) || x.kind == "" {
				t.Fatalf("find(%q) = %+v", s, found)
			}
			at = x.end
		}
		clean, kinds := Text(s)
		if len(kinds) < len(found) || (kinds == nil) != (clean == s) {
			t.Fatalf("Text(%q) = %q, %v", s, clean, kinds)
		}
		for _, x := range found {
			if v := s[x.start:x.end]; len(v) >= 8 && measure(v).digits > 0 && strings.Contains(clean, v) {
				t.Fatalf("Text(%q) = %q still holds %q", s, clean, v)
			}
		}
		if again := Clean(clean); again != clean {
			t.Fatalf("Text(%q) = %q, and of that %q", s, clean, again)
		}
		if utf8.ValidString(s) && !utf8.ValidString(clean) {
			t.Fatalf("Text(%q) = %q", s, clean)
		}
		data, err := json.Marshal(map[string]any{"s": s, "l": []string{s}})
		if err != nil {
			return
		}
		out, more := JSON(string(data))
		var v struct{ S string }
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			t.Fatalf("JSON(%s) = %s: %v", data, out, err)
		}
		if utf8.ValidString(s) && v.S != clean {
			t.Fatalf("JSON(%s) = %s, want %q in it", data, out, clean)
		}
		if len(more) == 0 && !slices.Equal([]byte(out), data) {
			t.Fatalf("JSON(%s) = %s", data, out)
		}
	})
}
