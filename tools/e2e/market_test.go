package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/fixture/web"
)

// newer is the version of the second release in these tests.
const newer = "99.1.0"

// released is a release: its version, its sources from git without tests, and its bundle.
type released struct{ version, tree, bundle string }

var (
	madeOnce sync.Once
	madeErr  error
	made     [2]released
)

// releases makes the release of this checkout and a newer one, once for all tests. Tests share them, so copy a
// release before you change it.
func releases(t *testing.T) (now, next released) {
	t.Helper()
	madeOnce.Do(func() { madeErr = release() })
	if madeErr != nil {
		t.Fatal(madeErr)
	}
	return made[0], made[1]
}

func release() error {
	manifest, err := os.ReadFile(filepath.Join("..", "..", ".claude-plugin", "plugin.json"))
	if err != nil {
		return err
	}
	var plugin struct{ Version string }
	if err := json.Unmarshal(manifest, &plugin); err != nil {
		return err
	}
	made[0] = released{plugin.Version, filepath.Join(scratch, "now"), bundle}
	made[1] = released{newer, filepath.Join(scratch, "next"), filepath.Join(scratch, "bundle")}
	for _, r := range made {
		if err := sources(r.tree); err != nil {
			return fmt.Errorf("copying the sources: %w", err)
		}
	}
	for _, file := range []string{"internal/cli/version.go", ".claude-plugin/plugin.json",
		".claude-plugin/marketplace.json", "plugin/checksums.txt"} {
		if err := edit(filepath.Join(made[1].tree, file),
			regexp.MustCompile(`\b`+regexp.QuoteMeta(plugin.Version)+`\b`), newer); err != nil {
			return err
		}
	}
	cmd := exec.Command(filepath.Join(made[1].tree, "plugin", "build"), made[1].bundle)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("plugin/build of the newer version: %w\n%s", err, out)
	}
	for _, r := range made {
		data, err := os.ReadFile(command(r.bundle))
		if err != nil {
			return err
		}
		if err := pin(r.tree, asset(), sum(data)); err != nil {
			return err
		}
	}
	return nil
}

// binary returns the release's binary for this machine.
func (r released) binary(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(command(r.bundle))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// command returns the path of the binary in a bundle. A release's bundle, for several platforms, has a launcher at
// bin/memento.
func command(bundle string) string {
	if path := filepath.Join(bundle, "bin", runtime.GOOS+"-"+runtime.GOARCH, "memento"); fixture.Exists(path) {
		return path
	}
	return filepath.Join(bundle, "bin", "memento")
}

// sources copies the repository's sources to dir, without the tests. It selects the files by their names.
func sources(dir string) error {
	root := filepath.Join("..", "..")
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && (name == ".git" || name == "testdata" || name == "oracle"):
			return filepath.SkipDir
		case name == ".git": // in a worktree it is a file
			return nil
		case d.IsDir():
			return os.MkdirAll(filepath.Join(dir, rel), 0o755)
		case !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, rel), data, info.Mode().Perm())
	})
}

// edit replaces every match in a file, and fails when there is none.
func edit(path string, what *regexp.Regexp, with string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !what.Match(data) {
		return fmt.Errorf("%s has no %s", path, what)
	}
	return os.WriteFile(path, what.ReplaceAll(data, []byte(with)), 0o644)
}

func asset() string { return "memento-" + runtime.GOOS + "-" + runtime.GOARCH }

// pin writes the checksum of a release's asset into a tree.
func pin(tree, asset, sum string) error {
	return edit(filepath.Join(tree, "plugin", "checksums.txt"), regexp.MustCompile(`(?m)^[0-9a-f]{64}  `+asset+`$`),
		sum+"  "+asset)
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// market is a git marketplace on loopback: a repository served over http, as a git host serves it. The client accepts
// neither a path nor a file:// address (client 2.1.329).
type market struct {
	t    *testing.T
	url  string
	work string // the maintainer's checkout
	bare string
}

func newMarket(t *testing.T, w *world, tree string) *market {
	t.Helper()
	path, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	top := filepath.Join(filepath.Dir(w.home), "host")
	m := &market{t: t, work: filepath.Join(top, "work"), bare: filepath.Join(top, "repos", "memento.git")}
	server := httptest.NewServer(&cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(path)), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(m.bare), "GIT_HTTP_EXPORT_ALL=1", "HOME=" + top, "PATH=" +
			tools(t)},
	})
	t.Cleanup(server.Close)
	m.url = server.URL + "/memento.git"
	m.git("init", "-q", "--bare", "-b", "main", m.bare)
	m.git("init", "-q", "-b", "main", m.work)
	m.push(tree)
	return m
}

func (m *market) git(args ...string) {
	m.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Env = []string{"PATH=" + tools(m.t), "HOME=" + filepath.Dir(m.work), "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := cmd.CombinedOutput(); err != nil {
		m.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// push makes tree the newest commit of the marketplace.
func (m *market) push(tree string) {
	m.t.Helper()
	m.git("-C", m.work, "rm", "-rfq", "--ignore-unmatch", ".")
	m.git("-C", m.work, "clean", "-ffdxq") // what a test run left in the tree, git ignores
	if err := os.CopyFS(m.work, os.DirFS(tree)); err != nil {
		m.t.Fatal(err)
	}
	m.git("-C", m.work, "add", "-A")
	m.git("-C", m.work, "-c", "user.name=alice", "-c", "user.email=alice@example.com", "commit", "-qm", "Release")
	m.git("-C", m.work, "push", "-q", m.bare, "HEAD:main")
}

// host serves the files of releases on loopback. Downloads wait until open is called.
type host struct {
	*web.Server
	gate chan struct{}
	open func()
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{Server: web.Serve(t), gate: make(chan struct{})}
	h.open = sync.OnceFunc(func() { close(h.gate) })
	t.Cleanup(h.open)
	return h
}

// put serves the binary of a release for this machine.
func (h *host) put(version string, data []byte) {
	h.Answer("/v"+version+"/"+asset(), func(w http.ResponseWriter, _ *http.Request) {
		<-h.gate
		_, _ = w.Write(data)
	})
}

// plain returns the PATH of a machine with only the system's own tools: no Go, no Node, no jq. It is a folder of
// links.
func (w *world) plain() string {
	w.t.Helper()
	dir := filepath.Join(filepath.Dir(w.home), "bin")
	if err := os.Mkdir(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	must := strings.Fields("sh bash git curl uname cat chmod cp cut date dd env find grep head ln ls mkdir mktemp " +
		"mv nohup ps readlink rm rmdir sed sleep sort tail touch tr wc")
	some := strings.Fields("sha256sum shasum openssl setsid timeout id hostname locale ldd")
	for _, name := range append(must, some...) {
		found, err := exec.LookPath(name)
		if err != nil && slices.Contains(must, name) {
			w.t.Fatal(err)
		}
		if err != nil {
			continue
		}
		if err := os.Symlink(found, filepath.Join(dir, name)); err != nil {
			w.t.Fatal(err)
		}
	}
	return dir
}

// client runs a command of the client, claude plugin …, and returns its output. It waits for no seat, since a running
// session's script may call it. A script does not run in the test's own goroutine, so a failing command does not end
// the test.
func (w *world) client(args ...string) string {
	w.t.Helper()
	cmd := exec.Command(claude, args...)
	cmd.Dir = w.dir
	cmd.Env = Environment(w.path, w.home, w.temp, "http://127.0.0.1:9") // no server runs there
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Errorf("claude %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// config returns a path under the client's folder.
func (w *world) config(parts ...string) string {
	return filepath.Join(append([]string{w.home, ".claude"}, parts...)...)
}

// settings returns the person's settings.json, "" without one.
func (w *world) settings() string {
	data, _ := os.ReadFile(w.config("settings.json"))
	return string(data)
}

// soon waits until so returns true, at most half a minute, and then fails the test.
func soon(t *testing.T, what string, so func() bool) {
	t.Helper()
	for range 600 {
		if so() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("never: %s", what)
}

// script reports whether a file is a program for a shell.
func script(path string) bool {
	data, err := os.ReadFile(path)
	return err == nil && strings.HasPrefix(string(data), "#!")
}

// binary reports whether a file is a program of this system, and no script.
func binary(path string) bool {
	data, err := os.ReadFile(path)
	return err == nil && len(data) > 1<<20 && !strings.HasPrefix(string(data), "#!")
}
