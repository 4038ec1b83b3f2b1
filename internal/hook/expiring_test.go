package hook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// TestExpiring: transcripts that the client deletes soon are named once, on one line a day.
func TestExpiring(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	folder := filepath.Join(w.home, ".claude", "projects", "-shop")
	put := func(session string, days int) {
		t.Helper()
		path := filepath.Join(folder, session+".jsonl")
		fixture.Write(t, path, `{"type":"user","uuid":"u-`+session+`","message":{"role":"user","content":"Mend it."}}`+
			"\n")
		at := w.now.AddDate(0, 0, -days)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	session := 0
	told := func(day, want int) {
		t.Helper()
		session++
		id := "s" + string(rune('0'+session))
		w.now = time.Date(2026, 3, 14+day, 10, session, 0, 0, time.UTC)
		w.send(map[string]any{"hook_event_name": "SessionStart", "source": "startup", "session_id": id,
			"transcript_path": filepath.Join(folder, id+".jsonl")})
		if got := strings.Count(w.message, "\n") + 1; w.message != "" && got != 1 {
			t.Errorf("day %d: %q", day, w.message)
		}
		if is := strings.Contains(w.message, "Claude Code deletes "+string(rune('0'+want))+
			" transcript"); is != (want > 0) {
			t.Errorf("day %d says %q, want %d transcripts", day, w.message, want)
		}
	}
	w.now = time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)
	put("young", 21)
	told(0, 0)
	told(3, 1)
	put("second", 29)
	told(3, 0) // a line a day
	told(4, 1) // not the first one again
	told(5, 0)
	put("third", 29)
	told(5, 0) // the folder was looked into on this day
	told(6, 1)
}
