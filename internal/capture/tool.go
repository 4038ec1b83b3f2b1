package capture

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

// deed is something a tool brought about, as the journal takes it: a fact, not a judgement.
type deed struct {
	ref  string // of the call, or of the line
	done *journal.Entry
	file string // edited, relative to the project
	plan string // approved by the user, whole
	fell string // key of a check that failed
	line int    // where it stands among what was read
}

// fresh leaves out what the journal holds already: after a crash between two writes the same lines are read again.
func fresh(j *journal.Journal, deeds []deed) []deed {
	if at := slices.IndexFunc(deeds, func(d deed) bool { return d.ref == j.Acted }); j.Acted != "" && at >= 0 {
		return deeds[at+1:]
	}
	return deeds
}

// take brings the deeds that stand before line into the journal, and returns the others. What was done before the
// session has a mission of its own is no part of another's.
func take(j *journal.Journal, st *session.Memory, deeds []deed, line int, past past) []deed {
	for len(deeds) > 0 && deeds[0].line <= line {
		d := deeds[0]
		deeds = deeds[1:]
		if j.Acted = d.ref; past.refs[d.ref] || j.Open() && j.Session != st.ID {
			continue
		}
		switch {
		case d.done != nil:
			e := *d.done
			e.By, e.Ref = journal.ByAuto, d.ref
			if e.Ctx != "" {
				yes := true // it was taken from the output
				e.Verified = &yes
			}
			j.AddCaptured(e)
		case d.fell != "":
			j.Revoke(func(act string) bool { return keptCommand(act).key == d.fell })
		case d.plan != "":
			j.Approved(d.plan, d.ref)
		case d.file != "":
			j.Edited(d.file)
		}
	}
	return deeds
}

// inHand brings the work in hand, the plan and the failing command into the journal, wherever Claude or the user has
// not set them. With no task in progress the work in hand is the last thing asked for, in the user's words.
func inHand(j *journal.Journal, st *session.Memory) {
	if j.MissionClosed != "" || j.Session != st.ID {
		return
	}
	w := &st.Work
	doing, next := w.Open()
	wip := w.Asked
	if n := len(doing); n > 0 {
		wip = doing[n-1]
		next = append(doing[:n-1:n-1], next...)
	}
	if len(w.Tasks) == 0 {
		next = w.Steps
	}
	j.Captured(wip, next)
	j.Reopened(append(doing, next...))
	switch n := len(w.Failures); {
	case n > 0:
		f := w.Failures[n-1]
		j.Error = j.Error.With(f.Cmd, f.Line, f.TS)
		w.Erred = true
	case j.Error != nil && (w.Erred || slices.Contains(w.Passed, keptCommand(j.Error.Cmd).key)):
		j.Error = nil
	}
}

// maxArg bounds what is remembered of a call until it is answered, in bytes.
const maxArg = 16 << 10

// maxPath is the longest path that is taken for a file's, and maxURL the longest address for a pull request's, in
// bytes: no line of the journal's may push out the others.
const (
	maxPath = 1 << 10
	maxURL  = 200
)

// tools takes in what an entry's calls and results show: what is open goes to w, what was done is returned.
func tools(w *work.Work, e transcript.Entry, at *folders) (out []deed) {
	for _, c := range e.Calls {
		if arg, ok := argument(c); ok {
			w.Call(work.Call{ID: c.ID, Name: c.Name, Arg: arg})
		}
	}
	for _, r := range e.Results {
		if c, ok := w.Answered(r.ID); ok && ran(c, r) {
			out = append(out, answered(w, c, r, at, e.TS)...)
		}
	}
	if e.PR != "" && len(e.PR) <= maxURL {
		out = append(out, deed{ref: e.PR, done: &journal.Entry{Act: "pull request", Ctx: "tool: " + e.PR, TS: e.TS}})
	}
	return out
}

// argument returns the one argument of a call that its answer will be understood by, without secrets, and whether the
// call matters.
func argument(c transcript.Call) (string, bool) {
	switch c.Name {
	case "TodoWrite":
		return taskList(c), true
	case "TaskUpdate":
		arg := changes(c)      // without its description, however long
		if len(arg) > maxArg { // cut, it would be no JSON: somebody wrote a book into it
			return "", true
		}
		arg, _ = redact.JSON(arg)
		return arg, true
	}
	arg, ok := input(c)
	// its beginning is kept: what follows tells whether that holds half a secret
	arg = redact.Clean(arg[:min(len(arg), 4*maxArg)])
	return arg[:min(len(arg), maxArg)], ok
}

func input(c transcript.Call) (string, bool) {
	switch c.Name {
	case "Bash", "PowerShell":
		return c.Get("command").String(), true
	case "Edit", "Write", "MultiEdit", "Read":
		return c.Get("file_path").String(), true
	case "NotebookEdit":
		return c.Get("notebook_path").String(), true
	case "TaskCreate":
		return c.Get("subject").String(), true
	case "ExitPlanMode":
		return "", true
	}
	return "", false
}

// changes returns what a TaskUpdate changes, as JSON.
func changes(c transcript.Call) string {
	var parts []string
	for _, key := range [...]string{"taskId", "id", "subject", "status"} {
		if v := c.Get(key); v.Exists() {
			parts = append(parts, `"`+key+`":`+v.Raw)
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// answered takes in what came of the call c, which was carried out.
func answered(w *work.Work, c work.Call, r transcript.Result, at *folders, ts string) []deed {
	switch c.Name {
	case "Bash", "PowerShell":
		return shell(w, c, r, ts)
	case "Read":
		if c.Arg != "" && len(c.Arg) <= maxPath {
			w.Look(at.relative(c.Arg))
		}
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		if c.Arg != "" && len(c.Arg) <= maxPath {
			return []deed{{ref: c.ID, file: at.relative(c.Arg)}}
		}
	case "TodoWrite":
		return todos(w, c)
	case "TaskCreate":
		if id := taskID(r); id != "" {
			w.SetTask(work.Task{ID: id, Text: subject(c.Arg), Status: "pending"})
		}
	case "TaskUpdate":
		return taskUpdate(w, c, ts)
	case "ExitPlanMode":
		if plan := approved(r); plan != "" {
			w.Steps = steps(plan)
			return []deed{{ref: c.ID, plan: plan}}
		}
	}
	return nil
}

// shell takes in what a command came to: a failure stays open until the same command succeeds.
func shell(w *work.Work, c work.Call, r transcript.Result, ts string) (out []deed) {
	cmd := parseCommand(c.Arg)
	if cmd.key == "" || strings.HasPrefix(cmd.key, "memento") {
		return nil // what memento itself was told is no part of the work; see denials
	}
	output := plain(bothEnds(r.Text()))
	if strings.Contains(output, "-----BEGIN ") { // a key's lines are recognised together only
		output = redact.Clean(output)
	}
	w.Ran++
	made := commitsOf(cmd, output)
	w.Made += len(made)
	if !r.Failed && (calls(cmd.shown, "git", "push") || calls(cmd.shown, "pr", "create") ||
		calls(cmd.shown, "mr", "create")) {
		w.Made++
	}
	why := whyFailed(output, cmd)
	fell := r.Failed || cmd.check && cmd.masked() && complains(output)
	switch {
	case !fell:
	case r.Failed && looksUp(cmd), notThere(why, cmd) && (!cmd.check || cmd.masked()),
		cmd.check && cmd.masked() && why == "" && readsLast(cmd):
		settled(w, cmd, false)
		return nil // it tells nothing of the work
	default:
		settled(w, cmd, false)
		w.Fail(work.Failure{Key: cmd.key, Cmd: apart(cmd.shown, maxCmd), Line: oneLine(why, maxWhy), TS: ts,
			Check: cmd.check})
		if cmd.check {
			return []deed{{ref: c.ID, fell: cmd.key}}
		}
		return nil
	}
	passed := !cmd.masked() || cmd.check || len(made) > 0 || !refused(output)
	if settled(w, cmd, passed); passed {
		w.Succeed(cmd.key)
	}
	note := func(act, ctx string) {
		out = append(out, deed{ref: c.ID, done: &journal.Entry{Act: act, Ctx: "tool: " + ctx, TS: ts}})
	}
	if cmd.check {
		if line := verdict(output); line != "" {
			note(apart(plumbing(cmd.shown), journal.MaxAct), oneLine(line, journal.MaxCtx-6))
			out[0].done.Check = true
		}
	}
	for _, c := range made {
		note(oneLine(c[1], journal.MaxAct), c[0])
	}
	if calls(cmd.shown, "pr", "create") || calls(cmd.shown, "mr", "create") {
		if url := pullRequest(output); url != "" {
			out = append(out, deed{ref: url, done: &journal.Entry{Act: "pull request", Ctx: "tool: " + url, TS: ts}})
		}
	}
	return out
}

// commitsOf returns the commits that a command made, as commits does.
func commitsOf(cmd shellCommand, output string) [][2]string {
	if !calls(cmd.shown, "commit") {
		return nil
	}
	made := commits(output)
	if strings.Contains(cmd.shown, "--amend") || strings.Contains(cmd.shown, "--fixup") {
		made = made[max(0, len(made)-1):] // what was amended is no more
	}
	return made
}

// bothEnds returns what is looked at of a long output: it says at its ends what came of a command.
func bothEnds(output string) string {
	if len(output) > 2*maxOutput {
		output = output[:maxOutput] + "\n" + output[len(output)-maxOutput:]
	}
	return output
}

// Open returns what is open in the session st beside what its journal says: tasks, the newest failure of the other kind
// (a check's, or another command's), and files that were read, newest first.
func Open(st *session.Memory) (tasks []string, failing []journal.Failure, looked []string) {
	doing, next := st.Work.Open()
	all := st.Work.Failures
	for i := len(all) - 2; i >= 0; i-- {
		if f := all[i]; f.Check != all[len(all)-1].Check {
			failing = append(failing, journal.Failure{Cmd: f.Cmd, Line: f.Line, TS: f.TS})
			break
		}
	}
	return append(doing, next...), failing, st.Work.Looked
}

// Passed reports whether the last command of the session st that was like cmd, whatever its last arguments, succeeded.
func Passed(st *session.Memory, cmd string) bool {
	key := keptCommand(cmd).key
	return key != "" && slices.Contains(st.Work.Passed, key)
}

// How much of a failing command and of its error is kept, in characters.
const (
	maxCmd = 160
	maxWhy = 200
)

// oneLine returns s in one line of at most limit characters, without secrets.
func oneLine(s string, limit int) string {
	s, _ = text.Cut(strings.Join(strings.Fields(redact.Clean(s[:min(len(s), 4*maxArg)])), " "), limit)
	return s
}

// lineEnd stands in a command that is kept where one of its lines ended: joined by a space they would be another
// command.
const lineEnd = " ⏎ "

// apart returns a command of at most limit characters, in one line and without secrets, which still tells where each of
// its lines ended. The lines of a message for git are words, and go on.
func apart(cmd string, limit int) string {
	cmd = redact.Clean(cmd[:min(len(cmd), 4*maxArg)])
	message := calls(cmd, "git") || calls(cmd, "gh")
	var b strings.Builder
	var quote rune
	for line := range strings.Lines(cmd) {
		inside := quote != 0 && message
		for _, r := range line {
			quote = quoted(quote, r)
		}
		line = strings.Join(strings.Fields(line), " ")
		switch {
		case line == "":
			continue
		case b.Len() == 0:
		case inside:
			b.WriteByte(' ')
		default:
			b.WriteString(lineEnd)
		}
		b.WriteString(line)
	}
	cmd, _ = text.Cut(b.String(), limit)
	return cmd
}

// keptCommand is parseCommand for what apart returned.
func keptCommand(cmd string) shellCommand {
	return parseCommand(strings.ReplaceAll(cmd, lineEnd, "\n"))
}

// taskList returns the task list that a TodoWrite sets, as JSON, without secrets: as many items, of as many words, as
// are kept.
func taskList(c transcript.Call) string {
	out := []byte{'['}
	c.Get("todos").ForEach(func(_, t gjson.Result) bool {
		words := subject(redact.Clean(t.Get("content").String()))
		if words == "" {
			return true
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = gjson.AppendJSONString(append(out, `{"content":`...), words)
		out = gjson.AppendJSONString(append(out, `,"status":`...), t.Get("status").String())
		out = append(out, '}')
		return len(out) < 4*maxArg
	})
	return string(append(out, ']'))
}

// todos takes in a whole task list of an older client; what it newly calls completed was done.
func todos(w *work.Work, c work.Call) (out []deed) {
	old := w.Tasks
	w.Tasks = slices.DeleteFunc(slices.Clone(old), func(t work.Task) bool { return t.ID == "" })
	gjson.Parse(c.Arg).ForEach(func(_, t gjson.Result) bool {
		words, status := t.Get("content").Str, t.Get("status").Str
		if len(w.Tasks) > 200 {
			return false
		}
		w.Tasks = append(w.Tasks, work.Task{Text: words, Status: status, Prompt: w.Prompts})
		before := slices.IndexFunc(old, func(o work.Task) bool { return o.ID == "" && o.Text == words })
		if status == "completed" && before >= 0 && old[before].Status != status {
			out = append(out, finished(c.ID+"/"+strconv.Itoa(len(w.Tasks)), words, ""))
		}
		return true
	})
	return out
}

// taskID returns the number the client gave a new task.
func taskID(r transcript.Result) string {
	if id := r.Extra().Get("task.id"); id.Exists() {
		return id.String()
	}
	_, rest, ok := strings.Cut(r.Text(), "#") // "Task #7 created successfully: …"
	if !ok {
		return ""
	}
	end := 0
	for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	return rest[:end]
}

func taskUpdate(w *work.Work, c work.Call, ts string) []deed {
	if !gjson.Valid(c.Arg) { // cut: somebody wrote a book into it
		return nil
	}
	in := gjson.Parse(c.Arg)
	id := in.Get("taskId").String()
	if id == "" {
		id = in.Get("id").String()
	}
	at := slices.IndexFunc(w.Tasks, func(t work.Task) bool { return t.ID == id })
	if id == "" || at < 0 {
		return nil
	}
	t := work.Task{ID: id, Text: subject(in.Get("subject").String()), Status: in.Get("status").String()}
	before := w.SetTask(t)
	if t.Status == "completed" && before.Status != t.Status {
		return []deed{finished(c.ID, w.Tasks[at].Text, ts)}
	}
	return nil
}

// subject returns the words of a task, as much of them as is kept.
func subject(words string) string {
	words, _ = text.Cut(words, 2*journal.MaxPlan)
	return words
}

func finished(ref, words, ts string) deed {
	return deed{ref: ref, done: &journal.Entry{Act: words, TS: ts}}
}

// approved returns the plan that the person approved, "" when they did not.
func approved(r transcript.Result) string {
	words := r.Text()
	if !strings.HasPrefix(words, "User has approved your plan") {
		return ""
	}
	if plan := r.Extra().Get("plan").String(); plan != "" {
		return text.Private(plan) // the person may have edited it
	}
	_, plan, _ := strings.Cut(words, "\n## Approved Plan")
	_, plan, _ = strings.Cut(plan, ":\n") // "(edited by user)", if it was (client 2.1.329)
	return text.Private(strings.TrimSpace(plan))
}

// steps returns the title of a plan and, in its own words, its steps: the headings that are numbered or called a step,
// else the items of its first numbered list.
func steps(plan string) (out []string) {
	title := ""
	var headings, items, section []string // of which section are the numbered lines under one heading
	var code text.Fence
	for l := range strings.Lines(plan) {
		l = strings.TrimSpace(l)
		head := strings.TrimLeft(l, "#")
		switch {
		case code.Has(l):
		case len(head) < len(l):
			items, section = append(items, todo(section)...), nil
			head = strings.TrimSpace(head)
			if title == "" {
				title = head
			} else if step(head) && !asked(head) {
				headings = append(headings, head)
			}
		case numbered(l):
			section = append(section, l)
		}
	}
	items = append(items, todo(section)...)
	if len(headings) > 0 {
		items = headings
	}
	if title != "" {
		out = append(out, oneLine(title, journal.MaxPlan))
	}
	for _, s := range items[:min(len(items), 20)] {
		out = append(out, oneLine(s, journal.MaxPlan))
	}
	return out
}

// todo returns what of the numbered lines of a section is to be done: no questions, and nothing when half of them ask.
func todo(section []string) []string {
	left := slices.DeleteFunc(slices.Clone(section), asked)
	if 2*len(left) <= len(section) {
		return nil
	}
	return left
}

// asked reports whether a sentence of the line is a question.
func asked(l string) bool {
	return strings.HasSuffix(strings.TrimRight(l, "*_) "), "?") || strings.Contains(l, "? ") || strings.Contains(l, "？")
}

// numbered reports whether a line begins with a number and a dot or bracket.
func numbered(l string) bool {
	rest := strings.TrimLeft(l, "0123456789")
	return len(rest) < len(l) && len(rest) > 2 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' '
}

func step(heading string) bool {
	if numbered(heading) {
		return true
	}
	words := strings.Fields(strings.ToLower(heading))
	return len(words) > 1 && text.OneOf(words[0], "step", "phase", "task", "part", "stage", "fase", "passo", "etapa",
		"paso",
		"schritt", "étape", "tarefa", "tarea") && strings.ContainsAny(words[1], "0123456789")
}
