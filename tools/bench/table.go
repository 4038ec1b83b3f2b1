package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// The report is Markdown that a person can read as it is. A figure that missed its budget is bold.

// printHead prints the first paragraph of the report.
func (r *report) printHead(w io.Writer) {
	fmt.Fprintf(w, "%s.\nMilliseconds unless said otherwise; ", r.machine)
	fmt.Fprintln(w, "*over* is over the hello-world of the same round, its median.")
}

// printLast prints the last section.
func (r *report) printLast(w io.Writer) {
	p := r.last()
	fmt.Fprintf(w, "\n### %s: %s\n", title(p.section), p.about)
	if p.text != "" {
		fmt.Fprintf(w, "\n%s", p.text)
	}
	if len(p.rows) > 0 {
		rows := [][]string{{"", "n", "p50", "95 % of it", "p95", "max", "cpu", "over", "95 % of it", "budget", ""}}
		for _, x := range p.rows {
			rows = append(rows, x.cells())
		}
		grid(w, rows)
	}
	for _, n := range p.notes {
		fmt.Fprintf(w, "\nNote: %s.\n", n)
	}
	for _, s := range p.skipped {
		fmt.Fprintf(w, "\nSKIPPED: %s. %s.\n", s, s.hint)
	}
}

// grid prints a table whose head is the first row. Each column but the last is as wide as its widest cell.
func grid(w io.Writer, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	fmt.Fprintln(w)
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(w, "| %-*s ", width[i], cell)
		}
		fmt.Fprintln(w, "|")
		if n == 0 {
			fmt.Fprintln(w, strings.Repeat("|---", len(row))+"|")
		}
	}
}

// bold returns s, in bold when it missed its budget.
func bold(s string, missed bool) string {
	if missed {
		return "**" + s + "**"
	}
	return s
}

// missed reports whether the row missed its budget for this figure.
func (x row) missed(of figure) bool {
	return slices.ContainsFunc(x.Goals, func(g goal) bool { return g.Of == of && !g.Met })
}

// cells returns the cells of the row in the table.
func (x row) cells() []string {
	cpu, over, span, p95, unit, note := "", "", "", "", "", x.Note
	if x.CPU > 0 {
		cpu = x.number(x.CPU)
	}
	if x.Over != nil {
		over, span = bold(x.number(x.Over.P50), x.missed(ofOver)), x.span(x.Over.Lo, x.Over.Hi)
	}
	if x.N >= 20 { // of fewer runs the 95th percentile is the maximum
		p95 = x.number(x.P95)
	}
	if x.Unit != "ms" {
		unit = " " + x.Unit
	}
	if x.IsYard {
		note = "yardstick"
	}
	p50 := bold(x.number(x.P50), x.missed(ofP50)) + unit
	most := bold(x.number(x.Max), x.missed(ofMax))
	return []string{x.Name, fmt.Sprint(x.N), p50, x.span(x.Lo, x.Hi), p95, most, cpu, over, span, x.budgets(), note}
}

// budgets lists the row's budgets as bare numbers.
func (x row) budgets() string {
	var all []string
	for _, g := range x.Goals {
		what := fmt.Sprintf("%g", g.Most)
		if g.Of == ofMax {
			what = "max " + what
		}
		all = append(all, what)
	}
	return strings.Join(all, ", ")
}

// number formats v with the digits that mean something.
func (x row) number(v float64) string {
	if x.P50 >= 100 || x.Unit == "MB" {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func (x row) span(lo, hi float64) string {
	if lo == 0 && hi == 0 {
		return ""
	}
	return x.number(lo) + "–" + x.number(hi)
}

// printFoot prints how busy the machine was, which budgets were missed, and what was skipped.
func (r *report) printFoot(w io.Writer) {
	fmt.Fprintf(w, "\nLoad %s before, %s after.\n", r.before, load())
	fmt.Fprintf(w, "%d budgets, %d missed%s\n", r.held, len(r.missed), after(slices.Compact(r.missed)))
	var skipped []string
	for _, p := range r.parts {
		for _, s := range p.skipped {
			skipped = append(skipped, s.String())
		}
	}
	if len(skipped) > 0 {
		fmt.Fprintf(w, "SKIPPED%s\n", after(skipped))
	}
}

// after returns the list behind a colon, "" when the list is empty.
func after(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return ": " + strings.Join(list, "; ")
}
