package journal

import "github.com/mementohq/memento/internal/text"

// Aside renders the mission and the user's rules for a subagent, as statements of fact in at most budget tokens: the
// mission first, then the newest rules that fit. Without an open mission it gives "".
func (j *Journal) Aside(budget int) string {
	if !j.Open() {
		return ""
	}
	var rules []string
	q := j.quoter(nil)
	for i := len(j.Said) - 1; i >= 0; i-- {
		if s := j.Said[i]; s.Rule && s.By == "" && text.Fold(s.Text) != text.Fold(j.Mission) {
			rules = append(rules, q.quote(s))
		}
	}
	const head = "[MEMENTO] The mission of this session: "
	p := packer{left: budget * 4}
	room := p.left
	if len(rules) > 0 { // a long mission leaves the rules some
		room = room * 6 / 10
	}
	mission := text.Line(j.Mission)
	for limit := text.Runes(mission); text.Quarters(head+mission) >= room && limit > 10; limit = limit * 9 / 10 {
		mission, _ = text.Cut(text.Line(j.Mission), limit)
	}
	p.must(head + mission)
	days := q.reserve(&p, rules)
	said := row{label: "The user said: ", mark: quoteMark}
	p.fill(&said, rules)
	p.left += days
	q.days(&p, said.items)
	out := head + mission
	if l := said.line(); l != "" {
		out += "\n" + l
	}
	return out
}
