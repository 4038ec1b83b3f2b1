package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
)

// filed returns the records in the folder by id. Every file must be complete. A record in both folders is there twice.
func (c *crowd) filed() map[string][]*record.Record {
	c.t.Helper()
	out := map[string][]*record.Record{}
	for _, folder := range []string{"", naming.Archive} {
		entries, err := os.ReadDir(filepath.Join(c.lane().Dir, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.t.Fatal(err)
		}
		for _, e := range entries {
			id, ok := strings.CutSuffix(e.Name(), ".md")
			if !ok {
				continue
			}
			data, err := os.ReadFile(filepath.Join(c.lane().Dir, folder, e.Name()))
			if errors.Is(err, fs.ErrNotExist) { // another process moved the file
				continue
			}
			if err != nil {
				c.t.Fatal(err)
			}
			r, err := record.Decode(id, data)
			if err != nil || r.Problems() != nil {
				c.t.Fatalf("%s is not whole: %v %q\n%s", e.Name(), err, r.Problems(), data)
			}
			out[id] = append(out[id], r)
		}
	}
	return out
}

// listed counts the records in the answer of list or search, by title.
func (c *crowd) listed(args ...string) map[string]int {
	c.t.Helper()
	var answer struct {
		Records, Results []struct{ Title string }
	}
	if err := json.Unmarshal([]byte(c.run(c.command("", append(args, "--json")...))), &answer); err != nil {
		c.t.Fatal(err)
	}
	out := map[string]int{}
	for _, r := range append(answer.Records, answer.Results...) {
		out[r.Title]++
	}
	return out
}

// TestSavers: 32 savers save 3 records each, every record in a process of its own, and add a tag to one record. All
// savers use one title at once: one of them wins, and the others get an error. Each acknowledged record is there once,
// complete, and the one record has every tag.
func TestSavers(t *testing.T) {
	fixture.Long(t, "runs 32 savers")
	c := newBinary(t)
	const savers, each, shared = 32, 6, 2
	var mu sync.Mutex
	won := map[string]int{"Everybody's": 1}
	c.run(c.command("", "save", "decision", "Everybody's", "--set", "decision=It is tagged."))
	c.together(savers, func(s int) {
		for n := range each {
			title := fmt.Sprintf("Record %d of saver %d", n, s)
			if n < shared {
				title = fmt.Sprintf("Shared title %d", n)
			}
			code, out := c.patient(1, "save", "decision", title, "--set", fmt.Sprintf("decision=word%dof%d", n, s))
			switch {
			case code == 0:
				mu.Lock()
				won[title]++
				mu.Unlock()
			case n >= shared || !strings.Contains(out, "is there already"):
				t.Errorf("%q: %d: %s", title, code, out)
			}
		}
		c.patient(0, "edit", "everybodys", "--append", fmt.Sprintf("tags=saver-%d", s))
	})
	const want = 1 + shared + savers*(each-shared)
	if len(won) != want {
		t.Errorf("%d titles were acknowledged, want %d", len(won), want)
	}
	for title, n := range won {
		if n != 1 {
			t.Errorf("%q was acknowledged %d times", title, n)
		}
	}
	filed := c.filed()
	if len(filed) != want {
		t.Errorf("%d records are there, want %d", len(filed), want)
	}
	for id, r := range filed {
		if r[0].Title == "Everybody's" && (len(r[0].Tags) < savers || len(r[0].Changes) != savers+1) {
			t.Errorf("%s has %d changes and the tags %q", id, len(r[0].Changes), r[0].Tags)
		}
	}
	there := map[string]int{}
	for _, r := range filed {
		there[r[0].Title] += len(r)
	}
	listed := c.listed("list")
	for title := range won {
		if there[title] != 1 || listed[title] != 1 {
			t.Errorf("%q is there %d times, and listed %d times", title, there[title], listed[title])
		}
	}
	if left := c.leftovers(); left != nil {
		t.Errorf("left over: %q", left)
	}
	if found := c.listed("search", fmt.Sprintf("word%dof%d", each-1, savers-1)); len(found) != 1 {
		t.Errorf("a search for the word of one record finds %v", found)
	}
}
