package e2e

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDenied: in plan mode nobody can approve a journal command, and the client denies it. The transcript holds its
// words, and when the turn ends, the journal has them once, as Claude's.
func TestDenied(t *testing.T) {
	w := newWorld(t)
	r := w.run(Session{
		Mode:    "plan",
		Prompts: []string{mission, second, "And who calls it?"},
		Script: Script{Main: []Turn{
			Say("I will look at the session handling."),
			Bash(`memento done "read the refresh path" --result "it compares with local time" --wip "` + wip +
				`" --plan "` + planned + `"`),
			Bash(`memento done "never mind" && touch pwned`), // no journal command
			Say("Noted."),
		}},
	})
	for _, x := range r.Tools {
		if !x.Failed {
			t.Errorf("%s ran in plan mode: %s", x.Input, x.Output)
		}
	}
	var journal struct {
		Wip  string
		Plan []string
		Done []struct{ Act, Result, By string }
	}
	if err := json.Unmarshal([]byte(w.read()), &journal); err != nil {
		t.Fatal(err)
	}
	if journal.Wip != wip || len(journal.Plan) != 1 || journal.Plan[0] != planned {
		t.Errorf("the journal has %q in hand and plans %q", journal.Wip, journal.Plan)
	}
	if n := len(journal.Done); n != 1 || journal.Done[0].Act != "read the refresh path" ||
		journal.Done[0].By != "claude" {
		t.Errorf("%d entries, not the one that was denied: %+v", n, journal.Done)
	}
	// The context has the denied command, word for word. The block repeats it only after a compaction.
	r = w.run(Session{Args: []string{"--resume", r.Sessions[0]}, Prompts: []string{"Go on.", "/compact", "Go on."}})
	if said := strings.Join(r.Said("SessionStart:resume"), ""); said != "" {
		t.Errorf("the resumed session was told %q", said)
	}
	block := one(t, "the block", r.Said("SessionStart:compact"))
	want(t, "the block", block, "[MEMENTO] Mission: "+mission, "it compares with local time", wip, planned)
	never(t, "the block", block, "never mind")
}
