//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aclements/go-moremath/stats"
)

// The gate holds the hook to what it costs over a Go hello-world that runs beside it, as ratios, so that neither the machine nor
// what else runs on it matters:
//
//   - what the packages allocate before main: every hook pays for all of them, whatever its event. Exact to one allocation;
//   - page faults: how much of the binary and the heap is touched. Within two in a hundred;
//   - processor time, which a busy machine stretches for both, though not quite alike.
//
// Of the last two the lower quartiles are compared, over rounds in which each program runs once in an order drawn anew. As long as
// one is over its limit there are more rounds: what passes passes soon, and what fails has failed on all of them. Too many
// allocations fail at once: more rounds do not change them. docs/benchmarks.md says how the widths are chosen and how often the gate
// failed for nothing.
//
//	go test -C bench -count=1 -v -run '^TestGate$' .
//	./bench.sh --gate 50
//
// limits are the ratios as they were when that was last run, and its last lines, but for the widths of three events: on a busier machine
// than the one of that run they were less steady, and are as wide here as that asked for. They go down with what they hold, and up only
// in a commit that says what for.
var limits = gate{
	init: 5.58,
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

// trial is a binary beside a hello-world, on some of the gate's events.
type trial struct {
	*gate
	dir  string
	all  []*series // the hello-world first
	init [2]int    // allocations before main, of the hello-world and of the binary
}

// trial sets the stage for the first n events of g, in a folder that end removes. Both programs are copied anew: how a file happens
// to lie in the page cache is worth more than a few in a hundred, and two trials have it no more alike than two runs of ./test.sh.
func (b *bench) trial(g *gate, binary string, n int) (t *trial, err error) {
	dir, err := os.MkdirTemp(b.dir, "trial-")
	if err != nil {
		return nil, err
	}
	t = &trial{gate: g, dir: dir}
	defer func() {
		if err != nil {
			t.end()
		}
	}()
	fresh := func(path string) (string, error) {
		data, err := read(path)
		if err != nil {
			return "", err
		}
		copied := filepath.Join(dir, filepath.Base(path))
		return copied, os.WriteFile(copied, data, 0o755)
	}
	hello, err := fresh(b.hello)
	if err != nil {
		return nil, err
	}
	if binary, err = fresh(binary); err != nil {
		return nil, err
	}
	place := func(what string) string { return filepath.Join(filepath.Base(dir), what) }
	sc := scene{head: []byte(`{"type":"user","uuid":"u1","timestamp":"2026-01-05T10:00:00Z","message":{"role":"user","content":"Fix the checkout: orders above 1,000 EUR are lost. Never touch the tax tables."}}` + "\n")}
	idle, err := b.place(place("idle"))
	if err != nil {
		return nil, err
	}
	t.all = []*series{b.yard("hello", program{path: hello, at: idle})}
	for _, l := range g.events[:n] {
		i := slices.IndexFunc(events(), func(e event) bool { return e.title() == l.event })
		if i < 0 {
			return nil, fmt.Errorf("there is no event %q", l.event)
		}
		s, err := b.event(sc, place(strconv.Itoa(i)), binary, events()[i])
		if err != nil {
			return nil, err
		}
		t.all = append(t.all, s)
	}
	for i := range t.init {
		if t.init[i], err = initAllocs(t.all[i].program); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// end removes what the trial left.
func (t *trial) end() { _ = os.RemoveAll(t.dir) }

// ratio is one figure of a binary, in hello-worlds, and what is let through of it.
type ratio struct {
	what      string
	got, most float64
	about     string
}

func (r ratio) over() bool { return r.got > r.most }

func (r ratio) String() string {
	return fmt.Sprintf("%s: %.3f times a Go hello-world's, at most %.3f is let through (%s)", r.what, r.got, r.most, r.about)
}

// ratios are what has been measured so far: allocations first, then time and faults of each event.
func (t *trial) ratios() []ratio {
	all := []ratio{{"allocations before main", float64(t.init[1]) / float64(t.init[0]), t.gate.init * widthInit,
		fmt.Sprintf("%d, hello-world %d; GODEBUG=inittrace=1 names the packages", t.init[1], t.init[0])}}
	base := t.all[0]
	rounds := fmt.Sprintf("%d rounds", len(base.took))
	for i, s := range t.all[1:] {
		l := t.events[i]
		of := func(what func(took) float64) float64 { return quartile(s.took, what) / quartile(base.took, what) }
		all = append(all,
			ratio{l.event + ", processor time", of(func(t took) float64 { return float64(t.cpu) }), l.time * l.width, rounds},
			ratio{l.event + ", page faults", of(func(t took) float64 { return float64(t.faults) }), l.fault * t.widthFault, rounds})
	}
	return all
}

// comparable tells whether this is a system like the one the limits were measured on. Elsewhere allocations alone are judged: they
// are the same everywhere.
const comparable = runtime.GOOS == "linux" && runtime.GOARCH == "amd64"

// gate measures a binary on the first n events, as long as that may help it, and returns what came out last.
func (b *bench) gate(g *gate, binary string, n int) ([]ratio, error) {
	t, err := b.trial(g, binary, n)
	if err != nil {
		return nil, err
	}
	defer t.end()
	began := time.Now()
	if !comparable {
		return t.ratios()[:1], nil
	}
	for rounds := gateFirst; ; rounds = gateMore {
		if err := b.interleave(rounds, t.all[0], t.all); err != nil {
			return nil, err
		}
		all := t.ratios()
		n := len(t.all[0].took)
		if all[0].over() || !slices.ContainsFunc(all[1:], ratio.over) || n >= gateMost || n >= gateLeast && time.Since(began) > gateLonger {
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

// initAllocs is how often the packages of p allocate before main, as the runtime counts it.
func initAllocs(p program) (n int, err error) {
	cmd := exec.Command(p.path, p.args...)
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = p.at.project, append(slices.Clone(p.at.env), "GODEBUG=inittrace=1"), bytes.NewReader(p.stdin), &out
	if err := cmd.Run(); err != nil {
		return 0, err
	}
	found := initLine.FindAllStringSubmatch(out.String(), -1)
	for _, f := range found {
		k, err := strconv.Atoi(f[1])
		if err != nil {
			return 0, err
		}
		n += k
	}
	if n == 0 {
		return 0, fmt.Errorf("%s: the runtime traces no initialisation: %s", filepath.Base(p.path), strings.TrimSpace(out.String()))
	}
	return n, nil
}
