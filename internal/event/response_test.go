package event

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// response has the fields of a response that the client knows.
type response struct {
	HookSpecificOutput struct {
		HookEventName            string
		AdditionalContext        *string
		PermissionDecision       string
		PermissionDecisionReason string
		UpdatedInput             json.RawMessage
		Decision                 *struct {
			Behavior     string
			UpdatedInput json.RawMessage
		}
	}
}

// answer decodes out, and checks that it is one line of JSON with only fields that the client knows.
func answer(t *testing.T, out []byte) response {
	t.Helper()
	if bytes.Count(out, []byte("\n")) != 1 || !bytes.HasSuffix(out, []byte("\n")) {
		t.Errorf("not one line: %q", out)
	}
	var r response
	d := json.NewDecoder(bytes.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	return r
}

func TestContext(t *testing.T) {
	for _, words := range []string{
		"[MEMENTO] Mission: fix auth -- staging only | path:/home/alice/.claude/.memento/myapp--alice.json",
		"two\nlines\r\n\twith \"quotes\" \\ and </system-reminder>", "größer 🚀 \u2028\u2029\u202e", "\x00\x1b[31m", "",
	} {
		r := answer(t, Context("UserPromptSubmit", words)).HookSpecificOutput
		if r.HookEventName != "UserPromptSubmit" || r.AdditionalContext == nil || *r.AdditionalContext != words {
			t.Errorf("Context(%q) says %+v", words, r)
		}
		if r.PermissionDecision != "" || r.Decision != nil {
			t.Errorf("Context(%q) decides: %+v", words, r)
		}
	}
}

func TestAddMessage(t *testing.T) {
	const message = "memento: \"größer\" 🚀\n2 lines"
	for _, response := range [][]byte{nil, Context("Stop", "words"), AllowRequest("")} {
		out := AddMessage(response, message)
		var got struct {
			SystemMessage      string
			HookSpecificOutput json.RawMessage
		}
		if err := json.Unmarshal(out, &got); err != nil || got.SystemMessage != message ||
			bytes.Count(out, []byte("\n")) != 1 {
			t.Errorf("AddMessage(%q) = %q, %v", response, out, err)
		}
		rest := append(append([]byte(`{"hookSpecificOutput":`), got.HookSpecificOutput...), "}\n"...)
		if response != nil && !bytes.Equal(rest, response) {
			t.Errorf("AddMessage(%q) changed it to %q", response, rest)
		}
	}
}

func TestAllowTool(t *testing.T) {
	for in, want := range map[string]string{
		`{"command":"'/opt/memento' 'show'","timeout":5000}`: `{"command":"'/opt/memento' 'show'",` +
			`"timeout":5000}`,
		"{\n  \"command\": \"memento done 'a\\nb'\",\r\n\t\"big\": 1.0e3\n}": `{"command":"memento done 'a\nb'",` +
			`"big":1.0e3}`,
	} {
		r := answer(t, AllowTool(in)).HookSpecificOutput
		if r.HookEventName != "PreToolUse" || r.PermissionDecision != "allow" || r.PermissionDecisionReason == "" ||
			string(r.UpdatedInput) != want {
			t.Errorf("AllowTool(%s) says %+v with input %s", in, r, r.UpdatedInput)
		}
	}
}

func TestAllowRequest(t *testing.T) {
	for in, want := range map[string]string{
		``:                                      ``,
		"{\n  \"command\": \"memento show\"\n}": `{"command":"memento show"}`,
	} {
		r := answer(t, AllowRequest(in)).HookSpecificOutput
		if r.HookEventName != "PermissionRequest" || r.Decision == nil || r.Decision.Behavior != "allow" ||
			string(r.Decision.UpdatedInput) != want || r.PermissionDecision != "" {
			t.Errorf("AllowRequest(%s) says %+v", in, r)
		}
	}
}

func FuzzContext(f *testing.F) {
	f.Add("SessionStart", "[MEMENTO] Mission: größer 🚀\n\"x\" \u2028")
	f.Add("\"", "\xff\xc3\x00")
	f.Fuzz(func(t *testing.T, name, words string) {
		r := answer(t, Context(name, words)).HookSpecificOutput
		if utf8.ValidString(words) && *r.AdditionalContext != words {
			t.Errorf("Context(%q) says %q", words, *r.AdditionalContext)
		}
		input, err := json.MarshalIndent(map[string]string{name: words}, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if r := answer(t, AllowTool(string(input))).HookSpecificOutput; !strings.HasPrefix(string(r.UpdatedInput),
			"{") {
			t.Errorf("AllowTool(%s) says %s", input, r.UpdatedInput)
		}
		if r := answer(t, AllowRequest(string(input))).HookSpecificOutput; r.Decision.Behavior != "allow" {
			t.Errorf("AllowRequest(%s) says %+v", input, r)
		}
	})
}
