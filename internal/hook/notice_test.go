package hook

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

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
	if got := start("s2"); !strings.Contains(got,
		`memento: kept from your words: "Never push to the main branch without a review.`) {
		t.Errorf("the next day says %q", got)
	}
	if got := start("s3"); strings.Contains(got, "kept") {
		t.Errorf("a second time: %q", got)
	}
}
