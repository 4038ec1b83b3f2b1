package record

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

func holding(words string) fixture.Forgotten {
	return func(s string) bool {
		return words != "" && strings.Contains(strings.ToLower(strings.Join(strings.Fields(s), " ")), words)
	}
}

// Each part with the words goes whole, and the parts beside it stay byte for byte.
func TestErase(t *testing.T) {
	head := "---\r\nkind: decision\r\ntitle: Lids\r\ntags: [a]\r\n---\r\n"
	for _, tt := range []struct{ name, in, want string }{
		{"a paragraph", head + "One.\r\n\r\nThe red\r\nlid.\r\n\r\nTwo.\r\n", head + "One.\r\n\r\nTwo.\r\n"},
		{"an item", head + "- one\n- the red lid\n  and more\n\n  and more\n- two\n", head + "- one\n- two\n"},
		{"a numbered item", head + "1. one\n2. the red lid\n3. two\n", head + "1. one\n3. two\n"},
		{"a row", head + "| a | b |\n|---|---|\n| the red lid | x |\n| c | d |\n", head +
			"| a | b |\n|---|---|\n| c | d |\n"},
		{"code", head + "One.\n\n```sh\n# red lid\n\n- x\n## y\n```\n\nTwo.\n", head + "One.\n\nTwo.\n"},
		{"behind code", head + "```\nx\n```\nred lid\n\nTwo.\n", head + "```\nx\n```\nTwo.\n"},
		{"a heading with what stands below it", head +
			"# A\n\n## The red lid\n\nOne.\n\n### Deeper\n\n- x\n\n## B\n\nTwo.\n", head + "# A\n\n## B\n\nTwo.\n"},
		{"over a quote's lines", head + "> the red\n> lid\n\nTwo.\n", head + "Two.\n"},
		{"over two items", head + "## A\n\nOne.\n\n## B\n\n- the red\n- lid\n\n## C\n\nTwo.\n", head +
			"## A\n\nOne.\n\n## C\n\nTwo.\n"},
		{"an unknown key", "---\ntitle: Lids\nred-lid: 1\nnote: red lid\nteam: blue\n---\n",
			"---\ntitle: Lids\nred-lid: 1\nteam: blue\n---\n"},
		{"comments", "---\n# red lid\ntitle: Lids # red lid\nkind: decision # why\ntags: [a] # a red lid\n---\n",
			"---\ntitle: Lids\nkind: decision # why\ntags: [a]\n---\n"},
		{"lists", "---\ntitle: Lids\ntags:\n  - red lid\n  - b\nfiles: [red lid.md]\n---\n",
			"---\ntitle: Lids\ntags:\n  - b\nfiles: []\n---\n"},
		{"changes",
			"---\ntitle: Lids\nchanges:\n  - date: 2026-03-14\n    summary: the red lid\n  - {date: 2026-03-15, " +
				"summary: other}\n---\n", "---\ntitle: Lids\nchanges:\n  - {date: 2026-03-15, summary: other}\n---\n"},
		{"all changes", "---\ntitle: Lids\nchanges:\n  - {summary: the red lid}\nteam: a\n---\n",
			"---\ntitle: Lids\nteam: a\n---\n"},
		{"comments in lists",
			"---\ntitle: Lids\ntags: # red lid\n  # a red lid\n  - a # why\n  - 'it''s # b' # red lid\nchanges:\n" +
				"  # the red lid\n  - {summary: \"a # b\"} # red lid\n  # blue\n  - summary: c # red lid\n---\n",
			"---\ntitle: Lids\ntags:\n  - a # why\n  - 'it''s # b'\nchanges:\n  - {summary: \"a # b\"}\n" +
				"  # blue\n  - summary: c\n---\n"},
		{"escaped", "---\ntitle: Lids\nsource: \"\\u0072ed lid\"\n---\n", "---\ntitle: Lids\n---\n"},
		{"the title", "---\ntitle: The Red  Lid\n---\nx\n", ""},
		{"the first heading, which is the title", "---\nkind: memento\n---\n# The red lid\n", ""},
		{"unreadable", "---\nkind: [\n---\nred lid\n", ""},
		{"unreadable, without it", "---\nkind: [\n---\nblue lid\n", "---\nkind: [\n---\nblue lid\n"},
		{"nothing", head + "Blue.", head + "Blue."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, gone, _ := Erase(holding("red lid"), "shop--lids.md", []byte(tt.in))
			if string(out) != tt.want || (out == nil) != (tt.want == "") || (gone == nil) != (tt.in == tt.want) {
				t.Errorf("it becomes %q, want %q; gone: %q", out, tt.want, gone)
			}
		})
	}
	for _, id := range []string{"shop--the-red-lid", "shop--red-lid-2"} {
		if out, gone, _ := Erase(holding("red lid"), id+".md", []byte(head)); out != nil || gone == nil {
			t.Errorf("%s stays: %q", id, out)
		}
	}
	if out, gone, _ := Erase(holding("red-lid"), "red-lid--x.md", []byte(head)); out == nil || gone != nil {
		t.Errorf("the project's name took its record: %q", gone)
	}
}

// The rest of any file does not hold the words. It is readable when the file was, and a second erase removes nothing
// more.
func FuzzErase(f *testing.F) {
	f.Add([]byte("---\ntitle: Lids\ntags: [a, red lid]\n---\n## A\n\n- the red lid\n- b\n"), "red lid")
	f.Add([]byte("---\ntitle: Lids\nchanges:\n  - {summary: red}\n# red\n---\n```\nred\n\n| red\n"), "red")
	f.Add([]byte("---\ntitle: \"Li\\u0064s\" # red\nx:\n# red\n- a\n- red\n---\n\r\n> re\n> d"), "re")
	f.Fuzz(func(t *testing.T, data []byte, words string) {
		words = strings.ToLower(strings.Join(strings.Fields(words), " "))
		if len(words) < 2 {
			return
		}
		_, err := Decode("shop--x", data)
		out, gone, _ := Erase(holding(words), "shop--x.md", data)
		if out == nil {
			return
		}
		if gone == nil {
			if !bytes.Equal(out, data) {
				t.Fatalf("without a hit %q becomes %q", data, out)
			}
			return
		}
		r, again := Decode("shop--x", out)
		if err == nil && again != nil {
			t.Fatalf("%q becomes %q: %v", data, out, again)
		}
		if left, more, _ := Erase(holding(words), "shop--x.md", out); left == nil && again == nil &&
			!holding(words)(r.Title) || left != nil && more != nil {
			t.Fatalf("%q becomes %q, and again %q: %q", data, out, left, more)
		}
	})
}
