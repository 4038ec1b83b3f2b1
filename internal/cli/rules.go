package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// rulesFlags are the flags of memento rules.
type rulesFlags struct {
	dropped, everywhere, asked bool
	as                         string
}

func rulesCommand() command {
	var f rulesFlags
	return command{
		name: "rules", json: true, args: "[keep N… | drop N… | none]", forms: "keep drop none",
		short: "what you said that outlives its session, and what waits for a word of yours",
		long: `Each sentence has a number. Later sessions are told those that are kept: "Remember that …", "I prefer …", "from now
on …", a short message that is only a rule, what you said twice, and what you or Claude kept. The others wait. keep
keeps a sentence. drop stops one for good, also in nearly the same words; keep takes it back. none says that nothing is
to be kept of what Claude was asked about.

  memento rules keep 482913
  memento rules keep 482913 --everywhere
  memento rules keep 482913 --as decision
  memento rules drop 310877 665020
`,
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&f.dropped, "dropped", false, "list what you dropped")
			fs.BoolVar(&f.everywhere, "everywhere", false, "keep it in all projects")
			fs.BoolVar(&f.asked, "asked", false, "keep only what Claude was asked about in this session")
			fs.StringVar(&f.as, "as", "", "make a record of this `KIND` of it")
		},
		run: func(c *call) error { return runRules(c, f) },
	}
}

func runRules(c *call, f rulesFlags) error {
	verb := strings.Join(c.args[:min(len(c.args), 1)], "")
	_, isKind := schema.Named(f.as)
	switch {
	case (len(c.args) > 1) != (verb == "keep" || verb == "drop"):
		return usage("memento rules keep N", "keep and drop take numbers, none takes nothing")
	case verb != "keep" && (f.everywhere || f.as != "") || verb != "" && f.dropped || f.everywhere && f.as != "":
		return usage("memento help rules", "--everywhere or --as goes with keep, --dropped with nothing")
	case f.as != "" && !isKind:
		return usage(oneOf(f.as, schema.Names()), "there is no kind %q", f.as)
	}
	numbers, err := numbersIn(c.args[min(1, len(c.args)):])
	if err != nil {
		return err
	}
	if verb != "" {
		if _, err := c.openShelf(false); err != nil {
			return err
		}
	}
	store, slug, err := ruleStore(c)
	if err != nil {
		return err
	}
	switch verb {
	case "":
		list := store.Rules(slug)
		if list.Err != nil {
			return list.Err
		}
		listRules(c, store, slug, list, f.dropped)
		return nil
	case "none":
		fmt.Fprintln(c.Out, "noted: nothing of what Claude was asked about is kept")
		return store.Offer(slug, c.sessionID(), nil)
	}
	return decideRules(c, store, slug, verb, numbers, f)
}

// numbersIn reads the numbers of rules, each once.
func numbersIn(words []string) (out []int, err error) {
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 {
			return nil, usage("memento rules", "%q is no number of a rule", w)
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, nil
}

// ruleStore returns the rules, up to date with what was typed, and the slug of the project here.
func ruleStore(c *call) (rule.Store, string, error) {
	store := rule.Store{Dir: c.config.Dir, Now: c.Now(), Wait: wait}
	lane, err := c.lane()
	if err != nil || c.unborn() {
		return store, lane.Slug, err
	}
	if err = store.Refresh(lane.Slug); errors.Is(err, safefile.ErrBusy) {
		err = nil // a hook is at it
	}
	return store, lane.Slug, err
}

// maxWaiting is how many sentences that wait are listed for a person.
const maxWaiting = 12

// listRules prints the rules and what waits, or what the user dropped.
func listRules(c *call, store rule.Store, slug string, list rule.List, dropped bool) {
	waiting := store.Waiting(slug)
	kept := slices.Concat(list.Kept, list.Over)
	if dropped {
		kept, waiting = list.Dropped, nil
	}
	if c.json {
		rules, waits := []members{}, []members{}
		for _, r := range kept {
			scope := map[bool]string{false: "project", true: "user"}[r.User]
			rules = append(rules, members{{"n", r.N}, {"text", r.Text}, {"scope", scope}, {"by", r.By},
				{"sessions", r.Sessions}, {"last", text.Moment(r.Last)}, {"over", r.Over}})
		}
		for _, w := range waiting {
			waits = append(waits, members{{"n", w.N}, {"text", w.Text}, {"session", w.Session},
				{"time", text.Moment(w.Time)}})
		}
		c.printJSON(members{{"rules", rules}, {"waiting", waits}})
		return
	}
	var keys []string
	for _, r := range kept {
		keys = append(keys, notice.Rule(r.Text))
		c.printNumbered(r.N, r.Text, aboutRule(c.output, r))
	}
	if len(kept) == 0 {
		fmt.Fprintln(c.Out, "no rule is "+map[bool]string{false: "kept", true: "dropped"}[dropped])
	}
	some := waiting[:min(len(waiting), maxWaiting)]
	if len(some) > 0 {
		fmt.Fprintln(c.Out, "waiting:")
	}
	for _, w := range some {
		c.printNumbered(w.N, w.Text, c.when(w.Time))
	}
	if more := len(waiting) - len(some); more > 0 {
		fmt.Fprintf(c.Out, "%d more: memento rules --json\n", more)
	}
	if id := c.sessionID(); c.by == journal.ByClaude && id != "" && len(some) > 0 { // Claude may choose among these
		_ = store.Offer(slug, id, some)
	}
	if len(kept)+len(some) > 0 {
		fmt.Fprintln(c.Out, "memento rules keep N keeps one; memento rules drop N stops one")
	}
	looked(c, keys...)
}

// printNumbered prints a sentence with its number, and below it what there is to know about it.
func (o *output) printNumbered(n int, words, about string) {
	const below = len("482913  ")
	o.printLine(below, fmt.Sprintf("%d  %s", n, o.screen.Strong(text.Quote(words))))
	o.printLine(below, strings.Repeat(" ", below)+o.screen.Quiet(about))
}

// aboutRule says where a rule holds, who keeps it, how often it was said and when last.
func aboutRule(o *output, r rule.Rule) string {
	where := map[bool]string{true: "all projects", false: "this project"}[r.User]
	who := map[string]string{rule.ByUser: "kept by you", rule.ByClaude: "kept by Claude"}[r.By]
	switch {
	case r.Dropped:
		who = "dropped"
	case r.Over != 0:
		who = "over: " + strconv.Itoa(r.Over) + " replaces it"
	}
	said := ""
	if r.Sessions > 1 {
		said = "said in " + count(r.Sessions, "session")
	}
	return joined(" · ", where, who, said, o.when(r.Last))
}

// decideRules keeps or drops rules, and prints which.
func decideRules(c *call, store rule.Store, slug, verb string, numbers []int, f rulesFlags) error {
	rules, err := store.Find(slug, numbers...)
	done := "kept"
	switch {
	case err != nil:
		return err
	case f.as != "":
		return keepAsRecords(c, store, slug, f.as, rules)
	case verb == "drop":
		done, err = "dropped", store.Drop(slug, rules...)
	case f.everywhere:
		err = store.Keep("", rule.ByUser, "", rules...)
	case f.asked: // the hook adds it to what Claude runs; nothing else tells that from what the person types behind a !
		_, err = store.KeepOffered(slug, c.sessionID(), numbers...)
	default: // what Claude runs, the person was asked about by the client, or typed
		err = store.Keep(slug, c.by, "", rules...)
	}
	if err != nil {
		return err
	}
	texts, lines := []string{}, []string{}
	for _, r := range rules {
		texts, lines = append(texts, r.Text), append(lines, done+": "+text.Quote(r.Text))
	}
	return c.printAnswer(members{{done, texts}}, "%s", strings.Join(lines, "\n"))
}

// maxRuleTitle is the longest title of a record made of a rule, in characters.
const maxRuleTitle = 120

// keepAsRecords makes a record of each rule, with its words in the main section. One that fails waits still.
func keepAsRecords(c *call, store rule.Store, slug, kind string, rules []rule.Rule) error {
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	k, _ := schema.Named(kind)
	for _, r := range rules {
		title, _ := text.Cut(strings.TrimRight(text.Line(r.Text), ".!"), maxRuleTitle)
		body, err := setSections(k, "", map[string][]string{k.MainPart().Heading: {r.Text}}, false)
		if err != nil { // the words contain a heading: they become a quotation
			body, _ = markdown.SetSection("", k.MainPart().Heading, "> "+r.Text)
		}
		made, err := s.store.Create(record.Record{Project: s.project, Kind: kind, Title: title, Tags: []string{kind},
			Session: r.Session, Source: rule.ByUser, Body: body})
		if err != nil {
			return err
		}
		if err := store.Keep(slug, rule.ByUser, kind, r); err != nil {
			return err
		}
		noteWrite(c, made)
		fmt.Fprintln(c.Out, made.ID)
	}
	return nil
}
