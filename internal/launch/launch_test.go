//go:build unix

package launch

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestEditor(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b $(touch x)")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, `quote'd "file".md`)
	script := filepath.Join(dir, "my editor")
	const says = "#!/bin/sh\nfor last; do :; done\nprintf '%s\\n' \"$#\" \"$1\" >\"$last\"\n"
	if err := os.WriteFile(script, []byte(says), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ command, left, fails string }{
		{"'" + strings.ReplaceAll(script, "'", `'\''`) + "'", "1\n" + file + "\n", ""},
		{"'" + strings.ReplaceAll(script, "'", `'\''`) + "' --wait", "2\n--wait\n", ""},
		{"true", "before", ""},
		{"false", "before", `the editor "false" ended with exit status 1`},
		{"exec 2>/dev/null; no-such-editor", "before", "ended with exit status 127"},
	} {
		if err := os.WriteFile(file, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := Editor(test.command, file)
		if (err == nil) != (test.fails == "") || err != nil && !strings.Contains(err.Error(), test.fails) {
			t.Errorf("%s: %v, want %q", test.command, err, test.fails)
		}
		if left, _ := os.ReadFile(file); string(left) != test.left {
			t.Errorf("%s left %q, want %q", test.command, left, test.left)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("the shell read the path")
	}
}

// memento ignores SIGPIPE. A program that inherits this never ends in a pipe whose reader is gone.
func TestEditorGetsSignals(t *testing.T) {
	signal.Ignore(syscall.SIGPIPE)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Editor("kill -PIPE $$; echo ignored >", file); err == nil {
		left, _ := os.ReadFile(file)
		t.Errorf("the signal was ignored: %q", left)
	}
}
