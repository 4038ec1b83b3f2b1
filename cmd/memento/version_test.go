package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/log"
)

// Two versions of memento may write the files of one session: after an upgrade, or if both are installed. An older
// version keeps fields that a newer one added to the journal and the log.

// later is a field that a newer version may add to an object.
const later = `"later_version":{"words":["größer","<b>"],"number":2.50}`

// add puts later into the object in the file at path, as its first field, and into every object in its lists.
func (c *crowd) add(path string) {
	c.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		c.t.Fatal(err)
	}
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "{") &&
			(filepath.Ext(path) == ".jsonl" || len(lines) == 0 || strings.HasPrefix(line, `{"`)) {
			line = "{" + later + "," + line[1:]
		}
		lines = append(lines, line)
	}
	out := strings.ReplaceAll(strings.Join(lines, "\n")+"\n", ",}", "}")
	fixture.Write(c.t, path, out)
}

// TestNewerFiles: an older version works with files of a newer one and keeps all of their fields.
func TestNewerFiles(t *testing.T) {
	c := newCrowd(t)
	c.run(c.hook("s1", "SessionStart"))
	c.turn("s1", 0)
	c.run(c.hook("s1", "Stop"))
	added := map[string]int{}
	logged, err := log.Store{Dir: c.lane().Dir}.File("shop", "s1")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{c.lane().Journal(), logged} {
		c.add(path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		added[path] = strings.Count(string(data), "later_version")
	}
	fixture.Append(t, logged,
		`{"id":"x1","ts":"2026-03-14T09:26:53Z","kind":"later_version","text":"of a kind to come"}`+"\n")
	added[logged]++
	for n := 1; n < 4; n++ {
		c.turn("s1", n)
		c.run(c.hook("s1", "Stop"))
		c.run(c.command(`{"hook_event_name":"PreCompact","trigger":"auto","session_id":"s1"}`, "hook"))
		if out := c.run(c.command(`{"hook_event_name":"SessionStart","source":"compact","session_id":"s1"}`,
			"hook")); !strings.Contains(out, asked("s1", n)) {
			t.Errorf("the block is %s", out)
		}
		c.run(c.command("", "done", fmt.Sprint("by hand ", n)))
	}
	c.whole("s1", 4)
	for path, n := range added {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if path == logged { // the journal was edited by hand, as the log says
			n++
		}
		if got := strings.Count(string(data), "later_version"); got != n || n == 0 {
			t.Errorf("of %d additions, %s has %d:\n%s", n, path, got, data)
		}
		if path != logged && !json.Valid(data) {
			t.Errorf("%s is not valid JSON any more", path)
		}
	}
}
