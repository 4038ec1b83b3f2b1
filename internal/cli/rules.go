package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

func rulesCommand() command {
	dropped := false
	return command{
		name: "rules", json: true, args: "[keep N… | drop N…]",
		short: "what you said that outlives its session, and new sessions are told",
		long: `Sentences of yours that hold on: rules, how you want things, facts and decisions, and what you asked for
in several sessions. A new session is told the surest, as quotes. What is about you rather than a
project speaks in other projects once you accepted it, or said it in two of them.

  memento rules
  memento rules keep 482913
  memento rules drop 310877 665020
  memento rules --dropped

keep accepts a rule. drop drops one for good, also when you say the same in other words; keep takes it back.
A rule keeps its number, whatever is kept or dropped. N may also count from the top of the list.
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&dropped, "dropped", false, "also what you dropped")
		},
		run: func(c *call) error { return runRules(c, dropped) },
	}
}

func runRules(c *call, dropped bool) error {
	if len(c.args) == 0 {
		if err := c.load(); err != nil {
			return err
		}
		store, slug, err := ruleStore(c)
		if err != nil {
			return err
		}
		listRules(c, store, slug, dropped)
		return nil
	}
	verb, verbs := c.args[0], []string{"keep", "drop"}
	switch {
	case !slices.Contains(verbs, verb):
		return noForm(c, verb, verbs)
	case len(c.args) == 1 || dropped:
		return usage("memento rules", "%s takes numbers", verb)
	}
	numbers, err := numbersIn(c.args[1:], "rules", "a rule")
	if err != nil {
		return err
	}
	if _, err := c.openShelf(false); err != nil {
		return err
	}
	store, slug, err := ruleStore(c)
	if err != nil {
		return err
	}
	return decideRules(c.output, store, slug, verb, numbers)
}

// ruleStore returns the rules, up to date with what was typed, and the slug of the project here.
func ruleStore(c *call) (rule.Store, string, error) {
	store := rule.Store{Dir: c.config.Dir, Now: c.Now(), Wait: wait}
	lane, err := c.ownLane(false)
	if err != nil || c.unborn() {
		return store, lane.Slug, err
	}
	if err = store.Refresh(lane); errors.Is(err, safefile.ErrBusy) {
		err = nil // a hook is at it
	}
	return store, lane.Slug, err
}

// ruleAnswer is a rule in JSON.
type ruleAnswer struct {
	N        int    `json:"n"`
	Text     string `json:"text"`
	Kind     string `json:"kind"`
	Scope    string `json:"scope"` // project or user
	Said     int    `json:"said"`
	Sessions int    `json:"sessions"`
	Last     string `json:"last"`
	Source   string `json:"source"` // said or accepted
}

func ruleIdentity(r rule.Rule) uint64 { return identity(r.Text) }

// numberedRules returns of all, which the command look lists, the rules with these numbers, each once.
func numberedRules(all []rule.Rule, numbers []int, look string) (out []rule.Rule, err error) {
	for _, n := range numbers {
		r, err := withNumber(all, ruleIdentity, n, "rule", look)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(o rule.Rule) bool { return o.Text == r.Text && o.User == r.User }) {
			out = append(out, r)
		}
	}
	return out, nil
}

// ruleAnswers returns the rules that Store.Rules returns, each with its number among all of them.
func ruleAnswers(standing, dropped []rule.Rule) (rules, gone []ruleAnswer) {
	out := []ruleAnswer{}
	for _, r := range slices.Concat(standing, dropped) {
		a := ruleAnswer{shownNumber(ruleIdentity(r)), r.Text, r.Kind, "project", r.Said, r.Sessions, r.Last, "said"}
		if r.User {
			a.Scope = "user"
		}
		if r.Accepted {
			a.Source = "accepted"
		}
		out = append(out, a)
	}
	return out[:len(standing)], out[len(standing):]
}

// listRules prints the rules, and with dropped those that the user dropped.
func listRules(c *call, store rule.Store, slug string, dropped bool) {
	standing, away := ruleAnswers(store.Rules(slug))
	if c.json {
		answer := members{{"rules", standing}}
		if dropped {
			answer = append(answer, member{"dropped", away})
		}
		c.printJSON(answer)
		return
	}
	printRules(c.output, standing)
	switch {
	case len(standing) == 0 && len(away) > 0 && !dropped:
		fmt.Fprintln(c.Out, "nothing you said here outlives its session; memento rules --dropped lists what you dropped")
	case len(standing) == 0:
		fmt.Fprintln(c.Out, "nothing you said here outlives its session yet")
	}
	if dropped && len(away) > 0 {
		fmt.Fprintln(c.Out, "dropped:")
		printRules(c.output, away)
		fmt.Fprintln(c.Out, "memento rules keep N takes back one that you dropped")
	}
	if len(standing) > 0 {
		fmt.Fprintln(c.Out, "memento rules keep N accepts one; memento rules drop N drops it for good")
	}
	var keys []string
	for _, r := range standing {
		keys = append(keys, notice.Rule(r.Text))
	}
	looked(c, keys...)
}

func printRules(o *output, rules []ruleAnswer) {
	for _, r := range rules {
		whose := "this project"
		if r.Scope == "user" {
			whose = "yours"
		}
		accepted := ""
		if r.Source == "accepted" {
			accepted = ", accepted"
		}
		o.printNumbered(ruleDigits, r.N, o.screen.Strong(text.Quote(r.Text)), whose+" · "+howOften(o, r)+accepted)
	}
}

// printNumbered prints an entry of a list that is called by its number, which has at most so many digits, and below it
// what there is to know about it.
func (o *output) printNumbered(digits, n int, words, about string) {
	below := digits + 2
	o.printLine(below, fmt.Sprintf("%*d  %s", digits, n, words))
	o.printLine(below, strings.Repeat(" ", below)+o.screen.Quiet(about))
}

// ruleDigits is how many digits the number of a rule has.
const ruleDigits = 6

// howOften says how often and when a rule was said.
func howOften(o *output, r ruleAnswer) string {
	out := "said once"
	if r.Said > 1 {
		out = fmt.Sprintf("said %d times in %s", r.Said, count(r.Sessions, "session"))
	}
	last, err := time.Parse(time.RFC3339, r.Last)
	switch {
	case err != nil:
		return out
	case o.screen.Wide > 0:
		return out + ", last " + o.since(last)
	}
	return out + ", last on " + last.UTC().Format(time.DateOnly)
}

// decideRules accepts or drops rules.
func decideRules(o *output, store rule.Store, slug, verb string, numbers []int) error {
	standing, dropped := store.Rules(slug)
	decide, done, all, look := store.Keep, "accepted", slices.Concat(standing, dropped), "memento rules --dropped"
	if verb == "drop" {
		decide, done, all, look = store.Drop, "dropped", standing, "memento rules"
	}
	meant, err := numberedRules(all, numbers, look)
	if err != nil {
		return err
	}
	if err := decide(slug, meant...); err != nil {
		return err
	}
	texts := []string{}
	for _, r := range meant {
		texts = append(texts, r.Text)
		if !o.json {
			fmt.Fprintf(o.Out, "%s: %s\n", done, text.Quote(r.Text))
		}
	}
	if o.json {
		o.printJSON(members{{done, texts}})
	}
	return nil
}
