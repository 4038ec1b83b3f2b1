//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/aclements/go-moremath/stats"
)

// The gate holds the hook to what it costs over a Go hello-world that runs beside it, as ratios, so that neither the
// machine nor what else runs on it matters:
//
//   - what the packages allocate before main: every hook pays for all of them, whatever its event. Exact to one
//     allocation;
//   - page faults: how much of the binary and the heap is touched. Within two in a hundred;
//   - processor time, which a busy machine stretches for both, though not quite alike.
//
// Of the last two the lower quartiles are compared, over rounds in which each program runs once in an order drawn
// anew. As long as one is over its limit there are more rounds: what passes passes soon, and what fails has failed on
// all of them. Too many allocations fail at once: more rounds do not change them. docs/speed.md says how the
// widths are chosen and how often the gate failed for nothing.
//
//	go test -C bench -count=1 -v -run '^TestGate$' .
//	./bench.sh --gate 50
//
// limits are the ratios as they were when that was last run, and its last lines, but for the widths of three events:
// on a busier machine than the one of that run they were less steady, and are as wide here as that asked for. They go
// down with what they hold, and up only in a commit that says what for.
var limits = gate{
	init: 2.53,
	events: []limit{
		{"Notification", 1.269, 1.441, 1.12},
		{"Stop", 1.429, 1.503, 1.20},
		{"UserPromptSubmit", 1.506, 1.523, 1.25},
		{"SessionStart resume", 1.713, 1.696, 1.30},
	},
	widthFault: 1.08,
}

// gate is what is let through.
type gate struct {
	init       float64 // how many times a hello-world's the allocations before main were
	events     []limit
	widthFault float64 // how many times as many page faults as there were
}

// limit is of one event. Notification does nothing: it is the start alone.
type limit struct {
	event       string
	time, fault float64
	width       float64 // of time: the more a hook reads and writes, the less steady it is
}

// widthInit is for a package more or less of Go's own.
const widthInit = 1.10

const (
	gateFirst  = 100 // rounds
	gateMore   = 50
	gateLeast  = 200 // before anything fails, however long they take
	gateMost   = 400
	gateLonger = 10 * time.Second // after which there are no more rounds
)

// trial is a binary beside a hello-world, on the gate's events.
type trial struct {
	*gate
	dir   string
	hello *series
	hooks []*series // of the events
	init  [2]int    // allocations before main, of the hello-world and of the binary
}

// prompted is the transcript of the session that the gate's events find.
const prompted = `{"type":"user","uuid":"u1","timestamp":"2026-01-05T10:00:00Z","message":{"role":"user",` +
	`"content":"Fix the checkout: orders above 1,000 EUR are lost. Never touch the tax tables."}}` + "\n"

// newTrial sets the stage for g's events, in a folder that end removes. Both programs are copied anew: how a file
// happens to lie in the page cache is worth more than a few in a hundred, and two trials have it no more alike than
// two runs of ./test.sh.
func (b *bench) newTrial(g *gate, binary string) (t *trial, err error) {
	t = &trial{gate: g}
	if t.dir, err = os.MkdirTemp(b.dir, "trial-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			t.end()
		}
	}()
	copies := map[string]string{}
	for name, path := range map[string]string{"hello": b.hello, "memento": binary} {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		copies[name] = filepath.Join(t.dir, name)
		if err := os.WriteFile(copies[name], data, 0o755); err != nil {
			return nil, err
		}
	}
	idle, err := b.newPlace(filepath.Join(filepath.Base(t.dir), "idle"))
	if err != nil {
		return nil, err
	}
	t.hello = &series{program: idle.command(copies["hello"])}
	all := events()
	for _, l := range g.events {
		i := slices.IndexFunc(all, func(e event) bool { return e.title() == l.event })
		if i < 0 {
			return nil, fmt.Errorf("there is no event %q", l.event)
		}
		place := filepath.Join(filepath.Base(t.dir), strconv.Itoa(i))
		s, err := b.newSeries(scene{head: []byte(prompted)}, place, copies["memento"], all[i])
		if err != nil {
			return nil, err
		}
		t.hooks = append(t.hooks, s)
	}
	for i, s := range []*series{t.hello, t.hooks[0]} {
		if t.init[i], err = countInit(s.program); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// measure adds rounds to the trial.
func (t *trial) measure(b *bench, rounds int) error {
	return b.measure(rounds, append([]*series{t.hello}, t.hooks...)...)
}

// end removes what the trial left.
func (t *trial) end() { _ = os.RemoveAll(t.dir) }

// ratio is one figure of a binary, in hello-worlds, and what is let through of it.
type ratio struct {
	what      string
	got, most float64
	about     string
}

func (r ratio) isOver() bool { return r.got > r.most }

func (r ratio) String() string {
	return fmt.Sprintf("%s: %.3f times a Go hello-world's, at most %.3f is let through (%s)",
		r.what, r.got, r.most, r.about)
}

// ratios are what has been measured so far: allocations first, then time and faults of each event.
func (t *trial) ratios() []ratio {
	all := []ratio{{"allocations before main", float64(t.init[1]) / float64(t.init[0]), t.gate.init * widthInit,
		fmt.Sprintf("%d, hello-world %d; GODEBUG=inittrace=1 names the packages", t.init[1], t.init[0])}}
	time := func(t took) float64 { return float64(t.cpu) }
	faults := func(t took) float64 { return float64(t.faults) }
	rounds := fmt.Sprintf("%d rounds", len(t.hello.took))
	for i, s := range t.hooks {
		l := t.events[i]
		of := func(what func(took) float64) float64 { return quartile(s.took, what) / quartile(t.hello.took, what) }
		all = append(all,
			ratio{l.event + ", processor time", of(time), l.time * l.width, rounds},
			ratio{l.event + ", page faults", of(faults), l.fault * t.widthFault, rounds})
	}
	return all
}

// isComparable tells whether this is a system like the one the limits were measured on. Elsewhere allocations alone
// are judged: they are the same everywhere.
const isComparable = runtime.GOOS == "linux" && runtime.GOARCH == "amd64"

// gate measures a binary on g's events, as long as that may help it, and returns what came out last.
func (b *bench) gate(g *gate, binary string) ([]ratio, error) {
	t, err := b.newTrial(g, binary)
	if err != nil {
		return nil, err
	}
	defer t.end()
	began := time.Now()
	if !isComparable {
		return t.ratios()[:1], nil
	}
	for rounds := gateFirst; ; rounds = gateMore {
		if err := t.measure(b, rounds); err != nil {
			return nil, err
		}
		all := t.ratios()
		n := len(t.hello.took)
		isEnough := n >= gateMost || n >= gateLeast && time.Since(began) > gateLonger
		if all[0].isOver() || !slices.ContainsFunc(all[1:], ratio.isOver) || isEnough {
			return all, nil
		}
	}
}

// quartile is the lower one.
func quartile(all []took, of func(took) float64) float64 {
	var s stats.Sample
	for _, t := range all {
		s.Xs = append(s.Xs, of(t))
	}
	return s.Quantile(.25)
}

var initLine = regexp.MustCompile(`(?m)^init .* (\d+) allocs$`)

// countInit is how often the packages of p allocate before main, as the runtime counts it.
func countInit(p program) (n int, err error) {
	traced := *p.at
	traced.env = append(slices.Clone(traced.env), "GODEBUG=inittrace=1")
	p.at = &traced
	out, err := p.output()
	if err != nil {
		return 0, err
	}
	for _, found := range initLine.FindAllSubmatch(out, -1) {
		k, err := strconv.Atoi(string(found[1]))
		if err != nil {
			return 0, err
		}
		n += k
	}
	if n == 0 {
		return 0, fmt.Errorf("%s: the runtime traces no initialisation: %s", p, out)
	}
	return n, nil
}
