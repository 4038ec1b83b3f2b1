package hook

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/pace"
)

// TestStartNews: a start tells what is new, two lines at most, the rest at the next start, and nothing twice.
func TestStartNews(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.home, ".claude", ".memento")
	w.start("startup")
	if w.message != "" {
		t.Fatalf("an empty store has news: %q", w.message)
	}
	put := func(machine, mission string, opened time.Time) {
		t.Helper()
		m := pace.Mission{Machine: machine, Lane: "shop--alice", Mission: mission, By: "user",
			Opened: opened.Format(time.RFC3339)}
		others := pace.Others{Names: map[string]string{machine: machine}, Missions: []pace.Mission{m}}
		if err := others.Save(dir, "shop"); err != nil {
			t.Fatal(err)
		}
	}
	next := func(session string, want ...string) {
		t.Helper()
		w.now = w.now.Add(time.Hour)
		w.send(map[string]any{"hook_event_name": "SessionStart", "source": "startup", "session_id": session})
		var got []string
		if w.message != "" {
			got = strings.Split(w.message, "\n")
		}
		if len(got) != len(want) || len(got) > maxNotices {
			t.Fatalf("%s is told %q, want %q", session, got, want)
		}
		for i := range want {
			if !strings.HasPrefix(got[i], "memento: "+want[i]) {
				t.Errorf("%s is told %q, want %q", session, got[i], want[i])
			}
		}
	}
	put("desk", "Sell the jars", w.now.Add(-30*24*time.Hour)) // long ago
	next("s2")
	put("desk", "Sell the \"jars\"", w.now.Add(-3*time.Hour))
	next("s3", `news from desk: "Sell the ”jars”", opened 4 hours ago`)
	next("s4")
	put("desk", "Buy new lids", w.now)
	w.env["MEMENTO_NOTIFY"] = "never"
	next("s7")
	w.env["MEMENTO_NOTIFY"] = "auto" // it was not told yet
	next("s8", `news from desk: "Buy new lids"`)
}

// TestRuleNews: what an earlier session taught is told once, and not in the session that taught it.
func TestRuleNews(t *testing.T) {
	w := newWorld(t)
	w.start("startup")
	w.prompt("Fix the importer. Never push to the main branch without a review.")
	w.append(w.line("u1", "", "Fix the importer. Never push to the main branch without a review."))
	w.send(map[string]any{"hook_event_name": "SessionEnd", "reason": "other"})
	w.now = w.now.Add(20 * time.Hour)
	start := func(session string) string {
		w.send(map[string]any{"hook_event_name": "SessionStart", "source": "startup", "session_id": session,
			"transcript_path": filepath.Join(w.home, session+".jsonl")})
		return w.message
	}
	if got := start("s2"); !strings.Contains(got, `memento: kept from your words: "Never push to the main branch without a review.`) {
		t.Errorf("the next day says %q", got)
	}
	if got := start("s3"); strings.Contains(got, "kept") {
		t.Errorf("a second time: %q", got)
	}
}
