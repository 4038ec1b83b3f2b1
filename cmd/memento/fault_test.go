package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/cli"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
)

// desk is a person's machine with a session in the middle of its work, which can be put back as it was.
type desk struct {
	t    *testing.T
	home string
	was  map[string]string // what .memento held
	few  bool              // only some of the ways to fail
}

const (
	firstWords = "Fix the checkout: orders above 1,000 EUR are lost."
	lateWords  = "Never touch the tax tables."
)

func (d *desk) path(name ...string) string {
	return filepath.Join(append([]string{d.home}, name...)...)
}
func (d *desk) dir() string        { return d.path(".claude", ".memento") }
func (d *desk) lane() project.Lane { return project.NewLane(d.dir(), "shop", "", "alice") }

// memento runs in this process, so that the disk can be made to fail.
func (d *desk) memento(env map[string]string, in string, args ...string) (code int, out, said string) {
	var o, e bytes.Buffer
	all := map[string]string{"HOME": d.home, "USER": "alice", "CLAUDE_PID": fmt.Sprint(os.Getpid())}
	for k, v := range env {
		all[k] = v
	}
	code = cli.Main(args, cli.Streams{In: strings.NewReader(in), Out: &o, Err: &e, Getenv: func(k string) string { return all[k] }, Dir: d.path("shop"), Exe: "/opt/memento/bin/memento", Now: time.Now})
	return code, o.String(), e.String()
}

func (d *desk) event(name, session string, extra string) string {
	return fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"transcript_path":%q,"cwd":%q%s}`, name, session, d.path(session+".jsonl"), d.path("shop"), extra)
}

// typed is a transcript with these prompts.
func (d *desk) typed(session string, words ...string) {
	d.t.Helper()
	var b strings.Builder
	for i, w := range words {
		fmt.Fprintf(&b, `{"type":"user","uuid":"%s-%d","timestamp":"2026-03-14T09:0%d:00Z","message":{"role":"user","content":%q}}`+"\n", session, i, i, w)
	}
	if err := os.WriteFile(d.path(session+".jsonl"), []byte(b.String()), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, home: scratch(t)}
	for name, content := range map[string]string{
		"HEAD": "ref: refs/heads/main\n", "objects/keep": "", "config": "[remote \"origin\"]\n\turl = gh:alice/shop\n",
		"logs/HEAD": strings.Repeat("0", 40) + " " + strings.Repeat("1", 40) + " Alice <alice@example.com> 1773480000 +0100\tclone: from shop\n",
	} {
		path := d.path("shop", ".git", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.typed("s1", firstWords)
	d.memento(nil, d.event("SessionStart", "s1", `,"source":"startup"`), "hook")
	d.memento(nil, d.event("Stop", "s1", ""), "hook")
	d.memento(map[string]string{"CLAUDE_CODE_SESSION_ID": "s1"}, "", "done", "find the overflow", "--wip", "widen cents", "--plan", "a test")
	d.was = d.files()
	for _, args := range [][]string{
		{"save", "decision", "Widen the cents", "--set", "decision=cents take eight bytes", "--tag", "checkout"},
		{"save", "runbook", "Replay the desktop flow", "--set", "trigger=orders above the limit are lost", "--tag", "checkout"},
		{"save", "debt", "Name the columns", "--set", "description=they are called a and b"},
		{"save", "debt", "Split the till", "--set", "description=it does too much"},
		{"save", "constraint", "One currency", "--set", "rule=EUR alone"},
	} {
		if code, out, said := d.memento(nil, "", args...); code != 0 {
			t.Fatalf("%q: %d, %s%s", args, code, out, said)
		}
	}
	inbox := `{"version":1,"next":2,"waiting":[{"n":1,"kind":"decision","project":"shop","title":"round the cents once","quote":"We round the cents once, at the end.","by":"user","session":"s1","ref":"s1-0","ts":"2026-03-14T09:00:00Z","score":0.9}]}`
	if err := os.WriteFile(filepath.Join(d.dir(), "inbox.json"), []byte(inbox), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"complete", "name-the-columns"}, {"retire", "split-the-till", "--reason", "done elsewhere"}, {"archive", "one-currency", "--reason", "it stays"}} {
		if code, out, said := d.memento(nil, "", args...); code != 0 {
			t.Fatalf("%q: %d, %s%s", args, code, out, said)
		}
	}
	d.was = d.files()
	if !strings.Contains(d.was["shop--alice.json"], "widen cents") || !strings.Contains(d.was["history/shop--alice.jsonl"], firstWords) {
		t.Fatalf("the desk is not as it should be: %q", d.was)
	}
	return d
}

// scratch is a folder in memory where there is one: what is tested here is not the disk's own speed.
func scratch(t *testing.T) string {
	t.Helper()
	if dir, err := os.MkdirTemp("/dev/shm", "memento-test-"); err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		return dir
	}
	return t.TempDir()
}

// files is what .memento holds, by name.
func (d *desk) files() map[string]string {
	d.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(d.dir(), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(d.dir(), path)
		out[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.t.Fatal(err)
	}
	return out
}

// restore puts the desk back, with a second prompt that was typed and not heard yet.
func (d *desk) restore(heard bool) {
	d.t.Helper()
	if err := os.RemoveAll(d.dir()); err != nil {
		d.t.Fatal(err)
	}
	for name, content := range d.was {
		path := filepath.Join(d.dir(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			d.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			d.t.Fatal(err)
		}
	}
	if heard {
		d.typed("s1", firstWords)
	} else {
		d.typed("s1", firstWords, lateWords)
	}
}

// faults runs f once for each file operation it makes and each way this can fail: the n-th alone, then the n-th and all
// that follow. It returns how often something failed.
func (d *desk) faults(heard bool, f func(what func() string)) (ops, runs int) {
	d.t.Helper()
	defer safefile.TestOnlyFault(nil)
	for _, on := range []struct {
		cause error
		rest  bool
	}{
		{syscall.ENOSPC, false}, {syscall.EIO, false}, {syscall.EACCES, false}, {syscall.EROFS, false}, {syscall.EMFILE, false}, {syscall.ENOSPC, true}, {syscall.EMFILE, true},
	} {
		if d.few && (on.cause == syscall.EACCES || on.cause == syscall.EROFS || on.cause == syscall.EMFILE && on.rest) {
			continue
		}
		for n := 0; ; n++ {
			d.restore(heard)
			step, failed := 0, ""
			safefile.TestOnlyFault(func(op, path string) error {
				if on.cause == syscall.ENOSPC || on.cause == syscall.EROFS { // what these two never do
					switch op {
					case "open", "read", "stat", "list", "flock":
						return nil
					}
				}
				if step++; step-1 == n || on.rest && failed != "" {
					if failed == "" {
						failed = op + " " + filepath.Base(path)
					}
					return on.cause
				}
				return nil
			})
			f(func() string { return fmt.Sprintf("%v at operation %d, %s, rest %v", on.cause, n, failed, on.rest) })
			safefile.TestOnlyFault(nil)
			if failed == "" {
				ops = max(ops, n)
				break
			}
			runs++
			for name := range d.files() {
				if safefile.Temporary(filepath.Base(name)) {
					d.t.Errorf("%v at %s leaves %s", on.cause, failed, name)
				}
			}
		}
	}
	return ops, runs
}

// sound holds the journal to what it must hold whatever failed, and to each word but once.
func (d *desk) sound(what string, open bool) {
	d.t.Helper()
	data, err := os.ReadFile(d.lane().Journal())
	if err != nil {
		d.t.Errorf("%s: %v", what, err)
		return
	}
	j, err := journal.Decode(data)
	if err != nil {
		d.t.Errorf("%s: %v", what, err)
		return
	}
	if open && (!j.Open() || j.Mission != firstWords || j.Wip != "widen cents") {
		d.t.Errorf("%s: the mission is %q, the work in hand %q", what, j.Mission, j.Wip)
	}
	for file := range d.files() {
		if strings.Contains(file, ".corrupt-") {
			d.t.Errorf("%s: %s was set aside, which was whole", what, file)
		}
	}
}

// shelved holds the records that were there to be there still, whole, in one of their places: as they were, or where a command
// was to change one, as it was to be.
func (d *desk) shelved(what string, but string) {
	d.t.Helper()
	files := d.files()
	for name, was := range d.was {
		base := filepath.Base(filepath.FromSlash(name))
		id, ok := strings.CutSuffix(base, ".md")
		if !ok {
			continue
		}
		old, err := record.Decode(id, []byte(was))
		if err != nil {
			d.t.Fatal(err)
		}
		found := false
		for _, at := range []string{base, record.Archive + "/" + base} {
			now, there := files[at]
			if !there {
				continue
			}
			r, err := record.Decode(id, []byte(now))
			if err != nil || r.Title != old.Title {
				d.t.Errorf("%s: %s is %q: %v", what, at, now, err)
				continue
			}
			found = found || now == was || id == but
		}
		if !found && id != but {
			d.t.Errorf("%s: %s is not what it was", what, name)
		}
	}
}

// once holds the history to what was typed in s1, each once.
func (d *desk) once(what string, want ...string) {
	d.t.Helper()
	var said []string
	data, err := os.ReadFile(d.lane().History())
	if err != nil {
		d.t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) { // as it stands in the file: nothing is passed over
		var l struct{ Kind, Text, Session string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			d.t.Errorf("%s: %v: %s", what, err, line)
		}
		if l.Kind == "said" && l.Session == "s1" {
			said = append(said, l.Text)
		}
	}
	if strings.Join(said, "|") != strings.Join(want, "|") {
		d.t.Errorf("%s: the history has %q, want %q", what, said, want)
	}
}

// harmless holds an answer to the protocol, and to what is true.
func harmless(answer string, open bool) error {
	for _, no := range []string{`"block"`, `"deny"`, `"continue"`, `"ask"`, "panic", "goroutine"} {
		if strings.Contains(answer, no) {
			return fmt.Errorf("%s in it", no)
		}
	}
	if open && strings.Contains(answer, "No active mission") && !strings.Contains(answer, "~") || strings.Contains(answer, "No journal yet") && !strings.Contains(answer, "could not be") {
		return errors.New("it says that there is nothing")
	}
	if strings.HasPrefix(answer, "{") && !json.Valid([]byte(answer)) {
		return errors.New("no JSON")
	}
	return nil
}

// TestHookFaults fails each file operation of each event. The hook exits with 0 and is quiet, what stood there stands, and
// the next event hears what this one could not note, once.
func TestHookFaults(t *testing.T) {
	d := newDesk(t)
	for _, tt := range []struct {
		name, session, extra string
		closes               bool
	}{
		{"SessionStart", "s2", `,"source":"startup"`, false},
		{"SessionStart", "s1", `,"source":"compact"`, false},
		{"SessionStart", "s1", `,"source":"resume"`, false},
		{"SessionStart", "s3", `,"source":"fork"`, false},
		{"SessionStart", "s4", `,"source":"clear"`, true},
		{"UserPromptSubmit", "s1", `,"prompt":"and the desktop flow"`, false},
		{"UserPromptSubmit", "s1", `,"prompt":"what does memento have on this session?"`, false},
		{"PreCompact", "s1", `,"trigger":"auto"`, false},
		{"PostCompact", "s1", `,"compact_summary":"The checkout is being fixed."`, false},
		{"SubagentStart", "s1", `,"agent_id":"a1","agent_type":"Explore"`, false},
		{"SubagentStop", "s1", `,"agent_id":"a1","agent_type":"Explore","last_assistant_message":"Found it."`, false},
		{"Stop", "s1", "", false},
		{"SessionEnd", "s1", `,"reason":"other"`, false},
		{"SessionEnd", "s1", `,"reason":"clear"`, true},
		{"PreToolUse", "s1", `,"tool_name":"Bash","tool_input":{"command":"memento done x"}`, false},
		{"PreToolUse", "s1", `,"tool_name":"Read","tool_input":{"file_path":` + fmt.Sprintf("%q", d.lane().Journal()) + `}`, false},
		{"PreToolUse", "s1", `,"tool_name":"Write","tool_input":{"file_path":` + fmt.Sprintf("%q", d.lane().Journal()) + `,"content":"{}"}`, false},
	} {
		t.Run(tt.name+tt.extra[:min(len(tt.extra), 24)], func(t *testing.T) {
			d.t = t
			ops, runs := d.faults(false, func(at func() string) {
				code, out, said := d.memento(nil, d.event(tt.name, tt.session, tt.extra), "hook")
				what := at()
				if code != 0 || said != "" {
					t.Errorf("%s: exit %d, %q", what, code, said)
				}
				if err := harmless(out, !tt.closes); err != nil {
					t.Errorf("%s: %v: %s", what, err, out)
				}
				safefile.TestOnlyFault(nil)
				d.sound(what, !tt.closes)
				d.memento(nil, d.event("Stop", "s1", ""), "hook") // the disk is well again
				d.once(what, firstWords, lateWords)
			})
			t.Logf("%d operations, %d faults", ops, runs)
			if runs < 2*ops || ops < 1 && tt.name != "PreToolUse" {
				t.Errorf("%d operations, %d faults", ops, runs)
			}
		})
	}
	d.t = t
}

// TestHookFaultsSwitchedOff: what cannot be read does not switch memento on.
func TestHookFaultsSwitchedOff(t *testing.T) {
	d := newDesk(t)
	d.was["config.json"] = `{"enabled":false}`
	for _, name := range []string{"SessionStart", "UserPromptSubmit", "PreCompact", "Stop"} {
		d.faults(false, func(at func() string) {
			code, out, said := d.memento(nil, d.event(name, "s1", `,"source":"compact","prompt":"what does memento have on this session?"`), "hook")
			if code != 0 || out != "" || said != "" {
				t.Errorf("%s, %s: exit %d, %q, %q", name, at(), code, out, said)
			}
			safefile.TestOnlyFault(nil)
			d.once(name, firstWords)
		})
	}
}

// onRecords are the commands whose ways to fail are those of the others, in the same packages: fewer of them will do.
var onRecords = strings.Fields("save edit complete reopen retire archive restore rm gc list search index handoff inbox clean export profile")

// TestCommandFaults fails each file operation of each command. What it answers with 0 was done; otherwise it says what
// happened and what helps, and the journal is as it was.
func TestCommandFaults(t *testing.T) {
	d := newDesk(t)
	if err := os.Mkdir(d.path("elsewhere"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.path("elsewhere", "shop--count-the-returns.md"), []byte("---\ntitle: Count the returns\n---\nThey are counted twice.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		done string // what the files of memento's folder hold afterwards
		gone string // and what they do not
	}{
		{[]string{"done", "widen the cents"}, "widen the cents", ""},
		{[]string{"mission", "ship the checkout"}, "ship the checkout", ""},
		{[]string{"wip", "half of them widened"}, "half of them widened", ""},
		{[]string{"plan", "ask for a review"}, "ask for a review", ""},
		{[]string{"constraint", "no new tables"}, "no new tables", ""},
		{[]string{"close"}, `"mission_closed": "2`, ""},
		{[]string{"config", "remind", "never"}, `"remind":"never"`, ""},
		{[]string{"show"}, "", ""},
		{[]string{"show", "--said"}, "", ""},
		{[]string{"show", "--raw"}, "", ""},
		{[]string{"history"}, "", ""},
		{[]string{"history", "--missions"}, "", ""},
		{[]string{"status"}, "", ""},
		{[]string{"stats"}, "", ""},
		{[]string{"workspace"}, "", ""},
		{[]string{"config"}, "", ""},
		{[]string{"pause"}, `"from":`, ""},
		{[]string{"forget", "--yes"}, "", "overflow"},
		{[]string{"forget", "eight bytes", "--yes"}, "", "eight bytes"},
		{[]string{"save", "decision", "Use one queue", "--set", "decision=for all orders"}, "title: Use one queue", ""},
		{[]string{"edit", "widen-the-cents", "--set", "decision=cents take nine bytes"}, "nine bytes", "eight bytes"},
		{[]string{"complete", "widen-the-cents"}, "summary: completed, field: status, old: active, new: completed}\n---\n## Decision\n\ncents", ""},
		{[]string{"reopen", "name-the-columns"}, "summary: reopened", ""},
		{[]string{"retire", "widen-the-cents", "--reason", "no longer so"}, "no longer so", ""},
		{[]string{"archive", "split-the-till", "--reason", "for later"}, "for later", ""},
		{[]string{"restore", "one-currency"}, "summary: restored", ""},
		{[]string{"rm", "widen-the-cents", "--yes"}, "", "eight bytes"},
		{[]string{"gc"}, "", ""},
		{[]string{"list"}, "", ""},
		{[]string{"show", "widen-the-cents"}, "", ""},
		{[]string{"search", "cents"}, "", ""},
		{[]string{"index"}, "", ""},
		{[]string{"index", "--rebuild"}, "", ""},
		{[]string{"handoff"}, "kind: handoff", ""},
		{[]string{"inbox"}, "", ""},
		{[]string{"inbox", "accept", "1", "--title", "Round once"}, "title: Round once", ""},
		{[]string{"inbox", "decline", "1"}, "", "round the cents once"},
		{[]string{"clean", "--orphans"}, "", ""},
		{[]string{"export"}, "", ""},
		{[]string{"profile"}, "", ""},
		{[]string{"profile", "set", "language", "British English"}, "British English", ""},
		{[]string{"workspace", "describe", "shop", "The web shop"}, "The web shop", ""},
		{[]string{"export", "--index"}, "", ""},
		{[]string{"import", "../elsewhere", "--apply"}, "title: Count the returns", ""},
	} {
		for _, session := range []string{"s1", ""} {
			if session == "" && !slices.Contains([]string{"done", "close", "show", "workspace", "forget"}, tt.args[0]) {
				continue // what differs is how the journal is found
			}
			t.Run(strings.Join(tt.args, " ")+" "+session, func(t *testing.T) {
				d.t = t
				d.few = slices.Contains(onRecords, tt.args[0])
				d.restore(true)
				_, whole, _ := d.memento(map[string]string{"CLAUDE_CODE_SESSION_ID": session}, "", tt.args...)
				ops, runs := d.faults(true, func(at func() string) {
					code, out, said := d.memento(map[string]string{"CLAUDE_CODE_SESSION_ID": session}, "", tt.args...)
					safefile.TestOnlyFault(nil)
					files := d.files()
					held := ""
					for _, content := range files {
						held += content
					}
					switch {
					case code == 0 && !strings.Contains(held, tt.done):
						t.Errorf("%s: it answers %q, and did nothing", at(), out)
					case code == 0 && tt.gone != "" && strings.Contains(held, tt.gone):
						t.Errorf("%s: it answers %q, and %q is still there", at(), out, tt.gone)
					case code == 0 && tt.done == "" && tt.gone == "" && len(out) < len(whole)/2 && !strings.HasPrefix(said, "memento: "): // what it leaves out it names
						t.Errorf("%s: it answers %q, whole it is %q", at(), out, whole)
					case code == 0:
					case code != 1 && code != 75:
						t.Errorf("%s: exit %d", at(), code)
					case !strings.HasPrefix(said, "memento: ") || !strings.Contains(said, "\nmemento: hint: "):
						t.Errorf("%s: exit %d, said %q", at(), code, said)
					case tt.gone == "" && (files["shop--alice.json"] != d.was["shop--alice.json"] || files["history/shop--alice.jsonl"] != d.was["history/shop--alice.jsonl"]):
						t.Errorf("%s: it failed, and changed the journal: %s", at(), said)
					}
					if tt.args[0] != "forget" {
						but := ""
						if len(tt.args) > 1 && tt.args[0] != "save" {
							but = "shop--" + tt.args[1]
						}
						d.shelved(at(), but)
					}
				})
				t.Logf("%d operations, %d faults", ops, runs)
				if ops < 2 || runs < 2*ops {
					t.Errorf("%d operations, %d faults", ops, runs)
				}
			})
		}
	}
	d.t = t
}
