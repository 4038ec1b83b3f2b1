package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

const cashFirst = "# Cash first\n\n## Decision\nCash.\n"

// TestImportNotesFolder: an import notes the folder of its project. While that folder exists, the records are
// not those of a project that is gone.
func TestImportNotesFolder(t *testing.T) {
	work, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shop := fixture.Files(t, filepath.Join(work, "shop"),
		map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".claude/memory/decisions/a.md": cashFirst})
	till := fixture.Files(t, filepath.Join(work, "till"), map[string]string{"x": ""})
	desk := fixture.Files(t, filepath.Join(work, "desk"), map[string]string{"x": ""})
	other := fixture.Files(t, filepath.Join(work, "other"), map[string]string{"x": ""})
	records := fixture.Files(t, filepath.Join(work, "records"),
		map[string]string{"desk--b.md": "---\ntitle: b\n---\nb\n", "drawer--b.md": "---\ntitle: b\n---\nb\n"})
	for _, tt := range []struct {
		what, dir    string
		args         []string
		known, never []string // projects
	}{
		{"the repository around a memory", shop, []string{"import", "."}, []string{"shop"}, nil},
		{"the same from elsewhere", other, []string{"import", shop}, []string{"shop"}, nil},
		{"records of the folder it runs in", desk, []string{"import", records}, []string{"desk"}, []string{"drawer"}},
		{"as it is said", till, []string{"import", filepath.Join(records, "drawer--b.md"), "--project", "till"},
			[]string{"till"}, nil},
	} {
		home := t.TempDir()
		if code, _, err := at(t, home, tt.dir, "", tt.args...); code != 0 {
			t.Fatalf("%s: %d, %s", tt.what, code, err)
		}
		if _, out, _ := at(t, home, other, "", "workspace"); !strings.HasPrefix(out, "No project was seen yet") {
			t.Errorf("%s: before --apply it knows %s", tt.what, out)
		}
		for range 2 { // records that exist already count as well
			if code, _, err := at(t, home, tt.dir, "", append(tt.args, "--apply")...); code != 0 {
				t.Fatalf("%s: %d, %s", tt.what, code, err)
			}
			_, out, _ := at(t, home, other, "", "workspace")
			_, all, _ := at(t, home, other, "", "list", "--all")
			for _, p := range tt.known {
				if strings.Contains(out, "--project "+p) || !strings.Contains(all, p+"--") {
					t.Errorf("%s: %s is an orphan or has nothing:\n%s\n%s", tt.what, p, out, all)
				}
			}
			for _, p := range tt.never {
				if !strings.Contains(out, "--project "+p+" erases its 1 record") {
					t.Errorf("%s: %s is no orphan:\n%s", tt.what, p, out)
				}
			}
			if err := os.Remove(filepath.Join(home, ".claude", ".memento", "workspace.json")); err != nil {
				t.Errorf("%s: %v", tt.what, err)
			}
		}
	}
}
