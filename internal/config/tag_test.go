package config

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// env is an environment with only these variables.
type env map[string]string

func (e env) get(name string) string { return e[name] }

func TestTag(t *testing.T) {
	hashed := func(stem string) string { return "^" + regexp.QuoteMeta(stem) + "-[0-9a-f]{4}$" }
	plain := func(s string) string { return "^" + regexp.QuoteMeta(s) + "$" }
	for in, want := range map[string]string{
		"alice":                       plain("alice"),
		"Alice.Smith_2":               plain("Alice.Smith_2"),
		"alice-smith":                 plain("alice-smith"),
		"user":                        plain("user"),
		"007":                         plain("007"),
		"zoë":                         plain("zoë"),
		"zoe\u0308":                   plain("zoe\u0308"),
		"アリス":                         plain("アリス"),
		`DOMAIN\bob`:                  hashed("DOMAIN-bob"),
		"../x":                        hashed("x"),
		"/etc/passwd":                 hashed("etc-passwd"),
		"alice@host":                  hashed("alice-host"),
		"alice smith":                 hashed("alice-smith"),
		"a~b":                         hashed("a-b"),
		"a--b":                        hashed("a-b"),
		"-a":                          hashed("a"),
		"a-":                          hashed("a"),
		".a":                          hashed("a"),
		"a.":                          hashed("a"),
		"a\x00b":                      hashed("a-b"),
		"a\nb":                        hashed("a-b"),
		"config":                      hashed("config"),
		"machine":                     hashed("machine"),
		"Workspace":                   hashed("Workspace"),
		strings.Repeat("x", 48):       plain(strings.Repeat("x", 48)),
		strings.Repeat("x", 49):       hashed(strings.Repeat("x", 48)),
		strings.Repeat("é", 40):       hashed(strings.Repeat("é", 24)),
		"x" + strings.Repeat("é", 40): hashed("x" + strings.Repeat("é", 23)),
		strings.Repeat("a-", 40):      hashed(strings.Repeat("a-", 23) + "a"),
	} {
		if got := Tag(in, env{"USER": "carol"}.get); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("Tag(%q) = %q, want %s", in, got, want)
		}
	}
}

// TestTagSources: if no character of a name can stay, the next source is used.
func TestTagSources(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  env
		want string
	}{
		{"", env{"USER": "alice", "LOGNAME": "bob"}, "alice"},
		{"../..", env{"USER": "alice"}, "alice"},
		{"", env{"LOGNAME": "bob"}, "bob"},
		{"", env{"USERNAME": "dave"}, "dave"},
		{"", env{"USER": "---", "USERNAME": "eve"}, "eve"},
	} {
		if got := Tag(tt.name, tt.env.get); got != tt.want {
			t.Errorf("Tag(%q) with %v = %q, want %q", tt.name, tt.env, got, tt.want)
		}
	}
	if got := Tag("", env{}.get); got == "" {
		t.Error("no name at all gives no tag") // the system knows the user who runs the test
	}
}

// TestTagsStayApart: two names that lose characters never get the same tag, nor the tag of a name that loses none.
func TestTagsStayApart(t *testing.T) {
	seen := map[string]string{}
	for _, in := range []string{
		"a-b", "a b", "a/b", "a@b", "a~b", "a--b", "a---b", "a -b", "-a-b", "a-b-", "a-b.", ".a-b", "a:b", `a\\b`,
		`a\b\`, "a\tb", "../a-b", "./a-b",
		`x-y\z`, `x\y-z`, `x\y\z`, "config", "Config", strings.Repeat("x", 48), strings.Repeat("x", 49),
		strings.Repeat("x", 50),
	} {
		tag := Tag(in, env{}.get)
		if other, ok := seen[tag]; ok {
			t.Errorf("%q and %q are both %q", other, in, tag)
		}
		seen[tag] = in
	}
}

func FuzzTag(f *testing.F) {
	for _, s := range []string{"alice", `DOMAIN\bob`, "../x", "a--b", "a~b", "a@b", "user", "zoë",
		strings.Repeat("é", 60), "x" + strings.Repeat("é", 60), "\xff", "-.-", "config", "a\u0301", "."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Tag(s, env{"USER": "carol"}.get)
		if got == "" || len(got) > 60 || !utf8.ValidString(got) {
			t.Fatalf("Tag(%q) = %q", s, got)
		}
		if strings.ContainsAny(got, "/\\~@:") || strings.Contains(got, "--") || got[0] == '.' || got[0] == '-' ||
			filepath.Base(got) != got {
			t.Errorf("Tag(%q) = %q", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.IsSpace(r) {
				t.Errorf("Tag(%q) = %q", s, got)
			}
		}
		if low := strings.ToLower(got); low == "config" || low == "workspace" {
			t.Errorf("Tag(%q) = %q", s, got)
		}
		if again := Tag(got, env{"USER": "carol"}.get); len(got) <= 48 && again != got {
			t.Errorf("Tag(%q) = %q, made safe again %q", s, got, again)
		}
	})
}
