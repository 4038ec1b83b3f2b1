package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
)

// world is a scratch home with a project in it.
type world struct {
	t        *testing.T
	home     string
	env      map[string]string
	now      time.Time
	response string
	message  string // what the person is told
	sync     func(dir string) error
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, home: t.TempDir(), now: time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)}
	w.env = map[string]string{"HOME": w.home, "USER": "alice"}
	if err := os.Mkdir(filepath.Join(w.home, "shop"), 0o700); err != nil {
		t.Fatal(err)
	}
	return w
}

// send runs one event of session s1 through the hook.
func (w *world) send(fields map[string]any) string {
	w.t.Helper()
	all := map[string]any{"session_id": "s1", "transcript_path": filepath.Join(w.home, "t.jsonl"),
		"cwd": filepath.Join(w.home, "shop")}
	for k, v := range fields {
		all[k] = v
	}
	data, err := json.Marshal(all)
	if err != nil {
		w.t.Fatal(err)
	}
	var out bytes.Buffer
	Run(bytes.NewReader(data), &out, Env{Getenv: func(k string) string { return w.env[k] }, Now: w.now,
		Exe: func() string { return "/opt/memento/bin/memento" }, Sync: w.sync})
	w.response, w.message = out.String(), ""
	var told struct {
		SystemMessage      string
		HookSpecificOutput json.RawMessage
	}
	if json.Unmarshal(out.Bytes(), &told) != nil || told.SystemMessage == "" {
		return w.response
	}
	w.message, w.response = told.SystemMessage, ""
	if len(told.HookSpecificOutput) > 0 { // as if the person were told nothing
		w.response = `{"hookSpecificOutput":` + string(told.HookSpecificOutput) + "}\n"
	}
	if w.response != "" && all["hook_event_name"] == "SessionStart" {
		var words struct{ AdditionalContext string }
		if err := json.Unmarshal(told.HookSpecificOutput, &words); err != nil {
			w.t.Fatal(err)
		}
		w.response = words.AdditionalContext + "\n"
	}
	return w.response
}

func (w *world) prompt(words string) string {
	w.t.Helper()
	return w.send(map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": words})
}

func (w *world) start(source string) string {
	w.t.Helper()
	return w.send(map[string]any{"hook_event_name": "SessionStart", "source": source})
}

func TestPanicInside(t *testing.T) {
	w := newWorld(t)
	w.prompt("Fix the checkout, never touch the tax tables.")
	safefile.TestOnlyFault(func(_, path string) error {
		if filepath.Base(path) != "config.json" {
			panic("asked for")
		}
		return nil
	})
	defer safefile.TestOnlyFault(nil)
	for _, name := range []string{"SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd", "PreToolUse",
		"PermissionRequest"} {
		if got := w.send(map[string]any{"hook_event_name": name, "source": "compact",
			"prompt": "hello there"}); got != "" {
			t.Errorf("%s said %q after a panic", name, got)
		}
	}
	safefile.TestOnlyFault(nil)
	if got := w.start("compact"); !strings.Contains(got, "Fix the checkout, never touch the tax tables.") {
		t.Errorf("after the panics the block is %q", got)
	}
}

// broken is a reader and a writer that fail.
type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errors.New("the pipe is gone") }
func (broken) Write([]byte) (int, error) { return 0, errors.New("the pipe is gone") }

func TestBrokenStreams(t *testing.T) {
	w := newWorld(t)
	env := Env{Getenv: func(k string) string { return w.env[k] }, Now: w.now}
	var out bytes.Buffer
	Run(broken{}, &out, env)
	if out.Len() > 0 {
		t.Errorf("without an event the hook said %q", out.String())
	}
	in := `{"hook_event_name":"UserPromptSubmit","session_id":"s1","cwd":` +
		string(mustJSON(t, filepath.Join(w.home, "shop"))) +
		`,"prompt":"Fix the checkout, never touch the tax tables."}`
	Run(strings.NewReader(in), broken{}, env)
	if got := w.start("compact"); !strings.Contains(got, "Fix the checkout") {
		t.Errorf("what was typed is lost with the reader of the answer: %q", got)
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestBesideAPrompt holds what may stand beside a prompt to 50 tokens, and to the occasions the design names.
func TestBesideAPrompt(t *testing.T) {
	w := newWorld(t)
	small := func(what string) {
		t.Helper()
		var answer struct {
			HookSpecificOutput struct{ AdditionalContext string }
		}
		if err := json.Unmarshal([]byte(w.response), &answer); err != nil {
			t.Fatalf("%s: %q is not JSON: %v", what, w.response, err)
		}
		if n := len(answer.HookSpecificOutput.AdditionalContext); n == 0 || n > 280 {
			t.Errorf("%s: %d characters beside the prompt", what, n)
		}
	}
	silent := func(what string) {
		t.Helper()
		if w.response != "" {
			t.Errorf("%s: %q stands beside the prompt", what, w.response)
		}
	}
	w.prompt("hi")
	silent("a greeting")
	w.prompt("What is the weather in Lisbon today?")
	silent("a short question")
	w = newWorld(t)
	w.prompt("Fix the checkout, never touch the tax tables.")
	small("the first task")
	w.write("Fix the checkout, never touch the tax tables.")
	w.prompt("and the desktop flow")
	silent("the second prompt")
	w.now = w.now.Add(31 * time.Minute)
	w.prompt("and the tablet flow")
	small("half an hour without an entry")
	w.prompt("and the watch flow")
	silent("right after a reminder")
}

// write appends what was typed to the transcript.
func (w *world) write(words string) {
	w.t.Helper()
	path := filepath.Join(w.home, "t.jsonl")
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	line := `{"type":"user","uuid":"u-` + words[:3] + `","timestamp":"` +
		w.now.Add(time.Second).Format(time.RFC3339Nano) + `","message":{"role":"user","content":` +
		string(mustJSON(w.t, words)) + "}}\n"
	if err := os.WriteFile(path, append(old, line...), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// TestNeverTooMuch: no answer exceeds what the client takes, whatever the journal holds.
func TestNeverTooMuch(t *testing.T) {
	w := newWorld(t)
	w.start("startup")
	journal := filepath.Join(w.home, ".claude", ".memento", "shop--alice.json")
	long := strings.Repeat("word ", 2200) // the largest field of a journal that is not taken for damage
	for _, field := range []string{"mission", "wip", "project", "summary", "subject"} {
		data := mustJSON(t, map[string]any{"mission": "m", "session": "s1", field: long, "plan": []string{"a"},
			"done": []any{}})
		fixture.Write(t, journal, string(data))
		for _, e := range []map[string]any{
			{"hook_event_name": "SessionStart", "source": "compact"},
			{"hook_event_name": "SessionStart", "source": "startup"},
			{"hook_event_name": "SessionStart", "source": "resume"},
			{"hook_event_name": "PreCompact", "trigger": "auto"},
			{"hook_event_name": "UserPromptSubmit", "prompt": "what does memento have on this session?"},
		} {
			if got := w.send(e); len([]rune(got)) > 9000 {
				t.Errorf("%s of %v: %d characters", field, e, len([]rune(got)))
			}
		}
	}
}
