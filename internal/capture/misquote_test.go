package capture

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// What the user typed in any way is no misquote: at the client's shell, as a note, as the answer to a question of
// Claude's, or so late that the transcript does not show it yet.
func TestMisquoted(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "fix the auth pipeline", "never push to main")
	d.write(st, d.line("<bash-input>npm run build --workspace shop</bash-input>"))
	d.write(st, d.line("<user-memory-input>always name the test after the bug</user-memory-input>"))
	d.write(st, toolLines("t1", "AskUserQuestion", `{"questions":[]}`, false, "Your questions have been answered",
		`,"toolUseResult":{"questions":[],"answers":{"Where shall the tokens live now?":"In Redis"}}`))
	d.catchUp(st, TrustTranscript)
	d.submit(st, "write the release notes as well")
	for _, quote := range []string{"fix the auth pipeline", "npm run build --workspace shop",
		"always name the test after the bug", "Where shall the tokens live now?", "write the release notes as well"} {
		if got := Misquoted(d.store.Lane, st, `The user typed "`+quote+`".`); got != nil {
			t.Errorf("%q was typed, and is named", quote)
		}
	}
	const never = "drop the old endpoints today"
	summary := `The user said "` + never + `".`
	if got := Misquoted(d.store.Lane, st, summary); len(got) != 1 {
		t.Errorf("of %q: %q", never, got)
	}

	// nothing is named when the history or the transcript cannot be read to its end in time
	for _, path := range []string{d.store.Lane.History(), st.Transcript} {
		whole := fixture.Read(t, path)
		fixture.Append(t, path, strings.Repeat(fmt.Sprintf(`{"ts":"2026-03-14T09:00:00Z","kind":"done","act":"%s"}`+
			"\n",
			strings.Repeat("x", 1000)), 4000))
		calls := 0
		testOnlyClock = func() time.Time { calls++; return morning.Add(time.Duration(calls) * time.Millisecond) }
		if got := Misquoted(d.store.Lane, st, summary); got != nil || calls > 400 {
			t.Errorf("out of time in %s: %q, %d looks at the clock", path, got, calls)
		}
		testOnlyClock = spent
		fixture.Write(t, path, whole)
	}
}
