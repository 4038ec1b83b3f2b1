package doctor

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/pace"
)

func TestCompanion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, says string
		err        error
		set        bool // sync was set up
		state      State
		what       string
	}{
		{"the same", "memento 0.1.0 (linux/amd64, go1.26.8)", nil, false, OK, "memento-sync is beside it"},
		{"another version", "memento 0.1.1 (linux/amd64, go1.26.8)", nil, false, Note, "of another version: memento 0.1.1"},
		{"another program", "hello\x1b[2J", nil, false, Note, "of another version: hello"},
		{"a launcher", "", nil, false, OK, "is downloaded when you sync"},
		{"none, and not needed", "", fs.ErrNotExist, false, "", ""},
		{"none, and needed", "", fs.ErrNotExist, true, Note, "not installed beside memento, so nothing is synced"},
		{"it does not run", "", errors.New("exec format error"), false, Note, "does not run: exec format error"},
	} {
		x := &exam{Env: Env{Version: "0.1.0", Config: config.Config{Dir: t.TempDir()},
			Machine:   install.Machine{Exe: "/opt/memento", Getenv: func(string) string { return "" }},
			Companion: func() (string, error) { return tt.says, tt.err }}}
		if tt.set {
			if err := pace.Succeed(x.Config.Dir, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		x.checkCompanion()
		if tt.what == "" {
			if len(x.findings) > 0 {
				t.Errorf("%s: %v", tt.name, x.findings)
			}
			continue
		}
		if len(x.findings) != 1 || x.findings[0].State != tt.state || !strings.Contains(x.findings[0].What, tt.what) ||
			tt.state != OK && x.findings[0].Hint == "" {
			t.Errorf("%s: %v, want %s: %s", tt.name, x.findings, tt.state, tt.what)
		}
	}
}
