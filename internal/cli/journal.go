package cli

import (
	"flag"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// journalFlags are the values any journal command can set beside its own.
type journalFlags struct {
	mission, result, ctx, wip string
	plan, constraint, drop    list
	agent                     string
	resume                    int
	set                       map[string]bool // flags that were given, with an empty value too
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string { return strings.Join(*l, ", ") }
func (l *list) Set(s string) error {
	*l = append(*l, s)
	return nil
}

func addJournalFlags(fs *flag.FlagSet, c *call) {
	f := &c.journal
	fs.StringVar(&f.mission, "mission", "", "`TEXT` of the mission, as the user put it")
	fs.StringVar(&f.result, "result", "", "`TEXT`: what came of it: numbers, paths, findings")
	fs.StringVar(&f.ctx, "ctx", "", "`TEXT`: why it mattered, as \"user: exact words\", \"tool: output\" or \"note: what follows\"")
	fs.StringVar(&f.wip, "wip", "", "`TEXT`: the work in hand; \"\" clears it")
	fs.Var(&f.plan, "plan", "`TEXT` of what comes next; may be repeated; replaces the plan")
	fs.Var(&f.constraint, "constraint", "`TEXT` the user said that governs later work; may be repeated")
	fs.StringVar(&f.agent, "agent", "", "") // set by the hook for a subagent
	fs.BoolVar(&c.json, "json", false, "print JSON")
}

func missionCommand() command {
	return command{
		name: "mission", args: "TEXT", short: "set the mission, or reword it", run: runJournal,
		flags: func(fs *flag.FlagSet, c *call) {
			addJournalFlags(fs, c)
			fs.IntVar(&c.journal.resume, "resume", 0, "bring back mission `N` of memento history --missions")
		},
		long: `The user's own words stay beside a mission that Claude rewords. The mission of an
earlier session is parked, whole, in the history.

  memento mission "ship the auth fix -- staging only -- done when: tests pass"
  memento mission --resume 1
`,
	}
}

func doneCommand() command {
	return command{
		name: "done", args: "TEXT", short: "note something done, its result and why it mattered", flags: addJournalFlags, run: runJournal,
		long: `  memento done "fix auth middleware" --result "expiry corrected" --ctx "user: auth is broken" --wip "deploy" --plan "pricing"
`,
	}
}

func wipCommand() command {
	return command{
		name: "wip", args: "TEXT", short: "set the work in hand", flags: addJournalFlags, run: runJournal,
		long: `An empty text clears it.

  memento wip "deploy auth fix -- build passed, uploading"
`,
	}
}

func planCommand() command {
	return command{
		name: "plan", args: "TEXT...", short: "set what comes next", flags: addJournalFlags, run: runJournal,
		long: `Each argument is one item; the items replace the plan. An empty text clears it.

  memento plan "pricing decision" "run integration tests"
`,
	}
}

func constraintCommand() command {
	return command{
		name: "constraint", args: "TEXT", short: "note something the user said that governs later work", run: runJournal,
		flags: func(fs *flag.FlagSet, c *call) {
			addJournalFlags(fs, c)
			fs.Var(&c.journal.drop, "drop", "`TEXT` of a constraint that no longer holds")
		},
		long: `What the user did not type in this project is kept, and marked as unverified.

  memento constraint "don't change the token format"
  memento constraint --drop "token format"
`,
	}
}

func closeCommand() command {
	return command{
		name: "close", short: "close the mission; everything goes to the history", flags: addJournalFlags, run: runJournal,
		long: `  memento close
`,
	}
}

// runJournal is every journal command: the verb's own words, and whatever else the flags set, in one change.
func runJournal(c *call) error {
	f := &c.journal
	if err := c.takeWords(); err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	at, err := c.open(true)
	if err != nil {
		return err
	}
	if f.agent != "" {
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
	return c.tell(j, at, said)
}

// takeWords puts the arguments where the verb wants them and checks that there is something to do.
func (c *call) takeWords() error {
	f, verb := &c.journal, c.command.name
	words := strings.TrimSpace(strings.Join(c.args, " "))
	need := func(ok bool) error {
		if ok {
			return nil
		}
		return &usageError{what: verb + ": what? " + c.command.args + " is missing", hint: "memento help " + verb}
	}
	var err error
	switch verb {
	case "mission":
		f.mission = first(words, f.mission)
		err = need(f.mission != "" || f.resume > 0)
		if f.resume != 0 && (f.mission != "" || f.resume < 0) {
			err = &usageError{what: "mission: --resume takes the number of a mission, and nothing else sets one", hint: "memento history --missions"}
		}
	case "wip":
		if len(c.args) > 0 {
			f.wip = words
		}
		err = need(len(c.args) > 0 || f.wip != "")
	case "plan":
		f.plan = append(append(list{}, c.args...), f.plan...)
		err = need(len(f.plan) > 0)
	case "constraint":
		if words != "" {
			f.constraint = append(list{words}, f.constraint...)
		}
		err = need(len(f.constraint)+len(f.drop) > 0)
	case "done":
		err = need(words != "")
	case "close":
		err = c.noArgs()
	}
	if err == nil && verb != "done" && (f.result != "" || f.ctx != "") {
		err = &usageError{what: verb + ": --result and --ctx belong to memento done", hint: `memento done "TEXT" --result "…" --ctx "…"`}
	}
	return err
}

// apply makes the change and returns what was done, in words.
func (c *call) apply(j *journal.Journal, at *place) (said []string, err error) {
	f, verb, by := &c.journal, c.command.name, at.by
	if f.resume > 0 {
		line, err := at.mission(f.resume)
		if err != nil {
			return nil, err
		}
		if err := j.Reopen(line, at.session); err != nil {
			return nil, fmt.Errorf("mission: number %d cannot be brought back: %w", f.resume, err)
		}
		said = append(said, "mission brought back: "+text.Line(j.Mission))
	}
	if f.mission != "" {
		j.OpenMission(f.mission, f.mission, at.session, by, "")
		said = append(said, "mission")
	}
	for _, words := range f.drop {
		if !j.DropSaid(words) {
			return nil, &hintError{err: fmt.Errorf("constraint: nothing like %q among what the user said, or more than one", words), hint: "memento show"}
		}
		said = append(said, "constraint dropped")
	}
	for _, words := range f.constraint {
		if words = strings.TrimSpace(words); words == "" {
			continue
		}
		c := journal.Saying{Text: words, Rule: true}
		if by == journal.ByClaude {
			if sentence, _ := capture.Heard(at.store.Lane, words); sentence != "" {
				c.Text = sentence // as the user put it: half a sentence can say the opposite
			} else {
				no := false
				c.By, c.Verified = by, &no
			}
		}
		if by == journal.ByUser {
			j.Heard(words, at.session, "", "") // at a terminal it is as good as typed to Claude
		}
		j.AddSaid(c)
		switch {
		case c.By != "":
			said = append(said, fmt.Sprintf("constraint (kept as Claude's wording: the user did not type %q)", words))
		case strings.TrimRight(text.Fold(c.Text), ".!? ") != strings.TrimRight(text.Fold(words), ".!? "):
			said = append(said, fmt.Sprintf("constraint (as the user put it: %q)", c.Text))
		default:
			said = append(said, "constraint")
		}
	}
	if verb == "done" {
		e := journal.Entry{Act: strings.TrimSpace(strings.Join(c.args, " ")), Result: strings.TrimSpace(f.result), By: by}
		var note string
		e.Ctx, e.Verified, note = at.ctx(f.ctx)
		j.AddDone(e)
		said = append(said, "done"+note)
	}
	if f.wip != "" || verb == "wip" || c.given("wip") {
		j.SetWip(strings.TrimSpace(f.wip), by)
		said = append(said, "wip")
	}
	if len(f.plan) > 0 {
		j.SetPlan(f.plan, by)
		said = append(said, fmt.Sprintf("plan (%d)", len(j.Plan)))
	}
	if verb == "close" {
		if !j.Close("closed") {
			return nil, &hintError{err: fmt.Errorf("close: no mission is open in %s", at.store.Lane.Journal()), hint: "memento show"}
		}
		said = append(said, "mission closed")
	}
	return said, nil
}

// mission is the n-th mission of the lane's history, counted from the newest.
func (at *place) mission(n int) (journal.Line, error) {
	all, err := journal.Missions(at.store.Lane)
	if err != nil {
		return journal.Line{}, err
	}
	if n > len(all) {
		return journal.Line{}, &hintError{err: fmt.Errorf("mission: there is no number %d; the history has %d", n, len(all)), hint: "memento history --missions"}
	}
	return all[len(all)-n], nil
}

// given reports whether a flag was on the command line, be it with an empty value.
func (c *call) given(name string) bool { return c.journal.set[name] }

// tell says what was written, and what the writer should know.
func (c *call) tell(j *journal.Journal, at *place, said []string) error {
	if c.json {
		fmt.Fprintf(c.Out, `{"version":1,"path":%s,"noted":%s,"notes":%s}`+"\n", quote(at.store.Lane.Journal()), quoteList(said), quoteList(j.Notes()))
		return nil
	}
	fmt.Fprintf(c.Out, "noted: %s\n", strings.Join(said, ", "))
	for _, n := range j.Notes() {
		fmt.Fprintf(c.Out, "note: %s\n", n)
	}
	return nil
}

// subagent keeps what a subagent wrote in the history, under its id: it shares its parent's session, not its mission.
func (c *call) subagent(at *place) error {
	f, verb := &c.journal, c.command.name
	_, err := at.store.Update(func(j *journal.Journal) error {
		for _, v := range [...]struct{ verb, words string }{
			{"mission", f.mission}, {"wip", f.wip}, {"plan", strings.Join(f.plan, " | ")}, {"constraint", strings.Join(f.constraint, " | ")}, {"drop", strings.Join(f.drop, " | ")},
		} {
			if v.words != "" {
				j.Subagent(f.agent, v.verb, v.words)
			}
		}
		if verb == "done" {
			words := strings.Join(c.args, " ")
			if f.result != "" {
				words += " -> " + f.result
			}
			if f.ctx != "" {
				words += " | ctx: " + f.ctx
			}
			j.Subagent(f.agent, verb, words)
		}
		if verb == "close" {
			j.Subagent(f.agent, verb, "close")
		}
		return nil
	})
	if err != nil {
		return err
	}
	if c.json {
		fmt.Fprintf(c.Out, `{"version":1,"path":%s,"noted":["subagent"],"notes":[]}`+"\n", quote(at.store.Lane.History()))
		return nil
	}
	fmt.Fprintln(c.Out, "noted: as this subagent's own; the session's journal is its parent's")
	return nil
}

// ctx checks the provenance of a context. A typed one is "user: …", "tool: …" or "note: …"; one without a type can
// only be what the writer makes of it.
func (at *place) ctx(words string) (ctx string, verified *bool, note string) {
	words = strings.TrimSpace(words)
	if words == "" {
		return "", nil, ""
	}
	kind, rest, ok := strings.Cut(words, ":")
	kind, rest = strings.ToLower(strings.TrimSpace(kind)), strings.TrimSpace(rest)
	switch {
	case !ok || kind != "user" && kind != "tool" && kind != "note":
		return "note: " + words, nil, " (ctx kept as a note: it says neither user:, tool: nor note:)"
	case rest == "":
		return "", nil, " (ctx left out: it says nothing)"
	case kind == "user" && at.by == journal.ByClaude:
		sentence, found := capture.Heard(at.store.Lane, rest)
		switch {
		case sentence == "":
			note = " (ctx marked unverified: the user did not type these words)"
		case !found:
			note = fmt.Sprintf(" (ctx marked unverified: what the user typed is %q)", sentence)
		}
		return kind + ": " + rest, &found, note
	case kind == "tool" && at.by == journal.ByClaude && at.transcript != "":
		found, err := transcript.Printed(at.transcript, strings.TrimSuffix(rest, text.Ellipsis))
		if err != nil {
			return kind + ": " + rest, nil, "" // nothing to check it against
		}
		if !found {
			note = " (ctx marked unverified: no tool of this session printed these words)"
		}
		return kind + ": " + rest, &found, note
	}
	return kind + ": " + rest, nil, ""
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
