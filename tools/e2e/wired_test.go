package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWiredTwice: the plugin and settings.json both wire memento. The client runs two hooks for every event, and the
// model reads everything once.
func TestWiredTwice(t *testing.T) {
	w := newWorld(t)
	w.shell(w.local(), "install")
	w.client("plugin", "marketplace", "add", bundle)
	w.client("plugin", "install", "memento@mementohq")
	want(t, "settings.json", w.settings(), `"memento@mementohq": true`, `"hooks"`)

	const act = "read session.go"
	prompts := []string{mission, second, "Which callers of Refresh are there?", "/compact", "Go on.", "And the tests?"}
	r := w.bare(Session{
		Env:     []string{"MEMENTO_REMIND=always"}, // a reminder beside every prompt, so that a second one would show
		Prompts: prompts,
		Ask:     true,
		Script: Script{Main: append(append([]Turn{Say("I will look at the session handling.")}, noted()[:2]...),
			Bash(`memento done "`+act+`"`), Say("Noted."), Say("Three."))},
	})
	quiet(t, r)
	once := func(what, text, part string) {
		t.Helper()
		if n := strings.Count(text, part); n != 1 {
			t.Errorf("%s has %q %d times, not once:\n%s", what, part, n, text)
		}
	}
	ran := map[string]int{}
	for _, h := range r.Hooks {
		ran[h.Name]++
	}
	if ran["SessionStart:compact"] != 2 || ran["UserPromptSubmit"] != 2*5 {
		t.Fatalf("not wired twice: %v", ran)
	}
	block := strings.Join(r.Said("SessionStart:compact"), "")
	once("what both hooks say after the compaction", block, "[MEMENTO]")
	restored(t, strings.TrimSpace(block), r.Of(Main)[len(r.Of(Main))-2], first)
	once("the request after the compaction", r.Of(Main)[len(r.Of(Main))-2].Text(), "[MEMENTO] Mission: ")
	for _, q := range r.Of(Summary) {
		once("the brief in the summariser's request", q.Brief(), mission)
	}
	once("the first request", r.Of(Main)[0].Text(), "[MEMENTO] No active mission")
	for _, q := range r.Of(Main) {
		tail := strings.Replace(q.Tail(), "[MEMENTO] No active mission", "", 1)
		typed := slices.ContainsFunc(prompts, func(p string) bool { return strings.Contains(tail, p) })
		if typed && !strings.Contains(tail, "[MEMENTO] Mission: ") {
			once("what stands beside a prompt", tail, "[MEMENTO]")
		}
	}
	once("the journal", w.read(), act)
	once("what was said", w.shell(memento(), "show", "--said"), "The audit log stays untouched.")
}

// TestWiredProject: memento is wired for one project, for this person alone or for everybody in the project. Some of
// them have no memento.
func TestWiredProject(t *testing.T) {
	onUnix(t)
	for _, scope := range []string{"local", "project"} {
		t.Run(scope, func(t *testing.T) {
			w := newWorld(t)
			exe := w.local()
			w.shell(exe, "install", "--scope", scope)
			if scope == "project" {
				w.path = filepath.Dir(exe) + string(os.PathListSeparator) + w.path
			}
			if s := w.settings(); s != "" {
				t.Errorf("the scope %s wrote to the person's own settings: %s", scope, s)
			}
			r := w.bare(Session{
				Prompts: []string{mission, second, "/compact", "Go on."},
				Script:  Script{Main: append([]Turn{Say("I will look at the session handling.")}, noted()...)},
				Ask:     true,
			})
			quiet(t, r)
			restored(t, one(t, "the block", r.Said("SessionStart:compact")), last(t, r), first)

			// Another person in the same project, without memento; or the same person in another project.
			elsewhere := *w
			if scope == "project" {
				elsewhere.home, elsewhere.path = filepath.Join(filepath.Dir(w.home), "bob"), tools(t)
			} else {
				elsewhere.dir = filepath.Join(filepath.Dir(w.home), "site")
			}
			for _, dir := range []string{elsewhere.home, elsewhere.dir} {
				if err := os.MkdirAll(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			r = elsewhere.bare(Session{Prompts: []string{"Hello", "/compact", "Go on."}})
			if scope == "project" && len(r.Hooks) == 0 {
				t.Error("the project's settings were not read")
			}
			for _, h := range r.Hooks {
				if scope == "local" || h.Stdout != "" {
					t.Errorf("%s ran and said %q", h.Name, h.Stdout)
				}
			}
			for _, q := range r.Requests {
				never(t, "a request", string(q.Body), "[MEMENTO]")
			}

			w.shell(exe, "uninstall")
			if left := names(filepath.Join(w.dir, ".claude")); len(left) > 0 {
				t.Errorf("uninstall left %q in the project", left)
			}
		})
	}
}
