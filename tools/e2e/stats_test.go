package e2e

import (
	"encoding/json"
	"testing"
)

// TestStats: each compaction is counted when it happens, with the facts that the client's own summary kept and those
// that memento's block carried.
func TestStats(t *testing.T) {
	w := newWorld(t)
	w.run(Session{
		Prompts: []string{mission, second, "/compact", "Go on.", "Now write the regression test."},
		Env:     []string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW=160000"},
		Script: Script{
			Main: append(append([]Turn{Say("I will look at the session handling.")}, noted()...),
				Say("Going on with the refresh path.").At(150000), Say("Writing the test.")),
			Summary: []string{"The user wants: " + mission, "The login bug is being looked into."},
		},
	})
	type kept struct{ There, Summary, Block, Neither int }
	var stats struct {
		Compactions, Auto, Manual, Sessions int
		Facts                               map[string]kept
	}
	if err := json.Unmarshal([]byte(w.shell(memento(), "stats", "--json")), &stats); err != nil {
		t.Fatal(err)
	}
	if stats.Compactions != 2 || stats.Auto != 1 || stats.Manual != 1 || stats.Sessions != 1 {
		t.Errorf("counted: %+v", stats)
	}
	if got, want := stats.Facts["mission"], (kept{There: 2, Summary: 1, Block: 2}); got != want {
		t.Errorf("the mission: %+v, want %+v", got, want)
	}
	if got := stats.Facts["wip"]; got.There != 2 || got.Summary != 0 || got.Block != 2 {
		t.Errorf("the work in hand: %+v", got)
	}
	if got := stats.Facts["rule"]; got.There < 2 || got.Block != got.There {
		t.Errorf("the rules: %+v", got)
	}
}
