package main

import (
	"fmt"
	"math/rand"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/past"
)

// TestBackfillKilled kills two backfills and a running session's hooks at random moments. In the end each turn is there
// once, and the open journal holds what the session said.
func TestBackfillKilled(t *testing.T) {
	fixture.Long(t, "kills processes")
	c := newCrowd(t)
	const sessions, each, kills = 12, 6, 60
	id := func(n int) string { return fmt.Sprintf("%08d-1111-4111-8111-111111111111", n) }
	at := time.Now().Add(-time.Hour).UTC()
	for n := range sessions {
		lines := ""
		for turn := range each {
			ts := at.Add(time.Duration(n*each+turn) * time.Second).Format(time.RFC3339)
			lines += fmt.Sprintf(`{"type":"user","uuid":"u%d-%d","sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"role":"user","content":"prompt %d of %d"}}`+"\n",
				n, turn, id(n), c.dir, ts, turn, n) +
				fmt.Sprintf(`{"type":"assistant","uuid":"a%d-%d","timestamp":%q,"message":{"content":[{"type":"text","text":"answer %d of %d"}]}}`+"\n",
					n, turn, ts, turn, n)
		}
		fixture.Write(t, filepath.Join(c.home, ".claude", "projects", "-shop", id(n)+".jsonl"), lines)
	}
	c.run(c.hook("s1", "SessionStart"))
	begin := time.Now()
	c.run(c.command("", "backfill", "--dry-run"))
	took := time.Since(begin) / 2
	r := rand.New(rand.NewSource(1))
	killed, turns := 0, 0
	for killed < kills && turns < 10*kills {
		c.turn("s1", turns)
		turns++
		run := []*exec.Cmd{c.command("", "backfill"), c.command("", "backfill", "--all", "--yes"), c.hook("s1", "Stop")}
		for _, cmd := range run {
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
		}
		for _, i := range r.Perm(len(run)) {
			time.Sleep(time.Duration(r.Int63n(int64(took))))
			_ = run[i].Process.Kill() // the process may have ended
			if run[i].Wait() != nil {
				killed++
			}
		}
		if r.Intn(8) == 0 { // the notes may be lost at any time: all is read again
			fixture.Write(t, filepath.Join(c.home, ".claude", ".memento", "log", "taken.jsonl"), "")
		}
	}
	if killed < kills {
		t.Errorf("only %d processes were killed in time", killed)
	}
	c.run(c.hook("s1", "Stop"))
	for range 2 {
		c.patient(0, "backfill", "--yes")
	}
	store := log.Store{Dir: filepath.Join(c.home, ".claude", ".memento")}
	list := func(session string) (out []string) {
		turns, err := past.Read(store, "shop", session)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range turns {
			out = append(out, one.Prompt+"="+one.Answer)
		}
		return out
	}
	for n := range sessions {
		all := list(id(n))
		if len(all) != each {
			t.Errorf("session %d has %q", n, all)
			continue
		}
		for turn, got := range all {
			if want := fmt.Sprintf("prompt %d of %d=answer %d of %d", turn, n, turn, n); got != want {
				t.Errorf("session %d has %q in the place of %q", n, got, want)
			}
		}
	}
	own := list("s1")
	if len(own) != turns {
		t.Errorf("the running session has %d turns, %d were typed", len(own), turns)
	}
	if j := c.sound(); j.Mission != asked("s1", 0) {
		t.Errorf("the journal's mission is %q", j.Mission)
	}
	left, err := filepath.Glob(filepath.Join(store.Dir, "log", "shop", "*", ".memento-tmp-*"))
	if err != nil || len(left) > kills/4 {
		t.Errorf("%d temporary files are left, %v", len(left), err)
	}
}
