package e2e

import "testing"

// TestSubagent: a subagent shares the session's id, and only the hook knows that it is a subagent. Its notes go to
// the history.
func TestSubagent(t *testing.T) {
	w := newWorld(t)
	r := w.run(Session{
		Prompts: []string{mission, second},
		Ask:     true,
		Script: Script{
			Main: []Turn{
				Say("I will look at the session handling."),
				Bash(`memento done --wip "` + wip + `"`),
				Use("Agent", map[string]any{"description": "read the tests",
					"prompt":        "Read the tests of session.go and report.",
					"subagent_type": "general-purpose", "run_in_background": false}),
				Say("The agent has reported."),
			},
			Sub: []Turn{
				Bash(`memento mission "read every test in the tree"`),
				Bash(`memento done "counted the session tests" --result "14 tests, 2 skipped" --wip "reading ` +
					`session_test.go"`),
				Say("14 tests, 2 of them skipped."),
			},
		},
	})
	if n := len(r.Of(Subagent)); n != 3 {
		t.Fatalf("the subagent was asked %d times, not 3", n)
	}
	quiet(t, r)
	for _, command := range []string{"memento mission", `memento done "counted`} {
		x, ok := r.Tool(command)
		if !ok || x.Failed || x.Denied || !x.Agent {
			t.Errorf("the subagent's %q did not run: %+v", command, x)
		}
	}
	journal := w.read()
	want(t, "the journal", journal, "Fix the login bug in paymentd", wip)
	never(t, "the journal", journal, "read every test in the tree", "counted the session tests",
		"reading session_test.go")
	want(t, "the history", w.shell(memento(), "show", "--history"), "counted the session tests")
}

// TestSubagentContext: a subagent starts with the mission and the user's rules before it. The history holds its
// answer.
func TestSubagentContext(t *testing.T) {
	w := newWorld(t)
	answer := "The expiry is compared in session.go, line 41."
	r := w.run(Session{
		Prompts: []string{mission, second},
		Script: Script{
			Main: []Turn{Say("I will look."), Use("Agent",
				map[string]any{"description": "find it", "prompt": "Find where the expiry is compared.",
					"subagent_type": "general-purpose", "run_in_background": false}), Say("Found."), Say("Done.")},
			Sub: []Turn{Say(answer)},
		},
	})
	sub := r.Of(Subagent)
	if len(sub) == 0 {
		t.Fatal("no subagent ran")
	}
	want(t, "the subagent's first request", sub[0].Text(), "[MEMENTO] The mission of this session: "+mission,
		"The user said: ")
	want(t, "the history", w.shell(memento(), "show", "--history"), "general-purpose: "+answer)
	never(t, "the journal", w.read(), answer)
}

// TestSubagentCatalogue: a subagent is told at its start how many records there are, beside the mission.
func TestSubagentCatalogue(t *testing.T) {
	w := newWorld(t)
	w.shell(memento(), "save", "runbook", "Restore the session store", "--set", "trigger=the store is empty", "--set",
		"steps=stop the writers", "--tag", "store")
	r := w.run(Session{
		Prompts: []string{mission},
		Script: Script{
			Main: []Turn{Use("Agent", map[string]any{"description": "look", "prompt": "Look at it.",
				"subagent_type": "general-purpose", "run_in_background": false}), Say("Done.")},
			Sub: []Turn{Say("It is fine.")},
		},
	})
	sub := r.Of(Subagent)
	if len(sub) == 0 {
		t.Fatal("no subagent ran")
	}
	want(t, "the subagent's first request", sub[0].Text(), "[MEMENTO] The mission of this session: "+mission,
		"1 record here", "memento search")
}
