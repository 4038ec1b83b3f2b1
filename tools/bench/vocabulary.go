package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// vocabulary makes up records, always the same ones. Their words have the frequencies of natural text.
type vocabulary struct {
	random *rand.Rand
	zipf   *rand.Zipf
	asked  []string // queries: six neighbouring words of each of the first records
	// recalled are queries too: five neighbouring words of some turns.
	recalled []string
}

func newVocabulary() *vocabulary {
	r := rand.New(rand.NewPCG(1, 2))
	return &vocabulary{random: r, zipf: rand.NewZipf(r, 1.1, 2, 50_000)}
}

func (v *vocabulary) makeWord() string {
	var b strings.Builder
	for n := v.zipf.Uint64()*7 + 11; n > 0; n /= 20 {
		b.WriteByte("bcdfghjklmnpqrstvwxz"[n%20])
		b.WriteByte("aeiou"[n%5])
	}
	return b.String()
}

// makeText makes up a text of n words.
func (v *vocabulary) makeText(n int) string {
	var b strings.Builder
	for k := range n {
		b.WriteString(v.makeWord())
		if k%14 == 13 {
			b.WriteString(".\n")
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.TrimSpace(b.String())
}

// makeRecord makes up the title and the 200 to 400 words of the nth record.
func (v *vocabulary) makeRecord(n int) (title, body string) {
	body = v.makeText(200 + v.random.IntN(200))
	if len(v.asked) < 40 {
		v.asked = append(v.asked, strings.NewReplacer(".", "").Replace(strings.Join(strings.Fields(body)[20:26], " ")))
	}
	return fmt.Sprintf("%s %s %d", v.makeWord(), v.makeWord(), n), body
}

// writeRecords writes n records to a place. Memento saves the first one, and writeRecords copies its form for the
// others, since 100,000 saves would take minutes: each forces its file to the disk.
func (v *vocabulary) writeRecords(p *place, memento string, n int) error {
	title, body := v.makeRecord(0)
	save := p.command(memento, "save", "decision", title, "--set", "decision="+body, "--tag", "auth")
	if err := runAll(save); err != nil {
		return err
	}
	found, err := filepath.Glob(filepath.Join(p.store(), "*--*.md"))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("memento saved %d records where one was expected", len(found))
	}
	pattern, err := os.ReadFile(found[0])
	if err != nil {
		return err
	}
	id := strings.TrimSuffix(filepath.Base(found[0]), ".md")
	for _, given := range []string{body, title, id} {
		if !bytes.Contains(pattern, []byte(given)) {
			return fmt.Errorf("the record that memento saved does not hold what it was given: %s", pattern)
		}
	}
	project, _, _ := strings.Cut(id, "--")
	for i := 1; i < n; i++ {
		t, text := v.makeRecord(i)
		name := project + "--" + strings.ReplaceAll(t, " ", "-")
		data := strings.NewReplacer(body, text, title, t, id, name).Replace(string(pattern))
		if err := p.put(name+".md", []byte(data)); err != nil {
			return err
		}
	}
	return nil
}
