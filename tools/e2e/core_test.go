package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestCore checks what every supported client must show, wired by the person's settings, by a plugin's folder and by
// an installed plugin: a session gets its block back after a compaction and when it is resumed; /clear ends its
// mission; Claude's journal commands run unasked, and commands that only look like one do not; the person's own
// settings keep their force. The test looks only at requests to the model, since clients before 2.1.138 report no
// hooks.
func TestCore(t *testing.T) {
	wired := map[string]func(w *world, s Session) *Result{
		"settings": func(w *world, s Session) *Result { return w.bare(s) },
		"folder":   func(w *world, s Session) *Result { return w.run(s) },
		"plugin":   func(w *world, s Session) *Result { return w.bare(s) },
	}
	for by, run := range wired {
		t.Run(by, func(t *testing.T) {
			w := newWorld(t)
			if err := os.MkdirAll(w.config(), 0o700); err != nil {
				t.Fatal(err)
			}
			mark := w.temp + "/mark"
			own := `{"permissions":{"deny":["Bash(cat secret.txt)"]},"hooks":{"Stop":[{"hooks":[{"type":"command",` +
				`"command":"touch ` + mark + `"}]}]}}`
			fixture.Write(t, w.config("settings.json"), own)
			switch by {
			case "settings":
				w.shell(w.local(), "install")
			case "plugin":
				w.client("plugin", "marketplace", "add", bundle)
				w.client("plugin", "install", "memento@mementohq")
			}
			const secret, looks = "cat secret.txt", "memento done x && touch pwned"
			r := run(w, Session{
				Prompts: []string{mission, second, "/compact", "Go on.", "Read it."},
				Script: Script{Main: append(append([]Turn{Say("I will look at the session handling.")}, noted()...),
					Say("Going on."), Bash(secret), Bash(looks), Bash("memento show"), Say("I may not."))},
				Ask: true,
			})
			main := r.Of(Main)
			want(t, "the first request", main[0].Text(), "[MEMENTO] No active mission")
			for _, q := range r.Of(Summary) {
				want(t, "the brief in the summariser's request", q.Brief(), mission)
			}
			after := main[len(noted())+1]
			want(t, "the request after the compaction", after.Text(), "[MEMENTO] Mission: "+mission, rule, wip, planned,
				planned2)
			if n := strings.Count(after.Text(), "[MEMENTO] Mission: "); n != 1 {
				t.Errorf("the block is in the request after the compaction %d times", n)
			}
			for _, q := range r.Requests {
				never(t, "a request", string(q.Body), "Usage: memento COMMAND")
			}
			for _, command := range []string{`memento done --wip "` + wip + `" --plan "` + planned + `" --plan "` + planned2 + `"`, "memento show"} {
				if x, ok := tool(r, command); !ok || x.Failed || x.Denied || asked(r, command) {
					t.Errorf("%s did not run unasked: %+v", command, x)
				}
			}
			if x, ok := tool(r, looks); !ok || !x.Failed || !asked(r, looks) || fixture.Exists(w.dir+"/pwned") {
				t.Errorf("%s was not asked about: %+v", looks, x)
			}
			if x, ok := tool(r, secret); !ok || !x.Failed || asked(r, secret) {
				t.Errorf("the person's own deny rule does not hold: %+v", x)
			}
			if !fixture.Exists(mark) {
				t.Error("the person's own hook did not run")
			}

			r = run(w, Session{Args: []string{"--resume", r.Sessions[0]},
				Prompts: []string{"Go on.", "/clear", "Thanks!"}})
			// The facts reach the model by a block or by the conversation, which holds the brief of a manual
			// compaction and the output of memento show.
			want(t, "the request of the resumed session", r.Of(Main)[0].Text(), mission, wip)
			if end := last(t, r).Text(); strings.Contains(end, "Go on.") {
				t.Log("this client does not clear a session that is not in a terminal: not tested")
				return
			} else {
				never(t, "what the model sees after /clear", end, "[MEMENTO] Mission: "+mission, planned2)
			}
			r = run(w, Session{Prompts: []string{"Hello"}})
			want(t, "the first request of the next session", last(t, r).Text(), "[MEMENTO] No active mission")
		})
	}
}
