package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Four files or more of one folder are listed as the folder and their number.
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
	few := at("m/state/a m/state/b m/state/c")
	if got := gathered(few); !slices.Equal(got, few) {
		t.Errorf("of three, listed are %q", got)
	}
}
