package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// Budgets of a store with turns, in ms.
const (
	budgetPast    = 60.0 // a search in 10,000 records and 100,000 turns
	turnsASession = 20
)

// writeTurns writes n turns, each session's in a file.
func (v *vocabulary) writeTurns(p *place, n int) error {
	began := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	for s := range n / turnsASession {
		var file bytes.Buffer
		id := fmt.Sprintf("%08x-1111-4111-8111-111111111111", s)
		at := began.Add(time.Duration(s) * 2 * time.Hour)
		for k := range turnsASession {
			answer := v.makeText(15 + v.random.IntN(200))
			if s%80 == 3 && k == 7 && len(v.recalled) < 40 {
				words := strings.Fields(strings.ReplaceAll(answer, ".", ""))
				v.recalled = append(v.recalled, strings.Join(words[6:11], " "))
			}
			file.Write(turnLine(id, k, at.Add(time.Duration(k)*time.Minute), v.makeText(5+v.random.IntN(40)), answer))
		}
		if err := p.put(turnFile(id, at), file.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func turnFile(session string, at time.Time) string {
	return fmt.Sprintf("log/shop/%s/%s.jsonl", at.Format("2006-01"), session)
}

// turnLine returns a turn as memento keeps it.
func turnLine(session string, n int, at time.Time, said, answer string) (lines []byte) {
	id := fmt.Sprintf("%s-%d", session, n)
	for _, entry := range []fields{{"id": id, "kind": "typed", "ts": at.Format(time.RFC3339), "text": said},
		{"id": id + "a", "kind": "answered", "ts": at.Format(time.RFC3339), "of": id, "text": answer}} {
		line, err := json.Marshal(entry)
		if err != nil {
			panic(err) // of our own words
		}
		lines = append(append(lines, line...), '\n')
	}
	return lines
}

// archive is a store with records and turns, and its series.
type archive struct {
	*folder
	turns                            int
	search, searchRecords, searchNew *series
}

// past measures a store of records and turns beside one with neither.
func (b *bench) past(records, turns int) error {
	f, err := b.newFolder(records)
	if err != nil {
		return err
	}
	defer os.RemoveAll(f.full.home)
	defer os.RemoveAll(f.none.home)
	f.what = fmt.Sprintf("%d records and %d turns", records, turns)
	if err := f.words.writeRecords(f.full, b.memento, records); err != nil {
		return err
	}
	if err := f.words.writeTurns(f.full, turns); err != nil {
		return err
	}
	a := &archive{folder: f, turns: turns}
	over := func(what string) *series { return &series{name: f.name(what), base: f.hello} }
	f.hello.name = f.name("hello-world in Go")
	f.prompt.name = f.name("a prompt")
	a.search, a.searchRecords = over("search"), over("search --records")
	a.searchNew = over("search after a turn")
	if records == 10_000 {
		a.search.goals = []goal{{Of: ofP50, Most: budgetPast}}
	}
	for _, step := range []func() error{b.settle, f.buildIndex, a.checkFound} {
		if err := step(); err != nil {
			return err
		}
	}
	for i, rounds := 0, 40; i < rounds && !b.isLate(i, rounds); i++ {
		if err := a.measureRound(i); err != nil {
			return err
		}
	}
	a.publish()
	return nil
}

// checkFound returns an error when no search for most of the words of turns finds a turn.
func (a *archive) checkFound() error {
	found := 0
	for _, words := range a.words.recalled {
		out, err := a.call("search", words).output()
		if err != nil {
			return err
		}
		if bytes.Contains(out, []byte("memento show ")) {
			found++
		}
	}
	if found < len(a.words.recalled)*2/3 {
		return fmt.Errorf("of %d searches for words of turns %d find a turn", len(a.words.recalled), found)
	}
	return nil
}

// measureRound runs each series once. Each prompt is the first of a new session.
func (a *archive) measureRound(i int) error {
	words := a.words.recalled[i%len(a.words.recalled)]
	a.search.program = a.call("search", words)
	a.searchRecords.program = a.call("search", words, "--only", "records")
	a.searchNew.program = a.search.program
	groups := [][]*series{{a.hello}, {a.search}, {a.searchRecords}}
	for n, s := range []struct {
		series *series
		at     *place
		send   func(at *place, session, words string) program
	}{{a.prompt, a.full, a.sendPrompt}, {a.promptWithout, a.none, a.sendPrompt}} {
		session := fmt.Sprintf("p%d-%d", i, n)
		if err := runAll(a.startSession(s.at, session)); err != nil {
			return err
		}
		s.series.program = s.send(s.at, session, words)
		groups = append(groups, []*series{s.series})
	}
	if err := a.settle(); err != nil {
		return err
	}
	if err := a.runRound(groups...); err != nil {
		return err
	}
	session, now := fmt.Sprintf("n%d", i), time.Now().UTC()
	line := turnLine(session, 1, now, a.words.makeText(20), a.words.makeText(60))
	if err := a.full.put(turnFile(session, now), line); err != nil {
		return err
	}
	return a.runRound([]*series{a.searchNew})
}

// publish reports the series, and what the look-ups add to a prompt.
func (a *archive) publish() {
	a.report.add(a.hello, a.search, a.searchRecords, a.searchNew, a.prompt)
	a.added("what the look-up adds to a prompt", a.prompt, a.promptWithout, budgetLookup)
}
