package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/hooks"
)

// TestWindowsHooks: every command is the .exe, and nothing else differs.
func TestWindowsHooks(t *testing.T) {
	t.Parallel()
	data, err := windowsHooks(hooks.JSON)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "${CLAUDE_PLUGIN_ROOT}/bin/memento.exe\""); n != strings.Count(string(data),
		`"command":`) || n == 0 {
		t.Errorf("%d commands are the .exe:\n%s", n, data)
	}
	if back := strings.ReplaceAll(string(data), "memento.exe", "memento"); back != string(hooks.JSON) {
		t.Errorf("more than the commands changed:\n%s", data)
	}
	for _, other := range []string{"", strings.Replace(string(hooks.JSON), "/bin/memento", "/bin/souvenir", 1)} {
		if _, err := windowsHooks([]byte(other)); err == nil || !strings.Contains(err.Error(), "commands are") {
			t.Errorf("%.40q: %v, want an error", other, err)
		}
	}
}

func TestMarketRefuses(t *testing.T) {
	t.Parallel()
	for _, data := range []string{`{"plugins": []}`, `[{"source": "./"}, {"source": "./"}]`} {
		if got, err := makeMarketplace([]byte(data), "https://example.com/a.zip", "00"); err == nil {
			t.Errorf("%s became %s, want an error", data, got)
		}
	}
}

// checkBundles checks the files of each zip of a release in the folder name, and which of them are programs.
func checkBundles(t *testing.T, root, name string) {
	t.Helper()
	common := []string{".claude-plugin/icon.png", ".claude-plugin/marketplace.json", ".claude-plugin/plugin.json",
		"CHANGELOG.md", "LICENSE",
		"README.md", "hooks/hooks.json", "skills/memento/SKILL.md"}
	for _, c := range []struct {
		zip         string
		more, hooks string
		runs        map[string]string // the program to run, and its file
	}{
		{"memento-plugin_0.1.0.zip", "plugin/checksums.txt plugin/launcher", "bin/memento", map[string]string{
			"bin/memento":              filepath.Join(root, "bin/memento"),
			"bin/darwin-amd64/memento": filepath.Join(name, "memento-darwin-amd64"),
			"bin/darwin-arm64/memento": filepath.Join(name, "memento-darwin-arm64"),
			"bin/linux-amd64/memento":  filepath.Join(name, "memento-linux-amd64"),
			"bin/linux-arm64/memento":  filepath.Join(name, "memento-linux-arm64"),
		}},
		{"memento-plugin_0.1.0_windows_amd64.zip", "", "bin/memento.exe", map[string]string{
			"bin/memento.exe": filepath.Join(name, "memento-windows-amd64.exe")}},
		{"memento-plugin_0.1.0_windows_arm64.zip", "", "bin/memento.exe", map[string]string{
			"bin/memento.exe": filepath.Join(name, "memento-windows-arm64.exe")}},
		{"memento_0.1.0_windows_arm64.zip", "-", "", map[string]string{
			"memento.exe": filepath.Join(name, "memento-windows-arm64.exe")}},
	} {
		var want []string
		switch c.more {
		case "-":
			want = []string{"LICENSE", "README.md"}
		case "":
			want = slices.Clone(common)
		default:
			want = append(slices.Clone(common), strings.Fields(c.more)...)
		}
		want = slices.Sorted(slices.Values(append(want, slices.Collect(maps.Keys(c.runs))...)))
		var got []string
		for _, f := range unzip(t, read(t, name, c.zip)) {
			got = append(got, f.name)
			from, runs := c.runs[f.name]
			if !runs {
				from = filepath.Join(root, f.name)
			}
			if f.run != runs {
				t.Errorf("%s: %s runs: %v", c.zip, f.name, f.run)
			}
			if f.name == "hooks/hooks.json" {
				if !strings.Contains(string(f.data), c.hooks+`"`) {
					t.Errorf("%s: hooks.json does not call %s", c.zip, c.hooks)
				}
			} else if sum(f.data) != sum(read(t, from)) {
				t.Errorf("%s: %s is not %s", c.zip, f.name, from)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s holds\n%q, want\n%q", c.zip, got, want)
		}
	}
}
