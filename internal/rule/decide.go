package rule

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/sentence"
)

// Errors of the functions that decide.
var (
	ErrNumber     = errors.New("no rule")
	ErrNotOffered = errors.New("nobody asked about rule")
	ErrNotLater   = errors.New("no later words about the same thing than those of rule")
)

// Find returns the rules of a project with these numbers, those that wait too. Errors: ErrNumber.
func (s Store) Find(slug string, numbers ...int) (out []Rule, err error) {
	all := s.Rules(slug).All()
	for _, w := range s.Waiting(slug) {
		all = append(all, Rule{N: w.N, Text: w.Text, Session: w.Session, First: w.Time, Last: w.Time, ref: w.ref})
	}
	for _, n := range numbers {
		i := slices.IndexFunc(all, func(r Rule) bool { return r.N == n || slices.Contains(r.also, n) })
		if i < 0 {
			return nil, fmt.Errorf("%w %d", ErrNumber, n)
		}
		out = append(out, all[i])
	}
	return out, nil
}

// Keep keeps rules in a project, everywhere in all projects: slug is "" then. as is the kind of the record that each
// became, "" for none. Keeping takes back what was dropped or over.
func (s Store) Keep(slug, by, as string, rules ...Rule) error {
	return s.decide(slug, log.Entry{Kind: log.Kept, By: by, As: as}, rules)
}

// Drop drops rules, each where it is kept. No wording of them is told again, until one is kept.
func (s Store) Drop(slug string, rules ...Rule) error {
	for _, r := range rules {
		at := slug
		if r.User {
			at = ""
		}
		if err := s.decide(at, log.Entry{Kind: log.Dropped, By: ByUser}, []Rule{r}); err != nil {
			return err
		}
	}
	return nil
}

func (s Store) decide(slug string, e log.Entry, rules []Rule) error {
	var entries []log.Entry
	for _, r := range rules {
		e.Rule, e.Text, e.Session, e.Said, e.Of = r.N, r.Text, r.Session, r.Last, r.ref
		e.Time = later(s.Now, r.Decided.Add(1)) // whatever the clock says of what was decided before, here or elsewhere
		entries = append(entries, e)
	}
	return s.log().Decide(slug, entries...)
}

// Offer notes that Claude is asked about what waits, by number; about nothing when it was asked, and chose nothing.
func (s Store) Offer(slug, session string, waiting []Waiting) error {
	var numbers []string
	for _, w := range waiting {
		numbers = append(numbers, strconv.Itoa(w.N))
	}
	return s.log().Decide(slug, log.Entry{Kind: log.Offered, By: ByClaude, Of: strings.Join(numbers, " "),
		Session: session, Time: s.Now})
}

// Offered returns what Claude was asked about last in a session, without what was decided since; nil when nobody asked,
// or when it was answered.
func (s Store) Offered(slug, session string) (numbers []int) {
	entries, _ := s.log().Decisions(slug)
	for _, e := range entries {
		switch {
		case e.Kind != log.Offered && e.By == ByClaude:
			numbers = slices.DeleteFunc(numbers, func(n int) bool { return n == e.Rule })
		case e.Kind == log.Offered && e.Session == session:
			numbers = nil
			for one := range strings.FieldsSeq(e.Of) {
				n, _ := strconv.Atoi(one) // memento wrote it
				numbers = append(numbers, n)
			}
		}
	}
	return numbers
}

// Unjudged returns what waits in a project without what Claude left when it chose, when it was asked last, and how many
// asks in a row it has not answered. What comes first was asked about least; was said again; is among the three
// sentences of its session that look most like a rule, or say most; and is newest.
func (s Store) Unjudged(slug string) (waiting []Waiting, last time.Time, unanswered int) {
	isLeft, asked := map[string]bool{}, map[string]int{} // by number
	open := map[string][]string{}                        // by session
	entries, err := s.log().Decisions(slug)
	for _, e := range entries {
		switch {
		case e.By != ByClaude:
		case e.Kind == log.Offered && e.Of != "":
			last, open[e.Session], unanswered = e.Time, strings.Fields(e.Of), unanswered+1
			for _, n := range open[e.Session] {
				asked[n]++
			}
		default:
			for session, numbers := range open {
				if e.Rule == 0 && session == e.Session || slices.Contains(numbers, strconv.Itoa(e.Rule)) {
					for _, n := range numbers {
						isLeft[n] = true
					}
					delete(open, session)
					unanswered = 0
				}
			}
		}
	}
	for _, w := range s.waiting(slug, s.rules(slug, entries, err)) {
		if n := strconv.Itoa(w.N); !isLeft[n] {
			w.asked = asked[n]
			waiting = append(waiting, w)
		}
	}
	slices.SortStableFunc(waiting, func(a, b Waiting) int { return cmp.Or(b.worth-a.worth, len(b.Text)-len(a.Text)) })
	before := map[string]int{} // by session
	for i := range waiting {
		if w := &waiting[i]; !w.isAgain {
			before[w.Session]++
			w.rank = 1 + (before[w.Session]-1)/bestOf
		}
	}
	slices.SortStableFunc(waiting, func(a, b Waiting) int {
		return cmp.Or(a.asked-b.asked, a.rank-b.rank, b.Time.Compare(a.Time))
	})
	return waiting, last, unanswered
}

// Touched returns the kept rules that speak of the same thing as one of the statements, which may replace them, at most
// three. What the person keeps is for the person to replace.
func (s Store) Touched(slug string, by []Waiting) (out []Waiting) {
	for _, r := range s.Rules(slug).Kept {
		isTouched := func(w Waiting) bool { return r.words.Content.CountShared(sentence.ContentOf(w.Text)) > 0 }
		if r.By != ByUser && len(out) < 3 && slices.ContainsFunc(by, isTouched) {
			out = append(out, Waiting{N: r.N, Text: r.Text})
		}
	}
	return out
}

// bestOf is how many sentences of a session Claude is asked about before it is asked about more of an older one.
const bestOf = 3

// Answer takes in Claude's answer to what it was asked last in this session. What it was not asked about counts for
// nothing. Errors: safefile's.
func (s Store) Answer(slug, session string, c Choice) error {
	offered := s.Offered(slug, session)
	notAsked := func(n int) bool { return !slices.Contains(offered, n) }
	if len(offered) == 0 {
		return nil
	}
	if _, err := s.KeepOffered(slug, session, slices.DeleteFunc(c.Keep, notAsked)...); err != nil {
		return err
	}
	for _, o := range c.Over {
		if !notAsked(o[0]) && !notAsked(o[1]) {
			_ = s.ReplaceBy(slug, o[0], o[1]) // what is no later word about the same thing replaces nothing
		}
	}
	return s.Offer(slug, session, nil)
}

// KeepOffered keeps what Claude chose, each once, of what it was asked about last in this session. Errors:
// ErrNotOffered, and then nothing is kept.
func (s Store) KeepOffered(slug, session string, numbers ...int) ([]Rule, error) {
	offered := s.Offered(slug, session)
	for _, n := range numbers {
		if !slices.Contains(offered, n) {
			return nil, fmt.Errorf("%w %d", ErrNotOffered, n)
		}
	}
	rules, err := s.Find(slug, numbers...)
	if err != nil {
		return nil, err
	}
	return rules, s.Keep(slug, ByClaude, "", rules...)
}

// ReplaceBy notes that the rule with the number newer says something else of the same thing than the one with the
// number older. Errors: ErrNumber; ErrNotLater when newer was not said in a later prompt, or shares no word.
func (s Store) ReplaceBy(slug string, older, newer int) error {
	rules, err := s.Find(slug, older, newer)
	if err != nil {
		return err
	}
	was, is := rules[0], rules[1]
	if sentence.ContentOf(was.Text).CountShared(sentence.ContentOf(is.Text)) == 0 || !is.Last.After(was.Last) {
		return fmt.Errorf("%w %d", ErrNotLater, older)
	}
	if err := s.Keep(slug, ByClaude, "", is); err != nil {
		return err
	}
	return s.decide(slug, log.Entry{Kind: log.Over, By: ByClaude, Newer: is.N}, []Rule{was})
}
