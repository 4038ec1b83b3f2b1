//go:build unix

package plugin_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/fixture/web"
)

// released stands for the release's binary: it prints its arguments and its input.
const released = "#!/bin/sh\nif [ \"$1\" = fail ]; then exit 64; fi\necho \"args: $*\"\ncat\n"

const prompt = `{"session_id":"5d0f","hook_event_name":"UserPromptSubmit","prompt":"fix the login"}`

func pin(data string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(data))) }

// serve starts the server from which the launcher downloads. It answers with answer, or with the right binary.
func serve(t *testing.T, answer http.HandlerFunc) *web.Server {
	server := web.Serve(t)
	if answer == nil {
		answer = send(released)
	}
	server.Answer("", answer)
	return server
}

func send(data string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(data)) }
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", code) }
}

// plugin is a plugin as the client installs it from git: a copy of the checkout, and a data folder whose path hooks
// get. Both paths hold characters that break careless shell scripts.
type plugin struct {
	launcher
	data string
}

// installed returns a plugin in a folder that is named as the client names it. The launcher runs under the shell and
// finds these tools: curl and sha256sum when none are named.
func installed(t *testing.T, shell string, fetchers ...string) plugin {
	t.Helper()
	l := under(t, shell)
	config := filepath.Join(t.TempDir(), `it's Zoë's "$(exit 2)" \n`)
	p := plugin{launcher: l, data: filepath.Join(config, "plugins/data/memento-mementohq")}
	p.checkout = filepath.Join(config, "plugins/cache/mementohq/memento/0.1.0")
	for _, dir := range []string{filepath.Dir(p.checkout), p.data} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(l.checkout, p.checkout); err != nil {
		t.Fatal(err)
	}
	p.pinned(t, released)
	p.bin = path(t, "none")
	if fetchers == nil {
		fetchers = []string{"curl", "sha256sum"}
	}
	for _, f := range fetchers {
		fixture.Tool(t, p.bin, f)
	}
	return p
}

// pinned writes the checksum of data as the pin of every platform.
func (p plugin) pinned(t *testing.T, data string) {
	t.Helper()
	lines := "# memento 0.1.0\n"
	for _, platform := range []string{"darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64",
		"windows-amd64.exe"} {
		sum := pin(data)
		if strings.HasPrefix(platform, "windows") {
			sum = pin("another")
		}
		lines += sum + "  memento-" + platform + "\n"
	}
	write(t, filepath.Join(p.checkout, "plugin/checksums.txt"), lines)
}

// from makes the launcher download from this address, and passes the data folder, as the client does for a hook.
func (p plugin) from(url string) plugin {
	p.env = append([]string{"MEMENTO_RELEASE_URL=" + url, "CLAUDE_PLUGIN_DATA=" + p.data}, p.env...)
	return p
}

func (p plugin) self() string    { return filepath.Join(p.checkout, "bin/memento") }
func (p plugin) fetched() string { return filepath.Join(p.data, "bin", pin(released)[:16], "memento") }
func (p plugin) slot() string    { return filepath.Join(p.data, "build"+p.checkout) }

// holds reports whether the file at name is the release's binary and can run.
func holds(name string) func() bool {
	return func() bool {
		got, err := os.ReadFile(name)
		i, err2 := os.Stat(name)
		return err == nil && err2 == nil && string(got) == released && i.Mode().Perm() == 0o755
	}
}

// attempt runs f, which must start a search for the binary in the background, and waits for the end of the search.
func (p plugin) attempt(t *testing.T, f func()) {
	t.Helper()
	log, lock := filepath.Join(p.slot(), "log"), filepath.Join(p.slot(), "lock")
	before, _ := os.Stat(log)
	f()
	fixture.Await(t, "an attempt", func() bool {
		now, err := os.Stat(log)
		return err == nil && (before == nil || !now.ModTime().Equal(before.ModTime())) && gone(lock)()
	})
}

// none checks that no file holds a binary or a part of one.
func (p plugin) none(t *testing.T) {
	t.Helper()
	if !strings.Contains(string(read(t, p.checkout, "bin/memento")), "plugin/launcher") {
		t.Error("something took the launcher's place")
	}
	if got := files(t, filepath.Join(p.checkout, "bin")); len(got) != 1 {
		t.Errorf("bin holds %q, want the launcher alone", got)
	}
	for _, f := range files(t, p.data) {
		if base := filepath.Base(f); base != "log" && base != "told" {
			t.Errorf("left behind: %s", f)
		}
	}
}

// settled checks that the whole binary has taken the launcher's place.
func (p plugin) settled(t *testing.T) {
	t.Helper()
	if !holds(p.self())() {
		t.Error("the launcher did not make way for the binary")
	}
}

// serves checks that hooks reach the binary, with their arguments and input.
func (p plugin) serves(t *testing.T) {
	t.Helper()
	in := prompt + "\x00\xff\r\n\n"
	if got := p.hook(t, in); got != "args: hook\n"+in {
		t.Errorf("the hook said %q, want the binary's answer to %q", got, in)
	}
	if got, _, code := p.run(t, "in", "done", "fix  the login", "--plan", "a\nb",
		""); got != "args: done fix  the login --plan a\nb \nin" || code != 0 {
		t.Errorf("the command said %q and exits %d", got, code)
	}
	if _, _, code := p.run(t, "", "fail"); code != 64 {
		t.Errorf("the command exits %d, want the binary's own 64", code)
	}
}

// TestLauncherDownloads: the hook ends before the download does. After the download, hooks start no shell.
func TestLauncherDownloads(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		proceed := make(chan bool)
		server := serve(t, func(w http.ResponseWriter, q *http.Request) { <-proceed; send(released)(w, q) })
		p := installed(t, shell).from(server.URL + "/")
		p.attempt(t, func() {
			p.says(t, "the binary is being downloaded in the background")
			fixture.Await(t, "the download to begin", func() bool { return len(server.Asked()) == 1 })
			p.says(t, "the binary is being downloaded in the background")
			if out := p.hook(t, prompt); out != "" {
				t.Errorf("a prompt: printed %q", out)
			}
			close(proceed)
		})
		p.settled(t)
		p.serves(t)
		if got, want := server.Asked(), "GET /v0.1.0/memento-"+runtime.GOOS+"-"+runtime.GOARCH; len(got) != 1 ||
			got[0] != want {
			t.Errorf("asked for %q, want %s once", got, want)
		}
		if got := files(t, filepath.Join(p.checkout, "bin")); len(got) != 1 {
			t.Errorf("bin holds %q, want the binary alone", got)
		}
		if !holds(p.fetched())() {
			t.Errorf("%s is not there", p.fetched())
		}
		if got, err := os.ReadDir(filepath.Dir(p.fetched())); len(got) != 1 {
			t.Errorf("left behind %v, %v", got, err)
		}
		if !gone(p.home)() {
			t.Errorf("wrote to the home folder: %q", files(t, p.home))
		}
	})
}

// TestLauncherDownloadsWith tries each program that downloads with each program that computes a checksum, and each
// platform.
func TestLauncherDownloadsWith(t *testing.T) {
	fixture.Long(t, "runs the launcher many times")
	t.Parallel()
	for _, c := range []struct {
		uname, platform string
		tools           []string
	}{
		{"Linux x86_64", "linux-amd64", []string{"curl", "sha256sum"}},
		{"Linux amd64", "linux-amd64", []string{"curl", "shasum"}},
		{"Linux aarch64", "linux-arm64", []string{"curl", "openssl"}},
		{"Linux arm64", "linux-arm64", []string{"wget", "sha256sum"}},
		{"Darwin x86_64", "darwin-amd64", []string{"wget", "timeout", "sha256sum"}},
		{"Darwin arm64", "darwin-arm64", []string{"busybox wget", "busybox sha256sum"}},
		{"Linux x86_64", "linux-amd64", []string{"busybox wget", "busybox timeout", "busybox sha256sum"}},
	} {
		t.Run(strings.Join(c.tools, " and "), func(t *testing.T) {
			t.Parallel()
			asset := "/v0.1.0/memento-" + c.platform
			server := serve(t, func(w http.ResponseWriter, q *http.Request) {
				switch q.URL.Path {
				case asset:
					http.Redirect(w, q, "/there"+asset, http.StatusFound)
				case "/there" + asset:
					send(released)(w, q)
				default:
					status(404)(w, q)
				}
			})
			p := installed(t, "sh", c.tools...).from(server.URL)
			p.uname(t, c.uname)
			p.attempt(t, func() { p.hook(t, start) })
			p.settled(t)
			p.serves(t)
		})
	}
}

// TestLauncherTellsWhatFailed: when a download fails, the launcher runs nothing and leaves no file. The next session
// says why and tries again; no hook in between does.
func TestLauncherTellsWhatFailed(t *testing.T) {
	fixture.Long(t, "runs the launcher many times")
	t.Parallel()
	fake := func(script string) []string { return []string{"sha256sum", "#!/bin/sh\n" + script} }
	curl, wget, busybox := []string{"curl", "sha256sum"}, []string{"wget", "sha256sum"},
		[]string{"busybox wget", "sha256sum"}
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		tools  [][]string
		says   string
		whole  bool // what follows a failure is looked at too
	}{
		{"wrong bytes", send("#!/bin/sh\ntouch pwned\n"), [][]string{curl, wget, busybox},
			"is not the pinned binary, and was refused", true},
		{"half of it", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(released)))
			_, _ = w.Write([]byte(released)[:20])
		}, [][]string{curl}, "downloading it failed (curl: (18)", false},
		{"not there", status(404), [][]string{curl, wget, busybox}, "404", true},
		{"sent to a file", func(w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, "file:///bin/sh", http.StatusFound)
		}, [][]string{curl}, "downloading it failed", false},
		{"a full disk", nil,
			[][]string{fake("echo 'curl: (23) Failure writing \"output\" to destination\\' >&2; exit 23")},
			`downloading it failed (curl: (23) Failure writing "output" to destination\)`, true},
	} {
		for i, tools := range c.tools {
			t.Run(c.name+" by "+tools[0], func(t *testing.T) {
				t.Parallel()
				server := serve(t, c.answer)
				var p plugin
				if strings.HasPrefix(tools[1], "#!") {
					p = installed(t, "sh", tools[0])
					write(t, filepath.Join(p.bin, "curl"), tools[1])
				} else {
					p = installed(t, "sh", tools...)
				}
				p = p.from(server.URL)
				p.dir = t.TempDir()
				p.attempt(t, func() { p.says(t, "being downloaded") })
				p.none(t)
				if i > 0 || !c.whole { // the tool's message differs from tool to tool
					p.attempt(t, func() { p.says(t, c.says) })
					p.none(t)
					return
				}
				n := len(server.Asked())
				if out := p.hook(t, prompt); !strings.HasPrefix(out, `{"systemMessage":"memento: `) ||
					strings.Contains(out, "now") {
					t.Errorf("the prompt after it failed: printed %q", out)
				}
				if out := p.hook(t, prompt); out != "" {
					t.Errorf("another prompt: printed %q", out)
				}
				if c.name == "not there" {
					time.Sleep(200 * time.Millisecond) // for a download that should not be to show itself
					if got := len(server.Asked()); got != n {
						t.Errorf("a prompt: asked %d times more", got-n)
					}
				}
				var stderr string
				p.attempt(t, func() {
					var code int
					_, stderr, code = p.run(t, "", "show")
					if code != 1 || !strings.Contains(stderr, c.says) ||
						!strings.Contains(stderr, "\nmemento: hint: ") {
						t.Errorf("show: exit %d, stderr %q; want 1, %q and a hint", code, stderr, c.says)
					}
				})
				p.attempt(t, func() { p.says(t, c.says) })
				if got := len(server.Asked()); got != 3*n {
					t.Errorf("asked %d times, want %d: at two starts and for a command", got, 3*n)
				}
				p.none(t)

				// The command in the hint says what happens, and works once the cause is gone.
				hint := strings.TrimSuffix(stderr[strings.Index(stderr, "hint: ")+6:], "\n")
				hint = hint[:strings.Index(hint, " launcher-fetch")+15]
				if out, code := p.type_(t, hint); code != 1 || !strings.Contains(out, c.says) {
					t.Errorf("%s: exit %d, %q; want 1 and %q", hint, code, out, c.says)
				}
				if c.answer == nil {
					return
				}
				server.Answer("", send(released))
				if out, code := p.type_(t, hint); code != 0 || out != "" {
					t.Errorf("%s: exit %d, %q; want 0 and silence", hint, code, out)
				}
				p.serves(t)
				if got := files(t, p.dir); len(got) != 0 {
					t.Errorf("in the working folder: %q", got)
				}
			})
		}
	}
}

// type_ runs a command line in a shell, as a person does with a hint.
func (p plugin) type_(t *testing.T, line string) (out string, code int) {
	t.Helper()
	cmd := p.command("")
	cmd.Path, cmd.Args = p.shell[0], append(append([]string(nil), p.shell...), "-c", line)
	b, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

// TestLauncherStatusLine: a status line starts the first attempt. After a failure only the next session tries again.
func TestLauncherStatusLine(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		server := serve(t, status(404))
		p := installed(t, shell).from(server.URL)
		line := func() {
			if out, said, code := p.run(t, "{}", "statusline"); out != "" || said != "" || code != 1 {
				t.Errorf("exit %d, printed %q and %q; want 1 and silence", code, out, said)
			}
		}
		p.attempt(t, line)
		for range 3 {
			line()
		}
		server.Answer("", send(released))
		p.attempt(t, func() { p.hook(t, start) })
		if got := server.Asked(); len(got) != 2 {
			t.Errorf("asked for %q, want the binary twice: for the first status line and for the session", got)
		}
		p.settled(t)
	})
}

// TestLauncherOffline: no server answers, or the address is not allowed.
func TestLauncherOffline(t *testing.T) {
	fixture.Long(t, "runs the launcher many times")
	t.Parallel()
	closed := serve(t, nil)
	closed.Close()
	const refused = "MEMENTO_RELEASE_URL is not an https address; hint: unset MEMENTO_RELEASE_URL"
	for _, c := range []struct{ url, tool, says string }{
		{closed.URL, "curl", "downloading it failed"},
		{closed.URL, "wget", "downloading it failed"},
		{closed.URL, "busybox wget", "downloading it failed"},
		{"http://example.com", "curl", refused},
		{"http://127.0.0.1:1@example.com", "curl", refused},
		{"http://127.0.0.1.example.com", "curl", refused},
		{"file:///tmp", "curl", refused},
		{"-o/tmp/x", "curl", refused},
	} {
		t.Run(c.url+" by "+c.tool, func(t *testing.T) {
			t.Parallel()
			p := installed(t, "sh", c.tool, "sha256sum").from(c.url)
			p.env = append(p.env, "http_proxy="+closed.URL) // a forbidden request reaches no server
			p.attempt(t, func() { p.says(t, "being downloaded") })
			p.none(t)
			p.attempt(t, func() { p.says(t, c.says) })
		})
	}
}

// TestLauncherBuildsWhatItCannotDownload: without a download it builds. After a wrong file it builds nothing, because
// a person must know of the file.
func TestLauncherBuildsWhatItCannotDownload(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		for _, c := range []struct {
			name   string
			answer http.HandlerFunc
			tools  []string
			builds int
		}{
			{"not there", status(404), []string{"curl", "sha256sum"}, 1},
			{"nothing to download with", nil, []string{"sha256sum"}, 1},
			{"nothing to check with", nil, []string{"curl"}, 1},
			{"wrong bytes", send("wrong"), []string{"curl", "sha256sum"}, 0},
			{"the right ones", nil, []string{"curl", "sha256sum"}, 0},
		} {
			p := installed(t, shell, c.tools...).from(serve(t, c.answer).URL)
			write(t, filepath.Join(p.bin, "go"), "#!/bin/sh\n"+fakeGo)
			p.attempt(t, func() { p.hook(t, start) })
			if n := builds(t, p.bin); n != c.builds {
				t.Errorf("%s: built %d times, want %d", c.name, n, c.builds)
			}
			if c.name == "wrong bytes" {
				p.attempt(t, func() { p.says(t, "was refused") })
				continue
			}
			if got := p.hook(t, prompt); !strings.HasPrefix(got, "args: hook\n") {
				t.Errorf("%s: the hook said %q, want the binary's answer", c.name, got)
			}
			if strings.Contains(string(read(t, p.checkout, "bin/memento")), "plugin/launcher") {
				t.Errorf("%s: the launcher did not make way", c.name)
			}
		}
	})
}

// TestLauncherWithoutTools: the launcher names the missing tools, once a session, and does nothing else.
func TestLauncherWithoutTools(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		for _, c := range []struct {
			name, uname string
			tools       []string
			says        string
		}{
			{"nothing to download with", "", []string{"sha256sum"}, "neither curl nor wget"},
			{"nothing to check with", "", []string{"curl"}, "no sha256sum, shasum or openssl"},
			{"another system", "FreeBSD amd64", nil, "none to download for FreeBSD amd64"},
			{"another processor", "Linux riscv64", nil, "install Go 1.25"},
			{"Git Bash", "MINGW64_NT-10.0-19045 x86_64", nil, "install.ps1"},
		} {
			server := serve(t, nil)
			p := installed(t, shell, c.tools...).from(server.URL)
			if c.uname != "" {
				p.uname(t, c.uname)
			}
			before := tree(t, p.checkout)
			p.lacks(t, c.says)
			if got := server.Asked(); len(got) != 0 {
				t.Errorf("%s: asked for %q", c.name, got)
			}
			if got := files(t, p.data); len(got) != 1 || filepath.Base(got[0]) != "told" {
				t.Errorf("%s: the data folder holds %q", c.name, got)
			}
			unchanged(t, p.checkout, before)
		}
	})
}

// lacks checks that nothing is run, and that a session's start and a command say why, but no prompt.
func (p plugin) lacks(t *testing.T, why string) {
	t.Helper()
	p.says(t, why)
	if out := p.hook(t, prompt); out != "" {
		t.Errorf("%s: a prompt: printed %q", why, out)
	}
	_, stderr, code := p.run(t, "", "show")
	if code != 1 || !strings.Contains(stderr, why) || !strings.Contains(stderr, "\nmemento: hint: ") {
		t.Errorf("show: exit %d, stderr %q; want 1, %q and a hint", code, stderr, why)
	}
}

// uname makes the launcher believe that it is on another system.
func (p plugin) uname(t *testing.T, says string) {
	t.Helper()
	if err := os.Remove(filepath.Join(p.bin, "uname")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.bin, "uname"), "#!/bin/sh\necho '"+says+"'\n")
}

// TestLauncherFindsWhatIsThere: the launcher takes the binary that came with the plugin, or else an earlier download.
// It runs no file that differs from its pin, and asks the server only when it has no good file.
func TestLauncherFindsWhatIsThere(t *testing.T) {
	const bundled = "bin/" + runtime.GOOS + "-" + runtime.GOARCH + "/memento"
	inSh(t, func(t *testing.T, shell string) {
		for _, c := range []struct {
			name            string
			bundle, fetched string // the content of the files before
			mode            fs.FileMode
			asks            int
		}{
			{"in the bundle, without its run bit", released, "", 0o644, 0},
			{"in the data folder", "", released, 0o755, 0},
			{"in both", released, "#!/bin/sh\ntouch pwned\n", 0o755, 0},
			{"a tampered bundle", "#!/bin/sh\ntouch pwned\n", released, 0o755, 0},
			{"a tampered file in the data folder", "", "#!/bin/sh\ntouch pwned\n" + released, 0o755, 1},
			{"an empty file", "", "", 0o755, 1},
		} {
			server := serve(t, nil)
			p := installed(t, shell).from(server.URL)
			p.dir = t.TempDir()
			for name, data := range map[string]string{filepath.Join(p.checkout, bundled): c.bundle,
				p.fetched(): c.fetched} {
				if data == "" && (name != p.fetched() || c.name != "an empty file") {
					continue
				}
				write(t, name, data)
				if err := os.Chmod(name, c.mode); err != nil {
					t.Fatal(err)
				}
			}
			if c.asks > 0 {
				p.attempt(t, func() { p.hook(t, start) })
			} else if out := p.hook(t, start); out != "args: hook\n"+start {
				t.Errorf("%s: the hook said %q, want the binary's answer", c.name, out)
			}
			p.settled(t)
			p.serves(t)
			if got := server.Asked(); len(got) != c.asks {
				t.Errorf("%s: asked for %q, want %d downloads", c.name, got, c.asks)
			}
			if got := files(t, p.dir); len(got) != 0 {
				t.Errorf("%s: what is not pinned was run", c.name)
			}
		}
	})
}

// TestLauncherWithoutPins: no file without a pin is run, in any folder.
func TestLauncherWithoutPins(t *testing.T) {
	t.Parallel()
	for _, tools := range [][]string{{"curl", "sha256sum"}, {"curl"}} {
		p := installed(t, "sh", tools...).from("http://127.0.0.1:1")
		for _, name := range []string{"build", "checksums.txt"} {
			if err := os.Remove(filepath.Join(p.checkout, "plugin", name)); err != nil {
				t.Fatal(err)
			}
		}
		write(t, filepath.Join(p.data, "bin/memento"), "#!/bin/sh\necho pwned\n")
		write(t, filepath.Join(p.checkout, "bin", runtime.GOOS+"-"+runtime.GOARCH, "memento"), released)
		p.lacks(t, "install the plugin again")
	}
}

// TestLauncherSweepsOldVersions: the launcher removes old versions. Each has 9 MB, and nothing else removes them
// before the plugin is uninstalled.
func TestLauncherSweepsOldVersions(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		p := installed(t, shell).from(serve(t, nil).URL)
		// CLAUDE_PLUGIN_DATA may come from another plugin, so the folder may be that plugin's: other files stay.
		for name, days := range map[string]int{"0123456789abcde1": 29, "0123456789abcde2": 32, "theirs": 32,
			"0123456789abcdex": 32} {
			dir := filepath.Join(p.data, "bin", name)
			write(t, filepath.Join(dir, "memento"), "#!/bin/sh\n")
			then := time.Now().AddDate(0, 0, -days)
			if err := os.Chtimes(dir, then, then); err != nil {
				t.Fatal(err)
			}
		}
		p.attempt(t, func() { p.hook(t, start) })
		p.settled(t)
		got, want := files(t, filepath.Join(p.data, "bin")),
			[]string{"0123456789abcde1/memento", "0123456789abcdex/memento", pin(released)[:16] + "/memento",
				"theirs/memento"}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("bin holds %q, want %q", got, want)
		}
	})
}

// TestLauncherTellsOnce: a person who installs the plugin during a session reads the line at the next prompt, once,
// and once that the download failed. A compaction also starts a session, but repeats no line and tries no download.
func TestLauncherTellsOnce(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		const compact = `{"session_id":"5d0f","hook_event_name":"SessionStart","source":"compact"}`
		for _, c := range []struct {
			name, uname, says string
			asks              int
		}{
			{"a download", "", "being downloaded", 1},
			{"nothing to be had", "Plan9 mips", "none to download for Plan9 mips", 0},
		} {
			server := serve(t, status(404))
			p := installed(t, shell).from(server.URL)
			said := ""
			first := func() { said = p.hook(t, prompt) }
			if c.uname != "" {
				p.uname(t, c.uname)
				first()
			} else {
				p.attempt(t, first)
			}
			if !strings.HasPrefix(said, `{"systemMessage":"memento: `) || !strings.Contains(said, c.says) {
				t.Errorf("%s: the first prompt: said %q, want %q", c.name, said, c.says)
			}
			if c.asks > 0 { // it failed, and nobody knows yet
				if said := p.hook(t, prompt); !strings.Contains(said, "downloading it failed") {
					t.Errorf("%s: the second prompt: said %q", c.name, said)
				}
			}
			for _, in := range []string{prompt, compact, `{"hook_event_name":"Stop"}`} {
				if said := p.hook(t, in); said != "" {
					t.Errorf("%s: %s: said %q", c.name, in, said)
				}
			}
			time.Sleep(200 * time.Millisecond) // for a download that should not be to show itself
			if got := len(server.Asked()); got != c.asks {
				t.Errorf("%s: asked %d times, want %d", c.name, got, c.asks)
			}
		}
	})
}

// unwritable makes the plugin's folder read-only for the launcher. As root, the launcher runs as another user.
func (p plugin) unwritable(t *testing.T) plugin {
	t.Helper()
	if os.Getuid() != 0 {
		if err := os.Chmod(filepath.Join(p.checkout, "bin"), 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Join(p.checkout, "bin"), 0o755) })
		return p
	}
	for _, dir := range []string{p.checkout, p.bin} {
		for ; dir != os.TempDir() && len(dir) > 1; dir = filepath.Dir(dir) {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chown(p.data, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	p.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return p
}

const nobody = 65534

// TestLauncherInAReadOnlyFolder: the binary runs from the data folder, where hooks and the Bash tool both find it.
func TestLauncherInAReadOnlyFolder(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		server := serve(t, nil)
		p := installed(t, shell).from(server.URL).unwritable(t)
		before := tree(t, p.checkout)
		p.attempt(t, func() { p.hook(t, start) })
		p.serves(t)
		bash := p
		bash.env = nil
		bash.serves(t)
		if got := server.Asked(); len(got) != 1 {
			t.Errorf("asked for %q, want one download", got)
		}
		unchanged(t, p.checkout, before)

		if shell == busybox {
			return // busybox computes checksums itself, so the test cannot count them
		}
		// The launcher computes the checksum of a good file once, and not at every hook. After any change of the file
		// it computes it again, even if the file's time is the same. The date command says that the file was not
		// downloaded in this minute.
		write(t, filepath.Join(p.bin, "date"), "#!/bin/sh\necho 24:00\n")
		p.serves(t)
		sums := filepath.Join(p.data, "sums")
		write(t, sums, "")
		if err := os.Chmod(sums, 0o666); err != nil {
			t.Fatal(err)
		}
		sum, err := os.Readlink(filepath.Join(p.bin, "sha256sum"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(p.bin, "sha256sum")); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(p.bin, "sha256sum"), "#!/bin/sh\necho once >>\""+`${MEMENTO_TEST_SUMS}`+"\"\nexec '"+sum+
			"'\n")
		p.env = append(p.env, "MEMENTO_TEST_SUMS="+sums)
		p.serves(t)
		if got, _ := os.ReadFile(sums); len(got) != 0 {
			t.Errorf("summed again: %q", got)
		}
		i, err := os.Stat(p.fetched())
		if err != nil {
			t.Fatal(err)
		}
		bad := strings.Replace(released, "echo \"args", "touch \"pwnd", 1)
		next := p.fetched() + "x"
		write(t, next, bad)
		if err := os.Rename(next, p.fetched()); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p.fetched(), i.ModTime(), i.ModTime()); err != nil {
			t.Fatal(err)
		}
		p.dir = t.TempDir()
		p.attempt(t, func() { p.says(t, "being downloaded") })
		if !holds(p.fetched())() {
			t.Error("the binary was not put right")
		}
		p.serves(t)
	})
}

// TestLauncherSeesEveryChange: ls may show a time only to the minute. The launcher still does not run a file that
// changed within that minute, in place and with the same size, nor the changed target of a link.
func TestLauncherSeesEveryChange(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		for _, linked := range []bool{false, true} {
			p := installed(t, shell).from("http://127.0.0.1:1").unwritable(t)
			name := p.fetched()
			if linked {
				name = filepath.Join(p.data, "there")
				if err := os.MkdirAll(filepath.Dir(p.fetched()), 0o755); err != nil {
					t.Fatal(err)
				}
				link(t, name, p.fetched())
			}
			write(t, name, released)
			if err := os.Chmod(name, 0o755); err != nil {
				t.Fatal(err)
			}
			if p.as != nil {
				if err := os.Chown(name, nobody, nobody); err != nil {
					t.Fatal(err)
				}
			}
			p.serves(t)
			f, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString(strings.Replace(released, "echo \"args", "echo \"bad!", 1)); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			p.attempt(t, func() {
				if out := p.hook(t, prompt); strings.Contains(out, "bad!") {
					t.Fatalf("linked %v: what was changed was run", linked)
				}
			})
		}
	})
}

// TestLauncherNowhereToKeepIt: the plugin's folder and its data folder are read-only.
func TestLauncherNowhereToKeepIt(t *testing.T) {
	t.Parallel()
	for _, there := range []bool{false, true} { // the folder for it
		p := installed(t, "sh").from("http://127.0.0.1:1")
		if there {
			if err := os.MkdirAll(p.slot(), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if p = p.unwritable(t); p.as != nil { // where nobody may write
			if err := os.Chown(p.data, 0, 0); err != nil {
				t.Fatal(err)
			}
		} else {
			for _, dir := range []string{p.data, p.slot()} {
				if err := os.Chmod(dir, 0o555); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
			}
		}
		p.lacks(t, "is not writable")
	}
}

// TestLauncherMayNotRunIt: the right file may not be run, as on a file system mounted noexec.
func TestLauncherMayNotRunIt(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		server := serve(t, nil)
		p := installed(t, shell).from(server.URL).unwritable(t)
		write(t, p.fetched(), released)
		if err := os.Chmod(p.fetched(), 0o644); err != nil {
			t.Fatal(err)
		}
		p.lacks(t, "noexec")
	})
}

// TestLauncherRaces: sessions that start for the first time at the same moment make one download, and every hook
// exits with 0.
func TestLauncherRaces(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		server := serve(t, nil)
		p := installed(t, shell).from(server.URL)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for i := 0; i < 300 && !holds(p.self())(); i++ {
					for _, in := range []string{start, prompt} {
						if out, stderr, code := p.run(t, in, "hook"); code != 0 || stderr != "" ||
							out != "args: hook\n"+in && !strings.HasPrefix(out,
								`{"systemMessage":"memento: the binary is being downloaded`) &&
								(out != "" || in == start) {
							t.Errorf("exit %d, stdout %q, stderr %q", code, out, stderr)
							return
						}
					}
				}
			})
		}
		all.Wait()
		fixture.Await(t, "the end of the download", gone(filepath.Join(p.slot(), "lock")))
		p.settled(t)
		p.serves(t)
		if got := server.Asked(); len(got) != 1 {
			t.Errorf("%d downloads, want one", len(got))
		}
		if got := files(t, filepath.Join(p.checkout, "bin")); len(got) != 1 {
			t.Errorf("bin holds %q, want the binary alone", got)
		}
	})
}

// TestLauncherOutlivesAKill: half a download is never run; a later session removes it and downloads again.
func TestLauncherOutlivesAKill(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		hold := make(chan bool)
		var once sync.Once
		release := func() { once.Do(func() { close(hold) }) }
		defer release()
		server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(strings.Repeat(released, 1000)))
			w.(http.Flusher).Flush()
			<-hold
		})
		p := installed(t, shell).from(server.URL)
		cmd := p.command("", "launcher-fetch")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		half := filepath.Dir(p.fetched())
		fixture.Await(t, "half a file", func() bool {
			all, _ := os.ReadDir(half)
			if len(all) != 1 {
				return false
			}
			i, err := all[0].Info()
			return err == nil && i.Size() > 0
		})
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		release()
		server.Answer("", send(released))
		p.says(t, "being downloaded") // the launcher cannot know better
		if out := p.hook(t, prompt); out != "" {
			t.Errorf("a prompt: printed %q", out)
		}
		lock := filepath.Join(p.slot(), "lock")
		then := time.Now().Add(-11 * time.Minute)
		if err := os.Chtimes(lock, then, then); err != nil {
			t.Fatal(err)
		}
		p.attempt(t, func() { p.says(t, "being downloaded") })
		p.settled(t)
		p.serves(t)
		if all, err := os.ReadDir(half); len(all) != 1 {
			t.Errorf("left behind %v, %v", all, err)
		}
	})
}

// TestLauncherAfterItsRemoval: a plugin that is uninstalled during a download leaves no files. A plugin that the
// client has marked as replaced downloads nothing more.
func TestLauncherAfterItsRemoval(t *testing.T) {
	inSh(t, func(t *testing.T, shell string) {
		hold := make(chan bool)
		server := serve(t, func(w http.ResponseWriter, q *http.Request) { <-hold; send(released)(w, q) })
		p := installed(t, shell).from(server.URL)
		p.hook(t, start)
		fixture.Await(t, "the download to begin", func() bool { return len(server.Asked()) == 1 })
		cmd := p.command("", "launcher-fetch") // it says that the download runs, and ends
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("a second download: %q", out)
		}
		for _, dir := range []string{p.checkout, p.data} {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
		close(hold)
		time.Sleep(500 * time.Millisecond) // for what should not be to show itself
		for _, dir := range []string{p.checkout, p.data, p.home} {
			if !gone(dir)() {
				t.Errorf("%s is back: %q", dir, files(t, dir))
			}
		}

		p = installed(t, shell).from(server.URL)
		write(t, filepath.Join(p.checkout, ".orphaned_at"), "1790000000000")
		if err := os.Remove(p.data); err != nil {
			t.Fatal(err)
		}
		p.lacks(t, "start a new session")
		if !gone(p.data)() {
			t.Errorf("the data folder is back: %q", files(t, p.data))
		}
	})
}
