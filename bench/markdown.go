//go:build unix

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// markdown prints the whole report as docs/benchmarks.md has it. Where the rows are the same figures at several sizes ("1 MB, the
// first event"), the sizes are the columns.
func (r *report) markdown(w io.Writer) {
	fmt.Fprintf(w, "%s.\nMilliseconds unless said otherwise; *over* is over the hello-world of the same round, its median; **bold** is over its budget.\n", r.machine)
	for _, p := range r.parts {
		fmt.Fprintf(w, "\n### %s: %s\n", title(p.Section), p.About)
		if len(p.Shares) > 0 {
			p.shares(w)
		}
		if len(p.Ranks) > 0 {
			rows := [][]string{{"", p.Ranks[0].Base, p.Ranks[0].Ours}}
			for _, k := range p.Ranks[1:] {
				rows = append(rows, []string{k.Name, k.Base, k.Ours})
			}
			grid(w, rows)
		}
		switch {
		case len(p.Rows) == 0:
		case slices.ContainsFunc(p.Rows, func(x row) bool { return !strings.Contains(x.Name, sized) }):
			p.flat(w)
		default:
			p.pivot(w)
		}
		for _, n := range p.Notes {
			fmt.Fprintf(w, "\nNote: %s.\n", n)
		}
		for _, s := range p.Skipped {
			fmt.Fprintf(w, "\nSKIPPED: %s. %s.\n", s, s.Hint)
		}
	}
	fmt.Fprintf(w, "\nLoad %s before, %s after, on %d processors%s.\n", r.machine.Before, r.machine.After, r.machine.Processors, r.machine.busy())
}

// sized stands in a row's name between the size and the figure.
const sized = ", "

// grid prints a table, its first row as the head.
func grid(w io.Writer, rows [][]string) {
	fmt.Fprintln(w)
	for i, row := range rows {
		fmt.Fprint(w, "|")
		for _, cell := range row {
			fmt.Fprint(w, strings.TrimRight(" "+cell, " ")+" |")
		}
		fmt.Fprintln(w)
		if i == 0 {
			fmt.Fprintln(w, strings.Repeat("|---", len(row))+"|")
		}
	}
}

// mark makes what missed its budget stand out.
func mark(s string, goals []goal, of string) string {
	for _, g := range goals {
		if g.Of == of && !g.Met {
			return "**" + s + "**"
		}
	}
	return s
}

func (p *part) flat(w io.Writer) {
	rows := [][]string{{"", "n", "p50", "p95", "max", "cpu", "over", "95 % of it", "budget", ""}}
	for _, x := range p.Rows {
		cpu, over, span, unit := "", "", "", ""
		if x.CPU > 0 {
			cpu = x.number(x.CPU)
		}
		if x.Over != nil {
			over, span = mark(x.number(x.Over.P50), x.Goals, ofOver), x.span(x.Over.Lo, x.Over.Hi)
		}
		if x.Unit != "ms" {
			unit = " " + x.Unit
		}
		rows = append(rows, []string{x.Name, fmt.Sprint(x.N), mark(x.number(x.P50), x.Goals, ofP50) + unit, x.p95(), mark(x.number(x.Max), x.Goals, ofMax), cpu, over, span, x.budgets(), x.remark()})
	}
	grid(w, rows)
}

// budgets are the bare numbers: what is bold missed them.
func (x row) budgets() string {
	var all []string
	for _, g := range x.Goals {
		switch g.Of {
		case ofMax:
			all = append(all, fmt.Sprintf("max %g", g.Most))
		default:
			all = append(all, fmt.Sprintf("%g", g.Most))
		}
	}
	return strings.Join(all, ", ")
}

// pivot has a column for each size and of each figure p50 / p95, and what that is over a hello-world beneath it.
func (p *part) pivot(w io.Writer) {
	var sizes, whats []string
	cells := map[string]row{}
	for _, x := range p.Rows {
		size, what, _ := strings.Cut(x.Name, sized)
		if !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
		if !slices.Contains(whats, what) {
			whats = append(whats, what)
		}
		cells[x.Name] = x
	}
	rows := [][]string{append([]string{"p50 / p95"}, append(slices.Clone(sizes), "budget")...)}
	for _, what := range whats {
		var first row
		over := false
		for _, size := range sizes {
			if x, ok := cells[size+sized+what]; ok {
				first = x
				over = over || x.Over != nil
			}
		}
		name := what
		if first.Unit != "ms" {
			name += ", " + first.Unit
		}
		plain, extra := []string{name}, []string{"… over a hello-world"}
		for _, size := range sizes {
			x, ok := cells[size+sized+what]
			switch {
			case !ok:
				plain, extra = append(plain, ""), append(extra, "")
				continue
			case x.N == 1:
				one := mark(x.number(x.P50), x.Goals, ofP50)
				if x.Note != "" {
					one += " " + x.Note
				}
				plain = append(plain, one)
			case x.Unit == "MB":
				plain = append(plain, mark(x.number(x.Max), x.Goals, ofMax))
			default:
				plain = append(plain, strings.TrimSuffix(mark(x.number(x.P50), x.Goals, ofP50)+" / "+x.p95(), " / "))
			}
			if x.Over != nil {
				extra = append(extra, mark(x.number(x.Over.P50), x.Goals, ofOver))
			} else {
				extra = append(extra, "")
			}
		}
		rows = append(rows, append(plain, p.allowed(sizes, what, ofP50, ofMax)))
		if over {
			rows = append(rows, append(extra, p.allowed(sizes, what, ofOver)))
		}
	}
	grid(w, rows)
}

// allowed are the budgets of a figure, each with the size it is for unless it is for all.
func (p *part) allowed(sizes []string, what string, of ...string) string {
	var at []string
	var last float64
	for _, x := range p.Rows {
		for _, g := range x.Goals {
			if size, is, _ := strings.Cut(x.Name, sized); is == what && slices.Contains(of, g.Of) {
				at, last = append(at, fmt.Sprintf("%g at %s", g.Most, size)), g.Most
			}
		}
	}
	if len(at) == len(sizes) {
		return fmt.Sprintf("%g", last)
	}
	return strings.Join(at, ", ")
}

func (p *part) shares(w io.Writer) {
	rows := [][]string{{"kept", "compactions", "native summary", "native + block", "goal"}}
	for _, s := range p.Shares {
		ours, goal := s.percent(s.Ours), ""
		switch {
		case s.Most > 0:
			goal = fmt.Sprintf("≤ %g %%", s.Most)
		case s.Least > 0:
			goal = fmt.Sprintf("≥ %g %%", s.Least)
		}
		if s.Met != nil && !*s.Met {
			ours = "**" + ours + "**"
		}
		rows = append(rows, []string{s.Name, s.When, s.native(), ours, goal})
	}
	grid(w, rows)
}
