package naming

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCheckProject(t *testing.T) {
	for _, name := range []string{"myapp", "My.App_2", "a-b", "修复", "7", "x."} {
		if err := CheckProject(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, tt := range []struct{ name, why, try string }{
		{"a--b", `it holds "--"`, "a-b"}, {"", "empty", "project-b4bd112f"}, {"user", "about the user", "user-project"},
		{"User", "about the user", "user-project"},
		{"..", "another folder", "project-"}, {"../etc", "another folder", "etc"}, {`a\b`, "another folder", "a-b"},
		{"a/b", "another folder", "a-b"}, {"a..b", "another folder", "a.b"},
		{".git", "does not begin", "git"}, {"-a", "does not begin", "a"}, {"a-", "ends with", "a"},
		{"my app", "it holds ' '", "my-app"}, {"a\x00b", "it holds", "a-b"},
		{"a\nb", "it holds", "a-b"}, {strings.Repeat("a", 97), "96 bytes", strings.Repeat("a", 48)},
		{"a\xff", "it holds", "a"}, {"a\u202eb", "it holds", "a-b"},
	} {
		err := CheckProject(tt.name)
		var name *Error
		if !errors.As(err, &name) || !strings.Contains(name.Why, tt.why) || !strings.HasPrefix(name.Try, tt.try) {
			t.Errorf("%q: %v, want %q and to try %q", tt.name, err, tt.why, tt.try)
			continue
		}
		if err := CheckProject(name.Try); err != nil {
			t.Errorf("%q is told to try %q: %v", tt.name, name.Try, err)
		}
	}
	if got, want := CheckProject("a--b").Error(), `project "a--b": it holds "--": try "a-b"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Fix auth token expiry":             "fix-auth-token-expiry",
		"  Don't -- panic!  ":               "dont-panic",
		"v1.2.3: ship_it":                   "v1-2-3-ship-it",
		"修复 认证 错误":                          "修复-认证-错误",
		"Größe ändern":                      "größe-ändern",
		"हिन्दी में":                        "हिन्दी-में",
		"../../etc/passwd":                  "etc-passwd",
		"🎉🎉":                                "note-",
		"":                                  "note-",
		strings.Repeat("word ", 20):         "word-word-word-word-word-word-word-word-word-word",
		strings.Repeat("a", 60):             strings.Repeat("a", 50),
		strings.Repeat("a", 50) + " b":      strings.Repeat("a", 50),
		strings.Repeat("認", 60):             strings.Repeat("認", 40),
		"a " + strings.Repeat("b", 60):      "a-" + strings.Repeat("b", 48),
		strings.Repeat("a", 45) + " bcdefg": strings.Repeat("a", 45),
	} {
		got := Slug(title)
		if !strings.HasPrefix(got, want) || !strings.HasPrefix(want, "note") && got != want {
			t.Errorf("%q has the slug %q, want %q", title, got, want)
		}
	}
	if Slug("🎉") == Slug("🚀") {
		t.Error("two titles share a slug")
	}
}

func TestSplit(t *testing.T) {
	for name, want := range map[string][2]string{
		"myapp--fix-auth-bug.md": {"myapp", "fix-auth-bug"}, "user--profile": {"user", "profile"},
		"a.b_c--x": {"a.b_c", "x"},
	} {
		project, slug, err := Split(name)
		if err != nil || project != want[0] || slug != want[1] {
			t.Errorf("%s: %q, %q, %v", name, project, slug, err)
		}
	}
	for _, name := range []string{"", "myapp", "README.md", "--x", "a--", "a--b--c", "a---b", "../a--b", "a--../b",
		"a--B", "a--b.md.md", "a/b--c", "CON", "a--" + strings.Repeat("b", 51)} {
		if _, _, err := Split(name); !errors.As(err, new(*Error)) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// FuzzSlug: every title gives a name that stays in its folder and can be split again.
func FuzzSlug(f *testing.F) {
	for _, s := range []string{"Fix auth", "a--b", "../x", "İstanbul", "\u0301a", "x\xff", "ǅ"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, project, title string) {
		slug, project := Slug(title), Project(project)
		id, err := ID(project, slug)
		if err != nil {
			t.Fatal(err)
		}
		p, s, err := Split(id + ".md")
		if err != nil || p != project || s != slug {
			t.Fatalf("%q, %q became %q, %q, %v", project, slug, p, s, err)
		}
		if strings.ContainsAny(id, "/\\\x00") || strings.Contains(id, "..") || len(id) > 220 ||
			utf8.RuneCountInString(slug) > maxSlug || !utf8.ValidString(id) {
			t.Fatalf("%q", id)
		}
		if err := CheckSlug(title); err != nil && CheckSlug(err.(*Error).Try) != nil {
			t.Fatalf("%v does not help", err)
		}
	})
}

func TestCheckChosen(t *testing.T) {
	for slug, why := range map[string]string{
		"": "it is empty", "a": "one character", "1st": "begin with a lower-case", "-a": "begin with a lower-case",
		"Use-paseto": "begin with a lower-case", "use-Paseto": "are expected",
		"use_paseto": "are expected", "use paseto": "are expected", "use.paseto": "are expected", "a/b": "are expected",
		"a--b": `it holds "--"`, "ab-": "are expected", "größe": "are expected",
		strings.Repeat("a", 51): "longer than 50", "../etc": "begin with a lower-case", "a\x00b": "are expected",
	} {
		err := CheckChosen(slug)
		var bad *Error
		if !errors.As(err, &bad) || !strings.Contains(bad.Why, why) {
			t.Errorf("%q: %v, want %q", slug, err, why)
			continue
		}
		if err := CheckChosen(bad.Try); err != nil {
			t.Errorf("%q: what is suggested is none: %v", slug, err)
		}
	}
	for _, slug := range []string{"ab", "fix-auth-bug", "a1", strings.Repeat("a", 50)} {
		if err := CheckChosen(slug); err != nil {
			t.Errorf("%q: %v", slug, err)
		}
	}
}

// TestTitleKey: two titles have the same key only if they say the same words and symbols.
func TestTitleKey(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"Use PASETO", "use  paseto!", true}, {"Fix auth: use PASETO", "fix auth, use paseto", true},
		{"Café", "Cafe\u0301", true}, {"使用 pnpm。", "使用 pnpm", true},
		{"C++", "C#", false}, {"C", "C#", false}, {"a == b", "a != b", false}, {"< 80 %", "> 80 %", false},
		{"-1 means none", "1 means none", false}, {"!ready", "ready", false},
		{"git diff a..", "git diff a...", false}, {"...", "!!", false}, {"Cafe", "Café", false},
		{"use foo_bar", "use foo-bar", false}, {"%d", "%s", false},
	} {
		if got := TitleKey(tt.a) == TitleKey(tt.b); got != tt.same {
			t.Errorf("%q and %q: %v, %q and %q", tt.a, tt.b, got, TitleKey(tt.a), TitleKey(tt.b))
		}
	}
}

// TestSlugForms: an accented letter gives one slug, whether it is one character or two. A name on the disk stays
// valid in either form.
func TestSlugForms(t *testing.T) {
	for _, pair := range [][2]string{{"Café crème", "Cafe\u0301 cre\u0300me"}, {"ガード", "カ\u3099ート\u3099"},
		{"한글", "\u1112\u1161\u11ab\u1100\u1173\u11af"}} {
		if a, b := Slug(pair[0]), Slug(pair[1]); a != b {
			t.Errorf("%q and %q", a, b)
		}
	}
	for _, name := range []string{"café", "cafe\u0301"} {
		if err := CheckSlug(name); err != nil {
			t.Error(err)
		}
	}
}

func TestProject(t *testing.T) {
	for in, want := range map[string]string{
		"myapp":                                "myapp",
		"MyApp":                                "myapp",
		"my.app_2":                             "my.app_2",
		"My App (old)":                         "my-app-old",
		"a--b":                                 "a-b",
		"a~b@c":                                "a-b-c",
		"-x-":                                  "x",
		".dotfiles":                            "dotfiles",
		"..":                                   "project-66aced25",
		"":                                     "project-b4bd112f",
		"🚀":                                    "project-5ce6b4f0",
		"user":                                 "user-project",
		"User":                                 "user-project",
		"größe":                                "größe",
		"令牌":                                   "令牌",
		"a/b\\c":                               "a-b-c",
		"x\x00y\nz":                            "x-y-z",
		strings.Repeat("x", 60):                strings.Repeat("x", 48),
		strings.Repeat("é", 30):                strings.Repeat("é", 24),
		"x" + strings.Repeat("é", 30):          "x" + strings.Repeat("é", 23),
		strings.Repeat("x", 47) + "-yz":        strings.Repeat("x", 47),
		strings.Repeat("x", 40) + "._-.......": strings.Repeat("x", 40),
	} {
		got := Project(in)
		if got != want {
			t.Errorf("Project(%q) = %q, want %q", in, got, want)
		}
		if again := Project(got); again != got {
			t.Errorf("Project(%q) = %q, again %q", in, got, again)
		}
	}
	for _, s := range []string{"..", "", "🚀"} {
		if got := Project(s); got == Project(s+"!") {
			t.Errorf("Project(%q) = Project(%q)", s, s+"!")
		}
	}
}
