package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// rehearse plays a session in a scratch folder in the folder in ("": the system's temporary one), through the same hooks and commands the client and Claude use, up to
// and through a compaction, and returns the block that comes back. The folder is removed again.
func rehearse(real Streams, in string) (string, error) {
	scratch, remove, err := safefile.Scratch(in)
	if err != nil {
		return "", err
	}
	defer remove()
	project := filepath.Join(scratch, "shop")
	transcript := filepath.Join(scratch, "transcript.jsonl")
	if err := safefile.Dir(project); err != nil {
		return "", err
	}
	const id = "rehearsal"
	env := map[string]string{"HOME": scratch, "CLAUDE_CONFIG_DIR": filepath.Join(scratch, ".claude"), "USER": "you", "CLAUDE_CODE_SESSION_ID": id}
	s := Streams{Getenv: func(k string) string { return env[k] }, Dir: project, Exe: real.Exe, Now: real.Now}
	event := func(fields string) string {
		var out bytes.Buffer
		in := fmt.Sprintf(`{"session_id":%q,"transcript_path":%s,"cwd":%s,%s}`, id, quote(transcript), quote(project), fields)
		s.hook(strings.NewReader(in), &out, real.Windows)
		return out.String()
	}
	prompts := []string{
		"Fix the login: sessions expire after a minute. Don't change the token format.",
		"Deploy to staging only, production is frozen until Monday.",
	}
	event(`"hook_event_name":"SessionStart","source":"startup"`)
	var lines strings.Builder
	for i, p := range prompts {
		event(`"hook_event_name":"UserPromptSubmit","prompt":` + quote(p))
		fmt.Fprintf(&lines, `{"type":"user","uuid":"u%d","timestamp":%q,"message":{"role":"user","content":%s}}`+"\n", i, s.Now().UTC().Format(time.RFC3339Nano), quote(p))
		if err := safefile.Replace(transcript, []byte(lines.String()), 0o600); err != nil {
			return "", err
		}
	}
	var said bytes.Buffer
	s.Out, s.Err = &said, &said
	args := []string{"done", "fix session expiry", "--result", "cookie lifetime 24 h, 14 tests pass", "--ctx", "user: sessions expire after a minute", "--wip", "deploy to staging -- build passed, uploading", "--plan", "watch the error rate for an hour"}
	if code := Main(args, s); code != exitOK {
		return "", fmt.Errorf("memento done ended with %d: %s", code, strings.TrimSpace(said.String()))
	}
	if brief := event(`"hook_event_name":"PreCompact","trigger":"auto"`); !strings.Contains(brief, "token format") {
		return "", fmt.Errorf("the summariser was not told the user's constraint")
	}
	block := strings.TrimSpace(event(`"hook_event_name":"SessionStart","source":"compact"`))
	for _, want := range []string{"Fix the login", "staging only", "deploy to staging", "watch the error rate"} {
		if !strings.Contains(block, want) {
			return "", fmt.Errorf("%q is missing from the block %q", want, block)
		}
	}
	return block, nil
}
