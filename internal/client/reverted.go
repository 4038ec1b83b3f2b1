package client

import (
	"bufio"
	"path/filepath"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/safefile"
)

// When a person goes back in Codex, it begins another rollout of the same session, whose first line says before which
// ordinal it goes on (measured on 0.169.0: `history_base`). The lines of the earlier rollouts stay as they are.

// goesBack returns the ordinal at which the session meta of a rollout goes back in its own session.
func goesBack(meta gjson.Result) (before int64, ok bool) {
	base := meta.Get("history_base")
	return base.Get("end_ordinal_exclusive").Int(), base.Exists() && base.Get("thread_id").Str == meta.Get("id").Str
}

// Reverted returns the ids of the prompts that were taken back when the rollout at path, one of Codex's, was begun.
// goOn ends the reading when it returns false; then Reverted returns nil.
func Reverted(path string, goOn func() bool) map[string]bool {
	var session string
	before := int64(-1)
	eachLine(path, func(line []byte) bool {
		meta := gjson.GetBytes(line, "payload")
		if at, ok := goesBack(meta); ok {
			session, before = meta.Get("id").Str, at
		}
		return false
	})
	gone, done := map[string]bool{}, true
	if before < 0 || session == "" {
		return gone
	}
	for _, earlier := range beside(path, session) {
		eachLine(earlier, func(line []byte) bool {
			if item := gjson.GetBytes(line, "payload.item"); gjson.GetBytes(line, "ordinal").Int() >= before &&
				item.Get("type").Str == "UserMessage" {
				gone[item.Get("id").Str] = true
			}
			done = goOn()
			return done
		})
		if !done {
			return nil
		}
	}
	return gone
}

// beside returns the rollouts of the session that were begun before the one at path; their names begin with a time.
func beside(path, session string) (earlier []string) {
	for _, folder := range [...]string{".", "../../../*/*/*"} { // archived, and by day
		found, _ := filepath.Glob(filepath.Join(filepath.Dir(path), folder, "rollout-*"+session+"*.jsonl"))
		for _, other := range found {
			if filepath.Base(other) < filepath.Base(path) {
				earlier = append(earlier, other)
			}
		}
	}
	return earlier
}

// eachLine calls f with each line of a rollout that may say something, until f returns false.
func eachLine(path string, f func(line []byte) bool) {
	file, err := safefile.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	for lines := bufio.NewReaderSize(file, 64<<10); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil || says(line) && !f(line) {
			return
		}
	}
}
