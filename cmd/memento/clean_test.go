package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/cli"
	"github.com/mementohq/memento/internal/fixture"
)

// TestOrphansAsk: at a terminal, gc --orphans asks about each project that is gone. An unclear answer changes nothing.
func TestOrphansAsk(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".claude", ".memento")
	for _, p := range []string{"a", "b", "c", "d", "e"} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		fixture.Write(t, filepath.Join(dir, p+"--x.md"), "---\ntitle: x\ntags: [a]\n---\n")
	}
	run := func(in string, terminal bool) (int, string, string) {
		var out, said bytes.Buffer
		env := map[string]string{"HOME": home, "USER": "alice"}
		code := cli.Main([]string{"gc", "--orphans"},
			cli.Streams{In: strings.NewReader(in), Out: &out, Err: &said,
				Getenv: func(k string) string { return env[k] }, Dir: home, Now: time.Now, Terminal: terminal})
		return code, out.String(), said.String()
	}
	there := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	if code, out, said := run("d\nd\nd\nd\nd\n", false); code != 0 || strings.Contains(said, "?") ||
		!there("a--x.md") || !strings.Contains(out, "Nothing was done") {
		t.Errorf("not at a terminal: exit %d, %s %s", code, out, said)
	}
	code, out, said := run("archive\n K \nd\nyes\n", true) // the input ends before the last question
	if code != 0 || strings.Count(said, "not mounted looks gone") != 5 {
		t.Errorf("exit %d, it asked %q", code, said)
	}
	got := fmt.Sprint(there(".completed/a--x.md"), there("a--x.md"), there("b--x.md"), there("c--x.md"),
		there("d--x.md"), there("e--x.md"))
	if got != "true false true false true true" {
		t.Errorf("afterwards there is %s:\n%s", got, out)
	}
	if code, out, _ := run("", true); code != 0 || strings.Contains(out, "a: ") || !strings.Contains(out, "b: ") ||
		!strings.Contains(out, "d: ") || !strings.Contains(out, "e: ") {
		t.Errorf("asked again: exit %d, %s", code, out)
	}
}
