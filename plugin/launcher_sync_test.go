//go:build unix

package plugin_test

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// syncing stands for the release's memento-sync.
const syncing = "#!/bin/sh\nif [ \"$1\" = fail ]; then exit 75; fi\necho \"synced: $*\"\ncat\n"

// both adds the launcher of memento-sync to the plugin, and its pins.
func (l launcher) both(t *testing.T, data string) {
	t.Helper()
	script := strings.TrimPrefix(string(read(t, root, "bin/memento-sync")), "#!/bin/sh")
	write(t, filepath.Join(l.checkout, "bin/memento-sync"), "#!"+strings.Join(l.shell, " ")+script)
	pins := filepath.Join(l.checkout, "plugin/checksums.txt")
	lines, _ := os.ReadFile(pins)
	for _, platform := range []string{"darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64"} {
		lines = append(lines, pin(data)+"  memento-sync-"+platform+"\n"...)
	}
	write(t, pins, string(lines))
}

// sync runs a program of the plugin as a person's shell would: without what the client passes to hooks.
func (l launcher) sync(t *testing.T, program string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(filepath.Join(l.checkout, "bin", program), args...)
	cmd.Stdin = strings.NewReader("in")
	cmd.Env = []string{"PATH=" + l.bin, "HOME=" + l.home}
	for _, e := range l.env {
		if !strings.HasPrefix(e, "CLAUDE_") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Dir = t.TempDir()
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// TestSyncLauncherDownloads: memento-sync is downloaded when somebody syncs and not before, and only once.
func TestSyncLauncherDownloads(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		server := serve(t, nil)
		name := "memento-sync-" + runtime.GOOS + "-" + runtime.GOARCH
		server.Answer("/v0.1.0/"+name, send(syncing))
		p := installed(t, shell)
		p.both(t, syncing)
		p = p.from(server.URL)
		p.attempt(t, func() { p.hook(t, start) })
		p.settled(t)
		p.serves(t)
		if got := strings.Join(server.Asked(), " "); strings.Contains(got, "sync") {
			t.Fatalf("before anybody synced, asked for %q", got)
		}
		for range 2 {
			out, said, code := p.sync(t, "memento-sync", "sync", "a  b", "--status")
			if out != "synced: sync a  b --status\nin" || code != 0 {
				t.Errorf("exit %d, %q, %q", code, out, said)
			}
		}
		if _, _, code := p.sync(t, "memento-sync", "fail"); code != 75 {
			t.Errorf("exit %d, want 75", code)
		}
		if got := server.Asked(); len(got) != 2 || got[1] != "GET /v0.1.0/"+name {
			t.Errorf("asked for %q, want memento and then memento-sync once", got)
		}
		if got := files(t, filepath.Join(p.checkout, "bin")); len(got) != 2 {
			t.Errorf("bin holds %q", got)
		}
		if !holds(p.self()+"-sync", syncing)() {
			t.Error("the launcher did not make way for memento-sync")
		}
		p.settled(t)
	})
}

// TestSyncLauncherRefuses: what cannot be downloaded or is not the pinned file is not run, and a person hears why.
func TestSyncLauncherRefuses(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		server := serve(t, nil)
		p := installed(t, shell)
		p.both(t, syncing)
		p = p.from(server.URL)
		for _, c := range []struct {
			answer     http.HandlerFunc
			says, hint string
		}{
			{send(released), "what was downloaded is not the pinned binary, and was refused", "sh '"},
			{status(404), "downloading it failed (", "see that this machine is online"},
		} {
			server.Answer("", c.answer)
			out, said, code := p.sync(t, "memento-sync", "sync")
			if code != 1 || out != "" || !strings.Contains(said, "memento: memento-sync: no binary: "+c.says) ||
				!strings.Contains(said, "\nmemento: hint: "+c.hint) {
				t.Errorf("exit %d, printed %q and %q; want 1, %q and %q", code, out, said, c.says, c.hint)
			}
			if strings.Contains(said, "tried once more now") {
				t.Errorf("said %q, and nothing is tried", said)
			}
			if !strings.Contains(string(read(t, p.checkout, "bin/memento-sync")), "plugin/launcher") {
				t.Error("something took the launcher's place")
			}
		}
	})
}

// TestSyncLauncherOffline: without a network, somebody puts the released memento-sync into its platform's folder of the
// zip. It runs if it is the pinned one.
func TestSyncLauncherOffline(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		server := serve(t, status(404))
		p := installed(t, shell)
		p.both(t, syncing)
		p = p.from(server.URL)
		file := filepath.Join(p.checkout, "bin", runtime.GOOS+"-"+runtime.GOARCH, "memento-sync")
		for _, c := range []struct {
			data, out string
			code      int
		}{{released, "", 1}, {syncing, "synced: sync\nin", 0}} {
			write(t, file, c.data)
			if out, said, code := p.sync(t, "memento-sync", "sync"); out != c.out || code != c.code {
				t.Errorf("with %q: exit %d, %q, %q; want %d and %q", c.data, code, out, said, c.code, c.out)
			}
		}
		if got := server.Asked(); len(got) != 1 {
			t.Errorf("asked for %q, want one request, with the wrong file in the folder", got)
		}
	})
}

// TestMementoFindsSync: where the binary of memento is not in the folder of the launchers, the launcher of
// memento-sync stands beside it, too.
func TestMementoFindsSync(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		server := serve(t, nil)
		server.Answer("/v0.1.0/memento-sync-"+runtime.GOOS+"-"+runtime.GOARCH, send(syncing))
		p := installed(t, shell)
		p.both(t, syncing)
		p = p.from(server.URL).unwritable(t)
		p.attempt(t, func() { p.hook(t, start) })
		beside := p.fetched() + "-sync"
		if p.hook(t, start); !gone(beside)() {
			t.Error("a hook wrote beside the binary")
		}
		if _, said, code := p.run(t, "", "show"); code != 0 {
			t.Fatalf("exit %d: %s", code, said)
		}
		if to, err := os.Readlink(beside); err != nil || to != filepath.Join(p.checkout, "bin/memento-sync") {
			t.Fatalf("beside the binary: %q, %v", to, err)
		}
		cmd := p.command("", "sync")
		cmd.Path = beside
		if out, err := cmd.Output(); err != nil || string(out) != "synced: sync\n" {
			t.Errorf("%v: %q", err, out)
		}
	})
}
