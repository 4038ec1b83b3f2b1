//go:build unix

package launch

import (
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestPagerCommand: the person's choice counts, also that there is to be none.
func TestPagerCommand(t *testing.T) {
	bin := t.TempDir()
	fixture.Put(t, filepath.Join(bin, "less"), "#!/bin/sh\n", 0o700)
	for _, test := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"PATH": bin}, "less"},
		{map[string]string{"PATH": t.TempDir()}, ""},
		{map[string]string{"PATH": bin, "PAGER": ""}, ""},
		{map[string]string{"PATH": bin, "PAGER": " cat "}, ""},
		{map[string]string{"PATH": bin, "PAGER": "more -s"}, "more -s"},
	} {
		lookup := func(name string) (string, bool) { value, set := test.env[name]; return value, set }
		if got := PagerCommand(lookup); got != test.want {
			t.Errorf("%v: %q, want %q", test.env, got, test.want)
		}
	}
}

// TestPagerMissing: a pager that is not there is an error, so that the text is printed; one that fails is none.
func TestPagerMissing(t *testing.T) {
	text := make([]byte, 1<<20) // more than a pipe holds
	for command, fails := range map[string]bool{"no-such-pager 2>/dev/null": true, "true": false, "exit 3": false,
		"kill -9 $$": false, "head -c 10 >/dev/null": false} {
		if err := Pager(command, text); (err != nil) != fails {
			t.Errorf("%s: %v", command, err)
		}
	}
}
