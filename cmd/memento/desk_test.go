package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/cli"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// desk is a machine with a running session. restore puts it back to its first state.
type desk struct {
	t    *testing.T
	home string
	was  map[string]string // the first content of .memento, by name
}

const (
	firstWords = "Fix the checkout: orders above 1,000 EUR are lost."
	lateWords  = "Never touch the tax tables."
)

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, home: t.TempDir()}
	fixture.Files(t, d.path("shop", ".git"), map[string]string{
		"HEAD": "ref: refs/heads/main\n", "objects/keep": "", "config": "[remote \"origin\"]\n\turl = gh:alice/shop\n",
		"logs/HEAD": strings.Repeat("0", 40) + " " + strings.Repeat("1", 40) +
			" Alice <alice@example.com> 1773480000 +0100\tclone: from shop\n",
	})
	d.typed("s1", firstWords)
	d.memento(nil, d.event("SessionStart", "s1", `,"source":"startup"`), "hook")
	d.memento(nil, d.event("Stop", "s1", ""), "hook")
	d.memento(map[string]string{"CLAUDE_CODE_SESSION_ID": "s1"}, "", "done", "find the overflow", "--wip",
		"widen cents", "--plan", "a test")
	for _, args := range [][]string{
		{"save", "decision", "Widen the cents", "--set", "decision=cents take eight bytes", "--tag", "checkout"},
		{"save", "runbook", "Replay the desktop flow", "--set", "trigger=orders above the limit are lost", "--tag",
			"checkout"},
		{"save", "debt", "Name the columns", "--set", "description=they are called a and b"},
		{"save", "debt", "Split the till", "--set", "description=it does too much"},
		{"save", "constraint", "One currency", "--set", "rule=EUR alone"},
	} {
		if code, out, said := d.memento(nil, "", args...); code != 0 {
			t.Fatalf("%q: %d, %s%s", args, code, out, said)
		}
	}
	fixture.Write(t, filepath.Join(d.dir(), "log", "shop", "project.jsonl"), `{"id":"k1","kind":"kept",`+
		`"ts":"2026-03-14T09:00:00Z","text":"We round the cents once, at the end.","rule":123456,"judge":"user"}`+"\n")
	for _, args := range [][]string{{"archive", "--as", "completed", "name-the-columns"},
		{"archive", "--as", "retired", "split-the-till", "--reason", "done elsewhere"},
		{"archive", "one-currency", "--reason", "it stays"}} {
		if code, out, said := d.memento(nil, "", args...); code != 0 {
			t.Fatalf("%q: %d, %s%s", args, code, out, said)
		}
	}
	d.was = d.files()
	if !strings.Contains(d.was["shop--alice.json"], "widen cents") ||
		!strings.Contains(fixture.Logged(t, d.dir()), firstWords) {
		t.Fatalf("the desk is not as it should be: %q", d.was)
	}
	return d
}

func (d *desk) path(name ...string) string {
	return filepath.Join(append([]string{d.home}, name...)...)
}

func (d *desk) dir() string { return d.path(".claude", ".memento") }

func (d *desk) lane() project.Lane { return project.NewLane(d.dir(), "shop", "", "alice") }

// inside runs memento in this process, so that a test can make the disk fail and set the clock. env and dir are its
// environment and working folder, in its standard input. It returns the exit code and both outputs.
func inside(env map[string]string, dir string, now func() time.Time, in string, args ...string) (code int, out,
	said string) {
	var o, e strings.Builder
	code = cli.Main(args, cli.Streams{In: strings.NewReader(in), Out: &o, Err: &e,
		Getenv: func(k string) string { return env[k] },
		Dir:    dir, Exe: "/opt/memento/bin/memento", Now: now})
	return code, o.String(), e.String()
}

func (d *desk) memento(env map[string]string, in string, args ...string) (code int, out, said string) {
	all := map[string]string{"HOME": d.home, "USER": "alice", "CLAUDE_PID": fmt.Sprint(os.Getpid())}
	maps.Copy(all, env)
	return inside(all, d.path("shop"), time.Now, in, args...)
}

func (d *desk) event(name, session string, extra string) string {
	return fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"transcript_path":%q,"cwd":%q%s}`, name, session,
		d.path(session+".jsonl"), d.path("shop"), extra)
}

// typed writes a transcript with these prompts.
func (d *desk) typed(session string, words ...string) {
	d.t.Helper()
	var b strings.Builder
	for i, w := range words {
		fmt.Fprintf(&b,
			`{"type":"user","uuid":"%s-%d","timestamp":"2026-03-14T09:0%d:00Z","message":{"role":"user","content":%q}}`+
				"\n", session, i, i, w)
	}
	fixture.Write(d.t, d.path(session+".jsonl"), b.String())
}

// files returns the content of .memento, by name.
func (d *desk) files() map[string]string {
	d.t.Helper()
	return fixture.Contents(d.t, d.dir())
}

// restore puts the desk back to its first state, with a second prompt that memento has not read yet.
func (d *desk) restore(heard bool) {
	d.t.Helper()
	if err := os.RemoveAll(d.dir()); err != nil {
		d.t.Fatal(err)
	}
	fixture.Files(d.t, d.dir(), d.was)
	if heard {
		d.typed("s1", firstWords)
	} else {
		d.typed("s1", firstWords, lateWords)
	}
}

// faults runs f with each of its file operations failing: the n-th operation alone, with one error after another, then
// the n-th and all later ones, on a full disk and without any file that can be opened. It returns the number of
// operations, and the number of runs.
func (d *desk) faults(heard bool, f func(what func() string)) (ops, runs int) {
	d.t.Helper()
	defer safefile.TestOnlyFault(nil)
	alone := []error{syscall.EIO, syscall.ENOSPC, syscall.EACCES, syscall.EROFS, syscall.EMFILE}
	for _, rest := range []error{nil, syscall.ENOSPC, syscall.EMFILE} {
		for n := 0; ; n++ {
			d.restore(heard)
			step, failed, cause := 0, "", rest
			if rest == nil {
				cause = alone[n%len(alone)]
			}
			safefile.TestOnlyFault(func(op, path string) error {
				reading := slices.Contains([]string{"open", "read", "stat", "list", "flock"}, op)
				if rest == syscall.ENOSPC && reading {
					return nil
				}
				if step++; step-1 != n && (rest == nil || failed == "") {
					return nil
				}
				if reading && (cause == syscall.ENOSPC || cause == syscall.EROFS) {
					cause = syscall.EIO // reading never fails for want of room
				}
				if failed == "" {
					failed = op + " " + filepath.Base(path)
				}
				return cause
			})
			f(func() string { return fmt.Sprintf("%v at operation %d, %s, rest %v", cause, n, failed, rest) })
			safefile.TestOnlyFault(nil)
			if failed == "" {
				ops = max(ops, n)
				break
			}
			runs++
			for _, name := range fixture.Names(d.t, d.dir()) {
				if safefile.Temporary(filepath.Base(name)) {
					d.t.Errorf("%v at %s leaves %s", cause, failed, name)
				}
			}
		}
	}
	return ops, runs
}
