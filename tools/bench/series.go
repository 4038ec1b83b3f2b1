package main

import (
	"math/rand/v2"
	"slices"
	"time"
)

// series is one program that runs in every round: a row of the report.
type series struct {
	name    string
	program program
	yard    bool // it is a yardstick for the others
	fresh   bool // its place is restored before every round, outside the measurement
	durable bool // it waits for the disk
	weighed bool // its memory is measured too
	note    string
	wrote   []string // the kinds of files that it writes, see place.wrote
	goals   []goal

	base *series // the series to compare each round with, or nil
	took []took
	over []float64 // how much longer each run took than the base's run of the same round, in ms
}

// runOnce runs s once.
func (b *bench) runOnce(s *series) (took, error) {
	if s.weighed {
		return s.program.weigh(b.launch)
	}
	return s.program.run()
}

// runRound runs groups of series in a new random order, so that other processes on the machine disturb all series
// alike. The series of one group run one after the other.
func (b *bench) runRound(groups ...[]*series) error {
	all := slices.Concat(groups...)
	for _, s := range all {
		if s.fresh {
			if err := s.program.at.restore(); err != nil {
				return err
			}
		}
	}
	if slices.ContainsFunc(all, func(s *series) bool { return s.durable }) {
		if err := b.settle(); err != nil {
			return err
		}
	}
	rand.Shuffle(len(groups), func(i, k int) { groups[i], groups[k] = groups[k], groups[i] })
	for _, s := range slices.Concat(groups...) {
		t, err := b.runOnce(s)
		if err != nil {
			return err
		}
		s.took = append(s.took, t)
	}
	for _, s := range all {
		s.compare()
	}
	return nil
}

// compare notes how much longer the last run took than the base's last run.
func (s *series) compare() {
	if s.base != nil {
		s.over = append(s.over, ms(s.took[len(s.took)-1].wall-s.base.took[len(s.base.took)-1].wall))
	}
}

// measure runs each of all once a round.
func (b *bench) measure(rounds int, all ...*series) error {
	var groups [][]*series
	for _, s := range all {
		groups = append(groups, []*series{s})
		if s.fresh {
			if err := s.program.at.restore(); err != nil {
				return err
			}
		}
		if _, err := b.runOnce(s); err != nil { // the first run brings the program into memory
			return err
		}
	}
	for round := range rounds {
		if b.isLate(round, rounds) {
			return nil
		}
		if err := b.runRound(groups...); err != nil {
			return err
		}
	}
	return nil
}

// isLate reports whether the section's time was up after done rounds, and says so in the report.
func (b *bench) isLate(done, rounds int) bool {
	if done < 10 || time.Now().Before(b.until) {
		return false
	}
	b.report.note("broken off after %d of %d rounds: the section's time was up", done, rounds)
	return true
}
