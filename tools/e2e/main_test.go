package e2e

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pinned lists the client's releases on which ./test.sh runs these tests: the newest one, which runs all tests, the
// first one that starts a hook without a shell, and the oldest one that memento supports. Another release may run the
// tests; then a message names it.
//
//go:embed clients.txt
var pinned string

var (
	claude  string // path of the client, "" without one
	bundle  string // the plugin as a person installs it
	scratch string // a folder that is removed at the end
	silent  bool   // the client does not report hooks
	shells  bool   // the client runs a hook's command in a shell, without its args
)

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	claude = os.Getenv("MEMENTO_CLIENT")
	if claude == "" {
		if os.Getenv("MEMENTO_REQUIRE_CLIENT") == "1" {
			fmt.Fprintln(os.Stderr, "memento: end to end: MEMENTO_REQUIRE_CLIENT=1, and MEMENTO_CLIENT names no client")
			return 1
		}
		fmt.Fprintln(os.Stderr,
			"memento: SKIPPED: every test on the real client: MEMENTO_CLIENT names no `claude` binary")
		fmt.Fprintln(os.Stderr, "memento: hint: ./test.sh")
		return m.Run()
	}
	top, err := os.MkdirTemp("", "memento-bundle-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "memento: end to end:", err)
		return 1
	}
	defer os.RemoveAll(top)
	scratch = top
	if claude, err = direct(claude); err != nil {
		fmt.Fprintln(os.Stderr, "memento: end to end:", err)
		return 1
	}
	probe := exec.Command(claude, "--version")
	probe.Env = []string{"HOME=" + top}
	version, err := probe.Output()
	if err != nil {
		fmt.Fprintf(os.Stderr, "memento: end to end: running %s --version: %v\n", claude, err)
		return 1
	}
	if number, _, _ := strings.Cut(string(version), " "); !slices.Contains(strings.Fields(pinned), number) {
		fmt.Fprintf(os.Stderr, "memento: end to end: the client is %s, not one of %s\n", bytes.TrimSpace(version),
			strings.Fields(pinned))
	}
	help := exec.Command(claude, "--help")
	help.Env = probe.Env
	options, err := help.Output()
	if err != nil {
		fmt.Fprintf(os.Stderr, "memento: end to end: running %s --help: %v\n", claude, err)
		return 1
	}
	shells = older(string(version), "2.1.139")
	silent = !bytes.Contains(options, []byte("--include-hook-events"))
	if bundle = os.Getenv("MEMENTO_BUNDLE"); bundle != "" {
		return m.Run() // a bundle that was built before, such as a release's
	}
	// A space in the path, as in many a person's HOME, so that a missing quotation mark shows.
	bundle = filepath.Join(top, "My Plugins", "memento")
	if shells { // a shell splits the path
		bundle = filepath.Join(top, "plugins", "memento")
	}
	if err := build(bundle); err != nil {
		fmt.Fprintln(os.Stderr, "memento: end to end: building the plugin:", err)
		return 1
	}
	return m.Run()
}

// direct returns a program that runs the client without node on PATH. An older client is a script for node.
func direct(client string) (string, error) {
	if !script(client) {
		return client, nil
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return "", fmt.Errorf("running %s: %w", client, err)
	}
	path := filepath.Join(scratch, "claude")
	return path, os.WriteFile(path, []byte("#!/bin/sh\nexec '"+node+"' '"+client+"' \"$@\"\n"), 0o755)
}

// older reports whether version a is before version b. Each is three numbers; text behind them does not count.
func older(a, b string) bool {
	var x, y [3]int
	_, _ = fmt.Sscanf(a, "%d.%d.%d", &x[0], &x[1], &x[2])
	_, _ = fmt.Sscanf(b, "%d.%d.%d", &y[0], &y[1], &y[2])
	return slices.Compare(x[:], y[:]) < 0
}

// build makes the installable plugin in dir, the way a release does.
func build(dir string) error {
	root := filepath.Join("..", "..")
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	cmd := exec.Command(filepath.Join(root, "plugin", "build"), dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("plugin/build: %w\n%s", err, out)
	}
	return nil
}

// memento returns the path of the bundle's command.
func memento() string { return command(bundle) }

// world is one person's machine: a HOME, a repository, a shell. Everything in it is temporary.
type world struct {
	t    *testing.T
	home string
	dir  string // the repository "paymentd"
	temp string
	path string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	if claude == "" {
		t.Skip("MEMENTO_CLIENT names no client")
	}
	t.Parallel()
	// Not t.TempDir: the client keeps sockets in the folder, and a socket's path must be short.
	top, err := os.MkdirTemp("", "me2e-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() && os.Getenv("MEMENTO_KEEP") == "1" {
			t.Logf("kept: %s", top)
			return
		}
		os.RemoveAll(top)
	})
	w := &world{t: t, home: filepath.Join(top, "home"), dir: filepath.Join(top, "paymentd"),
		temp: filepath.Join(top, "tmp")}
	for _, dir := range []string{w.home, w.dir, w.temp} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.path = tools(t)
	w.shell("git", "init", "-q")
	w.shell("git", "remote", "add", "origin", "https://git.example.com/shop/paymentd.git")
	return w
}

// tools returns a PATH with the tools that a session needs. A memento may be on it by chance.
func tools(t *testing.T) string {
	t.Helper()
	var dirs []string
	for _, name := range []string{"git", "sh", "bash"} {
		found, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if dir := filepath.Dir(found); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return strings.Join(append(dirs, "/usr/bin", "/bin"), string(os.PathListSeparator))
}

// shell runs a command as the person would in a terminal, in the repository, and returns its output.
func (w *world) shell(name string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = w.dir
	cmd.Env = []string{"PATH=" + w.path, "HOME=" + w.home, "USER=alice", "TMPDIR=" + w.temp}
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// journal returns the path of this repository's journal, "" when there is none yet.
func (w *world) journal() string {
	found, _ := filepath.Glob(filepath.Join(Store(w.home), "paymentd--*.json"))
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// read returns the text of that journal.
func (w *world) read() string {
	w.t.Helper()
	path := w.journal()
	if path == "" {
		w.t.Fatalf("no journal, or more than one, in %s: %v", Store(w.home), names(Store(w.home)))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

func names(dir string) []string {
	var out []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// seats limits the clients that run at once to two: each one needs a core and some 300 MB.
var seats = make(chan struct{}, 2)

// run runs one session with the plugin and checks what every session must show: the client ends well, no hook fails
// or prints an error, and every prompt reaches the model and is answered.
func (w *world) run(s Session) *Result {
	w.t.Helper()
	s.Args = append(s.Args, "--plugin-dir", bundle)
	return w.bare(s)
}

// bare is run without the plugin.
func (w *world) bare(s Session) *Result {
	w.t.Helper()
	s.Client, s.Home, s.Dir, s.Temp, s.Quiet = claude, w.home, w.dir, w.temp, silent
	if s.Path == "" {
		s.Path = w.path
	}
	seats <- struct{}{}
	r, err := s.Run()
	<-seats
	if r == nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if w.t.Failed() {
			w.t.Log(r.trace())
		}
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if r.Exit != 0 {
		w.t.Errorf("the client exited %d: %s", r.Exit, r.Stderr)
	}
	for _, fault := range r.Faults() {
		w.t.Errorf("a hook failed: %s", fault)
	}
	for _, e := range r.Errors {
		w.t.Errorf("a prompt was answered with an error: %s", e)
	}
	if r.Results < len(s.Prompts) {
		w.t.Errorf("%d of %d prompts answered", r.Results, len(s.Prompts))
	}
	for _, prompt := range s.Prompts {
		if !strings.HasPrefix(prompt, "/") &&
			!slices.ContainsFunc(r.Of(Main), func(q Request) bool { return strings.Contains(q.Tail(), prompt) }) {
			w.t.Errorf("the prompt never reached the model: %q", prompt)
		}
	}
	return r
}

// trace returns the run in a few lines, for the log of a test that failed.
func (r *Result) trace() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the run: sessions %v\n", r.Sessions)
	for _, q := range r.Requests {
		fmt.Fprintf(&b, "  request %-8s %.150q\n", q.Kind, q.Tail())
	}
	for _, h := range r.Hooks {
		fmt.Fprintf(&b, "  hook %-20s exit %d %s %q\n", h.Name, h.Exit, h.Outcome, h.Stdout)
	}
	for _, x := range r.Tools {
		fmt.Fprintf(&b, "  tool %-6s %s failed=%t denied=%t %.100q\n", x.Name, x.Input, x.Failed, x.Denied, x.Output)
	}
	for _, d := range r.Dialogs {
		fmt.Fprintf(&b, "  dialog %s %s\n", d.Tool, d.Input)
	}
	return b.String()
}

// one returns the only text in all, and fails the test when there is not exactly one.
func one(t *testing.T, what string, all []string) string {
	t.Helper()
	if len(all) != 1 {
		t.Fatalf("%s: %d texts, not 1: %q", what, len(all), all)
	}
	return all[0]
}

// want fails the test unless text has each of the parts.
func want(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %q:\n%s", what, part, text)
		}
	}
}

// never fails the test if text has any of the parts.
func never(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%s has %q:\n%s", what, part, text)
		}
	}
}

// last returns the newest request of the main model.
func last(t *testing.T, r *Result) Request {
	t.Helper()
	all := r.Of(Main)
	if len(all) == 0 {
		t.Fatal("the main model was never asked")
	}
	return all[len(all)-1]
}

// lines returns the number of lines in a text.
func lines(text string) int { return strings.Count(strings.TrimSpace(text), "\n") + 1 }

// quiet fails the test if a run showed the person a dialog.
func quiet(t *testing.T, r *Result) {
	t.Helper()
	for _, d := range r.Dialogs {
		t.Errorf("a dialog was shown: %s %s", d.Tool, d.Input)
	}
}

func like(t *testing.T, what, text, pattern string) {
	t.Helper()
	if !regexp.MustCompile(pattern).MatchString(text) {
		t.Errorf("%s does not match %s:\n%s", what, pattern, text)
	}
}

// local copies the binary to the place where an install script puts it, and returns its path.
func (w *world) local() string {
	w.t.Helper()
	path := filepath.Join(w.home, ".local", "bin", "memento")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	// cp writes the file: if this process wrote it, another test's new process could hold it open for writing
	w.shell("cp", memento(), path)
	return path
}
