package text

import "testing"

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{
		"":          0,
		"shop--a-1": 9,
		"größe":     5,
		"gro\u0308": 3,
		"認証--ログ":    10,
		"한글":        4,
		"ﾊﾝｶｸ":      4,
		"ＡＢ":        4,
		"дом":       3,
		"a\u200bb":  2,
		"🚀":         2,
		"䷀":         1,
	} {
		if got := Columns(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
}
