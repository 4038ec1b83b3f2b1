package client

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

// When a person goes back in Codex, it begins another rollout of the same session, whose first line says before which
// ordinal it goes on (measured on 0.169.0: `history_base`). The lines of the earlier rollouts stay as they are.

// goesBack returns the ordinal at which the session meta of a rollout goes back in its own session.
func goesBack(meta gjson.Result) (before string, ok bool) {
	base := meta.Get("history_base")
	at := base.Get("end_ordinal_exclusive")
	return at.Raw, at.Type == gjson.Number && base.Get("thread_id").Str == meta.Get("id").Str
}

// Earlier returns the rollouts of the session that were begun before the one at path; their names begin with a time.
func Earlier(path, session string) (earlier []string) {
	if session == "" {
		return nil
	}
	for folder, pattern := range map[string]string{".": "rollout-*.jsonl", "../../..": "*/*/*/rollout-*.jsonl"} {
		dir := filepath.Join(filepath.Dir(path), filepath.FromSlash(folder)) // archived, or by day
		found, _ := fs.Glob(os.DirFS(dir), pattern)
		for _, name := range found {
			other := filepath.Join(dir, filepath.FromSlash(name))
			if base := filepath.Base(other); strings.Contains(base, session) && base < filepath.Base(path) {
				earlier = append(earlier, other)
			}
		}
	}
	return earlier
}
