package main

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestReport checks the row of a series. The budget is for the median of the differences within a round, not for the
// difference of two medians.
func TestReport(t *testing.T) {
	r := &report{}
	r.begin("hook", "each hook event, cold")
	base := &series{name: "hello-world in Go", yard: true}
	hook := &series{name: "SessionStart resume", base: base, goals: []goal{{Of: ofOver, Most: 0.8}}}
	for i := range 101 {
		busy := time.Duration(i) * time.Millisecond // delays both programs
		base.took = append(base.took, took{wall: time.Millisecond + busy})
		hook.took = append(hook.took, took{wall: 1700*time.Microsecond + busy, cpu: time.Millisecond, faults: 300})
		hook.compare()
	}
	r.add(base, hook)
	rows := r.last().rows
	if len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
	got := rows[1]
	if got.Over == nil || got.Over.P50 != 0.7 || len(got.Goals) != 1 || !got.Goals[0].Met {
		t.Errorf("over %+v, goals %+v", got.Over, got.Goals)
	}
	if got.N != 101 || got.P50 != 51.7 || got.P95 < 95 || got.P95 > 99 || got.CPU != 1 {
		t.Errorf("%+v", got)
	}
	if rows[0].Goals != nil || rows[0].Over != nil {
		t.Errorf("a yardstick is held to a budget: %+v", rows[0])
	}
	var out bytes.Buffer
	r.printLast(&out)
	table := strings.Join(strings.Fields(out.String()), " ")
	if !strings.Contains(table, "| SessionStart resume | 101 | 51.70 |") || strings.Contains(table, "**") {
		t.Errorf("%s", out.String())
	}
}

// TestGoals checks that each figure has its own goal, that the report marks each missed goal, and that it names what
// was skipped.
func TestGoals(t *testing.T) {
	r := &report{}
	r.begin("sync", "two machines")
	held := summary("memory", "MB", []float64{200, 210, 220, 230, 400})
	r.addRow(held, goal{Of: ofP50, Most: 250}, goal{Of: ofMax, Most: 350})
	r.begin("capture", "sizes")
	small := row{Name: "1 MB, first", Unit: "ms", N: 20, P50: 5, P95: 7, Over: &over{P50: 4}}
	r.addRow(small, goal{Of: ofOver, Most: 3})
	r.addRow(row{Name: "1 GB, first", Unit: "ms", N: 9, P50: 5, P95: 7, Over: &over{P50: 2}})
	r.skip("10 GB", "there is no room", "make some")

	var out bytes.Buffer
	for i := range r.parts {
		(&report{parts: r.parts[:i+1]}).printLast(&out)
	}
	r.printFoot(&out)
	got := regexp.MustCompile(` +`).ReplaceAllString(out.String(), " ")
	for _, want := range []string{
		"3 budgets, 2 missed: sync: memory; capture: 1 MB, first",
		"| memory | 5 | 220.0 MB |",
		"| **400.0** |",
		"| 1 MB, first | 20 | 5.00 | | 7.00 | 0.00 | | **4.00** | | 3 | |",
		"| 1 GB, first | 9 | 5.00 | | | 0.00 | | 2.00 | | | |",
		"SKIPPED: 10 GB: there is no room. make some.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// TestEvents checks that bench measures every event whose hook the plugin wires.
func TestEvents(t *testing.T) {
	data, err := os.ReadFile("../../hooks/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	var wired struct{ Hooks map[string]any }
	if err := json.Unmarshal(data, &wired); err != nil || len(wired.Hooks) < 9 {
		t.Fatalf("%d events: %v", len(wired.Hooks), err)
	}
	measured := map[string]bool{}
	for _, e := range events() {
		measured[e.name] = true
	}
	for name := range wired.Hooks {
		if !measured[name] {
			t.Errorf("%s is not measured", name)
		}
	}
}
