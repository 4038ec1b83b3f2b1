package transcript

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestReverted: the prompts at and behind the ordinal at which a rollout goes back in its session are taken back, in
// all earlier rollouts of that session, and none when the reading is ended.
func TestReverted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sessions", "2026", "11", "13")
	put := func(name, base string, prompts ...string) string {
		words := `{"ordinal":0,"type":"session_meta","payload":{"id":"s1"` + base + "}}\n"
		for i, id := range prompts {
			words += fmt.Sprintf(`{"ordinal":%d,"type":"event_msg","payload":{"type":"item_completed","item":`+
				`{"type":"UserMessage","id":%q,"content":[{"type":"text","text":"x"}]}}}`+"\n", 5*(i+1), id)
		}
		path := filepath.Join(dir, name)
		fixture.Write(t, path, words)
		return path
	}
	back := func(session string, before int) string {
		return fmt.Sprintf(`,"history_base":{"thread_id":%q,"end_ordinal_exclusive":%d}`, session, before)
	}
	first := put("rollout-2026-11-13T09-00-00-s1.jsonl", "", "p5", "p10", "p15")
	put("rollout-2026-11-13T09-00-00-s2.jsonl", "", "q5", "q10")
	gone := put("rollout-2026-11-13T10-00-00-s1_b.jsonl", back("s1", 10), "r5")
	fork := put("rollout-2026-11-13T11-00-00-s1_c.jsonl", back("s0", 1))
	if got := Left(gone, 1<<20, nil); len(got) != 2 || !got["p10"] || !got["p15"] {
		t.Error(got)
	}
	put("rollout-2026-11-13T09-30-00-s1_a.jsonl", "", make([]string, 2000)...)
	if got := Left(gone, 1<<20, func() bool { return false }); got != nil {
		t.Error(len(got))
	}
	for _, path := range []string{first, fork} {
		if got := Left(path, 1<<20, nil); got == nil || len(got) > 0 {
			t.Error(path, got)
		}
	}
}
