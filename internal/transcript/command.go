package transcript

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// TypedCommand reports whether the user has just typed this command in the session's shell mode, as in `! memento
// rules`. Such a command has the environment of Claude's own, but what is typed goes into the client's history.jsonl,
// in clientDir, before its shell starts (measured on clients 2.1.139 and 2.1.330, 6 of 6 times each; 2.1.9 tells its
// shell no session id). The words must be the command's, quotes and white space aside: the session's newest line stays
// while Claude works on.
func TypedCommand(clientDir, session, command string, now time.Time) bool {
	var newest gjson.Result
	_ = tail(filepath.Join(clientDir, "history.jsonl"), 64<<10, func(line gjson.Result) {
		if line.Get("sessionId").Str == session {
			newest = line
		}
	})
	ago := now.Sub(time.UnixMilli(newest.Get("timestamp").Int())).Abs()
	words, shell := strings.CutPrefix(newest.Get("display").Str, "!")
	_, rest, ok := strings.Cut(bare(words), bare(command))
	return ago <= time.Minute && shell && ok && (rest == "" || strings.ContainsRune(";&|)<>", rune(rest[0])))
}

// bare returns s without white space and a shell's quotes.
func bare(s string) string {
	return strings.NewReplacer(" ", "", "\t", "", "\n", "", "'", "", `"`, "", `\`, "").Replace(s)
}
