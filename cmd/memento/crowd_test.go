package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// crowd is a machine with a project in which each hook and command is a process of its own.
type crowd struct {
	t         *testing.T
	exe, home string
	dir       string
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	c := &crowd{t: t, exe: self, home: t.TempDir()}
	c.dir = filepath.Join(c.home, "shop")
	if err := os.Mkdir(c.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return c
}

// newBinary returns a crowd that runs a release build.
func newBinary(t *testing.T) *crowd {
	t.Helper()
	c := newCrowd(t)
	c.exe = built(t, ".")
	return c
}

func (c *crowd) command(in string, args ...string) *exec.Cmd {
	cmd := exec.Command(c.exe, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.dir, []string{"HOME=" + c.home, "USER=alice", "PATH=" + os.Getenv("PATH"),
		fmt.Sprint("CLAUDE_PID=", os.Getpid()), "GORACE=" + noSleep}, strings.NewReader(in)
	return cmd
}

func (c *crowd) hook(session, event string) *exec.Cmd {
	return c.event(session, event, `,"source":"startup"`)
}

// event is the hook of an event with more fields.
func (c *crowd) event(session, event, more string) *exec.Cmd {
	return c.command(fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"transcript_path":%q,"cwd":%q%s}`, event,
		session, c.transcript(session), c.dir, more), "hook")
}

func (c *crowd) transcript(session string) string { return filepath.Join(c.home, session+".jsonl") }

func (c *crowd) run(cmd *exec.Cmd) string {
	c.t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		c.t.Fatalf("%v: %v\n%s", cmd.Args, err, &out)
	}
	return out.String()
}

// patient runs a command, again while the lock is busy, and returns its exit code and output. The test fails if the
// exit code is neither 0 nor want.
func (c *crowd) patient(want int, args ...string) (code int, out string) {
	for {
		var b bytes.Buffer
		cmd := c.command("", args...)
		cmd.Stdout, cmd.Stderr = &b, &b
		err := cmd.Run()
		var exit *exec.ExitError
		switch {
		case err == nil:
			return 0, b.String()
		case errors.As(err, &exit) && exit.ExitCode() == 75 && strings.Contains(b.String(), "run the command again"):
			continue
		case errors.As(err, &exit) && exit.ExitCode() == want:
			return want, b.String()
		}
		c.t.Errorf("%q: %v: %s", args, err, &b)
		return -1, b.String()
	}
}

// together runs do n times at once.
func (c *crowd) together(n int, do func(n int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	all.Wait()
}

// turn appends a turn to the session's transcript: a prompt, a command that fails, and a commit.
func (c *crowd) turn(session string, n int) {
	c.t.Helper()
	line := func(kind, id, content string) {
		fixture.Append(c.t, c.transcript(session),
			fmt.Sprintf(`{"type":%q,"uuid":"%s-%s-%d","timestamp":%q,"message":{"role":%q,"content":[%s]}}`+"\n", kind,
				session, id, n, time.Now().UTC().Format(time.RFC3339Nano), kind, content))
	}
	line("user", "u", `{"type":"text","text":"`+asked(session, n)+`"}`)
	for _, call := range [...]struct {
		id, command, answer string
		failed              bool
	}{
		{"f", "make check-" + fmt.Sprint(n), "Exit code 2\\nmake: *** [check] Error 2", true},
		{"d", "git commit -am rename", "[main 0c0ffee] " + did(session, n), false},
	} {
		id := fmt.Sprintf("toolu_%s_%s_%d", session, call.id, n)
		line("assistant", call.id+"c", fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%q}}`,
			id, call.command))
		line("user", call.id+"r", fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"is_error":%t,"content":"%s"}`,
			id, call.failed, call.answer))
	}
}

// summed appends the client's summary of a compaction to the session's transcript.
func (c *crowd) summed(session string) {
	c.t.Helper()
	fixture.Append(c.t, c.transcript(session),
		`{"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"auto"}}
{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"They talked."}}
`)
}

func asked(session string, n int) string {
	return fmt.Sprintf("rename column %d of table %s to lower case", n, session)
}

func did(session string, n int) string { return fmt.Sprintf("renamed %d in %s", n, session) }

func (c *crowd) lane() project.Lane {
	return project.NewLane(filepath.Join(c.home, ".claude", ".memento"), "shop", "", "alice")
}

// sound checks what must be true of the journal at any moment: it parses, and has nothing twice. The journal may be
// missing.
func (c *crowd) sound() *journal.Journal {
	c.t.Helper()
	j, err := journal.Store{Lane: c.lane(), Config: config.Config{MaxFileBytes: 1 << 20}}.Read()
	if errors.Is(err, fs.ErrNotExist) {
		return &journal.Journal{}
	}
	if err != nil {
		c.t.Fatal(err)
	}
	data, _ := os.ReadFile(c.lane().Journal())
	seen := map[string]bool{}
	for _, e := range j.Done {
		if seen[e.Act] {
			c.t.Fatalf("%q was done twice:\n%s", e.Act, data)
		}
		seen[e.Act] = true
	}
	return j
}

// whole checks that journal and history have all n turns of the session: every prompt and command, in order and once.
func (c *crowd) whole(session string, n int) {
	c.t.Helper()
	var said struct {
		Said []struct{ Session, Text string }
	}
	if err := json.Unmarshal([]byte(c.run(c.command("", "show", "--said", "--json"))), &said); err != nil {
		c.t.Fatal(err)
	}
	var heard, want []string
	for _, s := range said.Said {
		if s.Session == session && strings.HasPrefix(s.Text, "rename ") {
			heard = append(heard, s.Text)
		}
	}
	for i := range n {
		want = append(want, asked(session, i))
	}
	if !slices.Equal(heard, want) {
		c.t.Errorf("of %d prompts of %s, these were heard: %q", n, session, heard)
	}
	var acts []string
	add := func(act string) {
		if strings.HasSuffix(act, " in "+session) && !slices.Contains(acts, act) {
			acts = append(acts, act)
		}
	}
	store := log.Store{Dir: c.lane().Dir}
	sessions, err := store.Sessions(c.lane().Slug)
	for _, one := range sessions {
		entries, failed := store.ReadSession(one)
		err = errors.Join(err, failed)
		for _, e := range entries {
			if _, subject, ok := strings.Cut(e.Text, " "); ok && e.Kind == log.Committed {
				add(subject)
			}
		}
	}
	if err != nil {
		c.t.Fatal(err)
	}
	want = nil
	for i := range n {
		want = append(want, did(session, i))
	}
	if !slices.Equal(acts, want) {
		c.t.Errorf("of %d commits of %s, these were kept: %q", n, session, acts)
	}
}

// sweeps checks that the first session of a day removes files that killed processes left more than an hour ago.
func (c *crowd) sweeps() {
	c.t.Helper()
	hourAgo := time.Now().Add(-61 * time.Minute)
	for _, path := range c.leftovers() {
		if err := os.Chtimes(path, hourAgo, hourAgo); err != nil {
			c.t.Fatal(err)
		}
	}
	// as if a day had passed
	if err := os.Remove(filepath.Join(c.lane().Dir, "cache", "swept")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.t.Fatal(err)
	}
	c.run(c.hook("s2", "SessionStart"))
	if left := c.leftovers(); left != nil {
		c.t.Errorf("left over: %q", left)
	}
}

// leftovers lists temporary files under memento's folder.
func (c *crowd) leftovers() (out []string) {
	c.t.Helper()
	for _, name := range fixture.Names(c.t, c.lane().Dir) {
		if safefile.Temporary(path.Base(name)) {
			out = append(out, filepath.Join(c.lane().Dir, filepath.FromSlash(name)))
		}
	}
	return out
}

// TestCrowd: hooks of two sessions with one journal run, 20 at once. Nothing is lost, and nothing is there twice.
func TestCrowd(t *testing.T) {
	fixture.Long(t, "runs many sessions")
	c := newCrowd(t)
	const turns = 6
	for n := range turns {
		for _, session := range []string{"s1", "s2"} {
			c.turn(session, n)
		}
		c.together(64/turns*2, func(i int) {
			event := []string{"Stop", "PostToolUse", "Stop", "PreCompact"}[i/2%4]
			if err := c.hook([]string{"s1", "s2"}[i%2], event).Run(); err != nil {
				t.Error(err)
			}
		})
		c.sound()
	}
	for range 2 {
		c.run(c.hook("s1", "Stop"))
		c.run(c.hook("s2", "Stop"))
	}
	c.whole("s1", turns)
	c.whole("s2", turns)
}
