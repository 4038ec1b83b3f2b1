package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// says returns the output of the memento version command that the model ran in a session.
func says(t *testing.T, r *Result) string {
	t.Helper()
	x, ok := tool(r, "memento version")
	if !ok || x.Failed || x.Denied {
		t.Errorf("`memento version` did not run: %+v", x)
	}
	return x.Output
}

// gone runs a session after memento was removed: no hook runs, no request holds anything of memento, and the journal
// stays as it is.
func (w *world) gone() {
	w.t.Helper()
	journal := w.read()
	const looks = "command -v memento || echo there is none"
	r := w.bare(Session{
		Prompts: []string{"Hello", "Run it.", "/compact", "Go on."},
		Args:    []string{"--allowedTools", "Bash"},
		Script:  Script{Main: []Turn{Say("Hello."), Bash(looks), Say("Done.")}},
	})
	for _, h := range r.Hooks {
		w.t.Errorf("a hook ran after memento was taken away: %+v", h)
	}
	for _, q := range r.Requests {
		never(w.t, "a request after memento was taken away", strings.ToLower(string(q.Body)), "[memento]",
			"memento:memento")
	}
	if x, ok := tool(r, looks); !ok || !strings.Contains(x.Output, "there is none") {
		w.t.Errorf("memento is still a command: %+v", x)
	}
	if w.read() != journal {
		w.t.Error("the journal changed after memento was taken away")
	}
}

// TestInstallFolder installs from a bundle's folder, step by step: check, install, a compaction and a resume, an
// update under a running session, removal.
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
	want(t, "validate", w.client("plugin", "validate", "--strict", "--profile", "directory", shelf),
		"Validation passed")
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
	told(t, r, "^"+back)
	id := r.Sessions[0]

	// The client runs a folder in place, so the running session has the new binary at once.
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

	r = w.bare(Session{Args: []string{"--resume", id}, Prompts: []string{"Which version is it?"},
		Script: Script{Main: []Turn{Bash("memento version")}}, Ask: true})
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
	// The marketplace belongs to the person: the client keeps it until it is removed too.
	source := map[string]any{"source": map[string]any{"source": "directory", "path": shelf}}
	if all := (map[string]any{"enabledPlugins": map[string]any{},
		"extraKnownMarketplaces": map[string]any{"mementohq": source}}); !reflect.DeepEqual(left, all) {
		t.Errorf("uninstall left in settings.json: %v", left)
	}
	if _, err := os.Stat(w.config("plugins", "data", "memento-mementohq")); err == nil {
		t.Error("uninstall left the plugin's data folder")
	}
	w.client("plugin", "marketplace", "remove", "mementohq")
	never(t, "settings.json", w.settings(), "memento")
	w.gone()
}

// served returns a machine without Go and Node that installed from git, and the host that its binary comes from. The
// host serves a release's binary, changed by data.
func (w *world) served(data func([]byte) []byte, all ...released) (m *market, web *host, env []string) {
	w.t.Helper()
	w.path = w.plain()
	web = newHost(w.t)
	for _, r := range all {
		web.put(r.version, data(r.binary(w.t)))
	}
	m = newMarket(w.t, w, all[0].tree)
	w.client("plugin", "marketplace", "add", m.url)
	want(w.t, "install", w.client("plugin", "install", "memento@mementohq"), "Successfully installed")
	if !script(w.launcher(all[0].version)) {
		w.t.Fatal("what git delivers at bin/memento is no launcher")
	}
	return m, web, []string{"MEMENTO_RELEASE_URL=" + web.URL}
}

// launcher returns the path of bin/memento of a version that was installed from git.
func (w *world) launcher(version string) string {
	return w.config("plugins", "cache", "mementohq", "memento", version, "bin", "memento")
}

const (
	fetching = `^memento: the binary is being downloaded in the background`
	come     = `memento: the binary is there now, and memory begins: what you type and what Claude answers is kept ` +
		`on this disk alone \(! memento config past\)`
	back = `memento: your mission[^\n]* back \(\d+ tokens\) · ! memento view$`
)

// told fails the test unless the lines that the person was told, joined, match the pattern.
func told(t *testing.T, r *Result, pattern string) {
	t.Helper()
	like(t, "what the person is told", strings.Join(r.Notices(), "\n"), pattern)
}

// TestInstallGit installs from git, on a machine without Go and Node. The first session downloads the binary in the
// background and has memory as soon as the binary is there. An update leaves the running session its version.
func TestInstallGit(t *testing.T) {
	w := newWorld(t)
	now, next := releases(t)
	m, web, env := w.served(func(b []byte) []byte { return b }, now, next)

	r := w.bare(Session{
		Env:     env,
		Prompts: []string{mission, second, "/compact", "Go on."},
		Ask:     true,
		Script: Script{Main: append([]Turn{Later(func() Turn {
			// The model has the first prompt, and no binary has come yet.
			if !script(w.launcher(now.version)) {
				t.Error("the binary is there before it was downloaded")
			}
			web.open()
			soon(t, "the binary in the launcher's place", func() bool { return binary(w.launcher(now.version)) })
			return Say("I will look at the session handling.")
		})}, noted()...)},
	})
	quiet(t, r)
	told(t, r, fetching+`[^\n]*\n`+come+`\n`+back)
	never(t, "the first request", r.Of(Main)[0].Text(), "the binary is", "[MEMENTO]")
	// The first prompt, typed before there was a binary, is not lost.
	restored(t, one(t, "the block", r.Said("SessionStart:compact")), last(t, r), first)
	id := r.Sessions[0]

	r = w.bare(Session{
		Env:     env,
		Args:    []string{"--resume", id},
		Prompts: []string{"Go on.", "Which version is it?", "/compact", "And now?"},
		Ask:     true,
		Script: Script{Main: []Turn{
			Later(func() Turn {
				m.push(next.tree)
				w.client("plugin", "marketplace", "update", "mementohq")
				want(t, "update", w.client("plugin", "update", "memento@mementohq"), now.version, newer)
				return Say("Updated.")
			}),
			Bash("memento version"),
			Say("That one."),
		}},
	})
	quiet(t, r)
	told(t, r, "^"+back)
	want(t, "the version in the running session", says(t, r), now.version)
	restored(t, one(t, "the block of the running session", r.Said("SessionStart:compact")), last(t, r), later)

	// The new version comes in the same way as the first.
	r = w.bare(Session{
		Env:     env,
		Args:    []string{"--resume", id},
		Prompts: []string{"Go on.", "Which version is it?", "/compact", "And now?"},
		Ask:     true,
		Script: Script{Main: []Turn{
			Later(func() Turn {
				soon(t, "the newer binary in the launcher's place", func() bool { return binary(w.launcher(newer)) })
				return Say("I will.")
			}),
			Bash("memento version"),
			Say("That one."),
		}},
	})
	quiet(t, r)
	told(t, r, fetching+`[^\n]*\n`+come+`\n`+back)
	want(t, "the version in the next session", says(t, r), newer)
	restored(t, one(t, "the block of the next session", r.Said("SessionStart:compact")), last(t, r), later)
	if got, all := web.Asked(), []string{"GET /v" + now.version + "/" + asset(), "GET /v" +
		newer + "/" + asset()}; !slices.Equal(got, all) {
		t.Errorf("downloaded %q, not %q", got, all)
	}

	w.client("plugin", "uninstall", "memento@mementohq")
	w.client("plugin", "marketplace", "remove", "mementohq")
	never(t, "settings.json", w.settings(), "memento")
	if found, _ := filepath.Glob(w.config("plugins", "data", "*")); len(found) > 0 {
		t.Errorf("uninstall left %q", found)
	}
	w.gone()
}

// TestInstallMidSession installs from git while a session runs. The hooks work from the next prompt on, without a
// session start, and nothing said before is lost. In a terminal the client loads a plugin that it installed by
// itself; here the test tells it to.
func TestInstallMidSession(t *testing.T) {
	w := newWorld(t)
	now, _ := releases(t)
	w.path = w.plain()
	web, m := newHost(t), newMarket(t, w, now.tree)
	web.put(now.version, now.binary(t))
	r := w.bare(Session{
		Env:     []string{"MEMENTO_RELEASE_URL=" + web.URL},
		Prompts: []string{mission, "/reload-plugins", second, "Go on.", "/compact", "And now?"},
		Ask:     true,
		Script: Script{Main: append([]Turn{
			Later(func() Turn {
				w.client("plugin", "marketplace", "add", m.url)
				w.client("plugin", "install", "memento@mementohq")
				return Say("I will look at the session handling.")
			}),
			Later(func() Turn {
				web.open()
				soon(t, "the binary in the launcher's place", func() bool { return binary(w.launcher(now.version)) })
				return Say("I will.")
			}),
		}, noted()...)},
	})
	quiet(t, r)
	told(t, r, fetching+`[^\n]*\n`+come+`\n`+back)
	restored(t, one(t, "the block", r.Said("SessionStart:compact")), last(t, r), first)
}

// TestInstallWrongSum: a downloaded file with another checksum than the pinned one never runs. The person is told,
// and the sessions go on.
func TestInstallWrongSum(t *testing.T) {
	w := newWorld(t)
	now, _ := releases(t)
	mark := filepath.Join(w.home, "ran")
	_, web, env := w.served(func([]byte) []byte { return []byte("#!/bin/sh\ntouch '" + mark + "'\n") }, now)
	web.open()
	tried := func(n int) func() Turn {
		return func() Turn {
			soon(t, "a download", func() bool { return len(web.Asked()) >= n })
			soon(t, "the end of it", func() bool { return !w.fetching() })
			return Say("ok")
		}
	}
	const refused = `memento: [^\n]*not the pinned binary, and was refused[^\n]*$`
	for n, line := range []string{fetching + `[^\n]*\n` + refused, `^` + refused} {
		r := w.bare(Session{Env: env, Prompts: []string{mission, second, "/compact", "Go on."},
			Script: Script{Main: []Turn{Later(tried(n + 1))}}})
		told(t, r, line)
		for _, q := range r.Requests {
			never(t, "a request", q.Text(), "[MEMENTO]")
		}
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("what was refused ran")
	}
	if !script(w.launcher(now.version)) {
		t.Error("the launcher is gone")
	}
	if found := names(Store(w.home)); len(found) > 0 {
		t.Errorf("a journal without a binary: %q", found)
	}
	var kept []string
	_ = filepath.WalkDir(w.config("plugins", "data"), func(path string, _ os.DirEntry, err error) error {
		if data, rerr := os.ReadFile(path); err == nil && rerr == nil && strings.Contains(string(data), mark) {
			kept = append(kept, path)
		}
		return nil
	})
	if len(kept) > 0 {
		t.Errorf("kept of what was refused: %q", kept)
	}
}

// fetching reports whether the launcher is downloading.
func (w *world) fetching() bool {
	busy := false
	_ = filepath.WalkDir(w.config("plugins", "data"), func(_ string, d os.DirEntry, err error) error {
		busy = busy || err == nil && d.Name() == "lock"
		return nil
	})
	return busy
}
