package search

import (
	"strings"
	"testing"
)

// stranger returns the question without its capitalised words. Names would show at once that the question belongs to
// another conversation.
func stranger(q string) string {
	var out []string
	for i, w := range strings.Fields(q) {
		if i == 0 || w[0] < 'A' || w[0] > 'Z' {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// TestClear measures how often Clear is true: for questions that a record answers, and for questions from another
// conversation, which no record answers.
func TestClear(t *testing.T) {
	cs := locomo(t)
	var xs []*Index
	for _, c := range cs {
		xs = append(xs, indexed(t, c.docs))
	}
	keep := Keep{Share: ClearShare}
	var asked, brought, right, wrong float64
	for i, c := range cs {
		for _, q := range c.questions {
			asked++
			if hits, err := xs[i].Query(q.text, keep, 1); err != nil {
				t.Fatal(err)
			} else if len(hits) > 0 && hits[0].Clear() {
				brought++
				if q.evidence[hits[0].ID] {
					right++
				}
			}
			if hits, err := xs[(i+1)%len(cs)].Query(stranger(q.text), keep, 1); err != nil {
				t.Fatal(err)
			} else if len(hits) > 0 && hits[0].Clear() {
				wrong++
			}
		}
	}
	t.Logf("of %.0f questions with an answer %.3f bring a record, %.3f of those the right one; of as many without, %.3f bring one",
		asked, brought/asked, right/brought, wrong/asked)
	if brought/asked < .5 || right/brought < .83 || wrong/asked > .05 {
		t.Error("what is shown unasked is too little, or not to the point")
	}
}

func TestClearNot(t *testing.T) {
	x := indexed(t, shop)
	for q, want := range map[string]bool{
		"":                           false,
		"deploy":                     false,
		"ok thanks":                  false,
		"deploy to staging":          false, // two words
		"the smoke tests in staging": true,
		"what did we settle about the connection pool":                               true,  // two, both in the title
		"what did we settle about staging on a friday":                               false, // one of them is not
		"why did we choose paseto over jwt for the token algorithm":                  true,
		"please write a haiku about staging tests of the moon and the stars tonight": false,
	} {
		hits, err := x.Query(q, Keep{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(hits) > 0 && hits[0].Clear(); got != want {
			t.Errorf("%q: %v, want %v (%+v)", q, got, want, hits)
		}
	}
}
