package cli

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// journalFlags hold the note that a journal command writes, and --resume.
type journalFlags struct {
	note.Note
	resume int
}

func missionCommand() command {
	return journalCommand(command{name: "mission", args: "TEXT", short: "set the mission, reword it, or close it",
		long: `The user's own words stay beside a mission that Claude rewords. The mission of an
earlier session is parked, whole, in the history, and so is one that is closed.

  memento mission "ship the auth fix -- staging only -- done when: tests pass"
  memento mission --close
  memento mission --resume 482913
`})
}

func doneCommand() command {
	return journalCommand(command{name: "done", args: "[TEXT]",
		short: "note what is done, what is in hand, what comes next, and what the user said that governs it",
		long: `What the user did not type in this project is kept as a constraint, too, and marked as unverified.

  memento done "fix auth middleware" --result "expiry corrected" --ctx "user: auth is broken" --wip "deploy" --plan "pricing"
  memento done --wip "deploy auth fix -- build passed, uploading"
  memento done --plan "pricing decision" --plan "run integration tests"
  memento done --constraint "don't change the token format"
  memento done --drop "token format"
`})
}

// journalCommand adds what the two commands that write into the journal have in common.
func journalCommand(cmd command) command {
	cmd.run = runJournal
	cmd.flags = func(fs *flag.FlagSet, c *call) {
		c.journal.Verb = cmd.name
		c.journal.Flags(fs)
		if cmd.name == "mission" {
			ordinal(fs, &c.journal.resume, "resume", "bring back mission `N` of memento show --missions")
		}
	}
	return cmd
}

// runJournal runs any journal command. It writes the arguments and all flags in one change.
func runJournal(c *call) error {
	f := &c.journal
	if err := c.takeWords(); err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	at, err := openPlace(c, true)
	if err != nil {
		return err
	}
	if f.Agent != "" {
		return c.subagent(at)
	}
	var said []string
	j, err := at.store.Update(func(j *journal.Journal) error {
		said, err = c.apply(j, at)
		return err
	})
	if err != nil {
		return err
	}
	return c.printNoted(j, strings.Join(said, ", "))
}

// takeWords puts the arguments into the note. It refuses a note without content.
func (c *call) takeWords() error {
	f := &c.journal
	if f.resume == 0 {
		return noteError(f.SetWords(c.args))
	}
	if len(c.args) > 0 || f.Close {
		return usage("memento show --missions", "mission: --resume takes the number of a mission, and comes alone")
	}
	return nil
}

// apply writes the note into j and returns in words what it changed.
func (c *call) apply(j *journal.Journal, at *place) (done []string, err error) {
	f := &c.journal
	if f.resume > 0 {
		line, err := at.mission(f.resume)
		if err != nil {
			return nil, err
		}
		if at.inHand(j, line) { // the line has fewer facts than the journal
			done = append(done, "this mission is open already: "+text.Line(j.Mission))
		} else if err := j.Reopen(line, at.session); err != nil {
			return nil, fmt.Errorf("mission: number %d cannot be brought back: %w", f.resume, err)
		} else {
			done = append(done, "mission brought back: "+text.Line(j.Mission))
		}
	}
	more, err := f.Apply(j, at.writer())
	return append(done, more...), noteError(err)
}

// noteError turns an error of a note into one with an exit code and a hint.
func noteError(err error) error {
	var usage *note.UsageError
	var refused *note.RefusedError
	switch {
	case errors.As(err, &usage):
		return &usageError{what: usage.What, hint: usage.Hint}
	case errors.As(err, &refused):
		return &hintError{err: err, hint: refused.Hint}
	}
	return err
}

// writer returns the note's writer at this place, who also finds typed and printed words.
func (at *place) writer() note.Writer {
	w := note.Writer{By: at.by, Session: at.session, Path: at.store.Lane.Journal()}
	w.Heard = func(words string) string { return capture.Heard(at.store.Lane, words) }
	if at.transcript != "" {
		w.Printed = func(words string) (bool, error) { return transcript.Printed(at.transcript, words) }
	}
	return w
}

// mission returns the mission with number n of the lane's history.
func (at *place) mission(n int) (history.Line, error) {
	all, err := history.Missions(at.store.Lane)
	if err != nil {
		return history.Line{}, err
	}
	return lineWith(all, n, "mission", "memento show --missions")
}

// inHand reports whether the mission of l, a history line of kind "mission", came back and is open in j.
func (at *place) inHand(j *journal.Journal, l history.Line) bool {
	old, err := journal.Snapshot(at.store.Lane, l)
	return err == nil && j.Open() && old.MissionOpened == j.MissionOpened && old.MissionRef == j.MissionRef &&
		(j.MissionRef != "" || old.Mission == j.Mission)
}

// notes returns messages for the writer: which secrets were left out, and the journal's notes.
func (c *call) notes(j *journal.Journal) []string {
	if notice := redact.Notice(c.journal.Withheld); notice != "" {
		return append([]string{notice}, j.Notes()...)
	}
	return j.Notes()
}

// printNoted prints what was noted. Notes of the journal for the writer follow.
func (c *call) printNoted(j *journal.Journal, noted string) error {
	fmt.Fprintln(c.Out, "noted: "+noted)
	for _, n := range c.notes(j) {
		fmt.Fprintln(c.Out, "note: "+n)
	}
	return nil
}

// subagent writes a subagent's note into the history, under the subagent's id. A subagent shares the session of its
// parent, but not the mission.
func (c *call) subagent(at *place) error {
	j, err := at.store.Update(func(j *journal.Journal) error {
		for _, p := range c.journal.Parts() {
			j.Keep(history.Line{Kind: "subagent", Session: j.Session, Agent: c.journal.Agent, Verb: p.Verb,
				Text: p.Words})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.printNoted(j, "as this subagent's own; the session's journal is its parent's")
}
