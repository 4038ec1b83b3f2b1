package capture

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// toolLines is the two lines of a call and its answer; more holds further members of the answer's line.
func toolLines(id, name, input string, failed bool, answer, more string) string {
	words, _ := json.Marshal(answer)
	return fmt.Sprintf(`{"type":"assistant","uuid":"%[1]s-1","message":{"content":[{"type":"tool_use","id":"%[1]s","name":%[2]q,"input":%[3]s}]}}
{"type":"user","uuid":"%[1]s-2","timestamp":"2026-03-14T09:30:00Z","message":{"content":[{"type":"tool_result","tool_use_id":"%[1]s","is_error":%[4]t,"content":%[5]s}]}%[6]s}
`, id, name, input, failed, words, more)
}

// TestRefusedCalls: a call that the client, a hook or the person refused leaves no trace, whatever words refuse it.
func TestRefusedCalls(t *testing.T) {
	calls := map[string]string{
		"TodoWrite": `{"todos":[{"content":"Write the importer","status":"in_progress"},{"content":"Write the ` +
			`exporter","status":"pending"}]}`,
		"TaskCreate":   `{"subject":"Write the importer"}`,
		"ExitPlanMode": `{"plan":"# Write the importer\n\n1. read\n2. write"}`,
		"Edit":         `{"file_path":"/srv/shop/importer.go"}`,
		"Write":        `{"file_path":"/srv/shop/importer.go"}`,
		"MultiEdit":    `{"file_path":"/srv/shop/importer.go"}`,
		"NotebookEdit": `{"notebook_path":"/srv/shop/importer.ipynb"}`,
		"Read":         `{"file_path":"/srv/shop/importer.go"}`,
		"Bash":         `{"command":"npm test > out.txt"}`,
		"PowerShell":   `{"command":"npm test > out.txt"}`,
	}
	for _, answer := range []string{
		"<tool_use_error>Error: No such tool available: %s</tool_use_error>",
		"No such tool available: %s",
		"<tool_use_error>InputValidationError: %s failed due to the following issue: a member is " +
			"missing</tool_use_error>",
		"<tool_use_error>Sibling tool call errored</tool_use_error>",
		"<tool_use_error>Cancelled: parallel tool call %s(…) errored</tool_use_error>",
		"<tool_use_error>Blocked: sleep 90 followed by: npm test</tool_use_error>",
		"Output redirection to '/srv/shop/out.txt' needs approval before %s may write there.",
		"This command requires approval",
		"Permission to use %s has been denied.",
		"Claude requested permissions to use %s, but you haven't granted it yet.",
		"PreToolUse:%s hook error: [/home/alice/guard.sh]: BLOCKED: not on a Friday",
		"BLOCKED by the house's own guard\n\nReason: error: failed to find a reason",
		"The user doesn't want to proceed with this tool use. The tool use was rejected.",
		"The user doesn't want to take this action right now. STOP what you are doing and wait.",
		"[Request interrupted by user for tool use]",
		"Use the other tool to read file contents", // the words of a rule of the person's
	} {
		answer = strings.ReplaceAll(answer, "%s", "Bash")
		bare, _ := json.Marshal("Error: " + answer)
		for form, more := range map[string]string{"note": `,"toolUseResult":` + string(bare),
			"kind": `,"toolDenialKind":"permission-rule"`, "none": ""} {
			if form == "none" && strings.HasPrefix(answer, "Use the other") {
				continue // without a field that says so, this may be what a command printed
			}
			d := newDesk(t)
			st := d.session("s1")
			d.say(st, "Port the shop's import to Go, please.")
			before := d.journal()
			for name, input := range calls {
				d.write(st, toolLines("t-"+name, name, input, true, answer, more))
			}
			d.catchUp(st, TrustTranscript)
			j := d.journal()
			if j.Wip != before.Wip || len(j.Plan)+len(j.Done)+len(j.Files) > 0 || j.Error != nil {
				t.Errorf("%q (%s) became wip %q, plan %q, done %v, files %q, error %v", answer, form, j.Wip, j.Plan,
					j.Done, j.Files, j.Error)
			}
			if w := st.Work; len(w.Tasks)+len(w.Steps)+len(w.Touched)+len(w.Failures)+len(w.Passed)+len(w.Calls) > 0 ||
				w.Ran > 0 {
				t.Errorf("%q (%s) left %+v", answer, form, w)
			}
		}
	}
}

// TestRanAndFailed: a call that ran and failed leaves a fact, and so does one without output. One that was stopped does
// not.
func TestRanAndFailed(t *testing.T) {
	for _, tt := range []struct {
		name, answer, more string
		failed, fell       bool
	}{
		{"exit code", "Exit code 1\n2 failing", `,"toolUseResult":"Error: Exit code 1\n2 failing"`, true, true},
		{"no note beside it", "2 failing", "", true, true},
		{"its own output", "2 failing", `,"toolUseResult":{"stdout":"2 failing","stderr":""}`, true, true},
		{"speaks of a refusal", "Exit code 1\nError: permission to use the store was denied, the request was blocked",
			`,"toolUseResult":"Error: Exit code 1"`, true, true},
		{"a hook that quotes one", "Exit code 1 is what you get",
			`,"toolUseResult":"Error: Exit code 1 is what you get","toolDenialKind":"permission-rule"`, true, false},
		{"interrupted", "2 failing\n<error>Command was aborted before completion</error>",
			`,"toolUseResult":{"stdout":"2 failing","stderr":"","interrupted":true}`, false, false},
	} {
		d := newDesk(t)
		st := d.session("s1")
		d.say(st, "Port the shop's import to Go, please.")
		d.write(st, toolLines("t1", "Bash", `{"command":"npm test | cat"}`, tt.failed, tt.answer, tt.more))
		d.catchUp(st, TrustTranscript)
		if j := d.journal(); (j.Error != nil) != tt.fell {
			t.Errorf("%s: the failure is %v", tt.name, j.Error)
		}
		if len(st.Work.Passed) > 0 {
			t.Errorf("%s: %q passed", tt.name, st.Work.Passed)
		}
	}
}
