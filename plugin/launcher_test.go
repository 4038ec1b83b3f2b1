//go:build unix

package plugin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// fakeGo stands in for go build: it makes a script for a binary, which prints its arguments. It counts the builds.
// While a file "hold" stands beside it, it waits, up to ten seconds.
const fakeGo = `here=${0%/*}
case $1 in build) ;; *) exit 0 ;; esac
echo build >>"$here/builds"
i=0
while [ -e "$here/hold" ] && [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\necho "args: $*"\necho "cwd: $(pwd)"\ncat\n' >"$2"
chmod +x "$2"
`

const start = `{"session_id":"5d0f","transcript_path":"/tmp/t.jsonl","cwd":"/tmp","hook_event_name":"SessionStart",` +
	`"source":"startup"}`

// busybox has all tools built in, and ignores the PATH.
const busybox = "busybox sh"

// eachShell runs f with each shell on this machine that may be /bin/sh somewhere: dash (Debian), bash in its POSIX mode
// (macOS), busybox (Alpine).
func eachShell(t *testing.T, f func(t *testing.T, shell string)) {
	fixture.Long(t, "runs the launcher many times")
	t.Parallel()
	for _, shell := range []string{"dash", "bash --posix", busybox} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			f(t, shell)
		})
	}
}

// inSh runs f with sh alone, for what does not depend on the shell.
func inSh(t *testing.T, f func(t *testing.T, shell string)) {
	fixture.Long(t, "runs the launcher many times")
	t.Parallel()
	f(t, "sh")
}

// each runs f with a plugin under every shell.
func each(t *testing.T, f func(t *testing.T, l launcher)) {
	eachShell(t, func(t *testing.T, shell string) { f(t, under(t, shell)) })
}

// under returns a plugin whose launcher runs under the shell.
func under(t *testing.T, shell string) launcher {
	t.Helper()
	argv := strings.Fields(shell)
	p, err := exec.LookPath(argv[0])
	if err != nil {
		t.Skip("SKIPPED: no such shell: ", err) // ./test.sh names it
	}
	argv[0] = p
	l := launcher{shell: argv, checkout: checkout(t), home: filepath.Join(t.TempDir(), "home of bob")}
	// The client starts the file, and so does the launcher itself: the file's first line names the shell.
	script := string(read(t, l.checkout, "bin/memento"))
	write(t, filepath.Join(l.checkout, "bin/memento"), "#!"+strings.Join(argv, " ")+strings.TrimPrefix(script,
		"#!/bin/sh"))
	return l
}

type launcher struct {
	shell               []string
	checkout, home, bin string // bin is the PATH
	env                 []string
	dir                 string
	as                  *syscall.SysProcAttr // another user, when not nil
}

// slot is the folder in which the launcher keeps its build.
func (l launcher) slot() string {
	return filepath.Join(l.home, ".cache/memento/build", l.checkout)
}

func (l launcher) command(stdin string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(l.checkout, "bin/memento"), args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append([]string{"PATH=" + l.bin, "HOME=" + l.home}, l.env...)
	cmd.Dir = l.dir
	cmd.SysProcAttr = l.as
	return cmd
}

func (l launcher) run(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := l.command(stdin, args...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	// A launcher that reads only what it needs leaves the rest of a long stdin unwritten. That is no failure.
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// hook runs the hook, which exits 0 and prints nothing on stderr, for every input.
func (l launcher) hook(t *testing.T, stdin string) string {
	t.Helper()
	stdout, stderr, code := l.run(t, stdin, "hook")
	if code != 0 || stderr != "" {
		t.Errorf("exit %d, stderr %q; want 0 and nothing", code, stderr)
	}
	return stdout
}

// says checks that the hook told the person want, in one line of the protocol, and only at a session's start.
func (l launcher) says(t *testing.T, want string) {
	t.Helper()
	out := l.hook(t, start)
	var m struct {
		SystemMessage string `json:"systemMessage"`
	}
	if err := json.Unmarshal([]byte(out), &m); err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("%q is not one line of JSON: %v", out, err)
	}
	if !strings.HasPrefix(m.SystemMessage, "memento: ") || !strings.Contains(m.SystemMessage, want) {
		t.Errorf("says %q, want it to contain %q", m.SystemMessage, want)
	}
}

func exists(name string) func() bool {
	return func() bool { _, err := os.Stat(name); return err == nil }
}

func gone(name string) func() bool {
	return func() bool { _, err := os.Stat(name); return os.IsNotExist(err) }
}

func builds(t *testing.T, path string) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path, "builds"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return bytes.Count(data, []byte("\n"))
}

func TestLauncherWithoutGo(t *testing.T) {
	each(t, func(t *testing.T, l launcher) {
		l.bin = path(t, "none")
		before := tree(t, l.checkout)
		l.says(t, "install Go 1.25")
		for name, stdin := range map[string]string{
			"a prompt": `{"session_id":"5d0f","hook_event_name":"UserPromptSubmit",` +
				`"prompt":"fix the login"}`,
			"a prompt that quotes a start": `{"hook_event_name":"UserPromptSubmit","prompt":"why ` +
				`\"hook_event_name\":\"SessionStart\"?"}`,
			"nothing":  "",
			"not JSON": "not json {{{ $(exit 2) `exit 2` ' \"",
			"NULs":     "\x00\x00{\x00}",
			"no UTF-8": "\xff\xfe\x80 ' \\",
			"5 MB": `{"hook_event_name":"UserPromptSubmit","prompt":"` +
				strings.Repeat("all work and no play ", 5<<20/21) + `"}`,
			"a compaction, with spaces": `{ "hook_event_name" : "SessionStart" , "source" : "compact" }`,
		} {
			if out := l.hook(t, stdin); out != "" {
				t.Errorf("%s: printed %q, want nothing", name, out)
			}
		}
		if out := l.hook(t,
			"{\n\t\"hook_event_name\"\r\n:\t\"SessionStart\",\n  \"source\" : \"startup\"\n}\n"); out == "" {
			t.Error("says nothing of a start with other white space")
		}
		stdout, stderr, code := l.run(t, "", "show")
		if code != 1 || stdout != "" || !strings.Contains(stderr, "memento: no binary") ||
			!strings.Contains(stderr, "\nmemento: hint: ") {
			t.Errorf("show: exit %d, stdout %q, stderr %q; want 1, nothing, what and a hint", code, stdout, stderr)
		}
		unchanged(t, l.checkout, before)
	})
}

// TestLauncherSilent: a person who set notify to never is told nothing; the environment comes before the file.
func TestLauncherSilent(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		l := under(t, shell)
		l.bin = path(t, "none")
		config := filepath.Join(l.home, ".claude", ".memento", "config.json")
		for _, c := range []struct {
			file string
			env  []string
			says bool
		}{
			{"", nil, true},
			{"", []string{"MEMENTO_NOTIFY=never"}, false},
			{"{\n  \"remind\": \"always\",\n  \"notify\" : \"never\"\n}\n", nil, false},
			{`{"notify":"never"}`, []string{"MEMENTO_NOTIFY=auto"}, true},
			{`{"notify":"auto","remind":"never"}`, nil, true},
			{`{"notify":"never"}`, []string{"CLAUDE_CONFIG_DIR=" + t.TempDir()}, true},
		} {
			if c.file != "" {
				write(t, config, c.file)
			}
			l.env = c.env
			if out := l.hook(t, start); (out != "") != c.says {
				t.Errorf("%q, %q: says %q", c.file, c.env, out)
			}
		}
		if err := errors.Join(os.Remove(config), syscall.Mkfifo(config, 0o600)); err != nil {
			t.Fatal(err)
		}
		l.env = nil
		waits := time.AfterFunc(5*time.Second, func() {
			t.Error("a hook reads a pipe in the place of the settings")
			if w, err := os.OpenFile(config, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
				w.Close() // the reader goes on
			}
		})
		defer waits.Stop()
		if out := l.hook(t, start); out == "" {
			t.Error("with a pipe in the place of the settings it says nothing")
		}
	})
}

// TestLauncherWithoutStdin: standard input is closed, and no command may wait for it.
func TestLauncherWithoutStdin(t *testing.T) {
	each(t, func(t *testing.T, l launcher) {
		l.bin = path(t, "none")
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", "-c", `exec "$0" hook <&-`, filepath.Join(l.checkout, "bin/memento"))
		cmd.Env = []string{"PATH=" + l.bin, "HOME=" + l.home}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that a process that hangs ends with the test
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
		if out, err := cmd.CombinedOutput(); err != nil || len(out) != 0 {
			t.Errorf("%v, %q; want nothing at all", err, out)
		}
	})
}

// TestLauncherBuildsInTheBackground: the hook ends while the build still runs; then the binary takes the launcher's
// place.
func TestLauncherBuildsInTheBackground(t *testing.T) {
	each(t, func(t *testing.T, l launcher) {
		l.bin = path(t, fakeGo)
		l.dir = t.TempDir()
		hold := filepath.Join(l.bin, "hold")
		write(t, hold, "")
		l.says(t, "being built")
		fixture.Await(t, "the build to begin", func() bool { return builds(t, l.bin) == 1 })
		if !gone(filepath.Join(l.slot(), "memento"))() {
			t.Fatal("the hook waited for the build")
		}
		l.says(t, "being built")
		if err := os.Remove(hold); err != nil {
			t.Fatal(err)
		}
		fixture.Await(t, "the binary", exists(filepath.Join(l.slot(), "memento")))
		fixture.Await(t, "the end of the build", gone(filepath.Join(l.slot(), "lock")))

		dir, err := filepath.EvalSymlinks(l.dir)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := l.hook(t, start), "args: hook\ncwd: "+dir+"\n"+start; got != want {
			t.Errorf("the hook said %q, want the binary's %q", got, want)
		}
		if got, _, _ := l.run(t, "in", "done", "fix the login", "--plan",
			"a  b"); got != "args: done fix the login --plan a  b\ncwd: "+dir+"\nin" {
			t.Errorf("the command said %q", got)
		}
		if n := builds(t, l.bin); n != 1 {
			t.Errorf("built %d times, want once", n)
		}
		if got := files(t, l.slot()); !slices.Equal(got, []string{"log", "memento", "told"}) {
			t.Errorf("the build left %q", got)
		}
		if strings.Contains(string(read(t, l.checkout, "bin/memento")), "plugin/launcher") {
			t.Error("the launcher did not make way")
		}
	})
}

// TestLauncherBreaksAStaleLock: after a killed build, the next session builds again.
func TestLauncherBreaksAStaleLock(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		l := under(t, shell)
		l.bin = path(t, fakeGo)
		lock := filepath.Join(l.slot(), "lock")
		write(t, filepath.Join(l.slot(), ".memento-build.AbCdEf/memento"), "half a binary")
		for _, c := range []struct {
			age  time.Duration
			want int
		}{{9 * time.Minute, 0}, {11 * time.Minute, 1}} {
			if err := os.MkdirAll(lock, 0o755); err != nil {
				t.Fatal(err)
			}
			then := time.Now().Add(-c.age)
			if err := os.Chtimes(lock, then, then); err != nil {
				t.Fatal(err)
			}
			_ = l.command("", "launcher-fetch").Run()
			if n := builds(t, l.bin); n != c.want {
				t.Errorf("a lock of %v: built %d times, want %d", c.age, n, c.want)
			}
		}
		if got := files(t, l.slot()); !slices.Equal(got, []string{"log", "memento"}) {
			t.Errorf("the slot holds %q, want what was left by the killed build to be gone", got)
		}
	})
}

func TestLauncherWhenTheBuildFails(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		l := under(t, shell)
		l.bin = path(t,
			`case $1 in build) echo build >>"${0%/*}/builds"; echo "go.mod requires go >= 1.25.0 `+
				`(GOTOOLCHAIN=$GOTOOLCHAIN)" >&2; exit 2 ;; esac`)
		lock := filepath.Join(l.slot(), "lock")
		l.says(t, "being built")
		fixture.Await(t, "the build to begin", func() bool { return builds(t, l.bin) == 1 })
		fixture.Await(t, "the build to fail", gone(lock))

		// A build on every event would keep the machine busy.
		if out := l.hook(t, `{"hook_event_name":"UserPromptSubmit"}`); !strings.Contains(out,
			`"memento: no binary: building it failed; hint: `) {
			t.Errorf("the prompt after it failed: printed %q", out)
		}
		if out := l.hook(t, `{"hook_event_name":"UserPromptSubmit"}`); out != "" {
			t.Errorf("another prompt: printed %q", out)
		}
		time.Sleep(200 * time.Millisecond) // for a build that should not be to show itself
		if n := builds(t, l.bin); n != 1 {
			t.Errorf("a prompt had it built again")
		}
		_, stderr, code := l.run(t, "", "doctor")
		if code != 1 || !strings.Contains(stderr, "requires go >= 1.25.0 (GOTOOLCHAIN=local)") {
			t.Errorf("doctor: exit %d, stderr %q; want 1 and Go's own words, which must not fetch a toolchain", code,
				stderr)
		}
		fixture.Await(t, "one more try, for doctor", func() bool { return builds(t, l.bin) == 2 })
		fixture.Await(t, "it to fail", gone(lock))
		l.says(t, "failed")
		fixture.Await(t, "one more try, for the session", func() bool { return builds(t, l.bin) == 3 })
		fixture.Await(t, "it to fail", gone(lock))
	})
}

// TestLauncherOutlivesABadBinary: exit code 2 would erase the user's prompt. Go exits with 2 on a fatal error, and so
// does sh when it reads a binary for another platform as a script. Only a binary that runs takes the launcher's place.
func TestLauncherOutlivesABadBinary(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		for _, isPinned := range []bool{false, true} { // a pinned download, or else a build
			p := installed(t, shell).from("http://127.0.0.1:1")
			for _, data := range []string{"", "#!/bin/sh\nexit 2\n", "#!/bin/sh\nexit 64\n", "#!/bin/sh\nkill -9 $$\n",
				"#!/no/such/sh\n", "\x7fELF\x02\x01(((\n"} {
				bin := filepath.Join(p.slot(), "memento")
				if isPinned {
					p.pinned(t, data)
					bin = filepath.Join(p.data, "bin", pin(data)[:16], "memento")
				}
				fixture.Put(t, bin, data, 0o755)
				if _, _, code := p.run(t, start, "hook"); code != 0 {
					t.Errorf("pinned %v, %q: the hook exits %d, want 0", isPinned, data, code)
				}
				if _, _, code := p.run(t, "", "show"); strings.Contains(data, "64") && code != 64 {
					t.Errorf("pinned %v: the command exits %d, want its own 64", isPinned, code)
				}
				if got := files(t, filepath.Join(p.checkout, "bin")); len(got) != 1 ||
					!strings.Contains(string(read(t, p.checkout, "bin/memento")), "plugin/launcher") {
					t.Errorf("pinned %v, %q: it took the launcher's place; bin holds %q", isPinned, data, got)
				}
			}
		}
	})
}

// TestLauncherWithoutHome: HOME is unset, as in a service or a container.
func TestLauncherWithoutHome(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		l := under(t, shell)
		l.bin = path(t, fakeGo)
		unset := l
		unset.home = ""
		unset.env = []string{"XDG_CACHE_HOME=relative"}
		unset.says(t, "set HOME")
		// A cache inside the plugin's folder would change it.
		inside := l
		inside.env = []string{"XDG_CACHE_HOME=" + filepath.Join(l.checkout, "cache")}
		inside.says(t, "nowhere to keep")

		data := filepath.Join(t.TempDir(), "plugin data")
		unset.env = []string{"CLAUDE_PLUGIN_DATA=" + data}
		unset.says(t, "being built")
		bin := filepath.Join(data, "build", l.checkout, "memento")
		fixture.Await(t, "the binary", exists(bin))
		fixture.Await(t, "the end of the build", gone(filepath.Join(filepath.Dir(bin), "lock")))
		if got := unset.hook(t, start); !strings.HasPrefix(got, "args: hook\n") {
			t.Errorf("the hook said %q, want the binary", got)
		}
	})
}

// TestLauncherIsFoundAnyhow starts the launcher by a link, by a relative name, and from its own folder. In a checkout
// it does nothing, and says so.
func TestLauncherIsFoundAnyhow(t *testing.T) {
	each(t, func(t *testing.T, l launcher) {
		l.bin = path(t, fakeGo)
		write(t, filepath.Join(l.checkout, ".git/HEAD"), "ref: refs/heads/main\n")
		before := tree(t, l.checkout)
		l.says(t, "plugin/build DIR")
		links := t.TempDir()
		link(t, filepath.Join(l.checkout, "bin/memento"), filepath.Join(links, "m"))
		for _, c := range []struct{ dir, name string }{
			{links, "./m"},
			{links, filepath.Join(links, "m")},
			{l.checkout, "bin/memento"},
			{filepath.Join(l.checkout, "bin"), "memento"},
			{filepath.Join(l.checkout, "cmd"), "../bin/memento"},
		} {
			cmd := l.command("", "show")
			cmd.Path, cmd.Args = l.shell[0], append(slices.Clone(l.shell), c.name, "show")
			cmd.Dir = c.dir
			cmd.Env = append(cmd.Env, "CDPATH=/")
			out, err := cmd.CombinedOutput()
			if !strings.HasPrefix(string(out), "memento: this is a checkout of memento, and no plugin\n") {
				t.Errorf("%s in %s: %q, %v", c.name, c.dir, out, err)
			}
		}
		unchanged(t, l.checkout, before)
	})
}

// TestLauncherAlone: clients before 2.1.139 leave out a hook's args. Without arguments the launcher is a hook when
// the client sends an event, and else a command.
func TestLauncherAlone(t *testing.T) {
	each(t, func(t *testing.T, l launcher) {
		l.bin = path(t, "none")
		const prompt = `{"hook_event_name":"UserPromptSubmit","prompt":"fix the login"}`
		l.env = []string{"CLAUDE_PROJECT_DIR=/tmp"}
		for _, stdin := range []string{prompt, "", "no event"} {
			if _, stderr, code := l.run(t, stdin); code != 0 || stderr != "" {
				t.Errorf("of %q: exit %d, stderr %q; want 0 and nothing", stdin, code, stderr)
			}
		}
		l.env = nil
		if _, stderr, code := l.run(t, ""); code == 0 || stderr == "" {
			t.Errorf("without a client: exit %d, stderr %q; want a reason", code, stderr)
		}
	})
}
