package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aclements/go-moremath/stats"
)

// A width of the gate is this many standard deviations of a single run, and at least leastWidth: a figure that is
// steadier than that on this machine need not be so on another one.
const (
	deviations = 4
	leastWidth = 1.05
)

// calibrate measures the gate's ratios in runs of 100 rounds and prints the limits as gate.go holds them. Busy threads
// disturb every second run.
func (b *bench) calibrate(w io.Writer, runs int) error {
	b.until = time.Now().Add(1000 * time.Hour) // no time limit
	all := make([]stats.Sample, 1+2*len(limits.events))
	for run := range runs {
		b.say("gate: run %d of %d", run+1, runs)
		if err := b.sampleRatios(all, run%2 == 1); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%s\n\n%d runs of %d rounds, every second one beside %d busy threads\n\n",
		b.machine(), runs, gateFirst, busyThreads())
	fmt.Fprintf(w, "var limits = gate{\n\tinit: %.2f,\n\tevents: []limit{\n", median(all[0]))
	widthFault := leastWidth
	for i, l := range limits.events {
		time, fault := all[1+2*i], all[2+2*i]
		widthFault = max(widthFault, width(fault))
		fmt.Fprintf(w, "\t\t{%q, %.3f, %.3f, %.2f}, // s.d. of time %.1f %%, of faults %.1f %%\n",
			l.event, median(time), median(fault), width(time), deviation(time), deviation(fault))
	}
	fmt.Fprintf(w, "\t},\n\twidthFault: %.2f,\n}\n", widthFault)
	return nil
}

// sampleRatios adds the ratios of one run to all, in the order of trial.ratios.
func (b *bench) sampleRatios(all []stats.Sample, isDisturbed bool) error {
	t, err := b.newTrial(&limits, b.memento)
	if err != nil {
		return err
	}
	defer t.removeDir()
	if isDisturbed {
		defer startBusyThreads()()
	}
	if err := t.measure(b, gateFirst); err != nil {
		return err
	}
	for i, r := range t.ratios() {
		all[i].Xs = append(all[i].Xs, r.got)
	}
	return nil
}

func median(s stats.Sample) float64 { return s.Quantile(.5) }

// deviation is the standard deviation of s, in percent of its median.
func deviation(s stats.Sample) float64 { return 100 * s.StdDev() / median(s) }

// width returns the width that the scatter of s needs, rounded up to a hundredth.
func width(s stats.Sample) float64 {
	return max(leastWidth, math.Ceil(100+deviations*deviation(s))/100)
}

func busyThreads() int { return 2 * runtime.NumCPU() }

// startBusyThreads keeps the processors and their caches busy until stop, as other people's processes do.
func startBusyThreads() (stop func()) {
	before := runtime.GOMAXPROCS(busyThreads() + runtime.NumCPU()) // so that no thread waits for another one's turn
	var done atomic.Bool
	var all sync.WaitGroup
	for range busyThreads() {
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
