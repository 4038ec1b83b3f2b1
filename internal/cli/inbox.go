package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/text"
)

func inboxCommand() command {
	return command{
		name: "inbox", json: true, args: "[accept N | decline N…]",
		short: "what may be worth a record, and waits until it is accepted or declined",
		long: `Sentences that sound like a decision, a runbook, a constraint, debt, a preference or a snapshot wait here,
quoted. A suggestion becomes a record only when somebody accepts it, and comes only once. The record says
the sentence word for word; memento edit changes it afterwards.

  memento inbox
  memento inbox accept 2
  memento inbox decline 3 4
`,
		run: runInbox,
	}
}

func runInbox(c *call) error {
	if err := c.load(); err != nil {
		return err
	}
	box := suggest.Box{Dir: c.config.Dir, Now: c.Now(), Wait: wait}
	// the calls below report any other error
	if errors.Is(doctor.Damaged(suggest.Path(c.config.Dir)), doctor.ErrDamaged) {
		warn(c, suggest.Path(c.config.Dir), "what waited in it is not shown")
	}
	if len(c.args) == 0 {
		return inboxList(c, box)
	}
	verb, verbs := c.args[0], []string{"accept", "decline"}
	if !slices.Contains(verbs, verb) {
		return noForm(c, verb, verbs)
	}
	numbers, err := numbersIn(c.args[1:], "inbox", "a suggestion")
	switch {
	case err != nil:
		return err
	case len(numbers) == 0 || verb == "accept" && len(numbers) > 1:
		return usage("memento inbox "+verb+" N", "accept takes one number, and decline at least one")
	}
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	if verb == "accept" {
		return inboxAccept(c, s, box, numbers[0])
	}
	if err := box.Decline(numbers...); err != nil {
		return err
	}
	fmt.Fprintln(c.Out, "declined", strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]"))
	return nil
}

// numbersIn reads the numbers of things that a command lists, each once.
func numbersIn(words []string, command, thing string) (out []int, err error) {
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 {
			return nil, usage("memento "+command, "%q is no number of %s", w, thing)
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, nil
}

// inboxDigits is how many digits the number of a suggestion has room for.
const inboxDigits = 3

// inboxList prints what waits in this project.
func inboxList(c *call, box suggest.Box) error {
	s, err := c.shelf()
	if err != nil {
		return err
	}
	list, err := box.List(s.project)
	if err != nil {
		return err
	}
	if c.json {
		out := []members{}
		for _, e := range list {
			out = append(out, suggestionJSON(e))
		}
		c.printJSON(members{{"waiting", out}})
		return nil
	}
	if len(list) == 0 {
		fmt.Fprintln(c.Out, "nothing waits")
		return nil
	}
	var keys []string
	for _, e := range list {
		keys = append(keys, notice.Suggestion(e.Name()))
		about := fmt.Sprintf("%s · %s · %s", text.Line(e.Kind), text.Line(e.By), c.when(e.Time))
		c.printNumbered(inboxDigits, e.N, c.screen.Strong(text.Line(e.Title)), about)
		c.printLine(inboxDigits+2, "     "+text.Quote(e.Quote))
	}
	fmt.Fprintln(c.Out, "memento inbox accept N makes a record of one; memento inbox decline N takes it away for good")
	looked(c, keys...)
	return nil
}

// suggestionJSON is a suggestion in an answer.
func suggestionJSON(e suggest.Suggestion) members {
	return members{
		{"number", e.N}, {"kind", e.Kind}, {"project", e.Project}, {"title", e.Title}, {"quote", e.Quote},
		{"by", e.By}, {"session", e.Session}, {"ref", e.Ref}, {"time", e.Time.UTC().Format(time.RFC3339)},
		{"score", json.Number(strconv.FormatFloat(e.Score, 'f', 2, 64))},
	}
}

// inboxAccept makes a record of the suggestion with the number n. The suggestion still waits if that fails.
func inboxAccept(c *call, s *shelf, box suggest.Box, n int) error {
	var made *record.Record
	var late error // the record is saved, and older ones of its kind could not be retired
	err := box.Accept(n, func(e suggest.Suggestion) error {
		r := record.Record{Project: e.Project, Kind: e.Kind, Title: e.Title, Tags: []string{e.Kind}, Session: e.Session,
			Source: e.By, Body: suggest.Body(e.Kind, e.Quote)}
		err := s.store.CheckTitle(r.Project, r.Title, "")
		if err == nil {
			made, err = s.store.Create(r)
		}
		if made != nil {
			late, err = err, nil
		}
		return err
	})
	if err != nil {
		return err
	}
	return printMade(c, made, late)
}
