package settings

import "testing"

// TestStatusLine: a status line goes in and out like a hook. Another one is not replaced.
func TestStatusLine(t *testing.T) {
	t.Parallel()
	line := Wiring{{Event: StatusLine, Command: "/x/memento hook"}}
	for in, want := range map[string]string{
		"": "{\n  \"statusLine\": {\n    \"type\": \"command\",\n    \"command\": \"/x/memento " +
			"hook\"\n  }\n}\n",
		`{"a":1}`: `{"a":1,"statusLine":{"type":"command","command":"/x/memento hook"}}`,
		"{\r\n\t\"a\": 1\r\n}": "{\r\n\t\"a\": 1,\r\n\t\"statusLine\": {\r\n\t\t\"type\": \"command\"," +
			"\r\n\t\t\"command\": \"/x/memento hook\"\r\n\t}\r\n}",
	} {
		got, err := Apply([]byte(in), line, ours)
		if err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v; want %q", in, got, err, want)
		}
		if back, err := Remove(got, ours); err != nil || in != "" && string(back) != in {
			t.Errorf("%q: came back as %q, %v", in, back, err)
		}
	}
	kept := []byte(`{"statusLine": {"padding": 0, "command": "/x/memento hook"}}`)
	if got, err := Apply(kept, line, ours); err != nil || string(got) != string(kept) {
		t.Errorf("a line that is there became %q, %v", got, err)
	}
	if got, err := Apply([]byte(`{"statusLine": {"command": "clock"}}`), line, ours); err == nil {
		t.Errorf("another status line was overwritten: %s", got)
	}
}
