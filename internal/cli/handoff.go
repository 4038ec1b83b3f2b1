package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mementohq/memento/internal/digest"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
)

func handoffCommand() command {
	var notes note.List
	return command{
		name: "handoff", args: `[write ["TITLE"] | done]`, forms: "write done", most: 2,
		short: "where the next session goes on: show it, or write it down",
		long: `Alone it prints the handoff that waits. write makes one from the journal, the task list and what the session's tools
have shown; it takes over what the last handoff left unfinished, and completes that one unless its session is still
open. Each session that begins in the project gets a line about the newest handoff, until it is done.

  memento handoff write "auth refactor" --note "staging is half deployed"
  memento handoff done
`,
		flags: func(fs *flag.FlagSet) {
			fs.Var(&notes, "note", "what the journal does not know, for the next session: `TEXT`; may be repeated")
		},
		run: func(c *call) error { return runHandoff(c, notes) },
	}
}

func runHandoff(c *call, notes []string) error {
	isWrite := len(c.args) > 0 && c.args[0] == "write"
	switch {
	case !isWrite && (notes != nil || len(c.args) > 1):
		return usage("memento help handoff", "TITLE and --note go with write")
	case len(c.args) == 0:
		return c.showHandoff()
	}
	s, err := c.openShelf(isWrite)
	switch {
	case err != nil:
		return err
	case !isWrite:
		return c.endHandoff(s)
	}
	return c.writeHandoff(s, digest.Draft{Title: strings.Join(c.args[1:], ""), Notes: notes})
}

// writeHandoff makes a handoff from this session, or outside any session from the one that the mission belongs to.
func (c *call) writeHandoff(s *shelf, d digest.Draft) error {
	at, err := openPlace(c, false)
	if err != nil {
		return err
	}
	j, err := at.store.Read()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	st := sessionMemory(c.config.Dir, at.session, j)
	if st.ID == "" && j != nil { // its session memory was swept away; the journal names the session
		st = session.Memory{ID: j.Session, Opened: true}
	}
	d.Beside = func(id string) bool {
		other, err := session.Load(c.config.Dir, id)
		return err == nil && other.Lane != at.store.Lane.Name && other.Runs(c.config, c.Now())
	}
	work := digest.Gather(at.store.Lane, j, &st)
	if work.Mission() == "" && j != nil && j.Open() { // the session has none yet: hand over what memento show prints
		before := sessionMemory(c.config.Dir, "", j)
		before.ID, before.Opened = j.Session, true
		work = digest.Gather(at.store.Lane, j, &before)
		work.Session = st.ID
	}
	made, err := digest.Handoff(s.store, s.project, work, d)
	switch {
	case made == nil && err != nil:
		return err
	case made == nil:
		return hinted(`memento handoff write "TITLE" --note "where it stands"`,
			"there is no mission here to hand over")
	}
	noteWrite(c, made.Record)
	if err != nil { // the handoff is written, and an older one still waits
		fmt.Fprintf(c.Err, "memento: note: %s\n", text.Line(err.Error()))
	}
	fmt.Fprintln(c.Out, made.ID)
	for _, id := range made.Replaced {
		fmt.Fprintf(c.Err, "memento: it replaces %s\n", id)
	}
	if n := len(made.Carried); n > 0 {
		fmt.Fprintf(c.Err, "memento: it takes along what was unfinished: %s\n", count(n, "item"))
	}
	return nil
}

// waiting returns the project's newest handoff that is not completed.
func waiting(s *shelf) (*record.Record, error) {
	all, err := digest.Waiting(s.store, s.project)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, hinted("memento handoff write", "none waits here")
	}
	return all[0], nil
}

func (c *call) showHandoff() error {
	s, err := c.shelf()
	if err != nil {
		return err
	}
	r, err := waiting(s)
	if err != nil {
		return err
	}
	about := joined("\n", c.screen.Strong(text.Line(r.Title)), c.path(r.Path), prefixed("branch ", text.Line(r.Branch)))
	return c.say("%s\n\n%s", about, readableTo(c.by, strings.TrimRight(r.Body, "\n")))
}

func (c *call) endHandoff(s *shelf) error {
	var r *record.Record
	if err := s.store.Alone(func(store record.Store) (err error) {
		s.store = store
		if r, err = waiting(s); err == nil {
			r, err = store.Move(r.ID, schema.Completed, "")
		}
		return err
	}); err != nil {
		return err
	}
	return c.say("%s is %s: %s", r.ID, r.Status, r.Path)
}
