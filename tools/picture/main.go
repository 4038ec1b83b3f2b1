// Command picture records a session of the real Claude Code client through a compaction, and draws it as the film in
// the README:
//
//	npm ci --prefix tools/picture
//	MEMENTO_CLIENT=PATH go run -C tools/picture . ../../docs/session.svg
//
// MEMENTO_CLIENT names the `claude` binary. It runs in a terminal of its own, with an empty environment and a scratch
// HOME, and a script on loopback answers in the model's place: nothing of the person who runs it is read, and nothing
// leaves the machine. The client, memento, the tools and the failing test are real; the client's work is shown faster.
//
// Picture needs node and npm beside Go, and is a module of its own, so that building memento needs none of its
// dependencies. svg.js draws the recording.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/mementohq/memento/tools/e2e"
)

const (
	columns, rows = 92, 30
	idle          = 4 * time.Second // the longest pause of the film
	work          = 3 * time.Second // how long the client works on a prompt in the film, however slow the machine is
	title         = "Claude Code with memento. A script answers in the model's place"
	about         = "A terminal recording. A person gives Claude Code a task with a limit, and then a second limit. " +
		"A test fails. The person types /compact. A line says that memento brought back the mission, a rule and the " +
		"failing test. The last answer quotes them beside the summary, which lacks all three."
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "memento: picture: %v\nmemento: hint: tools/picture/main.go says how\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	client := os.Getenv("MEMENTO_CLIENT")
	if len(args) != 1 || client == "" {
		return errors.New("it takes MEMENTO_CLIENT, the path of claude, and the path of the SVG to write")
	}
	home, err := newHome()
	if err != nil {
		return err
	}
	clean := sync.OnceFunc(func() { _ = os.RemoveAll(home) })
	defer clean()
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-broken
		clean()
		os.Exit(130)
	}()
	p := &person{home: home, dir: filepath.Join(home, "shop"), temp: filepath.Join(home, "tmp")}
	if err := p.furnish(); err != nil {
		return err
	}
	recording, err := p.record(client)
	if err != nil {
		return err
	}
	draw := exec.Command("node", "svg.js", "film", "--title", title, "--about", about, "--show", p.home+"="+alice)
	draw.Stdin, draw.Stderr = bytes.NewReader(recording), os.Stderr
	svg, err := draw.Output()
	if err != nil {
		return fmt.Errorf("drawing the film: %w", err)
	}
	if bytes.Contains(svg, []byte(filepath.Base(p.home))) {
		return errors.New("the film names its scratch folder; record it again")
	}
	return os.WriteFile(args[0], svg, 0o644)
}

// alice is the home folder that the film shows. The scratch folder has a name of the same length, so that every line
// breaks where it would break there.
const alice = "/home/alice"

// person is somebody with a home, a project and memento.
type person struct {
	home, dir, temp, path string
}

// newHome makes an empty home. The caller removes it.
func newHome() (string, error) {
	for i := 0; ; i++ {
		home := fmt.Sprintf("/tmp/%0*d", len(alice)-len("/tmp/"), (os.Getpid()*7919+i)%1_000_000)
		if err := os.Mkdir(home, 0o700); err == nil || !errors.Is(err, os.ErrExist) || i > 100 {
			return home, err
		}
	}
}

// furnish fills the home: tools, project, memento.
func (p *person) furnish() error {
	bin := filepath.Join(p.home, ".local", "bin")
	for _, dir := range []string{filepath.Join(p.dir, "src"), p.temp, bin} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	for name, text := range shop {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return err
	}
	p.path = strings.Join([]string{bin, filepath.Dir(node), "/usr/bin", "/bin"}, ":")
	build := exec.Command("go", "build", "-C", "../..", "-o", filepath.Join(bin, "memento"), "./cmd/memento")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building memento: %w\n%s", err, out)
	}
	return p.setUp()
}

// setUp makes the repository, tells the client that this is not its first start, and installs memento.
func (p *person) setUp() error {
	begun := map[string]any{"hasCompletedOnboarding": true, "theme": "dark", "numStartups": 5,
		"lastOnboardingVersion": "2.1.330", "customApiKeyResponses": map[string]any{
			"approved": []string{"sk-ant-api03-dummy"}, "rejected": []string{}},
		"projects": map[string]any{p.dir: map[string]any{"hasTrustDialogAccepted": true,
			"hasCompletedProjectOnboarding": true}}}
	data, err := json.Marshal(begun)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(p.home, ".claude.json"), data, 0o600); err != nil {
		return err
	}
	for _, line := range [][]string{{"git", "init", "-q"}, {"memento", "install"}} {
		cmd := exec.Command("/usr/bin/env", line...)
		cmd.Dir, cmd.Env = p.dir, e2e.Environment(p.path, p.home, p.temp, "http://127.0.0.1:9")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(line, " "), err, out)
		}
	}
	return nil
}

// record plays the session and returns the recording.
func (p *person) record(client string) ([]byte, error) {
	model := &model{dir: p.dir}
	mock, err := e2e.NewMock(model.script())
	if err != nil {
		return nil, err
	}
	defer mock.Close()
	model.mock = mock
	cmd := exec.Command(client, "--permission-mode", "acceptEdits", "--allowedTools", "Bash(npm test)")
	cmd.Dir = p.dir
	cmd.Env = append(e2e.Environment(p.path, p.home, p.temp, mock.URL), "TERM=xterm-256color", "COLORTERM=truecolor")
	t, err := open(cmd, columns, rows)
	if err != nil {
		return nil, err
	}
	defer t.close()
	if err := t.wait("accept edits"); err != nil {
		return nil, err
	}
	t.mark("start")
	time.Sleep(time.Second)
	for _, s := range story {
		if err := t.enter(s.typed); err != nil {
			return nil, err
		}
		sent := time.Now()
		if err := t.wait(s.until); err != nil {
			return nil, err
		}
		t.squeeze(sent, work)
		time.Sleep(s.read)
	}
	t.mark("still")
	t.mark("end")
	return t.cast(title, idle), nil
}
