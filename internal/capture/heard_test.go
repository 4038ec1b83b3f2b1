package capture

import (
	"testing"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
)

// What stands in a sentence of the user's is found with all of it.
func TestHeard(t *testing.T) {
	d := newDesk(t)
	d.say(d.session("s1"),
		"Fix the auth pipeline. Deploy to staging only, never to production. Use uvicorn only!",
		"don't change the token format",
		"Rules:\n- keep the colours\n- title max 20 words",
		"Two things matter.\n- keep the logo",
		"should we drop the users table?",
		"不要更改令牌格式",
		"Deploy to production now. I mean it.",
	)
	d.update(func(j *journal.Journal) { // what others said is nobody's word
		j.Keep(log.Entry{Kind: "subagent", Agent: "a1", Verb: "done", Text: "the tests are green"})
		j.SetWip("work in hand of somebody", journal.ByClaude)
	})
	for _, tt := range []struct {
		words, sentence string
	}{
		{"fix the auth pipeline", "Fix the auth pipeline."},
		{"Fix the “auth”  PIPELINE.", "Fix the auth pipeline."},
		{"fix the auth pipeline…", "Fix the auth pipeline."},
		{"Deploy to staging only, never to production.", "Deploy to staging only, never to production."},
		{"deploy to staging", "Deploy to staging only, never to production."},
		{"change the token format", "don't change the token format"},
		{"don't change the token format", "don't change the token format"},
		{"use uv", ""},
		{"use uvicorn", "Use uvicorn only!"},
		{"drop the users table", "should we drop the users table?"},
		{"更改令牌格式", "不要更改令牌格式"},
		{"不要更改令牌格式", "不要更改令牌格式"},
		{"keep the colours", "- keep the colours"},
		{"keep the logo", "- keep the logo"},
		{"to production now", "Deploy to production now."},
		{"Deploy to production now. I mean it.", "Deploy to production now. I mean it."},
		{"to production", "Deploy to production now."}, // the newest counts
		{"the tests are green", ""},
		{"work in hand of somebody", ""},
		{"deploy to the moon", ""},
		{"auth", ""}, // too little to mean anything
		{"", ""},
		{"…", ""},
	} {
		if sentence := Heard(d.store.Lane, tt.words); sentence != tt.sentence {
			t.Errorf("Heard(%q) = %q, want %q", tt.words, sentence, tt.sentence)
		}
	}
}
