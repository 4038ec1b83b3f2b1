//go:build unix

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// head is the first line of what a person reads.
func (r *report) head(w io.Writer) { fmt.Fprintf(w, "%s\n", r.machine) }

// number is v with as many digits as say something.
func (x row) number(v float64) string {
	switch {
	case x.Unit != "ms" && x.Unit != "MB":
		return fmt.Sprintf("%.0f", v)
	case x.P50 >= 100 || x.Unit == "MB":
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// p95 is nothing where so few runs have none but their largest.
func (x row) p95() string {
	if x.N < 20 {
		return ""
	}
	return x.number(x.P95)
}

func (x row) span(lo, hi float64) string {
	if lo == 0 && hi == 0 {
		return ""
	}
	return x.number(lo) + "–" + x.number(hi)
}

func (x row) budget() string {
	var all []string
	for _, g := range x.Goals {
		all = append(all, g.String())
	}
	return strings.Join(all, ", ")
}

func (x row) remark() string {
	if x.Yard {
		return "yardstick"
	}
	return x.Note
}

// print prints the last section for a person.
func (r *report) print(to io.Writer) {
	p := r.last()
	fmt.Fprintf(to, "\n== %s: %s\n", p.Section, p.About)
	if len(p.Shares) > 0 {
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
		fmt.Fprint(w, "\tcompactions\tnative summary\tnative + block\tgoal\n")
		for _, s := range p.Shares {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.Name, s.When, s.native(), s.percent(s.Ours), s.goal())
		}
		w.Flush()
	}
	if len(p.Ranks) > 0 {
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
		for _, k := range p.Ranks {
			fmt.Fprintf(w, "%s\t%s\t%s\n", k.Name, k.Base, k.Ours)
		}
		w.Flush()
	}
	if len(p.Rows) > 0 {
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(w, "\tn\tp50\t95 %% of p50\tp95\tmax\tcpu\tover hello\t95 %% of it\tbudget\t  \t\n")
		for _, x := range p.Rows {
			cpu, over, span := "", "", ""
			if x.CPU > 0 {
				cpu = x.number(x.CPU)
			}
			if x.Over != nil {
				over, span = x.number(x.Over.P50), x.span(x.Over.Lo, x.Over.Hi)
			}
			fmt.Fprintf(w, "%s\t%d\t%s %s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t  \t%s\n",
				x.Name, x.N, x.number(x.P50), x.Unit, x.span(x.Lo, x.Hi), x.p95(), x.number(x.Max), cpu, over, span, x.budget(), x.remark())
		}
		w.Flush()
	}
	for _, n := range p.Notes {
		fmt.Fprintf(to, "note: %s\n", n)
	}
	for _, s := range p.Skipped {
		fmt.Fprintf(to, "SKIPPED: %s\nhint: %s\n", s, s.Hint)
	}
}

// foot is what a person reads last: how busy the machine was, which budgets were missed, and what was left out.
func (r *report) foot(w io.Writer, raw string) {
	fmt.Fprintf(w, "\nload %s before, %s after, on %d processors%s\nevery run: %s (./bench.sh --against it compares the next with this one)\n",
		r.machine.Before, r.machine.After, r.machine.Processors, r.machine.busy(), raw)
	var missed, skipped []string
	held := 0
	for _, p := range r.parts {
		for _, x := range p.Rows {
			for _, g := range x.Goals {
				if held++; !g.Met {
					missed = append(missed, p.Section+": "+x.Name)
				}
			}
		}
		for _, s := range p.Shares {
			if s.Met != nil {
				if held++; !*s.Met {
					missed = append(missed, p.Section+": "+s.Name)
				}
			}
		}
		for _, s := range p.Skipped {
			skipped = append(skipped, s.String())
		}
	}
	fmt.Fprintf(w, "%d budgets, %d missed%s\n", held, len(missed), after(slices.Compact(missed)))
	if len(skipped) > 0 {
		fmt.Fprintf(w, "SKIPPED%s\n", after(skipped))
	}
}

// after is a list behind a colon, nothing when there is none.
func after(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return ": " + strings.Join(list, "; ")
}
