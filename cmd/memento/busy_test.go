package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/suggest"
)

// TestBusyLocks: while another process holds the locks of the inbox and the records, the journal still gets all words.
// Suggestions and records follow once the locks are free: after the next event or, if the session has ended, after the
// start of the next one.
func TestBusyLocks(t *testing.T) {
	fixture.Long(t, "waits for locks")
	const decided, kept = "We decided to keep the penguin logo because marketing insists on it.",
		"Remember that the walrus swims at noon."
	for _, c := range []struct{ busy, free, session, source string }{
		{"Stop", "Stop", "s1", ""},
		{"SessionEnd", "SessionStart", "s2", "startup"},
	} {
		t.Run(c.busy, func(t *testing.T) {
			d := &desk{t: t, home: scratch(t)}
			if err := os.MkdirAll(d.path("shop", ".git"), 0o700); err != nil {
				t.Fatal(err)
			}
			d.typed("s1", firstWords)
			d.memento(nil, d.event("SessionStart", "s1", `,"source":"startup"`), "hook")
			d.memento(nil, d.event("Stop", "s1", ""), "hook")
			var free []func()
			for _, name := range []string{"inbox", "records"} {
				unlock, err := safefile.LockIn(d.dir(), name, time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				free = append(free, unlock)
			}
			d.typed("s1", firstWords, decided, kept)
			_, block, _ := d.memento(nil, d.event("SessionStart", "s1", `,"source":"compact"`), "hook")
			for _, words := range []string{decided, kept} {
				if !strings.Contains(block, words) {
					t.Errorf("the block is without %q: %s", words, block)
				}
			}
			d.memento(nil, d.event(c.busy, "s1", ""), "hook")
			if records, _ := filepath.Glob(filepath.Join(d.dir(), "shop--the-walrus*.md")); len(records) > 0 {
				t.Fatalf("the locks kept nobody out: %q", records)
			}
			for _, unlock := range free {
				unlock()
			}

			d.memento(nil, d.event(c.free, c.session, `,"source":"`+c.source+`"`), "hook")
			if records, _ := filepath.Glob(filepath.Join(d.dir(), "shop--the-walrus*.md")); len(records) != 1 {
				t.Errorf("what the user wanted remembered is in %q, of %q", records,
					slices.Sorted(maps.Keys(d.files())))
			}
			if waiting, err := (suggest.Box{Dir: d.dir()}).List(""); err != nil || len(waiting) != 1 ||
				waiting[0].Quote != decided || waiting[0].Session != "s1" {
				t.Errorf("in the inbox waits %+v, %v", waiting, err)
			}
		})
	}
}

// TestCommandReadsFirst: if a command reads new words first, the next event still makes the record that they ask for.
func TestCommandReadsFirst(t *testing.T) {
	d := &desk{t: t, home: scratch(t)}
	if err := os.MkdirAll(d.path("shop", ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	d.memento(nil, d.event("SessionStart", "s1", `,"source":"startup"`), "hook")
	d.typed("s1", firstWords, "Remember that the walrus swims at noon.")
	if code, _, said := d.memento(map[string]string{"CLAUDE_CODE_SESSION_ID": "s1"}, "", "done", "--wip",
		"widen cents"); code != 0 {
		t.Fatal(said)
	}
	d.memento(nil, d.event("Stop", "s1", ""), "hook")
	if records, _ := filepath.Glob(filepath.Join(d.dir(), "shop--the-walrus*.md")); len(records) != 1 {
		t.Errorf("what the user wanted remembered is in %q", records)
	}
}
