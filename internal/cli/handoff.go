package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mementohq/memento/internal/digest"
	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
)

type handoffFlags struct {
	notes      []string
	show, done bool
}

func handoffCommand() command {
	f := &handoffFlags{}
	return command{
		name: "handoff", args: `[write ["TITLE"]]`, short: "where the next session goes on: show it, or write it down",
		long: `Alone it prints the handoff that waits. write makes one from the journal, the task list and what the
session's tools have shown. It takes over what the last handoff left unfinished, and its notes, and
completes that handoff. If the last handoff is of a session that is still open, both wait. Each session
that begins in the project gets a line about the newest handoff, until it is done.

  memento handoff             the one that waits
  memento handoff write
  memento handoff write "auth refactor" --note "staging is half deployed"
  memento handoff --done      everything in it is done: it goes to the archive

A title or a --note without write writes as well.
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.json, "json", false, "print JSON")
			fs.Func("note", "what the journal does not know, for the next session: `TEXT`; may be repeated",
				func(s string) error { f.notes = append(f.notes, s); return nil })
			fs.BoolVar(&f.show, "show", false, "print the handoff that waits")
			fs.BoolVar(&f.done, "done", false, "complete the handoff that waits")
		},
		run: func(c *call) error { return runHandoff(c, f) },
	}
}

func runHandoff(c *call, f *handoffFlags) error {
	verb, title := "", c.args
	if len(title) > 0 && text.OneOf(title[0], "write", "show", "done") {
		verb, title = title[0], title[1:]
	}
	f.show, f.done = f.show || verb == "show", f.done || verb == "done"
	write := verb == "write" || len(title)+len(f.notes) > 0
	switch {
	case len(title) > 1:
		return usage("put the title in quotes", "handoff: takes one title, got %d words", len(title))
	case f.show && f.done, (f.show || f.done) && write:
		return usage("memento help handoff", "handoff: showing it, completing it and writing one each stand alone")
	case !write && !f.done:
		return c.showHandoff()
	}
	s, err := c.openShelf(write)
	if err != nil {
		return err
	}
	if f.done {
		return c.endHandoff(s)
	}
	return c.writeHandoff(s, digest.Draft{Title: strings.Join(title, ""), Notes: f.notes})
}

// writeHandoff makes a handoff from this session, or outside any session from the one that the mission belongs to.
func (c *call) writeHandoff(s *shelf, d digest.Draft) error {
	at, err := c.open(false)
	if err != nil {
		return err
	}
	j, err := at.store.Read()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	st := doctor.SessionMemory(c.config.Dir, at.session, j)
	if st.ID == "" && j != nil { // its session memory was swept away; the journal names the session
		st = session.Memory{ID: j.Session, Opened: true}
	}
	d.Beside = func(id string) bool {
		other, err := session.Load(c.config.Dir, id)
		return err == nil && other.Lane != at.store.Lane.Name && other.Runs(c.config, c.Now())
	}
	work := digest.Gather(at.store.Lane, j, &st)
	if work.Mission() == "" && j != nil && j.Open() { // the session has none yet: hand over what memento show prints
		before := doctor.SessionMemory(c.config.Dir, "", j)
		before.ID, before.Opened = j.Session, true
		work = digest.Gather(at.store.Lane, j, &before)
		work.Session = st.ID
	}
	made, err := digest.Handoff(s.store, s.project, work, d)
	switch {
	case made == nil && err != nil:
		return recordError(err)
	case made == nil:
		return hinted(`memento handoff write "TITLE" --note "where it stands"`,
			"handoff: there is no mission here to hand over")
	}
	c.noteWrite(made.Record)
	if err != nil { // the handoff is written, and an older one still waits
		fmt.Fprintf(c.Err, "memento: note: %s\n", text.Line(err.Error()))
	}
	if c.json {
		c.printJSON(struct {
			storedRecord
			Replaced []string `json:"replaced"`
			Carried  []string `json:"carried"`
		}{storedAs(made.Record), array(made.Replaced), array(made.Carried)})
		return nil
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
		return nil, recordError(err)
	}
	if len(all) == 0 {
		return nil, hinted("memento handoff write", "handoff: none waits here")
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
	if c.json {
		c.printJSON(members{{"path", r.Path}, {"record", recordFields(r)}})
		return nil
	}
	branch := ""
	if r.Branch != "" {
		branch = "branch " + text.Line(r.Branch) + "\n"
	}
	fmt.Fprintf(c.Out, "%s\n%s\n%s\n%s\n", c.screen.Strong(text.Line(r.Title)), c.path(r.Path), branch,
		c.readable(strings.TrimRight(r.Body, "\n")))
	c.looked(notice.Handoff(r.Hash()))
	return nil
}

func (c *call) endHandoff(s *shelf) error {
	var r *record.Record
	if err := s.store.Alone(func(store record.Store) (err error) {
		s.store = store
		if r, err = waiting(s); err == nil {
			r, err = store.Move(r.ID, "complete", "", "")
		}
		return err
	}); err != nil {
		return recordError(err)
	}
	if c.json {
		c.printJSON(members{{"id", r.ID}, {"status", r.Status}, {"path", r.Path}})
		return nil
	}
	fmt.Fprintf(c.Out, "%s is %s: %s\n", r.ID, r.Status, r.Path)
	return nil
}
