package install

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/expiry"
	"github.com/mementohq/memento/internal/fixture"
)

// TestBlocks: memento looks where the client looks for settings that stop hooks. For disableAllHooks the last
// settings file decides.
func TestBlocks(t *testing.T) {
	const off, on, only = `{"disableAllHooks": true}`, `{"disableAllHooks": false}`, `{"allowManagedHooksOnly": true}`
	for _, tt := range []struct {
		name                                  string
		user, project, local, managed, dropIn string
		want                                  []string
	}{
		{name: "nothing"},
		{name: "user", user: off, want: []string{"settings.json disableAllHooks"}},
		{name: "project", project: off, want: []string{"settings.json disableAllHooks"}},
		{name: "local", local: off, want: []string{"settings.local.json disableAllHooks"}},
		{name: "off for all, on here", user: off, local: on},
		{name: "managed", managed: off, user: on, want: []string{"managed-settings.json disableAllHooks"}},
		{name: "managed only", managed: only, want: []string{"managed-settings.json allowManagedHooksOnly"}},
		{name: "a part of it", dropIn: only, want: []string{"10-hooks.json allowManagedHooksOnly"}},
		{name: "not the user's to say", user: only},
		{name: "managed enables the plugin",
			managed: `{"allowManagedHooksOnly": true, "enabledPlugins": {"memento@mementohq": true}}`},
		{name: "not JSON", user: `{"disableAllHooks": true`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			shop, managed := filepath.Join(t.TempDir(), "shop"), t.TempDir()
			expiry.TestOnlyManaged = managed
			t.Cleanup(func() { expiry.TestOnlyManaged = "" })
			o := options(dir)
			for path, data := range map[string]string{
				filepath.Join(o.ConfigDir, "settings.json"):                   tt.user,
				filepath.Join(shop, ".claude", "settings.json"):               tt.project,
				filepath.Join(shop, ".claude", "settings.local.json"):         tt.local,
				filepath.Join(managed, "managed-settings.json"):               tt.managed,
				filepath.Join(managed, "managed-settings.d", "10-hooks.json"): tt.dropIn,
			} {
				if data == "" {
					continue
				}
				fixture.Write(t, path, data)
			}
			var got []string
			for _, b := range FindBlocks(o, map[Scope]string{Project: shop, Local: shop}) {
				got = append(got, filepath.Base(b.Path)+" "+b.Key)
			}
			if len(got) != len(tt.want) || len(got) > 0 && got[0] != tt.want[0] {
				t.Errorf("found %q, wanted %q", got, tt.want)
			}
		})
	}
}

// TestTidy: the next run removes the temporary files of a killed run, even new ones. Files with similar names stay.
func TestTidy(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(Options) error{
		"install":   func(o Options) error { _, err := Install(o); return err },
		"uninstall": func(o Options) error { _, err := UninstallAll(o, nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			o := options(dir)
			if _, err := Install(o); err != nil {
				t.Fatal(err)
			}
			var left, theirs []string
			for _, dir := range []string{o.ConfigDir, filepath.Dir(o.skill()), o.commands()} {
				left = append(left, filepath.Join(dir, ".memento-tmp-1234"))
				theirs = append(theirs, filepath.Join(dir, "memento-tmp-1234"), filepath.Join(dir, ".memento-tmp-link"))
			}
			for _, path := range append(left, theirs...) {
				err := os.WriteFile(path, []byte("half"), 0o600)
				if filepath.Base(path) == ".memento-tmp-link" {
					os.Remove(path)
					err = os.Symlink(o.ConfigDir, path)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			ahead := time.Now().Add(time.Minute)
			if err := os.Chtimes(left[0], ahead, ahead); err != nil {
				t.Fatal(err)
			}
			if err := run(o); err != nil {
				t.Fatal(err)
			}
			for _, path := range left {
				if _, err := os.Lstat(path); err == nil {
					t.Errorf("%s stays", path)
				}
			}
			for _, path := range theirs {
				if _, err := os.Lstat(path); err != nil {
					t.Errorf("%s is gone", path)
				}
			}
		})
	}
}
