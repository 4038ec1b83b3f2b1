package install

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

func TestStatus(t *testing.T) {
	t.Parallel()
	bin := filepath.Join(t.TempDir(), "bin", "memento")
	fixture.Put(t, bin, "x", 0o755)
	entry := func(command string) string {
		return `{"type":"command","command":"` + command + `","args":["hook"],"timeout":5}`
	}
	tests := []struct {
		name string
		make func(t *testing.T, o Options)
		want Condition
		why  string
	}{
		{"nothing", func(*testing.T, Options) {}, Absent, ""},
		{"another's", func(t *testing.T, o Options) {
			fixture.Put(t, o.file(), `{"hooks":{"Stop":[{"hooks":[`+entry("/x/other")+`]}]}}`, 0o600)
		}, Absent, ""},
		{"installed", func(t *testing.T, o Options) { install(t, o) }, Current, ""},
		{"comments", func(t *testing.T, o Options) { fixture.Put(t, o.file(), "{//\n}", 0o600) }, Refused, ""},
		{"no longer there", func(t *testing.T, o Options) {
			o.Exe = "/nowhere/memento"
			install(t, o)
		}, Stale, "/nowhere/memento is not there"},
		{"one event only", func(t *testing.T, o Options) {
			fixture.Put(t, o.file(), `{"hooks":{"SessionStart":[{"hooks":[`+entry(bin)+`]}]}}`, 0o600)
		}, Stale, "not all there"},
		{"two paths", func(t *testing.T, o Options) {
			fixture.Put(t, o.file(), `{"hooks":{"SessionStart":[{"hooks":[`+entry(bin)+`,`+entry("/old/memento")+
				`]}]}}`,
				0o600)
		}, Stale, "run another program"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t.TempDir())
			o.Exe = bin
			tt.make(t, o)
			was := fixture.Tree(t, o.ConfigDir)
			got := ReadStatus(o)
			if got.Condition != tt.want || !strings.Contains(got.Why, tt.why) ||
				(tt.want == Refused) != (got.Err != nil) {
				t.Errorf("%+v", got)
			}
			fixture.Same(t, "looking", was, fixture.Tree(t, o.ConfigDir))
		})
	}
}
