package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mementohq/memento/internal/jsonx"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     Event
		err      error
	}{
		{"a session starts",
			`{"session_id":"7d1e","transcript_path":"/home/alice/.claude/projects/-srv-myapp/7d1e.jsonl",` +
				`"cwd":"/srv/myapp","hook_event_name":"SessionStart","source":"compact"}`,
			Event{Name: "SessionStart", SessionID: "7d1e",
				TranscriptPath: "/home/alice/.claude/projects/-srv-myapp/7d1e.jsonl", Cwd: "/srv/myapp",
				Source: "compact"}, nil},
		{"a prompt",
			`{"hook_event_name":"UserPromptSubmit","permission_mode":"plan","prompt":"don't change the \"token\" ` +
				`format\nstaging only \u2014 größer 🚀"}`,
			Event{Name: "UserPromptSubmit", PermissionMode: "plan",
				Prompt: "don't change the \"token\" format\nstaging only — größer 🚀"}, nil},
		{"a tool",
			`{"hook_event_name":"PreToolUse","agent_id":"a1","tool_name":"Bash","tool_input":{ "command": "memento ` +
				`show" }}`,
			Event{Name: "PreToolUse", AgentID: "a1", ToolName: "Bash", ToolInput: `{ "command": "memento show" }`},
			nil},
		{"an end and a compaction", `{"reason":"clear","trigger":"manual"}`, Event{Reason: "clear", Trigger: "manual"},
			nil},
		{"unknown fields", ` {"new":{"a":[1,2,{}]},"prompt_id":"x","cwd":"/"} ` + "\n", Event{Cwd: "/", PromptID: "x"},
			nil},
		{"a key spelt with escapes", `{"\u0063wd":"/srv"}`, Event{Cwd: "/srv"}, nil},
		{"nothing in it", `{}`, Event{}, nil},
		{"wrong types",
			`{"hook_event_name":5,"session_id":null,"cwd":["/"],"prompt":{"a":1},"tool_name":true,` +
				`"tool_input":"memento","source":1.5}`, Event{}, nil},
		{"said twice", `{"cwd":"/a","cwd":"/b"}`, Event{Cwd: "/b"}, nil},
		{"said twice, once as no text", `{"cwd":"/a","cwd":7}`, Event{Cwd: "/a"}, nil},
		{"nests as deep as allowed", `{"x":` + strings.Repeat("[", maxDepth-1) + strings.Repeat("]", maxDepth-1) +
			`,"cwd":"/"}`, Event{Cwd: "/"}, nil},
		{"nests deeper", `{"x":` + strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth) + `,"cwd":"/"}`,
			Event{}, ErrMalformed},
		{"empty", ``, Event{}, ErrMalformed},
		{"white space", " \n", Event{}, ErrMalformed},
		{"not JSON", `hello`, Event{}, ErrMalformed},
		{"cut off", `{"cwd":"/srv`, Event{}, ErrMalformed},
		{"two of them", `{"cwd":"/"}{"cwd":"/"}`, Event{}, ErrMalformed},
		{"a list", `[{"cwd":"/"}]`, Event{}, ErrMalformed},
		{"text", `"SessionStart"`, Event{}, ErrMalformed},
		{"null", `null`, Event{}, ErrMalformed},
		{"a NUL in it", "{\"cwd\":\"/\x00\"}", Event{}, ErrMalformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse([]byte(tt.in))
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("Parse(%.200q) = %+v, %v, want %+v, %v", tt.in, got, err, tt.want, tt.err)
			}
			again, err := Read(strings.NewReader(tt.in))
			if again != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("Read(%.200q) = %+v, %v, want %+v, %v", tt.in, again, err, tt.want, tt.err)
			}
		})
	}
}

// endless reads as n times the same byte and counts the bytes that were read.
type endless struct {
	char byte
	left int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := copy(p, bytes.Repeat([]byte{e.char}, min(len(p), e.left)))
	e.left -= n
	return n, nil
}

// Fifty megabytes are refused, and read to their end, so that the client sees no broken pipe.
func TestReadTooLarge(t *testing.T) {
	for _, char := range []byte("[ax\" ") {
		in := &endless{char, 50 << 20}
		if _, err := Read(in); !errors.Is(err, ErrTooLarge) {
			t.Errorf("50 MB of %q: %v, want ErrTooLarge", char, err)
		}
		if in.left != 0 {
			t.Errorf("50 MB of %q: %d bytes were not read", char, in.left)
		}
	}
}

// The largest input that is read, all of it brackets or all of it prompt: neither may end the process.
func TestReadLargest(t *testing.T) {
	if _, err := Read(&endless{'[', MaxInput}); !errors.Is(err, ErrMalformed) {
		t.Errorf("brackets: %v, want ErrMalformed", err)
	}
	const open, end = `{"prompt":"`, `"}`
	prompt := strings.Repeat("x", MaxInput-len(open)-len(end))
	e, err := Read(strings.NewReader(open + prompt + end))
	if err != nil || e.Prompt != prompt {
		t.Errorf("a prompt: %d characters of %d, %v", len(e.Prompt), len(prompt), err)
	}
}

func TestReadError(t *testing.T) {
	if _, err := Read(iotest.ErrReader(io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Read: %v", err)
	}
	if e, err := Read(iotest.OneByteReader(strings.NewReader(`{"cwd":"/srv"}`))); err != nil || e.Cwd != "/srv" {
		t.Errorf("byte by byte: %+v, %v", e, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"session_id":"7d1e","cwd":"/srv/myapp","hook_event_name":"SessionStart","source":"startup"}`,
		`{"prompt":"größer \ud83d\ude80 \u0000 \"","tool_input":{"command":"memento done x"}}`,
		`{"a":[[{"b":["\\"]}]]}`, `[[[[`, `"\`, `{"cwd":`, "", "null", `{"prompt":"\ud800"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Parse(data)
		if err != nil && e != (Event{}) {
			t.Errorf("with %v, Parse = %+v", err, e)
		}
		if !json.Valid(data) {
			if err == nil {
				t.Errorf("Parse takes %q", data)
			}
			return
		}
		var fields map[string]json.RawMessage
		good := json.Unmarshal(data, &fields) == nil && fields != nil && jsonx.TooDeep(data, maxDepth) < 0
		if good != (err == nil) {
			t.Errorf("Parse(%s): %v, want it taken %v", data, err, good)
		}
		if !good {
			return
		}
		if e.ToolInput != "" && !json.Valid([]byte(e.ToolInput)) {
			t.Errorf("tool_input of %s is %s", data, e.ToolInput)
		}
		var want string
		if json.Unmarshal(fields["prompt"], &want) != nil || bytes.Count(data, []byte(`"`)) > 4 {
			want = e.Prompt // another type, or perhaps said twice
		}
		if e.Prompt != want && !strings.Contains(want, "\uFFFD") {
			t.Errorf("prompt of %s is %q, want %q", data, e.Prompt, want)
		}
	})
}
