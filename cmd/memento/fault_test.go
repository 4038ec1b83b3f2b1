package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
)

// sound checks the journal after a failure: it has its first entries, and no words twice.
func (d *desk) sound(what string, open bool) {
	d.t.Helper()
	j, err := journal.Store{Lane: d.lane(), Config: config.Config{MaxFileBytes: 1 << 20}}.Read()
	if err != nil {
		d.t.Errorf("%s: %v", what, err)
		return
	}
	if open && (!j.Open() || j.Mission != firstWords || j.Wip != "widen cents") {
		d.t.Errorf("%s: the mission is %q, the work in hand %q", what, j.Mission, j.Wip)
	}
	for _, file := range fixture.Names(d.t, d.dir()) {
		if strings.Contains(file, ".corrupt-") {
			d.t.Errorf("%s: %s was set aside, which was whole", what, file)
		}
	}
}

// shelved checks the records after a failure: each is complete and in one place. It has its first content or, if a
// command was to change it, the new one.
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
		for _, at := range []string{base, naming.Archive + "/" + base} {
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

// once checks that the history has each prompt of s1 once.
func (d *desk) once(what string, want ...string) {
	d.t.Helper()
	var said []string
	known := map[string]bool{}
	for line := range strings.Lines(fixture.Logged(d.t, d.lane().Dir)) { // readers skip bad lines
		var l struct{ ID, Kind, Text, Session string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			d.t.Errorf("%s: %v: %s", what, err, line)
		}
		if l.Kind == log.Typed && (l.Session == "" || l.Session == "s1") && !known[l.ID] {
			said = append(said, l.Text)
		}
		known[l.ID] = true // what was written before the journal could not be is written again, and counts once
	}
	if strings.Join(said, "|") != strings.Join(want, "|") {
		d.t.Errorf("%s: the history has %q, want %q", what, said, want)
	}
}

// harmless checks that an answer fits the protocol and says nothing false.
func harmless(answer string, open bool) error {
	for _, no := range []string{`"block"`, `"deny"`, `"continue"`, `"ask"`, "panic", "goroutine"} {
		if strings.Contains(answer, no) {
			return fmt.Errorf("%s in it", no)
		}
	}
	if open && strings.Contains(answer, "No active mission") && !strings.Contains(answer, "~") ||
		strings.Contains(answer, "No journal yet") && !strings.Contains(answer, "could not be") {
		return errors.New("it says that there is nothing")
	}
	if strings.HasPrefix(answer, "{") && !json.Valid([]byte(answer)) {
		return errors.New("no JSON")
	}
	return nil
}

// TestHookFaults makes each file operation of each event fail. The hook exits with 0 and prints no error, all earlier
// entries stay, and the next event captures the missing prompts, once.
func TestHookFaults(t *testing.T) {
	fixture.Long(t, "lets each file operation fail")
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
		{"SubagentStart", "s1", `,"agent_id":"a1","agent_type":"Explore"`, false},
		{"SubagentStop", "s1", `,"agent_id":"a1","agent_type":"Explore","last_assistant_message":"Found it."`, false},
		{"Stop", "s1", "", false},
		{"SessionEnd", "s1", `,"reason":"other"`, false},
		{"SessionEnd", "s1", `,"reason":"clear"`, true},
		{"PreToolUse", "s1", `,"tool_name":"Bash","tool_input":{"command":"memento done x"}`, false},
		{"PreToolUse", "s1", `,"tool_name":"Read","tool_input":{"file_path":` + fmt.Sprintf("%q", d.lane().Journal()) +
			`}`, false},
		{"PreToolUse", "s1", `,"tool_name":"Write","tool_input":{"file_path":` + fmt.Sprintf("%q", d.lane().Journal()) +
			`,"content":"{}"}`, false},
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
				d.memento(nil, d.event("Stop", "s1", ""), "hook") // now without errors
				d.once(what, firstWords, lateWords)
			})
			t.Logf("%d operations, %d faults", ops, runs)
			if runs < ops || ops < 1 && tt.name != "PreToolUse" {
				t.Errorf("%d operations, %d faults", ops, runs)
			}
		})
	}
	d.t = t
}

// TestHookFaultsSwitchedOff: an unreadable config.json does not switch memento on.
func TestHookFaultsSwitchedOff(t *testing.T) {
	d := newDesk(t)
	d.was["config.json"] = `{"enabled":false}`
	// as the last event has written it
	d.was["paused.json"] = `{"version":1,"pauses":[{"session":"s1","from":"2026-01-02T03:04:05Z"}]}`
	for _, name := range []string{"SessionStart", "UserPromptSubmit", "PreCompact", "Stop"} {
		d.faults(false, func(at func() string) {
			code, out, said := d.memento(nil, d.event(name, "s1",
				`,"source":"compact","prompt":"what does memento have on this session?"`), "hook")
			if code != 0 || out != "" || said != "" {
				t.Errorf("%s, %s: exit %d, %q, %q", name, at(), code, out, said)
			}
			safefile.TestOnlyFault(nil)
			d.once(name, firstWords)
		})
	}
}

// commands are those that faults and kills hit, each on a desk as newDesk and fill leave it.
var commands = []struct {
	args []string
	done string // words in memento's files afterwards
	gone string // words that are not there
}{
	{[]string{"done", "widen the cents"}, "widen the cents", ""},
	{[]string{"mission", "ship the checkout"}, "ship the checkout", ""},
	{[]string{"done", "--wip", "half of them widened"}, "half of them widened", ""},
	{[]string{"done", "--plan", "ask for a review"}, "ask for a review", ""},
	{[]string{"mission", "--close"}, `"mission_closed": "2`, ""},
	{[]string{"config", "remind", "never"}, `"remind":"never"`, ""},
	{[]string{"show"}, "", ""},
	{[]string{"show", "--said"}, "", ""},
	{[]string{"show", "--raw"}, "", ""},
	{[]string{"show", "--history"}, "", ""},
	{[]string{"status"}, "", ""},
	{[]string{"workspace"}, "", ""},
	{[]string{"config"}, "", ""},
	{[]string{"pause"}, `"from":`, ""},
	{[]string{"forget", "--yes"}, "", "overflow"},
	{[]string{"forget", "eight bytes", "--yes"}, "", "eight bytes"},
	{[]string{"save", "decision", "Use one queue", "--set", "decision=for all orders"}, "title: Use one queue", ""},
	{[]string{"edit", "widen-the-cents", "--set", "decision=cents take nine bytes"}, "nine bytes", "eight bytes"},
	{[]string{"archive", "widen-the-cents", "--as", "completed"},
		"summary: completed, field: status, old: active, new: completed}\n---\n## Decision\n\ncents", ""},
	{[]string{"restore", "name-the-columns"}, "summary: restored", ""},
	{[]string{"archive", "widen-the-cents", "--as", "retired", "--reason", "no longer so"}, "no longer so", ""},
	{[]string{"archive", "split-the-till", "--reason", "for later"}, "for later", ""},
	{[]string{"restore", "one-currency"}, "summary: restored", ""},
	{[]string{"rm", "widen-the-cents", "--yes"}, "", "eight bytes"},
	{[]string{"gc"}, "", ""},
	{[]string{"list"}, "", ""},
	{[]string{"show", "widen-the-cents"}, "", ""},
	{[]string{"search", "cents"}, "", ""},
	{[]string{"search", "--rebuild"}, "", ""},
	{[]string{"handoff", "write"}, "kind: handoff", ""},
	{[]string{"rules"}, "", ""},
	{[]string{"rules", "keep", "123456"}, `"kind":"kept"`, ""},
	{[]string{"rules", "drop", "123456"}, `"kind":"dropped"`, ""},
	{[]string{"export"}, "", ""},
	{[]string{"save", "preference", "language", "--set", "value=British English"}, "British English", ""},
	{[]string{"import", "../elsewhere", "--apply"}, "title: Count the returns", ""},
	{[]string{"backfill", "--all", "--yes"}, "Label the jars.", ""},
}

// fill adds what commands take in.
func (d *desk) fill() {
	if err := os.Mkdir(d.path("elsewhere"), 0o700); err != nil {
		d.t.Fatal(err)
	}
	fixture.Write(d.t, d.path("elsewhere", "shop--count-the-returns.md"),
		"---\ntitle: Count the returns\n---\nThey are counted twice.\n")
	fixture.Write(d.t, d.path(".claude", "projects", "-shop", "00000009-1111-4111-8111-111111111111.jsonl"),
		fmt.Sprintf(`{"type":"user","uuid":"b1","sessionId":"00000009-1111-4111-8111-111111111111","cwd":%q,`+
			`"timestamp":"2026-03-13T09:00:00Z","message":{"role":"user","content":"Label the jars."}}`+"\n",
			d.path("shop")))
}

// TestCommandFaults makes each file operation of each command fail. Exit code 0 means that the command did its work.
// Otherwise it prints the error and a hint, and the journal is unchanged.
func TestCommandFaults(t *testing.T) {
	fixture.Long(t, "lets each file operation fail")
	d := newDesk(t)
	d.fill()
	for _, tt := range commands {
		for _, session := range []string{"s1", ""} {
			if session == "" && !slices.Contains([]string{"done", "show"}, tt.args[0]) {
				continue // the session only changes how a command finds the journal
			}
			t.Run(strings.Join(tt.args, " ")+" "+session, func(t *testing.T) {
				d.t = t
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
					case code == 0 && tt.done == "" && tt.gone == "" && len(out) < len(whole)/2 &&
						!strings.HasPrefix(said, "memento: "):
						// it must name each record that it leaves out
						t.Errorf("%s: it answers %q, whole it is %q", at(), out, whole)
					case code == 0:
					case code != 1 && code != 75:
						t.Errorf("%s: exit %d", at(), code)
					case tt.args[0] == "backfill" && strings.Contains(out, "taken in: "):
						// it names each file that it left out
					case !strings.HasPrefix(said, "memento: ") || !strings.Contains(said, "\nmemento: hint: "):
						t.Errorf("%s: exit %d, said %q", at(), code, said)
					case tt.gone == "" && files["shop--alice.json"] != d.was["shop--alice.json"]:
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
				if ops < 2 || runs < ops {
					t.Errorf("%d operations, %d faults", ops, runs)
				}
			})
		}
	}
	d.t = t
}

// TestKilledCommands kills each command that writes before its file operations. Journal and records are whole
// after that, and the history is as it was. The same command does the rest of the work.
func TestKilledCommands(t *testing.T) {
	fixture.Long(t, "kills processes")
	t.Parallel()
	d := newDesk(t)
	d.fill()
	env := []string{"HOME=" + d.home, "USER=alice", "CLAUDE_CODE_SESSION_ID=s1", "GORACE=" + noSleep,
		fmt.Sprint("CLAUDE_PID=", os.Getpid())}
	for _, tt := range commands {
		if tt.done == "" && tt.gone == "" {
			continue
		}
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			d.t = t
			forgets, kills := tt.args[0] == "forget", 0
			for n, alive := 1, false; !alive; n += 1 + n/12 {
				d.restore(true)
				cmd := exec.Command(self, tt.args...)
				cmd.Dir, cmd.Env = d.path("shop"), append(env, fmt.Sprint(killAt, "=", n))
				if alive = cmd.Run() == nil; !alive {
					kills++
				}
				what := fmt.Sprintf("killed before operation %d", n)
				if !forgets {
					d.sound(what, false)
					but := ""
					if len(tt.args) > 1 && tt.args[0] != "save" {
						but = "shop--" + tt.args[1]
					}
					d.shelved(what, but)
				}
				if !forgets && tt.args[0] != "backfill" {
					d.once(what, firstWords)
				}
				_, out, said := d.memento(map[string]string{"CLAUDE_CODE_SESSION_ID": "s1"}, "", tt.args...)
				held := strings.Join(slices.Collect(maps.Values(d.files())), "")
				if (!strings.Contains(held, tt.done) || tt.gone != "" && strings.Contains(held, tt.gone)) &&
					!strings.Contains(said, "already") && !strings.Contains(said, "none is open") {
					t.Errorf("%s: then the work was not done: %s%s", what, out, said)
				}
			}
			if kills < 10 {
				t.Errorf("it was killed %d times", kills)
			}
		})
	}
}
