package capture

import (
	"fmt"
	"strings"
	"testing"
)

// used is the two lines of a tool that was called with input and answered, with extra beside the answer.
func used(id, name, input, extra string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"%[1]s-1","message":{"content":[{"type":"tool_use","id":"%[1]s","name":%[2]q,"input":%[3]s}]}}
{"type":"user","uuid":"%[1]s-2","timestamp":"2026-03-14T09:30:00Z","message":{"content":[{"type":"tool_result","tool_use_id":"%[1]s","content":"ok"}]},"toolUseResult":%[4]s}
`, id, name, input, extra)
}

// However long what a tool was called with, there is room for what the user says.
func TestLongFacts(t *testing.T) {
	long := strings.Repeat("port it, ", 5000)
	for name, lines := range map[string]string{
		"todo": used("t1", "TodoWrite", `{"todos":[{"content":"`+long+`","status":"in_progress"}]}`, "{}") +
			used("t2", "TodoWrite", `{"todos":[{"content":"`+long+`","status":"completed"}]}`, "{}"),
		"task": used("t1", "TaskCreate", `{"subject":"`+long+`"}`, `{"task":{"id":"1"}}`) +
			used("t2", "TaskUpdate", `{"taskId":"1","description":"`+long+`","status":"completed"}`, "{}"),
		"file": used("t1", "Edit", `{"file_path":"/srv/`+strings.Repeat("d", 9000)+`"}`, "{}"),
		"read": used("t1", "Read", `{"file_path":"/srv/`+strings.Repeat("d", 9000)+`"}`, "{}"),
		"pull": `{"type":"pr-link","uuid":"p","prUrl":"https://example.com/` + strings.Repeat("d", 9000) + `"}` + "\n",
		"question": used("t1", "AskUserQuestion", "{}", `{"questions":[],"answers":{"`+long+`":"yes, all of it"}}`) +
			used("t2", "AskUserQuestion", "{}", `{"questions":[],"answers":{"And then: `+long+`":"the writer"}}`),
	} {
		d := newDesk(t)
		st := d.session("s1")
		d.say(st, "port the importer to Go", "never touch the old one")
		d.write(st, lines)
		j := d.say(st, "and keep the tests as they are")
		if got := d.said(j); !strings.Contains(got, "never touch the old one") ||
			!strings.Contains(got, "keep the tests") {
			t.Errorf("%s: what was said is %q", name, got)
		}
		if got := d.said(j); name == "question" &&
			(!strings.Contains(got, "all of it") || !strings.Contains(got, "the writer")) {
			t.Errorf("the answers are not among %q", got)
		}
		if name == "todo" || name == "task" {
			if len(j.Done) != 1 || !strings.HasPrefix(j.Done[0].Act, "port it, port it") {
				t.Errorf("%s: done is %+v", name, j.Done)
			}
		}
	}
}
