package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// share is how many of some items are kept, or are what name says.
type share struct {
	name, when string // when is all, 1st or 2nd+
	items      int
	native     *int // kept by the client's own summary alone; nil where that has no part in it
	ours       int
	goal       goal
}

// goal bounds a percentage from below or from above; the zero goal is none. A run may not miss a goal that was reached
// before. A run that reaches another goal says so.
type goal struct {
	least, most float64
	reached     bool
}

// goals are those of the kinds of items, over all compactions.
var goals = map[string]goal{
	rules:               {least: 97, reached: true}, // 157 of 161
	anyCue:              {least: 93},
	mission:             {least: 98, reached: true},
	tasks:               {least: 98, reached: true},
	failing:             {least: 95, reached: true},
	failing + errorLine: {least: 95, reached: true},
	workingSet:          {least: 95, reached: true},
}

func (g goal) String() string {
	switch {
	case g.least > 0:
		return fmt.Sprintf("≥ %g %%", g.least)
	case g.most > 0:
		return fmt.Sprintf("≤ %g %%", g.most)
	}
	return ""
}

// isMet reports whether the share meets its goal, or has none.
func (s share) isMet() bool {
	percent := 100 * float64(s.ours) / float64(s.items)
	return percent >= s.goal.least && (s.goal.most == 0 || percent <= s.goal.most)
}

// percent returns n of the items, as a fraction and in percent.
func (s share) percent(n int) string {
	percent, digits := 100*float64(n)/float64(s.items), 1
	if n > 0 && percent < .1 {
		digits = 2
	}
	return fmt.Sprintf("%d/%d = %.*f %%", n, s.items, digits, percent)
}

// row is the form of the table's rows.
const row = "| %-67s | %-11s | %-16s | %-19s | %s |\n"

// print prints the share as a row of the table. A figure that misses its goal is bold.
func (s share) print(w io.Writer) {
	native, ours := "", s.percent(s.ours)
	if s.native != nil {
		native = s.percent(*s.native)
	}
	if !s.isMet() {
		ours = "**" + ours + "**"
	}
	fmt.Fprintf(w, row, s.name, s.when, native, ours, s.goal)
}

// shares returns the shares of the run, those without items left out.
func (r *result) shares() (all []share) {
	for _, name := range slices.Sorted(maps.Keys(r.scores)) {
		for _, when := range []string{"all", "2nd+"} { // the first ones are the difference
			all = append(all, *r.scores[name][when])
		}
	}
	all = append(all,
		share{name: "messages from before the previous compaction, in an automatic brief", when: "2nd+",
			items: r.earlier, ours: r.handed, goal: goal{least: 98, reached: true}},
		share{name: "neither rule nor task, of the labelled sentences that blocks quote", when: "1st",
			items: r.quoted, ours: r.chatter, goal: goal{most: 27}},
		share{name: "taken for a secret, of the lines stored", when: "all",
			items: r.lines, ours: r.redacted, goal: goal{most: .1, reached: true}})
	return slices.DeleteFunc(all, func(s share) bool { return s.items == 0 })
}
