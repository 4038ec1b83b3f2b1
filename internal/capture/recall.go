package capture

import (
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// Recollection has what the user typed in one session, from the lane's history, and in the sessions which its mission
// belonged to before.
type Recollection struct {
	earlier []log.Entry          // prompts of those sessions
	heard   []log.Entry          // the newest manyRecalled bytes of the session's prompts, oldest first
	dropped map[string]time.Time // sentences that somebody dropped -> when
}

// manyRecalled is how much of a session's newest prompts is shown, in bytes. Older prompts are in the history.
const manyRecalled = 192 << 10

// Recall reads the user's prompts in session, whatever mission they were typed for, and in earlier sessions, without
// those that were rewound.
func Recall(lane project.Lane, session string, earlier ...string) Recollection {
	r := Recollection{heard: promptsOf(lane, session), dropped: map[string]time.Time{}}
	for _, id := range earlier {
		if id != session {
			r.earlier = append(r.earlier, r.before(promptsOf(lane, id))...)
		}
	}
	decided, _ := log.Store{Dir: lane.Dir}.Decisions(lane.Slug)
	for _, e := range decided {
		switch {
		case e.Kind == log.Dropped:
			r.dropped[text.Sentence(e.Text)] = e.Time
		case e.Kind == log.Kept && e.By != rule.BySaid:
			delete(r.dropped, text.Sentence(e.Text))
		}
	}
	return r
}

// before returns those prompts of an earlier session that were typed before this one began: a fork's parent hears what
// is its own. A session that began later had the mission in between: all of its prompts hold.
func (r Recollection) before(typed []log.Entry) []log.Entry {
	if len(r.heard) == 0 || len(typed) == 0 || typed[0].Time.After(r.heard[0].Time) {
		return typed
	}
	return slices.DeleteFunc(typed, func(l log.Entry) bool { return l.Time.After(r.heard[0].Time) })
}

// promptsOf returns the newest prompts of a session, oldest first. Those that were rewound have no words: their place
// stays, since the last compaction may have come behind it.
func promptsOf(lane project.Lane, session string) (typed []log.Entry) {
	_ = history.Part{Session: session}.Read(lane, func(l log.Entry) bool {
		if l.Kind == log.Typed && l.Session == session {
			l.Text = strings.Clone(sentence.Ends(l.Text)) // a copy, so that the rest of the line can be freed
			typed = append(typed, l)
		}
		return true
	})
	bytes, first := 0, len(typed)
	for first > 0 && bytes < manyRecalled {
		first--
		bytes += len(typed[first].Text) + perPrompt
	}
	typed = typed[first:]
	for i := range typed {
		if typed[i].Gone {
			typed[i].Text = ""
		}
	}
	return typed
}

// Until returns what was typed before the prompt ref, all for one that is not known.
func (r Recollection) Until(ref string) Recollection {
	at := slices.IndexFunc(r.heard, func(l log.Entry) bool { return ref != "" && l.Ref() == ref })
	if at >= 0 {
		r.heard = r.heard[:at]
	}
	return r
}

// gone reports whether words of that time were dropped later.
func (r Recollection) gone(words string, said time.Time) bool {
	at, ok := r.dropped[text.Sentence(words)]
	return ok && !said.Truncate(time.Second).After(at) // the log has when they were dropped to the second
}

// Newest names the newest prompt for Words, "" for none.
func (r Recollection) Newest() string {
	if len(r.heard) == 0 {
		return ""
	}
	return r.heard[len(r.heard)-1].ID
}

// Words returns what the user typed, for the block and the brief: each message word for word, with the sentences that
// may be quoted, those of earlier sessions first: what was said before a fork holds in it. It leaves out messages that
// say nothing and words that were dropped. last names the last prompt before the last compaction; "" for none.
func (r Recollection) Words(j *journal.Journal, last string) block.Words {
	var w block.Words
	w.Now, w.Age = r.newest(j)
	for _, l := range slices.Concat(r.earlier, r.heard) {
		if !r.gone(l.Text, l.Time) && (l.Asked != "" || !sentence.IsIdle(l.Text)) {
			w.All = append(w.All, r.message(l))
		}
		if last != "" && (l.ID == last || l.Was == last) {
			w.Before = len(w.All)
		}
	}
	return w
}

// newest returns the newest message that is more than an acknowledgement, "" when it opened the mission or a mission
// ended since, and how many prompts followed the one that opened the mission.
func (r Recollection) newest(j *journal.Journal) (request string, age int) {
	isOver := false
	for i := len(r.heard) - 1; i >= 0; i-- {
		l := r.heard[i]
		if l.Ref() != "" && l.Ref() == j.MissionRef || text.Same(l.Text, j.Mission) {
			return request, len(r.heard) - 1 - i
		}
		if request == "" && !isOver && l.Asked == "" && !r.gone(l.Text, l.Time) {
			request = sentence.Request(sentence.Leaving(l.Text))
			isOver = sentence.Closes(l.Text)
		}
	}
	return request, 0
}

// message returns a prompt and those of its sentences that may be quoted. An answer to a question is quoted whole: most
// answers choose how to go on.
func (r Recollection) message(l log.Entry) block.Message {
	m := block.Message{Text: l.Text, Asked: l.Asked, TS: l.Stamp(), Ref: l.Ref()}
	if l.Asked != "" {
		m.Parts = []sentence.Part{{End: len(l.Text), Weight: sentence.RuleWeight - 1}}
		return m
	}
	m.Parts = slices.DeleteFunc(sentence.Judge(l.Text), func(p sentence.Part) bool {
		return r.gone(l.Text[p.Begin:p.End], l.Time)
	})
	return m
}
