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
		{"a word too long", "see abcdefghijkl so", "see\nabcdefghijkl\nso", 8},
		{"a path alone", "/home/alice/shop", "/home/alice/shop", 8},
		{"wide letters", "認証 ログイン", "認証\nログイン", 8},
		{"a tab", "a\tb c", "a    b\n c", 6},
		{"styled words", s.Strong("one two"), strong + "one\ntwo" + off, 4},
	} {
		if got := Wrap(tt.line, tt.wide); got != tt.want {
			t.Errorf("%s:\n%q, want\n%q", tt.name, got, tt.want)
		}
	}
}

// FuzzWrap: with any words and any width all letters are there, and a line that is too long holds one word.
func FuzzWrap(f *testing.F) {
	for _, words := range []string{"journal  one two", "  --flag  x", "認証 ⚠\ufe0f a/b/c", "\x1b[1mbold words\x1b[0m x",
		"a\tb", strings.Repeat("ab ", 9) + "cx\u20e3\ufe0f"} {
		f.Add(words, 9)
	}
	letters := func(s string) string { return strings.Join(strings.Fields(Harmless(s, false)), "") }
	f.Fuzz(func(t *testing.T, words string, wide int) {
		words = strings.ReplaceAll(text.Line(words), "\n", " ")
		wide = leastWide + max(0, wide%200)
		got := WrapBelow(words, wide, 4)
		if letters(got) != letters(words) {
			t.Errorf("%q in %d: %q", words, wide, got)
		}
		for i, line := range strings.Split(got, "\n") {
			if i > 0 && Columns(line) > wide && len(strings.Fields(line)) > 1 {
				t.Errorf("%d columns in %d: %q", Columns(line), wide, line)
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
