package capture

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/rule"
)

// words returns what was typed in the session s1.
func words(d *desk, last string) block.Words {
	return Recall(d.store.Lane, "s1").Words(d.journal(), last)
}

// quoted joins by bars the sentences that may be quoted, and the rules among them.
func quoted(w block.Words) (all, rules string) {
	var every, some []string
	for _, m := range w.All {
		for _, p := range m.Parts {
			every = append(every, m.Text[p.Begin:p.End])
			if p.Rule() {
				some = append(some, m.Text[p.Begin:p.End])
			}
		}
	}
	return strings.Join(every, "|"), strings.Join(some, "|")
}

// Every message that says something is recalled, whole, also those that a compaction took and those that the journal
// has no room for. The newest request and the mission's age come with them.
func TestRecall(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(d.session("s0"), "somebody else's words, never mine")
	long := strings.Repeat("long words ", 60)
	d.say(st, "fix the auth pipeline", "ok", "never push to main. Look at CI first", "look at the docs", "/compact",
		"continue", "look at the docs", long, "add a table of the last ten runs to the page", "why is it slow?")
	d.drop("look at the docs")
	w := words(d, "u9")
	all, rules := quoted(w)
	want(t, "all", all, "fix the auth pipeline|never push to main.|Look at CI first|"+strings.TrimSpace(long)+
		"|add a table of the last ten runs to the page|why is it slow?")
	want(t, "rules", rules, "never push to main.")
	want(t, "the newest request", w.Now, "why is it slow?")
	if w.Age != 9 || w.Before != 3 {
		t.Errorf("the mission was typed %d prompts ago, and %d messages came before the compaction", w.Age, w.Before)
	}
}

// After the mission was closed the words still stand. An answer is quoted with its question; a pasted log and what was
// asked of memento are not quoted.
func TestWords(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "write the supplier importer", "what does memento have on this session?",
		"it dies:\n2026-03-14T09:26:53Z ERROR never mind the rows\n2026-03-14T09:26:54Z ERROR always the last "+
			"one\nwhy that?")
	d.write(st, used("t1", "AskUserQuestion", "{}", `{"questions":[],"answers":{"Which table?":"the staging one"}}`))
	d.say(st, "This mission is finished, close it.", "translate the delivery note into Dutch")
	w := words(d, "")
	all, _ := quoted(w)
	want(t, "all", all,
		"write the supplier importer|it dies:|why that?|the staging one|translate the delivery note into Dutch")
	if w.All[2].Asked != "Which table?" {
		t.Errorf("the answer is %+v", w.All[2])
	}
}

// drop drops a rule as the person does.
func (d *desk) drop(words string) {
	d.t.Helper()
	rules := rule.Store{Dir: d.store.Lane.Dir, Now: d.store.Now, Wait: time.Second}
	if err := rules.Drop(d.store.Lane.Slug, rule.Rule{N: 7, Text: words}); err != nil {
		d.t.Fatal(err)
	}
}

// Words that the person drops are gone, until they are said again.
func TestDropped(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "rewrite the price list importer", "Always use tabs.", "Never push to main.", "look at the parser first")
	d.drop("Always use tabs.")
	_, rules := quoted(words(d, ""))
	want(t, "rules", rules, "Never push to main.")
	d.say(st, "Always use tabs.")
	_, rules = quoted(words(d, ""))
	want(t, "said again, rules", rules, "Never push to main.|Always use tabs.")
}

// No later sentence takes a rule back: both stay, the newer first.
func TestRuleStands(t *testing.T) {
	for _, said := range [][]string{
		{"Never push to main.", "forget it"},
		{"Never touch the currency table.", "ignore that warning"},
		{"Don't push to main.", "From now on you can push to main."},
		{"Use tabs.", "use spaces instead of tabs"},
		{"nimm SQLite", "nimm Postgres statt SQLite"},
		{"まだプッシュしないで", "もうプッシュしていいよ"},
	} {
		d := newDesk(t)
		j := d.say(d.session("s1"), "rewrite the price list importer", said[0], said[1], "look at the parser first")
		w := words(d, "")
		block := block.Render(j, block.View{Path: "p", Budget: 1000, Said: w})
		older, newer := strings.Index(block, said[0]), strings.Index(block, said[1])
		if older < 0 || newer < 0 || newer > older {
			t.Errorf("after %q the block has %q at %d, the newer one at %d:\n%s", said[1], said[0], older, newer, block)
		}
	}
}

// BenchmarkWords judges a long session: 400 messages, some pasted.
func BenchmarkWords(b *testing.B) {
	r := Recollection{dropped: map[string]time.Time{}}
	for i := range 400 {
		words := fmt.Sprintf("Look at module %d. Please keep the API of it as it is, and never touch the generated "+
			"files in it. Why does it fail?", i)
		if i%20 == 0 {
			words += strings.Repeat("\n2026-03-14T09:26:53Z ERROR worker 7 could not reach the queue and should be "+
				"restarted", 50)
		}
		r.heard = append(r.heard, log.Entry{ID: fmt.Sprint("u", i), Text: words})
	}
	j := &journal.Journal{Mission: "fix the pipeline"}
	for b.Loop() {
		w := r.Words(j, "")
		block.Render(j, block.View{Path: "p", Budget: 1000, Said: w})
	}
}
