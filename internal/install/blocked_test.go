package install

import (
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestBlocks: memento looks where the client looks for settings that stop hooks. For disableAllHooks the last
// settings file decides.
func TestBlocks(t *testing.T) {
	const off, on, only = `{"disableAllHooks": true}`, `{"disableAllHooks": false}`, `{"allowManagedHooksOnly": true}`
	for _, tt := range []struct {
		name                          string
		user, project, local, managed string
		want                          []string
	}{
		{name: "nothing"},
		{name: "user", user: off, want: []string{"settings.json disableAllHooks"}},
		{name: "project", project: off, want: []string{"settings.json disableAllHooks"}},
		{name: "local", local: off, want: []string{"settings.local.json disableAllHooks"}},
		{name: "off for all, on here", user: off, local: on},
		{name: "managed", managed: off, user: on, want: []string{"managed-settings.json disableAllHooks"}},
		{name: "managed only", managed: only, want: []string{"managed-settings.json allowManagedHooksOnly"}},
		{name: "not the user's to say", user: only},
		{name: "managed enables the plugin",
			managed: `{"allowManagedHooksOnly": true, "enabledPlugins": {"memento@mementohq": true}}`},
		{name: "not JSON", user: `{"disableAllHooks": true`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			shop, managed := filepath.Join(t.TempDir(), "shop"), t.TempDir()
			TestOnlyManaged = managed
			t.Cleanup(func() { TestOnlyManaged = "" })
			o := options(dir)
			o.Project = []string{filepath.Join(shop, ".claude", "settings.json"),
				filepath.Join(shop, ".claude", "settings.local.json")}
			for path, data := range map[string]string{
				filepath.Join(o.ConfigDir, "settings.json"):           tt.user,
				filepath.Join(shop, ".claude", "settings.json"):       tt.project,
				filepath.Join(shop, ".claude", "settings.local.json"): tt.local,
				filepath.Join(managed, "managed-settings.json"):       tt.managed,
			} {
				if data == "" {
					continue
				}
				fixture.Write(t, path, data)
			}
			var got []string
			for _, b := range FindBlocks(o) {
				got = append(got, filepath.Base(b.Path)+" "+b.Key)
			}
			if len(got) != len(tt.want) || len(got) > 0 && got[0] != tt.want[0] {
				t.Errorf("found %q, wanted %q", got, tt.want)
			}
		})
	}
}
