//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Budgets of the search section, in ms.
const (
	budgetLookup = 4.0  // what 1,000 records may add to a prompt, and to a session's start
	budgetSearch = 25.0 // a search in 10,000
)

// searches measures a search in folders of 100 to 100,000 records: the first, which builds the index; those that find it fresh;
// the first after a record was saved; what a save takes; what the records add to a session's start and to a prompt; and the ends of
// a subagent and of a session, which write one. grep -ril over the same folder stands beside it.
func searches(b *bench) error {
	counts := []int{100, 1_000, 10_000, 100_000}
	if b.quick {
		for _, n := range counts[2:] {
			b.report.skip(fmt.Sprintf("%d records", n), "--quick", "./bench.sh without --quick")
		}
		counts = counts[:2]
	}
	for _, n := range counts {
		if free, err := free(b.dir); err != nil || free < int64(n)*16<<10+1<<30 {
			b.report.skip(fmt.Sprintf("%d records", n), "there is too little room where the scratch folder is", "name a folder with more room in TMPDIR")
			continue
		}
		b.say("search: %d records", n)
		if err := b.search(n); err != nil {
			return fmt.Errorf("%d records: %w", n, err)
		}
	}
	return nil
}

func (b *bench) search(n int) error {
	p, err := b.place(fmt.Sprintf("records-%d", n))
	if err != nil {
		return err
	}
	defer os.RemoveAll(p.home)
	vocabulary := newVocabulary()
	name := func(what string) string { return fmt.Sprintf("%d records, %s", n, what) }
	memento := func(args ...string) program { return program{path: b.memento, at: p, args: args} }

	// One record by memento's own hand, the others after its pattern: a save forces its file to the disk, 100,000 would take minutes.
	title, body := vocabulary.record(0)
	if _, err := memento("save", "decision", title, "--set", "decision="+body, "--tag", "auth").output(); err != nil {
		return err
	}
	if err := vocabulary.records(p.store(), title, body, n); err != nil {
		return err
	}
	if err := b.settle(); err != nil {
		return err
	}
	queries := vocabulary.asked
	hello := program{path: b.hello, at: p}

	once := func(what string, pr program) error {
		t, err := pr.run()
		if err != nil {
			return err
		}
		s := &series{name: name(what), program: pr, took: []took{t}}
		b.report.add(s)
		return nil
	}
	if err := once("the first search, which builds the index", memento("search", queries[0])); err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Join(p.store(), "index", "base")); err == nil {
		b.report.figure(summary(name("the index"), "MB", []float64{float64(info.Size()) / 1e6}))
	}
	out, err := memento("search", queries[0], "--json").output()
	if err != nil {
		return err
	}
	if !json.Valid(out) || !bytes.Contains(out, []byte("shop--")) {
		return fmt.Errorf("memento search finds nothing for %q: %s", queries[0], out)
	}

	base := &series{name: name("hello-world in Go"), yard: true, program: hello}
	var all []*series
	timed := func(what string, goals ...goal) *series {
		s := &series{name: name(what), base: base, goals: goals}
		all = append(all, s)
		return s
	}
	grep := &series{name: name("grep -ril of one word"), yard: true}
	where, err := exec.LookPath("grep")
	if err != nil {
		b.report.skip(grep.name, "grep is not on PATH", "install grep")
	}
	var most, lookup []goal
	if n == 10_000 {
		most = []goal{{Of: ofP50, Most: budgetSearch}}
	}
	if n == 1_000 {
		lookup = []goal{{Of: ofP50, Most: budgetLookup}}
	}
	fresh, saved, save := timed("search", most...), timed("search after a save"), timed("save")
	begin, beginWithout := timed("a session's start"), &series{}
	prompt, promptWithout := timed("a prompt"), &series{}
	subagent, end, endOfDay := timed("a subagent's end"), timed("a session's end"), timed("a session's end, the first of a day")
	endOfDay.base, end.base = &series{}, &series{} // each runs every other round

	// The same with no record there.
	none, err := b.place(fmt.Sprintf("no-records-%d", n))
	if err != nil {
		return err
	}
	defer os.RemoveAll(none.home)
	hook := func(at *place, event, session string, fields map[string]any) program {
		return program{path: b.memento, args: []string{"hook"}, at: at, stdin: at.event(event, session, fields)}
	}
	start := func(at *place, session string) program {
		return hook(at, "SessionStart", session, map[string]any{"source": "startup"})
	}
	ask := func(q string) map[string]any { return map[string]any{"prompt": q + ", how did we do that?"} }
	records := func() int {
		found, _ := filepath.Glob(filepath.Join(p.store(), "*--*.md")) // of a pattern that is one
		return len(found)
	}
	if _, err := start(p, "s0").output(); err != nil {
		return err
	}
	if out, err := hook(p, "UserPromptSubmit", "s0", ask(queries[0])).output(); err != nil || !bytes.Contains(out, []byte("shop--")) { // an event that finds nothing is fast
		return fmt.Errorf("a prompt of a record's own words brings none: %q, %w", out, err)
	}
	if _, err := hook(p, "SessionEnd", "s0", map[string]any{"reason": "other"}).output(); err != nil {
		return err
	}
	run := func(s *series, pr program) error {
		t, err := pr.run()
		s.took = append(s.took, t)
		return err
	}
	rounds := 100
	if b.quick || n > 10_000 {
		rounds = 30
	}
	type step struct {
		s *series
		p program
	}
	for i := range rounds {
		if i > 10 && time.Now().After(b.until) {
			b.report.note("%d records: broken off after %d of %d rounds: the section's time was up", n, i, rounds)
			break
		}
		q := queries[i%len(queries)]
		text, words := vocabulary.record(n + i)
		session := fmt.Sprintf("s%d", i+1) // a record is shown once a session, so each prompt is the first of a session of its own
		if err := b.settle(); err != nil {
			return err
		}
		groups := [][]step{
			{{base, hello}},
			{{fresh, memento("search", q)}},
			{{beginWithout, start(none, session)}, {promptWithout, hook(none, "UserPromptSubmit", session, ask(q))}},
			{{begin, start(p, session)}, {prompt, hook(p, "UserPromptSubmit", session, ask(q))}},
			{{save, memento("save", "decision", text, "--set", "decision="+words)}, {saved, memento("search", q)}},
		}
		if where != "" && (n <= 10_000 || i < 12) {
			groups = append(groups, []step{{grep, program{path: where, at: p, args: []string{"-ril", strings.Fields(q)[0], p.store()}}}})
		}
		vocabulary.random.Shuffle(len(groups), func(i, k int) { groups[i], groups[k] = groups[k], groups[i] })
		for _, g := range groups {
			for _, step := range g {
				if err := run(step.s, step.p); err != nil {
					return err
				}
			}
		}

		// The sessions end, the one beside records with one more.
		for _, at := range []*place{p, none} {
			line := `{"type":"user","uuid":"u` + strconv.Itoa(i) + `","timestamp":"` + time.Now().UTC().Format(time.RFC3339Nano) + `","message":{"role":"user","content":"Fix number ` + strconv.Itoa(i) + ` of the checkout: orders above 1,000 EUR are lost."}}` + "\n"
			if err := write(at.transcript(session), []byte(line)); err != nil {
				return err
			}
			if _, err := hook(at, "Stop", session, nil).output(); err != nil {
				return err
			}
		}
		collected := filepath.Join(p.store(), "state", "collected")
		last := end
		if i%2 == 1 {
			last = endOfDay
			if err := write(collected, []byte(time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)+"\n")); err != nil {
				return err
			}
		}
		if err := b.settle(); err != nil {
			return err
		}
		before := records()
		answer := fmt.Sprintf("Number %d is in cart.go.\n\n%s", i, strings.Repeat("It is compared there. ", 50))
		if err := run(subagent, hook(p, "SubagentStop", session, map[string]any{"agent_id": fmt.Sprint("a", i), "agent_type": "Explore", "last_assistant_message": answer})); err != nil {
			return err
		}
		if err := b.settle(); err != nil {
			return err
		}
		if err := run(last, hook(p, "SessionEnd", session, map[string]any{"reason": "other"})); err != nil {
			return err
		}
		if now := records(); now != before+2 { // an event that writes nothing is fast
			return fmt.Errorf("a subagent's end and a session's wrote %d records, not 2", now-before)
		}
		last.base.took = append(last.base.took, base.took[len(base.took)-1])
		if _, err := os.Stat(collected); err != nil { // and it is there for the next
			return fmt.Errorf("a session's end leaves no word of the day: %w", err)
		}
		if _, err := hook(none, "SessionEnd", session, map[string]any{"reason": "other"}).output(); err != nil {
			return err
		}
		if err := none.empty(); err != nil {
			return err
		}
	}
	b.report.add(base)
	if len(grep.took) > 0 {
		b.report.add(grep)
	}
	for _, s := range all {
		b.report.add(s)
	}
	// more reports what with takes more than without in the same round.
	more := func(what string, with, without *series) {
		added := &series{name: name(what), goals: lookup}
		for i, t := range with.took {
			added.took = append(added.took, took{wall: t.wall - without.took[i].wall})
		}
		b.report.add(added)
	}
	more("what the records add to a session's start", begin, beginWithout)
	more("what the look-up adds to a prompt", prompt, promptWithout)
	return nil
}

// vocabulary makes up records whose words are as often as words of natural text are, always the same ones.
type vocabulary struct {
	random *rand.Rand
	zipf   *rand.Zipf
	asked  []string // six neighbouring words each of some of the records
}

func newVocabulary() *vocabulary {
	r := rand.New(rand.NewPCG(1, 2))
	return &vocabulary{random: r, zipf: rand.NewZipf(r, 1.1, 2, 50_000)}
}

func (v *vocabulary) word() string {
	var b strings.Builder
	for n := v.zipf.Uint64()*7 + 11; n > 0; n /= 20 {
		b.WriteByte("bcdfghjklmnpqrstvwxz"[n%20])
		b.WriteByte("aeiou"[n%5])
	}
	return b.String()
}

// record makes up the title and the 200 to 400 words of the nth record.
func (v *vocabulary) record(n int) (title, body string) {
	var b strings.Builder
	for k := range 200 + v.random.IntN(200) {
		b.WriteString(v.word())
		if k%14 == 13 {
			b.WriteString(".\n")
		} else {
			b.WriteByte(' ')
		}
	}
	body = strings.TrimSpace(b.String())
	if len(v.asked) < 40 {
		v.asked = append(v.asked, strings.NewReplacer(".", "").Replace(strings.Join(strings.Fields(body)[20:26], " ")))
	}
	return fmt.Sprintf("%s %s %d", v.word(), v.word(), n), body
}

// records puts n-1 more records beside the one that memento saved.
func (v *vocabulary) records(store, title, body string, n int) error {
	found, err := filepath.Glob(filepath.Join(store, "*--*.md"))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("memento saved %d records where one was expected", len(found))
	}
	pattern, err := os.ReadFile(found[0])
	if err != nil {
		return err
	}
	id := strings.TrimSuffix(filepath.Base(found[0]), ".md")
	if !bytes.Contains(pattern, []byte(body)) || !bytes.Contains(pattern, []byte(title)) || !bytes.Contains(pattern, []byte(id)) {
		return fmt.Errorf("the record that memento saved does not hold what it was given: %s", pattern)
	}
	project, _, _ := strings.Cut(id, "--")
	for i := 1; i < n; i++ {
		t, text := v.record(i)
		name := project + "--" + strings.ReplaceAll(t, " ", "-")
		data := strings.NewReplacer(body, text, title, t, id, name).Replace(string(pattern))
		if err := os.WriteFile(filepath.Join(store, name+".md"), []byte(data), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// empty takes the records from a place again, and their index.
func (p *place) empty() error {
	found, err := filepath.Glob(filepath.Join(p.store(), "*--*.md"))
	if err != nil {
		return err
	}
	for _, path := range append(found, filepath.Join(p.store(), "index")) {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}
