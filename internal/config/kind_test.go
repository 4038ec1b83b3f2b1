package config

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestKind(t *testing.T) {
	usual := Kind{Enabled: true, AutoCapture: true, RetentionDays: -1}
	for _, tt := range []struct {
		name, file string
		want       Kind
		problem    string // part of those of its settings
	}{
		{"none", ``, usual, ""},
		{"another one", `{"kinds":{"debt":{"enabled":false}}}`, usual, ""},
		{"all of it",
			`{"kinds":{"decision":{"enabled":false,"auto_capture":false,"retention_days":30,"max":100}}}`,
			Kind{RetentionDays: 30, Max: 100}, ""},
		{"for ever", `{"kinds":{"decision":{"retention_days":0}}}`,
			Kind{Enabled: true, AutoCapture: true}, ""},
		{"in words", `{"kinds":{"decision":{"enabled":"off","max":"1"}}}`,
			Kind{AutoCapture: true, Max: 1, RetentionDays: -1}, ""},
		{"too much", `{"kinds":{"decision":{"max":7000}}}`,
			Kind{Enabled: true, AutoCapture: true, Max: 1000, RetentionDays: -1},
			"1000 is used"},
		{"no number", `{"kinds":{"decision":{"retention_days":"NaN","max":"few"}}}`, usual,
			"kinds.decision.retention_days in config.json is ignored"},
		{"nothing that makes sense", `{"kinds":{"decision":{"enabled":{},"retention_days":[]}}}`, usual,
			"kinds.decision.enabled in config.json is ignored"},
		{"no object", `{"kinds":{"decision":true}}`, usual, ""},
		{"no objects at all", `{"kinds":[1]}`, usual, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := home(t, tt.file)
			if got := load(t, e).Kind("decision"); got != tt.want {
				t.Errorf("Kind = %+v, want %+v", got, tt.want)
			}
			settings, err := Settings(e.get, "decision")
			if err != nil || len(settings) != len(Names())+len(KindFields()) {
				t.Fatalf("Settings = %v, %v", settings, err)
			}
			all := ""
			for _, s := range settings[len(Names()):] {
				all += s.Problem
			}
			if !strings.Contains(all, tt.problem) || (all == "") != (tt.problem == "") {
				t.Errorf("problems: %q, want %q", all, tt.problem)
			}
		})
	}
}

func TestSetKind(t *testing.T) {
	for _, tt := range []struct{ name, file, setting, value, want, says string }{
		{"a first one", ``, "kinds.decision.max", "6", `{"kinds":{"decision":{"max":6}}}`, ""},
		{"beside others", `{"kinds": {"debt": {"max": 3}}}`, "kinds.decision.enabled", "no",
			`{"kinds": {"debt": {"max": 3},"decision":{"enabled":false}}}`, ""},
		{"a count of none", `{}`, "kinds.decision.max", "0", `{"kinds":{"decision":{"max":0}}}`, ""},
		{"days", `{}`, "kinds.debt.retention_days", "90", `{"kinds":{"debt":{"retention_days":90}}}`, ""},
		{"words", `{}`, "kinds.debt.description", "1", `{"kinds":{"debt":{"description":"1"}}}`, ""},
		{"taken back", `{"kinds":{"debt":{"max":3,"x":1}},"a":1}`, "kinds.debt.max", "",
			`{"kinds":{"debt":{"x":1}},"a":1}`, ""},
		{"the last one taken back", `{"kinds":{"debt":{"max":3}},"a":1}`, "kinds.debt.max", "",
			`{"kinds":{"debt":{}},"a":1}`, ""},
		{"never set", `{"a":1}`, "kinds.debt.max", "", `{"a":1}`, ""},
		{"too much", `{}`, "kinds.debt.max", "few", `{}`, "number"},
		{"no such field", `{}`, "kinds.debt.colour", "2", `{}`, `unknown setting "kinds.debt.colour"`},
		{"a name that leads elsewhere", `{}`, "kinds.a*.max", "2", `{}`, "unknown setting"},
		{"another thing in its place", `{"kinds":{"debt":[1]}}`, "kinds.debt.max", "2", `{"kinds":{"debt":[1]}}`,
			"not a JSON object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := home(t, tt.file)
			dir := filepath.Join(e["HOME"], ".claude", ".memento")
			err := Set(dir, tt.setting, tt.value)
			if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("Set: %v, want %q", err, tt.says)
			}
			if data, err := readFile(dir); err != nil || data != tt.want {
				t.Errorf("config.json holds %s, %v, want %s", data, err, tt.want)
			}
		})
	}
}

func TestProblemOfKinds(t *testing.T) {
	for file, want := range map[string]string{
		`{"kinds":{"debt":{"max":1}}}`: "",
		`{"kinds":{}}`:                 "",
		`{"kinds":{},"colour":1}`:      "colour",
		`{"kinds":1}`:                  "kinds",
	} {
		dir := filepath.Join(home(t, file)["HOME"], ".claude", ".memento")
		got := Problem(dir)
		if (got == "") != (want == "") || !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
