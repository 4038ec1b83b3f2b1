package markdown

import (
	"slices"
	"strings"
	"testing"
)

// TestItemsOfCode: Items returns the items that List wrote: fenced code with lines that look like items, an item of
// several lines, an item that begins with spaces.
func TestItemsOfCode(t *testing.T) {
	code := "Deploy this:\n```yaml\nservices:\n  - name: web\n- name: db\n1. no step\n```\nand wait"
	for _, items := range [][]string{
		{code, "second"}, {"one", "two\n\nits paragraph\n  - nested\n    deeper"}, {"x\n~~~\n- a\n~~~"},
		{"1. as typed"}, {"- dash"}, {"a ``` b", "- c"}, {"if x:\n\treturn y"}, {"if x:\n  y", "if x:\n    y"},
	} {
		list := List(items)
		got := Items(list)
		for i := range got { // without the indentation that makes lines part of an item
			if i < len(items) && got[i] != items[i] {
				got[i] = strings.ReplaceAll(got[i], "\n  ", "\n")
			}
		}
		if !slices.Equal(got, items) || List(Items(list)) != list {
			t.Errorf("%q became %q by\n%s", items, got, list)
		}
	}
	if got := Items(code); len(got) != 1 || got[0] != code {
		t.Errorf("%q", got)
	}
	if got := Items("- a\n```\n- b without an end"); !slices.Equal(got, []string{"a\n```", "b without an end"}) {
		t.Errorf("%q", got)
	}
	if a, b := List([]string{"\treturn x"}), List([]string{"    return x"}); a == b ||
		!slices.Equal(Items(a), []string{"```\n  \treturn x\n  ```"}) {
		t.Errorf("%q, %q, %q", a, b, Items(a))
	}
}
