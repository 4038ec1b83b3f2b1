//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
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
// one is over its limit there are more rounds: what passes passes soon, and what fails has failed on all of them.
// docs/benchmarks.md says how the widths were chosen and how often the gate failed for nothing.
//
//	go test -C bench -count=1 -v -run '^TestGate$' .
//
// measured is what the ratios were when they were last set: the median of fifty runs on two busy processors, Go 1.26. They
// go down with what they hold, and up only in a commit that says what for.
var measured = []struct {
	event       string
	time, fault float64
	width       float64 // of time: the more a hook reads and writes, the less steady it is
}{
	{"Notification", 1.30, 1.345, 1.12}, // which does nothing: the start alone
	{"Stop", 1.80, 1.66, 1.20},
	{"UserPromptSubmit", 2.25, 1.70, 1.25},
	{"SessionStart resume", 2.85, 1.785, 1.30},
}

// measuredInit is how many times a hello-world's the allocations before main were.
const measuredInit = 7.55

// How much more than was measured is let through, beside the widths above.
const (
	widthInit  = 1.10
	widthFault = 1.08
)

const (
	gateFirst  = 100 // rounds
	gateMore   = 50
	gateLeast  = 200 // before anything fails, however long they take
	gateMost   = 400
	gateLonger = 10 * time.Second // after which there are no more rounds
)

// TestGate is the gate.
func TestGate(t *testing.T) {
	b := gateBench(t)
	if err := b.build(); err != nil {
		t.Fatal(err)
	}
	over, err := b.gate(t, b.memento, len(measured))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range over {
		t.Error(o)
	}
}

// TestGateCatches links what a careless change could, and sees it stopped.
func TestGateCatches(t *testing.T) {
	b := gateBench(t)
	if err := b.build(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, source string }{
		{"net-http", "import \"net/http\"\n\nvar heavy = http.Get\n\nfunc init() { _ = heavy }\n"},
		{"yaml", "import \"gopkg.in/yaml.v3\"\n\nvar heavy = yaml.Unmarshal\n\nfunc init() { _ = heavy }\n"},
		{"table", "import \"hash/crc32\"\n\nvar heavy = crc32.MakeTable(crc32.Castagnoli)\n\nfunc init() { _ = heavy }\n"}, // 0.2 ms, and three allocations
		{"regexps", "import \"regexp\"\n\nvar heavy = []*regexp.Regexp{regexp.MustCompile(`(?i)\\b(token|secret|password)\\b\\s*[:=]\\s*(\\S{16,})`), regexp.MustCompile(`[\\p{L}\\p{N}]+(?:[-_.][\\p{L}\\p{N}]+)*`)}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source, list, binary := filepath.Join(b.dir, c.name+".go"), filepath.Join(b.dir, c.name+".json"), filepath.Join(b.dir, c.name)
			if err := write(source, []byte("package main\n\n"+c.source)); err != nil {
				t.Fatal(err)
			}
			overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(b.root, "cmd", "memento", "heavy.go"): source}})
			if err != nil {
				t.Fatal(err)
			}
			if err := write(list, overlay); err != nil {
				t.Fatal(err)
			}
			if err := b.program(b.root, binary, "./cmd/memento", "-overlay", list); err != nil {
				t.Fatal(err)
			}
			over, err := b.gate(t, binary, 1)
			if err != nil {
				t.Fatal(err)
			}
			if len(over) == 0 {
				t.Fatalf("the gate lets %s through", c.name)
			}
			for _, o := range over {
				t.Log("caught: ", o)
			}
		})
	}
}

func gateBench(t *testing.T) *bench {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return &bench{root: root, dir: t.TempDir(), log: io.Discard, until: time.Now().Add(time.Hour)}
}

// gate measures a binary on the first n events and returns what is over its limit.
func (b *bench) gate(t *testing.T, binary string, n int) (over []string, err error) {
	sc := scene{head: []byte(`{"type":"user","uuid":"u1","timestamp":"2026-01-05T10:00:00Z","message":{"role":"user","content":"Fix the checkout: orders above 1,000 EUR are lost. Never touch the tax tables."}}` + "\n")}
	idle, err := b.place("idle")
	if err != nil {
		return nil, err
	}
	base := b.yard("hello", program{path: b.hello, at: idle})
	all := []*series{base}
	for _, l := range measured[:n] {
		i := slices.IndexFunc(events(), func(e event) bool { return e.title() == l.event })
		if i < 0 {
			return nil, fmt.Errorf("there is no event %q", l.event)
		}
		s, err := b.event(sc, filepath.Base(binary)+"-"+strconv.Itoa(i), binary, events()[i])
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}

	ours, err := initAllocs(all[1].program)
	if err != nil {
		return nil, err
	}
	hello, err := initAllocs(base.program)
	if err != nil {
		return nil, err
	}
	// judge returns what is to be said of a ratio that is too high, "" of one that is not.
	judge := func(what string, ratio, before, width float64, more string) string {
		said := fmt.Sprintf("%s: %.3f times a Go hello-world's, at most %.3f is let through (%s)", what, ratio, before*width, more)
		t.Log(said)
		if ratio <= before*width {
			return ""
		}
		return said
	}
	if o := judge("allocations before main", float64(ours)/float64(hello), measuredInit, widthInit, fmt.Sprintf("%d, hello-world %d", ours, hello)); o != "" {
		over = append(over, o+"; GODEBUG=inittrace=1 names the packages")
	}
	began := time.Now()
	for rounds := gateFirst; ; rounds = gateMore {
		if err := b.interleave(rounds, base, all); err != nil {
			return nil, err
		}
		var now []string
		for i, m := range measured[:n] {
			ratio := func(of func(took) float64) float64 { return quartile(all[i+1].took, of) / quartile(base.took, of) }
			note := fmt.Sprintf("%d rounds", len(base.took))
			now = append(now,
				judge(m.event+", processor time", ratio(func(t took) float64 { return float64(t.cpu) }), m.time, m.width, note),
				judge(m.event+", page faults", ratio(func(t took) float64 { return float64(t.faults) }), m.fault, widthFault, note))
		}
		now = slices.DeleteFunc(now, func(s string) bool { return s == "" })
		if n := len(base.took); len(now) == 0 || n >= gateMost || n >= gateLeast && time.Since(began) > gateLonger {
			return append(over, now...), nil
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
