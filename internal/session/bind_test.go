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
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/transcript"
)

// desk is a home folder with two plain folders for work.
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
	d.config = config.Config{Dir: filepath.Join(home, ".claude", ".memento"), Tag: "alice", LaneTTL: 12 * time.Hour}
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
	change(t, d.config.Dir, id, func(s *Session) { lane = bound(t, s, d, p, morning, time.Minute) })
	if st := load(t, d.config.Dir, id); st.Lane != lane.Name || lane.Dir != d.config.Dir {
		t.Errorf("bound to %+v, the memory says %s", lane, st.Lane)
	}
	return lane.Name
}

func bound(t *testing.T, s *Session, d desk, p Place, now time.Time, wait time.Duration) project.Lane {
	t.Helper()
	lane, err := s.Bind(d.config, p, now, wait)
	if err != nil {
		t.Fatal(err)
	}
	return lane
}

func TestBind(t *testing.T) {
	d := newDesk(t)
	if got := d.bind(t, "a", Place{Cwd: d.myapp, Transcript: "/t/a.jsonl", PID: 0}); got != "myapp--alice" {
		t.Errorf("it starts in %s", got)
	}
	st := load(t, d.config.Dir, "a")
	if st.Root != d.myapp || st.Transcript != "/t/a.jsonl" || !st.Started.Equal(morning) || !st.Entry.Equal(morning) ||
		st.Read != (transcript.Position{}) {
		t.Errorf("its memory is %+v", st)
	}
	change(t, d.config.Dir, "a", func(s *Session) { s.Ended = true })
	for _, p := range []Place{{Cwd: d.other}, {Cwd: d.other, ProjectDir: d.other}, {Cwd: "/"}, {},
		{Cwd: d.other, Fork: true}, {Transcript: "relative.jsonl"}} {
		if got := d.bind(t, "a", p); got != "myapp--alice" {
			t.Errorf("moved to %+v it is in %s", p, got)
		}
	}
	if st := load(t, d.config.Dir, "a"); st.Transcript != "/t/a.jsonl" || st.Ended {
		t.Errorf("its memory is %+v", st)
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
	if got := d.bind(t, "../x", Place{Cwd: d.myapp, Fork: true}); !strings.HasPrefix(got, "myapp--alice~x-") ||
		strings.Contains(got, "/") {
		t.Errorf("a fork of a strange name starts in %s", got)
	}
	if got := len(project.OpenWorkspace(d.config.Dir).Known); got != 2 {
		t.Errorf("%d projects are known, want 2", got)
	}
}

// TestStrays: a session that returns in a folder of another project has left its lane. A session has not left it that
// was compacted after it changed folders, or that returns in another folder of its project.
func TestStrays(t *testing.T) {
	d := newDesk(t)
	d.bind(t, "a", Place{Cwd: d.myapp, Transcript: "/t/a.jsonl"})
	inner := filepath.Join(d.myapp, "inner")
	if err := os.Mkdir(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := Open(d.config.Dir, "a", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	for _, tt := range []struct {
		p    Place
		want bool
	}{
		{Place{Cwd: d.other, Begin: true}, false},
		{Place{Cwd: d.other}, false},
		{Place{Return: true}, false},
		{Place{Cwd: d.myapp, Return: true}, false},
		{Place{Cwd: inner, Return: true}, false},
		{Place{Cwd: d.other, ProjectDir: d.myapp, Return: true}, false},
		{Place{Cwd: d.other, Return: true}, true},
		{Place{Cwd: d.myapp, ProjectDir: d.other, Return: true}, true},
		{Place{Cwd: d.home, Return: true}, true},
	} {
		tt.p.Home = d.home
		if lane, got := s.Strays(d.config, tt.p); got != tt.want || lane.Name != "myapp--alice" {
			t.Errorf("at %+v it strays from %s: %t", tt.p, lane.Name, got)
		}
	}
	// the journal was not renamed yet
	if err := project.Rename(d.config.Dir, "myapp", "shop", false, morning, time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, got := s.Strays(d.config, Place{Cwd: inner, Return: true, Home: d.home}); got {
		t.Error("while its project gets another name it strays")
	}
	s.Pending = []Pending{{Text: "x"}}
	s.Leave(morning)
	if s.ID != "a" || s.Lane != "" || len(s.Pending) != 0 ||
		bound(t, s, d, Place{Cwd: d.other, Home: d.home}, morning, time.Minute).Name != "other--alice" {
		t.Errorf("it left as %+v", s.Memory)
	}
	if !s.Since.Equal(morning) {
		t.Errorf("what was typed since %s is kept in its new lane", s.Since)
	}
}

// client is a process that lives until the test ends it.
func client(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd
}

// TestClaim: two clients in one project have a journal each, as long as both are alive.
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

// TestOpenSession: a process with the number of a dead one is another process. When nothing is known about processes,
// the time since the last event decides.
func TestOpenSession(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("whether a process is alive is measured on Linux only")
	}
	cmd := client(t)
	pid := cmd.Process.Pid
	alive := Memory{PID: pid, PIDStart: startOf(pid), Host: host()}
	now, c := morning, config.Config{LaneTTL: 12 * time.Hour}
	for _, tt := range []struct {
		what string
		s    Memory
		want bool
	}{
		{"alive", alive, true},
		{"alive and silent for a year", Memory{PID: pid, PIDStart: alive.PIDStart, Host: host(),
			Active: now.AddDate(-1, 0, 0)}, true},
		{"another process of that number", Memory{PID: pid, PIDStart: "1", Host: host(), Active: now}, false},
		{"ended", Memory{PID: pid, PIDStart: alive.PIDStart, Host: host(), Ended: true, Active: now}, false},
		{"no start known, active", Memory{PID: pid, Active: now.Add(-11 * time.Hour)}, true},
		{"no start known, silent", Memory{PID: pid, Active: now.Add(-13 * time.Hour)}, false},
		{"no process known, active", Memory{Active: now}, true},
		{"no process known, silent", Memory{Active: now.Add(-c.LaneTTL)}, false},
		{"no process known, ended", Memory{Active: now, Ended: true}, false},
		{"on another machine, active", Memory{PID: pid, PIDStart: "1", Host: "elsewhere", Active: now}, true},
		{"on another machine, silent", Memory{PID: pid, PIDStart: alive.PIDStart, Host: "elsewhere",
			Active: now.Add(-c.LaneTTL)}, false},
		{"active in the future", Memory{Active: now.Add(30 * 24 * time.Hour)}, false},
		{"active never", Memory{}, false},
	} {
		if got := tt.s.Runs(c, now); got != tt.want {
			t.Errorf("%s: Runs is %v", tt.what, got)
		}
	}
	cmd.Process.Kill()
	for alive.Runs(c, now) { // until it is a zombie: nobody waits for it yet
		time.Sleep(time.Millisecond)
	}
	if startOf(pid) != "" {
		t.Error("killed, it has a start")
	}
}

// TestClaimByTime: where no process can be asked, the time since the last event decides. A lunch break costs nobody
// the lane, and a killed client keeps it only for a few hours.
func TestClaimByTime(t *testing.T) {
	testOnlyUnknown = true
	defer func() { testOnlyUnknown = false }()
	for _, pid := range []int{0, 4711} {
		d := newDesk(t)
		at := func(after time.Duration, id string, begin bool) string {
			t.Helper()
			var lane project.Lane
			change(t, d.config.Dir, id, func(s *Session) {
				lane = bound(t, s, d, Place{Cwd: d.myapp, Home: d.home, PID: pid * len(id), Begin: begin},
					morning.Add(after), time.Minute)
			})
			return lane.Name
		}
		for _, step := range []struct {
			after time.Duration
			id    string
			begin bool
			want  string
		}{
			{0, "a", true, "myapp--alice"},
			{4 * time.Hour, "bb", true, "myapp--alice~bb"}, // a's user is at lunch
			{5 * time.Hour, "a", false, "myapp--alice"},
			{5*time.Hour + time.Minute, "a", true, "myapp--alice"}, // compacted
			{16 * time.Hour, "ccc", true, "myapp--alice~ccc"},
			// a was killed: twelve hours since its last event
			{17*time.Hour + time.Second, "dddd", true, "myapp--alice"},
			// a was not killed: each session goes on in a journal of its own
			{18 * time.Hour, "a", false, "myapp--alice~a"},
			{18 * time.Hour, "dddd", false, "myapp--alice"},
			{30*time.Hour + time.Second, "dddd", false, "myapp--alice"}, // nobody took it from dddd meanwhile
			{30*time.Hour + time.Second, "a", false, "myapp--alice~a"},
		} {
			if got := at(step.after, step.id, step.begin); got != step.want {
				t.Errorf("with pid %d, after %v %s is in %s, want %s", pid, step.after, step.id, got, step.want)
			}
		}
		change(t, d.config.Dir, "dddd", func(s *Session) { s.Ended = true })
		if got := at(31*time.Hour, "eeeee", true); got != "myapp--alice" {
			t.Errorf("after dddd ended, eeeee is in %s", got)
		}
	}
}

// TestClaimAcrossMachines: in two containers that share a home folder, two clients may have one process number.
func TestClaimAcrossMachines(t *testing.T) {
	d := newDesk(t)
	pid := os.Getpid()
	d.bind(t, "aaaa", Place{Cwd: d.myapp, PID: pid})
	if got := d.bind(t, "bbbb", Place{Cwd: d.myapp, PID: pid}); got != "myapp--alice" {
		t.Errorf("in the same client it is in %s", got)
	}
	change(t, d.config.Dir, "bbbb", func(s *Session) { s.Host = "another" })
	if got := d.bind(t, "cccc", Place{Cwd: d.myapp, PID: pid}); got != "myapp--alice~cccc" {
		t.Errorf("beside a client of that number in another container it is in %s", got)
	}
}

// TestClaimAtOnce: two sessions that start at the same moment do not both take the lane, because the first one saves
// its memory before it answers its event.
func TestClaimAtOnce(t *testing.T) {
	d := newDesk(t)
	one, err := Open(d.config.Dir, "aaaa", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Release()
	place := Place{Cwd: d.myapp, Home: d.home, Begin: true}
	if got := bound(t, one, d, place, morning, time.Minute).Name; got != "myapp--alice" {
		t.Errorf("the first is in %s", got)
	}
	if got := d.bind(t, "bbbb", place); got != "myapp--alice~bbbb" {
		t.Errorf("the second is in %s", got)
	}
}

// TestOwnLane: a user may delete the session memory at any time. A session that comes back finds its own lane by the
// journal. Ids with the same beginning have a lane each.
func TestOwnLane(t *testing.T) {
	d := newDesk(t)
	d.bind(t, "aaaa", Place{Cwd: d.myapp})
	if got := d.bind(t, "01234567-b", Place{Cwd: d.myapp}); got != "myapp--alice~01234567" {
		t.Errorf("the second is in %s", got)
	}
	if got := d.bind(t, "01234567-c", Place{Cwd: d.myapp}); got != "myapp--alice~01234567-c" {
		t.Errorf("a third whose id begins alike is in %s", got)
	}
	fixture.Write(t, filepath.Join(d.config.Dir, "myapp--alice~01234567.json"), `{"mission":"m"}`)
	if err := os.RemoveAll(filepath.Join(d.config.Dir, "cache")); err != nil {
		t.Fatal(err)
	}
	if got := d.bind(t, "01234567-b", Place{Cwd: d.myapp, Begin: true}); got != "myapp--alice~01234567" {
		t.Errorf("with its memory deleted it is in %s", got)
	}
}

// TestClaimInDoubt: an unknown claim, or a lock that cannot be had, keeps no session out of its project.
func TestClaimInDoubt(t *testing.T) {
	d := newDesk(t)
	d.bind(t, "aaaa", Place{Cwd: d.myapp})
	holder := filepath.Join(d.config.Dir, "cache", "myapp--alice.holder")
	if got := fixture.Read(t, holder); got != "aaaa" {
		t.Errorf("%q holds the lane", got)
	}
	before, err := os.Stat(holder)
	if err != nil {
		t.Fatal(err)
	}
	d.bind(t, "aaaa", Place{Cwd: d.myapp, Begin: true})
	if after, err := os.Stat(holder); err != nil || !os.SameFile(before, after) {
		t.Errorf("who holds the lane was written again: %v", err)
	}
	for _, held := range []string{"", "gone", "../../x", "\x00", strings.Repeat("x", 5000)} {
		fixture.Write(t, holder, held)
		if got := d.bind(t, "b"+strings.Map(func(r rune) rune { return 'x' }, held)[:min(4, len(held))],
			Place{Cwd: d.myapp}); got != "myapp--alice" {
			t.Errorf("held by %.10q, the lane is %s", held, got)
		}
	}
	unlock, err := safefile.Lock(project.NewLane(d.config.Dir, "myapp", "", "alice").Lock(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	change(t, d.config.Dir, "zzzz", func(s *Session) {
		if got := bound(t, s, d, Place{Cwd: d.myapp, Home: d.home}, morning, 0).Name; got != "myapp--alice" {
			t.Errorf("while the lane is locked, it is %s", got)
		}
	})
}

// TestFolder: Folder returns the lane and writes nothing.
func TestFolder(t *testing.T) {
	d := newDesk(t)
	for dir, want := range map[string]string{d.myapp: "myapp--alice", d.home: "alice", "": "alice"} {
		if got, err := Folder(d.config, dir, d.home); err != nil || got.Name != want {
			t.Errorf("%s is in %s, %v, want %s", dir, got.Name, err, want)
		}
	}
	if fixture.Exists(d.config.Dir) {
		t.Error("a folder was made")
	}
}
