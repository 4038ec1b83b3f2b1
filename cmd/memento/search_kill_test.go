//go:build unix

package main

import (
	"cmp"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
)

// TestKillWhileIndexing kills a search that updates the index, a save and a rebuild, at different moments. No
// acknowledged record is lost, and the next search finds all records.
func TestKillWhileIndexing(t *testing.T) {
	fixture.Long(t, "kills processes")
	c := newCrowd(t)
	dir := filepath.Join(c.home, ".claude", ".memento")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	store := record.Store{Dir: dir, Now: time.Now, Wait: time.Second}
	byHand := func(n int, words string) {
		body := fmt.Sprintf("---\nkind: debt\ntitle: Number %d\ntags: [a]\n---\n%s\n%s\n", n, words,
			strings.Repeat("It waits for its turn, as the others do.\n", 40))
		fixture.Write(t, filepath.Join(dir, fmt.Sprintf("shop--n%d.md", n)), body)
	}
	const many = 150
	for n := range many {
		byHand(n, fmt.Sprint("first", n))
	}
	start := time.Now()
	c.run(c.command("", "search", "--rebuild"))
	whole := time.Since(start)
	acknowledged := map[string]bool{}
	for i := range 40 {
		for k := range 5 { // records that the index does not know
			byHand((i*5+k)%many, fmt.Sprintf("mark%d", i*5+k))
		}
		cmd := c.command("", "search", "turn")
		title := ""
		switch i % 3 {
		case 1:
			title = fmt.Sprint("Saved ", i)
			cmd = c.command("", "save", "debt", title, "--set", "description=It was saved.")
		case 2:
			cmd = c.command("", "search", "--rebuild")
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		killed := time.AfterFunc(time.Duration(rand.Int63n(int64(whole)+int64(whole)/4)),
			func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		killed.Stop()
		if err == nil && title != "" {
			acknowledged[title] = true
		}
		for k := range 5 {
			n := i*5 + k
			out := c.run(c.command("", "search", fmt.Sprint("mark", n)))
			if want := fmt.Sprintf("shop--n%d\n", n%many); strings.Count(out, "shop--") != 1 ||
				!strings.Contains(out, want) {
				t.Fatalf("after %d, %v: mark%d finds\n%s", i, cmd.Args[1:], n, out)
			}
			if k > 0 && i%10 > 0 { // the first search has repaired the index
				break
			}
		}
	}
	all, problems, err := store.List(record.Filter{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	there := map[string]bool{}
	for _, r := range all {
		there[r.Title] = true
	}
	for title := range acknowledged {
		if !there[title] {
			t.Errorf("%q was acknowledged, and is lost", title)
		}
		if out := c.run(c.command("", "search", "--limit", "200", title)); !strings.Contains(out, title+"\n") {
			t.Errorf("%q is not found", title)
		}
	}
	if len(all) < many+len(acknowledged) {
		t.Errorf("%d records, want %d and %d that were saved", len(all), many, len(acknowledged))
	}
	if len(acknowledged) == 0 || len(acknowledged) == 13 {
		t.Logf("of 13 saves %d were acknowledged: the moments are badly spread", len(acknowledged))
	}
}

// TestKilledSessionEnd kills the hook for the end of a session at different moments. The session's record is complete
// or missing. If it is there, a search finds it. The same event again leaves exactly one record.
func TestKilledSessionEnd(t *testing.T) {
	fixture.Long(t, "kills processes")
	c := newCrowd(t)
	dir := filepath.Join(c.home, ".claude", ".memento")
	store := record.Store{Dir: dir, Now: time.Now, Wait: time.Second}
	whole := time.Duration(0)
	cut := 0
	for i := range 25 {
		id := fmt.Sprintf("%08x", 0xabc00000+i)
		c.run(c.hook(id, "SessionStart"))
		c.turn(id, i)
		c.run(c.hook(id, "Stop"))
		end := c.hook(id, "SessionEnd")
		start := time.Now()
		if err := end.Start(); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			killed := time.AfterFunc(time.Duration(rand.Int63n(int64(whole)+int64(whole)/4)),
				func() { _ = end.Process.Kill() })
			defer killed.Stop()
		}
		if err := end.Wait(); err == nil {
			whole = min(cmp.Or(whole, time.Hour), time.Since(start))
		}
		there := func() int {
			all, problems, err := store.List(record.Filter{Kinds: []string{"session"}, Status: schema.Statuses(),
				Match: "*-" + id})
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			return len(all)
		}
		search := func() int {
			return strings.Count(c.run(c.command("", "search", id, "--kind", "session")), "-"+id+"\n")
		}
		n := there()
		if n == 0 {
			cut++
		}
		if found := search(); n > 1 || found != n {
			t.Fatalf("end %d, cut short: %d records, and a search finds %d", i, n, found)
		}
		c.run(c.hook(id, "SessionEnd"))
		if n, found := there(), search(); n != 1 || found != 1 {
			t.Fatalf("end %d, told again: %d records, and a search finds %d", i, n, found)
		}
	}
	t.Logf("of 25 ends %d left no record", cut)
}
