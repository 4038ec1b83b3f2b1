package e2e

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// The prompts of a person in these scenarios, and the model's notes on them.
const (
	mission = "Fix the login bug in paymentd: sessions expire after five minutes. Keep the token format as it is. " +
		"Done when the tests pass."
	second   = "Look at the refresh path first, and deploy to staging only. The audit log stays untouched."
	rule     = "deploy to staging only"
	unnoted  = "The audit log stays untouched."
	wip      = "refresh path read, clock skew suspected in session.go"
	planned  = "write a regression test"
	planned2 = "deploy to staging"
)

// noted returns the model's answer to the second prompt: it writes into its journal.
func noted() []Turn {
	return []Turn{
		Bash(`memento done --wip "` + wip + `" --plan "` + planned + `" --plan "` + planned2 + `"`),
		Say("Noted. The refresh path compares the expiry with local time."),
	}
}

// Budgets of the block: at a session's first compaction, and at a later one when the native summary has lost the
// person's words.
const (
	first = 350
	later = 1000
)

// tokens counts as the budget does: 4 ASCII characters are a token, and each other character is one.
func tokens(text string) int {
	n := 0
	for _, c := range text {
		if c < utf8.RuneSelf {
			n++
		} else {
			n += 4
		}
	}
	return (n + 3) / 4
}

// restored checks the block after a compaction: it has the facts that may never be lost, keeps to its budget, and
// reached the model uncut.
func restored(t *testing.T, block string, to Request, budget int) {
	t.Helper()
	if n := tokens(block); n > budget {
		t.Errorf("the block has %d tokens, over %d:\n%s", n, budget, block)
	}
	if !strings.HasPrefix(block, "[MEMENTO] Mission: "+mission) {
		t.Errorf("the block does not begin with the mission, word for word:\n%s", block)
	}
	want(t, "the block", block, rule, wip, planned, planned2)
	want(t, "the request after the compaction", to.Text(), block)
}

func TestCompaction(t *testing.T) {
	w := newWorld(t)
	r := w.run(Session{
		Prompts: []string{mission, second, "/compact", "Go on.", "Now write the regression test."},
		Env:     []string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW=160000"},
		Script: Script{
			Main: append(append([]Turn{Say("I will look at the session handling.")}, noted()...),
				// after the next prompt the context is full: the client compacts by itself
				Say("Going on with the refresh path.").At(150000),
				Say("Writing the test.")),
			Summary: []string{"The login bug is being looked into."},
		},
	})
	briefs := r.Of(Summary)
	if len(briefs) != 2 {
		t.Fatalf("%d compactions, not 2", len(briefs))
	}
	blocks := r.Said("SessionStart:compact")
	if len(blocks) != 2 {
		t.Fatalf("%d blocks after compactions, not 2: %q", len(blocks), blocks)
	}
	main := r.Of(Main)
	t.Run("manual", func(t *testing.T) {
		brief := briefs[0].Brief()
		want(t, "the brief in the summariser's request", brief, mission)
		if n := utf8.RuneCountInString(brief); n > 1500 {
			t.Errorf("a brief the person sees has %d characters", n)
		}
		restored(t, blocks[0], main[len(main)-2], first)
	})
	t.Run("automatic", func(t *testing.T) {
		// The summariser no longer sees these words: they were said before the last compaction but one.
		want(t, "the brief in the summariser's request", briefs[1].Brief(), mission, second)
		restored(t, blocks[1], main[len(main)-1], later)
		want(t, "the block", blocks[1], unnoted)
		if got := w.stand(); got != "whole" {
			t.Errorf("the transcript has the block, and delivery is %q", got)
		}
	})
	t.Run("what the person sees", func(t *testing.T) {
		notices := r.Notices()
		if len(notices) != 2 {
			t.Fatalf("%d notices for two compactions: %q", len(notices), notices)
		}
		for i, n := range notices {
			want(t, "the notice", n, "memento: your mission, ", "the work in hand and 2 next steps are back ("+
				strconv.Itoa(tokens(blocks[i]))+" tokens) · ! memento ")
		}
		for _, q := range r.Requests {
			if strings.Contains(q.Text(), "are back (") {
				t.Error("the model reads what the person is told")
			}
		}
	})
	t.Run("automatic twice", func(t *testing.T) {
		w := newWorld(t)
		r := w.run(Session{
			Prompts: []string{mission, second, "Now write the regression test.", "Is it green?", "Then deploy it."},
			Env:     []string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW=160000"},
			Script: Script{Main: append(append([]Turn{Say("I will look at the session handling.")}, noted()[:1]...),
				Say("Noted.").At(150000), Say("Writing the test."), Say("It is green.").At(150000), Say("Deploying."))},
		})
		briefs, blocks, main := r.Of(Summary), r.Said("SessionStart:compact"), r.Of(Main)
		if len(briefs) != 2 || len(blocks) != 2 {
			t.Fatalf("%d compactions and %d blocks, not 2", len(briefs), len(blocks))
		}
		want(t, "the first brief in the summariser's request", briefs[0].Brief(), mission)
		restored(t, blocks[0], main[len(main)-3], first)
		want(t, "the first block", blocks[0], unnoted)
		// The person's words from before the first compaction, with the mission, and the work in hand.
		want(t, "the second brief in the summariser's request", briefs[1].Brief(), mission, second, wip)
		restored(t, blocks[1], main[len(main)-1], later)
		want(t, "the second block", blocks[1], unnoted)
	})
}
