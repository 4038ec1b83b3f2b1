package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// What goes is listed so that a person can take it in: of a folder that stays the number of the files, unless they are
// few.
func TestGathered(t *testing.T) {
	at := func(names string) (out []string) {
		for _, name := range strings.Fields(names) {
			out = append(out, filepath.FromSlash(name))
		}
		return out
	}
	got := strings.Join(gathered(at("m/state/a m/x.debug.json m/state/b m/state/c m/state/d m/index skills/memento")),
		"\n")
	want := strings.Join(at("m/state:_4_files m/x.debug.json m/index skills/memento"), "\n")
	if want = strings.ReplaceAll(want, "_", " "); got != want {
		t.Errorf("listed are\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(gathered(at("m/state/a m/state/b m/state/c")),
		" "); got != strings.Join(at("m/state/a m/state/b m/state/c"), " ") {
		t.Errorf("of three, listed are %s", got)
	}
}
