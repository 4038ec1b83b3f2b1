package transcript

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/text"
)

// Tool says what a tool does, whatever the client calls it.
type Tool string

// The tools whose calls are facts.
const (
	Shell      Tool = "shell"
	PowerShell Tool = "powershell"
	Reads      Tool = "read"
	Edits      Tool = "edit"
	SetsTasks  Tool = "tasks" // writes the whole task list
	AddsTask   Tool = "task"
	MovesTask  Tool = "move" // changes one task
	EndsPlan   Tool = "plan" // asks the person to approve a plan
)

// Runs reports whether the tool runs commands.
func (t Tool) Runs() bool { return t == Shell || t == PowerShell }

// maxTasks is how much of a task list is taken in, in bytes, and maxTask how much of a task, in characters.
const (
	maxTasks = 64 << 10
	maxTask  = 400
)

// Tool returns what the tool of the call does, "" for one that memento takes nothing from, and the one argument that
// explains its answer: a command, a file's path, a task's words, or the tasks that it sets or changes, which TasksIn
// reads.
func (c Call) Tool() (tool Tool, argument string) {
	switch c.Name {
	case "Bash":
		return Shell, c.Input.Get("command").String()
	case "PowerShell":
		return PowerShell, c.Input.Get("command").String()
	case "Read":
		return Reads, c.Input.Get("file_path").String()
	case "Edit", "Write", "MultiEdit":
		return Edits, c.Input.Get("file_path").String()
	case "NotebookEdit":
		return Edits, c.Input.Get("notebook_path").String()
	case "TaskCreate":
		return AddsTask, c.Input.Get("subject").String()
	case "TaskUpdate":
		id := cmp.Or(c.Input.Get("taskId").String(), c.Input.Get("id").String())
		words, status := c.Input.Get("subject").String(), c.Input.Get("status").String()
		return MovesTask, "[" + string(appendTask(nil, id, words, status)) + "]"
	case "TodoWrite":
		all := []byte{'['}
		c.Input.Get("todos").ForEach(func(_, t gjson.Result) bool {
			if words := t.Get("content").String(); words != "" {
				if len(all) > 1 {
					all = append(all, ',')
				}
				all = appendTask(all, "", words, t.Get("status").String())
			}
			return len(all) < maxTasks
		})
		return SetsTasks, string(append(all, ']'))
	case "ExitPlanMode":
		return EndsPlan, ""
	}
	return "", ""
}

// appendTask appends a task as JSON.
func appendTask(all []byte, id, words, status string) []byte {
	words, _ = text.Cut(words, maxTask)
	all = gjson.AppendJSONString(append(all, `{"id":`...), id)
	all = gjson.AppendJSONString(append(all, `,"words":`...), words)
	all = gjson.AppendJSONString(append(all, `,"status":`...), status)
	return append(all, '}')
}

// TasksIn calls f with each task in an argument of SetsTasks or MovesTask. A task that is changed may lack words or a
// status.
func TasksIn(argument string, f func(id, words, status string)) {
	gjson.Parse(argument).ForEach(func(_, t gjson.Result) bool {
		f(t.Get("id").Str, t.Get("words").Str, t.Get("status").Str)
		return true
	})
}

// Ran reports whether the call that r answers was carried out to its end. A call that the client, a hook, a rule or the
// person refused was not, and neither was a command that was stopped or goes on in the background. Only the tools of a
// shell can run and fail.
func (r Result) Ran(t Tool) bool {
	switch {
	case !r.Failed:
		// in a string the quotation marks would have backslashes
		return !text.ContainsOne(r.Extra.Raw, `"interrupted":true`, `"backgroundTaskId":"`)
	case r.Denied || !t.Runs():
		return false
	}
	words := r.Text()
	switch extra := r.Extra; {
	case strings.HasPrefix(words, ExitCode):
		return true
	case extra.Exists():
		return extra.IsObject() // the output of a command; a refused call has a string with the reason
	}
	return !text.ContainsOne(words[:min(len(words), 400)], notRun[:]...)
}

// ExitCode begins the client's report of a command that failed (clients 2.0 to 2.1).
const ExitCode = "Exit code "

// notRun stand in answers of calls that were not carried out. They count when no field of the answer says more.
var notRun = [...]string{"<tool_use_error>", "No such tool available", "InputValidationError",
	"Sibling tool call errored", "Cancelled: parallel tool call",
	"doesn't want to proceed", "doesn't want to take this action", "Request interrupted", "requires approval",
	"needs approval", "ermission to use ", "requested permissions",
	"Permission for this action", "Permission for this tool use", "was blocked", "BLOCKED", "PreToolUse:",
	"Command running in background"}

// ApprovedPlan returns the plan that the person approved, "" when they did not.
func (r Result) ApprovedPlan() string {
	words := r.Text()
	if !strings.HasPrefix(words, "User has approved your plan") {
		return ""
	}
	if plan := r.Extra.Get("plan").String(); plan != "" {
		return text.Private(plan) // the person may have edited it
	}
	_, plan, _ := strings.Cut(words, "\n## Approved Plan")
	_, plan, _ = strings.Cut(plan, ":\n") // "(edited by user)", if it was (client 2.1.329)
	return text.Private(strings.TrimSpace(plan))
}

// TaskID returns the number that the client gave a new task, "" for none.
func (r Result) TaskID() string {
	if id := r.Extra.Get("task.id"); id.Exists() {
		return id.String()
	}
	_, rest, _ := strings.Cut(r.Text(), "#") // "Task #7 created successfully: …"
	return rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
}
