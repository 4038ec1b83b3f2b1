package block

import (
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
)

// Aside returns the mission and the user's rules for a subagent, as statements of fact in at most budget tokens: the
// mission first, then the newest rules that fit. It returns "" when no mission is open.
func Aside(j *journal.Journal, budget int) string {
	if !j.Open() {
		return ""
	}
	var rules []string
	q := quoterOf(j, nil)
	for i := len(j.Said) - 1; i >= 0; i-- {
		if s := j.Said[i]; s.Rule && s.By == "" && text.Fold(s.Text) != text.Fold(j.Mission) {
			rules = append(rules, q.quote(s))
		}
	}
	const head = "[MEMENTO] The mission of this session: "
	p := packer{left: budget * 4}
	room := p.left - text.Quarters(head) - 1
	if len(rules) > 0 { // a long mission may not take the room of all rules
		room = p.left*6/10 - text.Quarters(head)
	}
	mission := fitting(missionOf(j, journal.MaxMission), room)
	p.must(head + mission)
	days := q.reserve(&p, rules)
	said := row{label: "The user said: ", mark: quoteMark}
	p.fill(&said, rules)
	p.left += days
	said.items = q.days(&p, said.items)
	out := head + mission
	if l := said.line(); l != "" {
		out += "\n" + l
	}
	return out
}
