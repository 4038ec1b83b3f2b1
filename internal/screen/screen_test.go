package screen

import (
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/text"
)

// TestWrap: every line fits, later lines begin below the words, and nothing but spaces is lost.
func TestWrap(t *testing.T) {
	s := Screen{Wide: 30, Styled: true}
	for _, tt := range []struct {
		name, line, want string
		wide             int
	}{
		{"it fits", "a b", "a b", 3},
		{"prose", "one two three", "one two\nthree", 8},
		{"a row", "journal  one two three", "journal  one two\n         three", 18},
		{"a row with a narrow screen", "journal  one two three", "journal\n  one two\n  three", 11},
		{"a help line", "  --all   of all projects", "  --all   of all\n          projects", 21},
		{"a list", "- one two three", "- one two\n  three", 10},
		{"a word too long", "see abcdefghijkl", "see\nabcdefgh\nijkl", 8},
		{"a path among words", "in /home/alice/shop now", "in\n/home/\nalice/shop\nnow", 11},
		{"a path alone", "/home/alice/shop", "/home/alice/shop", 8},
		{"wide letters", "認証 ログイン", "認証\nログイ\nン", 6},
		{"a mark stays with its letter", "a bcde\u0301f", "a\nbcde\u0301\nf", 4},
		{"a joined picture stays whole", "a xxxx👩‍💻y", "a\nxxxx\n👩‍💻y", 5},
		{"a tab", "a\tb c", "a    b\n c", 6},
		{"styled words", s.Strong("one two"), strong + "one" + off + "\n" + strong + "two" + off, 4},
	} {
		if got := Wrap(tt.line, tt.wide); got != tt.want {
			t.Errorf("%s:\n%q, want\n%q", tt.name, got, tt.want)
		}
	}
}

// FuzzWrap: with any words and any width every line fits where one letter does, and all letters are there.
func FuzzWrap(f *testing.F) {
	for _, words := range []string{"journal  one two", "  --flag  x", "認証 ⚠\ufe0f a/b/c", "\x1b[1mbold words\x1b[0m x",
		"a\tb", strings.Repeat("ab ", 9) + "cx\u20e3\ufe0f"} {
		f.Add(words, 9)
	}
	letters := func(s string) string { return strings.Join(strings.Fields(Harmless(s, false)), "") }
	f.Fuzz(func(t *testing.T, words string, wide int) {
		words = strings.ReplaceAll(text.Line(words), "\n", " ")
		if wide = leastWide + max(0, wide%200); wide < leastWide {
			wide = leastWide
		}
		got := Wrap(words, wide)
		if letters(got) != letters(words) {
			t.Errorf("%q in %d: %q", words, wide, got)
		}
		if !strings.Contains(strings.TrimSpace(words), " ") {
			return
		}
		for _, line := range strings.Split(got, "\n") {
			if n := Columns(strings.TrimRight(line, " ")); n > wide {
				t.Errorf("%d columns in %d: %q", n, wide, line)
			}
		}
	})
}

// TestHarmless: what a terminal would obey never reaches it, and styles only where they are this package's.
func TestHarmless(t *testing.T) {
	for s, want := range map[string][2]string{
		"plain\n\tx":              {"plain\n\tx", "plain\n\tx"},
		"\x1b[1mx\x1b[0m":         {"\x1b[1mx\x1b[0m", "�[1mx�[0m"},
		"\x1b]0;t\x07\x1b[2J":     {"�]0;t��[2J", "�]0;t��[2J"},
		"\u009b2J\x7f\r\x00 \xff": {"�2J��� �", "�2J��� �"},
	} {
		if got := Harmless(s, true); got != want[0] {
			t.Errorf("%q with styles: %q", s, got)
		}
		if got := Harmless(s, false); got != want[1] {
			t.Errorf("%q: %q", s, got)
		}
	}
}

// TestTable: lines fit any width, titles alone are cut, and with an ellipsis.
func TestTable(t *testing.T) {
	var table Table
	rows := [][]string{
		{"Use PASETO for sessions, because JWT libraries disagree", "decision", "3 days ago", "use-paseto"},
		{"認証ログインの設計を全部見直すことにしました、来週までに", "debt", "just now", "認証"},
		{"Short", "", "2 hours ago", "short"},
	}
	for _, r := range rows {
		table.Add(r...)
	}
	for wide := leastWide; wide <= 200; wide++ {
		got := table.Fit(Screen{Wide: wide})
		for line := range strings.Lines(got) {
			if n := Columns(strings.TrimRight(line, "\n")); n > wide {
				t.Fatalf("%d columns in %d: %q", n, wide, line)
			}
		}
		for _, r := range rows {
			if wide < 40 {
				continue
			}
			if !strings.Contains(got, r[3]) || !strings.Contains(got, r[2]) {
				t.Fatalf("in %d columns %q is not whole:\n%s", wide, r, got)
			}
			if !strings.Contains(got, r[0]) && !strings.Contains(got, text.Ellipsis) {
				t.Fatalf("in %d columns %q is cut without an ellipsis:\n%s", wide, r, got)
			}
		}
	}
	want := "Use PASETO for sessions, because…  decision  3 days ago   use-paseto\n" +
		"認証ログインの設計を全部見直すこ…  debt      just now     認証\n" +
		"Short                                        2 hours ago  short\n"
	if got := table.Fit(Screen{Wide: 69}); got != want {
		t.Errorf("in 69 columns:\n%s\nwant\n%s", got, want)
	}
	table.Add("Short", "debt", "now", strings.Repeat("long-", 7))
	if got := table.Fit(Screen{Wide: 69}); got != want+"Short\n  debt · now · "+strings.Repeat("long-", 7)+"\n" {
		t.Errorf("with a long name:\n%s", got)
	}
	table.rows = table.rows[:3]
	want = "\x1b[1mShort\x1b[0m\n  \x1b[2m2 hours ago\x1b[0m · short\n"
	if got := table.Fit(Screen{Wide: 40, Styled: true}); !strings.HasSuffix(got, want) {
		t.Errorf("in 40 columns:\n%q\nwant at the end\n%q", got, want)
	}
}
