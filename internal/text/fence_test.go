package text

import (
	"strings"
	"testing"
)

// Fenced code ends with its own mark, as long or longer, with nothing behind it; code on one line is no fence.
func TestFence(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ lines, want string }{
		"backticks":     {"a\n```go\nb\n```\nc", "a c"},
		"tildes":        {"a\n~~~\nb\n```\n~~~\nc", "a c"},
		"longer":        {"a\n````\n```\nb\n`````\nc", "a c"},
		"with a word":   {"a\n```\nb\n```go\n```\nc", "a c"},
		"on one line":   {"a\n```b```\nc", "a ```b``` c"},
		"never ended":   {"a\n```\nb", "a"},
		"far indented":  {"a\n    ```\nb", "a     ``` b"},
		"two backticks": {"a\n``\nb", "a `` b"},
	} {
		var f Fence
		var got []string
		for l := range strings.SplitSeq(tt.lines, "\n") {
			if !f.Has(l) {
				got = append(got, l)
			}
		}
		if all := strings.Join(got, " "); all != tt.want {
			t.Errorf("%s: outside stands %q, want %q", name, all, tt.want)
		}
	}
	for _, s := range []string{"a", "```\na\n```", "a ````` b", "~~~"} {
		var f Fence
		for l := range strings.SplitSeq(Fenced("go", s), "\n") {
			if !f.Has(l) {
				t.Errorf("%q: %q stands outside", s, l)
			}
		}
		if f.Mark != "" {
			t.Errorf("%q has no end", s)
		}
	}
}
