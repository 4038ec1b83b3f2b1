package rule

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/sentence"
)

// ErrNumber is the reason when no rule has this number.
var ErrNumber = errors.New("there is no rule with this number")

// maxWordings is how many wordings of a dropped rule are remembered, the newest.
const maxWordings = 16

// Keep accepts rules of the project with this slug, and Drop drops them for good. numbers count from 1, first what
// Rules returns as rules, then what it returns as dropped. Both return the rules that were meant. Errors: ErrNumber,
// with nothing changed; safefile's.
func (s Store) Keep(slug string, numbers ...int) ([]Rule, error) {
	return s.decide(slug, keeps, numbers)
}

// Drop: see Keep.
func (s Store) Drop(slug string, numbers ...int) ([]Rule, error) {
	return s.decide(slug, drops, numbers)
}

func (s Store) decide(slug, decision string, numbers []int) (meant []Rule, err error) {
	rules, dropped := s.Rules(slug)
	all := slices.Concat(rules, dropped)
	for _, n := range numbers {
		if n < 1 || n > len(all) {
			return nil, fmt.Errorf("%w: %d", ErrNumber, n)
		}
		meant = append(meant, all[n-1])
	}
	for _, r := range meant {
		name := nameOf(slug)
		if r.User {
			name = ownName
		}
		if err := s.change(name, func(c *contents) bool { return c.decide(r, decision, s.Now) }); err != nil {
			return nil, err
		}
	}
	return meant, nil
}

// decide notes a decision about a rule, in place of earlier ones.
func (c *contents) decide(r Rule, decision string, now time.Time) bool {
	if c.judged == 0 {
		c.judged = judged
	}
	c.lines = slices.DeleteFunc(c.lines, func(l line) bool {
		return l.decision != "" && (l.rule().isOf(r) || r.isOf(l.rule()))
	})
	l := line{decision: decision, said: r.Said, sessions: r.Sessions, lane: r.lane}
	l.Candidate, l.At, l.Session = r.candidate(), now.UTC().Format(time.RFC3339), r.Session
	if decision == drops {
		var said []sentence.Occurrence
		for _, l := range c.lines {
			if l.decision == "" {
				said = append(said, l.Occurrence)
			}
		}
		l.also = sentence.Wordings(said, r.Text)
		l.also = l.also[max(0, len(l.also)-maxWordings):]
	}
	c.lines = append(c.lines, l)
	return true
}
