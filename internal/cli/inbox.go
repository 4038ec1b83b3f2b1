package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/text"
)

type inboxFlags struct {
	all  bool
	kind string
	set  pairs
}

func inboxCommand() command {
	f := &inboxFlags{}
	return command{
		name: "inbox", json: true, args: "[accept N | decline N…]",
		short: "what may be worth a record, and waits until it is accepted or declined",
		long: `Sentences that sound like a decision, a runbook, a constraint, debt, a preference or a snapshot wait here,
quoted. A suggestion becomes a record only when somebody accepts it, and comes only once.

  memento inbox
  memento inbox accept 2 --set title="Use PASETO" --set context="the keys rotate weekly"
  memento inbox decline 3 4
  memento inbox decline --all
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&f.all, "all", false, "of all projects; with decline: all that waits in this project")
			nameFlag(fs, &f.kind, "kind", "accept it as this `KIND`")
			fs.Var(&f.set, "set",
				"put a text into a section of the record, or title, tags, stage, confidence: `KEY=TEXT`; may be repeated")
		},
		run: func(c *call) error { return runInbox(c, f) },
	}
}

// inboxVerbs are the verbs of inbox.
func inboxVerbs() []string { return []string{"accept", "decline"} }

func runInbox(c *call, f *inboxFlags) error {
	if err := c.load(); err != nil {
		return err
	}
	box := suggest.Box{Dir: c.config.Dir, Now: c.Now(), Wait: wait}
	// the calls below report any other error
	if errors.Is(doctor.Damaged(suggest.Path(c.config.Dir)), doctor.ErrDamaged) {
		warn(c, suggest.Path(c.config.Dir), "what waited in it is not shown")
	}
	verb, rest, isChanged := "", c.args, f.kind != "" || len(f.set) > 0
	if len(rest) > 0 {
		verb, rest = rest[0], rest[1:]
	}
	switch {
	case verb != "" && !slices.Contains(inboxVerbs(), verb):
		return noForm(c, verb, inboxVerbs())
	case verb != "accept" && isChanged:
		return usage("memento inbox accept N", "inbox: --kind and --set go with accept")
	case verb == "accept" && (len(rest) != 1 || f.all):
		return usage("memento inbox accept "+cmp.Or(text.Line(strings.Join(rest[:min(len(rest), 1)], "")), "N"),
			"inbox: accept takes one number, got %d", len(rest))
	case verb == "decline" && (len(rest) > 0) == f.all:
		return usage("memento inbox decline N", "inbox: decline takes numbers, or --all")
	}
	numbers, err := numbersIn(rest, "inbox", "a suggestion")
	switch {
	case err != nil:
		return err
	case verb == "accept":
		return inboxAccept(c, box, numbers[0], f)
	case verb == "decline":
		return inboxDecline(c, box, numbers, f.all)
	}
	return inboxList(c, box, f.all)
}

// numbersIn reads the numbers of things that a command lists, each once.
func numbersIn(words []string, command, thing string) (out []int, err error) {
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 {
			return nil, usage("memento "+command, "%s: %q is no number of %s", command, w, thing)
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, nil
}

// inboxDigits is how many digits the number of a suggestion has room for.
const inboxDigits = 3

func inboxList(c *call, box suggest.Box, all bool) error {
	project := ""
	if !all {
		s, err := c.shelf()
		if err != nil {
			return err
		}
		project = s.project
	}
	list, err := box.List(project)
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
		where := ""
		if all {
			where = " · " + text.Line(e.Project)
		}
		if c.screen.Wide > 0 {
			about := fmt.Sprintf("%s · %s · %s%s", text.Line(e.Kind), text.Line(e.By), c.since(e.Time), where)
			c.printNumbered(inboxDigits, e.N, c.screen.Strong(text.Line(e.Title)), about)
			c.printLine(inboxDigits+2, "     "+text.Quote(e.Quote))
			continue
		}
		fmt.Fprintf(c.Out, "%3d  %s · %s%s\n     %s, %s: %s\n", e.N, text.Line(e.Kind), text.Line(e.Title), where,
			text.Line(e.By), e.Time.Local().Format("2006-01-02 15:04"), text.Quote(e.Quote))
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

func inboxAccept(c *call, box suggest.Box, n int, f *inboxFlags) error {
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	var made *record.Record
	var late error // the record is saved, and older ones of its kind could not be retired
	err = box.Accept(n, func(e suggest.Suggestion) error {
		set := slices.Clone(f.set)
		title, _ := set.cut("title")
		given, _ := set.cutAll("tags")
		r := record.Record{Project: e.Project, Kind: cmp.Or(f.kind, e.Kind),
			Title: cmp.Or(strings.TrimSpace(title), e.Title), Tags: splitAll(given), Session: e.Session, Source: e.By}
		if s.by == journal.ByClaude && (f.kind != "" || len(f.set) > 0) { // the record is no longer a quote
			r.Source = s.by
		}
		if !slices.Contains(suggest.Kinds(), r.Kind) {
			return usage(oneOf(r.Kind, suggest.Kinds()), "inbox: nothing is suggested as a %s", text.Quote(r.Kind))
		}
		if len(r.Tags) == 0 {
			r.Tags = []string{r.Kind}
		}
		k, _ := schema.Named(r.Kind)
		err := setStage(k, &r, &set)
		if err != nil {
			return err
		}
		if r.Body, err = setSections(k, suggest.Body(r.Kind, e.Quote), set, false); err != nil {
			return recordError(err)
		}
		if err := s.store.CheckTitle(r.Project, r.Title, ""); err != nil {
			return recordError(err)
		}
		made, err = s.store.Create(r)
		if made != nil {
			late, err = err, nil
		}
		return recordError(err)
	})
	var exists *record.ExistsError
	switch {
	case errors.Is(err, suggest.ErrNumber):
		return inboxMissing(box, err)
	case errors.As(err, &exists):
		hint := "memento show " + exists.ID + ", then accept it with another --set title=…, or memento inbox decline "
		return hinted(hint+strconv.Itoa(n), "%w; %d still waits", exists, n)
	case err != nil:
		return err
	}
	return printMade(c, made, late)
}

func inboxDecline(c *call, box suggest.Box, numbers []int, all bool) error {
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	if all {
		list, err := box.List(s.project)
		if err != nil {
			return err
		}
		numbers = append(numbers, numbersOf(list)...)
	}
	if len(numbers) > 0 {
		if err := box.Decline(numbers...); errors.Is(err, suggest.ErrNumber) {
			return inboxMissing(box, err)
		} else if err != nil {
			return err
		}
	}
	if len(numbers) == 0 {
		fmt.Fprintln(c.Out, "nothing waits")
	} else {
		fmt.Fprintf(c.Out, "declined %s\n", joinNumbers(numbers))
	}
	return nil
}

// inboxMissing adds to err the numbers of all suggestions.
func inboxMissing(box suggest.Box, err error) error {
	list, _ := box.List("")
	return hinted("memento inbox --all lists "+cmp.Or(joinNumbers(numbersOf(list)), "none"), "%w", err)
}

func numbersOf(list []suggest.Suggestion) (out []int) {
	for _, e := range list {
		out = append(out, e.N)
	}
	return out
}

func joinNumbers(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}
