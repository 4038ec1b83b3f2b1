package client

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/fixture"
)

// line returns a line of a rollout, as Codex 0.169.0 wrote such a line.
func line(kind, payload string) []byte {
	return []byte(`{"timestamp":"2026-11-13T09:00:00.000Z","ordinal":1,` +
		`"type":"` + kind + `","payload":` + payload + "}\n")
}

// item returns a line with a completed item.
func item(item string) []byte {
	return line("event_msg", `{"type":"item_completed","thread_id":"t","turn_id":"u","item":`+item+`}`)
}

// TestLines: what was typed, answered, run, edited, told by a hook and summarised comes out in Claude Code's form, and
// what the client and the model's input say beside it does not.
func TestLines(t *testing.T) {
	const at = `"timestamp":"2026-11-13T09:00:00.000Z"`
	for _, tt := range []struct {
		name string
		line []byte
		want []string // of the lines, parts
	}{
		{"beginning", line("session_meta", `{"id":"s1","cwd":"/srv/shop","cli_version":"0.169.0"}`),
			[]string{`"cwd":"/srv/shop","sessionId":"s1"`}},
		{"typed", item(`{"type":"UserMessage","id":"p1",` +
			`"content":[{"type":"text","text":"Fix it \"now\""},{"type":"image"}]}`),
			[]string{`"type":"user","promptSource":"typed","ordinal":1,"uuid":"p1","message":{"role":"user",` +
				`"content":[{"type":"text","text":"Fix it \"now\""}]}`}},
		{"answer", item(`{"type":"AgentMessage","id":"a1","content":[{"type":"Text","text":"done"}]}`),
			[]string{`"type":"assistant","uuid":"a1"`}},
		{"command",
			item(`{"type":"CommandExecution","id":"c1","command":["/bin/bash","-lc","go test ./..."],` +
				`"cwd":"file:///srv/shop",` +
				`"status":"failed","aggregated_output":"FAIL x\n","exit_code":1}`),
			[]string{`"id":"c1","name":"Bash","input":{"command":"go test ./..."}`,
				`"tool_use_id":"c1","is_error":true,"content":"Exit code 1\nFAIL x\n"`}},
		{"command that ended with the client", item(`{"type":"CommandExecution","id":"c1","command":["sleep","9"],` +
			`"cwd":"file:///srv/my%20sh%C3%B6p","status":"failed","exit_code":-1}`),
			[]string{`"command":"sleep 9"`, `"cwd":"/srv/my shöp","toolUseResult":{"interrupted":true}`}},
		{"refused", item(`{"type":"CommandExecution","id":"c1","command":["ls"],"status":"declined"}`),
			[]string{`"name":"Bash"`, `"toolDenialKind":"declined"`}},
		{"files", item(`{"type":"FileChange","id":"c2",` +
			`"changes":{"/srv/a.go":{"type":"add"},"/srv/b.go":{"type":"update"}},"status":"completed"}`),
			[]string{`"id":"c2#/srv/a.go","name":"Write","input":{"file_path":"/srv/a.go"}`,
				`"tool_use_id":"c2#/srv/a.go"`,
				`"name":"Edit","input":{"file_path":"/srv/b.go"}`, `"tool_use_id":"c2#/srv/b.go"`}},
		{"hook", line("response_item",
			`{"type":"message","role":"developer","id":"m1","content":[{"type":"input_text","text":"[MEMENTO] x"}],`+
				`"internal_chat_message_metadata_passthrough":{"content_item_kinds":["hooks.additional_context"]}}`),
			[]string{`"attachment":{"type":"hook_additional_context","hookEvent":"","content":"[MEMENTO] x"}`}},
		{"plan", line("response_item",
			`{"type":"function_call","name":"update_plan","call_id":"c4","arguments":"{\"plan\":[{\"step\":\"Test `+
				`it\",\"status\":\"pending\"}]}"}`),
			[]string{`"id":"c4","name":"TodoWrite","input":{"todos":[{"content":"Test it","status":"pending"}]}`,
				`"tool_use_id":"c4"`}},
		{"compaction", line("compacted",
			`{"message":"Words. Here is the summary, use the information in this summary to assist with your own `+
				`analysis:\nAll is well."}`),
			[]string{`"subtype":"compact_boundary"`,
				`"isCompactSummary":true,"uuid":"summary 2026-11-13T09:00:00.000Z","message":{"role":"user",` +
					`"content":"All is well."}`}},
		{"the model's input", line("response_item",
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>"}]}`), nil},
		{"instructions", line("response_item",
			`{"type":"message","role":"developer","content":[{"type":"input_text","text":"Skills"}]}`), nil},
		{"a state", line("world_state", `{"full":true}`), nil},
		{"no JSON", []byte(`{"type":"compacted","payload":{` + "\n"), nil},
	} {
		got := Codex.Lines(tt.line)
		if len(got) != len(tt.want) {
			t.Errorf("%s: %d lines, want %d: %s", tt.name, len(got), len(tt.want), got)
			continue
		}
		for i, want := range tt.want {
			if l := string(got[i]); !gjson.Valid(l) || !strings.Contains(l, want) || !strings.Contains(l, at) {
				t.Errorf("%s: %s, want %s", tt.name, got[i], want)
			}
		}
	}
}

// FuzzLines: any line gives valid JSON objects, and words of the model's input, of hooks or of tools none that were
// typed.
func FuzzLines(f *testing.F) {
	f.Add(string(item(`{"type":"UserMessage","id":"p1","content":[{"type":"text","text":"x"}]}`)))
	f.Add(string(item(`{"type":"FileChange","id":"c","changes":{"a\u0000":{"type":"add"}}}`)))
	f.Add(string(line("compacted", `{"message":7}`)))
	f.Fuzz(func(t *testing.T, words string) {
		for _, l := range Codex.Lines([]byte(words)) {
			if v := gjson.ParseBytes(l); !gjson.ValidBytes(l) || !v.IsObject() || strings.ContainsAny(string(l), "\n") {
				t.Errorf("%q: %q", words, l)
			} else if v.Get("promptSource").Exists() && gjson.Get(words, "payload.item.type").Str != "UserMessage" {
				t.Errorf("%q counts as typed", words)
			}
		}
	})
}

// TestSessions: those of sessions are found, the archived ones too, and a subagent's is none.
func TestSessions(t *testing.T) {
	dir := t.TempDir()
	put := func(name, source string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		fixture.Write(t, path, string(line("session_meta", `{"id":"s","cwd":"`+strings.Repeat("/deep", 300)+
			`","originator":"codex_exec","thread_source":"`+source+`"}`)))
		return path
	}
	own := put("sessions/2026/11/13/rollout-2026-11-13T09-00-00-s1.jsonl", "user")
	old := put("archived_sessions/rollout-2026-11-12T09-00-00-s0.jsonl", "user")
	aside := put("sessions/2026/11/13/rollout-2026-11-13T09-00-01-s2.jsonl", "subagent")
	put("sessions/2026/11/13/history.jsonl", "user")
	if got := Codex.Sessions(dir); !slices.Equal(got, []string{own, old}) {
		t.Error(got)
	}
	none := func(string) string { return "" }
	if !Codex.IsSubagent(aside) || Codex.IsSubagent(own) || Codex.IsAttended(none, own) {
		t.Error("a subagent's rollout, or one that nobody attends, is not known as such")
	}
	if Of(own) != Codex || Of("/x/7d1e.jsonl") != ClaudeCode || Labelled(Of(own).Label) != Codex {
		t.Error("the client of a transcript is not known")
	}
	session := put("projects/-srv-shop/s3.jsonl", "user")
	put("projects/-srv-shop/agent-a1.jsonl", "user")
	put("projects/-srv-shop/s3/subagents/agent-a2.jsonl", "user")
	if got := ClaudeCode.Sessions(dir); !slices.Equal(got, []string{session}) {
		t.Error(got)
	}
}
