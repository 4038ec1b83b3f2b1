package notice

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/safefile"
)

// TestNote: news is noted once, whoever tells it, and not at all where the disk refuses.
func TestNote(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	a, b := Rule("a b"), Shared("a", "b")
	if a == b {
		t.Fatal("two keys are one")
	}
	if !Note(dir, 0, a) || Note(dir, 0, a) || !Note(dir, 0, a, b) || Note(dir, 0, a, b) {
		t.Error("news was told twice, or new news was not")
	}
	if told := Load(dir); len(told) != 2 || !told.Has(a) || !told.Has(b) || told.Has(Rule("x")) {
		t.Errorf("told %v", told)
	}
	var many []string
	for i := range 2 * maxTold {
		many = append(many, Rule(fmt.Sprint(i)))
	}
	for _, some := range [][]string{many[:maxTold], many[maxTold:]} {
		if !Note(dir, 0, some...) {
			t.Fatal("news was not noted")
		}
	}
	if told := Load(dir); len(told) != maxTold || !told.Has(many[2*maxTold-1]) || told.Has(a) {
		t.Errorf("%d are remembered", len(told))
	}
	if info, err := os.Stat(path(dir)); err != nil || info.Mode().Perm() != 0o600 || info.Size() > maxFile {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.WriteFile(path(dir), make([]byte, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if !Note(dir, 0, a) || Note(dir, 0, a) {
		t.Error("news was not noted, or was told twice, in the place of a file that cannot be read")
	}
	safefile.TestOnlyFault(func(op, path string) error { return os.ErrPermission })
	defer safefile.TestOnlyFault(nil)
	if Note(dir, 0, Rule("new")) {
		t.Error("news was told that could not be noted")
	}
}
