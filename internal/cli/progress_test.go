package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestProgress: at a terminal, making an index prints its progress once a second. For a script it prints none.
func TestProgress(t *testing.T) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "shop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"one", "two", "three"} {
		if code, _, err := at(t, home, dir, "", "save", "debt", title); code != 0 {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		watched bool
		step    time.Duration // the time between two readings of the clock
		args    []string
		said    bool
	}{
		{true, 2 * time.Second, []string{"forget", "nothing like it", "--dry-run"}, true},
		{true, time.Millisecond, []string{"forget", "nothing like it", "--dry-run"}, false},
		{false, 2 * time.Second, []string{"forget", "nothing like it", "--dry-run"}, false},
		{true, 2 * time.Second, []string{"search", "one"}, true},
		{true, 2 * time.Second, []string{"search", "--rebuild"}, true},
		{true, time.Millisecond, []string{"search", "one"}, false},
		{true, 2 * time.Second, []string{"search", "one", "--json"}, false},
		{false, 2 * time.Second, []string{"search", "one"}, false},
	} {
		if err := os.RemoveAll(filepath.Join(home, ".claude", ".memento", "cache", "index")); err != nil {
			t.Fatal(err)
		}
		var out, said bytes.Buffer
		now := time.Now()
		s := person{home, dir}.streams(strings.NewReader(""), &out, &said)
		s.Watched, s.Now = func() bool { return c.watched }, func() time.Time { now = now.Add(c.step); return now }
		code := Main(c.args, s)
		want := "memento: indexing: 2 of 3\n"
		if c.args[0] == "forget" {
			want = "memento: looking through files: 2\n"
		}
		if code != 0 || strings.Contains(said.String(), want) != c.said || !c.said && said.Len() > 0 {
			t.Errorf("%v, watched %v, a look each %v: %d, %q", c.args, c.watched, c.step, code, said.String())
		}
	}
}
