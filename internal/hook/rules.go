package hook

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

const (
	// maxTold is how many rules are told at the start of a session.
	maxTold = 6
	// recordsShare is how much of notesBudget the records get before the rules, in quarters of a token.
	recordsShare = 4 * 90
	// maxConcerning is how many rules go with a prompt.
	maxConcerning = 2
)

// What stands before the quotations of earlier sessions.
const (
	rulesLabel = "The user said in earlier sessions: "
	factsLabel = "Facts and decisions in the user's words of earlier sessions: "
)

// rules returns the store of what the user said in earlier sessions.
func (h *handler) rules() rule.Store {
	return rule.Store{Dir: h.config.Dir, Now: h.env.Now, Wait: listenWait, InTime: capture.Soon()}
}

// before returns this session and the one that the journal names: it may have been killed before its end.
func (h *handler) before() []string {
	all := []string{h.event.SessionID}
	if j := h.read(); j != nil && j.Session != "" {
		all = append(all, j.Session)
	}
	return all
}

// standingRules returns the rules that hold in the project, which it reads once.
func (h *handler) standingRules() []rule.Rule {
	if h.ruled == nil {
		rules, _ := h.rules().Rules(h.store.Lane.Slug)
		h.ruled = &rules
	}
	return *h.ruled
}

// toldRules returns what a session is told at its start, beside shown: what the user said in earlier sessions, and the
// records of b. Rules come first, then records, then facts and decisions while room is left.
func (h *handler) toldRules(b retrieve.Start, shown string, room int) string {
	rules := h.standingRules()
	if len(rules) == 0 {
		return startLines(b, room)
	}
	records := startLines(b, min(room, recordsShare))
	q := quotes{handler: h, all: rules, shown: text.Fold(lines(shown, records)), left: maxTold,
		room: room - text.Quarters(records) - 1}
	first := q.quote(rulesLabel, func(r rule.Rule) bool { return !isFact(r) })
	if records != "" && len(first) == 0 {
		q.room += text.Quarters(records)
		records = startLines(b, room)
		q.room -= text.Quarters(records)
	}
	return lines(first, records, q.quote(factsLabel, isFact))
}

// isFact reports whether a rule says how things are, and not how to work.
func isFact(r rule.Rule) bool { return r.Kind == sentence.KindFact || r.Kind == sentence.KindDecision }

// withRules adds to words, which a subagent is told, what the user said in earlier sessions.
func (h *handler) withRules(words string) string {
	rules, _ := h.rules().Rules(h.store.Lane.Slug)
	q := quotes{handler: h, all: rules, shown: text.Fold(words), left: maxTold,
		room: notesBudget - text.Quarters("[MEMENTO] "+words) - 1}
	told := q.quote(rulesLabel, func(rule.Rule) bool { return true })
	if words == "" && told != "" {
		return "[MEMENTO] " + told
	}
	return lines(words, told)
}

// quotes chooses the rules that are quoted.
type quotes struct {
	*handler
	all   []rule.Rule
	shown string // what is shown already, folded
	left  int    // how many may be quoted yet
	room  int    // in quarters of a token
}

// quote returns a line with those of the chosen rules that fit, "" for none.
func (q *quotes) quote(label string, chosen func(rule.Rule) bool) string {
	room, out := q.room-text.Quarters(label)-1, ""
	for _, r := range q.all {
		words := strings.TrimRight(text.Fold(r.Text), ".!。！ ")
		if !chosen(r) || r.Session == q.event.SessionID || strings.Contains(q.shown, words) {
			continue
		}
		one := quoteRule(r, q.all)
		if out != "" {
			one = " · " + one
		}
		cost := text.Quarters(one)
		if q.left == 0 || cost > room {
			continue
		}
		room, q.left, out = room-cost, q.left-1, out+one
		q.shown += "\n" + words
		q.state.Bring(ruleID(r), ruleTold)
	}
	if out == "" {
		return ""
	}
	q.room = room
	return label + out
}

// quoteRule returns a rule between quotation marks, with how often it was said, and with its date where another one
// says the contrary.
func quoteRule(r rule.Rule, all []rule.Rule) string {
	var notes []string
	if slices.ContainsFunc(all, func(other rule.Rule) bool { return (r.Older || other.Older) && r.IsContrary(other) }) {
		notes = append(notes, "on "+day(r.Last))
	}
	if r.Sessions > 1 {
		notes = append(notes, "said in "+strconv.Itoa(r.Sessions)+" sessions")
	}
	if notes == nil {
		return text.Quote(r.Text)
	}
	return text.Quote(r.Text) + " (" + strings.Join(notes, ", ") + ")"
}

// day returns the day of a time.
func day(ts string) string { return ts[:min(len(ts), len("2006-01-02"))] }

// ruleTold stands for a rule's hash among the records that a session was shown.
const ruleTold = "told"

func ruleID(r rule.Rule) string { return "rule:" + text.Fingerprint(r.Text) }

// concerningRules returns a line with the rules of earlier sessions that a prompt concerns and that the session was not
// told, "" for none.
func (h *handler) concerningRules(typed string) string {
	found := h.rules().Concerning(h.store.Lane.Slug, typed, maxConcerning, func(r rule.Rule) bool {
		return h.state.WasBrought(ruleID(r), ruleTold) || r.Session == h.event.SessionID
	})
	q := quotes{handler: h, all: found, shown: text.Fold(typed), left: maxConcerning, room: notesBudget}
	if told := q.quote(rulesLabel, func(rule.Rule) bool { return true }); told != "" {
		return "[MEMENTO] " + told
	}
	return ""
}
