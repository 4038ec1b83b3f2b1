package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/session"
)

// wired returns the two hooks that the client starts for one event if both the plugin and settings.json run memento.
// Both get the same input.
func (c *crowd) wired(id, event string, fields map[string]string) (both [2]*exec.Cmd) {
	c.t.Helper()
	all := map[string]string{"hook_event_name": event, "session_id": id, "transcript_path": c.transcript(id),
		"cwd": c.dir}
	maps.Copy(all, fields)
	in, err := json.Marshal(all)
	if err != nil {
		c.t.Fatal(err)
	}
	for i, root := range [...]string{"", "CLAUDE_PLUGIN_ROOT=" +
		filepath.Join(c.home, ".claude", "plugins", "cache", "mementohq", "memento", "1.0.0")} {
		both[i] = c.command(string(in), "hook")
		both[i].Env = append(both[i].Env, "MEMENTO_REMIND=never")
		if root != "" {
			both[i].Env = append(both[i].Env, root)
		}
	}
	return both
}

// answers starts both hooks at once, in random order, and returns their output.
func (c *crowd) answers(both [2]*exec.Cmd) (said [2]string) {
	c.t.Helper()
	var out [2]bytes.Buffer
	for i, turn := 0, rand.IntN(2); i < 2; i++ {
		cmd := both[(i+turn)%2]
		cmd.Stdout, cmd.Stderr = &out[(i+turn)%2], &out[(i+turn)%2]
		if err := cmd.Start(); err != nil {
			c.t.Fatal(err)
		}
	}
	for i, cmd := range both {
		if err := cmd.Wait(); err != nil {
			c.t.Errorf("%v: %s", err, &out[i])
		}
		said[i] = out[i].String()
	}
	return said
}

func (c *crowd) state(id string) session.Memory {
	c.t.Helper()
	st, err := session.Load(c.lane().Dir, id)
	if err != nil {
		c.t.Fatal(err)
	}
	return st
}

// TestOnce: the plugin and settings.json both run memento, so that two processes get every event at once. Exactly one
// of them answers.
func TestOnce(t *testing.T) {
	fixture.Long(t, "runs hundreds of processes")
	t.Parallel()
	c := newBinary(t)
	const rounds = 4
	const ask = "what does memento have on this session?"
	c.run(c.hook("s1", "SessionStart"))
	c.turn("s1", 0)
	c.run(c.hook("s1", "Stop"))
	by := [2]int{}
	once := func(id, event string, fields map[string]string) {
		t.Helper()
		switch said := c.answers(c.wired(id, event, fields)); {
		case (said[0] == "") == (said[1] == ""):
			t.Errorf("%s %v: they said %q", event, fields, said)
		case said[0] != "":
			by[0]++
		default:
			by[1]++
		}
	}
	for n := range rounds {
		id := fmt.Sprint("n", n)
		once(id, "SessionStart", map[string]string{"source": "startup"})
		once(id, "SessionStart", map[string]string{"source": "clear"})
	}
	once("s1", "SessionStart", map[string]string{"source": "resume"})
	for n := range rounds {
		id := fmt.Sprint("n", n)
		once("s1", "UserPromptSubmit", map[string]string{"prompt": ask, "prompt_id": id})
		once("s1", "UserPromptSubmit", map[string]string{"prompt": ask, "prompt_id": id + "again"})
		once("s1", "SubagentStart", map[string]string{"agent_id": "a" + id, "agent_type": "Explore"})
		for _, turn := range []string{id, id + "again"} {
			once("s1", "PreCompact", map[string]string{"trigger": "auto", "prompt_id": turn})
			once("s1", "SessionStart", map[string]string{"source": "compact", "prompt_id": turn})
			c.summed("s1")
		}
		c.turn("s1", n+1)
		if said := c.answers(c.wired("s1", "Stop", nil)); said != [2]string{} {
			t.Errorf("Stop said %q", said)
		}
	}
	if by[0] == 0 || by[1] == 0 {
		t.Errorf("only one of them ever came first: %v", by)
	}
	if st := c.state("s1"); st.Compactions != 2*rounds || st.Uncounted {
		t.Errorf("%d compactions, want %d; the last one is not counted: %v", st.Compactions, 2*rounds, st.Uncounted)
	}
	lane := c.lane()
	if all, err := history.CompactionsOf(lane.Dir, lane.Slug, "s1"); err != nil || len(all) != 2*rounds {
		t.Errorf("%d compactions are in history, want %d: %v", len(all), 2*rounds, err)
	}
	c.whole("s1", rounds+1)
	prompts := c.state("s1").Prompts
	for i := range 3 {
		c.answers(c.wired("s1", "UserPromptSubmit",
			map[string]string{"prompt": "continue", "prompt_id": fmt.Sprint(i)}))
	}
	if got := c.state("s1").Prompts; got != prompts+3 {
		t.Errorf("of three prompts %d were counted", got-prompts)
	}
}

// unread returns the end of a pipe that nobody reads.
func unread(t *testing.T) *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

// TestOnceKilled kills the first of two hooks for a compaction before each of its file operations, and at last while it
// answers. The other one answers, or the next prompt finds that no block arrived.
func TestOnceKilled(t *testing.T) {
	fixture.Long(t, "kills processes")
	c := newCrowd(t)
	c.run(c.hook("s1", "SessionStart"))
	c.turn("s1", 0)
	c.run(c.hook("s1", "Stop"))
	count := map[string]int{}
	for n, alive, gone := 1, false, false; !gone; n++ {
		id := fmt.Sprint("p", n)
		both := c.wired("s1", "SessionStart", map[string]string{"source": "compact", "prompt_id": id})
		var killed bytes.Buffer
		both[0].Stdout = &killed
		both[0].Env = append(both[0].Env, fmt.Sprint(killAt, "=", n))
		if gone = alive; gone {
			both[0].Stdout = unread(t) // the first write kills it
		}
		alive = both[0].Run() == nil
		said := c.run(both[1])
		switch {
		case said != "" && killed.Len() == 0:
			count["by the second"]++
		case said == "" && killed.Len() > 0:
			count["by the first"]++
		case said != "":
			t.Errorf("round %d: both answered", n)
		default:
			count["at the next prompt"]++
			fixture.Append(t, c.transcript("s1"),
				fmt.Sprintf(`{"type":"assistant","uuid":"a%d","timestamp":%q,"version":"2.1.329",`+
					`"message":{"role":"assistant","content":[{"type":"text","text":"I go on."}]}}`+"\n", n,
					time.Now().UTC().Format(time.RFC3339Nano)))
			if said := c.run(c.wired("s1", "UserPromptSubmit",
				map[string]string{"prompt": "go on", "prompt_id": id + "next"})[0]); !strings.Contains(said,
				"did not reach Claude, so it is given again") {
				t.Errorf("round %d: none answered, and beside the next prompt stands %q", n, said)
			}
		}
	}
	t.Logf("answered %v", count)
	if count["by the second"] == 0 || count["by the first"] == 0 || count["at the next prompt"] == 0 {
		t.Errorf("the operations do not lie before, in and after the answer: %v", count)
	}
}
