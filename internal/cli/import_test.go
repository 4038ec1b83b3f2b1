package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestImportAsks: import asks about a record that speaks in every project. A no leaves that record out, and the others
// come in.
func TestImportAsks(t *testing.T) {
	const mine = "---\nid: user--short-answers\nkind: preference\ntitle: Short answers\nproject: user\ntags: [a]\n---\n## Value\n\nshort\n"
	for answer, want := range map[string]bool{"y\n": true, "n\n": false, "": false} {
		p := newPerson(t)
		from := filepath.Join(p.home, "export")
		if err := os.Mkdir(from, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{
			"user--short-answers.md": mine, "shop--use-tin.md": strings.NewReplacer("user", "shop", "short-answers",
				"use-tin", "Short answers", "Use tin").Replace(mine),
		} {
			fixture.Write(t, filepath.Join(from, name), text)
		}
		code, out, errs := at(t, p.home, p.dir, answer, "import", from, "--apply")
		if code != exitOK || !strings.Contains(errs,
			`1 record would speak in every project ("Short answers"). Bring that in, too? [y/N]`) {
			t.Errorf("%q: %d, %s%s", answer, code, out, errs)
		}
		store := filepath.Join(p.home, ".claude", ".memento")
		if _, err := os.Lstat(filepath.Join(store, "user--short-answers.md")); want != (err == nil) {
			t.Errorf("%q: %v", answer, err)
		}
		if _, err := os.Lstat(filepath.Join(store, "shop--use-tin.md")); err != nil {
			t.Errorf("%q: %v", answer, err)
		}
	}
}
