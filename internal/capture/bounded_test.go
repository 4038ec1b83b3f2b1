package capture

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/sentence"
)

// However little time the events have, each makes progress, and all prompts are captured in the end.
func TestNoTime(t *testing.T) {
	now := morning
	testOnlyClock = func() time.Time { now = now.Add(patience); return now }
	t.Cleanup(func() { testOnlyClock = spent })
	d := newDesk(t)
	st := d.session("s1")
	var want []string
	for i := range 12 {
		words := fmt.Sprint("Never touch part ", i, " of the cart.")
		want = append(want, words)
		d.write(st, d.line(words))
		d.write(st, `{"type":"assistant","uuid":"a","message":{"content":"`+strings.Repeat("x", 300<<10)+`"}}`+"\n")
	}
	d.write(st, strings.Repeat("y", 30<<20)) // and a line without an end
	for events := 0; ; events++ {
		before := st.Read
		d.catchUp(st, TrustTranscript)
		if st.Read == before {
			break
		}
		if st.Read.Offset < before.Offset || events > 1000 {
			t.Fatalf("event %d went from %+v to %+v", events, before, st.Read)
		}
	}
	if got := d.heard(); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("heard was %q", got)
	}
	if info, err := os.Stat(st.Transcript); err != nil || st.Read.Offset+st.Read.Long != info.Size() {
		t.Errorf("it was read to %+v of %d bytes", st.Read, info.Size())
	}
}

// Only the two ends of a very long message are judged. All of it is kept, without its secrets.
func TestHugePrompt(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "build the shop")
	middle := strings.Repeat("we look at the cart and at what it holds. ", 20_000)
	words := "Never push to main. " + middle + "The password is hunter2x9Q. " + middle + "Always run the tests first."
	j := d.say(st, words)
	if got := d.heard(); len(got) != 2 || got[1] != strings.Replace(words, "hunter2x9Q", "[redacted:password]", 1) {
		t.Errorf("kept were %d messages, the last of %d bytes", len(got), len(got[len(got)-1]))
	}
	if got := d.said(j); !strings.Contains(got, "Never push to main") ||
		!strings.Contains(got, "Always run the tests first") {
		t.Errorf("said was %q", got)
	}
	for _, words := range []string{"", "short", strings.Repeat("a", sentence.MaxLooked), strings.Repeat("a", 5<<20),
		strings.Repeat("ä ", 1<<20), strings.Repeat("本", 1<<20), strings.Repeat("\xff", 1<<20)} {
		if got := sentence.Ends(words); len(got) > sentence.MaxLooked+1 || len(words) <= sentence.MaxLooked &&
			got != words {
			t.Errorf("of %d bytes %d are looked at", len(words), len(got))
		}
	}
}

// Of a line with thousands of prompts, only as much as a person types is judged. All of it is kept.
func TestManyInOneLine(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "build the shop")
	var given []string
	for i := range 6000 {
		given = append(given, fmt.Sprintf(`"Which part %d?":"only part %d"`, i, i))
	}
	d.write(st, used("t1", "AskUserQuestion", "{}", `{"questions":[],"answers":{`+strings.Join(given, ",")+`}}`))
	d.catchUp(st, TrustTranscript)
	if got := len(d.heard()); got != 6001 {
		t.Errorf("%d messages were kept", got)
	}
}

// Recall judges the newest prompts, and no more of them than are shown.
func TestRecallBounded(t *testing.T) {
	d := newDesk(t)
	d.update(func(j *journal.Journal) {
		said := func(session, ref, words string) {
			j.Keep(log.Entry{ID: ref, Kind: log.Typed, Session: session, Text: words})
		}
		for i := range 8000 {
			said("s1", fmt.Sprint("u", i), fmt.Sprint("Never touch part ", i, " of the cart."))
			said("s2", fmt.Sprint("v", i), "Look at it again.")
		}
		said("s1", "long", strings.Repeat("a word and another ", 100_000))
	})
	r := Recall(d.store.Lane, "s1")
	size := 0
	for _, l := range r.heard {
		if l.Session != "s1" {
			t.Fatalf("it recalls %+v", l)
		}
		size += len(l.Text) + perPrompt
	}
	if n := len(r.heard); n < 500 || size > manyRecalled+sentence.MaxLooked+perPrompt || r.heard[n-1].Ref() != "long" ||
		r.heard[n-2].Ref() != "u7999" {
		t.Errorf("it recalls %d messages, %d bytes", n, size)
	}
	if all := r.Words(&journal.Journal{}, "").All; len(all) == 0 || !strings.Contains(all[len(all)-2].Text, "7999") {
		t.Errorf("its %d messages end otherwise", len(all))
	}
}
