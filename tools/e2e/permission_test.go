package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// decoy puts another program called memento first on a PATH. It makes the file mark when it runs.
func decoy(w *world) (path, mark string) {
	w.t.Helper()
	dir := filepath.Join(filepath.Dir(w.home), "decoy")
	mark = filepath.Join(dir, "mark")
	if err := os.Mkdir(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	script := "#!/bin/sh\ntouch '" + mark + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "memento"), []byte(script), 0o755); err != nil {
		w.t.Fatal(err)
	}
	return dir + string(os.PathListSeparator) + w.path, mark
}

// TestJournalCommand: a journal command of Claude's runs unasked in every mode that can run one, and the program that
// runs is memento's binary.
func TestJournalCommand(t *testing.T) {
	for _, mode := range []string{"default", "auto", "dontAsk"} {
		t.Run(mode, func(t *testing.T) {
			w := newWorld(t)
			path, mark := decoy(w)
			commands := []string{
				`memento done --wip "` + wip + `"`,
				`memento done "it's built" --result 'cost: $HOME is "unset"' --plan "` + planned + `"`,
				`memento show`,
			}
			var turns []Turn
			for _, c := range commands {
				turns = append(turns, Bash(c))
			}
			r := w.run(Session{Mode: mode, Path: path, Ask: true, Prompts: []string{mission},
				Script: Script{Main: turns}})
			for _, c := range commands {
				if x, ok := tool(r, c); !ok || x.Failed || x.Denied {
					t.Errorf("%s: did not run: %+v", c, x)
				}
			}
			quiet(t, r)
			if fixture.Exists(mark) {
				t.Error("the other memento ran")
			}
			var journal struct {
				WIP  string `json:"wip"`
				Done []struct {
					Act    string `json:"act"`
					Result string `json:"result"`
				} `json:"done"`
				Plan []string `json:"plan"`
			}
			if err := json.Unmarshal([]byte(w.read()), &journal); err != nil {
				t.Fatal(err)
			}
			if journal.WIP != wip || len(journal.Done) != 1 || journal.Done[0].Act != "it's built" ||
				journal.Done[0].Result != `cost: $HOME is "unset"` || len(journal.Plan) != 1 ||
				journal.Plan[0] != planned {
				t.Errorf("the journal does not hold the words of the commands: %+v", journal)
			}
		})
	}
}

// refused holds commands that only look like journal commands, or that read other files or destroy.
var refused = []string{
	`memento done x && touch pwned`,
	`memento done x || touch pwned`,
	`memento done x; touch pwned`,
	`memento done x & touch pwned`,
	`memento done x | tee pwned`,
	`memento done x > pwned`,
	`memento done x >> pwned`,
	`memento done x < /etc/hostname`,
	`memento done x <<< "$(touch pwned)"`,
	`memento done "$(touch pwned)"`,
	"memento done `touch pwned`",
	`memento done <(touch pwned)`,
	`memento done "$(id)"`,
	`memento done "$HOME"`,
	"memento done x\ntouch pwned",
	`PATH=. memento done x`,
	`MEMENTO_INSTANCE_TAG=bob memento done x`,
	`! memento done x`,
	`(memento done x)`,
	`exec memento done x`,
	`./memento done x`,
	`memento done x --agent a70c209082a53cd55`,
	`memento forget`,
	`memento install`,
	`memento uninstall`,
	`memento hook`,
	`memento save x --body /etc/passwd`,
	`memento rm x`,
	`memento import x`,
}

func TestRefused(t *testing.T) {
	var all Turn // one answer with all calls, to save requests
	for _, c := range refused {
		all.Calls = append(all.Calls, Bash(c).Calls...)
	}
	denied := func(t *testing.T, w *world, r *Result, ask bool) {
		t.Helper()
		for _, c := range refused {
			x, ok := tool(r, c)
			if !ok || !x.Denied {
				t.Errorf("%q was not denied: %+v", c, x)
			}
			if ask && !asked(r, c) {
				t.Errorf("%q: no dialog was shown", c)
			}
		}
		if fixture.Exists(filepath.Join(w.dir, "pwned")) {
			t.Error("pwned is there")
		}
	}
	t.Run("default", func(t *testing.T) {
		w := newWorld(t)
		r := w.run(Session{Ask: true, Prompts: []string{mission}, Script: Script{Main: []Turn{all}}})
		denied(t, w, r, true)
	})
	t.Run("dontAsk", func(t *testing.T) {
		w := newWorld(t)
		r := w.run(Session{Mode: "dontAsk", Prompts: []string{mission}, Script: Script{Main: []Turn{all}}})
		denied(t, w, r, false)
	})
	// Without the plugin the client asks about the plainest command: only memento's hook lets it run.
	t.Run("without the plugin", func(t *testing.T) {
		w := newWorld(t)
		r := w.bare(Session{Ask: true, Prompts: []string{mission},
			Script: Script{Main: []Turn{Bash(`memento done --wip x`)}}})
		if !asked(r, `memento done --wip x`) {
			t.Error("no dialog was shown")
		}
	})
}

// TestAsked: where the client's classifier would decide, the person is asked about every memento command that memento
// does not approve, in each form that the line shows; where nobody can be asked, the command is denied.
func TestAsked(t *testing.T) {
	theirs := []string{
		`memento forget "the audit log" --yes`,
		`memento search x --all`,
		`memento trust --yes abc`,
		`cd . && memento rules drop 310877`,
		`env memento forget x`,
		`sh -c "memento forget x"`,
		`if true; then memento config notify never; fi`,
		`'` + memento() + `' forget x`,
	}
	var all Turn
	for _, c := range theirs {
		all.Calls = append(all.Calls, Bash(c).Calls...)
	}
	for _, mode := range []string{"auto", "plan"} {
		t.Run(mode, func(t *testing.T) {
			w := newWorld(t)
			r := w.run(Session{Mode: mode, Ask: true, Prompts: []string{mission}, Script: Script{Main: []Turn{all}}})
			for _, c := range theirs {
				if x, ok := tool(r, c); !ok || !x.Denied || !asked(r, c) {
					t.Errorf("%q: the person was asked: %t; %+v", c, asked(r, c), x)
				}
			}
		})
	}
	t.Run("nobody to ask", func(t *testing.T) {
		w := newWorld(t)
		r := w.run(Session{Mode: "auto", Prompts: []string{mission}, Script: Script{Main: []Turn{all}}})
		for _, c := range theirs {
			if x, ok := tool(r, c); !ok || !x.Failed || !strings.Contains(x.Output, "leaves this command to you") {
				t.Errorf("%q was not denied: %+v", c, x)
			}
		}
	})
}

// tool returns the Bash call of exactly that command.
func tool(r *Result, command string) (Tool, bool) {
	for _, x := range r.Tools {
		if x.Name == "Bash" && commandOf(x.Input) == command {
			return x, true
		}
	}
	return Tool{}, false
}

// asked reports whether a dialog was shown for exactly that command.
func asked(r *Result, command string) bool {
	for _, d := range r.Dialogs {
		if commandOf(d.Input) == command {
			return true
		}
	}
	return false
}

func commandOf(input string) string {
	var bash struct {
		Command string `json:"command"`
	}
	if json.Unmarshal([]byte(input), &bash) != nil {
		return ""
	}
	return bash.Command
}

// TestFiles uses the file tools on the journal, and on files beside it.
func TestFiles(t *testing.T) {
	w := newWorld(t)
	store := Store(w.home)
	for path, text := range map[string]string{
		filepath.Join(w.home, ".claude", "CLAUDE.md"):      "# House rules\n",
		filepath.Join(store, "invoices--alice.json"):       `{"mission":"send the invoices"}`,
		filepath.Join(store, "paymentd--fix-the-bug.md"):   "---\nname: fix-the-bug\n---\n",
		filepath.Join(store, "log", "shop", "other.jsonl"): "{}\n",
		filepath.Join(w.home, ".claude", "settings.json"):  "{}\n",
	} {
		fixture.Write(t, path, text)
	}
	if err := os.Symlink(filepath.Join(w.home, ".claude", "settings.json"),
		filepath.Join(store, "link.json")); err != nil {
		t.Fatal(err)
	}

	type step struct {
		name  string
		allow bool
		turn  func(journal string) Turn
	}
	read := func(path func(journal string) string) func(string) Turn {
		return func(j string) Turn { return Use("Read", map[string]any{"file_path": path(j)}) }
	}
	write := func(text string) func(string) Turn {
		return func(j string) Turn { return Use("Write", map[string]any{"file_path": j, "content": text}) }
	}
	edit := func(from, to string) func(string) Turn {
		return func(j string) Turn {
			return Use("Edit", map[string]any{"file_path": j, "old_string": from, "new_string": to})
		}
	}
	at := func(parts ...string) func(string) string {
		return func(string) string { return filepath.Join(append([]string{w.home, ".claude"}, parts...)...) }
	}
	self := func(j string) string { return j }
	steps := []step{
		{"read the journal", true, read(self)},
		{"write it", false, write(`{"mission":"Fix the login bug in paymentd","wip":"written whole by the model"}`)},
		{"edit it", false, edit(wip, "edited by the model")},
		{"read another project's journal", false, read(at(".memento", "invoices--alice.json"))},
		{"read a record", false, read(at(".memento", "paymentd--fix-the-bug.md"))},
		{"read a log", false, read(at(".memento", "log", "shop", "other.jsonl"))},
		{"read through a link", false, read(at(".memento", "link.json"))},
		{"read the settings", false, read(at("settings.json"))},
		{"read a file beside", false, read(at("CLAUDE.md"))},
		{"write a new file", false, func(string) Turn {
			return Use("Write", map[string]any{"file_path": filepath.Join(store, "new--alice.json"),
				"content": `{"mission":"m"}`})
		}},
		{"write the settings by way of the store", false, func(string) Turn {
			return Use("Write", map[string]any{"file_path": store + "/../settings.local.json",
				"content": `{"mission":"m"}`})
		}},
	}
	turns := []Turn{Bash(`memento done --wip "` + wip + `"`)}
	for _, s := range steps {
		turns = append(turns, Later(func() Turn {
			j := w.journal()
			if j == "" {
				return Say("there is no journal")
			}
			return s.turn(j)
		}))
	}
	r := w.run(Session{Ask: true, Prompts: []string{mission}, Script: Script{Main: turns}})
	if len(r.Tools) != len(steps)+1 {
		t.Fatalf("%d tool calls, not %d", len(r.Tools), len(steps)+1)
	}
	for i, s := range steps {
		x := r.Tools[i+1]
		was := false
		for _, d := range r.Dialogs {
			was = was || sameInput(d.Input, x.Input)
		}
		switch {
		case s.allow && (was || x.Denied || x.Failed):
			t.Errorf("%s: dialog %t, denied %t, failed %t: %s", s.name, was, x.Denied, x.Failed, x.Output)
		case !s.allow && (!was || !x.Denied):
			t.Errorf("%s: dialog %t, denied %t: %s", s.name, was, x.Denied, x.Output)
		}
	}
	want(t, "the journal", w.read(), wip)
	for _, name := range []string{"new--alice.json", "../settings.local.json"} {
		if fixture.Exists(filepath.Join(store, name)) {
			t.Errorf("%s was written", name)
		}
	}
}

// sameInput compares the input of a dialog with that of a call. The client adds defaults and cleans paths.
func sameInput(a, b string) bool {
	var x, y map[string]any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	for _, field := range []string{"content", "old_string", "new_string"} {
		if x[field] != y[field] {
			return false
		}
	}
	path := func(fields map[string]any) string {
		text, _ := fields["file_path"].(string)
		return filepath.Clean(text)
	}
	return path(x) == path(y)
}
