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
	"strings"
	"time"
)

// budgetLookup is what a look-up in 1,000 records may add to a prompt, in ms.
const budgetLookup = 4.0

// searches measures a search in folders of 100 to 100,000 records: the first, which builds the index; those that find it fresh;
// the first after a record was saved; what a save takes; and what the look-up adds to a prompt. grep -ril over the same folder
// stands beside it.
func searches(b *bench) error {
	counts := []int{100, 1_000, 10_000, 100_000}
	if b.quick {
		counts = counts[:2]
	}
	for _, n := range counts {
		if free, err := free(b.dir); err != nil || free < int64(n)*16<<10+1<<30 {
			b.report.note(fmt.Sprintf("%d records: NOT MEASURED: there is too little room where the scratch folder is", n))
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
	out, err := memento("search", queries[0], "--json").output()
	if err != nil {
		return err
	}
	if !json.Valid(out) || !bytes.Contains(out, []byte("shop--")) {
		return fmt.Errorf("memento search finds nothing for %q: %s", queries[0], out)
	}

	rounds := 100
	if b.quick {
		rounds = 30
	}
	base := &series{name: name("hello-world in Go"), yard: true, program: hello}
	fresh := &series{name: name("search"), base: base}
	saved := &series{name: name("search after a save"), base: base}
	save := &series{name: name("save"), base: base}
	grep := &series{name: name("grep -ril of one word"), yard: true}
	where, err := exec.LookPath("grep")
	if err != nil {
		b.report.note("grep is not on PATH: its yardstick is missing")
	}
	prompt := &series{name: name("a prompt"), base: base}
	// The same prompts, with no record there.
	none, err := b.place(fmt.Sprintf("no-records-%d", n))
	if err != nil {
		return err
	}
	without := &series{name: name("the same prompt where there are none"), base: base, yard: true}
	// A record is shown once a session, so each prompt is the first of a session of its own.
	start := func(at *place, session string) error {
		_, err := program{path: b.memento, args: []string{"hook"}, at: at, stdin: at.event("SessionStart", session, map[string]any{"source": "startup"})}.output()
		return err
	}
	question := func(at *place, session, q string) program {
		return program{path: b.memento, args: []string{"hook"}, at: at, stdin: at.event("UserPromptSubmit", session, map[string]any{"prompt": q + ", how did we do that?"})}
	}
	if err := start(p, "s0"); err != nil {
		return err
	}
	if out, err := question(p, "s0", queries[0]).output(); err != nil || !bytes.Contains(out, []byte("shop--")) { // an event that finds nothing is fast
		return fmt.Errorf("a prompt of a record's own words brings none: %q, %w", out, err)
	}
	run := func(s *series, pr program) error {
		t, err := pr.run()
		s.took = append(s.took, t)
		return err
	}
	for i := range rounds {
		if i > 10 && time.Now().After(b.until) {
			break
		}
		q := queries[i%len(queries)]
		text, words := vocabulary.record(n + i)
		session := fmt.Sprintf("s%d", i+1)
		for _, at := range []*place{p, none} {
			if err := start(at, session); err != nil {
				return err
			}
		}
		if err := b.settle(); err != nil {
			return err
		}
		type step struct {
			s *series
			p program
		}
		groups := [][]step{
			{{base, hello}},
			{{fresh, memento("search", q)}},
			{{without, question(none, session, q)}},
			{{prompt, question(p, session, q)}},
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
	}
	added := &series{name: name("what the look-up adds to a prompt"), program: prompt.program}
	for i, t := range prompt.took {
		added.took = append(added.took, took{wall: t.wall - without.took[i].wall})
	}
	for _, s := range []*series{base, grep, fresh, saved, save, without, prompt} {
		b.report.add(s)
	}
	b.report.add(added)
	if n <= 1000 {
		rows := b.report.last().Rows
		last := &rows[len(rows)-1]
		met := last.P50 <= budgetLookup
		last.Goal, last.Met = budgetLookup, &met
	}
	if info, err := os.Stat(filepath.Join(p.store(), "index", "base")); err == nil {
		b.report.note(fmt.Sprintf("%d records: the index has %.1f MB", n, float64(info.Size())/1e6))
	}
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
