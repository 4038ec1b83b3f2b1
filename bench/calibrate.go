//go:build unix

package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aclements/go-moremath/stats"
)

// deviations is how many standard deviations of single runs the gate's widths are, and leastWidth the narrowest: what
// is steadier than that here need not be elsewhere.
const (
	deviations = 4
	leastWidth = 1.05
)

// calibrate measures the gate's ratios in runs of 100 rounds and prints them as limits stand in gate.go; then it
// tries the gate with these as often, and prints how often it failed for nothing. Every second run has busy threads
// beside it.
func (b *bench) calibrate(w io.Writer, runs int) error {
	b.until = time.Now().Add(1000 * time.Hour) // as long as it takes
	all := make([]stats.Sample, 1+2*len(limits.events))
	err := b.repeat(runs, "run", func() error {
		t, err := b.newTrial(&limits, b.memento)
		if err != nil {
			return err
		}
		defer t.end()
		if err := t.measure(b, gateFirst); err != nil {
			return err
		}
		for i, r := range t.ratios() {
			all[i].Xs = append(all[i].Xs, r.got)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n\n", b.machine())
	fmt.Fprintf(w, "%d runs of %d rounds, every second one beside %d busy threads; ", runs, gateFirst, busy)
	fmt.Fprintf(w, "a width is %d standard deviations of a run\n\n", deviations)
	now := limitsOf(w, all)

	failed, took := 0, stats.Sample{}
	err = b.repeat(runs, "trial", func() error {
		began := time.Now()
		found, err := b.gate(&now, b.memento)
		if err != nil {
			return err
		}
		took.Xs = append(took.Xs, time.Since(began).Seconds())
		if slices.ContainsFunc(found, ratio.isOver) {
			failed++
		}
		for _, r := range found {
			if r.isOver() {
				fmt.Fprintf(w, "failed for nothing: %s\n", r)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	least, most := took.Bounds()
	fmt.Fprintf(w, "\nWith the limits below it failed in %d of %d runs, and took ", failed, runs)
	fmt.Fprintf(w, "%.0f to %.0f seconds, %.0f at the median.\n\n", least, most, median(took))
	fmt.Fprintf(w, "var limits = gate{\n\tinit: %.2f,\n\tevents: []limit{\n", now.init)
	for _, l := range now.events {
		fmt.Fprintf(w, "\t\t{%q, %.3f, %.3f, %.2f},\n", l.event, l.time, l.fault, l.width)
	}
	fmt.Fprintf(w, "\t},\n\twidthFault: %.2f,\n}\n", now.widthFault)
	return nil
}

// limitsOf makes limits of the ratios of all runs, which stand in the order of trial.ratios, and prints how steady
// they were.
func limitsOf(w io.Writer, all []stats.Sample) gate {
	now := gate{init: median(all[0]), widthFault: leastWidth}
	fmt.Fprintf(w, "%-22s  time p50  quiet   busy  s.d.    faults p50  s.d.\n", "")
	for i, l := range limits.events {
		time, fault := all[1+2*i], all[2+2*i]
		now.widthFault = max(now.widthFault, width(fault))
		now.events = append(now.events, limit{l.event, median(time), median(fault), max(leastWidth, width(time))})
		fmt.Fprintf(w, "%-22s  %8.3f  %.3f  %.3f  %4.1f %%", l.event,
			median(time), median(everySecond(time, 0)), median(everySecond(time, 1)), 100*time.StdDev()/median(time))
		fmt.Fprintf(w, "  %10.3f  %4.1f %%\n", median(fault), 100*fault.StdDev()/median(fault))
	}
	return now
}

func median(s stats.Sample) float64 { return s.Quantile(.5) }

// width is what a sample's scatter asks for, rounded up to a hundredth.
func width(s stats.Sample) float64 {
	return math.Ceil(100*(1+deviations*s.StdDev()/median(s))) / 100
}

// everySecond is every second value, from the one at from.
func everySecond(s stats.Sample, from int) (half stats.Sample) {
	for i := from; i < len(s.Xs); i += 2 {
		half.Xs = append(half.Xs, s.Xs[i])
	}
	return half
}

// busy is how many busy threads every second run has beside it.
var busy = 2 * runtime.NumCPU()

// repeat calls do so many times, every second time beside the busy threads.
func (b *bench) repeat(runs int, what string, do func() error) error {
	for run := range runs {
		b.say("gate: %s %d of %d", what, run+1, runs)
		stop := func() {}
		if run%2 == 1 {
			stop = disturb()
		}
		err := do()
		stop()
		if err != nil {
			return err
		}
	}
	return nil
}

// disturb keeps the processors and their caches busy until stop, as other people's work does.
func disturb() (stop func()) {
	before := runtime.GOMAXPROCS(busy + runtime.NumCPU()) // no thread of this process waits for another one's turn
	var done atomic.Bool
	var all sync.WaitGroup
	for range busy {
		all.Go(func() {
			memory := make([]byte, 8<<20)
			for i := 0; !done.Load(); i++ {
				for k := 0; k < len(memory); k += 64 {
					memory[k] += byte(i)
				}
			}
		})
	}
	return func() {
		done.Store(true)
		all.Wait()
		runtime.GOMAXPROCS(before)
	}
}
