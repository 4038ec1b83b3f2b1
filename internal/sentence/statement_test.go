package sentence

import (
	"strings"
	"testing"
)

// holding returns the statements of a message that hold on by their form, with bars between them.
func holding(message string) string {
	var out []string
	for _, s := range Statements(message, false) {
		if s.HoldsOn {
			out = append(out, s.Text)
		}
	}
	return strings.Join(out, "|")
}

// Whole sentences say by their form that they hold on. Each stands here word for word as it is kept.
func TestHoldsOn(t *testing.T) {
	for _, s := range []string{
		"Remember that the mock listens on 8090.",
		"ok, please remember that we never deploy on Fridays",
		"please remember: invoices are printed on A5",
		"Note to self: rename the buckets after the launch",
		"Remember that if the port is taken the tests hang",
		"Remember that when tests fail, look at the log.",
		"Remember that from now on commits are signed.",
		"Remember that there are two databases.",
		"Remember that `make smoke` takes ten minutes.",
		"Remember that users can forget that, and then log in again.",
		"Remember to always call me Ana",
		"I prefer tabs over spaces.",
		"I’d prefer short answers, without a summary at the end.",
		"From now on I review each migration myself.",
		"from now on always write the tests first",
		"Never push to main.",
		"Always use yarn in this project.",
		"Please never touch the tax tables without asking me.",
		"Don't rename a public function again without a note in the changelog.",
		"You must never call the ledger in tests.",
		"We always squash before merging.",
	} {
		if got := holding(s); got != s {
			t.Errorf("%q: %q", s, got)
		}
	}
	for message, want := range map[string]string{
		"Fix the header. Also remember: the logo is licensed until May.": "Also remember: the logo " +
			"is licensed until May.",
		"- Remember that invoices are numbered per year": "Remember that invoices " +
			"are numbered per year",
		"Remember that a is one. Remember that b is two things.": "Remember that a is " +
			"one.|Remember that b is two things.",
		"Remember:\n\n- one and two\n- three is more\n\nThen go on.":                    "one and two|three is more",
		"Fix the list. I prefer short answers.":                                         "I prefer short answers.",
		"Remember that the port is 8090. Remember that the mock is slow. Scratch that.": "",
		"Remember that a line goes on and on and on until it is full\nand is broken there.": "Remember that a line " +
			"goes on " +
			"and on and on until it is full and is broken there.",
	} {
		if got := holding(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

// What is asked, told, quoted, announced, pasted or taken back does not hold on, and neither does what points at the
// work in hand.
func TestHoldsNothing(t *testing.T) {
	for _, message := range []string{
		"Remember that the port is 8090. Actually no, forget that.",
		"Remember that the port is 8090. Never mind.",
		"Write this into the banner: Remember that tokens expire quickly.",
		"Add a tooltip that says:\nRemember that you can undo this at any time.",
		"Change the copy of the banner to this:\n\nRemember that we close at eight.",
		"Here is Anna's mail:\nHi all,\nRemember that the office is closed on Monday.\nAnna",
		"Do you remember that the port is 8090?",
		"Remember that bug we had in March.",
		"Remember when we broke it",
		"I remember that the port is 8090",
		"remember to update the changelog",
		"Remember:",
		"Remember:\n\nGo on.",
		"Remember:\n```\nx := 1\n```",
		"> Remember that the moon is made of cheese",
		"He said \"remember that the moon is made of cheese\"",
		"I prefer option 2",
		"I'd prefer the second one",
		"I prefer that.",
		"never mind",
		"Never do that again.",
		"The build always fails on Windows.",
		"it never works",
		"You always forget the tests.",
		"Always show this button for now.",
		"From now on we can restart it at any time.",
		`Remember that the page says: "Never lie. Never sleep."`,
		`My editor wrote: "Begin with a verb. Remember that readers skim. Never lie."`,
		"Build the checkout of the shop with the cart and the payment. It should never round. Use the new API for " +
			"the totals.",
		"# Plan\n\n## Rules\n\n- Always use yarn in this project.\n- Never use npm.\n",
	} {
		if got := holding(message); got != "" {
			t.Errorf("%q: %q", message, got)
		}
	}
}

// An order for good is a statement also as a polite question or as a condition, and so is a sentence about commits in a
// language that nobody here judges.
func TestWaits(t *testing.T) {
	for message, want := range map[string]bool{
		"Could you always run the linter before you commit?": true,
		"Please run the linter before you say it is done.":   true,
		"Commits bitte auf Deutsch.":                         true,
		"Should we always use lazy frames?":                  false,
		"Could you run the linter?":                          false,
		"the second":                                         false,
		"avoid tabs":                                         true,
	} {
		if got := Statements(message, false); len(got) > 0 && got[0].Worth > 0 != want || len(got) == 0 && want {
			t.Errorf("%q: %+v", message, got)
		}
	}
}

// What is said twice in a language that nobody here judges is no rule by that.
func TestIsForeign(t *testing.T) {
	tellsApart(t, "IsForeign", IsForeign, `
faça o commit dessas alterações e o push
Crie o PR com essa alteração
Bitte danach die Tests für den Import laufen lassen
implementação
価格表は税込みで表示する`, `
Update the changelog before each commit, please.
The café menu is rounded to five cents.
never push to main
commit and update changelog`)
}
