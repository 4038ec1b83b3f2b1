package install

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// unhurt runs f twice, on a machine without memento and on one with an earlier one, and holds install.sh to leaving either as it was.
func unhurt(t *testing.T, f func(t *testing.T, s *shell, r *release)) {
	each(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		write(t, filepath.Join(s.home, ".claude", "settings.json"), original, 0o640)
		was := tree(t, s.home)
		f(t, s, r)
		same(t, "on a machine without memento", was, tree(t, s.home))

		os.RemoveAll(filepath.Join(s.home, ".claude"))
		r.offer(s, "0.9.0", build("old"))
		s.env, s.path = []string{r.env()}, ""
		s.run(0)
		old, _ := os.Stat(s.bin())
		was = tree(t, s.home)
		r.offer(s, "1.0.0", build("one"))
		f(t, s, r)
		same(t, "on a machine with an earlier one", was, tree(t, s.home))
		if now, err := os.Stat(s.bin()); err != nil || !os.SameFile(old, now) || !now.ModTime().Equal(old.ModTime()) {
			t.Errorf("the earlier binary is not the very file it was: %v", err)
		}
	})
}

func TestScriptDownloadFails(t *testing.T) {
	unhurt(t, func(t *testing.T, s *shell, r *release) {
		gone := newRelease(t)
		gone.Close()
		half := func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "4096")
			io.WriteString(w, build("one")[:40])
		}
		for _, loader := range []string{"curl", "wget", "busybox wget"} {
			s.path = toolbox(t, loader, "sha256sum")
			for name, tt := range map[string]struct {
				want  string
				serve http.HandlerFunc
			}{
				"not found":      {"memento: download: " + r.URL + "/v1.0.0/" + asset + ": ", http.NotFound},
				"forbidden":      {"memento: download: ", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) }},
				"cut short":      {"memento: ", half}, // busybox's wget does not notice, the checksum does
				"another binary": {"has a wrong checksum", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, build("two")) }},
				"one bit of it":  {"has a wrong checksum", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, build("one")+"\n") }},
				"a login page":   {"has a wrong checksum", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>Who are you?</html>") }},
				"nothing":        {"has a wrong checksum", func(http.ResponseWriter, *http.Request) {}},
			} {
				r.does("1.0.0", asset, tt.serve)
				s.env = []string{r.env()}
				s.run(1)
				if !strings.Contains(s.err, tt.want) {
					t.Errorf("%s, %s: said %q", loader, name, s.err)
				}
			}
			s.env = []string{gone.env()}
			s.run(1)
			s.says("memento: download: " + gone.URL + "/v1.0.0/" + asset + ": ")
			s.says("\nmemento: hint: see that MEMENTO_RELEASE_URL is the address of a mirror that has 1.0.0, or unset it\n")
		}
		if s.standalone() {
			return // its wget would go past the proxy
		}
		s.path, s.env = toolbox(t, "curl", "sha256sum"), []string{"https_proxy=" + gone.URL}
		s.run(1)
		s.says("\nmemento: hint: see that this machine is online (https_proxy names a proxy, MEMENTO_RELEASE_URL a mirror)")
	})
}

// TestScriptBinaryFails: what was downloaded is what was released, and is of no use here all the same.
func TestScriptBinaryFails(t *testing.T) {
	unhurt(t, func(t *testing.T, s *shell, r *release) {
		for fails, want := range map[string]string{
			"version.one=fail": "memento: install: the new binary does not run in " + filepath.Dir(s.bin()),
			"version.one=die":  "memento: install: the new binary does not run in " + filepath.Dir(s.bin()),
			"install.one=fail": "memento: install: it was told to fail\nmemento: install: wiring failed, so the ",
			"install.one=die":  "memento: install: wiring failed, so the ",
			"doctor.one=fail":  "memento: doctor: it was told to fail\nmemento: doctor: the check found something, so the ",
			"doctor.one=die":   "memento: doctor: the check found something, so the ",
		} {
			s.env, s.path = []string{r.env(), "FAKE=" + fails}, toolbox(t, "curl", "sha256sum")
			s.run(1)
			s.says(want)
			s.run(1, "--scope", "project")
		}
		s.env = []string{r.env()}
		for _, text := range []string{"", "\x7fELF of another machine", "github.com/mementohq/memento/cmd/memento"} {
			r.offer(s, "1.0.0", text)
			s.run(1)
			s.says("memento: install: the new binary does not run in ")
		}
	})
}

// TestScriptInterrupted: whoever ends it, and whenever.
func TestScriptInterrupted(t *testing.T) {
	hear(t, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	unhurt(t, func(t *testing.T, s *shell, r *release) {
		for name, code := range map[string]int{"HUP": 129, "INT": 130, "QUIT": 131, "PIPE": 141, "TERM": 143} {
			for _, verb := range []string{"version", "install", "doctor"} {
				s.env = []string{r.env(), "FAKE=" + verb + ".one=" + name}
				s.run(code)
				if told := strings.Contains(s.err, "memento: install: interrupted, so what was changed is put back"); told != (verb != "version") {
					t.Errorf("%s, %s: said %q", verb, name, s.err)
				}
			}
		}
		for _, loader := range []string{"curl", "wget", "busybox wget"} {
			s.path = toolbox(t, loader, "sha256sum")
			for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
				asked, left := make(chan bool, 1), make(chan bool)
				r.does("1.0.0", asset, func(w http.ResponseWriter, req *http.Request) {
					w.Header().Set("Content-Length", "4096")
					io.WriteString(w, build("one")[:40])
					w.(http.Flusher).Flush()
					asked <- true
					select {
					case <-req.Context().Done(): // the loader is gone
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
			}
		}
	})
}

// hear gives what the test starts each signal's default action. Whoever runs the tests with nohup, or in the background of a
// script, ignores some of them; a shell inherits that, and cannot trap them any more.
func hear(t *testing.T, signals ...os.Signal) {
	for _, s := range signals {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
			t.Cleanup(func() { signal.Reset(s) })
		}
	}
}

// TestScriptUnheard: whoever reads what it says stops reading, as head -1 does.
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

// TestScriptDiskFails: each tool that writes fails half-way, as on a disk that is full.
func TestScriptDiskFails(t *testing.T) {
	unhurt(t, func(t *testing.T, s *shell, r *release) {
		if s.standalone() {
			return // its tools are its own
		}
		full := "echo \"${0##*/}: No space left on device\" >&2; exit 1"
		for _, tool := range []string{
			`curl: while [ "$1" != -o ]; do shift; done; echo half >"$2"; echo "curl: (23) Failure writing output" >&2; exit 23`,
			`cp: for to; do :; done; echo half >"$to"; ` + full, "mktemp: " + full, "mkdir: " + full, "mv: " + full, "chmod: " + full,
		} {
			name, _, _ := strings.Cut(tool, ":")
			if _, err := os.Stat(s.bin()); err == nil && name == "mkdir" {
				continue // it has nothing to do when there is an earlier one
			}
			s.path = toolbox(t, "curl", "sha256sum", tool)
			cmd, done := s.command()
			var errs bytes.Buffer
			cmd.Stderr = &errs
			var exit *exec.ExitError
			if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("with %s: %v", tool, err)
			}
			if !strings.Contains(errs.String(), "No space left") && !strings.Contains(errs.String(), "could not be written to") {
				t.Errorf("with %s: said %q", tool, errs.String())
			}
			done()
		}
	})
}

// TestScriptLeavesOthersWork: what another program wrote into the settings after they were wired is not ours to undo.
func TestScriptLeavesOthersWork(t *testing.T) {
	each(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		path := filepath.Join(s.home, ".claude", "settings.json")
		write(t, path, original, 0o640)
		r.offer(s, "1.0.0", strings.Replace(build("one"), "case $1 in\n", "case $1 in\ndoctor) echo theirs >\"$config/settings.json\"; exit 1 ;;\n", 1))
		s.run(1)
		s.says("memento: install: " + path + " was changed by another program meanwhile, and stays as it is now")
		if got := read(t, path); got != "theirs\n" {
			t.Errorf("%s holds %q", path, got)
		}
	})
}

// TestScriptFollowsLink: settings.json is often a link into somebody's dotfiles, and stays one when it is put back.
func TestScriptFollowsLink(t *testing.T) {
	each(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		write(t, filepath.Join(s.home, "dot files", "settings.json"), original, 0o640)
		if err := os.Mkdir(filepath.Join(s.home, ".claude"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("../dot files/settings.json", filepath.Join(s.home, ".claude", "settings.json")); err != nil {
			t.Fatal(err)
		}
		was := tree(t, s.home)
		s.env = []string{r.env(), "FAKE=doctor.one=fail"}
		s.run(1)
		same(t, "a check that fails", was, tree(t, s.home))
	})
}

// TestScriptCutShort: a download that ends early runs nothing, wherever it ends; not even main, without the options it was given.
func TestScriptCutShort(t *testing.T) {
	each(t, func(t *testing.T, s *shell) {
		r := offered(t, s)
		whole, was := s.text, tree(t, s.home)
		call := strings.LastIndex(whole, `main "$@"`)
		var ends []int
		for n := call - 2; n < call+len(`main "$@"`); n++ {
			ends = append(ends, n)
		}
		for n := 97; n < call; n += len(whole) / 60 {
			ends = append(ends, n)
		}
		for _, n := range ends {
			s.text = whole[:n]
			cmd, done := s.command("--version")
			cmd.Run() // what a shell thinks of half a script is its own affair
			done()
			if asked := r.requests(); asked != "" {
				t.Errorf("cut at %d of %d it asked for %q", n, len(whole), asked)
			}
		}
		same(t, "cut short", was, tree(t, s.home))
	})
}
