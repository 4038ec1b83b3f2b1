package install

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/fixture/web"
)

// What the tests of install.sh share: the shells that run it, a release to download from, and a program to install.
// script_checkout_test.go tests builds, script_release_test.go downloads, script_fault_test.go failures, and
// script_upgrade_test.go the real binary.

// fake stands in for the binary of release BUILD: it prints its arguments, writes some of what the real one writes, and
// does as FAKE says: "install.one=fail" makes it fail, "=INT" sends the script that signal, and "=die" kills it.
const fake = `#!/bin/sh
# github.com/mementohq/memento/cmd/memento
config=${CLAUDE_CONFIG_DIR:-$HOME/.claude}
case $1 in version) printf 'memento ' ;; esac
case " $FAKE " in
*" $1.BUILD=fail "*) echo "memento: $1: it was told to fail" >&2; exit 1 ;;
*" $1.BUILD=HUP "*) kill -HUP $PPID ;;
*" $1.BUILD=INT "*) kill -INT $PPID ;;
*" $1.BUILD=QUIT "*) kill -QUIT $PPID ;;
*" $1.BUILD=PIPE "*) kill -PIPE $PPID ;;
*" $1.BUILD=TERM "*) kill -TERM $PPID ;;
esac
case "$1 $*" in
install*--dry-run*) echo "would edit $config/settings.json" ;;
install*)
	mkdir -p "$config"
	printf '{"hooks":"memento BUILD"}' >"$config/settings.json" ;;
uninstall*--dry-run*) ;;
uninstall*)
	rm -rf "$config/settings.json"
	rmdir "$config" 2>/dev/null
	echo "stays: The binary, $0." ;;
esac
case " $FAKE " in *" $1.BUILD=die "*) kill -9 $$ ;; esac
echo "BUILD $*"
`

func build(name string) string { return strings.ReplaceAll(fake, "BUILD", name) }

// asset is the release's name of the binary for this machine.
var asset = "memento-" + runtime.GOOS + "-" + runtime.GOARCH

// shells returns the shells on this machine that may be sh where people pipe install.sh into it: dash (Debian), bash in
// its POSIX mode (macOS), busybox (Alpine).
func shells(t *testing.T) []string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("install.sh is for a POSIX shell")
	}
	var found []string
	for _, sh := range []string{"dash", "bash --posix", "busybox ash"} {
		if _, err := exec.LookPath(strings.Fields(sh)[0]); err == nil {
			found = append(found, sh)
		} else {
			t.Logf("no %s here", sh)
		}
	}
	if len(found) == 0 {
		found = []string{"sh"}
	}
	return found
}

// once runs f under sh, with a home whose name is hard to quote.
func once(t *testing.T, f func(t *testing.T, s *shell)) {
	fixture.Long(t, "runs install.sh many times")
	t.Parallel()
	f(t, newShell(t, "sh"))
}

// each does the same under every shell.
func each(t *testing.T, f func(t *testing.T, s *shell)) {
	fixture.Long(t, "runs install.sh many times")
	t.Parallel()
	for _, sh := range shells(t) {
		t.Run(sh, func(t *testing.T) {
			t.Parallel()
			f(t, newShell(t, sh))
		})
	}
}

func newShell(t *testing.T, sh string) *shell {
	t.Helper()
	home := filepath.Join(t.TempDir(), "zoë & co")
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	return &shell{t: t, sh: sh, home: home, dir: filepath.Dir(home), note: os.DevNull}
}

type shell struct {
	t        *testing.T
	sh, home string
	dir      string // the working folder
	file     string // the script, when it is run from a file
	text     string // the script, when it is piped
	path     string // PATH; the machine's own when empty
	note     string // the file in which the builder notes its arguments
	env      []string
	out, err string
	code     int
}

func (s *shell) bin() string { return filepath.Join(s.home, ".local", "bin", "memento") }

// goEnv is the environment that Go needs to build offline.
var goEnv = sync.OnceValue(func() (env []string) {
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS", "GOSUMDB", "GOTOOLCHAIN"}
	values, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	for i, v := range strings.Split(string(values), "\n") {
		if err == nil && i < len(names) {
			env = append(env, names[i]+"="+strings.TrimSpace(v))
		}
	}
	return env
})

// command returns the script as a command with an empty environment. done checks what the script leaves in its
// TMPDIR.
func (s *shell) command(args ...string) (cmd *exec.Cmd, done func()) {
	s.t.Helper()
	words := strings.Fields(s.sh)
	if s.text != "" {
		words = append(words, "-s", "--")
	} else {
		words = append(words, s.file)
	}
	cmd = exec.Command(words[0], append(words[1:], args...)...)
	if s.text != "" {
		cmd.Stdin = strings.NewReader(s.text)
	}
	cmd.Dir = s.dir
	temp, path := s.t.TempDir(), s.path
	if path == "" {
		path = os.Getenv("PATH")
	}
	cmd.Env = append([]string{
		"HOME=" + s.home, "TMPDIR=" + temp, "PATH=" + path, "LANG=C.UTF-8", "GONOTE=" + s.note,
		"XDG_CONFIG_HOME=" + s.t.TempDir(), // the go command writes its telemetry there
	}, slices.Concat(goEnv(), s.env)...)
	return cmd, func() {
		s.t.Helper()
		if left, _ := os.ReadDir(temp); len(left) != 0 {
			s.t.Errorf("left in TMPDIR: %v", left)
		}
	}
}

// call runs the script to its end, and notes its output and its exit code.
func (s *shell) call(args ...string) {
	s.t.Helper()
	cmd, done := s.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		s.t.Fatal(err)
	}
	s.out, s.err, s.code = out.String(), errs.String(), cmd.ProcessState.ExitCode()
	done()
}

// run is call with an expected exit code. It expects a hint too, unless a signal ends the script.
func (s *shell) run(want int, args ...string) {
	s.t.Helper()
	s.call(args...)
	if s.code != want {
		s.t.Fatalf("exit %d, want %d\n%s%s", s.code, want, s.out, s.err)
	}
	if want == 0 && s.err != "" || want != 0 && want < 128 && !strings.Contains(s.err, "memento: hint: ") {
		s.t.Errorf("stderr: %q", s.err)
	}
}

// says checks that the output has want, on either stream.
func (s *shell) says(want string) {
	s.t.Helper()
	if !strings.Contains(s.out+s.err, want) {
		s.t.Errorf("said %q\nand %q\nwant %q", s.out, s.err, want)
	}
}

// tools lists the programs that install.sh may call, and those of the fake: coreutils, grep and sed, as the smallest
// images have them. Tests add curl, wget and programs that compute a checksum.
var tools = []string{"sh", "cat", "chmod", "cp", "dirname", "grep", "ln", "mkdir", "mktemp", "mv", "rm", "rmdir", "sed",
	"tail", "uname"}

// toolbox makes a PATH of the tools, and of more.
func toolbox(t *testing.T, more ...string) string {
	t.Helper()
	return fixture.Path(t, append(slices.Clip(tools), more...)...)
}

// release is a server with releases.
type release struct {
	*web.Server
	told int // number of requests that requests has returned
}

func newRelease(t *testing.T) *release { return &release{Server: web.Serve(t)} }

// has serves text as an asset of a version.
func (r *release) has(version, asset, text string) {
	r.does(version, asset, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) })
}

func (r *release) does(version, asset string, f http.HandlerFunc) {
	r.Answer("/v"+version+"/"+asset, f)
}

// requests returns the requested paths since the last call.
func (r *release) requests() string {
	all := r.Asked()
	fresh := all[r.told:]
	r.told = len(all)
	return strings.ReplaceAll(strings.Join(fresh, " "), "GET ", "")
}

func (r *release) env() string { return "MEMENTO_RELEASE_URL=" + r.URL }

func sha(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// script returns install.sh with other pins: this version, and for each named asset the checksum of this text.
func script(t *testing.T, version string, assets map[string]string) string {
	t.Helper()
	text := fixture.Read(t, "../../install.sh")
	head, rest, ok := strings.Cut(text, "# pins: begin\n")
	block, tail, ended := strings.Cut(rest, "# pins: end\n")
	if !ok || !ended {
		t.Fatal("install.sh has no block of pins")
	}
	block = regexp.MustCompile(`version=\S+`).ReplaceAllString(block, "version="+version)
	for name, content := range assets {
		line := regexp.MustCompile(`[0-9a-f]{64}  ` + regexp.QuoteMeta(name) + `\n`)
		if !line.MatchString(block) {
			t.Fatalf("install.sh has no pin for %s", name)
		}
		block = line.ReplaceAllString(block, sha(content)+"  "+name+"\n")
	}
	return head + "# pins: begin\n" + block + "# pins: end\n" + tail
}

// offered gives a shell install.sh to pipe into it, and returns the server with the release that it pins: version
// 1.0.0, build one.
func offered(t *testing.T, s *shell) *release {
	t.Helper()
	r := newRelease(t)
	r.offer(s, "1.0.0", build("one"))
	s.env = []string{r.env()}
	return r
}

// offer makes text the binary of a release, and pins it in the shell's install.sh.
func (r *release) offer(s *shell, version, text string) {
	s.t.Helper()
	r.has(version, asset, text)
	r.has(version, "checksums.txt", sha("another")+"  memento_"+version+"_any.tar.gz\n"+sha(text)+"  "+asset+"\n")
	s.text = script(s.t, version, map[string]string{asset: text})
}
