package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"
)

// goal is a budget for one figure of a row.
type goal struct {
	Of   figure
	Most float64
	Met  bool
}

// figure names the figure of a row that a goal is for.
type figure int

const (
	ofOver figure = iota // the median of what a run took over the hello-world
	ofP50
	ofMax
)

// row is the report of a series, or of other values.
type row struct {
	Name        string
	Unit        string // ms, MB
	N           int
	P50, Lo, Hi float64 // the median and its 95 % confidence interval
	P95, Max    float64
	CPU         float64 // the median of the processor time, in ms
	Over        *over
	Goals       []goal
	IsYard      bool
	Note        string
}

// over is the median of what each run took over the hello-world of the same round, and its confidence interval.
type over struct{ P50, Lo, Hi float64 }

// part is a section of the report.
type part struct {
	section, about string
	rows           []row
	text           string // what another program printed for the section
	notes          []string
	skipped        []skip
}

// skip is a row or section that was not measured: why, and what helps.
type skip struct{ what, why, hint string }

func (s skip) String() string { return s.what + ": " + s.why }

// report collects the figures of all sections. benchmath, which benchstat uses, computes the medians and intervals.
type report struct {
	machine string
	before  string // the load before the run
	parts   []*part
	held    int      // the number of budgets
	missed  []string // the rows that missed one
}

func (r *report) last() *part { return r.parts[len(r.parts)-1] }

func (r *report) begin(section, about string) {
	r.parts = append(r.parts, &part{section: section, about: about})
}

func (r *report) skip(what, why, hint string) {
	r.last().skipped = append(r.last().skipped, skip{what, why, hint})
}

func (r *report) note(format string, args ...any) {
	r.last().notes = append(r.last().notes, fmt.Sprintf(format, args...))
}

// add reports the series that ran at least once.
func (r *report) add(all ...*series) {
	for _, s := range all {
		if len(s.took) > 0 {
			r.addOne(s)
		}
	}
}

func (r *report) addOne(s *series) {
	var wall, cpu []float64
	for _, t := range s.took {
		wall, cpu = append(wall, ms(t.wall)), append(cpu, ms(t.cpu))
	}
	w := summary(s.name, "ms", wall)
	w.IsYard, w.Note, w.CPU = s.yard, s.note, summary("", "ms", cpu).P50
	if len(s.over) > 0 {
		e := summary("", "ms", s.over)
		w.Over = &over{e.P50, e.Lo, e.Hi}
	}
	r.addRow(w, s.goals...)
}

// addRow reports a row and checks its goals.
func (r *report) addRow(w row, goals ...goal) {
	for _, g := range goals {
		switch {
		case g.Of == ofP50:
			g.Met = w.P50 <= g.Most
		case g.Of == ofMax:
			g.Met = w.Max <= g.Most
		case w.Over != nil:
			g.Met = w.Over.P50 <= g.Most
		}
		w.Goals = append(w.Goals, g)
		r.held++
		if !g.Met {
			r.missed = append(r.missed, r.last().section+": "+w.Name)
		}
	}
	r.last().rows = append(r.last().rows, w)
}

// addMemory reports the most memory that each process of these series held, in MB.
func (r *report) addMemory(name string, most float64, all ...*series) {
	var peak []float64
	for _, s := range all {
		for _, t := range s.took {
			peak = append(peak, t.peak)
		}
	}
	if len(peak) > 0 {
		r.addRow(summary(name, "MB", peak), goal{Of: ofMax, Most: most})
	}
}

// summary returns the median of values with its confidence interval, as benchstat computes them, the 95th percentile
// and the maximum.
func summary(name, unit string, values []float64) row {
	sample := benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds) // sorts
	s := benchmath.AssumeNothing.Summary(sample, 0.95)
	x := stats.Sample{Xs: sample.Values, Sorted: true}
	_, most := x.Bounds()
	r := row{Name: name, Unit: unit, N: len(values), P50: s.Center, Lo: s.Lo, Hi: s.Hi, P95: x.Quantile(.95), Max: most}
	if math.IsInf(r.Lo, 0) || math.IsInf(r.Hi, 0) { // so few runs have no interval
		r.Lo, r.Hi = 0, 0
	}
	return r
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
