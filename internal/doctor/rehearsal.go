package doctor

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/safefile"
)

// Rehearse plays a session with a compaction, through the hooks and commands that the client and Claude use. It returns
// the block that the session gets back, or "" and a finding that says why there is none. It works in a scratch folder
// on the disk of memento's folder, because another disk may have more room, and removes the scratch folder.
func Rehearse(env Env) (Finding, string) {
	in := env.Config.Dir
	if safefile.CheckDir(in) != nil || safefile.Probe(in) != nil {
		in = "" // use the system's temporary folder; Examine reports the error
	}
	block, err := env.rehearse(in)
	if err != nil {
		hint := cmp.Or(safefile.Step(err), "a bug report with this output helps")
		return Finding{Bad, "the rehearsal failed: " + err.Error(), hint}, ""
	}
	return Finding{State: OK, What: "rehearsal: a session was compacted and got its block back"}, block
}

// rehearse plays the session in a scratch folder below in, and returns the block.
func (e Env) rehearse(in string) (string, error) {
	scratch, remove, err := safefile.Scratch(in)
	if err != nil {
		return "", err
	}
	defer remove()
	project, transcript := filepath.Join(scratch, "shop"), filepath.Join(scratch, "transcript.jsonl")
	if err := safefile.Dir(project); err != nil {
		return "", err
	}
	vars := map[string]string{"HOME": scratch, "CLAUDE_CONFIG_DIR": filepath.Join(scratch, ".claude"), "USER": "you",
		"CLAUDE_CODE_SESSION_ID": "rehearsal"}
	run := func(in string, args ...string) (string, int) {
		var out bytes.Buffer
		code := e.Run(args, project, func(name string) string { return vars[name] }, strings.NewReader(in), &out)
		return strings.TrimSpace(out.String()), code
	}
	send := func(event, field, value string) string {
		data, _ := json.Marshal(map[string]string{"hook_event_name": event, field: value, "session_id": "rehearsal",
			"transcript_path": transcript, "cwd": project})
		out, _ := run(string(data), "hook")
		if words := gjson.Get(out, "hookSpecificOutput.additionalContext"); words.Exists() {
			return words.Str // without the line for the person
		}
		return out
	}
	send("SessionStart", "source", "startup")
	lines := ""
	for i, prompt := range []string{"Fix the login: sessions expire after a minute. Don't change the token format.",
		"Deploy to staging only, production is frozen until Monday."} {
		send("UserPromptSubmit", "prompt", prompt)
		lines += fmt.Sprintf(`{"type":"user","uuid":"u%d","timestamp":%q,"message":{"role":"user","content":%q}}`+"\n", i,
			e.Now().UTC().Format(time.RFC3339Nano), prompt)
		if err := safefile.Replace(transcript, []byte(lines), 0o600); err != nil {
			return "", err
		}
	}
	if out, code := run("", "done", "fix session expiry", "--result", "cookie lifetime 24 h, 14 tests pass",
		"--ctx", "user: sessions expire after a minute", "--wip", "deploy to staging -- build passed, uploading",
		"--plan", "watch the error rate for an hour"); code != 0 {
		return "", fmt.Errorf("memento done ended with %d: %s", code, out)
	}
	const constraint = "token format"
	if brief := send("PreCompact", "trigger", "auto"); !strings.Contains(brief, constraint) {
		return "", fmt.Errorf("the summariser was not told the user's constraint, %q", constraint)
	}
	block := send("SessionStart", "source", "compact")
	for _, want := range []string{"Fix the login", "staging only", "deploy to staging", "watch the error rate"} {
		if !strings.Contains(block, want) {
			return "", fmt.Errorf("%q is missing from the block %q", want, block)
		}
	}
	return block, nil
}
