package forget

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/shared"
)

// TestTrust: forgotten words come back with no version of a repository's file, neither by the phrase nor by its
// fingerprint. Only versions stay trusted whose copies hold none of them.
func TestTrust(t *testing.T) {
	t.Parallel()
	for _, by := range []string{"phrase", "fingerprint"} {
		dir := desk(t)
		for name, words := range map[string]string{"has": phrase, "free": "nothing of it"} {
			fixture.Write(t, filepath.Join(dir, "shop--shared-"+name+".md"), "---\nid: shop--shared-"+name+
				"\nproject: shop\nkind: decision\ntitle: T\nstatus: active\nshared: key-"+name+"\ntags: [a]\n---\n"+words+
				".\n")
		}
		fixture.Write(t, shared.TrustedPath(dir),
			`{"version":1,"projects":{"shop":{"trusted":["key-has","key-free","key-branch"],"written":["key-own"]}}}`)
		e := eraser(t, dir, phrase)
		if by == "fingerprint" {
			e.What = Known(fingerprints(t, phrase))
		}
		if _, err := e.Run(); err != nil {
			t.Fatal(err)
		}
		got := strings.TrimSpace(fixture.Read(t, shared.TrustedPath(dir)))
		if want := `{"version":1,"projects":{"shop":{"trusted":["key-free"],"written":["key-own"]}}}`; got != want {
			t.Errorf("by the %s: %s", by, got)
		}
	}
}
