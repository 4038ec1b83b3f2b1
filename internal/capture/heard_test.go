package capture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
)

// What stands in a sentence of the user's is found with all of it.
func TestHeard(t *testing.T) {
	d := newDesk(t)
	d.say(d.session("s1"),
		"Fix the auth pipeline. Deploy to staging only, never to production. Use uvicorn only!",
		"don't change the token format",
		"Rules:\n- keep the colours\n- title max 20 words",
		"Two things matter.\n- keep the logo",
		"should we drop the users table?",
		"不要更改令牌格式",
		"Deploy to production now. I mean it.",
	)
	d.update(func(j *journal.Journal) { // what others said is nobody's word
		j.Keep(history.Line{Kind: "subagent", Agent: "a1", Verb: "done", Text: "the tests are green"})
		j.AddSaid(journal.Saying{Text: "Claude's own idea of a constraint", By: journal.ByClaude})
		j.SetWip("work in hand of somebody", journal.ByClaude)
	})
	for _, tt := range []struct {
		words, sentence string
	}{
		{"fix the auth pipeline", "Fix the auth pipeline."},
		{"Fix the “auth”  PIPELINE.", "Fix the auth pipeline."},
		{"fix the auth pipeline…", "Fix the auth pipeline."},
		{"Deploy to staging only, never to production.", "Deploy to staging only, never to production."},
		{"deploy to staging", "Deploy to staging only, never to production."},
		{"change the token format", "don't change the token format"},
		{"don't change the token format", "don't change the token format"},
		{"use uv", ""},
		{"use uvicorn", "Use uvicorn only!"},
		{"drop the users table", "should we drop the users table?"},
		{"更改令牌格式", "不要更改令牌格式"},
		{"不要更改令牌格式", "不要更改令牌格式"},
		{"keep the colours", "Rules:\n- keep the colours\n- title max 20 words"},
		{"keep the logo", "Two things matter.\n- keep the logo"},
		{"to production now", "Deploy to production now."},
		{"Deploy to production now. I mean it.", "Deploy to production now. I mean it."},
		{"to production", "Deploy to production now."}, // the newest counts
		{"the tests are green", ""},
		{"Claude's own idea of a constraint", ""},
		{"work in hand of somebody", ""},
		{"deploy to the moon", ""},
		{"auth", ""}, // too little to mean anything
		{"", ""},
		{"…", ""},
	} {
		if sentence := Heard(d.store.Lane, tt.words); sentence != tt.sentence {
			t.Errorf("Heard(%q) = %q, want %q", tt.words, sentence, tt.sentence)
		}
	}
}

// What the user typed so long ago that a compaction took it, and what the journal has no room for.
func TestRecall(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(d.session("s0"), "somebody else's words, never mine")
	d.say(st, "fix the auth pipeline", "ok", "never push to main. Look at CI first", "look at the docs", "/compact",
		"continue", "look at the docs", strings.Repeat("long words ", 60), "look at the last")
	d.update(func(j *journal.Journal) { j.DropSaid("look at the docs", "") })

	got := Recall(d.store.Lane, "s1").Before("u9")
	long := strings.TrimSuffix(got[len(got)-1], "…")
	want(t, "before the last", strings.Join(got[:len(got)-1], "|"),
		"fix the auth pipeline|never push to main. Look at CI first")
	if !strings.HasPrefix(strings.Repeat("long words ", 60), long) || len(long) > sentence.MaxQuoted ||
		len(long) < 300 {
		t.Errorf("the long one is %q", long)
	}
	for _, last := range []string{"", "u99", "u1"} {
		if got := Recall(d.store.Lane, "s1").Before(last); got != nil {
			t.Errorf("before %q: %q", last, got)
		}
	}

	j := d.journal()
	j.Said = nil
	words := Recall(d.store.Lane, "s1").Words(j, "")
	want(t, "rules", texts(words.Rules), "never push to main.")
	want(t, "requests", texts(words.Asks), "Look at CI first")
	if len(words.Tells) != 1 || !strings.HasPrefix(words.Tells[0].Text, `long words`) {
		t.Errorf("told was %q", texts(words.Tells))
	}
}

// The question put to memento is heard, and takes no room from what holds.
func TestQuestionToMemento(t *testing.T) {
	for _, first := range []string{"what does memento have on this session?", "fix the checkout"} {
		d := newDesk(t)
		d.say(d.session("s1"), first, "fix the checkout", "what does memento have on this session?",
			"the customer is angry", "and the last")
		j := d.journal()
		w := Recall(d.store.Lane, "s1").Words(j, "")
		quoted := append(append(append(append(append(j.Said, w.Rules...), w.Leans...), w.Asks...), w.Tells...),
			w.Talk...)
		if got := texts(quoted) + strings.Join(Recall(d.store.Lane, "s1").Before("u5"), "|"); strings.Contains(got,
			"memento") || !strings.Contains(got, "angry") {
			t.Errorf("after %q: quoted is %q", first, got)
		}
	}
}

// texts joins what was said by bars.
func texts(said []journal.Saying) string {
	var out []string
	for _, s := range said {
		out = append(out, s.Text)
	}
	return strings.Join(out, "|")
}

// A careful list keeps every one of its rules, however long; what is said again comes first; sentences of a kind that
// stand together stay together, word for word; an answer is quoted with its question; a pasted log is not quoted.
func TestWords(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	list := "Some rules for the importer:\n- use the streaming parser, not the one that loads the file\n- never write to the live table, only to the staging one\n- each supplier has exactly one currency\n- at most 500 rows in a transaction, the database locks otherwise\n- log the supplier and the row, never the prices\n- dates in ISO 8601, in UTC, in the report as well\n- keep the column names as they are in the sheet"
	d.say(st, "write the supplier importer", "keep it simple", list,
		"it dies:\n2026-03-14T09:26:53Z ERROR never mind the rows\n2026-03-14T09:26:54Z ERROR always the last one\nwhy that?", "Is it fast enough? I ran it once. Also add a progress bar. And a summary.", "keep it simple")
	d.update(func(j *journal.Journal) { j.Wip = "" })
	words := Recall(d.store.Lane, "s1").Words(d.journal(), "")
	rules := texts(words.Rules)
	for _, l := range strings.Split(list, "\n")[1:] {
		if !strings.Contains(rules, l) {
			t.Errorf("%q is not among the rules %q", l, rules)
		}
	}
	for _, s := range words.Rules {
		if !strings.Contains(list, s.Text) && s.Text != "keep it simple" {
			t.Errorf("%q was not typed", s.Text)
		}
	}
	want(t, "the requests", texts(words.Asks), "Also add a progress bar.")
	all := rules + texts(words.Leans) + texts(words.Asks) + texts(words.Tells) + texts(words.Talk)
	if strings.Contains(all, "never mind") || strings.Contains(all, "the last one") {
		t.Errorf("of the log, %q is quoted", all)
	}
	if got := Recall(d.store.Lane, "s1").Words(d.journal(), "").Rules[0].Text; got != "keep it simple" {
		t.Errorf("said again, it does not come first: %q", got)
	}
}

// BenchmarkWords judges a long session: 400 messages, some pasted.
func BenchmarkWords(b *testing.B) {
	r := Recollection{dropped: map[string]string{}}
	for i := range 400 {
		words := fmt.Sprintf("Look at module %d. Please keep the API of it as it is, and never touch the generated files in it. Why does it fail?", i)
		if i%20 == 0 {
			words += strings.Repeat("\n2026-03-14T09:26:53Z ERROR worker 7 could not reach the queue and should be restarted", 50)
		}
		r.heard = append(r.heard, history.Line{Ref: fmt.Sprint("u", i), Text: words})
	}
	j := &journal.Journal{Mission: "fix the pipeline"}
	for b.Loop() {
		r.Words(j, "")
	}
}
