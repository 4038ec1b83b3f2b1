package settings

import (
	"strings"
	"testing"
)

// TestStatusLine: a status line goes in and out, and no other byte changes.
func TestStatusLine(t *testing.T) {
	const command = "'/opt/my tools/memento' statusline"
	ours := func(c string) bool { return c == command }
	for _, tt := range []struct{ name, before, after string }{
		{"no file", "", "{\n  \"statusLine\": {\n    \"type\": \"command\",\n    \"command\": \"" + command + "\"\n  }\n}\n"},
		{"tabs, and no last line end", "{\n\t\"model\": \"opus\"\n}",
			"{\n\t\"model\": \"opus\",\n\t\"statusLine\": {\n\t\t\"type\": \"command\",\n\t\t\"command\": \"" + command + "\"\n\t}\n}"},
		{"one line", `{"model":"opus"}`,
			`{"model":"opus","statusLine":{"type":"command","command":"` + command + `"}}`},
		{"a BOM and CRLF", "\ufeff{\r\n  \"a\": 1\r\n}\r\n",
			"\ufeff{\r\n  \"a\": 1,\r\n  \"statusLine\": {\r\n    \"type\": \"command\",\r\n    \"command\": \"" + command + "\"\r\n  }\r\n}\r\n"},
	} {
		after, err := SetStatusLine([]byte(tt.before), command)
		if err != nil || string(after) != tt.after {
			t.Errorf("%s: %q, %v, want %q", tt.name, after, err, tt.after)
		}
		if again, err := SetStatusLine(after, command); err != nil || string(again) != string(after) {
			t.Errorf("%s: a second time: %q, %v", tt.name, again, err)
		}
		if got, ok, err := StatusLine(after); got != command || !ok || err != nil {
			t.Errorf("%s: found %q, %t, %v", tt.name, got, ok, err)
		}
		gone, err := RemoveStatusLine(after, ours)
		if want := tt.before; err != nil || want != "" && string(gone) != want {
			t.Errorf("%s: out again it is %q, %v, want %q", tt.name, gone, err, want)
		}
		if kept, err := RemoveStatusLine(after, func(string) bool { return false }); string(kept) != string(after) ||
			err != nil {
			t.Errorf("%s: somebody else's went: %q, %v", tt.name, kept, err)
		}
	}
	other := `{"statusLine": {"type": "command", "command": "old", "padding": 0}, "model": "opus"}`
	if got, err := SetStatusLine([]byte(other), command); err != nil || strings.Contains(string(got), "old") ||
		!strings.HasSuffix(string(got), `, "model": "opus"}`) {
		t.Errorf("a stale one became %s, %v", got, err)
	}
	for _, bad := range []string{`{"statusLine": 1, "statusLine": 2}`, `[]`, `{"a":`} {
		if got, err := SetStatusLine([]byte(bad), command); err == nil {
			t.Errorf("%s became %s", bad, got)
		}
	}
}
