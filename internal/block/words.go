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
	Text  string
	TS    string // RFC 3339, "" for none
	Ref   string // transcript uuid
	Asked string // the question of Claude's that it answers, "" for none
	Parts []sentence.Part
}

// now returns the newest request: whole or, where it is long, its first sentences.
func (v View) now() string {
	const share, most, least = 5, 4 * 100, 130 // of the room; quarters of a token; characters
	if v.Said.Now == "" {
		return ""
	}
	whole := text.Line(v.Said.Now)
	head, _ := text.Cut(whole, least)
	words := fitting(whole, max(min(v.Budget*4/share, most), text.Quarters(head)))
	if at := strings.LastIndexAny(words, ".!?。！？"); words != whole && at > len(head) {
		_, size := utf8.DecodeRuneInString(words[at:])
		words = words[:at+size]
	}
	return words
}

// quotes are the sentences that a block may quote, and which of them it does.
type quotes struct {
	all   []quote // in the order in which they were typed
	order []int   // places in all, the most valuable first
	today string  // the day of the newest message
	paid  string  // what has room: the line's label, and the days, each behind a space
}

// quote is a sentence of the user's.
type quote struct {
	sentence.Part
	plain   string
	asked   string // the question that it answers
	message int    // the number of its message
	isLast  bool   // of the newest message that says something and was not pasted
	follows bool   // nothing stands between the sentence before it and this one
	at      time.Time
	value   float64
	state   state
}

type state uint8

const (
	open  state = iota // it may be quoted
	kept               // it is quoted
	shown              // the block shows it elsewhere, or a later message says the same
)

// The newest message weighs so much more than the oldest. The first message and the newest ones weigh more still.
const (
	recency = 2
	newest  = 3 // messages
	news    = 8
)

// quotesOf returns the user's sentences. Those in now, the newest request, the block shows anyway.
func quotesOf(j *journal.Journal, v View, now string) *quotes {
	messages := v.Said.All
	elsewhere := []string{now}
	if j.Open() {
		elsewhere = append(elsewhere, j.Mission)
	}
	q := &quotes{}
	last, lastTyped := time.Time{}, len(messages)-1
	for lastTyped > 0 && !saysSomething(messages[lastTyped].Text) {
		lastTyped--
	}
	for i, m := range messages {
		at := m.at()
		if at.After(last) {
			last = at
		}
		for k, part := range m.Parts {
			one := quote{Part: part, plain: m.Text[part.Begin:part.End], message: i, at: at}
			one.follows = k > 0 && strings.TrimSpace(m.Text[m.Parts[k-1].End:part.Begin]) == ""
			one.value = float64(part.Weight) + recency*float64(i)/float64(len(messages))
			one.isLast = i == lastTyped
			if i >= len(messages)-newest || i == 0 && (m.Ref != j.MissionRef || j.MissionBy == journal.ByClaude) {
				one.value += news
			}
			if asked, _ := text.Cut(m.Asked, journal.MaxCtx); asked != "" {
				one.asked = " (asked: " + text.Quote(asked) + ")"
			}
			q.all = append(q.all, one)
		}
	}
	q.today = last.Format(dayMark)
	seen := sentence.SetOf(elsewhere...)
	for i := len(q.all) - 1; i >= 0; i-- {
		one := &q.all[i]
		fold := text.Sentence(one.plain)
		if one.asked == "" && (seen[fold] || seen[text.Sentence(text.Line(one.plain))]) { // as the block shows it
			one.state = shown
		}
		seen[fold] = true
		q.order = append(q.order, i)
	}
	slices.SortStableFunc(q.order, func(a, b int) int { return cmp.Compare(q.all[b].value, q.all[a].value) })
	return q
}

// saysSomething reports whether a message has the length of a request: more than a yes, and less than a pasted text.
func saysSomething(message string) bool {
	const least, most = 40, 2000 // characters
	n := text.Runes(message)
	return n >= least && n <= most
}

// at returns the time of m in local time, the zero time when m has none.
func (m Message) at() time.Time {
	at, err := time.Parse(time.RFC3339, m.TS)
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

// size returns the room that the open ones among some sentences take, and what has room when they stand there.
func (q *quotes) size(some []quote) (size int, paid string) {
	paid = q.paid
	for _, one := range some {
		if one.state != open {
			continue
		}
		size += text.Quarters(text.Quote(one.plain) + one.asked + quoteMark)
		for _, mark := range [...]string{"\n" + saidLabel, q.day(one)} {
			if !strings.Contains(paid, mark) {
				size += text.Quarters(mark)
				paid += mark
			}
		}
	}
	return size, paid
}

// add keeps the sentences from through to if they fit.
func (q *quotes) add(p *packer, from, to int) bool {
	size, paid := q.size(q.all[from : to+1])
	if !p.spend(size) {
		return false
	}
	q.paid = paid
	for i := from; i <= to; i++ {
		if q.all[i].state == open {
			q.all[i].state = kept
		}
	}
	return true
}

// whole returns the place of the first sentence without which the sentence i says half of a statement.
func (q *quotes) whole(i int) int {
	for i > 0 && q.all[i].Back {
		i--
	}
	return i
}

// fill keeps the chosen sentences that fit into the room left but for floor: those that are no rule with the whole
// message, where that takes no more than a quarter of the room.
func (q *quotes) fill(p *packer, floor int, chosen func(quote) bool) {
	for _, i := range q.order {
		one := q.all[i]
		if one.state != open || !chosen(one) {
			continue
		}
		from, to := i, i
		for from > 0 && q.all[from-1].message == one.message {
			from--
		}
		for to+1 < len(q.all) && q.all[to+1].message == one.message {
			to++
		}
		p.floor = max(floor, p.left-p.left/4)
		if from == to || one.Rule() || !q.add(p, q.whole(from), to) {
			p.floor = floor
			q.add(p, q.whole(i), i)
		}
	}
}

// missed returns how many of the user's sentences have no room.
func (q *quotes) missed() (n int) {
	for _, one := range q.all {
		if one.state == open {
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
