package rule

import (
	"slices"
	"time"

	"github.com/mementohq/memento/internal/sentence"
)

// maxWordings is how many wordings of a dropped rule are remembered, the newest.
const maxWordings = 16

// Keep accepts rules that Rules returned for the project with this slug, also dropped ones. Errors: safefile's.
func (s Store) Keep(slug string, rules ...Rule) error { return s.decide(slug, keeps, rules) }

// Drop drops such rules for good. Errors: safefile's.
func (s Store) Drop(slug string, rules ...Rule) error { return s.decide(slug, drops, rules) }

func (s Store) decide(slug, decision string, rules []Rule) error {
	for _, r := range rules {
		name := nameOf(slug)
		if r.User {
			name = ownName
		}
		if err := s.change(name, func(c *contents) bool { return c.decide(r, decision, s.Now) }); err != nil {
			return err
		}
	}
	return nil
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
