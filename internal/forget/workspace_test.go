package forget

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// Words about the project go when they hold the phrase. Words about another project and all other fields stay.
func TestWorkspace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "workspace.json")
	const about = `"about":"the launch is on 3 May",`
	before := `{"projects":[{"slug":"shop","id":"dir:/s",` + about +
		`"role":"lead","odd":1.0},{"slug":"kiosk","id":"dir:/k","about":"the launch is on 3 May"}]}`
	fixture.Write(t, path, before)
	e := eraser(t, dir, "Launch is on 3 May")
	e.Dry = true
	if found, err := e.Run(); err != nil || len(found) != 1 || found[0].Kind != "workspace about" ||
		found[0].Path != path || fixture.Read(t, path) != before {
		t.Errorf("a dry run found %v, %v: %s", found, err, fixture.Read(t, path))
	}
	if found, err := eraser(t, dir, "Launch is on 3 May").Run(); err != nil || len(found) != 1 {
		t.Errorf("found are %v, %v", found, err)
	}
	if got := fixture.Read(t, path); got != strings.Replace(before, about, "", 1) {
		t.Errorf("it holds %s", got)
	}
}
