package journal

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"
)

// plain returns a journal without the fields that it only carries along.
func plain(j *Journal) Journal {
	p := *j
	p.raw, p.extra, p.out, p.notes, p.now, p.at = "", 0, nil, nil, morning, at{}
	p.Done = append([]Entry(nil), j.Done...)
	for i := range p.Done {
		p.Done[i].raw = ""
	}
	if j.Error != nil {
		e := *j.Error
		e.raw = ""
		p.Error = &e
	}
	return p
}

func decodeText(t testing.TB, data string) *Journal {
	t.Helper()
	j, err := decode([]byte(data))
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return j
}

func encode(t testing.TB, j *Journal) string {
	t.Helper()
	return string(j.encode())
}

func no() *bool  { b := false; return &b }
func yes() *bool { b := true; return &b }

// full says something in every field.
func full() Journal {
	return Journal{
		Mission: "fix auth pipeline -- staging only -- done when: tests pass", MissionOpened: "2026-03-13T08:00:00Z",
		MissionClosed: "2026-03-14T08:00:00Z", MissionRef: "u1", MissionBy: ByUser,
		Project: "myapp", Branch: "fix/auth", Summary: "schema migration done (user: go)",
		SummaryBy: ByAuto, Wip: "deploy a < b && \"c\"", WipBy: ByClaude,
		Next: "compare the rows", NextAt: "2026-03-13T11:00:00Z",
		Done: []Entry{{Act: "fix auth middleware", Result: "PASETO impl", Ctx: "user: auth is broken",
			TS: "2026-03-13T09:00:00Z", By: ByClaude, Verified: no()},
			{Act: "größer 🚀", By: ByAuto, Ref: "toolu_6"}},
		Plan: []string{"pricing decision", "run integration tests"}, PlanBy: ByClaude,
		Files:   []string{"src/auth.ts", "tests/auth.test.js"},
		Error:   &Failure{Cmd: "npm test", Line: "401 on valid token", TS: "2026-03-13T10:00:00Z"},
		Session: "1f3a9c2e",
		Earlier: []string{"0b1d7e55"},
	}
}

func TestRoundTrip(t *testing.T) {
	j := full()
	for v, i := reflect.ValueOf(j), 0; i < v.NumField(); i++ {
		if f := v.Type().Field(i); f.IsExported() && v.Field(i).IsZero() {
			t.Errorf("the test leaves out %s", f.Name)
		}
	}
	data := encode(t, &j)
	back := decodeText(t, data)
	if got, want := plain(back), plain(&j); !reflect.DeepEqual(got, want) {
		t.Errorf("read back it says\n%+v, want\n%+v", got, want)
	}
	if again := encode(t, back); again != data {
		t.Errorf("written again it is\n%s, was\n%s", again, data)
	}
	if !strings.Contains(data, `deploy a < b && \"c\"`) || !strings.Contains(data, "größer 🚀") {
		t.Errorf("it is hard to read:\n%s", data)
	}
	var empty Journal
	if got, want := encode(t, &empty),
		"{\n  \"mission\": null,\n  \"mission_opened\": null,\n  \"mission_closed\": null,\n  \"project\": null,\n  "+
			"\"summary\": null,\n  \"wip\": null,\n  \"done\": [],\n  \"plan\": []\n}\n"; got != want {
		t.Errorf("an empty journal is\n%s, want\n%s", got, want)
	}
}

// TestUnknownFieldsStay: unknown fields keep their order and their numbers, in entries too.
func TestUnknownFieldsStay(t *testing.T) {
	const written = `{
  "zeta": {"n": 1.50, "big": 12345678901234567890, "list": [1, 2.0, "x"]},
  "mission": "fix auth",
  "note to self": "<b> & so on",
  "done": [
    {"rank": 1e3, "act": "migrate", "tags": ["db"], "verified": true},
    {"act": "seed", "result": "ok"}
  ],
  "error": {"exit": 2, "cmd": "npm test"},
  "alpha": false
}`
	j := decodeText(t, written)
	j.Wip = "deploy"
	j.Done[1].Result = ""
	j.Done = append(j.Done, Entry{Act: "new"})
	const want = `{"zeta":{"n":1.50,"big":12345678901234567890,"list":[1,2.0,"x"]},"mission":"fix auth","note to ` +
		`self":"<b> & so on",` +
		`"done":[{"rank":1e3,"act":"migrate","tags":["db"],"verified":true},{"act":"seed"},{"act":"new"}],` +
		`"error":{"exit":2,"cmd":"npm test"},"alpha":false,` +
		`"mission_opened":null,"mission_closed":null,"project":null,"summary":null,"wip":"deploy","plan":[]}`
	if got := string(pretty.Ugly([]byte(encode(t, j)))); got != want {
		t.Errorf("it is\n%s, want\n%s", got, want)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for name, data := range map[string]string{
		"empty": "", "cut off": `{"mission":"fix`, "not JSON": "mission: fix auth", "a list": `[{"mission":"x"}]`,
		"text": `"x"`, "null": `null`, "two": `{} {}`, "a comment": "{} // mine",
		"deep":                   `{"x":` + strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth) + `}`,
		"very deep":              strings.Repeat("[", 9<<20),
		"a number for a mission": `{"mission":5}`, "an object for wip": `{"wip":{}}`,
		"a list for a summary": `{"summary":["x"]}`, "a number for closed": `{"mission_closed":1}`,
		"true for session": `{"session":true}`,
	} {
		if j, err := decode([]byte(data)); !errors.Is(err, ErrCorrupt) || j != nil {
			t.Errorf("%s: %+v, %v, want ErrCorrupt", name, j, err)
		}
	}
	if _, err := decode([]byte(`{"x":` + strings.Repeat("[", maxDepth-1) + strings.Repeat("]", maxDepth-1) +
		`}`)); err != nil {
		t.Errorf("as deep as allowed: %v", err)
	}
}

// TestDecodeOtherForms reads journals of the oldest version, and journals that people wrote by hand.
func TestDecodeOtherForms(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       Journal
	}{
		{"the seed's names",
			`{"mission":"fix auth","completed":[{"task":"migrate","result":"ok","ctx":"user: go"}],` +
				`"upcoming":["deploy"],"in_progress":{"task":"tests","progress":"3 of 5"}}`,
			Journal{Mission: "fix auth", Done: []Entry{{Act: "migrate", Result: "ok", Ctx: "user: go"}},
				Plan: []string{"deploy"}, Wip: "tests — 3 of 5"}},
		{"both names",
			`{"done":[{"act":"new"}],"completed":[{"task":"old"}],"plan":["Deploy"],"upcoming":["deploy",` +
				`"announce"],"wip":"now","in_progress":{"progress":"then"}}`,
			Journal{Done: []Entry{{Act: "old"}, {Act: "new"}}, Plan: []string{"Deploy", "announce"},
				Wip: "now — then"}},
		{"why it stands still",
			`{"in_progress":{"task":"deploy","progress":"2 of 5","state":"blocked","state_reason":"no access"}}`,
			Journal{Wip: "deploy — 2 of 5 — blocked: no access"}},
		{"work in words", `{"in_progress":"deploying"}`, Journal{Wip: "deploying"}},
		{"work in a list", `{"in_progress":["deploying","testing"]}`, Journal{Wip: "deploying, testing"}},
		{"blocked", `{"wip":"deploy","state":"blocked","state_reason":"no access"}`,
			Journal{Wip: "deploy — blocked: no access"}},
		{"blocked, said so already", `{"wip":"deploy, no access","state":"blocked","state_reason":"no access"}`,
			Journal{Wip: "deploy, no access"}},
		{"waiting, with nothing in hand", `{"state":"paused","state_reason":"waits for Bob"}`,
			Journal{Wip: "paused: waits for Bob"}},
		{"a reason without a state", `{"state_reason":"waits for Bob"}`, Journal{Wip: "waits for Bob"}},
		{"a state without a reason", `{"wip":"x","state":"active"}`, Journal{Wip: "x"}},
		{"closed by a word", `{"mission":"x","mission_closed":true}`, Journal{Mission: "x", MissionClosed: "true"}},
		{"not closed, by a word", `{"mission":"x","mission_closed":false}`, Journal{Mission: "x"}},
		{"null everywhere",
			`{"mission":null,"done":null,"plan":null,"files":null,"error":null,"wip":null,"completed":null,` +
				`"upcoming":null,"in_progress":null,"state":null}`, Journal{}},
		{"white space is nothing", `{"mission":" \n","wip":"\t","summary":" "}`, Journal{}},
		{"plain lines",
			`{"done":["migrated",42,null,""],"plan":["a",1,null,{"b":2}],"files":"a.go","error":"npm test fails"}`,
			Journal{Done: []Entry{{Act: "migrated"}, {Act: "42"}},
				Plan: []string{"a", "1", `{"b":2}`}, Files: []string{"a.go"}, Error: &Failure{Line: "npm test fails"}}},
		{"single items", `{"done":{"act":"x"},"plan":"deploy"}`,
			Journal{Done: []Entry{{Act: "x"}}, Plan: []string{"deploy"}}},
		{"said twice", `{"mission":"first","mission":"second"}`, Journal{Mission: "first"}},
		{"a key spelt with escapes", `{"miss\u0069on":"x"}`, Journal{Mission: "x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := decodeText(t, tt.data)
			if got, want := plain(j), plain(&tt.want); !reflect.DeepEqual(got, want) {
				t.Errorf("it says\n%+v, want\n%+v", got, want)
			}
			data := encode(t, j)
			for _, old := range []string{"completed", "upcoming", "in_progress", "state", "state_reason", "task"} {
				if gjson.Get(data, old).Exists() || gjson.Get(data, "done.#."+old).Raw != "[]" {
					t.Errorf("%s stands in\n%s", old, data)
				}
			}
			if got := plain(decodeText(t, data)); !reflect.DeepEqual(got, plain(j)) {
				t.Errorf("written and read it says\n%+v, was\n%+v", got, plain(j))
			}
		})
	}
}

// TestChangeWhatStandsTwice: a field that stands twice in the file can be changed.
func TestChangeWhatStandsTwice(t *testing.T) {
	j := decodeText(t, `{"mission":"a","mission":"b","session":"s1","session":"s2","wip":"x","wip":"y"}`)
	j.Mission, j.Session, j.Wip = "c", "", ""
	again := decodeText(t, encode(t, j))
	if again.Mission != "c" || again.Session != "" || again.Wip != "" {
		t.Errorf("it says %q, %q, %q", again.Mission, again.Session, again.Wip)
	}
}

func FuzzDecode(f *testing.F) {
	j := full()
	f.Add([]byte(encode(f, &j)))
	for _, s := range []string{
		`{"completed":[{"task":"x"}],"upcoming":["y"],"in_progress":{"progress":"z"},"state":"blocked",` +
			`"state_reason":"w"}`,
		`{"mission":"a","mission":"b","session":"c","session":"d"}`,
		`{"done":[1,"x",{"act":5,"verified":"no"},[2]],"x":[1.0,{}]}`,
		`{"error":"x","files":{"a":1},"mission_closed":true}`, `{"mission":"\ud800","wip":"` + "\xff" + `"}`,
		`{"":1,"a.b":2,"*":3}`, `[`, ``,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		j, err := decode(data)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("%q: %v", data, err)
			}
			return
		}
		once := encode(t, j)
		if !json.Valid([]byte(once)) {
			t.Fatalf("%q is written as %s", data, once)
		}
		again := decodeText(t, once)
		if utf8.Valid(data) && !reflect.DeepEqual(plain(again), plain(j)) {
			t.Errorf("%s says\n%+v, written and read\n%+v", data, plain(j), plain(again))
		}
		if twice := encode(t, again); twice != once {
			t.Errorf("%q is written as\n%s and then as\n%s", data, once, twice)
		}
		if a, b := unknown(data), unknown([]byte(once)); !reflect.DeepEqual(a, b) {
			t.Errorf("%q holds %q, written %q", data, a, b)
		}
	})
}

// unknown lists the fields of data that are not of the schema, in their order.
func unknown(data []byte) (out []string) {
	const known = " mission mission_opened mission_closed mission_ref mission_by project branch summary summary_by " +
		"acted applied wip wip_by done plan plan_by files error session earlier completed upcoming in_progress " +
		"state state_reason "
	gjson.ParseBytes(data).ForEach(func(k, v gjson.Result) bool {
		if !strings.Contains(known, " "+k.Str+" ") {
			out = append(out, k.Raw+":"+string(pretty.Ugly([]byte(v.Raw))))
		}
		return true
	})
	return out
}
