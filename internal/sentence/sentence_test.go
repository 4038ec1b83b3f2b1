package sentence

import (
	"slices"
	"strings"
	"testing"
)

// tellsApart runs one judgement over prompts it must accept and prompts it must not, a line each.
func tellsApart(t *testing.T, name string, judge func(string) bool, yes, no string) {
	t.Helper()
	for s := range strings.Lines(strings.TrimSpace(yes)) {
		if s = strings.TrimSpace(s); !judge(s) {
			t.Errorf("%s(%q) = false", name, s)
		}
	}
	for s := range strings.Lines(strings.TrimSpace(no)) {
		if s = strings.TrimSpace(s); judge(s) {
			t.Errorf("%s(%q) = true", name, s)
		}
	}
}

func TestForms(t *testing.T) {
	tellsApart(t, "IsChatter", IsChatter, `
ok
yes, please do
thanks!
👍
...
hi there`, `
fix it
never push
ok, now the tests for the parser`)
	tellsApart(t, "IsCommand", IsCommand, "/clear\n/model opus\n/memento:rules\n/deploy",
		"/deploy to staging\n/etc/hosts\nls")
	tellsApart(t, "IsEveryday", IsEveryday, "run the tests\ncommit and push please\nok, option 2", `
run the importer
never push to main
fix the tests of the parser`)
	long := " Read what follows and answer with one word, and with nothing else. What follows is a diff of one " +
		"commit, " +
		"its message and the names of the files that it changes."
	tellsApart(t, "IsForModel", IsForModel, "You are a strict reviewer of code."+long,
		"You are right, fix it\nAdd a class."+long)
}

func TestAsksMemento(t *testing.T) {
	tellsApart(t, "AsksMemento", AsksMemento, `
what does memento have on this session?
show me the memento journal
memento status
list what memento remembers
memento?`, `
Write a Memento class that can save editor state and restore it
What do you know about the movie Memento?
fix the memento hook
what does this session have?
Deploy to staging only. What does memento have on this session?`)
	tellsApart(t, "MentionsMemento", MentionsMemento, "Deploy to staging only. What does memento have on this session?",
		"Never force-push. Update the memento journal.")
	tellsApart(t, "AsksCheckpoint", AsksCheckpoint, `
Update the memento journal before we continue
save everything to memento
please update memento`, `
Write a Memento class
update the README of memento
what does memento have?`)
}

// Who leaves a mission says so where a message begins, in words that name nothing else; in doubt it stays open.
func TestCloses(t *testing.T) {
	tellsApart(t, "Closes", Closes, `
/clear
I am switching to a different project now
New task: add a dark mode to the settings page
this mission is finished, close it
let's stop this and do something completely different
ok that's finished, let's move on
The project is finished.
I'm done with this project, thanks
done with this project, moving on to another one
Mission accomplished! Now write the release notes.
Thanks, mission complete. Now I want a changelog.
I'm switching projects now`, `
let me take a fresh start on the function
let's move on to the next step
close the modal
this task is finished: update the README
new task in the sprint board: fix the login page
stop this
let's do something different: use a map
this is a new project
is this mission finished?
don't close the mission yet
the mission is not finished
should we switch to a different project layout?
the user said: I am switching to a different project now
drop the project table
run the tests. I am switching to a different project now`)
	for s, want := range map[string]string{
		"I am switching to a different project now":                             "",
		"I am switching to a different project now: build the invoice importer": "build the invoice importer",
		"Mission accomplished! Now write the release notes.":                    "Now write the release notes.",
		"New task: print the delivery note on A5.":                              "print the delivery note on A5.",
		"fix the auth pipeline":                                                 "fix the auth pipeline",
	} {
		if got := Leaving(s); got != want {
			t.Errorf("Leaving(%q) = %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{"Mission accomplished!": "finished", "close the mission": "over",
		"I am switching to a different project now": "left"} {
		if got := Ended(s); got != want {
			t.Errorf("Ended(%q) = %q, want %q", s, got, want)
		}
	}
	if Closes(strings.Repeat(". ", maxDeparture) + "Close the mission.") {
		t.Error("words far behind the beginning closed the mission")
	}
}

// A mission is a prompt that asks for work: the first task, not the first words.
func TestBegins(t *testing.T) {
	tellsApart(t, "Begins", Begins, `
Fix the checkout: orders above 1,000 EUR are lost.
can you add a dark mode to the settings?
I'd like the importer to skip empty lines
The checkout loses orders above 1,000 EUR
Users cannot log in with a plus sign in their address
we need a CSV export on the invoices page
Why is the build red? Fix it and add a test for the parser.
add a --verbose flag
Why does the export take four seconds?
why does it fail?
Can the till print the allergens?
Kannst du die Suche reparieren?
make --dry-run the default
the -v flag prints nothing, mend it
Use the new price service in the cart
/plan build the importer for old invoices
Die Suche findet keine Umlaute mehr
価格表の取り込みを書き直してください`, `
what was the plan?
whats the difference between the two
commit please
ok lets go with 2
run the tests
what does the export cost?
push it
explain how the parser works
can you explain how the parser works?
/effort high
Remember that the staging db is read-only on Mondays.
please remember: invoices are printed on A5
I prefer tabs over spaces.
From now on always write tests first.
Never push to main.
Is there a way to see which orders were lost? I only see the newest.
I wonder where the totals come from, the cart or the price service?
continue where we left off`)
	if list := "Remember:\n- I write in British English\n- no semicolons"; Begins(list) {
		t.Errorf("what is to be remembered begins a mission: %q", list)
	}
}

// Whatever was typed last is the newest request, but for acknowledgements, commands, calls to go on and pasted text.
func TestRequest(t *testing.T) {
	tellsApart(t, "Request", func(s string) bool { return Request(s) == s }, `
add a test for the rounding
Leave them where they are.
and now?
commit please
never touch the tax tables
/review-all the open branches
端数処理のテストを追加してください`, `
yes
sí
1
ok, thanks
/compact
continue
what does memento have on this session?
this mission is finished`)
	pasted := "2026-03-14 09:30:00 ERROR cannot open db\n2026-03-14 09:30:01 ERROR giving up"
	if got := Request(pasted + "\n\nfix the path of the database"); got != "fix the path of the database" {
		t.Errorf("behind a log it is %q", got)
	}
	if got := Request(pasted); got != "" {
		t.Errorf("a log asks for %q", got)
	}
}

// Who goes on with what an earlier session left says so in words that name nothing else.
func TestRecall(t *testing.T) {
	calls := func(least, most Call) func(string) bool {
		return func(s string) bool { c := Recall(s, ""); return c >= least && c <= most }
	}
	tellsApart(t, "goes on", calls(GoesOn, Returns), `
continue
continue where we left off
ok, let's pick up where we left off yesterday
go on with yesterday's work
resume the previous session please
let's get back to what we started yesterday
keep working on the unfinished task
continue with the plan from yesterday`, `
continue the rename in cart.go as planned by Ana
Continue button on the checkout page is broken, fix it
resume upload fails when the file is larger than 10 MB
yesterday's deploy broke the login, find out why
continue with the invoice export
revert yesterday's work
go back to the home page after login
finish the checkout page`)
	tellsApart(t, "asks", calls(Asks, Asks), `
what was the plan?
where were we?
where did we leave off last time?
what's left to do?
what is the status?
remind me what we were doing`, `
what was the plan of the sales team?
where were the tests for the cart?
what's the status code of a missing order?
continue where we left off
what was the plan? Write it into docs/plan.md`)
	if got := Recall("Go on with the invoice export.", "Write the invoice export, for CSV alone."); got != Returns {
		t.Errorf("what names the mission in hand is %d", got)
	}
}

// A short reply is kept with what it answers: the options that it names, else the last question, else the last words.
func TestProposal(t *testing.T) {
	for _, c := range []struct{ told, reply, want string }{
		{"I looked at both, and at what the importer does with them today: it reads each file twice, and the second " +
			"time " +
			"it only sums up.\n\nTwo ways:\n\n1. **Rename** the column in place.\n2. Add a new column and " +
			"copy.\n\nWhich one?", "option 2",
			"Two ways: 1. Rename the column in place. 2. Add a new column and copy. Which one?"},
		{"The parser is done and all of its tests pass on the new samples, the old ones included. " +
			"Shall I port the writer next? It needs a day.", "yes", "The parser is done and all of its tests pass " +
			"on the new samples, the old ones included. Shall I port the writer next?"},
		{"All is pushed.", "ok", "All is pushed."},
		{"", "yes", ""},
	} {
		if !IsReply(c.reply) {
			t.Errorf("%q is no reply", c.reply)
		}
		if got := Proposal(c.told, 200); got != c.want {
			t.Errorf("%q answers %q, not %q", c.reply, got, c.want)
		}
	}
	for _, s := range []string{"port the writer to the new format and keep the old one", "",
		"価格表の取り込みを書き直してください", "1 " + strings.Repeat("x", 60_000)} {
		if IsReply(s) {
			t.Errorf("%q is a reply", s)
		}
	}
}

// judgedAs returns the sentences that may be quoted; those that look like rules begin with "!".
func judgedAs(message string) (out []string) {
	for _, p := range Judge(message) {
		s := message[p.Begin:p.End]
		switch {
		case p.Rule():
			s = "!" + s
		}
		out = append(out, s)
	}
	return out
}

// Every typed sentence may be quoted, in any language and with names in capitals; printed and pasted text may not, and
// sets no rule.
func TestJudge(t *testing.T) {
	for message, want := range map[string][]string{
		"Never touch prod. Why does it fail? I see a 401.": {"!Never touch prod.", "Why does it fail?", "I see a 401."},
		"The app is written in TypeScript with Expo and Hermes. Don't use `never` there.": {
			"The app is written in TypeScript with Expo and Hermes.", "!Don't use `never` there."},
		"まだプッシュしないで。なぜ？": {"まだプッシュしないで。", "なぜ？"},
		"it dies on start:\n2026-03-14T09:26:53Z ERROR config must not be empty\n2026-03-14T09:26:54Z WARN always " +
			"the " +
			"default\nfix that, but keep the default": {"it dies on start:", "!fix that, but keep the default"},
		"this is what I get\nTypeError: value must never be null\n    at Object.run (/srv/app/index.js:20:3)\n" +
			"    at always (/srv/app/loop.js:7:1)": {"this is what I get"},
		"look at this\n```\nnever do that\n```\nuse tabs, not spaces": {"look at this", "!use tabs, not spaces"},
		"the nightly job, works here:\n" + strings.Repeat("2026-03-14T09:26:53Z ERROR pool exhausted\n", 6) +
			"any idea? dont raise the limit": {"the nightly job, works here:", "!dont raise the limit"},
		"got this feedback:\nThe button must always be visible.\n\nwe only support desktop": {"got this feedback:",
			"!we only support desktop"},
		"We waited for the tram in the cold, and the nights were\n  too long. Then spring came.": {
			"We waited for the tram in the cold, and the nights were\n  too long.", "Then spring came."},
	} {
		if got := judgedAs(message); !slices.Equal(got, want) {
			t.Errorf("of %q\n%q, want\n%q", message, got, want)
		}
	}
	long := "Never restart the worker.\n" + strings.Repeat("The worker writes one line for every job it takes. ",
		50_000) +
		"\nKeep the queue as it is."
	got := judgedAs(long)
	if got[0] != "!Never restart the worker." || got[len(got)-1] != "!Keep the queue as it is." {
		t.Errorf("of a long text: %q … %q", got[0], got[len(got)-1])
	}
}

// Words that set a rule in one sentence report something in another.
func TestRules(t *testing.T) {
	isRule := func(s string) bool { got := judgedAs(s); return len(got) > 0 && got[0] == "!"+s }
	tellsApart(t, "rule", isRule, `
use tabs, not spaces
no, remove this again, keep the old one
can you keep the old endpoint as well
Titles should be at most 20 words
from now on answer in English
only deploy to staging
make sure the tests pass
do it like we do in the other module`, `
I don't know
no problem
it should have been there
how do I run only one test?
it never stops
no, revert that
no thats worse
let's run it again
fix the auth pipeline
look at the branch`)
}

// A question that wants to be told something asks for no work; a suggestion does.
func TestAsks(t *testing.T) {
	tellsApart(t, "a request", func(s string) bool { return Judge(s)[0].Asks }, `
can you add a test?
maybe we should cache the totals?
fix the pipeline`, `
should we cache the totals?
can you explain how it works?
do we need to build it first?`)
}

func TestPointsBack(t *testing.T) {
	tellsApart(t, "PointsBack", PointsBack, "let's not do that again\nAlways do it that way.",
		"keep that test\nwhy that?\nuse tabs")
}

func TestSplit(t *testing.T) {
	for s, want := range map[string][]string{
		"":                              nil,
		"Fix auth. Staging only! Why?":  {"Fix auth.", "Staging only!", "Why?"},
		"see auth.go and v1.2.3, ok?no": {"see auth.go and v1.2.3, ok?no"},
		"不要更改格式。只部署到预发布！好吗？行":                            {"不要更改格式。", "只部署到预发布！", "好吗？", "行"},
		"before\n```go\nnever. ever.\n```\nafter.\tlast": {"before", "after.", "last"},
		"unclosed\n```\nnever. ever":                     {"unclosed"},
		"closed from 24.12. to 1.1., e.g. for tea. bye":  {"closed from 24.12. to 1.1., e.g. for tea.", "bye"},
		"we go to 2.1. Then test":                        {"we go to 2.1.", "Then test"},
	} {
		if got := Split(s); !slices.Equal(got, want) {
			t.Errorf("Split(%q) = %q, want %q", s, got, want)
		}
	}
}

// FuzzJudgements: whatever is typed, nothing panics, and what may be quoted is a part of it.
func FuzzJudgements(f *testing.F) {
	for _, s := range []string{"continue", "I am switching to a different project now: fix it",
		"Never do that. 不要。\n```\nx\n```", "/deploy staging only", "/clear", "what does memento have?",
		strings.Repeat("word and word. ", 60), "\xff\x00 …"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		IsIdle(s)
		Recall(s, s)
		Begins(s)
		AsksCheckpoint(s)
		Proposal(s, 100)
		for _, part := range append(Split(s), Request(s), Leaving(s)) {
			if !strings.Contains(s, part) {
				t.Errorf("%q is no part of %q", part, s)
			}
		}
		at := 0
		for _, p := range Judge(s) {
			if p.Begin < at || p.End <= p.Begin || p.End > len(s) {
				t.Fatalf("%+v stands behind %d in %q", p, at, s)
			}
			at = p.End
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	message := strings.Repeat("Please keep the public API as it is, and never touch the vendored code. ", 10)
	for b.Loop() {
		Judge(message)
	}
}
