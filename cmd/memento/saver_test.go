package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
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

// TestSavers: 32 savers save 6 records each, every record in a process of its own, and add a tag to one record. All
// savers use two titles at once: one of them wins, and the others get an error. Each acknowledged record is there once,
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
	for s := range savers {
		found := c.listed("search", fmt.Sprintf("word%dof%d", each-1, s))
		if title := fmt.Sprintf("Record %d of saver %d", each-1, s); found[title] != 1 {
			t.Errorf("searched for, %q is found %d times: %v", title, found[title], found)
		}
	}
}

// TestKilledSavers kills commands that save, change and move records, 80 times at different moments. After each kill
// every file is complete, every acknowledged change is there, and no lock is held. Temporary files go after an hour.
func TestKilledSavers(t *testing.T) {
	fixture.Long(t, "kills processes")
	c := newBinary(t)
	c.run(c.hook("s1", "SessionStart"))
	type fact struct{ status, body string }
	known := map[string]fact{} // the last acknowledged change, by id
	doubt := map[string]fact{} // the change of a killed command, by id: the old or the new one is right
	save := func(n int) string {
		title := fmt.Sprintf("Record %d", n)
		c.run(c.command("", "save", "runbook", title, "--set", "trigger=first", "--set", "steps=one"))
		id := fmt.Sprintf("shop--record-%d", n)
		known[id] = fact{schema.Active, "first"}
		return id
	}
	start := time.Now()
	const warm = 4
	for n := range warm {
		save(n)
	}
	took := time.Since(start) / warm
	verbs := []struct {
		args           func(id string) []string
		from, to, body string
	}{
		{func(id string) []string { return []string{"archive", "--as", "completed", id} }, schema.Active,
			schema.Completed, ""},
		{func(id string) []string { return []string{"restore", id} }, schema.Completed, schema.Active, ""},
		{func(id string) []string { return []string{"archive", id, "--reason", "over"} }, schema.Active,
			schema.Archived, ""},
		{func(id string) []string { return []string{"restore", id} }, schema.Archived, schema.Active, ""},
		{func(id string) []string { return []string{"archive", "--as", "retired", id, "--reason", "old"} },
			schema.Active, schema.Retired, ""},
		{func(id string) []string { return []string{"restore", id} }, schema.Retired, schema.Active, ""},
		{func(id string) []string { return []string{"edit", id, "--set", "trigger=second"} }, schema.Active,
			schema.Active, "second"},
	}
	r := rand.New(rand.NewPCG(2, 71))
	const kills = 80
	killed, runs, written, n := 0, 0, 0, warm
	for killed < kills && runs < 20*kills {
		runs++
		var cmd *exec.Cmd
		var id, title string
		now := fact{}
		if runs%3 == 0 {
			title = fmt.Sprintf("Record %d", n)
			id = fmt.Sprintf("shop--record-%d", n)
			n++
			now = fact{schema.Active, "first"}
			cmd = c.command("", "save", "runbook", title, "--set", "trigger=first", "--set", "steps=one")
		} else {
			var ids []string
			for id := range known {
				if _, killed := doubt[id]; !killed {
					ids = append(ids, id)
				}
			}
			if len(ids) < 2 {
				save(n)
				n++
				continue
			}
			slices.Sort(ids)
			id = ids[r.IntN(len(ids))]
			now = known[id]
			for _, i := range r.Perm(len(verbs)) {
				if v := verbs[i]; v.from == now.status && v.body != now.body {
					now.status = v.to
					if v.body != "" {
						now.body = v.body
					}
					cmd = c.command("", v.args(id)...)
					break
				}
			}
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Int64N(int64(took))))
		_ = cmd.Process.Kill() // the process may have ended
		if cmd.Wait() != nil {
			killed++
			doubt[id] = now
			took += took / 64
		} else {
			known[id] = now
			written++
			took = max(took-took/32, time.Millisecond/2)
		}
		filed := c.filed()
		for id, k := range known {
			held := filed[id]
			if len(held) == 0 {
				t.Fatalf("%s was acknowledged, and is gone", id)
			}
			if maybe, killed := doubt[id]; killed {
				for _, r := range held {
					if r.Status != k.status && r.Status != maybe.status || !strings.Contains(r.Body, k.body) &&
						!strings.Contains(r.Body, maybe.body) {
						t.Fatalf("%s was %v or %v, and is %s:\n%s", id, k, maybe, r.Status, r.Body)
					}
				}
				continue
			}
			if len(held) != 1 || held[0].Status != k.status || !strings.Contains(held[0].Body, k.body) {
				t.Fatalf("%s was acknowledged as %v, and is there %d times, %s:\n%s", id, k, len(held), held[0].Status,
					held[0].Body)
			}
		}
	}
	if killed < kills || written < 10 {
		t.Errorf("%d of %d processes were killed in time, %d acknowledged", killed, runs, written)
	}
	t.Logf("%d of %d processes killed within %v each; %d changes acknowledged, %d records", killed, runs, took, written,
		len(known))

	// The next commands finish a killed change: each record can be changed, and is then in one folder.
	filed := c.filed()
	for id := range filed {
		c.run(c.command("", "edit", id, "--set", "trigger=third"))
	}
	after := c.filed()
	for id := range filed {
		if held := after[id]; len(held) != 1 || !strings.Contains(held[0].Body, "third") {
			t.Errorf("%s is there %d times", id, len(held))
		}
	}
	if listed := c.listed("list", "--status", "all"); len(listed) != len(filed) {
		t.Errorf("%d are listed, %d are there", len(listed), len(filed))
	}
	if found := c.listed("search", "third", "--status", "all", "--limit", "10000"); len(found) != len(filed) {
		t.Errorf("%d are found, %d are there", len(found), len(filed))
	}
	c.sweeps()
}
