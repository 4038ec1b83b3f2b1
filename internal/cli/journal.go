package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/rule"
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
		long: `A mission that gives way to another, or is closed, goes to the history, whole.

  memento mission "ship the auth fix -- staging only -- done when: tests pass"
  memento mission --close
  memento mission --resume 482913
`})
}

func doneCommand() command {
	return journalCommand(command{name: "done", args: "[TEXT]",
		short: "note what is done, what is in hand, what comes next, and which of the user's words hold on",
		long: `A --ctx that quotes what nobody said is marked as unverified.

  memento done "fix auth middleware" --result "expiry corrected" --ctx "user: auth is broken" --wip "deploy"
  memento done --keep "don't change the token format"
`})
}

// journalCommand adds what the two commands that write into the journal have in common.
func journalCommand(cmd command) command {
	f := &journalFlags{Note: note.Note{Verb: cmd.name}}
	cmd.run = func(c *call) error { return runJournal(c, f) }
	cmd.flags = func(fs *flag.FlagSet) {
		f.Flags(fs)
		if cmd.name == "mission" {
			numberFlag(fs, &f.resume, "resume", "bring back mission `N` of memento show --history")
		}
	}
	return cmd
}

// runJournal runs any journal command. It writes the arguments and all flags in one change.
func runJournal(c *call, f *journalFlags) error {
	switch {
	case f.resume == 0:
		if err := f.SetWords(c.args); err != nil {
			return err
		}
	case len(c.args) > 0 || f.Close:
		return usage("memento show --history", "--resume takes the number of a mission, and comes alone")
	}
	at, err := openPlace(c, true)
	if err != nil {
		return err
	}
	var kept []rule.Rule
	if f.Agent == "" { // nobody types to a subagent
		if kept, err = keepQuoted(c, at, f.Keep); err != nil {
			return err
		}
	}
	noted := "as this subagent's own; the session's journal is its parent's"
	j, err := at.store.Update(func(j *journal.Journal) error {
		if f.Agent != "" { // it shares the session of its parent, but not the mission
			for _, p := range f.Parts() {
				j.Keep(log.Entry{Kind: "subagent", Session: j.Session, Agent: f.Agent, Verb: p.Verb, Text: p.Words})
			}
			return nil
		}
		var said []string
		if f.resume != 0 {
			resumed, err := resumeMission(j, at, f.resume)
			if err != nil {
				return err
			}
			said = append(said, resumed)
		}
		more, err := f.Apply(j, writerAt(c, at))
		noted = strings.Join(append(said, more...), ", ")
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range kept {
		noted = strings.TrimPrefix(noted+", kept "+text.Quote(r.Text), ", ")
	}
	fmt.Fprintln(c.Out, "noted: "+noted)
	notes := j.Notes()
	if secrets := redact.Notice(f.Withheld); secrets != "" {
		notes = append([]string{secrets}, notes...)
	}
	for _, n := range notes {
		fmt.Fprintln(c.Out, "note: "+n)
	}
	return nil
}

// keepQuoted keeps the sentences of the user's that words quote: they hold in later sessions too.
func keepQuoted(c *call, at *place, quotes []string) (rules []rule.Rule, err error) {
	store := rule.Store{Dir: c.config.Dir, Now: c.Now(), Wait: wait}
	for _, words := range quotes {
		r, err := store.Quoted(at.store.Lane.Slug, at.session, words)
		if err != nil {
			return nil, hinted("the first words suffice, as they were typed: memento show --said", "done: %w", err)
		}
		rules = append(rules, r)
	}
	if len(rules) == 0 {
		return nil, nil
	}
	return rules, store.Keep(at.store.Lane.Slug, c.by, "", rules...)
}

// resumeMission brings back the mission with the number n, and returns in words what it did.
func resumeMission(j *journal.Journal, at *place, n int) (said string, err error) {
	all, err := history.Missions(at.store.Lane)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(all, func(l log.Entry) bool { return numberOf(l) == n })
	if i < 0 {
		return "", hinted("memento show --history has the numbers", "no mission %d", n)
	}
	// one that came back and is open has more facts in the journal than in the history
	if old, err := journal.Snapshot(all[i]); err == nil && j.Open() && old.MissionOpened == j.MissionOpened &&
		old.MissionRef == j.MissionRef && (j.MissionRef != "" || old.Mission == j.Mission) {
		return "this mission is open already: " + text.Line(j.Mission), nil
	}
	if err := j.Reopen(all[i], at.session); err != nil {
		return "", fmt.Errorf("number %d cannot be brought back: %w", n, err)
	}
	return "mission brought back: " + text.Line(j.Mission), nil
}

// writerAt returns the note's writer at this place, who also finds typed and printed words.
func writerAt(c *call, at *place) note.Writer {
	w := note.Writer{By: c.by, Session: at.session, Path: at.store.Lane.Journal()}
	w.Heard = func(words string) string { return capture.Heard(at.store.Lane, words) }
	if at.transcript != "" {
		w.Printed = func(words string) (bool, error) { return transcript.Printed(at.transcript, words) }
	}
	return w
}
