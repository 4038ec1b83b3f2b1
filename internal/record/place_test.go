package record

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// mayExist returns false only for a file that is certainly gone.
func TestStands(t *testing.T) {
	s, _ := store(t)
	dir := filepath.Join(t.TempDir(), "shop")
	file := filepath.Join(dir, "src", "a.go")
	fixture.Write(t, file, "")
	fixture.Write(t, filepath.Join(s.Dir, "workspace.json"),
		fmt.Sprintf(`{"projects":[{"slug":"shop","id":"git:x/y","roots":[%q]}]}`, dir))
	check := func(project, file string, want bool) {
		t.Helper()
		if got := s.mayExist(project, file); got != want {
			t.Errorf("%s of %s stands: %t", file, project, got)
		}
	}
	check("shop", "src/a.go", true)
	check("shop", "src/b.go", false)
	check("other", "src/b.go", true)
	check("user", "src/b.go", true)
	check("shop", file, true)
	check("shop", file+"x", false)
	if err := os.Rename(dir, dir+"-moved"); err != nil {
		t.Fatal(err)
	}
	check("shop", "src/b.go", true)
}
