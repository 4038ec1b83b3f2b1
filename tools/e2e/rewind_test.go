package e2e

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// uuidOf returns the id of the first line of this type in a session's transcript that holds text.
func uuidOf(t *testing.T, w *world, session, kind, text string) string {
	t.Helper()
	data, err := os.ReadFile(Transcript(w.home, session))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var l struct{ Type, UUID string }
		if json.Unmarshal([]byte(line), &l) == nil && l.Type == kind && strings.Contains(line, text) {
			return l.UUID
		}
	}
	t.Fatalf("no %s line holds %q", kind, text)
	return ""
}

// TestRewind: a session that goes on from an earlier point leaves a branch in the transcript. What was said on that
// branch no longer holds.
func TestRewind(t *testing.T) {
	const (
		agreed    = "The refresh path compares the expiry with local time."
		abandoned = "Never mind the database: keep the sessions in Redis only, and drop the audit log."
		instead   = "Keep the sessions in the database, and never touch the audit log."
	)
	w := newWorld(t)
	r := w.run(Session{
		Prompts: []string{mission, second, abandoned},
		Script:  Script{Main: []Turn{Say("I will look at the session handling."), Say(agreed), Say("Redis it is.")}},
	})
	id := r.Sessions[0]
	r = w.run(Session{
		Args:    []string{"--resume", id, "--resume-session-at", uuidOf(t, w, id, "assistant", agreed)},
		Prompts: []string{instead, "And the tests?", "/compact", "Go on."},
	})
	never(t, "what the model sees", r.Of(Main)[0].Text(), abandoned)
	// The conversation that is left has what still holds.
	for _, q := range r.Of(Main)[:2] {
		never(t, "what the model sees before the compaction", q.Text(), "[MEMENTO] Mission: ")
	}
	for _, block := range r.Said("SessionStart:compact") {
		want(t, "the block", block, "[MEMENTO] Mission: "+mission, rule, instead)
		never(t, "the block", block, "Redis")
	}
	for _, q := range r.Of(Summary) {
		never(t, "the brief", q.Brief(), "Redis")
	}
	if n := len(r.Of(Summary)); n != 1 {
		t.Errorf("%d compactions, not 1", n)
	}
	// The history has the words of the abandoned branch all the same.
	want(t, "what was said", w.shell(memento(), "show", "--said"), abandoned, instead)
}
