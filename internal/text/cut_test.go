package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		limit    int
		want     string
		cut      bool
	}{
		{"fits", "deploy to staging only", 22, "deploy to staging only", false},
		{"fits by characters, not bytes", "größer prüfen", 13, "größer prüfen", false},
		{"at a word", "deploy to staging only", 21, "deploy to staging…", true},
		{"the last word ends at the limit", "deploy to staging only", 18, "deploy to staging…", true},
		{"the next character is one too many", "deploy to staging only", 17, "deploy to…", true},
		{"no comma before the ellipsis", "fix auth, then pricing", 10, "fix auth…", true},
		{"a line end is white space too", "fix auth\nthen pricing", 12, "fix auth…", true},
		{"a URL has no words", "https://ci.example.com/builds/20417/log", 20, "https://ci.example.…", true},
		{"a word that fills more than half is split", "see https://ci.example.com/builds/20417/log", 20,
			"see https://ci.exam…", true},
		{"Chinese has no spaces", "不要更改令牌格式只部署到预发布环境", 9, "不要更改令牌格式…", true},
		{"Korean has", "토큰 형식을 절대 바꾸지 마세요", 12, "토큰 형식을 절대…", true},
		{"an accent stays with its letter", "re\u0301re\u0301re\u0301re\u0301", 6, "re\u0301r…", true},
		{"vowel signs stay with their letter", "हिन्दीहिन्दी", 4, "हि…", true},
		{"joined emoji stay together", "ok👩\u200d💻👩\u200d💻", 7, "ok👩\u200d💻…", true},
		{"a skin tone stays on its hand", "yes👍🏽👍🏽", 5, "yes…", true},
		{"marks without end are cut somewhere", "e" + strings.Repeat("\u0301", 50), 10, "e" +
			strings.Repeat("\u0301", 8) + "…", true},
		{"nothing but the mark fits", "deploy", 1, "…", true},
		{"no room at all", "deploy", 0, "", true},
		{"less than none", "deploy", -3, "", true},
		{"empty in no room", "", 0, "", false},
		{"only white space fits", "   deploy the thing", 4, "…", true},
		{"broken bytes count one each", "ab\xff\xfe\xfdcd", 5, "ab\xff\xfe…", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := Cut(tt.in, tt.limit)
			if got != tt.want || cut != tt.cut {
				t.Errorf("Cut(%q, %d) = %q, %v, want %q, %v", tt.in, tt.limit, got, cut, tt.want, tt.cut)
			}
		})
	}
}

func TestRunes(t *testing.T) {
	if got := Runes("größer 🚀"); got != 8 {
		t.Errorf("Runes = %d, want 8", got)
	}
}

// A token is four ASCII characters or one other.
func TestQuarters(t *testing.T) {
	for in, want := range map[string]int{"": 0, "auth": 4, "größe": 4 + 4*2 - 1, "令牌": 8, "a🚀": 5} {
		if got := Quarters(in); got != want {
			t.Errorf("Quarters(%q) = %d, want %d", in, got, want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("deploy to staging only, never to production", 20)
	f.Add("不要更改令牌格式", 5)
	f.Add("👩\u200d💻👩\u200d💻", 3)
	f.Add("e\u0301e\u0301", 2)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit %= 1000
		got, cut := Cut(s, limit)
		if n := utf8.RuneCountInString(got); n > max(limit, 0) {
			t.Errorf("Cut(%q, %d) = %q: %d characters", s, limit, got, n)
		}
		if !cut {
			if got != s {
				t.Errorf("Cut(%q, %d) = %q, not cut", s, limit, got)
			}
			return
		}
		kept, marked := strings.CutSuffix(got, Ellipsis)
		if !marked && limit >= 1 || !strings.HasPrefix(s, kept) {
			t.Errorf("Cut(%q, %d) = %q, not a beginning of it and an ellipsis", s, limit, got)
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("Cut(%q, %d) = %q: split a character", s, limit, got)
		}
		if again, cut := Cut(got, limit); cut || again != got {
			t.Errorf("Cut(%q, %d) = %q, cut again %q", s, limit, got, again)
		}
	})
}
