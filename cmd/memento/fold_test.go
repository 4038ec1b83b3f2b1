package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// TestFold: the daily sweep folds the lane of an old session into the lane beside which it ran. Its files go, and
// commands still find all its words and work. The lane of a session that may go on stays, even if its files look old.
func TestFold(t *testing.T) {
	fixture.Long(t, "runs many hooks")
	t.Parallel()
	c := newBinary(t)
	event := func(id, name, more string) string {
		cmd := c.event(id, name, more)
		cmd.Env = append(cmd.Env, "CLAUDE_PID=")
		return c.run(cmd)
	}
	as := func(id string, args ...string) string {
		cmd := c.command("", args...)
		cmd.Env = append(cmd.Env, "CLAUDE_CODE_SESSION_ID="+id)
		return c.run(cmd)
	}
	for _, id := range []string{"one", "two", "three", "four"} {
		event(id, "SessionStart", `,"source":"startup"`)
		event(id, "UserPromptSubmit", fmt.Sprintf(`,"prompt":%q`, asked(id, 0)))
		c.turn(id, 0)
		event(id, "Stop", "")
		c.turn(id, 1)
		event(id, "Stop", "")
	}
	for _, id := range []string{"two", "three"} {
		event(id, "SessionEnd", `,"reason":"other"`)
	}
	side := func(id string) (paths []string) {
		for _, path := range []string{"", "cache", "locks"} {
			found, err := filepath.Glob(filepath.Join(c.lane().Dir, path, "shop--alice~"+id+"*"))
			if err != nil {
				t.Fatal(err)
			}
			paths = append(paths, found...)
		}
		return paths
	}
	sweep := func(id string) {
		t.Helper()
		if err := os.Remove(filepath.Join(c.lane().Dir, "cache", "swept")); err != nil { // as if a day had passed
			t.Fatal(err)
		}
		event(id, "SessionStart", `,"source":"startup"`)
	}
	sweep("five")
	for _, id := range []string{"two", "three", "four"} {
		if paths := side(id); len(paths) != 3 {
			t.Fatalf("of %s there is %q, want journal, holder and lock", id, paths)
		}
	}
	old := time.Now().Add(-60 * 24 * time.Hour)
	for _, id := range []string{"two", "three", "four"} {
		for _, path := range side(id) {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, id := range []string{"two", "three"} { // four has not ended
		if err := os.Chtimes(filepath.Join(c.lane().Dir, "cache", id+".json"), old, old); err != nil {
			t.Fatal(err)
		}
	}
	before := strings.Count(as("one", "show", "--history", "--json"), `"kind"`)
	sweep("six")
	for _, id := range []string{"two", "three"} {
		if paths := side(id); paths != nil {
			t.Errorf("of %s there still is %q", id, paths)
		}
		c.whole(id, 2)
	}
	if paths := side("four"); len(paths) != 3 {
		t.Errorf("four may go on, and of it there is %q", paths)
	}
	c.whole("one", 2)
	if after := strings.Count(as("one", "show", "--history", "--json"), `"kind"`); after <= before {
		t.Errorf("the history has %d lines, had %d", after, before)
	}
	numbered := regexp.MustCompile(`(?m)^.* [a-z]+ [0-9]{6} .*$`)
	listed := func() string { return strings.Join(numbered.FindAllString(as("one", "show", "--history"), -1), "\n") }
	missions := listed()
	for _, id := range []string{"two", "three"} {
		if strings.Count(missions, asked(id, 0)) != 1 {
			t.Errorf("the missions are %s", missions)
		}
	}
	sweep("seven") // there is nothing left to fold
	if again := listed(); again != missions {
		t.Errorf("the missions became %s", again)
	}
	// If the old session comes back, it has its mission again.
	back := event("two", "SessionStart", `,"source":"resume"`)
	if got := as("two", "show"); !strings.Contains(got, asked("two", 0)) || !strings.Contains(got, did("two", 1)) {
		t.Errorf("two came back to %s\n%s", back, got)
	}
	n := ""
	for line := range strings.Lines(missions) {
		if strings.Contains(line, asked("three", 0)) {
			n = regexp.MustCompile(`[0-9]{6} `).FindString(line)
		}
	}
	as("one", "mission", "--resume", strings.TrimSpace(n))
	if got := as("one", "show"); !strings.Contains(got, asked("three", 0)) {
		t.Errorf("resuming mission %s of\n%s\nbrought back %s", n, missions, got)
	}
}
