package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Budgets of the search section, in ms.
const (
	budgetLookup = 4.0  // the time that 1,000 records may add to a prompt, and to a session's start
	budgetSearch = 25.0 // a search in 10,000
)

// searches measures folders of 100 to 100,000 records, and one with turns. The yardstick of a search is grep -ril over
// the same folder.
func searches(b *bench) error {
	for _, n := range []int{100, 1_000, 10_000, 100_000} {
		what := fmt.Sprintf("%d records", n)
		if b.quick && n > 1_000 {
			b.report.skip(what, "--quick", "./bench.sh without --quick")
			continue
		}
		if !b.wants(what) || !b.hasRoom(what, int64(n)*16<<10) {
			continue
		}
		b.say("search: %s", what)
		if err := b.search(n); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	records, turns := 10_000, 100_000
	if b.quick {
		records, turns = 1_000, 2_100
	}
	what := fmt.Sprintf("%d records and %d turns", records, turns)
	if !b.wants(what) || !b.hasRoom(what, int64(records)*16<<10+int64(turns)*4<<10) {
		return nil
	}
	b.say("search: %s", what)
	if err := b.past(records, turns); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// wants reports whether a row or a size of this name is to be measured.
func (b *bench) wants(name string) bool {
	named := func(words string) bool { return strings.Contains(name, words) }
	return len(b.cases) == 0 || slices.ContainsFunc(b.cases, named)
}

// search measures a folder of n records.
func (b *bench) search(n int) error {
	f, err := b.newFolder(n)
	if err != nil {
		return err
	}
	defer os.RemoveAll(f.full.home)
	defer os.RemoveAll(f.none.home)
	if err := f.words.writeRecords(f.full, b.memento, n); err != nil {
		return err
	}
	for _, step := range []func() error{b.settle, f.buildIndex, f.checkFound} {
		if err := step(); err != nil {
			return err
		}
	}
	rounds := 100
	if b.quick || n > 10_000 {
		rounds = 30
	}
	for i := range rounds {
		if b.isLate(i, rounds) {
			break
		}
		if err := f.measureRound(i); err != nil {
			return err
		}
		if err := f.leaveRecord(i); err != nil {
			return err
		}
	}
	f.publish()
	return nil
}

// folder is a folder of records and its series.
type folder struct {
	*bench
	records    int    // how many there are
	what       string // how the report calls the folder
	full, none *place // a place with the records, and one without any
	words      *vocabulary

	hello, grep, fresh, saved, save            *series
	start, prompt, startWithout, promptWithout *series
}

func (b *bench) newFolder(n int) (f *folder, err error) {
	f = &folder{bench: b, records: n, what: fmt.Sprintf("%d records", n), words: newVocabulary()}
	if f.full, err = b.newPlace(fmt.Sprintf("records-%d", n)); err != nil {
		return nil, err
	}
	if f.none, err = b.newPlace(fmt.Sprintf("no-records-%d", n)); err != nil {
		return nil, err
	}
	f.hello = &series{name: f.name("hello-world in Go"), yard: true, program: f.full.command(b.hello)}
	over := func(what string) *series { return &series{name: f.name(what), base: f.hello} }
	f.fresh, f.saved, f.save = over("search"), over("search after a save"), over("save")
	f.start, f.prompt = over("a session's start"), over("a prompt")
	f.startWithout, f.promptWithout = &series{}, &series{}
	if n == 10_000 {
		f.fresh.goals = []goal{{Of: ofP50, Most: budgetSearch}}
	}
	if grep, err := exec.LookPath("grep"); err == nil {
		f.grep = &series{name: f.name("grep -ril of one word"), yard: true, program: f.full.command(grep)}
	} else {
		b.report.skip(f.name("grep -ril of one word"), "grep is not on PATH", "install grep")
	}
	return f, nil
}

func (f *folder) name(what string) string { return f.what + ", " + what }

// call returns a command of memento's in the place with the records.
func (f *folder) call(args ...string) program { return f.full.command(f.memento, args...) }

// startSession returns the hook of a session's start in a place.
func (f *folder) startSession(at *place, session string) program {
	return at.hook(f.memento, event{name: "SessionStart", session: session, fields: fields{"source": "startup"}})
}

// sendPrompt returns the hook of a prompt with these words in a place.
func (f *folder) sendPrompt(at *place, session, words string) program {
	prompt := fields{"prompt": words + ", and do that too."}
	return at.hook(f.memento, event{name: "UserPromptSubmit", session: session, fields: prompt})
}

// buildIndex measures the time of the first search, which builds the index, and the size of the index.
func (f *folder) buildIndex() error {
	first := &series{name: f.name("the first search, which builds the index")}
	first.program = f.call("search", f.words.asked[0])
	if err := f.runRound([]*series{first}); err != nil {
		return err
	}
	f.report.add(first)
	size := 0.0
	for _, name := range [...]string{"base", "turns"} {
		if info, err := os.Stat(filepath.Join(f.full.store(), "cache", "index", name)); err == nil {
			size += float64(info.Size()) / 1e6
		}
	}
	f.report.addRow(summary(f.name("the index"), "MB", []float64{size}))
	return nil
}

// checkFound returns an error when a search or a prompt with a record's own words does not find it. A search that finds
// nothing is fast.
func (f *folder) checkFound() error {
	words := f.words.asked[0]
	out, err := f.call("search", words, "--json").output()
	if err != nil {
		return err
	}
	if !json.Valid(out) || !bytes.Contains(out, []byte("shop--")) {
		return fmt.Errorf("memento search finds nothing for %q: %s", words, out)
	}
	if err := runAll(f.startSession(f.full, "s0")); err != nil {
		return err
	}
	if out, err = f.sendPrompt(f.full, "s0", words).output(); err != nil {
		return err
	}
	if !bytes.Contains(out, []byte("shop--")) {
		return fmt.Errorf("a prompt of a record's own words brings none: %s", out)
	}
	return nil
}

// measureRound runs each series once: a search, a save and the search after it, and a session's start and prompt, with
// the records and without any. A session shows each record once, so each prompt is the first of a new session.
func (f *folder) measureRound(i int) error {
	words := f.words.asked[i%len(f.words.asked)]
	title, body := f.words.makeRecord(f.records + i)
	session := fmt.Sprintf("s%d", i+1)
	f.fresh.program = f.call("search", words)
	f.save.program = f.call("save", "decision", title, "--set", "decision="+body)
	f.saved.program = f.fresh.program
	f.start.program, f.prompt.program = f.startSession(f.full, session), f.sendPrompt(f.full, session, words)
	f.startWithout.program = f.startSession(f.none, session)
	f.promptWithout.program = f.sendPrompt(f.none, session, words)
	groups := [][]*series{
		{f.hello}, {f.fresh}, {f.save, f.saved}, {f.start, f.prompt}, {f.startWithout, f.promptWithout},
	}
	if f.grep != nil && (f.records <= 10_000 || i < 12) {
		f.grep.program.args = []string{"-ril", strings.Fields(words)[0], f.full.store()}
		groups = append(groups, []*series{f.grep})
	}
	if err := f.settle(); err != nil {
		return err
	}
	return f.runRound(groups...)
}

// leaveRecord runs the hook of a subagent's end without measuring. The hook writes a record and does not tell the
// index, as in most sessions. The next round has to find the record.
func (f *folder) leaveRecord(i int) error {
	answer := fmt.Sprintf("Number %d is in cart.go.\n\n%s", i, strings.Repeat("It is compared there. ", 50))
	end := event{name: "SubagentStop", session: fmt.Sprintf("s%d", i+1),
		fields: fields{"agent_id": fmt.Sprint("a", i), "agent_type": "Explore", "last_assistant_message": answer}}
	before, err := filepath.Glob(filepath.Join(f.full.store(), "*--*.md"))
	if err != nil {
		return err
	}
	if err := runAll(f.full.hook(f.memento, end)); err != nil {
		return err
	}
	now, err := filepath.Glob(filepath.Join(f.full.store(), "*--*.md"))
	if err == nil && len(now) != len(before)+1 {
		err = fmt.Errorf("a subagent's end wrote %d records, not 1", len(now)-len(before))
	}
	return err
}

// publish reports the series, and the time that the records add to a session's start and to a prompt.
func (f *folder) publish() {
	f.report.add(f.hello)
	if f.grep != nil {
		f.report.add(f.grep)
	}
	f.report.add(f.fresh, f.saved, f.save, f.start, f.prompt)
	budget := 0.0
	if f.records == 1_000 {
		budget = budgetLookup
	}
	f.added("what the records add to a session's start", f.start, f.startWithout, budget)
	f.added("what the look-up adds to a prompt", f.prompt, f.promptWithout, budget)
}

// added reports how much longer one series took than the other in each round. budget is in ms, 0 for none.
func (f *folder) added(what string, with, without *series, budget float64) {
	s := &series{name: f.name(what)}
	if budget > 0 {
		s.goals = []goal{{Of: ofP50, Most: budget}}
	}
	for i, t := range with.took {
		s.took = append(s.took, took{wall: t.wall - without.took[i].wall})
	}
	f.report.add(s)
}
