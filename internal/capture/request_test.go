package capture

import (
	"fmt"
	"strings"
	"testing"
)

// TestWorkInHand: it is what was asked for last, whatever was asked aside, pasted or said without its name since; words
// given when a call was refused count.
func TestWorkInHand(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "Port the shop's import to Go, please.")
	if j := d.say(st, "and now?", "how many rows are there?", "FAIL FAIL github.com/acme/shop/cart 4.1s FAIL",
		"commit please"); j.Wip != "" {
		t.Errorf("before anything was asked for: %q", j.Wip)
	}
	d.say(st, "add a limit to what it reads")
	if j := d.say(st, "is it done?", "commit and push", "forget it", "now, please, implement the fix", "can you fix it?",
		"no, we removed those on purpose"); j.Wip != `"add a limit to what it reads"` {
		t.Errorf("wip is %q", j.Wip)
	}
	d.write(st, toolLines("t1", "Edit", `{"file_path":"/srv/shop/a.go"}`, true,
		"The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "+
			"the new_string was NOT written to the file). To tell you how to proceed, the user said:\nput the limit "+
			"into config.go instead", `,"toolUseResult":"Error: The user doesn't want to proceed"`))
	d.catchUp(st, TrustTranscript)
	if j := d.journal(); j.Wip != `"put the limit into config.go instead"` {
		t.Errorf("after a refusal wip is %q", j.Wip)
	}
}

// TestLeftBehind: a task that was begun and not touched since, while other things were asked for, is not in hand; it
// stays open.
func TestLeftBehind(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "Port the shop's import to Go, please.")
	d.write(st, toolLines("t1", "TaskCreate", `{"subject":"Port the reader"}`, false, "Task #1 created",
		`,"toolUseResult":{"task":{"id":"1"}}`))
	d.write(st, toolLines("t2", "TaskCreate", `{"subject":"Port the writer"}`, false, "Task #2 created",
		`,"toolUseResult":{"task":{"id":"2"}}`))
	d.write(st, toolLines("t3", "TaskUpdate", `{"taskId":"1","status":"in_progress"}`, false, "Updated task #1", ""))
	if j := d.say(st, "add a limit to what it reads"); j.Wip != "Port the reader" {
		t.Errorf("wip is %q", j.Wip)
	}
	for i := range 5 {
		d.say(st, fmt.Sprintf("add column %d to the report", i))
	}
	if j := d.journal(); j.Wip != `"add column 4 to the report"` ||
		strings.Join(j.Plan, "|") != "Port the reader|Port the writer" {
		t.Errorf("wip is %q, plan %q", j.Wip, j.Plan)
	}
	d.write(st, toolLines("t4", "TaskUpdate", `{"taskId":"1","status":"in_progress"}`, false, "Updated task #1", ""))
	d.catchUp(st, TrustTranscript)
	if j := d.journal(); j.Wip != "Port the reader" {
		t.Errorf("taken up again, wip is %q", j.Wip)
	}
}

// TestReopened: a task that was done and is open again stands once.
func TestReopened(t *testing.T) {
	list := func(id, status string) string {
		return toolLines(id, "TodoWrite", `{"todos":[{"content":"Port the reader","status":"`+status+
			`"},{"content":"Port the writer","status":"pending"},{"content":"Port the writer","status":"pending"}]}`,
			false, "ok", "")
	}
	task := func(id, status string) string {
		return toolLines(id, "TaskUpdate", `{"taskId":"1","status":"`+status+`"}`, false, "Updated task #1", "")
	}
	for name, lines := range map[string][3]string{
		"list": {list("t1", "in_progress") + list("t2", "completed"), list("t3", "in_progress"),
			list("t4", "completed")},
		"task": {toolLines("t0", "TaskCreate", `{"subject":"Port the reader"}`, false, "Task #1 created", "") +
			task("t1", "in_progress") + task("t2", "completed"), task("t3", "in_progress"), task("t4", "completed")},
	} {
		d := newDesk(t)
		st := d.session("s1")
		d.say(st, "Port the shop's import to Go, please.")
		for i, want := range []int{1, 0, 1} {
			d.write(st, lines[i])
			d.catchUp(st, TrustTranscript)
			j := d.journal()
			if len(j.Done) != want || (j.Wip == "Port the reader") != (want == 0) {
				t.Errorf("%s, step %d: done %v, wip %q", name, i, j.Done, j.Wip)
			}
			if len(j.Plan) > 1 {
				t.Errorf("%s, step %d: plan %q", name, i, j.Plan)
			}
		}
	}
}
