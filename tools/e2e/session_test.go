package e2e

import (
	"strings"
	"testing"
)

const (
	other   = "Add rate limiting to the webhook endpoint of paymentd, with the standard library alone."
	nothing = `(?i)\bno(ne)?\b`
)

// TestSession follows one mission through all the ways in which a session can begin: new, resumed, forked, and new
// again beside it.
func TestSession(t *testing.T) {
	w := newWorld(t)
	r := w.run(Session{
		Prompts: []string{mission, second},
		Script:  Script{Main: append([]Turn{Say("I will look at the session handling.")}, noted()...)},
	})
	if said := strings.Join(r.Said("SessionStart:startup"), "\n"); said != "" {
		like(t, "the first start", said, nothing)
		if lines(said) > 2 {
			t.Errorf("the first start prints %d lines:\n%s", lines(said), said)
		}
	}
	id := r.Sessions[0]

	// The order of the subtests matters: each goes on with the store that the one before left.
	t.Run("resume", func(t *testing.T) {
		// Nothing was compacted: the context has all facts.
		for _, how := range [][]string{{"--resume", id}, {"--resume", id}, {"--continue"}} {
			r := w.run(Session{Args: how, Prompts: []string{"Go on."}})
			if said := strings.Join(r.Said("SessionStart:resume"), ""); said != "" {
				t.Errorf("%q was told %q", how, said)
			}
			never(t, "the request", last(t, r).Text(), "[MEMENTO] Mission: ")
		}
		// Another process noted a fact meanwhile. The session is told once.
		w.shell(memento(), "done", "asked the owner of the sessions table", "--result", "it may grow")
		r := w.run(Session{Args: []string{"--resume", id}, Prompts: []string{"Go on."}})
		block := one(t, "the block", r.Said("SessionStart:resume"))
		want(t, "the block", block, "[MEMENTO] Mission: "+mission, "it may grow")
		want(t, "the request", last(t, r).Text(), block)
		r = w.run(Session{Args: []string{"--resume", id}, Prompts: []string{"Go on."}})
		if n := strings.Count(last(t, r).Text(), "[MEMENTO] Mission: "); n != 1 {
			t.Errorf("the request has %d blocks", n)
		}
	})
	t.Run("fork", func(t *testing.T) {
		r := w.run(Session{Args: []string{"--resume", id, "--fork-session"}, Prompts: []string{"Go on."}})
		if len(r.Sessions) != 1 || r.Sessions[0] == id {
			t.Fatalf("not a fork: %v of %s", r.Sessions, id)
		}
		// The fork copies the conversation, and with it the one block in it.
		if said := strings.Join(r.Said("SessionStart:fork"), ""); said != "" {
			t.Errorf("the fork was told %q", said)
		}
		if n := strings.Count(last(t, r).Text(), "[MEMENTO] Mission: "); n != 1 {
			t.Errorf("the request has %d blocks", n)
		}
		r = w.run(Session{Args: []string{"--resume", r.Sessions[0]}, Prompts: []string{"Go on.", "/compact", "Go on."}})
		if said := strings.Join(r.Said("SessionStart:resume"), ""); said != "" {
			t.Errorf("the fork, resumed, was told %q", said)
		}
		want(t, "the block", one(t, "the block", r.Said("SessionStart:compact")), "[MEMENTO] Mission: "+mission, rule,
			wip, planned)
		r = w.run(Session{Args: []string{"--resume", r.Sessions[0]}, Prompts: []string{"Go on."}})
		if n := strings.Count(last(t, r).Text(), "[MEMENTO] Mission: "); n != 1 {
			t.Errorf("the request after a compaction has %d blocks", n)
		}
	})
	t.Run("new", func(t *testing.T) {
		r := w.run(Session{Prompts: []string{other, "/compact", "Go on."}})
		start := one(t, "the start", r.Said("SessionStart:startup"))
		like(t, "the start", start, `(?i)previous`)
		want(t, "the start", start, "Fix the login bug in paymentd", wip)
		if lines(start) > 2 {
			t.Errorf("the start prints %d lines:\n%s", lines(start), start)
		}
		want(t, "the first request", r.Of(Main)[0].Text(), start)
		block := one(t, "the block", r.Said("SessionStart:compact"))
		if !strings.HasPrefix(block, "[MEMENTO] Mission: "+other) {
			t.Errorf("the block does not begin with the new mission:\n%s", block)
		}
		never(t, "the block", block, "Mission: "+mission, rule, wip, planned)
		want(t, "the history", w.shell(memento(), "show", "--history"), "Fix the login bug in paymentd")
	})
	t.Run("the parked one", func(t *testing.T) {
		r := w.run(Session{Args: []string{"--resume", id}, Prompts: []string{"Go on."}})
		if said := strings.Join(r.Said("SessionStart:resume"), ""); said != "" {
			t.Errorf("it was told %q", said)
		}
		want(t, "the journal", w.shell(memento(), "show"), "Fix the login bug in paymentd")
	})
}

func TestClear(t *testing.T) {
	w := newWorld(t)
	r := w.run(Session{
		Prompts: []string{mission, second, "/clear", "Thanks!"},
		Script:  Script{Main: append([]Turn{Say("I will look at the session handling.")}, noted()...)},
	})
	if len(r.Sessions) != 2 {
		t.Fatalf("/clear made no new session: %v", r.Sessions)
	}
	cleared := one(t, "the start after /clear", r.Said("SessionStart:clear"))
	like(t, "the start after /clear", cleared, nothing)
	if lines(cleared) != 1 {
		t.Errorf("the start after /clear prints %d lines:\n%s", lines(cleared), cleared)
	}
	never(t, "what the model sees after /clear", last(t, r).Text(), "[MEMENTO] Mission: "+mission, planned2)

	start := one(t, "the next start", w.run(Session{Prompts: []string{"Hello"}}).Said("SessionStart:startup"))
	like(t, "the next start", start, nothing)
	if lines(start) > 2 {
		t.Errorf("the next start prints %d lines:\n%s", lines(start), start)
	}

	r = w.run(Session{Args: []string{"--resume", r.Sessions[0]}, Prompts: []string{"Go on."}})
	if said := strings.Join(r.Said("SessionStart:resume"), ""); said != "" {
		t.Errorf("the cleared session, resumed, has it all and was told %q", said)
	}
	want(t, "the journal", w.read(), mission)
}

// TestAsk asks the question of the README: the answer comes beside the prompt, without a tool call.
func TestAsk(t *testing.T) {
	const question = "what does memento have on this session?"
	w := newWorld(t)
	r := w.run(Session{
		Prompts: []string{question, mission, second, question, "Update the memento journal before we continue"},
		Script: Script{Main: append([]Turn{Say("Nothing yet."), Say("I will look at the session handling.")},
			noted()...)},
	})
	said := r.Said("UserPromptSubmit")
	if len(said) != 5 {
		t.Fatalf("%d UserPromptSubmit hooks, not 5: %q", len(said), said)
	}
	main := r.Of(Main)
	want(t, "the answer in an empty store", said[0], Store(w.home))
	like(t, "the answer in an empty store", said[0], nothing)
	want(t, "the first request", main[0].Tail(), said[0])

	want(t, "the answer", said[3], mission, rule, wip, planned, planned2, w.journal())
	want(t, "the request", main[len(main)-2].Tail(), said[3])
	want(t, "the answer to a call for a checkpoint", said[4], "memento")
}
