//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"
)

// goal is a budget, and whether it is kept.
type goal struct {
	Of   string  `json:"of"` // over (the hello-world), p50 or max
	Most float64 `json:"most"`
	Met  bool    `json:"met"`
}

// What a goal is for.
const (
	ofOver = "over"
	ofP50  = "p50"
	ofMax  = "max"
)

// row is what is reported of a series, or another figure.
type row struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"` // ms, MB, tokens, characters
	N     int     `json:"n"`
	P50   float64 `json:"p50"`
	Lo    float64 `json:"lo"` // the median's confidence interval
	Hi    float64 `json:"hi"`
	P95   float64 `json:"p95"`
	Max   float64 `json:"max"`
	CPU   float64 `json:"cpu_ms,omitempty"` // processor time at the median
	Over  *over   `json:"over_hello,omitempty"`
	Goals []goal  `json:"goals,omitempty"`
	Yard  bool    `json:"yardstick,omitempty"`
	Note  string  `json:"note,omitempty"`
}

// over is the median of what each run took over the hello-world of the same round.
type over struct {
	P50 float64 `json:"p50"`
	Lo  float64 `json:"lo"`
	Hi  float64 `json:"hi"`
}

// share is how many of some items are kept, as internal/corpus counts them, beside the client's own summary alone.
type share struct {
	Name   string  `json:"name"`
	When   string  `json:"when"`
	Items  int     `json:"items"`
	Native *int    `json:"native,omitempty"`
	Ours   int     `json:"ours"`
	Least  float64 `json:"least,omitempty"` // percent
	Most   float64 `json:"most,omitempty"`
	Met    *bool   `json:"met,omitempty"`
}

func (s share) percent(n int) string {
	percent, digits := 100*float64(n)/float64(s.Items), 1
	if n > 0 && percent < .1 {
		digits = 2
	}
	return fmt.Sprintf("%d/%d = %.*f %%", n, s.Items, digits, percent)
}

func (s share) native() string {
	if s.Native == nil {
		return ""
	}
	return s.percent(*s.Native)
}

func (s share) goal() string {
	if s.Met == nil {
		return ""
	}
	if s.Most > 0 {
		return fmt.Sprintf("≤ %g %%", s.Most)
	}
	return fmt.Sprintf("≥ %g %%", s.Least)
}

// part is a section of the report.
type part struct {
	Section string   `json:"section"`
	About   string   `json:"about"`
	Rows    []row    `json:"rows,omitempty"`
	Shares  []share  `json:"shares,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	Skipped []skip   `json:"skipped,omitempty"`
}

// skip is something that was not measured: why, and what helps.
type skip struct {
	What string `json:"what"`
	Why  string `json:"why"`
	Hint string `json:"hint"`
}

func (s skip) String() string { return s.What + ": " + s.Why }

// report collects what was measured: every run in raw, in the format of Go's benchmarks, for benchstat; and a
// summary, by the statistics that benchstat uses.
type report struct {
	raw     io.Writer
	machine machine
	parts   []*part
	held    int      // budgets
	missed  []string // rows that missed one
}

func newReport(raw io.Writer, m machine) *report {
	fmt.Fprintf(raw, "goos: %s\ngoarch: %s\npkg: github.com/mementohq/memento\ncpu: %s\n", m.OS, m.Arch, m.CPU)
	return &report{raw: raw, machine: m}
}

func (r *report) last() *part { return r.parts[len(r.parts)-1] }

func (r *report) begin(section, about string) {
	r.parts = append(r.parts, &part{Section: section, About: about})
}

func (r *report) skip(what, why, hint string) {
	r.last().Skipped = append(r.last().Skipped, skip{what, why, hint})
}

func (r *report) note(format string, args ...any) {
	r.last().Notes = append(r.last().Notes, fmt.Sprintf(format, args...))
}

// add reports series of times, but for those that never ran.
func (r *report) add(all ...*series) {
	for _, s := range all {
		if len(s.took) > 0 {
			r.addOne(s)
		}
	}
}

func (r *report) addOne(s *series) {
	var wall, cpu []float64
	name := title(r.last().Section) + "/" + strings.ReplaceAll(s.name, " ", "_")
	for i, t := range s.took {
		wall, cpu = append(wall, ms(t.wall)), append(cpu, ms(t.cpu))
		fmt.Fprintf(r.raw, "Benchmark%s 1 %d ns/op %d cpu-ns %d page-faults", name, t.wall, t.cpu, t.faults)
		if len(s.over) > 0 {
			fmt.Fprintf(r.raw, " %.0f over-hello-ns", s.over[i]*1e6)
		}
		if t.peak > 0 {
			fmt.Fprintf(r.raw, " %.0f peak-bytes", t.peak*(1<<20))
		}
		fmt.Fprintln(r.raw)
	}
	w := summary(s.name, "ms", wall)
	w.Yard, w.Note, w.CPU = s.yard, s.note, summary("", "ms", cpu).P50
	if len(s.over) > 0 {
		e := summary("", "ms", s.over)
		w.Over = &over{e.P50, e.Lo, e.Hi}
	}
	r.figure(w, s.goals...)
}

// figure reports a row, held to goals.
func (r *report) figure(w row, goals ...goal) {
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
		r.hold(w.Name, g.Met)
	}
	r.last().Rows = append(r.last().Rows, w)
}

// hold counts a budget of a row.
func (r *report) hold(name string, isMet bool) {
	r.held++
	if !isMet {
		r.missed = append(r.missed, r.last().Section+": "+name)
	}
}

// share reports one.
func (r *report) share(s share) {
	percent := 100 * float64(s.Ours) / float64(s.Items)
	if s.Least > 0 || s.Most > 0 {
		met := s.Most > 0 && percent <= s.Most || s.Least > 0 && percent >= s.Least
		s.Met = &met
		r.hold(s.Name, met)
	}
	r.last().Shares = append(r.last().Shares, s)
}

// memory reports the most memory any process of all held.
func (r *report) memory(name string, most float64, all ...*series) {
	var peak []float64
	for _, s := range all {
		for _, t := range s.took {
			peak = append(peak, t.peak)
		}
	}
	if len(peak) > 0 {
		r.figure(summary(name, "MB", peak), goal{Of: ofMax, Most: most})
	}
}

// summary is the median with its confidence interval, as benchstat has them, and the 95th percentile.
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

// close notes how busy the machine was by the end.
func (r *report) close() { r.machine.After = load() }

func (r *report) json(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Version int     `json:"version"`
		Machine machine `json:"machine"`
		Parts   []*part `json:"sections"`
	}{1, r.machine, r.parts})
}
