package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestProfileImportMeanwhile: a value that was set while an import asked is a conflict, and stays.
func TestProfileImportMeanwhile(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(t.TempDir(), "profile.json")
	data := `{"version":1,"kind":"memento profile","about":"Alice","preferences":[{"topic":"quotes","value":"single"},{"topic":"tests","value":"first"}]}`
	fixture.Write(t, file, data)
	in := &meanwhile{do: func() {
		for _, args := range [][]string{{"profile", "set", "quotes", "double"}, {"profile", "note", "--about", "Bob"}} {
			if code, _, err := at(t, home, home, "", args...); code != 0 {
				t.Error(err)
			}
		}
	}}
	var o, e bytes.Buffer
	s := person{home, home}.streams(in, &o, &e)
	s.Terminal = true
	code := Main([]string{"profile", "import", file}, s)
	if code != 0 || !strings.Contains(o.String(), `conflict  quotes: here it is "double", there "single"`) ||
		!strings.HasSuffix(o.String(), "\n1 of 3 taken over\n") {
		t.Errorf("%d, %s, %s", code, &o, &e)
	}
	if _, out, _ := at(t, home, home, "", "profile"); out != "about       Bob\nquotes: double\ntests: first\n" {
		t.Error(out)
	}
}
