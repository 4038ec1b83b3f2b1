package redact

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAddressesAreKept holds full IPv6 addresses, in any place and in either case, to staying as they are.
func TestAddressesAreKept(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	places := []string{"%s", "ping6 %s", "the server listens on %s.", "inet6 %s/64 scope global", "listen [%s]:443;",
		"ssh root@%s", "key %s", "the token of %s is old", "AAAA %s", "host: %s", `"ip": "%s"`, "http://[%s]:8080/health"}
	changed := 0
	for n := range 200 {
		groups := make([]string, 8)
		for i := range groups {
			groups[i] = fmt.Sprintf("%x", r.UintN(1<<16))
		}
		address := strings.Join(groups, ":")
		if n%4 == 3 {
			address = strings.ToUpper(address)
		}
		s := fmt.Sprintf(places[n%len(places)], address)
		if clean := Clean(s); clean != s {
			changed++
			t.Logf("%q became %q", s, clean)
		}
	}
	if changed > 0 {
		t.Errorf("%d of 200 IPv6 addresses are redacted", changed)
	}
}

// TestPublicIsKept holds strings that look random, and words about passwords, to staying as they are.
func TestPublicIsKept(t *testing.T) {
	const upper, lower, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
	pairs := ""
	for i := range upper {
		pairs += upper[i:i+1] + lower[i:i+1]
	}
	for _, s := range []string{
		"send it to 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "donate: 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
		"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "0x52908400098527886E0F7030069857D2E4169EE7",
		`const alphabet = "` + upper + lower + digits + `"`, `chars := "` + lower + upper + digits + `-_"`,
		`chars = "` + digits + upper + lower + `+/"`, `key: "` + pairs + digits + `"`, pairs + digits,
		"token = '" + lower + digits + "'", "BASE58 = 123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
		`secret_chars = "` + upper + lower + digits + `!@#$%^&*"`,
		// the word behind password in prose
		"add a password reset-link2 flow", "the password strength-meter v2 is broken", "the password manager is 1Password",
		"the password prompt shows twice", "a password (bcrypt-12) column", "the password field2 is empty",
		"does the password rule apply to SSO users?", "store the password hashed with argon2id, not sha256",
		"the login password is checked in auth.ts:42",
		"password is wrong after upgrade to v2.3.1", "the password can't be changed on iOS17",
		// the name of a key
		"the secret name is prod-db-credentials", "the API key is called OPENAI_API_KEY", "the token is GITHUB_TOKEN",
		"set the API key to STRIPE_SECRET_KEY_LIVE", `apiKey: "stripe_api_key_v2"`, "key: deploy-key-2024",
		"the key name is my-ssh-key-ed25519", "key=user:42:profile", `secretKeyRef: {name: db-creds, key: db-password-1}`,
		// public keys
		"cache.nixos.org-1:6NCHdD59X431o0gWypbMrAURkbJ16ZPMQFGspcDShjY=",
		"trusted-public-keys = nix-community.cachix.org-1:mB9FSh9qf2dCimDSUo8Zy7bkq5CX+/rkCWyvRCYg3Fs=",
		"the key is nix-community.cachix.org-1:mB9FSh9qf2dCimDSUo8Zy7bkq5CX+/rkCWyvRCYg3Fs=",
		"untrusted comment: minisign public key\nRWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3",
		"1Password's `op-ssh-sign` signs my commits", "1Password's op-ssh-sign", "the password's `min-length-8` rule",
		"KeePass's `kdbx4-format` is fine",
		// its own marks, with something around them
		"password=[redacted:password]", "the password is [redacted:password], and the token [redacted:github-token]",
		"[redacted:high-entropy]", "password [redacted:password] redacted:password]", "token: '[redacted:api-key]'",
		"what does [redacted:url-password] mean?", "-p[redacted:password] x",
	} {
		if clean := Clean(s); clean != s {
			t.Errorf("%q became %q", s, clean)
		}
	}
}
