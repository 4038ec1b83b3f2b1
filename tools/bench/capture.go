package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// size is one length of a transcript, and how often its first event is measured.
type size struct {
	name   string
	bytes  int
	rounds int
	budget float64 // of the first event, over a hello-world, in ms; 0 for none
}

var sizes = []size{
	{name: "1 MB", bytes: 1 << 20, rounds: 50},
	{name: "10 MB", bytes: 10 << 20, rounds: 30},
	{name: "18 MB", bytes: 18 << 20, rounds: 30, budget: 60},
	{name: "100 MB", bytes: 100 << 20, rounds: 10},
	{name: "1 GB", bytes: 1 << 30, rounds: 5},
}

// Budgets of the capture section.
const (
	budgetMore   = 3.0 // with 100 KB new, over a hello-world, in ms
	budgetMemory = 32  // MB, at any size
	more         = 100 << 10
)

// captures measures Stop on transcripts of several sizes. The transcript lies in the page cache, as a new file does.
func captures(b *bench) error {
	for _, s := range sizes {
		if b.quick {
			if s.bytes > 20<<20 {
				b.report.skip(s.name, "--quick", "./bench.sh without --quick")
				continue
			}
			s.rounds = 10
		}
		if !b.hasRoom(s.name, 2*int64(s.bytes)) {
			continue
		}
		b.say("capture: %s", s.name)
		if err := b.capture(s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// capture measures Stop on a transcript of one size: the first event, all events until the transcript is read, and an
// event with 100 KB new.
func (b *bench) capture(s size) error {
	path, w := filepath.Join(b.dir, "long.jsonl"), newWriter()
	defer os.Remove(path)
	if err := w.file(path, s.bytes); err != nil {
		return err
	}
	p, err := b.newPlace("capture-" + s.name)
	if err != nil {
		return err
	}
	stop := p.hook(b.memento, event{name: "Stop", fields: fields{"transcript_path": path}})
	pair := func(what string) (hello, with *series) {
		hello = &series{name: s.name + ", hello-world in Go", yard: true, weighed: true, program: p.command(b.hello)}
		with = &series{name: s.name + ", " + what, program: stop, base: hello}
		with.weighed, with.fresh, with.durable = true, true, true
		return hello, with
	}

	hello, first := pair("the first event") // with an empty HOME
	if s.budget > 0 {
		first.goals = []goal{{Of: ofOver, Most: s.budget}}
	}
	if err := b.measure(s.rounds, hello, first); err != nil {
		return err
	}
	if err := p.checkCaptured(); err != nil {
		return err
	}
	rest := &series{name: s.name + ", until nothing is left", program: stop, weighed: true}
	if err := b.drained(rest); err != nil {
		return err
	}

	if err := w.file(path, more); err != nil {
		return err
	}
	if err := p.keep(); err != nil {
		return err
	}
	was, err := p.progress()
	if err != nil {
		return err
	}
	helloAgain, again := pair("100 KB new")
	again.goals = []goal{{Of: ofOver, Most: budgetMore}}
	rounds := 50
	if b.quick {
		rounds = 20
	}
	if err := b.measure(rounds, helloAgain, again); err != nil {
		return err
	}
	if now, err := p.progress(); err != nil || now == was {
		return fmt.Errorf("the 100 KB were not read: progress %s, then %s: %v", was, now, err)
	}
	b.report.add(hello, first, rest, again)
	b.report.addMemory(s.name+", memory", budgetMemory, first, rest, again)
	return nil
}

// drained runs s with an empty HOME until the transcript is read, and notes the time of all runs together.
func (b *bench) drained(s *series) error {
	const most = 1000
	if err := s.program.at.restore(); err != nil {
		return err
	}
	var runs []took
	events, err := s.program.at.drain(most, func() error {
		t, err := b.runOnce(s)
		runs = append(runs, t)
		return err
	})
	if err != nil {
		return err
	}
	if events == 0 || events == most {
		return fmt.Errorf("after %d events the session's progress still changed, or never did", events)
	}
	var total took
	for _, t := range runs[:events] { // the run after them found nothing
		total.wall, total.cpu, total.peak = total.wall+t.wall, total.cpu+t.cpu, max(total.peak, t.peak)
	}
	s.took, s.note = []took{total}, fmt.Sprintf("by %d event(s)", events)
	return nil
}

// checkCaptured returns an error when no journal holds the transcript's first prompt: a hook that does nothing is fast.
func (p *place) checkCaptured() error {
	found, err := p.content()
	if err != nil {
		return err
	}
	for name, f := range found {
		if filepath.Ext(name) == ".json" && bytes.Contains(f.data, []byte("orders above 1,000 EUR are lost")) {
			return nil
		}
	}
	return fmt.Errorf("no journal has anything of the transcript")
}

// hasRoom reports whether the disk of the scratch folder has so many bytes free, and a gigabyte more. If not, the
// report says that the part called what was skipped.
func (b *bench) hasRoom(what string, bytes int64) bool {
	var s syscall.Statfs_t
	if err := syscall.Statfs(b.dir, &s); err == nil && int64(s.Bavail)*int64(s.Bsize) >= bytes+1<<30 {
		return true
	}
	b.report.skip(what, fmt.Sprintf("%.1f GB must be free where the scratch folder is", float64(bytes+1<<30)/(1<<30)),
		"name a folder with more room in TMPDIR")
	return false
}
