package text

import "testing"

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{
		"":              0,
		"shop--a-1":     9,
		"größe":         5,
		"gro\u0308":     3,
		"認証--ログ":        10,
		"한글":            4,
		"ﾊﾝｶｸ":          4,
		"ＡＢ":            4,
		"дом":           3,
		"a\u200bb":      2,
		"🚀":             2,
		"䷀":             1,
		"✅❌⭐":           6,
		"⚠":             1,
		"⚠\ufe0f":       2,
		"1\ufe0f\u20e3": 2,
		"🇩🇪":            2,
		"한":             2,
	} {
		if got := Columns(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
}

// TestFit: what is longer ends with the ellipsis, fits, and is cut behind a whole letter.
func TestFit(t *testing.T) {
	for _, tt := range []struct {
		s       string
		columns int
		want    string
	}{
		{"short", 5, "short"}, {"shorter", 5, "shor…"}, {"two words", 6, "two…"}, {"認証ログ", 8, "認証ログ"},
		{"認証ログイン", 8, "認証ロ…"}, {"認証", 3, "認…"}, {"認証", 2, ""}, {"ab", 0, ""}, {"ab", 1, ""},
		{"gro\u0308ßer", 4, "gro\u0308…"}, {"⚠\ufe0fxx", 3, "⚠\ufe0f…"}, {"go ⚠\ufe0f\u200d", 4, "go…"},
	} {
		if got := Fit(tt.s, tt.columns); got != tt.want {
			t.Errorf("%q in %d columns: %q, want %q", tt.s, tt.columns, got, tt.want)
		}
	}
}
