package e2e

import (
	"strings"
	"testing"
)

// TestEditor starts the client as its extension for an editor does: the hooks run, a journal command runs unasked, the
// block comes back, and the line for the person reaches the editor (client 2.1.329; 2.1.139 streams no such line).
func TestEditor(t *testing.T) {
	w := newWorld(t)
	r := w.run(Session{
		Editor: true, Ask: true,
		Prompts: []string{mission, second, "/compact", "Go on."},
		Script:  Script{Main: append([]Turn{Say("I will look at the session handling.")}, noted()...)},
	})
	quiet(t, r)
	if r.Callbacks == 0 {
		t.Error("the client asked the editor about no tool call, so this was no editor's session")
	}
	block := one(t, "the block", r.Said("SessionStart:compact"))
	restored(t, block, last(t, r), first)
	told := false
	for _, e := range r.Events {
		told = told || e.Type == "system" && e.Subtype == "informational" && strings.Contains(string(e.raw), " back (")
	}
	if !told {
		t.Error("the editor got no line for the person after the compaction")
	}
	want(t, "the journal", w.read(), mission, wip)
}
