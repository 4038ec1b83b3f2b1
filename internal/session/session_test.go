package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

const id = "1f3a9c2e-5b7d-4e1a-9c3f-8a2b6d4e0f11"

var morning = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

// change opens the memory of session id, changes it and saves it.
func change(t *testing.T, dir, id string, f func(*Session)) {
	t.Helper()
	s, err := Open(dir, id, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	f(s)
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, dir, id string) Memory {
	t.Helper()
	s, err := Load(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".memento")
	want := Memory{
		ID: id, Lane: "myapp--alice", Root: "/srv/myapp", Transcript: "/t.jsonl", Since: morning.Add(-time.Hour),
		Started: morning, PID: 4711, PIDStart: "99", Host: "desk", Active: morning, Ended: true,
		Opened: true, Handled: []Handled{{Key: "8d2b", At: morning}},
		Work: work.Work{
			Calls: []work.Call{{ID: "t1", Name: "Bash", Arg: "npm test"}},
			Tasks: []work.Task{{ID: "1", Text: "größer", Status: "pending"}}, Touched: []string{"a.go"},
			Steps: []string{"the plan"}, Passed: []string{"go vet"},
			Failures: []work.Failure{{Key: "npm test", Cmd: "npm test -- --ci", Line: "401", TS: "2026-03-14T09:00:00Z",
				Check: true, Ran: 1}}, Ran: 2, Erred: true, Asked: `"fix it"`,
			Told: "1. a 2. b", Proposed: "1. a", Reply: "1",
			Checks: []work.Check{{Key: "go vet", Cmd: "go vet ./...", Passed: true},
				{Key: "npm test", Cmd: "npm test", Unsure: true}},
		},
		Turns:   Turns{ID: "c3f83d17", Since: morning, Keep: "answers"},
		Read:    transcript.Position{Offset: 512, File: "00ff", Turn: "6pr74YMQ6qw", Queued: "4096"},
		Pending: []Pending{{Text: "größer \"x\"\n", At: morning}}, Assumed: []string{"0123456789abcdef"},
		Long: true, New: true, MayRepeat: true, Cut: true, Stray: true, Forked: true,
		Compactions: 2, Uncounted: true, Compacted: "c3f83d17",
		Block: "[MEMENTO] Mission: ship it", BlockAt: morning,
		BlockFrom: transcript.Position{Offset: 100, File: "0f"}, Delivery: transcript.Cut,
		Again: true, Given: true, Bare: true, Left: "fedcba9876543210",
		Prompts: 3, Entry: morning.Add(time.Hour), Introduced: true, RulesAsked: true,
		Trouble: "the journal is not used", Unkept: true, Brought: []string{"shop--use-pnpm 00ff"},
		Record: "myapp--session-ship-it", Compared: morning,
	}
	for _, f := range reflect.VisibleFields(reflect.TypeOf(want)) {
		if reflect.ValueOf(want).FieldByIndex(f.Index).IsZero() {
			t.Errorf("the test leaves out %s", f.Name)
		}
	}
	change(t, dir, id, func(s *Session) {
		if !reflect.DeepEqual(s.Memory, Memory{ID: id}) {
			t.Errorf("not seen before, it is %+v", s.Memory)
		}
		s.Memory = want
	})
	if got := load(t, dir, id); !reflect.DeepEqual(got, want) {
		t.Errorf("Load = %+v, want %+v", got, want)
	}
	change(t, dir, id, func(s *Session) {
		if !reflect.DeepEqual(s.Memory, want) {
			t.Errorf("Open = %+v, want %+v", s.Memory, want)
		}
	})
	// The stored names never change: a file of another version can be read.
	const form = `{"id":"1f3a9c2e-5b7d-4e1a-9c3f-8a2b6d4e0f11","lane":"myapp--alice","root":"/srv/myapp",` +
		`"transcript":"/t.jsonl",` +
		`"read":{"offset":512,"file":"00ff","turn":"6pr74YMQ6qw","queued":"4096"},` +
		`"since":"2026-03-14T08:26:53Z","started":"2026-03-14T09:26:53Z","pid":4711,"pid_start":"99","host":"desk",` +
		`"active":"2026-03-14T09:26:53Z",` +
		`"ended":true,"opened":true,"long":true,"new":true,"known":true,` +
		`"cut":true,"stray":true,"forked":true,"taken":["0123456789abcdef"],"compactions":2,"uncounted":true,` +
		`"compacted":"c3f83d17",` +
		`"prompts":3,"entry":"2026-03-14T10:26:53Z","told":true,"rules_asked":true,"work":{"calls":[{"id":"t1",` +
		`"name":"Bash","arg":"npm test"}],` +
		`"tasks":[{"id":"1","text":"größer","status":"pending"}],"failures":[{"key":"npm test","cmd":"npm test -- ` +
		`--ci","line":"401","ts":"2026-03-14T09:00:00Z",` +
		`"check":true,"ran":1}],"looked":["a.go"],"checks":[{"key":"go vet","cmd":"go vet ./...","passed":true},` +
		`{"key":"npm test","cmd":"npm test","unsure":true}],"steps":["the plan"],"passed":["go vet"],"ran":2,` +
		`"erred":true,"asked":"\"fix it\"","told":"1. a 2. b","proposed":"1. a","reply":"1"},` +
		`"turns":{"id":"c3f83d17","since":"2026-03-14T09:26:53Z","keep":"answers"},` +
		`"record":"myapp--session-ship-it","trouble":"the journal is not used","unkept":true,` +
		`"brought":["shop--use-pnpm 00ff"],` +
		`"compared":"2026-03-14T09:26:53Z","handled":[{"key":"8d2b",` +
		`"at":"2026-03-14T09:26:53Z"}],"block":"[MEMENTO] Mission: ship it","block_at":"2026-03-14T09:26:53Z",` +
		`"block_from":{"offset":100,"file":"0f"},` +
		`"delivery":"cut","again":true,"given":true,"bare":true,"left":"fedcba9876543210"}`
	if got := fixture.Read(t, Path(dir, id)); got != form {
		t.Errorf("the memory is\n%s, want\n%s", got, form)
	}
	fixture.Write(t, Path(dir, id), form)
	if got := load(t, dir, id); !reflect.DeepEqual(got, want) {
		t.Errorf("alone in its file, it is %+v, want %+v", got, want)
	}
}

// TestBlocked: a prompt that was never said leaves nothing behind.
func TestBlocked(t *testing.T) {
	dir := t.TempDir()
	change(t, dir, id, func(s *Session) { s.Submit("my key is hunter2", morning) })
	change(t, dir, id, func(s *Session) { s.Submit("and now the tests", morning) })
	change(t, dir, id, func(s *Session) { s.Pending = s.Pending[1:] })
	if got := fixture.Read(t, promptsPath(dir, id)); strings.Contains(got, "hunter2") ||
		!strings.Contains(got, "and now the tests") {
		t.Errorf("a prompt that was blocked is still there:\n%s", got)
	}
}

// TestSaveWritesChangesOnly: an unchanged memory is not written, nor one that is released without Save.
func TestSaveWritesChangesOnly(t *testing.T) {
	dir := t.TempDir()
	change(t, dir, id, func(s *Session) { s.Lane = "alice" })
	before := fixture.Read(t, Path(dir, id))
	change(t, dir, id, func(s *Session) {})
	s, err := Open(dir, id, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.Lane = "bob"
	s.Release()
	s.Release() // a second time is no harm
	if after := fixture.Read(t, Path(dir, id)); after != before {
		t.Errorf("the file was written again:\n%s", after)
	}
	if got := load(t, dir, id).Lane; got != "alice" {
		t.Errorf("its lane is %s", got)
	}
}

func TestOpenHolds(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, id, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, id, 0); !errors.Is(err, safefile.ErrBusy) {
		t.Errorf("opened twice: %v, want ErrBusy", err)
	}
	other, err := Open(dir, "another", 0)
	if err != nil {
		t.Fatalf("another session: %v", err)
	}
	other.Release()
	s.Lane = "alice"
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir, id, 0)
	if err != nil {
		t.Fatalf("after Save: %v", err)
	}
	again.Release()
}

func TestNoSession(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir, "", 0); !errors.Is(err, ErrNoSession) {
		t.Errorf("Open: %v", err)
	}
	if _, err := Load(dir, ""); !errors.Is(err, ErrNoSession) {
		t.Errorf("Load: %v", err)
	}
	if _, err := Load(dir, id); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load of one not seen: %v", err)
	}
}

// TestDamagedMemory: a damaged memory counts as missing, and is replaced.
func TestDamagedMemory(t *testing.T) {
	for name, content := range map[string]string{
		"cut off":          `{"id":"` + id + `","lane":"alice`,
		"empty":            ``,
		"a list":           `[]`,
		"deep":             strings.Repeat("[", 100_000),
		"wrong types":      `{"id":"` + id + `","lane":"alice","prompts":"three"}`,
		"another's":        `{"id":"another","lane":"alice"}`,
		"no lane":          `{"id":"` + id + `"}`,
		"a lane elsewhere": `{"id":"` + id + `","lane":"../../alice"}`,
		"too large":        `{"id":"` + id + `","lane":"alice","x":"` + strings.Repeat("x", maxMemory) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			fixture.Write(t, Path(dir, id), content)
			if s, err := Load(dir, id); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("Load = %+v, %v, want fs.ErrNotExist", s, err)
			}
			change(t, dir, id, func(s *Session) {
				if !reflect.DeepEqual(s.Memory, Memory{ID: id}) {
					t.Errorf("Open = %+v", s.Memory)
				}
				s.Lane = "myapp--alice"
			})
			if got := load(t, dir, id).Lane; got != "myapp--alice" {
				t.Errorf("its lane is %s", got)
			}
		})
	}
}

// TestMemoryLink: a link in the memory's place is neither read nor written.
func TestMemoryLink(t *testing.T) {
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "theirs")
	content := `{"id":"` + id + `","lane":"alice"}`
	fixture.Write(t, elsewhere, content)
	fixture.Write(t, filepath.Join(dir, "cache", "x"), "")
	fixture.Link(t, elsewhere, Path(dir, id))
	if _, err := Load(dir, id); !errors.Is(err, safefile.ErrRefused) {
		t.Errorf("Load: %v", err)
	}
	for range 2 { // the lock is given back
		if _, err := Open(dir, id, 0); !errors.Is(err, safefile.ErrRefused) {
			t.Errorf("Open: %v", err)
		}
	}
	if got := fixture.Read(t, elsewhere); got != content {
		t.Errorf("it leads to %s", got)
	}
}

// TestIDs: an id names no other file than its own, whatever it holds.
func TestIDs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".memento")
	names := map[string]string{}
	for _, id := range []string{id, "a/b", "../../etc/passwd", "..", ".", "a\\b", "a\x00b", "a.b", "é",
		strings.Repeat("x", 64), strings.Repeat("x", 65), strings.Repeat("x", 5000), "forgotten", "C:x"} {
		path := Path(dir, id)
		if filepath.Dir(path) != filepath.Join(dir, "cache") || len(filepath.Base(path)) > 80 {
			t.Errorf("%.40q is kept in %s", id, path)
		}
		if other, taken := names[path]; taken {
			t.Errorf("%.40q and %.40q are kept in %s", other, id, path)
		}
		names[path] = id
		change(t, dir, id, func(s *Session) { s.Lane = "alice" })
		if got := load(t, dir, id).ID; got != id {
			t.Errorf("%.40q is %.40q", id, got)
		}
	}
}

func TestSubmit(t *testing.T) {
	var s Memory
	for _, words := range []string{"a", "b", "c", strings.Repeat("x", maxPendingText+1), "d", "e", "f", "g", "h", "i",
		"j", "k", "l", "m", "n", "o", "p", "q", strings.Repeat("y", maxPendingText)} {
		s.Submit(words, morning)
	}
	var got []string
	for _, p := range s.Pending {
		got = append(got, p.Text[:1])
	}
	if strings.Join(got, "") != "cdefghijklmnopqy" || len(got) != 2*MaxPending {
		t.Errorf("pending are %q", got)
	}
}

// TestTaken: words that counted as said are recognised as often as they were noted, in any spelling.
func TestTaken(t *testing.T) {
	var s Memory
	s.AssumeSaid("Run the tests", "2026-03-14T09:00:00Z")
	s.AssumeSaid("run  the “tests”", "2026-03-14T09:01:00Z")
	for _, step := range []struct {
		words, ts string
		want      bool
	}{{"run the tests", "2026-03-14T09:00:00Z", true}, {"run the builds", "", false},
		{"run the tests", "2026-03-14T09:01:00Z", true}, {"run the tests", "", false},
		{"deploy to staging only", "", false}} {
		if ts, got := s.DropAssumed(step.words); got != step.want || ts != step.ts {
			t.Errorf("%q was taken: %v at %q, want %v at %q", step.words, got, ts, step.want, step.ts)
		}
	}
	for n := range maxAssumed + 1 {
		s.AssumeSaid(fmt.Sprint("prompt ", n), "")
	}
	was := func(n int) bool { _, taken := s.DropAssumed(fmt.Sprint("prompt ", n)); return taken }
	if len(s.Assumed) != maxAssumed || was(0) || !was(1) || !was(maxAssumed) {
		t.Errorf("of %d taken, %d are remembered", maxAssumed+1, len(s.Assumed))
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	const age = 45 * 24 * time.Hour
	old, young := morning.Add(-age-time.Hour), morning.Add(-age+time.Hour)
	for name, at := range map[string]time.Time{
		"cache/old.json": old, "locks/old.lock": old, "cache/young.json": young, "locks/young.lock": old,
		"locks/alice.lock": old, "cache/view/.memento-tmp-4": old,
		"cache/alice.holder": old, "cache/.memento-tmp-1": old, ".memento-tmp-2": old, ".memento-tmp-3": morning,
		"myapp--alice.json": old, "workspace.json": old,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		fixture.Write(t, path, "{}")
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(dir, age, morning, func() {})
	var left []string
	for _, folder := range []string{dir, filepath.Join(dir, "cache"), filepath.Join(dir, "cache", "view"),
		filepath.Join(dir, "locks")} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			left = append(left, e.Name())
		}
	}
	want := ".memento-tmp-3 cache locks myapp--alice.json workspace.json alice.holder swept view young.json " +
		"alice.lock young.lock"
	if got := strings.Join(left, " "); got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
	Sweep(filepath.Join(dir, "missing"), age, morning, func() {}) // no panic
}

// TestSweepAhead: a session whose clock is ahead removes no other session's memory, and keeps nobody from sweeping
// once the clock is right.
func TestSweepAhead(t *testing.T) {
	const age = 45 * 24 * time.Hour
	dir := t.TempDir()
	running, old, mark := filepath.Join(dir, "cache", "running.json"), filepath.Join(dir, "cache", "old.json"),
		filepath.Join(dir, "cache", "swept")
	for path, at := range map[string]time.Time{running: morning, old: morning.Add(-age - time.Hour),
		mark: morning.Add(-26 * time.Hour)} {
		fixture.Write(t, path, "{}")
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	there := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	ahead := morning.Add(400 * 24 * time.Hour)
	Sweep(dir, age, ahead, func() {})
	if err := os.Chtimes(mark, ahead, ahead); err != nil {
		t.Fatal(err)
	}
	if !there(running) || !there(old) {
		t.Error("a clock that was ahead took a state away")
	}
	Sweep(dir, age, morning, func() {})
	if !there(running) || there(old) {
		t.Error("the sweep was not made when the clock was right again")
	}
}

// TestSweepDaily: a session that begins sweeps only when no session has swept for a day, or when the clock was set
// back.
func TestSweepDaily(t *testing.T) {
	for _, tt := range []struct {
		since time.Duration
		left  bool
	}{{0, true}, {sweepEvery - time.Second, true}, {sweepEvery, false}, {-time.Second, false}} {
		dir := t.TempDir()
		old := filepath.Join(dir, "cache", ".memento-tmp-1")
		fixture.Write(t, old, "{}")
		mark := filepath.Join(dir, "cache", "swept")
		fixture.Write(t, mark, "")
		for path, at := range map[string]time.Time{old: morning.Add(-48 * time.Hour), mark: morning.Add(-tt.since)} {
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		Sweep(dir, time.Hour, morning, func() {})
		if _, err := os.Stat(old); (err == nil) != tt.left {
			t.Errorf("%v after the last: what a killed process left stands: %v", tt.since, err == nil)
		}
		if info, err := os.Stat(mark); err != nil || !tt.left && info.ModTime().Equal(morning.Add(-tt.since)) {
			t.Errorf("%v after the last: not noted: %v", tt.since, err)
		}
	}
}
