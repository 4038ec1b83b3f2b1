//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"
)

// series is one program run again and again.
type series struct {
	name    string
	program program
	yard    bool         // a yardstick
	reset   func() error // puts its place back before every round, unmeasured
	note    string
	durable bool    // it waits for the disk
	over    float64 // the budget over base at the median, in ms; 0: none

	took []took
	base *series // what ran beside it in the same rounds; nil: none
}

// row is what is reported of a series, or another figure.
type row struct {
	Name string  `json:"name"`
	Unit string  `json:"unit"` // ms or MB, but for Text
	N    int     `json:"n"`
	P50  float64 `json:"p50"`
	Lo   float64 `json:"lo"` // the median's confidence interval
	Hi   float64 `json:"hi"`
	P95  float64 `json:"p95"`
	Max  float64 `json:"max"`
	CPU  float64 `json:"cpu_ms,omitempty"` // processor time at the median
	Over *over   `json:"over_hello,omitempty"`
	// Goal is the budget, of Over where there is one, else of P50, or of Max in MB; Met says whether it is kept.
	Goal float64 `json:"goal,omitempty"`
	Met  *bool   `json:"met,omitempty"`
	Yard bool    `json:"yardstick,omitempty"`
	Note string  `json:"note,omitempty"`
}

// over is the median of what each run took over the hello-world of the same round.
type over struct {
	P50 float64 `json:"p50"`
	Lo  float64 `json:"lo"`
	Hi  float64 `json:"hi"`
}

// kept is a share of probes kept, beside its yardstick's.
type kept struct {
	Name string `json:"name"`
	Base string `json:"yardstick"`
	Ours string `json:"memento"`
}

type part struct {
	Section string   `json:"section"`
	About   string   `json:"about"`
	Rows    []row    `json:"rows,omitempty"`
	Kept    []kept   `json:"kept,omitempty"`
	Text    []string `json:"text,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	Skipped string   `json:"not_measured,omitempty"`
}

// report collects what was measured: every run in raw, in the format of Go's benchmarks, for benchstat; and a summary, by the
// statistics that benchstat uses.
type report struct {
	raw     io.Writer
	machine machine
	parts   []*part
}

func newReport(raw io.Writer, m machine) *report {
	fmt.Fprintf(raw, "goos: %s\ngoarch: %s\npkg: github.com/mementohq/memento\ncpu: %s\n", m.OS, m.Arch, m.CPU)
	return &report{raw: raw, machine: m}
}

func (r *report) last() *part { return r.parts[len(r.parts)-1] }

func (r *report) begin(section, about string) {
	r.parts = append(r.parts, &part{Section: section, About: about})
}

func (r *report) skip(err error)  { r.last().Skipped = err.Error() }
func (r *report) note(s string)   { r.last().Notes = append(r.last().Notes, s) }
func (r *report) text(s string)   { r.last().Text = append(r.last().Text, s) }
func (r *report) keep(k kept)     { r.last().Kept = append(r.last().Kept, k) }
func (r *report) figure(rows row) { r.last().Rows = append(r.last().Rows, rows) }

// add reports a series of times.
func (r *report) add(s *series) {
	if len(s.took) == 0 {
		return
	}
	var wall, cpu, extra []float64
	for i, t := range s.took {
		wall, cpu = append(wall, ms(t.wall)), append(cpu, ms(t.cpu))
		if s.base != nil && s.base != s && !s.yard {
			extra = append(extra, ms(t.wall-s.base.took[i].wall))
		}
	}
	for i, t := range s.took {
		fmt.Fprintf(r.raw, "Benchmark%s/%s 1 %d ns/op %d cpu-ns %d page-faults", title(r.last().Section), strings.ReplaceAll(s.name, " ", "_"), t.wall, t.cpu, t.faults)
		if len(extra) > 0 {
			fmt.Fprintf(r.raw, " %.0f over-hello-ns", extra[i]*1e6)
		}
		if t.peak > 0 {
			fmt.Fprintf(r.raw, " %.0f peak-bytes", t.peak*(1<<20))
		}
		fmt.Fprintln(r.raw)
	}
	w := summary("ms", wall)
	w.Name, w.Yard, w.Note, w.CPU = s.name, s.yard, s.note, summary("ms", cpu).P50
	if len(extra) > 0 {
		e := summary("ms", extra)
		w.Over = &over{e.P50, e.Lo, e.Hi}
		if s.over > 0 {
			met := e.P50 <= s.over
			w.Goal, w.Met = s.over, &met
		}
	}
	r.figure(w)
}

// memory reports the most memory that the runs of all series held.
func (r *report) memory(name string, goal float64, all ...*series) {
	var peak []float64
	for _, s := range all {
		for _, t := range s.took {
			peak = append(peak, t.peak)
		}
	}
	if len(peak) == 0 {
		return
	}
	w := summary("MB", peak)
	w.Name = name
	if goal > 0 {
		met := w.Max <= goal
		w.Goal, w.Met = goal, &met
	}
	r.figure(w)
}

// summary is the median with its confidence interval, as benchstat has them, and the 95th percentile.
func summary(unit string, values []float64) row {
	sample := benchmath.NewSample(values, &benchmath.DefaultThresholds) // sorts
	s := benchmath.AssumeNothing.Summary(sample, 0.95)
	x := stats.Sample{Xs: sample.Values, Sorted: true}
	r := row{Unit: unit, N: len(values), P50: s.Center, Lo: s.Lo, Hi: s.Hi, P95: x.Quantile(.95), Max: x.Quantile(1)}
	if math.IsInf(r.Lo, 0) || math.IsInf(r.Hi, 0) { // so few runs have no interval
		r.Lo, r.Hi = 0, 0
	}
	return r
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func (r *report) head(w io.Writer) {
	fmt.Fprintf(w, "%s\n", r.machine)
}

// print prints the last section.
func (r *report) print(to io.Writer) {
	p := r.last()
	fmt.Fprintf(to, "\n== %s: %s\n", p.Section, p.About)
	if len(p.Rows) > 0 {
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(w, "\tn\tp50\t95 %% of p50\tp95\tcpu\tover hello\t95 %% of it\tbudget\t\t  \t\n")
		for _, x := range p.Rows {
			digits := 2
			if x.P50 >= 100 || x.Unit == "MB" {
				digits = 1
			}
			num := func(v float64) string { return fmt.Sprintf("%.*f", digits, v) }
			span := func(lo, hi float64) string {
				if lo == 0 && hi == 0 {
					return ""
				}
				return num(lo) + "–" + num(hi)
			}
			fmt.Fprintf(w, "%s\t%d\t%s %s\t%s\t%s %s\t", x.Name, x.N, num(x.P50), x.Unit, span(x.Lo, x.Hi), num(x.P95), x.Unit)
			if x.CPU > 0 {
				fmt.Fprint(w, num(x.CPU))
			}
			if x.Over != nil {
				fmt.Fprintf(w, "\t%s\t%s\t", num(x.Over.P50), span(x.Over.Lo, x.Over.Hi))
			} else {
				fmt.Fprintf(w, "\t\t\t")
			}
			if x.Met != nil {
				fmt.Fprintf(w, "%g\t%s\t", x.Goal, map[bool]string{true: "met", false: "MISSED"}[*x.Met])
			} else {
				fmt.Fprintf(w, "\t\t")
			}
			note := x.Note
			if x.Yard {
				note = "yardstick"
			}
			fmt.Fprintf(w, "  \t%s\n", note)
		}
		w.Flush()
	}
	if len(p.Kept) > 0 {
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
		for _, k := range p.Kept {
			fmt.Fprintf(w, "%s\t%s\t%s\n", k.Name, k.Base, k.Ours)
		}
		w.Flush()
	}
	for _, t := range p.Text {
		fmt.Fprintln(to, t)
	}
	for _, n := range p.Notes {
		fmt.Fprintf(to, "note: %s\n", n)
	}
	if p.Skipped != "" {
		fmt.Fprintf(to, "NOT MEASURED: %s\n", p.Skipped)
	}
}

// close notes how busy the machine was by the end.
func (r *report) close() { r.machine.After = load() }

func (r *report) foot(w io.Writer, raw string) {
	fmt.Fprintf(w, "\nload %s before, %s after, on %d processors%s\nevery run: %s (./bench.sh --against it compares the next with this one)\n",
		r.machine.Before, r.machine.After, r.machine.Processors, r.machine.busy(), raw)
}

func (r *report) json(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Version int     `json:"version"`
		Machine machine `json:"machine"`
		Parts   []*part `json:"sections"`
	}{1, r.machine, r.parts})
}
