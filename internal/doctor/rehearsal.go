package doctor

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
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
	block, err := rehearse(env, in)
	if err != nil {
		hint := cmp.Or(safefile.Step(err), "a bug report with this output helps")
		return Finding{Bad, "the rehearsal failed: " + err.Error(), hint}, ""
	}
	return Finding{State: OK, What: "rehearsal: a session was compacted and got its block back"}, block
}

// scene is the session of a rehearsal.
type scene struct {
	Env
	project, transcript string
	vars                map[string]string
}

func rehearse(env Env, in string) (string, error) {
	scratch, remove, err := safefile.Scratch(in)
	if err != nil {
		return "", err
	}
	defer remove()
	s := scene{Env: env, project: filepath.Join(scratch, "shop"),
		transcript: filepath.Join(scratch, "transcript.jsonl")}
	s.vars = map[string]string{
		"HOME": scratch, "CLAUDE_CONFIG_DIR": filepath.Join(scratch, ".claude"), "USER": "you",
		"CLAUDE_CODE_SESSION_ID": "rehearsal",
	}
	if err := safefile.Dir(s.project); err != nil {
		return "", err
	}
	if err := s.prompts(
		"Fix the login: sessions expire after a minute. Don't change the token format.",
		"Deploy to staging only, production is frozen until Monday.",
	); err != nil {
		return "", err
	}
	if out, code := s.run("", "done", "fix session expiry", "--result", "cookie lifetime 24 h, 14 tests pass",
		"--ctx", "user: sessions expire after a minute", "--wip", "deploy to staging -- build passed, uploading",
		"--plan", "watch the error rate for an hour"); code != 0 {
		return "", fmt.Errorf("memento done ended with %d: %s", code, strings.TrimSpace(out))
	}
	brief := s.event(map[string]string{"hook_event_name": "PreCompact", "trigger": "auto"})
	if !strings.Contains(brief, "token format") {
		return "", errors.New("the summariser was not told the user's constraint")
	}
	block := strings.TrimSpace(s.event(map[string]string{"hook_event_name": "SessionStart", "source": "compact"}))
	for _, want := range []string{"Fix the login", "staging only", "deploy to staging", "watch the error rate"} {
		if !strings.Contains(block, want) {
			return "", fmt.Errorf("%q is missing from the block %q", want, block)
		}
	}
	return block, nil
}

// prompts begins the session and types the prompts.
func (s scene) prompts(prompts ...string) error {
	s.event(map[string]string{"hook_event_name": "SessionStart", "source": "startup"})
	var lines bytes.Buffer
	for i, p := range prompts {
		s.event(map[string]string{"hook_event_name": "UserPromptSubmit", "prompt": p})
		line, err := json.Marshal(map[string]any{
			"type": "user", "uuid": fmt.Sprintf("u%d", i), "timestamp": s.Now().UTC().Format(time.RFC3339Nano),
			"message": map[string]string{"role": "user", "content": p},
		})
		if err != nil {
			return err
		}
		lines.Write(append(line, '\n'))
		if err := safefile.Replace(s.transcript, lines.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// event sends an event to the hook and returns what Claude gets of the answer.
func (s scene) event(fields map[string]string) string {
	fields["session_id"], fields["transcript_path"], fields["cwd"] = s.vars["CLAUDE_CODE_SESSION_ID"], s.transcript,
		s.project
	in, err := json.Marshal(fields)
	if err != nil {
		return ""
	}
	out, _ := s.run(string(in), "hook")
	if words := gjson.Get(out, "hookSpecificOutput.additionalContext"); words.Exists() { // the person gets a line, too
		return words.String()
	}
	return out
}

// run runs memento with args and returns its output and exit code.
func (s scene) run(in string, args ...string) (string, int) {
	var out bytes.Buffer
	code := s.Run(args, s.project, func(name string) string { return s.vars[name] }, strings.NewReader(in), &out)
	return out.String(), code
}
