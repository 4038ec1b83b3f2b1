package safefile

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

func TestNames(t *testing.T) {
	dir := t.TempDir()
	fixture.Write(t, filepath.Join(dir, "número.md"), "text")
	fixture.Write(t, filepath.Join(dir, "other.json"), "{}")
	if err := os.Mkdir(filepath.Join(dir, "folder.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := Names(dir, ".md")
	if slices.Sort(got); err != nil || !slices.Equal(got, []string{"folder.md", "número.md"}) {
		t.Errorf("%q, %v", got, err)
	}
	if at, err := Stat(filepath.Join(dir, "número.md")); err != nil || at.Size != 4 || at.Time == 0 {
		t.Errorf("%+v, %v", at, err)
	}
	if _, err := Names(filepath.Join(dir, "missing"), ""); !os.IsNotExist(err) {
		t.Errorf("of no folder: %v", err)
	}
	if _, err := Stat(filepath.Join(dir, "missing")); !os.IsNotExist(err) {
		t.Errorf("of no file: %v", err)
	}
}
