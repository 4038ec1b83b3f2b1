package e2e

import (
	"slices"
	"strings"
	"testing"
)

// TestWiredTwice: the plugin and settings.json both wire memento. The client runs two hooks for every event, and the
// model reads everything once.
func TestWiredTwice(t *testing.T) {
	w := newWorld(t)
	w.shell(w.local(), "install")
	w.client("plugin", "marketplace", "add", bundle)
	w.client("plugin", "install", "memento@mementohq")
	want(t, "settings.json", w.settings(), `"memento@mementohq": true`, `"hooks"`)

	const act = "read session.go"
	prompts := []string{mission, second, "Which callers of Refresh are there?", "/compact", "Go on.", "And the tests?"}
	r := w.bare(Session{
		Env:     []string{"MEMENTO_REMIND=always"}, // a reminder beside every prompt, so that a second one would show
		Prompts: prompts,
		Ask:     true,
		Script: Script{Main: append(append([]Turn{Say("I will look at the session handling.")}, noted()[:2]...),
			Bash(`memento done "`+act+`"`), Say("Noted."), Say("Three."))},
	})
	quiet(t, r)
	once := func(what, text, part string) {
		t.Helper()
		if n := strings.Count(text, part); n != 1 {
			t.Errorf("%s has %q %d times, not once:\n%s", what, part, n, text)
		}
	}
	ran := map[string]int{}
	for _, h := range r.Hooks {
		ran[h.Name]++
	}
	if ran["SessionStart:compact"] != 2 || ran["UserPromptSubmit"] != 2*5 {
		t.Fatalf("not wired twice: %v", ran)
	}
	block := strings.Join(r.Said("SessionStart:compact"), "")
	once("what both hooks say after the compaction", block, "[MEMENTO]")
	restored(t, strings.TrimSpace(block), r.Of(Main)[len(r.Of(Main))-2], first)
	once("the request after the compaction", r.Of(Main)[len(r.Of(Main))-2].Text(), "[MEMENTO] Mission: ")
	for _, q := range r.Of(Summary) {
		once("the brief in the summariser's request", q.Brief(), mission)
	}
	once("the first request", r.Of(Main)[0].Text(), "[MEMENTO] No active mission")
	for _, q := range r.Of(Main) {
		tail := strings.Replace(q.Tail(), "[MEMENTO] No active mission", "", 1)
		typed := slices.ContainsFunc(prompts, func(p string) bool { return strings.Contains(tail, p) })
		if typed && !strings.Contains(tail, "[MEMENTO] Mission: ") {
			once("what stands beside a prompt", tail, "[MEMENTO]")
		}
	}
	once("the journal", w.read(), act)
	once("what was said", w.shell(memento(), "show", "--said"), "The audit log stays untouched.")
}
