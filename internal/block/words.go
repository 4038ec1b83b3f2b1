package block

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// Words are what the user typed in a session.
type Words struct {
	All    []Message // oldest first
	Now    string    // the newest request, as it was typed; "" when it opened the mission
	Age    int       // how many prompts followed the one that opened the mission
	Before int       // for the brief: how many messages at the beginning of All the summariser no longer sees
}

// Message is one message and the sentences of it that may be quoted, in their order. Of a message without sentences
// nothing is quoted but in the brief.
type Message struct {
	journal.Saying
	Parts []sentence.Part
}

// now returns the newest request: whole or, where it is long, its first sentences.
func (v View) now() string {
	const share, most = 5, 4 * 100
	if v.Said == nil || v.Said.Now == "" {
		return ""
	}
	whole := text.Line(v.Said.Now)
	words := fitting(whole, min(v.Budget*4/share, most))
	if at := strings.LastIndexAny(words, ".!?。！？"); words != whole && at > len(words)/3 {
		_, size := utf8.DecodeRuneInString(words[at:])
		words = words[:at+size]
	}
	return words
}

// quotes are the sentences that a block may quote, and which of them it does.
type quotes struct {
	all   []quote // in the order in which they were typed
	order []int   // places in all, the most valuable first
	first bool    // nothing is kept yet
	today string  // the day of the newest message
	paid  string  // the days that have room, each behind a space
}

// quote is a sentence of the user's.
type quote struct {
	words   string // in quotation marks, with the question that it answers
	plain   string // the sentence
	asked   string // the question
	message int    // the number of its message
	follows bool   // nothing stands between the sentence before it and this one
	at      time.Time
	part    sentence.Part
	value   float64
	state   state
}

type state uint8

const (
	open  state = iota // it may be quoted
	kept               // it is quoted
	shown              // the block shows it elsewhere, or a later message says the same
)

// quotesOf returns the user's sentences. Those in now, the newest request, the block shows anyway.
func quotesOf(j *journal.Journal, v View, now string) *quotes {
	messages := sayings(j)
	if v.Said != nil {
		messages = v.Said.All
	}
	elsewhere := text.FoldLines(now)
	if j.Open() {
		elsewhere += "\n" + text.FoldLines(j.Mission)
	}
	if v.Said == nil {
		elsewhere += "\n" + text.FoldLines(strings.Trim(j.Wip, `"`))
	}
	q := &quotes{first: true}
	last := time.Time{}
	for i, m := range messages {
		at := saidAt(m.Saying)
		if at.After(last) {
			last = at
		}
		for k, part := range m.Parts {
			one := quote{plain: m.Text[part.Begin:part.End], message: i, at: at, part: part}
			one.follows = k > 0 && strings.TrimSpace(m.Text[m.Parts[k-1].End:part.Begin]) == ""
			one.words = text.Quote(one.plain)
			one.value = float64(part.Weight) + recency*float64(i)/float64(len(messages))
			if i >= len(messages)-newest {
				one.value += news
			}
			if asked, _ := text.Cut(m.Asked, journal.MaxAsked); asked != "" {
				one.asked = " (asked: " + text.Quote(asked) + ")"
			}
			q.all = append(q.all, one)
		}
	}
	q.today = last.Format(dayMark)
	seen := map[string]bool{}
	for i := len(q.all) - 1; i >= 0; i-- {
		one := &q.all[i]
		fold := text.Sentence(one.plain)
		if one.asked == "" && (seen[fold] || text.Holds(elsewhere, fold)) {
			one.state = shown
		}
		seen[fold] = true
		q.order = append(q.order, i)
	}
	slices.SortStableFunc(q.order, func(a, b int) int { return cmp.Compare(q.all[b].value, q.all[a].value) })
	return q
}

// The newest message weighs so much more than the oldest, and the newest messages more still.
const (
	recency = 2
	newest  = 3 // messages
	news    = 8
)

// sayings returns the journal's sayings as messages of one sentence, without those that only Claude reported.
func sayings(j *journal.Journal) (out []Message) {
	for _, s := range j.Said {
		if s.By == journal.ByClaude && (s.Verified == nil || !*s.Verified) {
			continue
		}
		part := sentence.Part{End: len(s.Text)}
		switch {
		case j.Opening(s):
			part.Weight = 2 * sentence.RuleWeight
		case s.Rule:
			part.Weight = sentence.RuleWeight
		}
		out = append(out, Message{s, []sentence.Part{part}})
	}
	return out
}

// unverified returns the sayings that only Claude reported, quoted, newest first.
func unverified(j *journal.Journal) (out []string) {
	for _, s := range slices.Backward(j.Said) {
		if s.By == journal.ByClaude && (s.Verified == nil || !*s.Verified) {
			out = append(out, text.Quote(s.Text))
		}
	}
	return out
}

// saidAt returns the time of s in local time, the zero time when s has none.
func saidAt(s journal.Saying) time.Time {
	at, err := time.Parse(time.RFC3339, s.TS)
	if err != nil {
		return time.Time{}
	}
	return at.Local()
}

// dayMark stands before the quotations of an earlier day: they were said on or before it. Of two sentences that
// contradict each other the later one counts, so a reader must see which is later.
const dayMark = "by 2006-01-02: "

// day returns the mark before a quotation, "" for one of the newest day and one without a time.
func (q *quotes) day(one quote) string {
	if mark := one.at.Format(dayMark); !one.at.IsZero() && mark != q.today {
		return mark
	}
	return ""
}

// need returns how much room the user's sentences take.
func (q *quotes) need() (size int) {
	for _, one := range q.all {
		if one.state == open {
			size += q.size(one)
		}
	}
	return size
}

// size returns the room that a sentence takes, with the mark before it.
func (q *quotes) size(one quote) int {
	return text.Quarters(one.words+one.asked) + text.Quarters(quoteMark)
}

// add keeps the sentences from through to if they fit.
func (q *quotes) add(p *packer, from, to int) bool {
	size, paid := 0, q.paid
	for i := from; i <= to; i++ {
		if one := q.all[i]; one.state == open {
			size += q.size(one)
			if day := q.day(one); day != "" && !strings.Contains(paid, day) {
				size += text.Quarters(day)
				paid += day
			}
		}
	}
	if q.first {
		size += text.Quarters("\n"+saidLabel) - text.Quarters(quoteMark)
	}
	if !p.spend(size) {
		return false
	}
	q.first, q.paid = false, paid
	for i := from; i <= to; i++ {
		if q.all[i].state == open {
			q.all[i].state = kept
		}
	}
	return true
}

// whole returns the place of the first sentence without which the sentence i says half of a statement.
func (q *quotes) whole(i int) int {
	for i > 0 && q.all[i].part.Back {
		i--
	}
	return i
}

// fillRules keeps the sentences that look like rules, as far as they fit into a share of the room left.
func (q *quotes) fillRules(p *packer, share int) {
	p.within(share)
	for _, i := range q.order {
		if one := q.all[i]; one.state == open && one.part.Rule() && !one.part.Pasted {
			q.add(p, q.whole(i), i)
		}
	}
}

// fill keeps the other sentences that fit: with its whole message, where that takes no more than its part of the room.
func (q *quotes) fill(p *packer) {
	const part = 4
	for _, i := range q.order {
		if one := q.all[i]; one.state != open || one.part.Pasted {
			continue
		}
		from, to := i, i
		for from > 0 && q.all[from-1].message == q.all[i].message && !q.all[from-1].part.Pasted {
			from--
		}
		for to+1 < len(q.all) && q.all[to+1].message == q.all[i].message && !q.all[to+1].part.Pasted {
			to++
		}
		p.within(100 / part)
		if from == to || !q.add(p, q.whole(from), to) {
			p.floor = 0
			q.add(p, q.whole(i), i)
		}
	}
}

// fillPasted returns the line of the demands in somebody else's text, newest first, as far as they fit.
func (q *quotes) fillPasted(p *packer) *section {
	s := &section{label: pastedLabel, mark: quoteMark}
	for _, one := range slices.Backward(q.all) {
		if one.part.Pasted && one.state == open {
			s.items = append(s.items, one.words)
		}
	}
	p.fill(s, all)
	return s
}

// missed returns how many of the user's sentences have no room.
func (q *quotes) missed() (n int) {
	for _, one := range q.all {
		if one.state == open && !one.part.Pasted {
			n++
		}
	}
	return n
}

// line returns the line of the kept sentences: the newest message first, the sentences of one message in their order.
// Neighbours stand in one pair of quotation marks.
func (q *quotes) line() string {
	var out []string
	day := ""
	for end := len(q.all); end > 0; {
		begin := end - 1
		for begin > 0 && q.all[begin-1].message == q.all[begin].message {
			begin--
		}
		for i := begin; i < end; i++ {
			if q.all[i].state != kept {
				continue
			}
			run := q.all[i].plain
			for i+1 < end && q.all[i+1].state == kept && q.all[i+1].follows {
				i++
				run += " " + q.all[i].plain
			}
			run = text.Quote(run) + q.all[i].asked
			if mark := q.day(q.all[i]); mark != "" && mark != day {
				run, day = mark+run, mark
			}
			out = append(out, run)
		}
		end = begin
	}
	return labelled(saidLabel, strings.Join(out, quoteMark))
}
