// Package past makes turns of the log: what the user typed, what Claude answered at the end, and what the turn ran,
// committed and edited. It also notes how far a backfill has come. How entries are stored (log) and how turns are found
// (search) may not come in.
package past

import (
	"cmp"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/log"
)

// Turn is one prompt and what Claude answered to it.
type Turn struct {
	Project string // slug, "" outside any project
	Session string
	N       int // its number in the session, from 1

	Time      time.Time
	Prompt    string // whole
	PromptID  string // transcript uuid of the prompt, or another id that never changes; tells turns apart
	Asked     string // Claude's question that the prompt answers, "" for none
	Answer    string // Claude's final message, its middle cut out when it is long
	Ran       []Ran
	Commits   []string // "abc1234 Subject"
	Files     []string // edited files, relative to the project
	Compacted bool     // the context was compacted during the turn
	Client    string   // "codex"; "" for Claude Code
	On        string   // the id of the machine, if it was said on another one
	Title     string   // of the session, in the client's words or the person's, as it was called then
	Recap     string   // what the client's own model wrote of the session so far

	answered time.Time
}

// Ran is a command that ran in a turn: one that failed, or a check that passed.
type Ran struct {
	Cmd    string
	Line   string // of the output, the one that says why it failed
	Failed bool
}

// Model returns the name of the model that answered, as its client calls it.
func (t Turn) Model() string {
	return client.Labelled(t.Client).Model
}

// Read returns the turns of a session, oldest first, with their numbers. An unknown session has none. Errors: those of
// log.Store.Read, beside the turns that could be read.
func Read(s log.Store, project, session string) ([]Turn, error) {
	entries, err := s.Read(project, session)
	return turnsOf(project, session, entries), err
}

// Each calls f with all turns of a project, session by session, those of the oldest month first. A session that cannot
// be read has the turns before the error. Errors: the disk's.
func Each(s log.Store, project string, f func(Turn)) error {
	sessions, err := s.Sessions(project)
	for _, one := range sessions {
		entries, _ := s.ReadSession(one)
		for _, t := range turnsOf(project, one.ID, entries) {
			f(t)
		}
	}
	return err
}

// turnsOf makes turns of a session's entries. What belongs to a prompt that nobody kept is left out.
func turnsOf(project, session string, entries []log.Entry) []Turn {
	var out []Turn
	at := map[string]int{} // PromptID -> place in out
	for _, e := range entries {
		if e.Kind == log.Typed {
			at[e.ID] = len(out)
			out = append(out, Turn{Project: project, Session: cmp.Or(e.Session, session), Time: e.Time, Prompt: e.Text,
				PromptID: e.ID, Asked: e.Asked, Client: e.Client, On: e.On})
		}
	}
	for _, e := range entries {
		if i, ok := at[e.Of]; ok {
			out[i].add(e)
		}
	}
	slices.SortStableFunc(out, func(a, b Turn) int { return a.Time.Compare(b.Time) })
	for i := range out {
		out[i].N = i + 1
	}
	return out
}

// add adds what happened in the turn.
func (t *Turn) add(e log.Entry) {
	switch e.Kind {
	case log.Answered:
		if !e.Time.Before(t.answered) {
			t.Answer, t.answered = e.Text, e.Time
		}
	case log.Ran:
		t.Ran = addNew(t.Ran, Ran{Cmd: e.Text, Line: e.Line, Failed: e.Failed})
	case log.Committed:
		t.Commits = addNew(t.Commits, e.Text)
	case log.Edited:
		t.Files = addNew(t.Files, e.Text)
	case log.Compacted:
		t.Compacted = true
	case log.Titled:
		t.Title = e.Text
	case log.Recapped:
		t.Recap = e.Text
	}
}

func addNew[T comparable](all []T, one T) []T {
	if slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}

// TurnAt returns the number of the turn in which something happened at ts, a compaction by a history: of the turns that
// began before, the last one that was compacted, or just the last one. turns, at least one, are those of a session,
// oldest first.
func TurnAt(turns []Turn, ts string) int {
	at, err := time.Parse(time.RFC3339Nano, ts)
	last := turns[0].N
	for _, one := range slices.Backward(turns) {
		if err == nil && one.Time.After(at.Add(time.Second)) { // a history has times to the second
			continue
		}
		if one.Compacted {
			return one.N
		}
		last = max(last, one.N)
	}
	return last
}

// Title returns what a session is called, "" for nothing that the client or the person said. turns are the session's,
// oldest first.
func Title(turns []Turn) string {
	title := ""
	for _, t := range turns {
		title = cmp.Or(t.Title, title)
	}
	return title
}
