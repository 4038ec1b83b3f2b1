package e2e

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Session is one run of the client: from its start to the end of its input.
type Session struct {
	Client string   // path of the `claude` binary
	Home   string   // HOME: a scratch folder
	Dir    string   // working folder
	Temp   string   // TMPDIR: a scratch folder with a short name, sockets go there
	Path   string   // PATH of the client and all it starts
	Env    []string // more variables, NAME=value; this process's own are not passed on
	Args   []string // more arguments
	Mode   string   // permission mode; "" is default
	Quiet  bool     // the client is too old to report hooks: only the requests show that a hook ran
	Script Script   // what the models answer
	// Prompts are sent one after another, each when the client has reported a result for the one before.
	Prompts []string
	// Ask makes the test answer the dialogs in the person's place: it denies each one that no hook answers, and notes
	// it in Dialogs. Without Ask the client denies by itself.
	Ask bool
	// Editor starts the client as its extension for an editor does: as that entrypoint, with the settings of all
	// scopes, and with callbacks of the editor's beside the hooks. It needs Ask.
	Editor bool
	// Answers holds the person's answers to the model's questions (AskUserQuestion), by question. It needs Ask.
	Answers map[string]string
}

// Event is one line of the client's output stream.
type Event struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Session string `json:"session_id"`
	raw     []byte
}

// Hook is the client's report of one hook run. The client reports no PreCompact, PostCompact and SessionEnd: see
// Faults.
type Hook struct {
	Name    string `json:"hook_name"`  // SessionStart:compact
	Event   string `json:"hook_event"` // SessionStart
	Stdout  string `json:"stdout"`
	Stderr  string `json:"stderr"`
	Exit    int    `json:"exit_code"`
	Outcome string `json:"outcome"`
}

// Said returns the text that the hook gives the model: its additionalContext, else its plain output.
func (h Hook) Said() string {
	var answer struct {
		Specific struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if strings.HasPrefix(h.Stdout, "{") && json.Unmarshal([]byte(h.Stdout), &answer) == nil {
		return strings.TrimSpace(answer.Specific.Context)
	}
	return strings.TrimSpace(h.Stdout)
}

// Dialog is a permission question that no hook answered, so that a person would have to.
type Dialog struct {
	Tool  string
	Input string // JSON
}

// Tool is one tool call and its result.
type Tool struct {
	Name   string
	Input  string // JSON, as the model gave it
	Output string
	Failed bool
	Denied bool // no permission
	Agent  bool // a subagent's call
}

// Result is the result of a run.
type Result struct {
	Requests  []Request
	Events    []Event
	Hooks     []Hook
	Tools     []Tool
	Dialogs   []Dialog
	Callbacks int      // tool calls that the client asked the editor about
	Results   int      // prompts answered
	Errors    []string // prompts the client answered with an error
	Sessions  []string // session ids in the order seen; /clear and a fork add one
	Exit      int
	Stderr    string
}

// Run starts the client and talks to it until every prompt is answered. It returns an error only when it cannot run the
// client, or when the client does not end in time. The result then has the events so far.
func (s Session) Run() (*Result, error) {
	mock, err := NewMock(s.Script)
	if err != nil {
		return nil, err
	}
	defer mock.Close()
	const limit = time.Minute
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()

	args := []string{"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
		"--permission-mode", cmp.Or(s.Mode, "default")}
	if !s.Quiet {
		args = append(args, "--include-hook-events")
	}
	if s.Ask {
		args = append(args, "--permission-prompt-tool", "stdio")
	}
	env := s.Env
	if s.Editor {
		args = append(args, "--setting-sources", "user,project,local", "--include-partial-messages",
			"--replay-user-messages")
		env = append(slices.Clone(env), "CLAUDE_CODE_ENTRYPOINT=claude-vscode",
			"ANTHROPIC_AUTH_TOKEN=dummy") // an editor's session does not take the key (client 2.1.330)
	}
	cmd := exec.CommandContext(ctx, s.Client, append(args, s.Args...)...)
	// The end of ctx ends the client's own process group, by the leader's pid, and no other process.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	cmd.Dir = s.Dir
	cmd.Env = append(Environment(s.Path, s.Home, s.Temp, mock.URL), env...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("running the client: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("running the client: %w", err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("running the client: %w", err)
	}
	t := &talk{in: stdin, prompts: slices.Clone(s.Prompts), answers: s.Answers, tool: map[string]int{},
		result: &Result{}}
	mock.typed = t.prompt
	if s.Editor {
		t.greet()
	}
	t.next()
	t.read(stdout)
	t.over()
	err = cmd.Wait()

	r := t.result
	r.Requests, r.Stderr, r.Exit = mock.Requests(), stderr.String(), cmd.ProcessState.ExitCode()
	if ctx.Err() != nil {
		return r, fmt.Errorf("running the client: not done after %v, %d of %d prompts answered", limit, r.Results,
			len(s.Prompts))
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return r, fmt.Errorf("running the client: %w", err)
	}
	return r, nil
}

// Environment returns the whole environment of the client. It has nothing of this process's own, and url is its only
// host.
func Environment(path, home, temp, url string) []string {
	return []string{
		"PATH=" + path, "HOME=" + home, "TMPDIR=" + temp, "USER=alice", "LANG=C.UTF-8",
		"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=sk-ant-api03-dummy",
		"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "IS_SANDBOX=1",
	}
}

// talk is the conversation over the client's stdin and stdout.
type talk struct {
	prompts []string
	answers map[string]string
	result  *Result
	tool    map[string]int // tool call id -> index in result.Tools

	mu    sync.Mutex
	in    io.WriteCloser
	open  []question // dialogs not answered yet
	hooks int        // PermissionRequest hooks at work
}

type question struct {
	id string
	Dialog
}

func (t *talk) write(v any) {
	data, _ := json.Marshal(v)
	t.mu.Lock()
	defer t.mu.Unlock()
	// If the client has ended, its exit code and the unanswered prompts show it.
	_, _ = t.in.Write(append(data, '\n'))
}

// next sends the next prompt, or ends the input.
func (t *talk) next() {
	if len(t.prompts) == 0 {
		t.in.Close()
		return
	}
	t.prompt(t.prompts[0])
	t.prompts = t.prompts[1:]
}

// prompt sends text as a prompt. The client queues it while the model works.
func (t *talk) prompt(text string) {
	t.write(object{"type": "user", "message": object{"role": "user",
		"content": []object{{"type": "text", "text": text}}}})
}

// greet opens the conversation as an editor does, which wants to hear of every tool call.
func (t *talk) greet() {
	heard := []object{{"matcher": nil, "hookCallbackIds": []string{"editor"}}}
	t.write(object{"type": "control_request", "request_id": "greeting", "request": object{"subtype": "initialize",
		"hooks": object{"PreToolUse": heard, "PostToolUse": heard}}})
}

// hold is how long a dialog stays open when no PermissionRequest hook starts: then only a person could answer it.
const hold = time.Second

func (t *talk) ask(id string, d Dialog) {
	if d.Tool == "AskUserQuestion" && t.answers != nil {
		var input object
		if json.Unmarshal([]byte(d.Input), &input) == nil {
			input["answers"] = t.answers
			t.write(object{"type": "control_response", "response": object{"subtype": "success", "request_id": id,
				"response": object{"behavior": "allow", "updatedInput": input}}})
			return
		}
	}
	t.mu.Lock()
	t.open = append(t.open, question{id, d})
	t.mu.Unlock()
	time.AfterFunc(hold, func() {
		t.mu.Lock()
		alone := t.hooks == 0
		t.mu.Unlock()
		if alone {
			t.deny(id)
		}
	})
}

// hook counts the running PermissionRequest hooks. When the last one ends without an answer, the person has to answer.
func (t *talk) hook(n int, said string) {
	t.mu.Lock()
	t.hooks += n
	silent := n < 0 && t.hooks == 0 && !strings.Contains(said, `"allow"`)
	t.mu.Unlock()
	if silent {
		t.deny("")
	}
}

// over drops the dialogs without an answer, so that no timer changes the result after Run has returned it.
func (t *talk) over() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = nil
}

// withdrawn notes that a hook answered the dialog. The client asks the person and runs the hook at the same time
// (client 2.1.329).
func (t *talk) withdrawn(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = slices.DeleteFunc(t.open, func(q question) bool { return q.id == id })
}

// deny answers no to the dialog id, or to every open dialog when id is "".
func (t *talk) deny(id string) {
	t.mu.Lock()
	var said []question
	t.open = slices.DeleteFunc(t.open, func(q question) bool {
		if id != "" && q.id != id {
			return false
		}
		said = append(said, q)
		t.result.Dialogs = append(t.result.Dialogs, q.Dialog)
		return true
	})
	t.mu.Unlock()
	for _, q := range said {
		t.write(object{"type": "control_response", "response": object{"subtype": "success", "request_id": q.id,
			"response": object{"behavior": "deny", "message": denied}}})
	}
}

const denied = "the person at the dialog said no"

// read reads the stream until its end.
func (t *talk) read(stdout io.Reader) {
	in := bufio.NewReaderSize(stdout, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			t.line(line)
		}
		if err != nil {
			return
		}
	}
}

// line adds a line of the stream to the result.
func (t *talk) line(line []byte) {
	r := t.result
	e := Event{raw: line}
	if json.Unmarshal(line, &e) != nil {
		return
	}
	r.Events = append(r.Events, e)
	if e.Session != "" && !slices.Contains(r.Sessions, e.Session) {
		r.Sessions = append(r.Sessions, e.Session)
	}
	switch {
	case e.Type == "result":
		r.Results++
		var end struct {
			Bad  bool   `json:"is_error"`
			Text string `json:"result"`
		}
		if json.Unmarshal(line, &end) == nil && end.Bad {
			r.Errors = append(r.Errors, end.Text)
		}
		t.next()
	case e.Type == "control_request":
		var ask struct {
			ID      string `json:"request_id"`
			Request struct {
				Subtype string          `json:"subtype"`
				Tool    string          `json:"tool_name"`
				Input   json.RawMessage `json:"input"`
			} `json:"request"`
		}
		if json.Unmarshal(line, &ask) != nil {
			return
		}
		switch ask.Request.Subtype {
		case "can_use_tool":
			t.ask(ask.ID, Dialog{ask.Request.Tool, string(ask.Request.Input)})
		case "hook_callback":
			t.result.Callbacks++
			t.write(object{"type": "control_response", "response": object{"subtype": "success", "request_id": ask.ID,
				"response": object{}}})
		}
	case e.Type == "control_cancel_request":
		var gone struct {
			ID string `json:"request_id"`
		}
		if json.Unmarshal(line, &gone) == nil {
			t.withdrawn(gone.ID)
		}
	case e.Subtype == "hook_response":
		var h Hook
		if json.Unmarshal(line, &h) != nil {
			return
		}
		r.Hooks = append(r.Hooks, h)
		if h.Event == "PermissionRequest" {
			t.hook(-1, h.Stdout)
		}
	case e.Subtype == "hook_started":
		var h Hook
		if json.Unmarshal(line, &h) == nil && h.Event == "PermissionRequest" {
			t.hook(+1, "")
		}
	case e.Subtype == "permission_denied":
		var d struct {
			ID string `json:"tool_use_id"`
		}
		if json.Unmarshal(line, &d) == nil {
			t.at(d.ID).Denied = true
		}
	case e.Type == "assistant" || e.Type == "user":
		t.message(line)
	}
}

// message adds the tool calls and tool results of a message to the result.
func (t *talk) message(line []byte) {
	var m struct {
		Message Message `json:"message"`
		Parent  string  `json:"parent_tool_use_id"`
	}
	if json.Unmarshal(line, &m) != nil {
		return
	}
	for _, b := range m.Message.Content {
		switch b.Type {
		case "tool_use":
			x := t.at(b.ID)
			x.Name, x.Input, x.Agent = b.Name, string(b.Input), m.Parent != ""
		case "tool_result":
			x := t.at(b.UseID)
			x.Output, x.Failed = b.Content.Text(), b.IsError
			x.Denied = x.Denied || x.Output == denied
		}
	}
}

// at returns the tool call with this id, and adds it if needed: the lines of a call come in any order.
func (t *talk) at(id string) *Tool {
	i, ok := t.tool[id]
	if !ok {
		i = len(t.result.Tools)
		t.tool[id] = i
		t.result.Tools = append(t.result.Tools, Tool{})
	}
	return &t.result.Tools[i]
}

// Of returns the requests of this kind, in order.
func (r *Result) Of(k Kind) []Request {
	var out []Request
	for _, q := range r.Requests {
		if q.Kind == k {
			out = append(out, q)
		}
	}
	return out
}

// Said returns the texts that the hooks of this name gave the model, in order: "SessionStart:compact",
// "UserPromptSubmit".
func (r *Result) Said(name string) []string {
	var out []string
	for _, h := range r.Hooks {
		if h.Name == name {
			out = append(out, h.Said())
		}
	}
	return out
}

// Notices returns the texts that hooks gave the client for the person (systemMessage), in order.
func (r *Result) Notices() []string {
	var out []string
	for _, h := range r.Hooks {
		var answer struct {
			Message string `json:"systemMessage"`
		}
		if json.Unmarshal([]byte(h.Stdout), &answer) == nil && answer.Message != "" {
			out = append(out, answer.Message)
		}
	}
	return out
}

// Faults returns every sign that a hook of memento's failed: an exit code, an error that the client reports for its
// output, text on stderr. The stream does not report some events; for those it returns the client's own messages,
// from stderr and from its output after /compact.
func (r *Result) Faults() []string {
	var out []string
	for _, h := range r.Hooks {
		if h.Exit == 0 && h.Outcome == "cancelled" && strings.HasPrefix(h.Name, "PermissionRequest") &&
			h.Stderr == "" && len(r.Dialogs) > 0 {
			// on a slow machine the test denied the call before the hook started, and the client ended the hook
			continue
		}
		// clients before 2.1.20 report no outcome
		if h.Exit != 0 || h.Outcome != "success" && h.Outcome != "" || h.Stderr != "" {
			out = append(out, fmt.Sprintf("%s: exit %d, %s: %s", h.Name, h.Exit, h.Outcome,
				strings.TrimSpace(h.Stderr)))
		}
	}
	for _, e := range r.Events {
		if s := string(e.raw); strings.Contains(s, "<local-command-stdout>") && strings.Contains(s, "] failed") ||
			strings.Contains(s, "hook_non_blocking_error") {
			out = append(out, s)
		}
	}
	if strings.Contains(r.Stderr, "hook") {
		out = append(out, "stderr: "+r.Stderr)
	}
	return out
}

// Store returns memento's folder under a HOME.
func Store(home string) string { return filepath.Join(home, ".claude", ".memento") }

// Transcript returns the path of the client's transcript of this session under a HOME, or "".
func Transcript(home, session string) string {
	found, _ := filepath.Glob(filepath.Join(home, ".claude", "projects", "*", session+".jsonl"))
	if len(found) == 0 {
		return ""
	}
	return found[0]
}
