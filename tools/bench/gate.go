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

// The gate fails when a hook becomes dearer. It compares the hook with a Go hello-world that runs beside it, and judges
// ratios, so that neither the machine nor its other processes matter:
//
//   - the allocations of all packages before main: every hook pays for them, whatever its event. They are exact to one
//     allocation;
//   - page faults: how much of the binary and the heap the hook touches. They are exact to two in a hundred;
//   - processor time. A busy machine stretches both programs, but not quite alike.
//
// For time the gate compares the lower quartiles of many rounds; for faults the means, since where the kernel puts a
// program takes or saves some 15 faults at once, and a quartile jumps between the two. In each round every program runs
// once, in a new random order. While a ratio is over its limit, the gate runs more rounds. Too many allocations fail at
// once, since more rounds do not change them.
//
//	go test -C tools/bench -count=1 -v -run '^TestGate$' .
//	./bench.sh --gate 50
//
// limits are ratios that the second command printed. Three events have wider widths: they were less steady on a busier
// machine. Lower a limit when a hook becomes cheaper. Raise a limit only in a commit that says why.
var limits = gate{
	init: 2.53,
	events: []limit{
		{"Notification", 1.269, 1.480, 1.12},
		{"Stop", 1.429, 1.561, 1.20},
		{"UserPromptSubmit", 1.506, 1.667, 1.25},
		{"SessionStart resume", 1.713, 1.813, 1.30},
	},
	widthFault: 1.07,
}

// gate holds the measured ratios, and the factors by which a later measurement may exceed them.
type gate struct {
	init       float64 // the ratio of the allocations before main
	events     []limit
	widthFault float64 // the factor for page faults
}

// limit is the limit of one event. At a Notification the hook does nothing but start.
type limit struct {
	event       string
	time, fault float64 // the ratios
	width       float64 // the factor for time: the more a hook reads and writes, the less steady its time is
}

// widthInit is the factor for allocations. It leaves room for one more package of Go's own.
const widthInit = 1.10

const (
	gateFirst  = 100 // rounds at first
	gateMore   = 50  // rounds at a time after them
	gateLeast  = 200 // rounds before the gate fails, however long they take
	gateMost   = 400
	gateLonger = 10 * time.Second // the time after which the gate starts no more rounds
)

// trial runs a binary beside a hello-world on the gate's events.
type trial struct {
	*gate
	dir   string
	hello *series
	hooks []*series // one for each event
	init  [2]int    // the allocations before main of the hello-world and of the binary
}

// prompted is the transcript of the session that the gate's events belong to.
const prompted = `{"type":"user","uuid":"u1","timestamp":"2026-01-05T10:00:00Z","message":{"role":"user",` +
	`"content":"Fix the checkout: orders above 1,000 EUR are lost. Never touch the tax tables."}}` + "\n"

// newTrial prepares the sessions for g's events in a new folder. It copies both programs anew, since the place of a
// file in the page cache changes its time by several percent. So two trials differ as two runs of ./test.sh differ.
func (b *bench) newTrial(g *gate, binary string) (t *trial, err error) {
	t = &trial{gate: g}
	if t.dir, err = os.MkdirTemp(b.dir, "trial-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			t.removeDir()
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

// removeDir removes the trial's folder.
func (t *trial) removeDir() { _ = os.RemoveAll(t.dir) }

// ratio is one figure of a binary, as a multiple of the hello-world's, and its limit.
type ratio struct {
	what      string
	got, most float64
	about     string
}

func (r ratio) isOver() bool { return r.got > r.most }

func (r ratio) String() string {
	return fmt.Sprintf("%s: %.3f times a Go hello-world's, at most %.3f is allowed (%s)",
		r.what, r.got, r.most, r.about)
}

// ratios returns the ratios measured so far: allocations first, then time and faults of each event.
func (t *trial) ratios() []ratio {
	all := []ratio{{"allocations before main", float64(t.init[1]) / float64(t.init[0]), t.gate.init * widthInit,
		fmt.Sprintf("%d, hello-world %d; GODEBUG=inittrace=1 names the packages", t.init[1], t.init[0])}}
	time := func(t took) float64 { return float64(t.cpu) }
	faults := func(t took) float64 { return float64(t.faults) }
	rounds := fmt.Sprintf("%d rounds", len(t.hello.took))
	for i, s := range t.hooks {
		l := t.events[i]
		all = append(all,
			ratio{l.event + ", processor time", lowerQuartile(s.took, time) / lowerQuartile(t.hello.took, time),
				l.time * l.width, rounds},
			ratio{l.event + ", page faults", mean(s.took, faults) / mean(t.hello.took, faults),
				l.fault * t.widthFault, rounds})
	}
	return all
}

// isComparable reports whether this system is like the one that the limits were measured on. On other systems the gate
// judges allocations alone, which are the same everywhere.
const isComparable = runtime.GOOS == "linux" && runtime.GOARCH == "amd64"

// gate measures a binary on g's events until it passes or cannot pass any more, and returns its ratios.
func (b *bench) gate(g *gate, binary string) ([]ratio, error) {
	t, err := b.newTrial(g, binary)
	if err != nil {
		return nil, err
	}
	defer t.removeDir()
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

// lowerQuartile returns the lower quartile.
func lowerQuartile(all []took, of func(took) float64) float64 { return sample(all, of).Quantile(.25) }

func mean(all []took, of func(took) float64) float64 { return sample(all, of).Mean() }

func sample(all []took, of func(took) float64) (s stats.Sample) {
	for _, t := range all {
		s.Xs = append(s.Xs, of(t))
	}
	return s
}

var initLine = regexp.MustCompile(`(?m)^init .* (\d+) allocs$`)

// countInit returns how many allocations the packages of p make before main, as the runtime counts them.
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
