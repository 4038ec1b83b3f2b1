package block

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// briefly is how many done entries a brief names. The summariser has seen all of them.
const briefly = 3

// Brief returns the facts that the client's own summariser must keep, as plain text of at most limit characters: the
// journal, the user's rules, and the messages that the summariser no longer sees. It returns "" where there is nothing
// to keep.
func Brief(j *journal.Journal, limit int, v View) string {
	j = inForce(j, &v)
	var out []string
	size := 0
	add := func(label, value string) {
		if value == "" {
			return
		}
		l := label + value
		if n := text.Runes(l) + 1; size+n <= limit {
			size += n
			out = append(out, l)
		}
	}
	add("", "From memento, to keep word for word:")
	mission, _ := text.Cut(j.Mission, journal.MaxMission)
	if j.Open() {
		whose := map[string]string{journal.ByUser: "The user's mission: ",
			journal.ByClaude: "The mission, as Claude put it: "}
		add(cmp.Or(whose[j.MissionBy], "The mission: "), text.Quote(mission))
	}
	add("The user's newest request: ", quoted(v.now()))
	add("Work in hand: ", inHand(j))
	add("Next: ", strings.Join(next(j, v), planMark))
	for _, f := range failuresOf(j, v) {
		add("Failing: ", f)
	}
	done := doneOf(j)
	for _, line := range done[:min(len(done), briefly)] {
		add("Done: ", line)
	}
	addWords(add, j, v)
	if len(out) < 2 {
		return ""
	}
	return strings.Join(out, "\n")
}

// addWords adds what the user typed: of messages that the summariser sees the rules, newest first, and then the others
// whole, oldest first.
func addWords(add func(label, value string), j *journal.Journal, v View) {
	messages, before := v.Said.All, v.Said.Before
	told, newest, said := sentence.SetOf(j.Mission, v.now()), time.Time{}, map[string]bool{}
	once := func(label, words string) {
		if fold := text.Fold(words); !said[fold] {
			said[fold] = true
			add(label, text.Quote(words))
		}
	}
	for n := range messages {
		if n == len(messages)-before {
			add("", "What the user typed before the last compaction, in their words:")
			clear(said)
		}
		if n >= len(messages)-before {
			words, _ := text.Cut(messages[n-len(messages)+before].Text, sentence.MaxQuoted)
			once("- ", words)
			continue
		}
		m := messages[len(messages)-1-n]
		at := m.at()
		if at.After(newest) {
			newest = at
		}
		label := "The user said: "
		if !at.IsZero() && at.Format(time.DateOnly) != newest.Format(time.DateOnly) {
			label = fmt.Sprintf("The user said on %s: ", at.Format(time.DateOnly))
		}
		for k, part := range m.Parts {
			if !part.Rule() || told[text.Sentence(m.Text[part.Begin:part.End])] {
				continue
			}
			for ; k > 0 && m.Parts[k].Back; k-- {
				part.Begin = m.Parts[k-1].Begin
			}
			once(label, m.Text[part.Begin:part.End])
		}
	}
}

// Aside returns the mission and the user's rules, among their words said, for a subagent, as statements of fact in at
// most budget tokens: the mission first, then the newest rules that fit. It returns "" when no mission is open.
func Aside(j *journal.Journal, said Words, budget int) string {
	if !j.Open() {
		return ""
	}
	const head, missionShare = "[MEMENTO] The mission of this session: ", 60 // the rest is for rules
	q := quotesOf(j, View{Said: said}, "")
	p := packer{left: budget*4 - text.Quarters(head) - 1}
	room := p.left
	if slices.ContainsFunc(q.all, func(one quote) bool { return one.state == open && one.Rule() }) {
		room = room * missionShare / 100
	}
	mission := fitting(missionOf(j, journal.MaxMission), room)
	p.left -= text.Quarters(mission) + text.Quarters("The ")
	q.fill(&p, 0, quote.Rule)
	return strings.Join(nonEmpty(head+mission, strings.Replace(q.line(), saidLabel, "The user said: ", 1)), "\n")
}

// Previous returns the mission of an earlier session in one or two lines, for a session without a mission.
func Previous(j *journal.Journal, path string, now time.Time) string {
	where := where(j, path)
	if !j.Open() {
		return "[MEMENTO] No active mission" + where
	}
	return previous(j, "", where, now)
}

// PreviousOn returns the mission of a journal on another machine in one or two lines.
func PreviousOn(machine string, j *journal.Journal, now time.Time) string {
	return previous(j, ", on "+text.Data(machine), "", now)
}

// The most that a session is told at its start of an earlier one's mission and work in hand, in quarters of a token.
const (
	maxPrevious    = 4 * 40
	maxPreviousWip = 4 * 24
)

func previous(j *journal.Journal, on, where string, now time.Time) string {
	age := ""
	if opened, err := time.Parse(time.RFC3339, j.MissionOpened); err == nil {
		age = " (opened " + Age(now.Sub(opened)) + ")"
	}
	mission := fitting(missionOf(j, journal.MaxMission), maxPrevious)
	if on != "" { // somebody else may have written it
		mission = text.Quote(mission)
	}
	out := "[MEMENTO] Previous mission" + on + age + ": " + mission + where
	bare := func(s string) string { return strings.Trim(text.Fold(s), `"“”. `+text.Ellipsis) }
	if wip := fitting(wipOf(j), maxPreviousWip); wip != "" && !strings.HasPrefix(bare(wip), bare(mission)) {
		label := "Previous WIP: "
		if isQuoted(j.Wip) { // nobody knows whether it is done
			label, wip = "Previous WIP, as asked for: ", strings.TrimSuffix(wip, `"`)+`"` // what was cut keeps its end
		}
		out += "\n" + label + wip
	}
	if at, err := time.Parse(time.RFC3339, j.NextAt); err == nil && j.Next != "" {
		out += "\nClaude's recap, " + at.Format("Jan 2") + ": next " + history.Data(j.Next)
	}
	return out
}

// Age returns d in words, in one unit: "3 days ago". Clocks differ by some minutes.
func Age(d time.Duration) string {
	switch {
	case d <= -2*time.Minute:
		return "in the future"
	case d < 2*time.Minute:
		return "just now"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}
