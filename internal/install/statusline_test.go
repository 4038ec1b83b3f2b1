package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestStatusLine: install wires the status line where there is none, and uninstall brings every byte back, with the
// hooks or without.
func TestStatusLine(t *testing.T) {
	const before = "{\n  \"model\": \"opus\"\n}\n"
	for _, hooks := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), ".claude")
		file := filepath.Join(dir, "settings.json")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		fixture.Write(t, file, before)
		o := options(dir)
		o.Status = o.Exe + statusEnd
		dry := o
		dry.DryRun = true
		if r := install(t, dry); r.Place.Change != Edited || len(r.Place.Added) != 1 ||
			fixture.Read(t, file) != before {
			t.Errorf("a dry run: %+v", r)
		}
		if r := install(t, o); r.Place.Change != Edited || r.Files != nil ||
			!strings.Contains(fixture.Read(t, file), `"command": "`+o.Status+`"`) {
			t.Errorf("installed: %+v\n%s", r, fixture.Read(t, file))
		}
		if r := install(t, o); r.Place.Change != Unchanged {
			t.Errorf("a second time: %+v", r)
		}
		if hooks {
			install(t, options(dir))
			if !strings.Contains(fixture.Read(t, file), `"command": "`+o.Status+`"`) {
				t.Errorf("installing the hooks took the status line:\n%s", fixture.Read(t, file))
			}
		}
		r := uninstall(t, options(dir))
		if got := fixture.Read(t, file); got != before {
			t.Errorf("uninstalled, with hooks %t:\n%s", hooks, got)
		}
		if hooks != (r.Files != nil) {
			t.Errorf("uninstalled, with hooks %t, the skill %v", hooks, r.Files)
		}
	}
}

// TestPluginLine: the shell line runs the plugin's newest binary and none of a folder that the client has left.
func TestPluginLine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it is a line for a Unix shell")
	}
	home := t.TempDir()
	folder := filepath.Join(home, ".claude", "plugins", "cache", "my market", "memento")
	for version, left := range map[string]bool{"0.9.0": true, "0.10.0": false, "0.8.0": true} {
		fixture.Write(t, filepath.Join(folder, version, "bin", "memento"), "#!/bin/sh\necho "+version+" $1\n")
		if err := os.Chmod(filepath.Join(folder, version, "bin", "memento"), 0o755); err != nil {
			t.Fatal(err)
		}
		if left {
			fixture.Write(t, filepath.Join(folder, version, ".orphaned_at"), "1")
		}
	}
	run := func() (string, error) {
		cmd := exec.Command("sh", "-c", pluginLine)
		cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin", "p=echo"}
		out, err := cmd.Output()
		return string(out), err
	}
	if out, err := run(); err != nil || out != "0.10.0 statusline\n" {
		t.Errorf("%q, %v", out, err)
	}
	fixture.Write(t, filepath.Join(folder, "0.10.0", ".orphaned_at"), "1")
	if out, err := run(); err == nil || out != "" {
		t.Errorf("after the plugin was removed: %q, %v", out, err)
	}
}

// TestOtherStatusLine: somebody else's status line stays, and a person reads what it would take.
func TestOtherStatusLine(t *testing.T) {
	const before = `{"statusLine": {"type": "command", "command": "~/bin/prompt.sh statusline"}}`
	dir := filepath.Join(t.TempDir(), ".claude")
	file := filepath.Join(dir, "settings.json")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, file, before)
	o := options(dir)
	o.Status = o.Exe + statusEnd
	r := install(t, o)
	if r.Place.Change != Unchanged || len(r.Notes) != 1 ||
		!strings.Contains(r.Notes[0], "~/bin/prompt.sh statusline") ||
		!strings.Contains(r.Notes[0], o.Status) || fixture.Read(t, file) != before {
		t.Errorf("%+v\n%s", r, fixture.Read(t, file))
	}
	if uninstall(t, options(dir)); fixture.Read(t, file) != before {
		t.Errorf("uninstalled:\n%s", fixture.Read(t, file))
	}
}

func TestIsOurStatusLine(t *testing.T) {
	for command, want := range map[string]bool{
		"/opt/memento statusline": true, "'/opt/my tools/memento' statusline": true, pluginLine: true,
		"C:/Users/alice/memento.exe statusline": true,
		"memento hook":                          false, "~/bin/prompt.sh statusline": false, "": false,
		"echo x; memento-line statusline": false,
	} {
		if got := isOurStatusLine(command); got != want {
			t.Errorf("%q is memento's: %t", command, got)
		}
	}
}

// TestStatusCommand: the plugin's folder changes with every version, so its status line names none.
func TestStatusCommand(t *testing.T) {
	home := t.TempDir()
	m := Machine{ConfigDir: filepath.Join(home, ".claude"), Dir: home,
		Getenv: func(k string) string { return map[string]string{"HOME": home}[k] }}
	m.Exe = filepath.Join(m.ConfigDir, "plugins", "cache", "mementohq", "memento", "0.1.0", "bin", "memento")
	if got, err := m.StatusCommand(); err != nil || got != pluginLine {
		t.Errorf("of the plugin: %q, %v", got, err)
	}
	m.Exe = filepath.Join(home, "my tools", "memento")
	if got, err := m.StatusCommand(); err != nil || got != "'"+m.Exe+"' statusline" || programOf(got) != m.Exe {
		t.Errorf("of a folder with a space: %q, %v", got, err)
	}
}
