package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
)

// kept returns a home with every format that memento stores. Most of the files contain the word zeppelin in values.
func kept(t *testing.T) *crowd {
	t.Helper()
	c := newBinary(t)
	event := func(id, name, more string) { c.run(c.event(id, name, more)) }
	write := func(name, data string) {
		fixture.Write(t, filepath.Join(c.lane().Dir, name), data)
	}
	event("s1", "SessionStart", `,"source":"startup"`)
	event("s1", "UserPromptSubmit", `,"prompt":"Paint the zeppelin red, never blue"`)
	c.turn("s1", 1)
	c.turn("s1", 2)
	event("s1", "Stop", "")
	event("s1", "SubagentStop",
		`,"agent_id":"a1","agent_type":"Explore","last_assistant_message":"The zeppelin hangs in hall 4."`)
	c.run(c.command("", "done", "measured the zeppelin", "--result", "90 m", "--wip", "mixing paint", "--plan",
		"paint the nose"))
	c.run(c.command("", "done", "the zeppelin stays dry"))
	event("s1", "PreCompact", `,"trigger":"auto"`)
	c.summed("s1")
	event("s1", "SessionStart", `,"source":"compact"`)
	c.run(c.command("", "save", "decision", "Red paint", "--set", "decision=The zeppelin is red", "--tag", "colour"))
	c.run(c.command("", "save", "runbook", "Wash hulls", "--set", "steps=soap", "--tag", "zeppelin"))
	c.run(c.command("", "save", "preference", "units", "--project", "user", "--set", "value=metres for a zeppelin"))
	c.run(c.command("", "handoff", "write", "--note", "the zeppelin waits"))
	c.run(c.command("", "forget", "mixing paint", "--yes"))
	c.run(c.command("", "pause"))
	event("s2", "SessionStart", `,"source":"startup"`)
	c.run(c.command("", "pause", "--end"))
	event("s1", "SessionStart", `,"source":"compact"`) // its memory went with the words
	state, err := os.ReadFile(session.Path(c.lane().Dir, "s1"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(state)), "\n")
	last := lines[len(lines)-1]
	write("cache/s1.json", strings.TrimSuffix(last, "}")+
		`,"unheard":{"from":{"offset":3}},"known":true,"cut":true,"later":{"odd":["x"],"even":"the zeppelin"},`+
		`"stray":true}`)
	write("config.json", `{"remind":"never"}`)
	write("shop--by-hand.md",
		"---\nkind: runbook\ntitle: By hand\ntags: [x]\nteam: alice\ncrew: the zeppelin's\nshift: late\n---\nPull.\n")
	c.run(c.command("", "search", "--rebuild"))
	return c
}

// stored returns the files in memento's folder, except locks.
func stored(t *testing.T, c *crowd) map[string]string {
	t.Helper()
	all := fixture.Contents(t, c.lane().Dir)
	// each forget adds the fingerprint of its phrase to erased.json, and empties the cache
	maps.DeleteFunc(all, func(name, _ string) bool {
		return strings.HasSuffix(name, ".lock") || name == "erased.json" || strings.HasPrefix(name, "cache/")
	})
	return all
}

// named collects the names of fields and the values in files.
func named(files map[string]string) (names map[string]bool, values string) {
	names = map[string]bool{}
	var all strings.Builder
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, v := range v {
				names[k] = true
				walk(v)
			}
		case []any:
			for _, v := range v {
				walk(v)
			}
		default:
			fmt.Fprintln(&all, v)
		}
	}
	field := regexp.MustCompile(`(?m)^([A-Za-z_]+):|[{,] ?([A-Za-z_]+): `)
	for name, data := range files {
		switch {
		case strings.HasSuffix(name, ".md"):
			_, front, _ := strings.Cut(data, "---\n")
			front, body, _ := strings.Cut(front, "---\n")
			for _, m := range field.FindAllStringSubmatch(front, -1) {
				names[m[1]+m[2]] = true
			}
			fmt.Fprintln(&all, field.ReplaceAllString(front, " "), body)
		case strings.Contains(name, ".json"):
			for line := range strings.Lines(data) {
				var v any
				if json.Unmarshal([]byte(line), &v) == nil {
					walk(v)
				}
			}
			var v any
			if json.Unmarshal([]byte(data), &v) == nil {
				walk(v)
			}
		}
	}
	return names, text.Fold(all.String())
}

func forgets(t *testing.T, c *crowd, words string) {
	t.Helper()
	e := &forget.Eraser{
		Dir: c.lane().Dir, Chosen: func(string) bool { return true }, Records: func(string) bool { return true },
		Past: func(string) bool { return true }, All: true,
		Phrase: words, Now: time.Now(), Wait: time.Second,
	}
	if _, err := e.Run(); err != nil {
		t.Fatalf("%q: %v", words, err)
	}
}

// TestForgetNames: to forget a word that occurs only as the name of a field changes no byte of any file.
func TestForgetNames(t *testing.T) {
	fixture.Long(t, "runs hundreds of commands")
	c := kept(t)
	before := stored(t, c)
	names, values := named(before)
	tried := 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if len(name) < 2 || strings.Contains(values, text.Fold(name)) {
			continue
		}
		tried++
		forgets(t, c, name)
		after := stored(t, c)
		for file := range before {
			if after[file] != before[file] {
				t.Errorf("forgetting %q changed %s:\n%s\n%s", name, file, before[file], after[file])
			}
		}
		if len(after) != len(before) {
			t.Errorf("forgetting %q left %d files of %d", name, len(after), len(before))
		}
		if t.Failed() {
			return
		}
	}
	for _, name := range strings.Fields("mission_opened team crew shift") {
		if !names[name] || strings.Contains(values, name) {
			t.Errorf("%s is not the name of a field alone", name)
		}
	}
	if tried < 40 {
		t.Errorf("only %d of %d names were tried", tried, len(names))
	}
}

// TestForgetValues: after forget, a word that occurred in values is in no file of any format.
func TestForgetValues(t *testing.T) {
	c := kept(t)
	holding := func() (out []string) {
		for name, data := range fixture.Contents(t, c.lane().Dir) {
			if strings.Contains(strings.ToLower(data), "zeppelin") {
				out = append(out, strings.SplitN(name, "/", 2)[0])
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	if got := holding(); len(got) < 8 {
		t.Fatalf("it stands in %q alone", got)
	}
	forgets(t, c, "zeppelin")
	if got := holding(); got != nil {
		t.Errorf("it still stands in %q", got)
	}
}
