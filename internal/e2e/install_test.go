package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// quiet holds a run to having shown the person no dialog.
func quiet(t *testing.T, r *Result) {
	t.Helper()
	for _, d := range r.Dialogs {
		t.Errorf("a dialog was shown: %s %s", d.Tool, d.Input)
	}
}

// says is what the `memento version` the model ran in a session printed.
func says(t *testing.T, r *Result) string {
	t.Helper()
	x, ok := r.Tool("memento version")
	if !ok || x.Failed || x.Denied {
		t.Errorf("`memento version` did not run: %+v", x)
	}
	return x.Output
}

// gone is a session after memento was taken away: no hook runs, nothing of it is in a request, and the journal stays as it is.
func (w *world) gone() {
	w.t.Helper()
	journal := w.read()
	r := w.bare(Session{
		Prompts: []string{"Hello", "Run it.", "/compact", "Go on."},
		Args:    []string{"--allowedTools", "Bash"},
		Script:  Script{Main: []Turn{Say("Hello."), Bash("command -v memento || echo there is none"), Say("Done.")}},
	})
	for _, h := range r.Hooks {
		w.t.Errorf("a hook ran after memento was taken away: %+v", h)
	}
	for _, q := range r.Requests {
		never(w.t, "a request after memento was taken away", strings.ToLower(string(q.Body)), "[memento]", "memento:memento")
	}
	if x, ok := r.Tool("command -v memento"); !ok || !strings.Contains(x.Output, "there is none") {
		w.t.Errorf("memento is still a command: %+v", x)
	}
	if w.read() != journal {
		w.t.Error("the journal changed after memento was taken away")
	}
}

// The life of an installation from a bundle's folder: checked, added, installed, at work over a compaction and a resume, updated
// under a running session, removed.
func TestInstallFolder(t *testing.T) {
	w := newWorld(t)
	now, next := releases(t)
	shelf := filepath.Join(filepath.Dir(w.home), "My Plugins", "memento")
	put := func(r released) {
		if err := os.RemoveAll(shelf); err != nil {
			t.Error(err)
		}
		if err := os.CopyFS(shelf, os.DirFS(r.bundle)); err != nil {
			t.Error(err)
		}
	}
	put(now)
	want(t, "validate", w.client("plugin", "validate", "--strict", "--profile", "directory", shelf), "Validation passed")
	w.client("plugin", "marketplace", "add", shelf)
	want(t, "install", w.client("plugin", "install", "memento@mementohq"), "Successfully installed")
	want(t, "list", w.client("plugin", "list"), "memento@mementohq", now.version, "enabled")
	want(t, "settings.json", w.settings(), `"memento@mementohq": true`)
	never(t, "settings.json", w.settings(), now.version, `"hooks"`, "bin/memento")

	r := w.bare(Session{
		Prompts: []string{mission, second, "/compact", "Go on."},
		Script:  Script{Main: append([]Turn{Say("I will look at the session handling.")}, noted()...)},
		Ask:     true,
	})
	quiet(t, r)
	restored(t, one(t, "the block", r.Said("SessionStart:compact")), last(t, r), first)
	want(t, "the brief in the summariser's request", r.Of(Summary)[0].Brief(), mission)
	if n := r.Notices(); len(n) > 0 {
		t.Errorf("the person was told: %q", n)
	}
	id := r.Sessions[0]

	// The client runs a folder in place, so the session that is running has the new binary at once.
	const said = "Also leave the metrics endpoint alone."
	r = w.bare(Session{
		Args:    []string{"--resume", id},
		Prompts: []string{"Go on.", said, "Which version is it?", "/compact", "And now?"},
		Ask:     true,
		Script: Script{Main: []Turn{
			Later(func() Turn {
				put(next)
				w.client("plugin", "marketplace", "update", "mementohq")
				want(t, "update", w.client("plugin", "update", "memento@mementohq"), now.version, newer)
				return Say("Updated.")
			}),
			Say("I will."),
			Bash("memento version"),
			Say("That one."),
		}},
	})
	quiet(t, r)
	want(t, "the version in the running session", says(t, r), newer)
	restored(t, one(t, "the block of the running session", r.Said("SessionStart:compact")), last(t, r), later)
	want(t, "the request after it", last(t, r).Text(), said)

	r = w.bare(Session{Args: []string{"--resume", id}, Prompts: []string{"Which version is it?"}, Script: Script{Main: []Turn{Bash("memento version")}}, Ask: true})
	quiet(t, r)
	want(t, "the version in the next session", says(t, r), newer)
	want(t, "the journal, carried over", w.read(), "Fix the login bug in paymentd", wip)
	want(t, "list", w.client("plugin", "list"), newer)
	never(t, "settings.json", w.settings(), now.version, newer, `"hooks"`)

	w.client("plugin", "uninstall", "memento@mementohq")
	var left map[string]any
	if err := json.Unmarshal([]byte(w.settings()), &left); err != nil {
		t.Fatal(err)
	}
	// The marketplace is the person's: the client keeps it until it is removed too.
	source := map[string]any{"source": map[string]any{"source": "directory", "path": shelf}}
	if all := (map[string]any{"enabledPlugins": map[string]any{}, "extraKnownMarketplaces": map[string]any{"mementohq": source}}); !reflect.DeepEqual(left, all) {
		t.Errorf("uninstall left in settings.json: %v", left)
	}
	if _, err := os.Stat(w.config("plugins", "data", "memento-mementohq")); err == nil {
		t.Error("uninstall left the plugin's data folder")
	}
	w.client("plugin", "marketplace", "remove", "mementohq")
	never(t, "settings.json", w.settings(), "memento")
	w.gone()
}
