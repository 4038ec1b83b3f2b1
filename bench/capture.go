//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// size is one length of transcript, and how often the first event on it is measured.
type size struct {
	name     string
	bytes    int
	rounds   int
	budget   float64 // over a hello-world, in ms, of the first event; 0: none was set
	pictures []int   // that were pasted, in bytes
}

var sizes = []size{
	{name: "1 MB", bytes: 1 << 20, rounds: 50},
	{name: "10 MB", bytes: 10 << 20, rounds: 30},
	{name: "18 MB", bytes: 18 << 20, rounds: 30, budget: 60},
	{name: "100 MB", bytes: 100 << 20, rounds: 10},
	{name: "100 MB with pictures of 8 and 9 MB", bytes: 100 << 20, rounds: 5, pictures: []int{8<<20 - 100, 9 << 20}},
	{name: "1 GB", bytes: 1 << 30, rounds: 5},
}

// Budgets of the capture section.
const (
	budgetMore   = 3.0 // with 100 KB new, over a hello-world, in ms
	budgetMemory = 32  // MB, at any size
	more         = 100 << 10
)

// captures measures Stop on transcripts of several sizes: with all of it new, until nothing is left (an event reads for a
// limited time, the next goes on), and with 100 KB new. The transcript lies in the page cache, as one that was just written does.
func captures(b *bench) error {
	for _, s := range sizes {
		if b.quick {
			if s.bytes > 20<<20 {
				b.report.skip(s.name, "--quick", "./bench.sh without --quick")
				continue
			}
			s.rounds = 10
		}
		if free, err := free(b.dir); err != nil || free < 2*int64(s.bytes)+1<<30 {
			b.report.skip(s.name, fmt.Sprintf("%.1f GB are free where the scratch folder is; twice the transcript and a gigabyte must be", float64(free)/(1<<30)),
				"name a folder with more room in TMPDIR")
			continue
		}
		b.say("capture: %s", s.name)
		if err := b.capture(s.name, s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

func (b *bench) capture(name string, s size) (err error) {
	path, follows, err := b.writeTranscript("long", s.bytes, more, s.pictures...)
	if err != nil {
		return err
	}
	defer func() {
		os.Remove(path)
		os.Remove(follows)
	}()
	p, err := b.place("capture-" + name)
	if err != nil {
		return err
	}
	event := program{path: b.memento, args: []string{"hook"}, at: p, stdin: p.event("Stop", "s1", map[string]any{"transcript_path": path})}
	hello := program{path: b.hello, at: p}
	// pair runs a hello-world and then the event.
	pair := func(base, with *series) error {
		for _, s := range []*series{base, with} {
			t, err := s.program.weigh(b.launch)
			if err != nil {
				return err
			}
			s.took = append(s.took, t)
		}
		return nil
	}
	base := &series{name: name + ", hello-world in Go", yard: true, program: hello}
	first := &series{name: name + ", the first event", program: event, base: base}
	if s.budget > 0 {
		first.goals = []goal{{Of: ofOver, Most: s.budget}}
	}
	var all []*series
	all = append(all, first)

	// The first event, on a home that knows nothing.
	for range s.rounds {
		if len(first.took) > 2 && time.Now().After(b.until) {
			break
		}
		if err := p.restore(); err != nil {
			return err
		}
		if err := b.settle(); err != nil {
			return err
		}
		if err := pair(base, first); err != nil {
			return err
		}
	}
	if err := p.captured(); err != nil {
		return err
	}

	// On until nothing is left: until what is kept of the session's progress no longer changes.
	rest := &series{name: name + ", until nothing is left", program: event}
	if err := p.restore(); err != nil {
		return err
	}
	total := took{}
	events := 0
	for before := -1; ; {
		t, err := event.weigh(b.launch)
		if err != nil {
			return err
		}
		now, err := p.progress()
		if err != nil {
			return err
		}
		if now == before {
			break
		}
		before = now
		events++
		total.wall, total.cpu, total.peak = total.wall+t.wall, total.cpu+t.cpu, max(total.peak, t.peak)
		if events > 1000 {
			return fmt.Errorf("1,000 events have not been enough")
		}
	}
	rest.took, rest.note = []took{total}, fmt.Sprintf("by %d event(s)", events)
	all = append(all, rest)

	// 100 KB more.
	if err := appendFile(path, follows); err != nil {
		return err
	}
	if err := p.keep(); err != nil {
		return err
	}
	again := &series{name: name + ", 100 KB new", program: event, goals: []goal{{Of: ofOver, Most: budgetMore}}}
	again.base = &series{program: hello}
	rounds := 50
	if b.quick {
		rounds = 20
	}
	was, err := p.progress()
	if err != nil {
		return err
	}
	for range rounds {
		if err := p.restore(); err != nil {
			return err
		}
		if err := b.settle(); err != nil {
			return err
		}
		if err := pair(again.base, again); err != nil {
			return err
		}
	}
	if now, err := p.progress(); err != nil || now <= was {
		return fmt.Errorf("the 100 KB were not read: progress %d, then %d: %v", was, now, err)
	}
	all = append(all, again)
	b.report.add(base)
	for _, s := range all {
		b.report.add(s)
	}
	b.report.memory(name+", memory", budgetMemory, all...)
	return nil
}

// captured fails when nothing of the transcript is in the journal: a hook that does nothing is fast.
func (p *place) captured() error {
	found, err := p.content()
	if err != nil {
		return err
	}
	for path, f := range found {
		if filepath.Ext(path) == ".json" && bytes.Contains(f.data, []byte("orders above 1,000 EUR are lost")) {
			return nil
		}
	}
	return fmt.Errorf("no journal has anything of the transcript")
}

// progress is how far the session's transcript has been read, in bytes.
func (p *place) progress() (int, error) {
	data, err := os.ReadFile(filepath.Join(p.store(), "state", "s1.json"))
	if err != nil {
		return 0, err
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n")) // a version each, the newest last
	var state struct{ Read struct{ Offset int } }
	err = json.Unmarshal(lines[len(lines)-1], &state)
	if err == nil && state.Read.Offset == 0 {
		err = fmt.Errorf("%s names no read.offset", p.store())
	}
	return state.Read.Offset, err
}

// appendFile puts what is in the file at from behind what is in the one at to.
func appendFile(to, from string) error {
	data, err := read(from)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(data)
	return err
}

// free is how many bytes a file in dir could have.
func free(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
