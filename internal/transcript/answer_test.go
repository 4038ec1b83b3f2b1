package transcript

import (
	"strings"
	"testing"
)

// Answer returns Claude's text, and nothing else from its lines.
func TestAnswer(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"a text", `{"type":"assistant","message":{"content":[{"type":"text","text":"Done\nand \"dusted\"."}]}}`,
			"Done\nand \"dusted\"."},
		{"two",
			`{"type":"assistant","message":{"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}}`,
			"one\ntwo"},
		{"beside other blocks",
			`{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm","text":"hidden"},` +
				`{"type":"text","text":"one"},{"type":"tool_use","id":"t","name":"Bash","input":{"text":"x"}}]}}`,
			"one"},
		{"an older form", `{"type":"assistant","message":{"content":"one","text":1}}`, "one"},
		{"thinking", `{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"text \"text\""}]}}`, ""},
		{"a subagent's", `{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"text","text":"one"}]}}`,
			""},
		{"the client's own",
			`{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}}`,
			""},
		{"an error of the service's",
			`{"type":"assistant","isApiErrorMessage":true,"message":{"model":"claude","content":[{"type":"text",` +
				`"text":"API Error"}]}}`, ""},
		{"a prompt", user("u1", "text"), ""},
		{"half a line", `{"type":"assistant","message":{"content":[{"type":"text","text":"on`, ""},
	} {
		path := transcriptOf(t, strings.TrimSuffix(tt.line, "\n")+"\n")
		got := ""
		if _, _, err := Follow(path, Position{}, nil, true, func(e Entry) { got += e.Answer() }); err != nil ||
			got != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
		if _, err := readEntries(path, Position{}, func(e Entry) {
			if e.Answer() != "" {
				t.Errorf("%s: Read hands it on too", tt.name)
			}
		}); err != nil {
			t.Error(err)
		}
	}
	path := transcriptOf(t, user("u1", "go"),
		`{"type":"assistant","message":{"content":[{"type":"text","text":"on it"}]}}`+"\n")
	var at []int64
	if _, _, err := Follow(path, Position{}, nil, true, func(e Entry) { at = append(at, e.At) }); err != nil ||
		len(at) != 2 || at[0] != 0 || at[1] != int64(len(user("u1", "go"))) {
		t.Errorf("the lines begin at %v, %v", at, err)
	}
}
