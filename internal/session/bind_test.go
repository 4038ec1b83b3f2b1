package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// desk is a home folder with two plain folders to work in.
type desk struct {
	config             config.Config
	home, myapp, other string
}

func newDesk(t *testing.T) desk {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := desk{home: home, myapp: filepath.Join(home, "myapp"), other: filepath.Join(home, "other")}
	d.config = config.Config{Dir: filepath.Join(home, ".claude", ".memento"), Tag: "alice"}
	for _, dir := range []string{d.myapp, d.other} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// bind binds session id at p and returns its lane's name.
func (d desk) bind(t *testing.T, id string, p Place) string {
	t.Helper()
	p.Home = d.home
	var lane project.Lane
	change(t, d.config.Dir, id, func(s *Session) { lane = s.Bind(d.config, p, morning, time.Minute) })
	if st := load(t, d.config.Dir, id); st.Lane != lane.Name || lane.Dir != d.config.Dir {
		t.Errorf("bound to %+v, the state says %s", lane, st.Lane)
	}
	return lane.Name
}

func TestBind(t *testing.T) {
	d := newDesk(t)
	if got := d.bind(t, "a", Place{Cwd: d.myapp, Transcript: "/t/a.jsonl", PID: 0}); got != "myapp--alice" {
		t.Errorf("it starts in %s", got)
	}
	st := load(t, d.config.Dir, "a")
	if st.Root != d.myapp || st.Transcript != "/t/a.jsonl" || !st.Started.Equal(morning) || !st.Entry.Equal(morning) || st.Read != (Position{}) {
		t.Errorf("its state is %+v", st)
	}
	change(t, d.config.Dir, "a", func(s *Session) { s.Ended = true })
	for _, p := range []Place{{Cwd: d.other}, {Cwd: d.other, ProjectDir: d.other}, {Cwd: "/"}, {}, {Cwd: d.other, Fork: true}, {Transcript: "relative.jsonl"}} {
		if got := d.bind(t, "a", p); got != "myapp--alice" {
			t.Errorf("moved to %+v it is in %s", p, got)
		}
	}
	if st := load(t, d.config.Dir, "a"); st.Transcript != "/t/a.jsonl" || st.Ended {
		t.Errorf("its state is %+v", st)
	}

	if got := d.bind(t, "b", Place{Cwd: d.myapp, ProjectDir: d.other}); got != "other--alice" {
		t.Errorf("with a project folder it starts in %s", got)
	}
	if got := d.bind(t, "c", Place{Cwd: d.home}); got != "alice" {
		t.Errorf("at home it starts in %s", got)
	}
	if got := d.bind(t, id, Place{Cwd: d.myapp, Fork: true}); got != "myapp--alice~1f3a9c2e" {
		t.Errorf("a fork starts in %s", got)
	}
	if got := d.bind(t, "../x", Place{Cwd: d.myapp, Fork: true}); !strings.HasPrefix(got, "myapp--alice~x-") || strings.Contains(got, "/") {
		t.Errorf("a fork of a strange name starts in %s", got)
	}
	if got := len(project.OpenWorkspace(d.config.Dir).Known); got != 2 {
		t.Errorf("%d projects are known, want 2", got)
	}
}

// What was forgotten is not read again, should the session go on.
func TestBindForgotten(t *testing.T) {
	d := newDesk(t)
	d.bind(t, "a", Place{Cwd: d.myapp, Transcript: "/t/a.jsonl"})
	d.bind(t, "b", Place{Cwd: d.myapp, Transcript: "/t/b.jsonl"})
	forget(t, d.config.Dir, "myapp--alice")
	d.bind(t, "a", Place{Cwd: d.myapp, Transcript: "/t/a.jsonl"})
	if got := load(t, d.config.Dir, "a").Read; got != end("/t/a.jsonl") {
		t.Errorf("it goes on at %+v", got)
	}
	change(t, d.config.Dir, "a", func(s *Session) { s.Read.Offset = 99 })
	d.bind(t, "a", Place{Cwd: d.myapp})
	if got := load(t, d.config.Dir, "a").Read.Offset; got != 99 {
		t.Errorf("bound already, it goes on at %d", got)
	}
}

// client is a process that lives until the test ends it.
func client(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Skip("nothing to start: ", err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd
}

// Two clients in one project have a journal each, as long as both are alive.
func TestClaim(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("whether a process is alive is known on Linux only")
	}
	d := newDesk(t)
	one, two := client(t), client(t)
	if got := d.bind(t, "aaaa", Place{Cwd: d.myapp, PID: one.Process.Pid}); got != "myapp--alice" {
		t.Errorf("the first is in %s", got)
	}
	if got := d.bind(t, "bbbb", Place{Cwd: d.myapp, PID: two.Process.Pid}); got != "myapp--alice~bbbb" {
		t.Errorf("a second client is in %s", got)
	}
	if got := d.bind(t, "cccc", Place{Cwd: d.myapp, PID: one.Process.Pid}); got != "myapp--alice" {
		t.Errorf("after /clear in the first client it is in %s", got)
	}
	if got := d.bind(t, "dddd", Place{Cwd: d.other, PID: two.Process.Pid}); got != "other--alice" {
		t.Errorf("in another project it is in %s", got)
	}
	change(t, d.config.Dir, "cccc", func(s *Session) { s.Ended = true })
	if got := d.bind(t, "eeee", Place{Cwd: d.myapp, PID: two.Process.Pid}); got != "myapp--alice" {
		t.Errorf("after the first session ended it is in %s", got)
	}
	two.Process.Kill()
	two.Wait()
	if got := d.bind(t, "ffff", Place{Cwd: d.myapp, PID: one.Process.Pid}); got != "myapp--alice" {
		t.Errorf("after the other client was killed it is in %s", got)
	}
}

// A process that only took over a dead one's number holds nothing.
func TestRunning(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("whether a process is alive is known on Linux only")
	}
	cmd := client(t)
	pid := cmd.Process.Pid
	st := State{PID: pid, PIDStart: startOf(pid)}
	if !st.running() {
		t.Errorf("process %d, started at %q, is alive", pid, st.PIDStart)
	}
	for _, s := range []State{{PID: pid, PIDStart: "1"}, {PID: pid}, {PIDStart: st.PIDStart}, {PID: pid, PIDStart: st.PIDStart, Ended: true}} {
		if s.running() {
			t.Errorf("%+v is taken for alive", s)
		}
	}
	cmd.Process.Kill()
	for st.running() { // until it is a zombie: nobody waits for it yet
		time.Sleep(time.Millisecond)
	}
	if startOf(pid) != "" || st.running() {
		t.Error("killed, it is taken for alive")
	}
}

// A claim by nobody known, or a lock that cannot be had, keeps no session out of its project.
func TestClaimInDoubt(t *testing.T) {
	d := newDesk(t)
	d.bind(t, "aaaa", Place{Cwd: d.myapp})
	holder := filepath.Join(d.config.Dir, "state", "myapp--alice.holder")
	if got := read(t, holder); got != "aaaa" {
		t.Errorf("%q holds the lane", got)
	}
	for _, held := range []string{"", "gone", "../../x", "\x00", strings.Repeat("x", 5000)} {
		write(t, holder, held)
		if got := d.bind(t, "b"+strings.Map(func(r rune) rune { return 'x' }, held)[:min(4, len(held))], Place{Cwd: d.myapp}); got != "myapp--alice" {
			t.Errorf("held by %.10q, the lane is %s", held, got)
		}
	}
	unlock, err := safefile.Lock(project.NewLane(d.config.Dir, "myapp", "", "alice").Lock(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	change(t, d.config.Dir, "zzzz", func(s *Session) {
		if got := s.Bind(d.config, Place{Cwd: d.myapp, Home: d.home}, morning, 0).Name; got != "myapp--alice" {
			t.Errorf("while the lane is locked, it is %s", got)
		}
	})
}

// Folder names the lane without leaving a trace.
func TestFolder(t *testing.T) {
	d := newDesk(t)
	for dir, want := range map[string]string{d.myapp: "myapp--alice", d.home: "alice", "": "alice"} {
		if got := Folder(d.config, dir, d.home).Name; got != want {
			t.Errorf("%s is in %s, want %s", dir, got, want)
		}
	}
	if exists(d.config.Dir) {
		t.Error("a folder was made")
	}
}
