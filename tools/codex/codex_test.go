// Package codex runs memento in the real Codex CLI, headless, against a mock of its model on loopback.
package codex

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// answer is what the model says to one request: calls of tools, or else words.
type answer struct {
	words string
	calls []string // command lines
	used  int      // tokens of the context, as the model counts them
}

// rig is a home with Codex and memento.
type rig struct {
	t                *testing.T
	client, memento  string
	home, codex, dir string

	mu       sync.Mutex
	answers  []answer
	requests []string
}

func newRig(t *testing.T) *rig {
	client := os.Getenv("MEMENTO_CODEX")
	if client == "" {
		if os.Getenv("MEMENTO_REQUIRE_CLIENT") == "1" {
			t.Fatal("MEMENTO_REQUIRE_CLIENT=1, and MEMENTO_CODEX names no client")
		}
		t.Skip("SKIPPED: MEMENTO_CODEX names no `codex` binary: ./test.sh")
	}
	// not where TMPDIR may be: in Codex's sandbox a command may write below /dev (measured on Codex 0.169.0)
	home, err := os.MkdirTemp("/tmp", "memento-codex-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	r := &rig{t: t, client: client, memento: filepath.Join(home, "bin", "memento"), home: home,
		codex: filepath.Join(home, ".codex"), dir: filepath.Join(home, "shop")}
	for _, dir := range []string{r.codex, r.dir} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-C", "../..", "-o", r.memento, "./cmd/memento")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	model := httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(model.Close)
	r.write(filepath.Join(r.codex, "config.toml"), `model = "gpt-5.1-codex"
model_provider = "mock"
model_auto_compact_token_limit = 50000
model_context_window = 100000
check_for_update_on_startup = false
[sandbox_workspace_write]
exclude_slash_tmp = true
exclude_tmpdir_env_var = true
[analytics]
enabled = false
[model_providers.mock]
name = "mock"
base_url = "`+model.URL+`/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`)
	return r
}

func (r *rig) write(path, content string) {
	r.t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// serve is the model.
func (r *rig) serve(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	if !strings.HasSuffix(request.URL.Path, "/responses") {
		_, _ = io.WriteString(w, `{"data":[],"models":[]}`)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, string(body))
	n := len(r.requests)
	now := answer{words: fmt.Sprint("ok ", n)}
	if len(r.answers) > 0 {
		now, r.answers = r.answers[0], r.answers[1:]
	}
	w.Header().Set("Content-Type", "text/event-stream")
	say := func(kind string, fields map[string]any) {
		fields["type"] = kind
		data, _ := json.Marshal(fields)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, data)
	}
	id := fmt.Sprint("resp_", n)
	say("response.created", map[string]any{"response": map[string]any{"id": id}})
	items := []any{map[string]any{"type": "message", "role": "assistant", "id": fmt.Sprint("msg_", n),
		"content": []any{map[string]any{"type": "output_text", "text": now.words, "annotations": []any{}}}}}
	if len(now.calls) > 0 {
		items = nil
	}
	for i, line := range now.calls {
		arguments, _ := json.Marshal(map[string]string{"cmd": line})
		items = append(items, map[string]any{"type": "function_call", "id": fmt.Sprint("fc_", n, i),
			"name": "exec_command", "arguments": string(arguments), "call_id": fmt.Sprint("call_", n, "_", i)})
	}
	for i, item := range items {
		say("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	used := max(now.used, 1000)
	say("response.completed", map[string]any{"response": map[string]any{"id": id, "usage": map[string]any{
		"input_tokens": used, "input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens": 10,
		"output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": used + 10}}})
}

// command is a program to run in the rig's home for a minute at most. Nothing of this process's environment reaches it.
func (r *rig) command(name string, args ...string) (cmd *exec.Cmd, cancel func()) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	cmd = exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = r.dir, []string{"HOME=" + r.home, "PATH=/usr/local/bin:/usr/bin:/bin", "USER=alice"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd, cancel
}

// run runs a program and returns what it printed.
func (r *rig) run(name string, args ...string) string {
	r.t.Helper()
	cmd, cancel := r.command(name, args...)
	defer cancel()
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// say gives Codex a prompt, in the session of the last one if it goes on, and returns the requests that it made.
func (r *rig) say(prompt string, goesOn bool, answers ...answer) []string {
	r.t.Helper()
	r.answers, r.requests = answers, nil
	args := []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "--sandbox", "workspace-write"}
	if goesOn {
		args = append(args, "resume", "--last")
	}
	out := r.run(r.client, append(args, prompt)...)
	if strings.Contains(out, "\nhook: ") && strings.Contains(out, " Failed\n") {
		r.t.Errorf("a hook failed:\n%s", out)
	}
	return r.requests
}

func (r *rig) has(what, got string, want ...string) {
	r.t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			r.t.Errorf("%s has no %q:\n%s", what, w, got)
		}
	}
}

// lastOutput returns the output of the last call that a request tells the model.
func lastOutput(request string) (out string) {
	for _, item := range gjson.Get(request, "input").Array() {
		if item.Get("type").Str == "function_call_output" {
			out = item.Get("output").String()
		}
	}
	return out
}

// TestDay is a day in Codex: installed beside a person's own hook, three prompts, a compaction, the block exactly once,
// a resume, what Claude Code is told afterwards, the past of before, and away again, byte for byte.
func TestDay(t *testing.T) {
	r := newRig(t)
	hooks := filepath.Join(r.codex, "hooks.json")
	own := "{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"echo " +
		">> " + r.home + "/own\"}]}]}\n}\n"
	r.write(hooks, own)
	r.has("install", r.run(r.memento, "install"), hooks+" edited",
		"Codex asks once whether these hooks are to be trusted")
	r.has("install, again", r.run(r.memento, "install"), hooks+" unchanged")
	r.has("doctor", r.run(r.memento, "doctor"), "ok   "+hooks+" runs this binary")

	// The sandbox lets a command write in the project alone; memento's commands are kept all the same.
	requests := r.say("Fix the checkout: orders above 1,000 EUR are lost. Never touch the tax tables.", false,
		answer{calls: []string{"touch ../outside; echo rc $?"}},
		answer{calls: []string{`memento done "fixed the cart" --result "all pass" --keep "Never touch the tax ` +
			`tables"`}})
	if len(requests) != 3 {
		t.Fatalf("%d requests", len(requests))
	}
	r.has("a command outside of the project", lastOutput(requests[1]), "rc 1")
	r.has("memento done", lastOutput(requests[2]), `kept "Never touch the tax tables`)
	r.say("Run the tests. Keep the API as it is.", true,
		answer{calls: []string{"echo '1 failing'; exit 1"}}, answer{words: "One fails.", used: 80000})
	requests = r.say("Go on with the plan.", true, answer{words: "A summary."}, answer{words: "The cart was fixed."})
	if len(requests) != 2 {
		t.Fatalf("%d requests of a compaction and a prompt", len(requests))
	}
	block := requests[1]
	r.has("the request behind the compaction", block, "[MEMENTO] Mission: Fix the checkout", "Keep the API as it is.",
		"fixed the cart")
	if n := strings.Count(block, "[MEMENTO] Mission:"); n != 1 {
		t.Errorf("the block is there %d times", n)
	}
	if strings.Contains(requests[0], "From memento") {
		t.Error("the summariser was told something, which Codex does not promise")
	}
	requests = r.say("What is left?", true)
	if n := strings.Count(requests[0], "[MEMENTO] Mission:"); n != 1 {
		t.Errorf("after a resume the block is there %d times", n)
	}
	if own, err := os.ReadFile(filepath.Join(r.home, "own")); err != nil || len(own) != 4 {
		t.Errorf("the person's own hook ran %d times: %v", len(own), err)
	}

	r.has("show", r.run(r.memento, "show"), "mission  Fix the checkout", "in the user's words, in Codex",
		"fixed the cart -> all pass")
	found := r.run(r.memento, "search", "orders above")
	r.has("search", found, "you said to Codex")
	_, id, _ := strings.Cut(found, "memento show ")
	id, _, _ = strings.Cut(id, " ")
	session := r.run(r.memento, "show", id)
	r.has("show SESSION", session, "turns    4,", "Codex: The cart was fixed.", "failed `echo '1 failing'; exit 1`")
	if strings.Contains(session, "environment_context") || strings.Contains(session, "[MEMENTO]") {
		t.Errorf("words that nobody typed count as typed:\n%s", session)
	}

	// Claude Code is told what Codex left, and the rule.
	event := `{"hook_event_name":"SessionStart","session_id":"c1","transcript_path":"` + r.home +
		`/.claude/projects/x/c1.jsonl","cwd":"` + r.dir + `","source":"startup"}`
	start := r.run("/bin/sh", "-c", `printf %s "$1" | "$2" hook`, "sh", event, r.memento)
	r.has("a start of Claude Code", start, "Previous mission", "Fix the checkout", "Never touch the tax tables.")

	// Without memento's folder, the past comes out of the rollouts.
	if err := os.RemoveAll(filepath.Join(r.home, ".claude")); err != nil {
		t.Fatal(err)
	}
	r.has("backfill", r.run(r.memento, "backfill", "--all", "--yes"), "taken in: 1 session, 4 turns")
	r.has("search, after backfill", r.run(r.memento, "search", "orders above"), "you said to Codex")

	r.has("uninstall", r.run(r.memento, "uninstall"), hooks+" edited")
	if now, err := os.ReadFile(hooks); string(now) != own {
		t.Errorf("after uninstall hooks.json is %s, %v", now, err)
	}
}

// TestDeed: a rule that no start told comes beside the call that it concerns.
func TestDeed(t *testing.T) {
	r := newRig(t)
	r.run(r.memento, "install")
	path := filepath.Join(r.home, ".claude", "projects", "x", "c1.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	lines := ""
	for i, rule := range []string{"nobody pushes to main on Fridays",
		"invoices are rounded per line by law and never per order",
		"staging keys expire at the end of each month and are renewed by Bob",
		"customers in Norway pay no tax on books",
		"the warehouse counts jars of honey by weight and not by number", "the nightly import takes forty minutes",
		"old orders live in the archive schema, which is read only for us", "the logo stays where it is on each page",
		"the printer in the cellar needs labels of sixty by ninety millimetres",
		"the French translation is done by Claire",
		"the load balancer drops requests that are larger than two megabytes", "totals are sent in cents, as strings"} {
		lines += fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":"c1","timestamp":"2026-01-05T10:%02d:00Z",`+
			`"cwd":%q,`+
			`"message":{"role":"user","content":"Remember that %s."}}`+"\n", i, i, r.dir, rule)
	}
	r.write(path, lines)
	for _, name := range []string{"SessionStart", "Stop", "SessionEnd"} {
		event := fmt.Sprintf(`{"hook_event_name":%q,"session_id":"c1","transcript_path":%q,"cwd":%q,`+
			`"source":"startup"}`,
			name, path, r.dir)
		r.run("/bin/sh", "-c", `printf %s "$1" | "$2" hook`, "sh", event, r.memento)
	}
	requests := r.say("Fix the cart.", false, answer{calls: []string{"git push origin main"}})
	if len(requests) != 2 || strings.Contains(requests[0], "Fridays") ||
		!strings.Contains(requests[0], "in cents, as strings") {
		t.Fatalf("%d requests; the first one: %s", len(requests), requests[0])
	}
	r.has("the call's answer", requests[1], "nobody pushes to main on Fridays")
}

// TestPlugin: the plugin for Claude Code is one for Codex as well, with its hooks and skills.
func TestPlugin(t *testing.T) {
	r := newRig(t)
	source := filepath.Join(r.home, "source")
	for _, dir := range []string{".claude-plugin", "hooks", "skills"} {
		if err := os.CopyFS(filepath.Join(source, dir), os.DirFS(filepath.Join("..", "..", dir))); err != nil {
			t.Fatal(err)
		}
	}
	// where the launcher puts it
	if err := os.CopyFS(filepath.Join(source, "bin"), os.DirFS(filepath.Dir(r.memento))); err != nil {
		t.Fatal(err)
	}
	r.run(r.client, "plugin", "marketplace", "add", source)
	r.run(r.client, "plugin", "add", "memento@mementohq")
	requests := r.say("Fix the checkout: orders above 1,000 EUR are lost. Never touch the tax tables.", false,
		answer{calls: []string{`memento done "fixed the cart" --result "all pass"`}})
	if len(requests) != 2 {
		t.Fatalf("%d requests", len(requests))
	}
	r.has("the first request", requests[0], "[MEMENTO] No active mission", "/memento/SKILL.md", "memento:rules")
	r.has("memento done", lastOutput(requests[1]), "noted: done")
	r.has("show", r.run(r.memento, "show"), "mission  Fix the checkout", "fixed the cart -> all pass")
}

// server is Codex's app server, with which its terminal and its extensions speak.
type server struct {
	t   *testing.T
	in  io.Writer
	out *json.Decoder
	ids int
}

// call makes a call and returns its result; with until it waits for that message, too.
func (s *server) call(method, params, until string) gjson.Result {
	s.t.Helper()
	s.ids++
	fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.ids, method, params)
	for result := (gjson.Result{}); ; {
		var message json.RawMessage
		if err := s.out.Decode(&message); err != nil {
			s.t.Fatalf("%s: %v", method, err)
		}
		m := gjson.ParseBytes(message)
		if m.Get("id").Int() == int64(s.ids) {
			if result = m.Get("result"); !result.Exists() {
				s.t.Fatalf("%s: %s", method, message)
			}
		}
		if result.Exists() && (until == "" || m.Get("method").Str == until) {
			return result
		}
	}
}

// TestRevert: what the user takes back counts as rewound, at once and in what backfill takes in.
func TestRevert(t *testing.T) {
	r := newRig(t)
	r.run(r.memento, "install")
	cmd, cancel := r.command(r.client, "app-server")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); _ = cmd.Wait() }()
	s := &server{t: t, in: in, out: json.NewDecoder(out)}
	s.call("initialize", `{"clientInfo":{"name":"test","version":"1"}}`, "")
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"initialized"}`)
	config := filepath.Join(r.codex, "config.toml")
	trust, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, hook := range s.call("hooks/list", fmt.Sprintf(`{"cwds":[%q]}`, r.dir), "").Get("data.0.hooks").Array() {
		trust = fmt.Appendf(trust, "[hooks.state.%q]\ntrusted_hash = %q\n", hook.Get("key").Str,
			hook.Get("currentHash").Str)
	}
	r.write(config, string(trust))
	id := s.call("thread/start", fmt.Sprintf(`{"cwd":%q,"approvalPolicy":"never","sandbox":"workspace-write"}`,
		r.dir), "").
		Get("thread.id").Str
	turn := func(words string) (turn string) {
		return s.call("turn/start", fmt.Sprintf(`{"threadId":%q,"input":[{"type":"text","text":%q}]}`, id, words),
			"turn/completed").Get("turn.id").Str
	}
	turn("Fix the checkout. Never touch the tax tables.")
	last := turn("Write the docs in French.")
	s.call("thread/revert", fmt.Sprintf(`{"threadId":%q,"beforeTurnId":%q}`, id, last), "")
	turn("Write the docs in Dutch.")

	said := r.run(r.memento, "show", "--said")
	r.has("show --said", said, "Never touch the tax tables.", "in French.  [rewound]", "in Dutch.\n")
	if err := os.RemoveAll(filepath.Join(r.home, ".claude")); err != nil {
		t.Fatal(err)
	}
	r.run(r.memento, "backfill", "--all", "--yes")
	r.has("backfill, again", r.run(r.memento, "backfill", "--all", "--yes"), "taken in: 0 sessions")
	found := r.run(r.memento, "search", "write the docs")
	if r.has("search", found, "Dutch"); strings.Contains(found, "French") {
		t.Errorf("what was taken back is found: %s", found)
	}
}

// TestSubagent: what Codex tells a subagent is no word of the user's.
func TestSubagent(t *testing.T) {
	r := newRig(t)
	r.run(r.memento, "install")
	r.say("Count the orders of May.", false, answer{words: "done"})
	store := filepath.Join(r.codex, "sessions")
	var rollout string
	_ = filepath.WalkDir(store, func(path string, e os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), "rollout-") {
			rollout = path
		}
		return nil
	})
	data, err := os.ReadFile(rollout)
	if err != nil {
		t.Fatal(err)
	}
	// as the client writes a subagent's (measured on Codex 0.169.0)
	aside := strings.Replace(rollout, ".jsonl", "-aside.jsonl", 1)
	words := strings.Replace(string(data), `"thread_source":"user"`, `"thread_source":"subagent"`, 1)
	r.write(aside, strings.ReplaceAll(words, "orders of May", "files of June"))
	id := gjson.Get(string(data), "payload.id").Str
	for _, name := range []string{"SubagentStart", "SubagentStop"} {
		event := `{"hook_event_name":"` + name + `","session_id":"` + id + `","transcript_path":"` + aside + `","cwd":"` + r.dir +
			`","agent_id":"a1","agent_type":"default","last_assistant_message":"Three."}`
		r.run("/bin/sh", "-c", `printf %s "$1" | "$2" hook`, "sh", event, r.memento)
	}
	if said := r.run(r.memento, "show", "--said"); strings.Contains(said, "June") || !strings.Contains(said, "May") {
		t.Errorf("said: %s", said)
	}
}
