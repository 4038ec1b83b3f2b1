package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// stand returns what memento status says of the last block.
func (w *world) stand() string {
	w.t.Helper()
	var status struct{ Delivery string }
	if out := w.shell(memento(), "status", "--json"); json.Unmarshal([]byte(out), &status) != nil {
		w.t.Fatalf("status is no JSON: %s", out)
	}
	return status.Delivery
}

// TestDelivery puts something between memento and the model: after the first compaction the block is lost, after the
// second the client replaces it by a preview. Each time the second prompt after it brings the block again, once.
func TestDelivery(t *testing.T) {
	onUnix(t)
	w := newWorld(t)
	between := filepath.Join(filepath.Dir(w.home), "between")
	script := `#!/bin/sh
in=$(cat)
out=$(printf %s "$in" | MEMENTO_NOTIFY=never '` + memento() + `' hook) # plain text, which can be cut
case $in in
*'"source":"compact"'*)
	echo x >>"$HOME/compactions"
	[ "$(wc -l <"$HOME/compactions")" -eq 1 ] && exit
	printf '%1700s\n' . | tr ' ' '.' # the preview is of the lines in the first 2 KB
	printf '%s\n' "$out"
	printf '%12000s\n' . | tr ' ' '.'
	;;
*) printf '%s\n' "$out" ;;
esac
`
	if err := os.WriteFile(between, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(command string, args ...string) []object {
		return []object{{"hooks": []object{{"type": "command", "command": command, "args": append([]string{}, args...),
			"timeout": 5}}}}
	}
	hooks := object{"SessionStart": run(between)}
	for _, event := range []string{"UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"} {
		hooks[event] = run(memento(), "hook")
	}
	settings, err := json.Marshal(object{"hooks": hooks})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(w.home, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, filepath.Join(w.home, ".claude", "settings.json"), string(settings))
	r := w.bare(Session{Prompts: []string{mission, "/compact", "Go on.",
		"Before you go on, write down which of the three callers of Refresh pass the expiry in local time, and which in UTC.", "/compact", "Go on with the tests.", "And now?", "Thanks."}})
	main := r.Of(Main)
	if len(main) != 6 {
		t.Fatalf("%d requests of the main model, not 6", len(main))
	}
	said := r.Said("UserPromptSubmit")
	if len(said) != 6 {
		t.Fatalf("%d UserPromptSubmit hooks, not 6: %q", len(said), said)
	}
	never(t, "the request after the first compaction", main[1].Text(), "[MEMENTO] Mission: ")
	want(t, "what stands beside the next prompt", said[2], "[MEMENTO] Mission: "+mission, "did not reach Claude")
	want(t, "its request", main[2].Tail(), said[2])
	want(t, "the request after the second compaction", main[3].Text(), "Output too large")
	want(t, "what stands beside the next prompt", said[4], "[MEMENTO] Mission: "+mission, "cut short")
	want(t, "its request", main[4].Tail(), said[4])
	never(t, "what stands beside the prompt after that", said[5], "[MEMENTO] Mission: ")
	if got := w.stand(); got != "whole" {
		t.Errorf("in the end delivery is %q", got)
	}
}
