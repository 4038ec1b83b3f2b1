package hook

import (
	"strings"
	"syscall"
	"testing"

	"github.com/mementohq/memento/internal/safefile"
)

// When first cannot write its note, each hook of the event answers.
func TestFirstUnnoted(t *testing.T) {
	const words = "Fix the checkout, never touch the tax tables."
	w := newWorld(t)
	w.start("startup")
	w.prompt(words)
	w.send(map[string]any{"hook_event_name": "Stop"})
	safefile.TestOnlyFault(func(op, path string) error {
		if op == "write" && strings.HasSuffix(path, "s1.json") {
			return syscall.ENOSPC
		}
		return nil
	})
	defer safefile.TestOnlyFault(nil)
	w.send(map[string]any{"hook_event_name": "PreCompact", "trigger": "auto", "prompt_id": "p2"})
	for _, root := range []string{"", "/plugin"} {
		w.env["CLAUDE_PLUGIN_ROOT"] = root
		if got := w.send(map[string]any{"hook_event_name": "SessionStart", "source": "compact",
			"prompt_id": "p2"}); !strings.Contains(got, words) {
			t.Errorf("on a full disk, the hook with root %q said %q", root, got)
		}
	}
	if got := w.send(map[string]any{"hook_event_name": "SessionStart", "source": "compact", "session_id": 7}); got != "" {
		t.Errorf("to a session without an id the hook said %q", got)
	}
}
