package block

import (
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/journal"
)

// TestHeld: the counts are those of the block, and not of the journal.
func TestHeld(t *testing.T) {
	say := func(words ...string) (out []journal.Saying) {
		for _, w := range words {
			out = append(out, journal.Saying{Text: w})
		}
		return out
	}
	open := func(j journal.Journal) journal.Journal {
		j.Mission, j.MissionBy, j.MissionOpened = "Fix it", journal.ByUser, "2026-03-14T09:00:00Z"
		return j
	}
	for _, tt := range []struct {
		name string
		j    journal.Journal
		v    View
		want string
	}{
		{"nothing", journal.Journal{}, View{}, ""},
		{"a mission", open(journal.Journal{}), View{}, "your mission is"},
		{"of an earlier session", open(journal.Journal{}), View{Head: "Previous mission (of an earlier session)"},
			"the mission before is"},
		{"rules alone", journal.Journal{Wip: ""}, View{Said: &Words{Rules: say("never a", "never b")}}, ""},
		{"all", open(journal.Journal{Wip: "the parser", Plan: []string{"a", "b"},
			Error: &journal.Failure{Cmd: "go test ./...", Line: "FAIL"}}),
			View{Said: &Words{Rules: say("never a"), Tells: say("it rains")}},
			"your mission, 1 rule, the failing test, the work in hand and 2 next steps are"},
		{"no rule", open(journal.Journal{Error: &journal.Failure{Cmd: "make", Line: "No rule to make target"}}),
			View{Said: &Words{Tells: say("it rains", "it pours")}},
			"your mission, 2 sentences of yours and the failing command are"},
		{"two failures", open(journal.Journal{Error: &journal.Failure{Cmd: "npm test", Line: "401"}}),
			View{Failing: []journal.Failure{{Cmd: "go vet", Line: "bad"}}}, "your mission and 2 failing commands are"},
		{"what has no room", open(journal.Journal{}), View{Said: &Words{Rules: say("never "+strings.Repeat("a", 300),
			"never b", strings.Repeat("c", 300)+" never")}}, "your mission and 1 rule are"},
	} {
		if tt.v.Budget == 0 {
			tt.v.Budget = 100
		}
		if got := Held(&tt.j, tt.v, Render(&tt.j, tt.v)); got != tt.want {
			t.Errorf("%s: %q, want %q of\n%s", tt.name, got, tt.want, Render(&tt.j, tt.v))
		}
	}
}
