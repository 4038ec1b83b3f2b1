//go:build unix

package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// person is a user with a home folder for the test.
type person struct {
	t         *testing.T
	uid       int
	bin, home string
}

// newPerson returns a user who is not root. It skips the test if the test cannot become another user.
func newPerson(t *testing.T) person {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can run memento as several users")
	}
	home, err := os.MkdirTemp("", "memento-home-") // a folder that other users may enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	p := person{t, 54321, built(t, "."), home}
	if err := errors.Join(os.Mkdir(p.path(".claude"), 0o755), os.Mkdir(p.path("shop"), 0o755),
		os.WriteFile(p.path("t.jsonl"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	p.give(home, p.uid)
	return p
}

func (p person) path(parts ...string) string {
	return filepath.Join(append([]string{p.home}, parts...)...)
}

func (p person) give(dir string, uid int) {
	p.t.Helper()
	if err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, uid, uid))
	}); err != nil {
		p.t.Fatal(err)
	}
}

// run runs memento as the user uid.
func (p person) run(uid int, in string, args ...string) (code int, out, said string) {
	p.t.Helper()
	cmd := exec.Command(p.bin, args...)
	cmd.Env, cmd.Dir, cmd.Stdin = []string{"HOME=" + p.home, "USER=alice", "PATH=" + os.Getenv("PATH")}, p.path("shop"),
		strings.NewReader(in)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// hook sends an event as the user. The hook must exit with 0 and print no error.
func (p person) hook(name, session, fields string) string {
	p.t.Helper()
	in := `{"session_id":"` + session + `","transcript_path":` + quoteJSON(p.path("t.jsonl")) + `,"cwd":` +
		quoteJSON(p.path("shop")) + `,"hook_event_name":"` + name + `"` + fields + `}`
	code, out, said := p.run(p.uid, in, "hook")
	if code != 0 || said != "" {
		p.t.Errorf("%s ended with %d and said %q", name, code, said)
	}
	return out
}

const trimHedge = "Trim the hedge on the street side, not the garden's."

// work plays a session with a prompt and a result.
func (p person) work() {
	p.t.Helper()
	p.hook("SessionStart", "s1", `,"source":"startup"`)
	p.hook("UserPromptSubmit", "s1", `,"prompt":`+quoteJSON(trimHedge))
	line := `{"type":"user","uuid":"u1","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":` +
		quoteJSON(trimHedge) + "}}\n"
	if err := os.WriteFile(p.path("t.jsonl"), []byte(line), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.hook("Stop", "s1", "")
	if out := p.hook("SessionStart", "s1", `,"source":"compact"`); !strings.Contains(out, "Trim the hedge") ||
		strings.Contains(out, "kept") {
		p.t.Fatalf("in a usable store a compaction gave %q", out)
	}
}

// TestUnusableStore: if memento can read and trust the journal, a start after a compaction returns the block. If
// memento cannot write anything, it says so once in a session, to Claude and to the person.
func TestUnusableStore(t *testing.T) {
	fixture.Long(t, "runs processes on each kind of damage")
	t.Parallel()
	must := func(t *testing.T, errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name  string
		spoil func(t *testing.T, p person)
		block bool
		why   string // part of that message
	}{
		{"read-only", func(t *testing.T, p person) {
			must(t, filepath.WalkDir(p.path(".claude", ".memento"), func(path string, e fs.DirEntry, err error) error {
				if e.IsDir() {
					return errors.Join(err, os.Chmod(path, 0o500))
				}
				return errors.Join(err, os.Chmod(path, 0o400))
			}))
		}, true, "permission denied"},
		{"read-only except cache/", func(t *testing.T,
			p person) {
			must(t, os.Chmod(p.path(".claude", ".memento"), 0o500))
		}, true, "permission denied"},
		{"others may write", func(t *testing.T, p person) { must(t, os.Chmod(p.path(".claude", ".memento"), 0o777)) },
			false, "other users may write to it"},
		{"root's", func(t *testing.T, p person) { p.give(p.path(".claude", ".memento"), 0) }, false,
			"permission denied"},
		{"root's, and open", func(t *testing.T, p person) {
			p.give(p.path(".claude", ".memento"), 0)
			must(t, os.Chmod(p.path(".claude", ".memento"), 0o755))
		}, false, "it belongs to another user"},
		{"settings that cannot be read", func(t *testing.T, p person) {
			must(t, os.WriteFile(p.path(".claude", ".memento", "config.json"), []byte("{}"), 0))
			p.give(p.path(".claude", ".memento", "config.json"), p.uid)
		}, true, "permission denied"},
		{"pauses that cannot be read", func(t *testing.T, p person) {
			must(t, os.WriteFile(p.path(".claude", ".memento", "paused.json"), []byte("{}"), 0))
			p.give(p.path(".claude", ".memento", "paused.json"), p.uid)
		}, false, "permission denied"},
		{"a full disk", func(t *testing.T, p person) {
			dir := p.path(".claude", ".memento")
			must(t, os.Rename(dir, dir+".was"), os.Mkdir(dir, 0o700))
			smallDisk(t, dir, "size=256k", p.uid)
			out, err := exec.Command("cp", "-a", dir+".was/.", dir).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			fill(t, dir)
		}, true, "no space left on device"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPerson(t)
			p.work()
			tt.spoil(t, p)
			out := p.hook("SessionStart", "s1", `,"source":"compact"`)
			if got := strings.Contains(out, "Mission: "+trimHedge); got != tt.block {
				t.Errorf("after a compaction the block is there: %t; %q", got, out)
			}
			const line = "[MEMENTO] Nothing said here is kept while this lasts: "
			again := p.hook("SessionStart", "s2", `,"source":"startup"`)
			const person = `{"systemMessage":"memento: nothing said here is kept while this lasts: `
			if strings.Count(again, line) != 1 || !strings.HasPrefix(again, person) ||
				!strings.Contains(again, tt.why) {
				t.Errorf("a new session and its person were told %q", again)
			}
			for _, session := range []string{"s1", "s2"} {
				in := `{"session_id":"` + session + `","workspace":{"project_dir":` + quoteJSON(p.path("shop")) + `}}`
				_, out, _ := p.run(p.uid, in, "statusline")
				if !strings.Contains(out, "nothing is kept (! memento doctor)") {
					t.Errorf("the status line of %s says %q", session, out)
				}
			}
			later := p.hook("UserPromptSubmit", "s2", `,"prompt":"Rake the leaves."`) + p.hook("Stop", "s2", "") +
				p.hook("UserPromptSubmit", "s2", `,"prompt":"Then sweep the path."`) +
				p.hook("PreCompact", "s2", `,"trigger":"auto"`)
			if n := strings.Count(later, "denied") + strings.Count(later, line) +
				strings.Count(later, "no space"); n > 0 {
				t.Errorf("it was told again: %q", later)
			}
			code, _, _ := p.run(p.uid, "", "doctor")
			if code == 0 {
				t.Errorf("the doctor found nothing")
			}
		})
	}
}

// TestRootFirst: doctor and uninstall work although root left files in a user's home. Root leaves no new files there.
func TestRootFirst(t *testing.T) {
	fixture.Long(t, "runs processes of two users")
	t.Parallel()
	p := newPerson(t)
	event := `{"session_id":"s1","cwd":` + quoteJSON(p.path("shop")) +
		`,"hook_event_name":"SessionStart","source":"startup"}`
	if code, out, said := p.run(0, event, "hook"); code != 0 || said != "" ||
		!strings.Contains(out, "it belongs to another user") {
		t.Errorf("root's hook ended with %d, %q, %q", code, out, said)
	}
	for _, args := range [][]string{{"done", "x"}, {"save", "decision", "x", "--set", "decision=x"},
		{"config", "remind", "never"}, {"install"}} {
		if code, _, said := p.run(0, "", args...); code == 0 ||
			!strings.Contains(said, "sudo -u 54321 -H memento doctor") {
			t.Errorf("root's %v ended with %d, %q", args, code, said)
		}
	}
	if left, _ := os.ReadDir(p.path(".claude")); len(left) > 0 {
		t.Errorf("root left %v", left)
	}

	if code, _, said := p.run(p.uid, "", "install"); code != 0 {
		t.Fatal(said)
	}
	p.work()
	p.give(p.path(".claude", ".memento"), 0) // as an earlier version did
	const hint = "sudo chown -R alice "
	code, out, said := p.run(p.uid, "", "doctor")
	if code != 1 || !strings.Contains(out, hint) || !strings.Contains(out, "rehearsal") ||
		strings.Contains(out+said, "mv ") {
		t.Errorf("the doctor ended with %d\n%s%s", code, out, said)
	}
	for _, name := range []string{"show", "status", "list"} {
		if code, _, said := p.run(p.uid, "", name); code == 0 || !strings.Contains(said, hint) {
			t.Errorf("%s ended with %d, %q", name, code, said)
		}
	}
	if code, out, said := p.run(p.uid, "", "uninstall"); code != 0 {
		t.Errorf("uninstall ended with %d\n%s%s", code, out, said)
	}
	if data, err := os.ReadFile(p.path(".claude", "settings.json")); err == nil &&
		bytes.Contains(data, []byte("memento")) {
		t.Errorf("uninstall left %s", data)
	}
	if _, err := os.Lstat(p.path(".claude", "skills", "memento")); err == nil {
		t.Error("uninstall left the skill")
	}
}

// TestRootInAContainer: root uses a folder in root's own home although it belongs to the user of the host.
func TestRootInAContainer(t *testing.T) {
	fixture.Long(t, "runs processes of two users")
	t.Parallel()
	p := newPerson(t)
	p.give(p.path(""), 0)
	p.give(p.path(".claude"), p.uid)
	if code, out, said := p.run(0, "", "save", "decision", "Use one queue", "--set", "decision=so it is"); code != 0 {
		t.Errorf("save ended with %d, %q, %q", code, out, said)
	}
	if code, out, said := p.run(0, "", "list"); code != 0 || !strings.Contains(out, "Use one queue") {
		t.Errorf("list ended with %d, %q, %q", code, out, said)
	}
}

// TestHomeIsNone: no hint tells the user to move a file that may belong to the system.
func TestHomeIsNone(t *testing.T) {
	fixture.Long(t, "builds the program")
	t.Parallel()
	bin := built(t, ".")
	for _, home := range []string{"/dev/null", "/etc/passwd", "/proc"} {
		for _, args := range [][]string{{"doctor"}, {"show"}, {"done", "x"}, {"install"}, {"uninstall"},
			{"config", "remind", "never"}, {"list"}, {"pause"}} {
			cmd := exec.Command(bin, args...)
			cmd.Env, cmd.Dir = []string{"HOME=" + home, "USER=alice"}, t.TempDir()
			out, _ := cmd.CombinedOutput()
			if strings.Contains(string(out), "mv ") || strings.Contains(string(out), "rm ") ||
				strings.Contains(string(out), "chown") || strings.Contains(string(out), "chmod") {
				t.Errorf("HOME=%s memento %v:\n%s", home, args, out)
			}
		}
	}
}
