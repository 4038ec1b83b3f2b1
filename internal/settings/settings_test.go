package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const hooksJSON = `{
  "description": "what the plugin wires",
  "hooks": {
    "SessionStart": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/memento", "args": ["hook"], "timeout": 5}]}],
    "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/memento", "args": ["hook"], "timeout": 5}]}],
    "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/memento", "args": ["hook"], "if": "Bash(memento *)", "timeout": 5}]}],
    "PermissionRequest": [{"matcher": "Bash|Read|Write|Edit", "hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/memento", "args": ["hook"], "timeout": 5}]}],
    "PreCompact": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/memento", "args": ["hook"], "timeout": 5}]}],
    "Stop": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/memento", "args": ["hook"], "timeout": 5}]}],
    "SessionEnd": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/memento", "args": ["hook"], "timeout": 5}]}]
  }
}`

const command = "/home/zoë & co/.local/bin/memento"

func wiring(t testing.TB) Wiring {
	t.Helper()
	w, err := Find([]byte(hooksJSON), func(Hook) bool { return true })
	if err != nil || len(w) != 7 {
		t.Fatal(len(w), err)
	}
	for i := range w {
		w[i].Command = command
	}
	return w
}

func ours(h Hook) bool {
	if h.Args == nil {
		return strings.HasSuffix(h.Command, `/memento hook`) || strings.HasSuffix(h.Command, `/memento" hook`)
	}
	return strings.HasSuffix(h.Command, "/memento") && slices.Equal(h.Args, []string{"hook"})
}

// files returns realistic settings files, and one of 200 KB.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) < 10 {
		t.Fatalf("found %d files, %v", len(paths), err)
	}
	all := map[string][]byte{"missing": nil, "blank": []byte("\r\n\t\n"), "bare": []byte("{}"),
		"spaced": []byte("{ }\n")}
	for _, p := range paths {
		if strings.HasSuffix(p, ".wired.json") {
			continue
		}
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(p), ".json")] = data
	}
	var b strings.Builder
	b.WriteString("{\n  \"permissions\": {\n    \"allow\": [\n")
	for i := 0; b.Len() < 200<<10; i++ {
		fmt.Fprintf(&b, "      \"Bash(make -C services/svc-%04d test && echo \\\"ok \\u00fc\\\":*)\",\n", i)
	}
	b.WriteString("      \"Bash(true)\"\n    ]\n  },\n  \"hooks\": {\n    \"Stop\": [\n      {\n        " +
		"\"hooks\": []\n      }\n    ]\n  }\n}\n")
	all["200k"] = []byte(b.String())
	return all
}

// indistinct are the files that have an empty list or object, which Remove cannot tell from its own.
var indistinct = map[string]string{
	"missing":     "{}\n",
	"blank":       "{}\r\n",
	"spaced":      "{}\n",
	"empty-hooks": "{\n  \"model\": \"opus\"\n}\n",
	"empty-event": "{\n  \"hooks\": {\n    \"Notification\": []\n  },\n  \"model\": \"opus\"\n}\n",
}

func TestApplyLooksLikeTheFile(t *testing.T) {
	t.Parallel()
	for name, data := range files(t) {
		if name == "200k" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			got, err := Apply(data, wiring(t), ours)
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", name+".wired.json")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestRemoveUndoesApply(t *testing.T) {
	t.Parallel()
	for name, data := range files(t) {
		t.Run(name, func(t *testing.T) {
			wired, err := Apply(data, wiring(t), ours)
			if err != nil {
				t.Fatal(err)
			}
			invariant(t, data, wired, wiring(t))
			got, err := Remove(wired, ours)
			if err != nil {
				t.Fatal(err)
			}
			want := string(data)
			if w, ok := indistinct[name]; ok {
				want = w
			}
			if string(got) != want {
				t.Errorf("got:\n%q\nwant:\n%q", got, want)
			}
			// The same with a file that the client has written again in its own layout.
			rewritten, err := json.MarshalIndent(decode(t, wired), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got, err = Remove(rewritten, ours)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(decode(t, got), decode(t, []byte(want))) {
				t.Errorf("after a rewrite by the client:\n%s", got)
			}
		})
	}
}

// TestTwoToolsComeAndGo: another tool adds hooks to the same events while memento's are there. They stay when
// memento's are removed. When they are removed too, every byte is as before.
func TestTwoToolsComeAndGo(t *testing.T) {
	t.Parallel()
	theirs := func(h Hook) bool { return h.Command == "/opt/bell/ring" }
	var other Wiring
	for _, h := range wiring(t) {
		other = append(other, Hook{Event: h.Event, Command: "/opt/bell/ring", Args: []string{h.Event}})
	}
	other = append(other, Hook{Event: "TeammateIdle", Matcher: "x", Command: "/opt/bell/ring", Args: []string{}})
	step := func(t *testing.T, data []byte, w Wiring, ours func(Hook) bool) []byte {
		t.Helper()
		out, err := Apply(data, w, ours)
		if w == nil {
			out, err = Remove(data, ours)
		}
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for name, data := range files(t) {
		t.Run(name, func(t *testing.T) {
			alone := step(t, data, other, theirs)
			both := step(t, step(t, data, wiring(t), ours), other, theirs)
			rest := step(t, both, nil, ours)
			if found, err := Find(rest, theirs); err != nil || !sameHooks(found, other) {
				t.Errorf("theirs: %v, %v", found, err)
			}
			if !reflect.DeepEqual(decode(t, rest), decode(t, alone)) {
				t.Errorf("left:\n%s\nwant:\n%s", rest, alone)
			}
			want := string(data)
			if w, ok := indistinct[name]; ok {
				want = w
			}
			if got := step(t, rest, nil, theirs); string(got) != want {
				t.Errorf("ours out first:\n%q\nwant:\n%q", got, want)
			}
			if got := step(t, step(t, both, nil, theirs), nil, ours); string(got) != want {
				t.Errorf("theirs out first:\n%q\nwant:\n%q", got, want)
			}
		})
	}
}

func decode(t testing.TB, data []byte) any {
	t.Helper()
	data = bytes.TrimPrefix(data, []byte(bom))
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in:\n%s", err, data)
	}
	return v
}

// invariant fails unless wired is valid JSON that has exactly w of ours, everything of before that was not
// ours, and stays as it is when wired again.
func invariant(t testing.TB, before, wired []byte, w Wiring) {
	t.Helper()
	got, err := Find(wired, ours)
	if err != nil {
		t.Fatal(err)
	}
	if !sameHooks(got, w) {
		t.Fatalf("found:\n%v\nwant:\n%v\nin:\n%s", got, w, wired)
	}
	if b, a := foreign(t, before), foreign(t, wired); !reflect.DeepEqual(b, a) {
		t.Fatalf("foreign content differs\nbefore: %v\nafter:  %v\nin:\n%s", b, a, wired)
	}
	again, err := Apply(wired, w, ours)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, wired) {
		t.Fatalf("a second Apply changed it\nfirst:\n%s\nsecond:\n%s", wired, again)
	}
}

func sameHooks(a, b Wiring) bool {
	count := func(w Wiring) map[string]int {
		m := map[string]int{}
		for _, h := range w {
			m[fmt.Sprintf("%#v", h)]++
		}
		return m
	}
	return reflect.DeepEqual(count(a), count(b))
}

// foreign returns the decoded settings without memento's hooks, and without an event or the hooks object that is empty.
func foreign(t testing.TB, data []byte) any {
	t.Helper()
	out, err := Remove(data, ours)
	if err != nil {
		t.Fatal(err)
	}
	top, _ := decode(t, out).(map[string]any)
	hooks, _ := top["hooks"].(map[string]any)
	for event, groups := range hooks {
		if list, ok := groups.([]any); ok && len(list) == 0 {
			delete(hooks, event)
		}
	}
	if len(hooks) == 0 {
		delete(top, "hooks")
	}
	return top
}

const (
	foreignEntry = `{"type":"command","command":"say hi"}`
	oldPath      = `{"type":"command","command":"/old/place/memento","args":["hook"],"timeout":5}`
	shellForm    = `{"type":"command","command":"\"/x/memento\" hook"}`
	current      = `{"type":"command","command":"/x/memento","args":["hook"],"timeout":5}`
)

func TestApplyReplacesWhatIsStale(t *testing.T) {
	t.Parallel()
	stop := Wiring{{Event: "Stop", Command: "/x/memento", Args: []string{"hook"}, Timeout: 5}}
	tests := []struct{ name, in, want string }{
		{"older path",
			`{"hooks":{"Stop":[{"hooks":[` + oldPath + `]},{"hooks":[` + foreignEntry + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + foreignEntry + `]},{"hooks":[` + current + `]}]}}`},
		{"shell form",
			`{"hooks":{"Stop":[{"hooks":[` + shellForm + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + current + `]}]}}`},
		{"stacked by upgrades",
			`{"hooks":{"Stop":[{"hooks":[` + oldPath + `]},{"hooks":[` + current + `]},{"hooks":[` + current +
				`]},{"hooks":[` + oldPath + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + current + `]}]}}`},
		{"twice in one group",
			`{"hooks":{"Stop":[{"hooks":[` + current + `,` + current + `,` + oldPath + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + current + `]}]}}`},
		{"beside a foreign hook in one group",
			`{"hooks":{"Stop":[{"hooks":[` + oldPath + `,` + foreignEntry + `,` + shellForm + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + foreignEntry + `]},{"hooks":[` + current + `]}]}}`},
		{"current, moved by the user into a shared group",
			`{"hooks":{"Stop":[{"hooks":[` + foreignEntry + `,` + current + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + foreignEntry + `,` + current + `]}]}}`},
		{"an event no longer wired",
			`{"hooks":{"Notification":[{"hooks":[` + current + `]}],"Stop":[{"hooks":[` + current + `]}]},"a":1}`,
			`{"a":1,"hooks":{"Stop":[{"hooks":[` + current + `]}]}}`},
		{"a status line of theirs",
			`{"statusLine":{"command":"clock"}}`,
			`{"statusLine":{"command":"clock"},"hooks":{"Stop":[{"hooks":[` + current + `]}]}}`},
		{"only events no longer wired",
			`{"hooks":{"Notification":[{"hooks":[` + current + `]}]},"a":1}`,
			`{"a":1,"hooks":{"Stop":[{"hooks":[` + current + `]}]}}`},
		{"another matcher",
			`{"hooks":{"Stop":[{"matcher":"x","hooks":[` + current + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + current + `]}]}}`},
		{"another timeout",
			`{"hooks":{"Stop":[{"hooks":[` + strings.Replace(current, "5}", "600}", 1) + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + current + `]}]}}`},
		{"without its type, which the client does not run",
			`{"hooks":{"Stop":[{"hooks":[` + strings.Replace(current, `"type":"command",`, "", 1) + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + current + `]}]}}`},
		{"a key of the user's in our entry",
			`{"hooks":{"Stop":[{"hooks":[{"statusMessage":"remembering",` + current[1:] + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[{"statusMessage":"remembering",` + current[1:] + `]}]}}`},
		{"written with escapes",
			`{"\u0068ooks":{"\u0053top":[{"hooks":[` + strings.Replace(oldPath, "memento", `m\u0065mento`, 1) + `]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[` + current + `]}]}}`},
		{"strangers the client would not read",
			`{"hooks":{"$comment":"mine","Stop":[null,7,"x",[],{"hooks":{}},{"hooks":[null,"x",{"type":"command"}]}]}}`,
			`{"hooks":{"$comment":"mine","Stop":[null,7,"x",[],{"hooks":{}},{"hooks":[null,"x",{"type":"command"}]},` +
				`{"hooks":[` + current + `]}]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Apply([]byte(tt.in), stop, ours)
			if err != nil {
				t.Fatal(err)
			}
			var line bytes.Buffer
			if json.Compact(&line, got); line.String() != tt.want {
				t.Errorf("got:  %s\nwant: %s", line.String(), tt.want)
			}
			invariant(t, []byte(tt.in), got, stop)
		})
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"nothing of ours", `{"hooks": {"Stop": [], "Notification": {}}, "a": 1}`,
			`{"hooks": {"Stop": [], "Notification": {}}, "a": 1}`},
		{"blank", " \n", " \n"},
		{"first", `{"hooks":{"Stop":[ {"hooks":[` + current + `]} , {"hooks":[` + foreignEntry + `]} ]}}`,
			`{"hooks":{"Stop":[ {"hooks":[` + foreignEntry + `]} ]}}`},
		{"middle", `{"hooks":{"Stop":[1 , {"hooks":[` + current + `]} , 2 ]}}`, `{"hooks":{"Stop":[1 , 2 ]}}`},
		{"last", `{"hooks":{"Stop":[1 , {"hooks":[` + current + `]} ]}}`, `{"hooks":{"Stop":[1 ]}}`},
		{"shared group", `{"hooks":{"Stop":[{"hooks":[ ` + current + `, ` + foreignEntry + ` ]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[ ` + foreignEntry + ` ]}]}}`},
		{"the only key", "{\n  \"hooks\": {\"Stop\":[{\"hooks\":[" + current + "]}]}\n}\n", "{}\n"},
		{"an event twice", `{"hooks":{"Stop":[{"hooks":[` + current + `]}],"Stop":[1,{"hooks":[` + current + `]}]}}`,
			`{"hooks":{"Stop":[1]}}`},
		{"beside an event that is no array", `{"hooks":{"Stop":[{"hooks":[` + current + `]}],"x":null}}`,
			`{"hooks":{"x":null}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Remove([]byte(tt.in), ours)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got:  %s\nwant: %s", got, tt.want)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	const no = "it is not valid JSON, which has no comments and no comma before a closing bracket: "
	tests := []struct{ in, message string }{
		{"{\n  \"a\": [1,", "line 2, column 10: " + no + "unexpected end of JSON input"},
		{"{}\n{}", "line 2, column 1: " + no + "invalid character '{' after top-level value"},
		{"{\n  // mine\n  \"a\": 1\n}", "line 2, column 3: " + no +
			"invalid character '/' looking for beginning of object key string"},
		{"{\n  \"ü\": 1,\n}\n", "line 3, column 1: " + no +
			"invalid character '}' looking for beginning of object key string"},
		{"\n [1]", "line 2, column 2: the file is not an object"},
		{`{"hooks": []}`, `line 1, column 11: "hooks" is not an object`},
		{"{\"hooks\": {\n\"Stop\": {}}}", `line 2, column 9: the event "Stop" is not an array`},
		{`{"hooks": {}, "\u0068ooks": {}}`, `line 1, column 15: the key "hooks" is there twice`},
		{`{"statusLine": 1, "statusLine": {}}`, `line 1, column 19: the key "statusLine" is there twice`},
		{`{"hooks": {"Stop": [], "Stop": []}}`, `line 1, column 24: the event "Stop" is there twice`},
		{`{"a":"` + strings.Repeat("x", maxSize) + `"}`, "the file is larger than 8 MB"},
		{`{"a":` + strings.Repeat("[", 1<<20),
			"line 1, column 10005: " + no + "invalid character '[' exceeded max depth"},
	}
	for _, tt := range tests {
		got, err := Apply([]byte(tt.in), wiring(t), ours)
		var r Refusal
		if got != nil || !errors.As(err, &r) || string(r) != tt.message {
			t.Errorf("%.60q: got:  %q, %T: %v\nwant: %s", tt.in, got, err, err, tt.message)
		}
	}
	all, err := filepath.Glob("testdata/refused/*.json")
	if err != nil || len(all) < 20 {
		t.Fatal(all, err)
	}
	for _, path := range all {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var r Refusal
		if got, err := Apply(data, wiring(t), ours); got != nil || !errors.As(err, &r) {
			t.Errorf("%s: got %q, %v", path, got, err)
		}
	}
}

func FuzzApply(f *testing.F) {
	for _, data := range files(f) {
		if len(data) < 8<<10 {
			f.Add(data)
		}
	}
	f.Add([]byte(`{"hooks":{"Stop":[{"hooks":[` + oldPath + `,` + foreignEntry + `,` + shellForm + `]}],"Stop":[]}}`))
	f.Add([]byte(`{"hooks" : {"SessionStart":[ {"hooks":[` + oldPath + `]},{"hooks":[` + shellForm +
		`]} ],"X":[{"hooks":[` + current + `]}]}}`))
	f.Fuzz(roundTrip)
}

func roundTrip(t *testing.T, data []byte) {
	w := wiring(t)
	wired, err := Apply(data, w, ours)
	if err != nil {
		var r Refusal
		if !errors.As(err, &r) {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	text := bytes.TrimPrefix(data, []byte(bom))
	if blank := len(bytes.Trim(text, " \t\r\n")) == 0; !blank && !json.Valid(text) {
		t.Fatalf("accepted %q", data)
	}
	if twice(gjson.ParseBytes(text)) {
		// Decoding keeps one of two equal keys, so the test cannot see the other one.
		t.Skip()
	}
	invariant(t, data, wired, w)
	bare, err := Remove(wired, ours)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := Find(bare, ours); err != nil || len(found) != 0 {
		t.Fatalf("left %v, %v", found, err)
	}
	if b, a := foreign(t, data), foreign(t, bare); !reflect.DeepEqual(b, a) {
		t.Fatalf("foreign content differs after Remove\nbefore: %v\nafter:  %v", b, a)
	}
	if had, _ := Find(data, ours); len(had) == 0 && !hollow(t, data) && !bytes.Equal(bare, data) {
		t.Fatalf("the way back is not exact\nbefore: %q\nwired:  %q\nafter:  %q", data, wired, bare)
	}
}

// hollow reports whether a list or object that Apply fills is empty in data: Remove cannot restore that.
func hollow(t testing.TB, data []byte) bool {
	text := bytes.TrimPrefix(data, []byte(bom))
	if len(bytes.Trim(text, " \t\r\n")) == 0 {
		return true
	}
	top, _ := decode(t, data).(map[string]any)
	if len(top) == 0 {
		return true
	}
	hooks, ok := top["hooks"].(map[string]any)
	if !ok {
		return false
	}
	for _, ev := range hooks {
		if list, ok := ev.([]any); ok && len(list) == 0 {
			return true
		}
	}
	return len(hooks) == 0
}

// twice reports whether an object in v has a key twice.
func twice(v gjson.Result) (found bool) {
	seen := map[string]bool{}
	if !v.IsObject() && !v.IsArray() { // ForEach would visit v itself
		return false
	}
	v.ForEach(func(key, value gjson.Result) bool {
		found = v.IsObject() && seen[key.Str] || twice(value)
		seen[key.Str] = true
		return !found
	})
	return found
}
