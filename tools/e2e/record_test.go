package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// record returns the text of the only record whose file name matches the pattern.
func (w *world) record(pattern string) string {
	w.t.Helper()
	found, _ := filepath.Glob(filepath.Join(Store(w.home), pattern))
	if len(found) != 1 {
		w.t.Fatalf("%d records are called %s: %v", len(found), pattern, names(Store(w.home)))
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// TestRecords checks what one session leaves for the next: a decision that Claude saves without a dialog, a
// subagent's answer, a handoff, and the session's own record. The next session is told of the handoff, and a prompt
// about the decision brings its line.
func TestRecords(t *testing.T) {
	const (
		saving = `memento save decision "Use PASETO for the session tokens" --set context="JWT keys leaked twice" ` +
			`--set decision="PASETO v4, local" --tag auth`
		handing = `memento handoff write "Login, part one" --note "staging is half deployed"`
		task    = "Find where the expiry is compared."
		answer  = "The expiry is compared in session.go, line 41.\n\n## Beside it\n\nNothing."
	)
	w := newWorld(t)
	r := w.run(Session{
		Prompts: []string{mission, second, "Hand over."},
		Ask:     true,
		Script: Script{
			Main: []Turn{
				Bash(saving), Say("It is kept."),
				Use("Agent", map[string]any{"description": "find it", "prompt": task,
					"subagent_type": "general-purpose", "run_in_background": false}), Say("Found."),
				Bash(`memento done "found the expiry" --result "session.go:41" --plan "` + planned + `"`),
				Bash(handing), Say("It is written."),
			},
			Sub: []Turn{Say(answer)},
		},
	})
	quiet(t, r)
	for _, c := range []string{saving, handing} {
		if x, ok := tool(r, c); !ok || x.Failed || x.Denied {
			t.Errorf("%s did not run: %+v", c, x)
		}
	}
	want(t, "the decision", w.record("paymentd--use-paseto*.md"), "kind: decision", r.Sessions[0],
		"JWT keys leaked twice", "PASETO v4, local")
	want(t, "what the subagent answered", w.record("paymentd--general-purpose-*.md"), "kind: subagent", "## Task\n\n"+
		task, mission, answer)
	want(t, "the handoff", w.record("paymentd--login-part-one.md"), "kind: handoff", mission, "staging is half deployed",
		"- found the expiry -> session.go:41", "- "+planned, "paymentd--use-paseto")
	want(t, "what the session came to", w.record("paymentd--session-*.md"), "kind: session", r.Sessions[0], mission,
		"- found the expiry -> session.go:41", "- "+planned)

	r = w.run(Session{
		Prompts: []string{"Which PASETO do we use for the session tokens?",
			"Remember that the audit log stays untouched.", "Thanks."},
		Script: Script{Main: []Turn{Say("v4, local."), Say("I will."), Say("You are welcome.")}},
	})
	want(t, "what the next session begins with", one(t, "SessionStart", r.Said("SessionStart:startup")),
		"Login, part one")
	first := r.Of(Main)[0].Tail()
	want(t, "what stands beside the prompt", first, "decision · Use PASETO for the session tokens · ")
	want(t, "the rules", w.shell(memento(), "rules"), "audit log stays untouched")
	if n := len(r.Said("UserPromptSubmit")); n != 3 {
		t.Errorf("%d prompts were looked at, not 3", n)
	} else {
		never(t, "what stands beside the last prompt", r.Said("UserPromptSubmit")[2], "Use PASETO")
	}
}

// TestSlashCommand: a slash command of memento's that a person types reaches the model with the words behind it.
// Before that it takes no room in a request. It has the same name however memento was installed.
func TestSlashCommand(t *testing.T) {
	session := Session{
		Prompts: []string{mission, "/memento:handoff the login", "/memento:status",
			"/memento:remember the audit log stays untouched", "/memento:recall audit log"},
		Ask: true,
		Script: Script{Main: []Turn{
			Say("I will look."),
			Bash(`memento handoff write "the login" --note "nothing was tried yet"`), Say("paymentd--the-login"),
			Bash(`memento status`), Say("On."),
			Bash(`memento save constraint "The audit log stays untouched" --set rule="The audit log stays ` +
				`untouched" --tag audit`), Say("Kept."),
			Bash(`memento search "audit log"`), Say("Found."),
		}},
	}
	show := func(t *testing.T, w *world, r *Result) {
		t.Helper()
		quiet(t, r)
		first := r.Of(Main)[0]
		never(t, "the first request", string(first.Body), "Writes down where the next session goes on",
			"Finds records by what they are about", "memento:handoff")
		want(t, "the last request", last(t, r).Text(),
			"The user asks for a handoff to the next session, called: the login",
			"The user asks how memento stands here.",
			"The user asks for a record of this: the audit log stays untouched",
			"The user asks what memento's records say about: audit log")
		for _, x := range r.Tools {
			if x.Failed || x.Denied {
				t.Errorf("%s: %+v", x.Input, x)
			}
		}
		want(t, "the handoff", w.record("paymentd--the-login.md"), "kind: handoff", mission, "nothing was tried yet")
		want(t, "the record", w.record("paymentd--the-audit-log-stays-untouched.md"), "kind: constraint")
		found, _ := tool(r, `memento search "audit log"`)
		want(t, "what the search found", found.Output, "The audit log stays untouched")
		never(t, "the journal", w.read(), "/memento:", "The user asks for")
	}
	t.Run("plugin", func(t *testing.T) {
		w := newWorld(t)
		show(t, w, w.run(session))
	})
	t.Run("installed", func(t *testing.T) {
		w := newWorld(t)
		bin := w.local()
		w.path = filepath.Dir(bin) + string(os.PathListSeparator) + w.path
		w.shell(bin, "install")
		show(t, w, w.bare(session))
		w.shell(bin, "uninstall")
		if fixture.Exists(filepath.Join(w.home, ".claude", "commands")) {
			t.Error("the commands are still there")
		}
	})
}
