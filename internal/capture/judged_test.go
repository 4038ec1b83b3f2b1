package capture

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/mementohq/memento/internal/journal"
)

// A message is judged when it is heard; shown, it is not judged again. A history that does not say how its messages
// were judged, or says it as another version did, is shown alike.
func TestJudgedOnce(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	all := []string{"rewrite the price list importer"}
	for i := range 40 {
		all = append(all,
			fmt.Sprintf("Look at module %d. Please keep the API of it as it is, and never touch file%d.go. Why does it fail?", i, i))
	}
	d.say(st, append(all, "ok", "we use tabs", "/compact", "never push to main")...)
	j := &journal.Journal{}
	kept := Recall(d.store.Lane, "s1")
	for _, l := range kept.heard {
		if l.Judged == "" {
			t.Fatalf("%q was kept without its judgement", l.Text)
		}
	}
	judge := func(r Recollection) any { return []any{r.Words(j, ""), r.Before(r.Newest())} }
	want := judge(kept)
	for what, judged := range map[string]string{"no judgement": "", "one of another version": "0:1 0-1r",
		"a damaged one": "1:5 7-"} {
		anew := Recall(d.store.Lane, "s1")
		for i := range anew.heard {
			anew.heard[i].Judged = judged
		}
		if got := judge(anew); !reflect.DeepEqual(got, want) {
			t.Errorf("with %s: %v, want %v", what, got, want)
		}
		once, twice := testing.AllocsPerRun(5, func() { judge(kept) }), testing.AllocsPerRun(5, func() { judge(anew) })
		if t.Logf("with %s: %.0f allocations, with what was judged %.0f", what, twice, once); once*3 > twice {
			t.Errorf("with what was judged %.0f allocations, with %s %.0f", once, what, twice)
		}
	}
}
