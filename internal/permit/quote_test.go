package permit

import (
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, `'/opt/memento/bin/memento'`},
		{[]string{"done", "x"}, `'/opt/memento/bin/memento' 'done' 'x'`},
		{[]string{""}, `'/opt/memento/bin/memento' ''`},
		{[]string{"don't"}, `'/opt/memento/bin/memento' 'don'\''t'`},
		{[]string{"'"}, `'/opt/memento/bin/memento' ''\'''`},
		{[]string{"$(id)"}, `'/opt/memento/bin/memento' '$(id)'`},
	} {
		if got := Quote(exe, c.args); got != c.want {
			t.Errorf("Quote(%q) = %s, want %s", c.args, got, c.want)
		}
	}
}

// TestQuoteShell: real shells pass on the same bytes, also bytes that no approved line can hold.
func TestQuoteShell(t *testing.T) {
	every := make([]byte, 0, 255)
	for c := 1; c < 256; c++ {
		every = append(every, byte(c))
	}
	args := []string{
		"", "done", "fix auth", "-", "--", "-x", "=ls", "~", "~/x", "a:~/x", "*", "?", "[a]", "{a,b}", "{1..3}", "#x",
		"!!", "^a^b", "%1",
		"'", "''", "'''", "a'b", "'a'", "a''b", `\`, `\'`, `'\`, `\\`, `"`, `$`, "$(id)", "`id`", "${x}", "$'x'",
		"<(id)", "=(id)", "a\\\nb", "a\nb", "a\r\nb", "\t", " ", "  a  ",
		"prüfung 認証 ✓", "\u00a0", "\u2028", "\u0080", "\xff\xfe", string(every), strings.Repeat("'", 100),
	}
	shells(t, func(t *testing.T, stub string, run func(string) string) {
		if got, want := run(Quote(stub, args)), strings.Join(args, "\x00")+"\x00"; got != want {
			t.Errorf("passes %q, want %q", got, want)
		}
	})
}
