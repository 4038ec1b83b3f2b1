package install

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// unhurt runs f twice under sh, on a machine without memento and on one with an earlier version. The test fails if
// install.sh changes either.
func unhurt(t *testing.T, f func(t *testing.T, s *shell, r *release)) {
	once(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		fixture.Put(t, filepath.Join(s.home, ".claude", "settings.json"), original, 0o640)
		was := fixture.Tree(t, s.home)
		f(t, s, r)
		fixture.Same(t, "on a machine without memento", was, fixture.Tree(t, s.home))

		os.RemoveAll(filepath.Join(s.home, ".claude"))
		r.offer(s, "0.9.0", build("old"))
		s.env, s.path = []string{r.env()}, ""
		s.run(0)
		old, _ := os.Stat(s.bin())
		was = fixture.Tree(t, s.home)
		r.offer(s, "1.0.0", build("one"))
		f(t, s, r)
		fixture.Same(t, "on a machine with an earlier one", was, fixture.Tree(t, s.home))
		if now, err := os.Stat(s.bin()); err != nil || !os.SameFile(old, now) || !now.ModTime().Equal(old.ModTime()) {
			t.Errorf("the earlier binary is not the very file it was: %v", err)
		}
	})
}

// fault is a failure while install.sh runs, and the message about it. The machine must then be as it was.
type fault struct {
	name   string
	tools  []string         // on the PATH, beside those that every machine has; nil: all of this machine's
	answer http.HandlerFunc // the server's, in place of the binary
	binary *string          // the released file, in place of a binary that works
	env    []string
	code   int    // 0: 1
	says   string // {URL}, {FILE} and {BIN} are the release, its binary and the folder that it is installed in
	first  bool   // the same with an earlier version, which install.sh has not touched yet
	bare   bool   // the message is the system's, without a hint
}

// faults is the table of all faults. No server answers at the address gone.
func faults(gone string) (all []fault) {
	for _, loader := range []string{"curl", "wget", "busybox wget"} {
		tools := []string{loader, "sha256sum"}
		all = append(all,
			fault{name: "not found", tools: tools, answer: http.NotFound, says: "memento: download: {URL}/{FILE}: "},
			// busybox's wget does not notice that the file is cut; the checksum shows it
			fault{name: "cut short", tools: tools, says: "memento: ",
				answer: func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Length", "4096")
					io.WriteString(w, build("one")[:40])
				}},
			fault{name: "another binary", tools: tools, says: "has a wrong checksum",
				answer: func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, build("two")) }},
			fault{name: "nobody answers", tools: tools, env: []string{"MEMENTO_RELEASE_URL=" + gone},
				says: "\nmemento: hint: see that MEMENTO_RELEASE_URL is the address of a mirror that has 1.0.0, " +
					"or unset it\n"})
	}
	all = append(all, fault{name: "offline", tools: []string{"curl", "sha256sum"},
		env: []string{"MEMENTO_RELEASE_URL=", "https_proxy=" + gone},
		says: "\nmemento: hint: see that this machine is online (https_proxy names a proxy, MEMENTO_RELEASE_URL a " +
			"mirror)"})

	for i := range all {
		all[i].first = true
	}

	// The download is the released file, but the file does not run here.
	all = append(all,
		fault{name: "it does not run", env: []string{"FAKE=version.one=fail"},
			says: "memento: install: the new memento does not run in {BIN}"},
		fault{name: "it does not pass", env: []string{"FAKE=install.one=fail"},
			says: "memento: install: wiring and checking it failed, so the "})
	for signal, code := range map[string]int{"HUP": 129, "INT": 130, "QUIT": 131, "PIPE": 141, "TERM": 143} {
		all = append(all, fault{name: signal, env: []string{"FAKE=version.one=" + signal}, code: code})
	}
	for _, released := range []string{"", "\x7fELF of another machine"} {
		all = append(all, fault{name: fmt.Sprintf("released is %q", released), binary: &released,
			says: "memento: install: the new memento does not run in {BIN}"})
	}

	// Each tool that writes fails half-way, as on a full disk.
	full := "echo \"${0##*/}: No space left on device\" >&2; exit 1"
	for name, does := range map[string]string{
		"curl": `while [ "$1" != -o ]; do shift; done; echo half >"$2"; echo "curl: (23) Failure writing output" ` +
			`>&2; exit 23`,
		"mktemp": full, "mkdir": full, "mv": full, "chmod": full,
	} {
		f := fault{name: name + " on a full disk", tools: []string{"curl", "sha256sum", name + ": " + does},
			says: "No space left", bare: true}
		f.first = name == "mkdir" // mkdir has nothing to do when there is an earlier version
		if name == "curl" {
			f.says = "could not be written to"
		}
		all = append(all, f)
	}
	return all
}

func TestScriptFaults(t *testing.T) {
	hear(t, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	gone := newRelease(t)
	gone.Close()
	unhurt(t, func(t *testing.T, s *shell, r *release) {
		_, err := os.Stat(s.bin())
		was := fixture.Tree(t, s.home)
		for _, f := range faults(gone.URL) {
			if f.first && err == nil {
				continue
			}
			r.offer(s, "1.0.0", build("one"))
			if f.binary != nil {
				r.offer(s, "1.0.0", *f.binary)
			}
			if f.answer != nil {
				r.does("1.0.0", asset, f.answer)
			}
			if s.path = ""; f.tools != nil {
				s.path = toolbox(t, f.tools...)
			}
			s.env = append([]string{r.env()}, f.env...)
			s.call()
			says := strings.NewReplacer("{URL}", r.URL, "{FILE}", "v1.0.0/"+asset, "{BIN}",
				filepath.Dir(s.bin())).Replace(f.says)
			if !strings.Contains(s.err, says) || s.code != cmp.Or(f.code, 1) ||
				!f.bare && f.code == 0 && !strings.Contains(s.err, "memento: hint: ") {
				t.Errorf("%s: exit %d, said %q; want %d and %q", f.name, s.code, s.err, cmp.Or(f.code, 1), says)
			}
			fixture.Same(t, f.name, was, fixture.Tree(t, s.home))
		}
	})
}

// TestScriptInterrupted: a signal ends install.sh during the download.
func TestScriptInterrupted(t *testing.T) {
	hear(t, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	each(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		was := fixture.Tree(t, s.home)
		for _, loader := range []string{"curl", "wget"} {
			s.path = toolbox(t, loader, "sha256sum")
			for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
				asked, left := make(chan bool, 1), make(chan bool)
				r.does("1.0.0", asset, func(w http.ResponseWriter, req *http.Request) {
					w.Header().Set("Content-Length", "4096")
					io.WriteString(w, build("one")[:40])
					w.(http.Flusher).Flush()
					asked <- true
					select {
					case <-req.Context().Done(): // the client has closed the connection
					case <-time.After(time.Minute):
						t.Errorf("%s, %v: still loading", loader, signal)
					}
					close(left)
				})
				s.env = []string{r.env()}
				cmd, done := s.command()
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				<-asked
				if err := cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				err := cmd.Wait()
				if got := cmd.ProcessState.ExitCode(); got != 128+int(signal) {
					t.Errorf("%s, %v: exit %d, %v", loader, signal, got, err)
				}
				<-left
				done()
				fixture.Same(t, "interrupted", was, fixture.Tree(t, s.home))
			}
		}
	})
}

// hear makes a child process react to these signals. When somebody runs the tests with nohup, or in the background of
// a script, some signals are ignored; a shell inherits that and cannot trap them.
func hear(t *testing.T, signals ...os.Signal) {
	for _, s := range signals {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
			t.Cleanup(func() { signal.Reset(s) })
		}
	}
}

// TestScriptKilled: the binary is killed after it has wired itself. No settings name a missing binary.
func TestScriptKilled(t *testing.T) {
	once(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		was := fixture.Tree(t, s.home)
		s.env = []string{r.env(), "FAKE=install.one=die"}
		s.run(1)
		fixture.Same(t, "it was killed", was, fixture.Tree(t, s.home))
	})
}

// TestScriptUnheard: the reader of install.sh's output stops reading, as head -1 does.
func TestScriptUnheard(t *testing.T) {
	unhurt(t, func(t *testing.T, s *shell, r *release) {
		s.env = []string{r.env()}
		cmd, done := s.command()
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		reader.Close()
		defer writer.Close()
		cmd.Stdout = writer
		if err := cmd.Run(); err == nil {
			t.Error("exit 0, and nobody was told what it did")
		}
		done()
	})
}

// TestScriptCutShort: when the download of the script ends early, at any byte, the shell runs nothing; not even main
// without the options it was given.
func TestScriptCutShort(t *testing.T) {
	each(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		whole, was := s.text, fixture.Tree(t, s.home)
		call := strings.LastIndex(whole, `main "$@"`)
		var ends []int
		for n := call - 2; n < call+len(`main "$@"`); n++ {
			ends = append(ends, n)
		}
		for n := 97; n < call; n += len(whole) / 8 {
			ends = append(ends, n)
		}
		for _, n := range ends {
			s.text = whole[:n]
			cmd, done := s.command("--version")
			cmd.Run() // the shell may report an error in half a script
			done()
			if asked := r.requests(); asked != "" {
				t.Errorf("cut at %d of %d it asked for %q", n, len(whole), asked)
			}
		}
		fixture.Same(t, "cut short", was, fixture.Tree(t, s.home))
	})
}
