package e2e

import "testing"

// TestSubagent: a subagent starts with the mission, the user's rules and the number of records before it. It shares the
// session's id, and only the hook knows that it is a subagent: its notes and its answer go to the history.
func TestSubagent(t *testing.T) {
	const (
		opening = `memento mission "read every test in the tree"`
		noting  = `memento done "counted the session tests" --result "14 tests" --wip "reading session_test.go"`
		answer  = "14 tests, 2 of them skipped."
	)
	w := newWorld(t)
	w.shell(memento(), "save", "runbook", "Restore the session store", "--set", "trigger=the store is empty", "--set",
		"steps=stop the writers", "--tag", "store")
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
			Sub: []Turn{Bash(opening), Bash(noting), Say(answer)},
		},
	})
	sub := r.Of(Subagent)
	if len(sub) != 3 {
		t.Fatalf("the subagent was asked %d times, not 3", len(sub))
	}
	quiet(t, r)
	want(t, "the subagent's first request", sub[0].Text(), "[MEMENTO] The mission of this session: "+mission,
		"The user said: ", "1 record here", "memento search")
	for _, command := range []string{opening, noting} {
		if x, ok := tool(r, command); !ok || x.Failed || x.Denied || !x.Agent {
			t.Errorf("the subagent's %q did not run: %+v", command, x)
		}
	}
	journal := w.read()
	want(t, "the journal", journal, "Fix the login bug in paymentd", wip)
	never(t, "the journal", journal, "read every test in the tree", "counted the session tests",
		"reading session_test.go", answer)
	want(t, "the history", w.shell(memento(), "show", "--history"), "counted the session tests",
		"general-purpose: "+answer)
}
