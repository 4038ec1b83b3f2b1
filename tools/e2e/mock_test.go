package e2e

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
)

// The tests in this file need no client: they compare the mock and the reader of the stream with what the client was
// seen to do.

func post(t *testing.T, m *Mock, body string) string {
	t.Helper()
	res, err := http.Post(m.URL+"/v1/messages?beta=true", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestMock(t *testing.T) {
	m, err := NewMock(Script{
		Main:    []Turn{Say("first"), Bash("git status").At(150000)},
		Sub:     []Turn{Say("from the agent")},
		Summary: []string{"all of it"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	const tools = `"tools":[{"name":"Bash"},{"name":"Read"},{"name":"Write"},{"name":"Edit"}]`
	ask := func(system, text string) string {
		return `{"model":"m","stream":true,` + tools + `,"system":[{"type":"text","text":"` + system +
			`"}],"messages":[{"role":"user","content":[{"type":"text","text":"` + text + `"}]}]}`
	}
	for _, c := range []struct {
		name, body string
		kind       Kind
		want       []string
	}{
		{"the main model", ask("", "Hello"), Main,
			[]string{`"text":"first"`, `"stop_reason":"end_turn"`, "event: message_stop"}},
		{"a subagent", ask("cc_is_subagent=true;", "Look"), Subagent, []string{"from the agent"}},
		{"the summariser", ask("", "Your task is to create a detailed summary of the conversation so far"), Summary,
			[]string{`\u003csummary\u003e\nall of it\n`}},
		{"a title", `{"model":"m","messages":[{"role":"user","content":"A title for this"}]}`, Side,
			[]string{`"text":"ok"`}},
		{"the main model again", ask("", "Go on"), Main,
			[]string{`"partial_json":"{\"command\":\"git status\"`, `"input_tokens":150000`,
				`"stop_reason":"tool_use"`}},
		{"the main model past its script", ask("", "Go on"), Main, []string{`"text":"ok"`}},
	} {
		answer := post(t, m, c.body)
		for _, part := range c.want {
			if !strings.Contains(answer, part) {
				t.Errorf("%s: no %s in the answer:\n%s", c.name, part, answer)
			}
		}
		all := m.Requests()
		if got := all[len(all)-1]; got.Kind != c.kind || string(got.Body) != c.body {
			t.Errorf("%s: kept as %s: %s", c.name, got.Kind, got.Body)
		}
	}
}

func TestRequest(t *testing.T) {
	r := Request{Messages: []Message{
		{"user", Content{{Type: "text", Text: "old prompt"}}},
		{"assistant", Content{{Type: "text", Text: "answer"}}},
		{"user", Content{{Type: "tool_result", Content: Content{{Text: "tool output"}}}}},
		{"system", Content{{Text: "a hook's words"}}},
	}}
	if got := r.Tail(); got != "tool output\na hook's words" {
		t.Errorf("Tail() = %q", got)
	}
	for _, c := range []struct{ text, want string }{
		{"Summarise.\n\nAdditional Instructions:\nKeep this.\nAnd this.\n\nREMINDER: Do NOT call any tools. Respond",
			"Keep this.\nAnd this."},
		{"Summarise.\n\nREMINDER: Do NOT call any tools.", ""},
	} {
		r := Request{Messages: []Message{{"user", Content{{Text: c.text}}}}}
		if got := r.Brief(); got != c.want {
			t.Errorf("Brief() = %q, not %q", got, c.want)
		}
	}
}

// closer is a stdin that keeps what was written to it.
type closer struct{ bytes.Buffer }

func (*closer) Close() error { return nil }

// TestDialog: a dialog that a hook answers does not count. A dialog that no hook answers counts, and is denied.
func TestDialog(t *testing.T) {
	const (
		question = `{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool",` +
			`"tool_name":"Read","input":{"file_path":"/etc/hostname"}}}`
		started = `{"type":"system","subtype":"hook_started","hook_name":"PermissionRequest:Read",` +
			`"hook_event":"PermissionRequest"}`
		silent = `{"type":"system","subtype":"hook_response","hook_name":"PermissionRequest:Read",` +
			`"hook_event":"PermissionRequest","stdout":"","exit_code":0,"outcome":"success"}`
		allow = `{"type":"system","subtype":"hook_response","hook_name":"PermissionRequest:Read",` +
			`"hook_event":"PermissionRequest",` +
			`"stdout":"{\"hookSpecificOutput\":{\"decision\":{\"behavior\":\"allow\"}}}","exit_code":0,` +
			`"outcome":"success"}`
		cancel = `{"type":"control_cancel_request","request_id":"r1"}`
	)
	for _, c := range []struct {
		name  string
		lines []string
		asked bool
	}{
		{"the hook is silent", []string{question, started, silent}, true},
		{"the hook allows", []string{question, started, allow, cancel}, false},
		{"the client says so late", []string{started, question, allow, cancel}, false},
	} {
		in := &closer{}
		talk := &talk{in: in, tool: map[string]int{}, result: &Result{}}
		talk.read(strings.NewReader(strings.Join(c.lines, "\n")))
		talk.over()
		if got := len(talk.result.Dialogs) == 1 && strings.Contains(in.String(), `"behavior":"deny"`); got != c.asked {
			t.Errorf("%s: dialogs %v, answered %q", c.name, talk.result.Dialogs, in.String())
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, line, stderr string }{
		{"an exit code",
			`{"type":"system","subtype":"hook_response","hook_name":"Stop","exit_code":1,"outcome":"error"}`, ""},
		{"a dialog's hook ended though nobody answered",
			`{"type":"system","subtype":"hook_response","hook_name":"PermissionRequest:Bash","exit_code":0,` +
				`"outcome":"cancelled"}`, ""},
		{"a hook ended by the client",
			`{"type":"system","subtype":"hook_response","hook_name":"Stop","exit_code":0,"outcome":"cancelled"}`, ""},
		{"an answer the client refuses",
			`{"type":"system","subtype":"hook_response","hook_name":"Stop","exit_code":0,"outcome":"error"}`, ""},
		{"a word on stderr",
			`{"type":"system","subtype":"hook_response","hook_name":"Stop","stderr":"warning","exit_code":0,` +
				`"outcome":"success"}`, ""},
		{"a failed PreCompact",
			`{"type":"user","message":{"role":"user","content":"<local-command-stdout>Compacted PreCompact [memento ` +
				`hook] failed: no</local-command-stdout>"}}`, ""},
		{"a failed SessionEnd", `{"type":"result"}`, "SessionEnd hook [memento hook] failed: no"},
	} {
		talk := &talk{in: &closer{}, tool: map[string]int{}, result: &Result{Stderr: c.stderr}}
		talk.read(strings.NewReader(c.line))
		if len(talk.result.Faults()) == 0 {
			t.Errorf("%s: not seen", c.name)
		}
	}
	talk := &talk{in: &closer{}, tool: map[string]int{}, result: &Result{}}
	talk.read(strings.NewReader(`{"type":"system","subtype":"hook_response","hook_name":"Stop","exit_code":0,` +
		`"outcome":"success"}`))
	if found := talk.result.Faults(); found != nil {
		t.Errorf("a hook that went well: %v", found)
	}
}
