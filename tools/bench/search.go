package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Budgets of the search section, in ms.
const (
	budgetLookup = 4.0  // the time that 1,000 records may add to a prompt, and to a session's start
	budgetSearch = 25.0 // a search in 10,000
	budgetPast   = 60.0 // a search in 10,000 and 100,000 turns
)

// searches measures folders of 100 to 100,000 records, and one with turns. The yardstick of a search is grep -ril over
// the same folder.
func searches(b *bench) error {
	sizes := [][2]int{{100, 0}, {1_000, 0}, {10_000, 0}, {100_000, 0}, {10_000, 100_000}}
	if b.quick {
		sizes = [][2]int{{100, 0}, {1_000, 0}, {1_000, 2_100}}
		b.report.note("--quick: small folders alone")
	}
	for _, size := range sizes {
		records, turns := size[0], size[1]
		what := fmt.Sprintf("%d records", records)
		if turns > 0 {
			what += fmt.Sprintf(" and %d turns", turns)
		}
		if !b.wants(what) || !b.hasRoom(what, int64(records)*16<<10+int64(turns)*4<<10) {
			continue
		}
		b.say("search: %s", what)
		if err := b.search(what, records, turns); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}

// wants reports whether a row or a size of this name is to be measured.
func (b *bench) wants(name string) bool {
	named := func(words string) bool { return strings.Contains(name, words) }
	return len(b.cases) == 0 || slices.ContainsFunc(b.cases, named)
}

// search measures a folder of records and turns.
func (b *bench) search(what string, records, turns int) error {
	f, err := b.newFolder(what, records, turns)
	if err != nil {
		return err
	}
	defer os.RemoveAll(f.full.home)
	defer os.RemoveAll(f.none.home)
	if err := f.words.writeRecords(f.full, b.memento, records); err != nil {
		return err
	}
	if err := f.words.writeTurns(f.full, turns); err != nil {
		return err
	}
	f.queries = f.words.asked
	if turns > 0 {
		f.queries = f.words.recalled
	}
	for _, step := range []func() error{b.settle, f.buildIndex, f.checkFound} {
		if err := step(); err != nil {
			return err
		}
	}
	rounds := 100
	if b.quick || records+turns > 10_000 {
		rounds = 30
	}
	for i := range rounds {
		if b.isLate(i, rounds) {
			break
		}
		if err := f.measureRound(i); err != nil {
			return err
		}
		leave := f.leaveRecord
		if turns > 0 {
			leave = f.leaveTurn
		}
		if err := leave(i); err != nil {
			return err
		}
	}
	f.publish()
	return nil
}

// folder is a folder of records and turns, and its series.
type folder struct {
	*bench
	what           string // how the report calls the folder
	records, turns int    // how many there are
	full, none     *place // a place with them, and one without any
	words          *vocabulary
	queries        []string

	hello, grep, fresh, saved, save, turned    *series
	start, prompt, startWithout, promptWithout *series
}

func (b *bench) newFolder(what string, records, turns int) (f *folder, err error) {
	f = &folder{bench: b, what: what, records: records, turns: turns, words: newVocabulary()}
	name := strings.ReplaceAll(what, " ", "-")
	if f.full, err = b.newPlace(name); err != nil {
		return nil, err
	}
	if f.none, err = b.newPlace("none-beside-" + name); err != nil {
		return nil, err
	}
	f.hello = &series{name: f.name("hello-world in Go"), yard: true, program: f.full.command(b.hello)}
	over := func(what string) *series { return &series{name: f.name(what), base: f.hello} }
	f.fresh, f.saved, f.save = over("search"), over("search after a save"), over("save")
	f.turned, f.start, f.prompt = over("search after a turn"), over("a session's start"), over("a prompt")
	f.startWithout, f.promptWithout = &series{}, &series{}
	switch {
	case records == 10_000 && turns > 0:
		f.fresh.goals = []goal{{Of: ofP50, Most: budgetPast}}
	case records == 10_000:
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
	first.program = f.call("search", f.queries[0])
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

// checkFound returns an error when most searches for words of records or turns find none, or when a prompt with a
// record's own words does not find it. A search that finds nothing is fast.
func (f *folder) checkFound() error {
	found, sign := 0, "shop--"
	if f.turns > 0 {
		sign = "memento show "
	}
	for _, words := range f.queries {
		out, err := f.call("search", words).output()
		if err != nil {
			return err
		}
		if bytes.Contains(out, []byte(sign)) {
			found++
		}
	}
	if found < len(f.queries)*2/3 {
		return fmt.Errorf("of %d searches %d find what they look for", len(f.queries), found)
	}
	if err := runAll(f.startSession(f.full, "s0")); err != nil {
		return err
	}
	out, err := f.sendPrompt(f.full, "s0", f.words.asked[0]).output()
	if err == nil && !bytes.Contains(out, []byte("shop--")) {
		err = fmt.Errorf("a prompt of a record's own words brings none: %s", out)
	}
	return err
}

// measureRound runs each series once: a search, a save and the search after it, and a session's start and prompt, with
// the records and without any. A session shows each record once, so each prompt is the first of a new session.
func (f *folder) measureRound(i int) error {
	words := f.queries[i%len(f.queries)]
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
	if f.grep != nil && (f.records+f.turns <= 10_000 || i < 12) {
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

// leaveTurn writes a turn without telling the index, as a session does, and measures the search that has to find it.
func (f *folder) leaveTurn(i int) error {
	session, now := fmt.Sprintf("n%d", i), time.Now().UTC()
	line := turnLine(session, 1, now, f.words.makeText(20), f.words.makeText(60))
	if err := f.full.put(turnFile(session, now), line); err != nil {
		return err
	}
	f.turned.program = f.fresh.program
	return f.runRound([]*series{f.turned})
}

// publish reports the series, and the time that the records add to a session's start and to a prompt.
func (f *folder) publish() {
	f.report.add(f.hello)
	if f.grep != nil {
		f.report.add(f.grep)
	}
	f.report.add(f.fresh, f.saved, f.save, f.turned, f.start, f.prompt)
	start, prompt := 0.0, 0.0
	if f.records == 1_000 {
		start, prompt = budgetLookup, budgetLookup
	}
	if f.turns > 0 {
		prompt = budgetLookup
	}
	f.added("what the records add to a session's start", f.start, f.startWithout, start)
	f.added("what the look-up adds to a prompt", f.prompt, f.promptWithout, prompt)
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
