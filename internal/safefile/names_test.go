package safefile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// Names and Stat agree about each file.
func TestNames(t *testing.T) {
	fixture.Long(t, "writes 3,000 files")
	dir := t.TempDir()
	var want []string
	for i := range 3000 { // more than one look at the folder brings
		name := fmt.Sprintf("número-%d.md", i)
		if i%3 == 0 {
			name = fmt.Sprintf("other-%d.json", i)
		} else {
			want = append(want, name)
		}
		fixture.Write(t, filepath.Join(dir, name), name)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	want = append(want, "folder.md")
	var got []string
	err := Names(dir, ".md", func(n Name) {
		got = append(got, n.Name)
		real, err := Stat(filepath.Join(dir, n.Name))
		if err != nil {
			t.Fatal(err)
		}
		if n.Number != 0 && n.Number != real.Number || n.Seen && n.Name != "folder.md" &&
			(n.Size != real.Size || n.Time != real.Time) {
			t.Fatalf("%+v, and by itself %+v", n, real)
		}
		if n.Name != "folder.md" && real.Size != int64(len(n.Name)) {
			t.Fatalf("%+v", real)
		}
	})
	slices.Sort(want)
	slices.Sort(got)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d names, want %d: %v", len(got), len(want), err)
	}
	if err := Names(filepath.Join(dir, "missing"), "", func(Name) {}); !os.IsNotExist(err) {
		t.Errorf("of no folder: %v", err)
	}
	if _, err := Stat(filepath.Join(dir, "missing")); !os.IsNotExist(err) {
		t.Errorf("of no file: %v", err)
	}
}
