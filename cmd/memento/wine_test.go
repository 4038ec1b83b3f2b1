package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// TestWine runs the Windows binary under wine: the program in MEMENTO_WINE, or wine on PATH. It tests that the binary
// starts, keeps a session, and locks and replaces files. It does not test a client on Windows, PowerShell, Git Bash or
// Windows' access lists.
func TestWine(t *testing.T) {
	fixture.Long(t, "builds a binary for Windows and sets wine up for it, which takes 15 seconds")
	wine, err := exec.LookPath(cmp.Or(os.Getenv("MEMENTO_WINE"), "wine"))
	if err != nil || runtime.GOARCH != "amd64" {
		const why = "SKIPPED: nothing of the Windows binary was run, for want of wine on PATH (Debian: apt-get " +
			"install --no-install-recommends wine wine64)"
		fmt.Fprintln(os.Stderr, why)
		t.Skip(why)
	}
	t.Setenv("GOOS", "windows")
	w := newWindows(t, wine)
	t.Run("session", w.session)
	t.Run("install", w.install)
	t.Run("writers", w.writers)
	t.Run("open elsewhere", w.openElsewhere)
	t.Run("lanes", w.lanes)
}

// windows is a home folder on a drive of wine.
type windows struct {
	wine      string
	env       []string
	exe, hold string // paths on this system
	prog      string // the Windows path of the binary
	home, dir string // Windows paths of the home and of a project in it
	c         string // the path of drive C: on this system
}

func newWindows(t *testing.T, wine string) *windows {
	t.Helper()
	prefix := t.TempDir()
	w := &windows{wine: wine, c: filepath.Join(prefix, "drive_c"), home: `C:\users\Zoë`}
	w.dir, w.prog = w.home+`\my shop`, `C:\Program Files\memento\memento.exe`
	w.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + prefix, "WINEPREFIX=" + prefix, "WINEDEBUG=-all",
		"WINEDLLOVERRIDES=mscoree,mshtml=", "DISPLAY=", "LANG=C.UTF-8"}
	t.Cleanup(func() { // of this prefix only
		end := exec.Command("wineserver", "-k")
		end.Env = w.env
		if err := end.Run(); err != nil {
			t.Errorf("ending wine: %v", err)
		}
		end = exec.Command("wineserver", "-w")
		end.Env = w.env
		_ = end.Run() // it fails if no server runs any more
	})
	// one server for all programs: otherwise each program starts its own
	for _, start := range [][]string{{"wineserver", "-p"}, {wine, "wineboot", "-i"}} {
		cmd := exec.Command(start[0], start[1:]...)
		cmd.Env = w.env
		if err := cmd.Run(); err != nil { // the server inherits the output, so that to read it would never end
			t.Fatalf("%v: %v", start, err)
		}
	}
	// wine has the random numbers that Go's runtime needs from version 9.0 on.
	if dll := filepath.Join(w.c, "windows", "system32", "bcryptprimitives.dll"); !fixture.Exists(dll) {
		if err := os.WriteFile(dll, forwarder("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036"),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.exe, w.hold = w.path(w.prog), w.path(`C:\hold.exe`)
	for _, dir := range []string{filepath.Dir(w.exe), w.path(w.dir), w.path(w.home + `\garden`)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for exe, pkg := range map[string]string{w.exe: ".", w.hold: "./testdata/hold"} {
		fixture.Put(t, exe, fixture.Read(t, built(t, pkg)), 0o755)
	}
	// wine sets USERPROFILE itself; CLAUDE_CONFIG_DIR names the client's folder.
	w.env = append(w.env, `CLAUDE_CONFIG_DIR=`+w.home+`\.claude`, "USER=zoe", "CLAUDE_CODE_SESSION_ID=s1")
	return w
}

// path returns the path on this system of a file on drive C:.
func (w *windows) path(name string) string {
	return filepath.Join(w.c, filepath.FromSlash(strings.ReplaceAll(strings.TrimPrefix(name, `C:`), `\`, "/")))
}

func (w *windows) command(in string, exe string, args ...string) *exec.Cmd {
	cmd := exec.Command(w.wine, append([]string{exe}, args...)...)
	cmd.Env, cmd.Dir, cmd.Stdin = w.env, w.path(w.dir), strings.NewReader(in)
	return cmd
}

// run runs memento and returns its output and exit code.
func (w *windows) run(t *testing.T, in string, args ...string) (string, int) {
	t.Helper()
	out, err := w.command(in, w.exe, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	code := 0
	if exit != nil {
		code = exit.ExitCode()
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n"), code
}

func (w *windows) hook(t *testing.T, event string, fields map[string]any) string {
	t.Helper()
	all := map[string]any{"hook_event_name": event, "session_id": "s1", "transcript_path": w.home + `\t.jsonl`,
		"cwd": w.dir}
	for k, v := range fields {
		all[k] = v
	}
	in, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	out, code := w.run(t, string(in), "hook")
	if code != 0 {
		t.Errorf("%s ended with %d", event, code)
	}
	return out
}

// want fails the test unless got contains all words in this order.
func want(t *testing.T, got string, words ...string) {
	t.Helper()
	rest := got
	for _, word := range words {
		_, after, ok := strings.Cut(rest, word)
		if !ok {
			t.Errorf("%q is not, or not there, in:\n%s", word, got)
			return
		}
		rest = after
	}
}

func (w *windows) session(t *testing.T) {
	const asked = "Fix the checkout: orders above 1,000 EUR are lost. Never touch the tax tables."
	out, code := w.run(t, "", "version")
	if want(t, out, "windows/amd64"); code != 0 {
		t.Errorf("version ended with %d", code)
	}
	want(t, w.hook(t, "SessionStart", map[string]any{"source": "startup"}),
		`No active mission | proj:my-shop | path:C:\users\Zoë\.claude\.memento\my-shop--zoe.json`)
	want(t, w.hook(t, "UserPromptSubmit", map[string]any{"prompt": asked}), `memento done 'what' --result '…'`)
	line, err := json.Marshal(map[string]any{"type": "user", "uuid": "u1", "timestamp": time.Now().UTC(),
		"message": map[string]any{"role": "user", "content": asked}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.path(w.home+`\t.jsonl`), append(line, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := w.hook(t, "Stop", nil); out != "" {
		t.Errorf("Stop said %q", out)
	}
	out, code = w.run(t, "", "done", "find the overflow", "--result", "int32 cents in größe.go", "--ctx",
		"user: orders above 1,000 EUR are lost", "--plan", "a test")
	if want(t, out, "noted: done, plan (1)"); code != 0 {
		t.Errorf("done ended with %d", code)
	}
	want(t, w.hook(t, "PreCompact", map[string]any{"trigger": "auto"}), `The user's mission: "`+asked+`"`,
		"find the overflow")
	want(t, w.hook(t, "SessionStart", map[string]any{"source": "compact"}), "[MEMENTO] Mission: "+asked,
		"int32 cents in größe.go", "Plan: a test")
	out, _ = w.run(t, "", "show")
	want(t, out, asked, "verified")
	out, _ = w.run(t, "", "status")
	want(t, out, "mission open")
	if got, err := os.ReadFile(w.path(w.home + `\.claude\.memento\my-shop--zoe.json`)); err != nil || !json.Valid(got) {
		t.Errorf("the journal: %v\n%s", err, got)
	}
}

func (w *windows) install(t *testing.T) {
	settings := w.path(w.home + `\.claude\settings.json`)
	const before = "{\r\n\t\"model\": \"opus\"\r\n}\r\n"
	fixture.Write(t, settings, before)
	content := func() string {
		data, err := os.ReadFile(settings)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	out, _ := w.run(t, "", "install", "--dry-run")
	if want(t, out, `+ C:\Program Files\memento\memento.exe: SessionStart, `); content() != before {
		t.Errorf("after a dry run the settings are %s", content())
	}
	if out, code := w.run(t, "", "install"); code != 0 {
		t.Errorf("install ended with %d: %s", code, out)
	}
	want(t, content(), `"command": "C:\\Program Files\\memento\\memento.exe"`, `"hook"`,
		"Bash|PowerShell|Edit|Write|MultiEdit")
	out, code := w.run(t, "", "doctor")
	if want(t, out, `memento.exe`, "rehearsal: a session was compacted and got its block back"); code != 0 {
		t.Errorf("doctor ended with %d: %s", code, out)
	}
	// Go removes a folder by a call that wine 8.0 lacks, and Windows has.
	left, _ := filepath.Glob(w.path(w.home + `\.claude\.memento\.memento-tmp-scratch-*`))
	for _, scratch := range left {
		if err := os.RemoveAll(scratch); err != nil {
			t.Error(err)
		}
	}
	if out, code := w.run(t, "", "uninstall"); code != 0 || content() != before {
		t.Errorf("uninstall ended with %d: %s; the settings are %q", code, out, content())
	}
}

// writers: several processes write to one journal at once, while others read it. The journal has each write once.
func (w *windows) writers(t *testing.T) {
	const writers, writes = 6, 6
	var all sync.WaitGroup
	for n := range writers {
		all.Go(func() {
			for i := range writes {
				if out, err := w.started("done", fmt.Sprintf("write %d of %d", i, n)); err != nil {
					t.Errorf("writer %d: %v: %s", n, err, out)
				}
				if out, err := w.started("show", "--json"); err != nil || !json.Valid(out) {
					t.Errorf("reader %d: %v: %s", n, err, out)
				}
			}
		})
	}
	all.Wait()
	out, _ := w.run(t, "", "show", "--json")
	past, _ := w.run(t, "", "show", "--history", "--json")
	for n := range writers {
		for i := range writes {
			act := fmt.Sprintf(`"act":"write %d of %d"`, i, n)
			if got := strings.Count(strings.ReplaceAll(out+past, `"act": `, `"act":`), act); got != 1 {
				t.Errorf("%s is there %d times", act, got)
			}
		}
	}
	if left, _ := filepath.Glob(w.path(w.home + `\.claude\.memento\.memento-tmp-*`)); left != nil {
		t.Errorf("left over: %q", left)
	}
}

// started runs a command again, at most three times, while it fails without output. If many programs start at once,
// wine sometimes ends one of them silently; a command of memento that fails prints an error.
func (w *windows) started(args ...string) (out []byte, err error) {
	for range 3 {
		if out, err = w.command("", w.exe, args...).CombinedOutput(); err == nil || len(out) > 0 {
			break
		}
	}
	return out, err
}

// holder starts a program that keeps a file open. It returns the id of the program, and a function that ends it.
func (w *windows) holder(t *testing.T, name string) (pid string, end func()) {
	t.Helper()
	cmd := w.command("", w.hold, name)
	cmd.Stdin = nil
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	line, _ := bufio.NewReader(out).ReadString('\n')
	pid, ok := strings.CutPrefix(strings.TrimSpace(line), "open ")
	if !ok {
		t.Fatalf("the holder said %q", line)
	}
	return pid, end
}

// lanes: two clients in one project have a journal each while both processes run.
func (w *windows) lanes(t *testing.T) {
	file := w.home + `\t.jsonl`
	one, ended := w.holder(t, file)
	two, _ := w.holder(t, file)
	start := func(session, pid string) string {
		t.Helper()
		in, err := json.Marshal(map[string]string{"hook_event_name": "SessionStart", "source": "startup",
			"session_id": session, "cwd": w.home + `\garden`})
		if err != nil {
			t.Fatal(err)
		}
		cmd := w.command(string(in), w.exe, "hook")
		cmd.Env = append(slices.Clone(w.env), "CLAUDE_PID="+pid)
		out, err := cmd.Output()
		if err != nil {
			t.Error(err)
		}
		return string(out)
	}
	want(t, start("aaaa", one), `\garden--zoe.json`)
	want(t, start("bbbb", two), `\garden--zoe~bbbb.json`)
	ended()
	want(t, start("cccc", two), `\garden--zoe.json`)
}

// openElsewhere: Windows does not let memento replace a file that another program has open. A change waits a moment; if
// it then fails, it leaves no files.
func (w *windows) openElsewhere(t *testing.T) {
	journal := w.home + `\.claude\.memento\my-shop--zoe.json`
	before, err := os.ReadFile(w.path(journal))
	if err != nil {
		t.Fatal(err)
	}
	_, closed := w.holder(t, journal)
	said, code := w.run(t, "", "done", "while it is open")
	if want(t, said, "memento: done: writing "+journal, "memento: hint: a program may have the file open"); code != 1 {
		t.Errorf("it ended with %d", code)
	}
	if now, err := os.ReadFile(w.path(journal)); err != nil || !bytes.Equal(now, before) {
		t.Errorf("the journal changed: %v\n%s", err, now)
	}
	if out := w.hook(t, "SessionStart", map[string]any{"source": "resume"}); !strings.Contains(out,
		"[MEMENTO] Mission: ") {
		t.Errorf("a session that resumes meanwhile is told %q", out)
	}
	closed()
	if said, code := w.run(t, "", "done", "when it is closed"); code != 0 {
		t.Errorf("it ended with %d: %s", code, said)
	}
	if left, _ := filepath.Glob(w.path(w.home + `\.claude\.memento\.memento-tmp-*`)); left != nil {
		t.Errorf("left over: %q", left)
	}
}

// forwarder makes a DLL for 64-bit Windows that exports name and forwards it to a function of another DLL.
func forwarder(dll, name, to string) []byte {
	const (
		headers = 0x200
		section = 0x1000
	)
	le := binary.LittleEndian
	table := make([]byte, 40+4+4+2) // the export directory, and its lists of one address, name and ordinal
	add := func(s string) uint32 {
		at := uint32(section + len(table))
		table = append(table, s+"\x00"...)
		return at
	}
	put := func(at int, values ...uint32) {
		for i, v := range values {
			le.PutUint32(table[at+4*i:], v)
		}
	}
	put(12, add(dll), 1, 1, 1, section+40, section+44, section+48)
	put(40, add(to), add(name))
	size := uint32(len(table))
	var b bytes.Buffer
	write := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&b, le, v) // a write to a buffer cannot fail
		}
	}
	write([]byte("MZ"), [58]byte{}, uint32(64), []byte("PE\x00\x00"))
	// amd64, a section, a DLL
	write(uint16(0x8664), uint16(1), [12]byte{}, uint16(240), uint16(0x2022))
	// 64 bits; no code
	write(uint16(0x20b), [6]byte{}, uint32(headers), [12]byte{})
	// the address, the alignment, and the version of Windows
	write(uint64(0x180000000), uint32(section), uint32(headers), uint16(6), [6]byte{}, uint16(6), [6]byte{})
	write(uint32(2*section), uint32(headers), uint32(0), uint16(3), uint16(0x160))
	write(uint64(1<<20), uint64(4096), uint64(1<<20), uint64(4096), uint32(0), uint32(16), uint32(section), size,
		[15 * 8]byte{})
	write([]byte(".edata\x00\x00"), size, uint32(section), uint32(headers), uint32(headers), [12]byte{},
		uint32(0x40000040))
	write(make([]byte, headers-b.Len()), table, make([]byte, headers-len(table)))
	return b.Bytes()
}
