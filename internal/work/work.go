// Package work keeps the facts that a session's tools show: unanswered calls, open tasks, failed commands, files read.
// A caller passes in each call and each answer. The package knows neither the transcript they come from nor the journal
// they go to.
package work

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/jsonx"
)

// Work holds the facts of one session so far. Reading the transcript from its beginning rebuilds it.
type Work struct {
	Calls    []Call    // oldest first
	Tasks    []Task    // in the order of the client's list
	Failures []Failure // commands that failed and have not succeeded since, oldest first
	Touched  []string  // files read or edited, newest first, relative to the project
	Checks   []Check   // the commands that test, build and lint here, as they last ran, newest last
	Steps    []string  // of the plan approved last, its title first
	Passed   []string  // keys of the last commands that succeeded, newest last
	Ran      int       // shell commands so far
	Made     int       // commits, pushes and pull requests so far
	Prompts  int       // substantive prompts so far
	Erred    bool      // a failure of this session is in the journal
	Asked    string    // the last substantive prompt, quoted
	Told     string    // Claude's last words, their end
	Proposed string    // what of Claude's words the last prompt answered, "" when that says enough by itself
	Reply    string    // that prompt
}

// Call is a tool called and not answered yet.
type Call struct {
	ID   string
	Name string
	Arg  string // the command, the file, the task's subject
}

// Task is one item of the client's task list.
type Task struct {
	ID     string // "" in the lists of older clients, whose items go by their words
	Text   string
	Status string // pending, in_progress, completed
	Prompt int    // Work.Prompts at its last change
}

// Failure is a command that failed.
type Failure struct {
	Key   string // identifies the command without its last arguments
	Dir   string // the folder in the project that it was run in, "" for an unknown one
	Cmd   string
	Line  string // the line of the output that says why
	TS    string
	Check bool // a build, a test, a linter
	Ran   int  // Work.Ran when it failed
	Made  int  // Work.Made when it failed
}

// Check is a command that tests, builds or lints, as it last ran.
type Check struct {
	Key    string // tells the command apart from others, whatever its last arguments
	Dir    string // as in Failure
	Cmd    string
	Passed bool
	Unsure bool // its own result is unknown
}

const (
	maxCalls    = 64
	MaxTasks    = 200 // in a list
	maxFailures = 8
	maxTouched  = 32
	maxChecks   = 12
	maxPassed   = 16
)

// Clone returns a copy that shares nothing with w.
func (w Work) Clone() Work {
	w.Calls, w.Tasks, w.Failures = slices.Clone(w.Calls), slices.Clone(w.Tasks), slices.Clone(w.Failures)
	w.Touched, w.Steps, w.Passed = slices.Clone(w.Touched), slices.Clone(w.Steps), slices.Clone(w.Passed)
	w.Checks = slices.Clone(w.Checks)
	return w
}

// Same reports whether w and old have the same open calls, tasks and failures.
func (w Work) Same(old Work) bool {
	return slices.Equal(w.Tasks, old.Tasks) && slices.Equal(w.Failures, old.Failures) &&
		slices.Equal(w.Steps, old.Steps)
}

// Call adds a call. It drops the oldest unanswered call when there are too many.
func (w *Work) Call(c Call) {
	w.Calls = newest(append(w.Calls, c), maxCalls)
}

// Answered returns the call with this id and takes it off the list.
func (w *Work) Answered(id string) (Call, bool) {
	at := slices.IndexFunc(w.Calls, func(c Call) bool { return c.ID == id })
	if at < 0 {
		return Call{}, false
	}
	c := w.Calls[at]
	w.Calls = slices.Delete(w.Calls, at, at+1)
	return c, true
}

// SetTask changes the task with this id, or adds it. An empty status or empty words change nothing. When there are
// MaxTasks already, the oldest closed task goes, or the oldest of all. SetTask returns the former task.
func (w *Work) SetTask(t Task) (before Task) {
	at := slices.IndexFunc(w.Tasks, func(old Task) bool { return old.ID == t.ID })
	t.Prompt = w.Prompts
	if at < 0 {
		if t.Text == "" {
			return Task{}
		}
		w.Tasks = slices.DeleteFunc(w.Tasks, Task.IsInherited) // the session has a list of its own now
		if len(w.Tasks) >= MaxTasks {                          // the oldest that is closed makes room
			out := max(0, slices.IndexFunc(w.Tasks, func(t Task) bool { return !t.isOpen() }))
			w.Tasks = slices.Delete(w.Tasks, out, out+1)
		}
		w.Tasks = append(w.Tasks, t)
		return Task{}
	}
	before = w.Tasks[at]
	w.Tasks[at].Prompt = t.Prompt
	if t.Text != "" {
		w.Tasks[at].Text = t.Text
	}
	if t.Status != "" {
		w.Tasks[at].Status = t.Status
	}
	return before
}

// isOpen reports whether the task is in progress or to come.
func (t Task) isOpen() bool {
	return t.Status == "" || t.Status == "pending" || t.Status == "in_progress"
}

// newest returns the last n items of a list, whose newest ones are at the end.
func newest[T any](all []T, n int) []T { return all[max(0, len(all)-n):] }

// leftBehind is the number of prompts after which an unchanged task in progress no longer counts as work in hand.
const leftBehind = 5

// Open returns the words of the tasks that are not done, each once: doing holds those in progress, next the others. A
// task that was left behind comes first in next.
func (w *Work) Open() (doing, next []string) {
	var begun []string
	for _, t := range w.Tasks {
		switch {
		case slices.Contains(doing, t.Text), slices.Contains(begun, t.Text), slices.Contains(next, t.Text) &&
			t.Status != "in_progress":
		case t.Status == "in_progress" && w.Prompts-t.Prompt >= leftBehind:
			begun = append(begun, t.Text)
		case t.Status == "in_progress":
			doing = append(doing, t.Text)
		case t.isOpen():
			next = append(next, t.Text)
		}
	}
	next = slices.DeleteFunc(next, func(words string) bool {
		return slices.Contains(doing, words) || slices.Contains(begun, words)
	})
	return doing, append(begun, next...)
}

// Fail adds a failed command as the newest failure.
func (w *Work) Fail(f Failure) {
	w.clear(f.Key, f.Dir)
	w.Passed = slices.DeleteFunc(w.Passed, func(k string) bool { return k == f.Key })
	f.Ran, f.Made = w.Ran, w.Made
	w.Failures = newest(append(w.Failures, f), maxFailures)
}

// Succeed notes that the command with this key succeeded in the folder dir.
func (w *Work) Succeed(key, dir string) {
	w.clear(key, dir)
	w.Passed = slices.DeleteFunc(w.Passed, func(k string) bool { return k == key })
	w.Passed = newest(append(w.Passed, key), maxPassed)
}

func (w *Work) clear(key, dir string) {
	w.Failures = slices.DeleteFunc(w.Failures, func(f Failure) bool { return f.Key == key && MayBeSame(f.Dir, dir) })
}

// MayBeSame reports whether two folders may be the same: a cd names one as seen from where it was.
func MayBeSame(a, b string) bool {
	return a == "" || b == "" || strings.HasSuffix("/"+a, "/"+b) || strings.HasSuffix("/"+b, "/"+a)
}

// Touch notes that a file was read or edited.
func (w *Work) Touch(path string) {
	w.Touched = slices.DeleteFunc(w.Touched, func(old string) bool { return old == path })
	w.Touched = slices.Insert(w.Touched, 0, path)
	w.Touched = w.Touched[:min(len(w.Touched), maxTouched)]
}

// Check notes how a check ended.
func (w *Work) Check(c Check) {
	w.Checks = slices.DeleteFunc(w.Checks, func(old Check) bool {
		return old.Key == c.Key && MayBeSame(old.Dir, c.Dir)
	})
	w.Checks = newest(append(w.Checks, c), maxChecks)
}

// Fields describes the stored fields of w.
func (w *Work) Fields(t *jsonx.Table) {
	jsonx.Many(t, "calls", &w.Calls, (*Call).fields)
	jsonx.Many(t, "tasks", &w.Tasks, (*Task).fields)
	jsonx.Many(t, "failures", &w.Failures, (*Failure).fields)
	t.Texts("looked", &w.Touched)
	jsonx.Many(t, "checks", &w.Checks, (*Check).fields)
	t.Texts("steps", &w.Steps)
	t.Texts("passed", &w.Passed)
	jsonx.Number(t, "ran", &w.Ran)
	jsonx.Number(t, "made", &w.Made)
	jsonx.Number(t, "prompts", &w.Prompts)
	t.Yes("erred", &w.Erred)
	t.Text("asked", &w.Asked)
	t.Text("told", &w.Told)
	t.Text("proposed", &w.Proposed)
	t.Text("reply", &w.Reply)
}

func (l *Call) fields(t *jsonx.Table) {
	t.Wordless("id", &l.ID)
	t.Wordless("name", &l.Name)
	t.Text("arg", &l.Arg)
}

func (k *Task) fields(t *jsonx.Table) {
	t.Wordless("id", &k.ID)
	t.Text("text", &k.Text)
	t.Wordless("status", &k.Status)
	jsonx.Number(t, "prompt", &k.Prompt)
}

func (c *Check) fields(t *jsonx.Table) {
	t.Text("key", &c.Key)
	t.Text("dir", &c.Dir)
	t.Text("cmd", &c.Cmd)
	t.Yes("passed", &c.Passed)
	t.Yes("unsure", &c.Unsure)
}

func (f *Failure) fields(t *jsonx.Table) {
	t.Text("key", &f.Key)
	t.Text("dir", &f.Dir)
	t.Text("cmd", &f.Cmd)
	t.Text("line", &f.Line)
	t.Wordless("ts", &f.TS)
	t.Yes("check", &f.Check)
	jsonx.Number(t, "ran", &f.Ran)
	jsonx.Number(t, "made", &f.Made)
}
