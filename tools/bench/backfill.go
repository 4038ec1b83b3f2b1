package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// The backfill section takes in so many bytes of transcripts, each of one size.
const (
	backfillBytes  = 1 << 30
	backfillQuick  = 64 << 20
	backfillEach   = 2 << 20
	budgetBackfill = 60_000 // ms for 1 GB
	budgetHeld     = 200    // MB
)

// backfills measures memento backfill with an empty store, and again when everything was taken in.
func backfills(b *bench) error {
	size, name, most := backfillBytes, "1 GB", float64(budgetBackfill)
	if b.quick {
		size, name, most = backfillQuick, "64 MB", budgetBackfill/16
	}
	if !b.hasRoom(name, int64(size)) {
		return nil
	}
	b.say("backfill: %s", name)
	p, err := b.newPlace("backfill")
	if err != nil {
		return err
	}
	defer os.RemoveAll(p.home)
	folder := filepath.Join(p.home, ".claude", "projects", "-srv-shop")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for n := range size / backfillEach {
		path := filepath.Join(folder, fmt.Sprintf("%08d-1111-4111-8111-111111111111.jsonl", n))
		w := &writer{random: rand.New(rand.NewPCG(3, uint64(n)))} // each session has words and ids of its own
		if err := w.file(path, backfillEach); err != nil {
			return err
		}
	}
	first := &series{name: name + ", the first time", weighed: true,
		program: p.command(b.memento, "backfill", "--all", "--yes")}
	again := &series{name: name + ", again", program: first.program, weighed: true}
	for _, s := range []*series{first, again} {
		t, err := b.runOnce(s)
		if err != nil {
			return err
		}
		s.took = []took{t}
	}
	first.goals = []goal{{Of: ofMax, Most: most}}
	b.report.add(first, again)
	b.report.addMemory(name+", memory", budgetHeld, first, again)
	return nil
}
