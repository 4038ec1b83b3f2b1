package gitrepo

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/safefile"
)

func wantDamaged(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("%s: %v", what, err)
	}
}

// A remote can hold what no memento writes: a folder that holds itself a million times over, links, names that lead
// out, a file that is too large.
func TestHostileTree(t *testing.T) {
	r := open(t, filepath.Join(t.TempDir(), "repo"))
	object := func(kind, content string) string {
		cmd := exec.Command("git", "--git-dir="+r.dir, "hash-object", "--literally", "-w", "--stdin", "-t", kind)
		cmd.Stdin = strings.NewReader(content)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	entry := func(mode, name, id string) string {
		raw, _ := hex.DecodeString(id)
		return mode + " " + name + "\x00" + string(raw)
	}
	commit := func(tree string) ID {
		return ID(object("commit", "tree "+tree+"\nauthor x <> 1 +0000\ncommitter x <> 1 +0000\n\nm"))
	}
	blob := object("blob", "x")
	ok := object("tree", entry("100755", "ok", blob))
	tree := object("tree", entry("100644", "..", blob)+entry("120000", "link", blob)+
		entry("160000", "module", blob)+entry("100755", "ok", blob)+entry("40000", "..", ok)+
		entry("100644", "a/b", blob)+entry("40000", ".GIT", ok)+entry("100644", "\x1b[31m", blob)+
		entry("100644", "a\nreset refs/heads/main", blob))
	if files, err := r.Files(commit(tree)); err != nil || len(files) != 2 || files["ok"] == "" || files["a/b"] == "" {
		t.Error(files, err)
	}
	bomb := object("tree", "") // of folders alone
	for range 20 {
		var b strings.Builder
		for i := range 10 {
			b.WriteString(entry("40000", fmt.Sprint(i), bomb))
		}
		bomb = object("tree", b.String())
	}
	_, err := r.Files(commit(bomb))
	wantDamaged(t, "10^20 folders", err)
	for _, data := range []string{"x", "100644 a", "100644 a\x00short", "\x00 "} {
		_, err := r.Files(commit(object("tree", data)))
		wantDamaged(t, data, err)
	}
	large := object("blob", strings.Repeat("large ", 1<<20))
	if _, err := r.Read(ID(large), 1<<20); !errors.Is(err, safefile.ErrTooLarge) {
		t.Error(err)
	}
	for _, id := range []string{ok, strings.Repeat("1", 40), "main", ""} {
		_, err := r.Read(ID(id), 1<<20)
		wantDamaged(t, "no file", err)
	}
	if data, err := r.Read(ID(blob), 1); err != nil || string(data) != "x" {
		t.Error(string(data), err)
	}
}
