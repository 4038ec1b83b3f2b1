package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What was written while the question stood goes too: it is asked about the project, not about the files there were.
func TestForgetMeanwhile(t *testing.T) {
	home := t.TempDir()
	shop := filepath.Join(home, "shop")
	if err := os.MkdirAll(filepath.Join(shop, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	save := func(title string) {
		if code, _, err := at(t, home, shop, "", "save", "debt", title); code != 0 {
			t.Error(err)
		}
	}
	save("one")
	var o, e bytes.Buffer
	s := person{home, shop}.streams(&meanwhile{do: func() { save("two") }}, &o, &e)
	s.Terminal = true
	if code := Main([]string{"forget"}, s); code != 0 || !strings.Contains(o.String(), "2 records") {
		t.Errorf("%d, %s, %s", code, &o, &e)
	}
	if left, err := filepath.Glob(filepath.Join(home, ".claude", ".memento", "shop--*.md")); err != nil || left != nil {
		t.Errorf("left are %q, %v", left, err)
	}
}
