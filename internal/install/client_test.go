package install

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestClients(t *testing.T) {
	t.Parallel()
	if os.PathSeparator != '/' {
		t.Skip("it needs symbolic links")
	}
	top := t.TempDir()
	home, bin := filepath.Join(top, "home"), filepath.Join(top, "bin")
	put := func(name, data string) string {
		t.Helper()
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(to, name string) string {
		t.Helper()
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	find := func() []Client {
		return findClients([]string{bin, "relative", filepath.Join(top, "wrapped")}, home,
			filepath.Join(home, ".claude"))
	}
	if got := find(); got != nil {
		t.Errorf("on a machine without one: %v", got)
	}

	put("home/.local/share/claude/versions/2.1.9", "")
	put("home/.local/share/claude/versions/2.1.78", "")
	native := link(filepath.Join(home, ".local/share/claude/versions/2.1.78"), "home/.local/bin/claude")
	put("lib/node_modules/@anthropic-ai/claude-code/package.json",
		`{"name":"@anthropic-ai/claude-code","version":"2.1.139"}`)
	npm := link(put("lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe", ""), "bin/claude")
	put("home/.claude/local/node_modules/@anthropic-ai/claude-code/package.json",
		`{"name":"@anthropic-ai/claude-code","version":"2.0.76"}`)
	local := put("home/.claude/local/claude", "#!/bin/sh\n")
	put("wrapped/package.json", `{"name":"another","version":"1.0.0"}`)
	wrapped := put("wrapped/claude", "#!/bin/sh\n")
	want := []Client{{npm, "2.1.139"}, {wrapped, ""}, {native, "2.1.78"}, {local, "2.0.76"}}
	if got := find(); !reflect.DeepEqual(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

// TestOldestClient: the documents and the end-to-end tests name the same oldest client.
func TestOldestClient(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../tools/e2e/clients.txt")
	if err != nil {
		t.Fatal(err)
	}
	if oldest, _, _ := strings.Cut(string(data), "\n"); oldest != OldestClient {
		t.Errorf("the end-to-end tests run on %s, and people are told %s", oldest, OldestClient)
	}
}

func TestUnfit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, exe string
		unfit        bool
	}{
		{"2.1.330", "/home/alice b/memento", false},
		{"2.1.139", "/home/alice b/memento", false},
		{"2.1.138", "/home/alice b/memento", true},
		{"2.1.138", `C:\Users\alice\memento.exe`, true},
		{"2.1.138", "/home/alice/.local/bin/memento", false},
		{"2.1.138", "/home/größer/.local/bin/memento", false},
		{"2.1.78", "", false},
		{"2.1.9", "", false},
		{"2.1.8", "", true},
		{"2.0.76", "", true},
		{"1.0.128", "", true},
		{"", "/home/alice b/memento", false},
		{"3.0", "", false},
	} {
		err := Client{"/usr/bin/claude", c.version}.CheckFit(c.exe)
		if errors.Is(err, errClient) != c.unfit {
			t.Errorf("%s with hooks at %q: %v, want unfit=%t", c.version, c.exe, err, c.unfit)
		}
	}
}
