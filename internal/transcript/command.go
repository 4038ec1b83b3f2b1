package transcript

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/safefile"
)

// TypedCommand reports whether the user has just typed this command in the session's shell mode, as in `! memento
// rules`. Such a command has the environment of Claude's own, but what is typed goes into the client's history.jsonl,
// in clientDir, before its shell starts (measured on clients 2.1.139 and 2.1.330, 6 of 6 times each; 2.1.9 tells its
// shell no session id). The words must be the command's, quotes and white space aside: the session's newest line stays
// while Claude works on.
func TypedCommand(clientDir, session, command string, now time.Time) bool {
	tail, err := readTail(filepath.Join(clientDir, "history.jsonl"), 64<<10)
	if err != nil {
		return false
	}
	lines := strings.Split(tail, "\n")
	for _, line := range slices.Backward(lines) {
		if gjson.Get(line, "sessionId").Str != session {
			continue
		}
		ago := now.Sub(time.UnixMilli(gjson.Get(line, "timestamp").Int())).Abs()
		words, shell := strings.CutPrefix(gjson.Get(line, "display").Str, "!")
		_, rest, ok := strings.Cut(bare(words), bare(command))
		return ago <= time.Minute && shell && ok && (rest == "" || strings.ContainsRune(";&|)<>", rune(rest[0])))
	}
	return false
}

// bare returns s without white space and a shell's quotes.
func bare(s string) string {
	return strings.NewReplacer(" ", "", "\t", "", "\n", "", "'", "", `"`, "", `\`, "").Replace(s)
}

// readTail returns the last max bytes of a file.
func readTail(path string, max int64) (string, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.NewSectionReader(f, info.Size()-min(info.Size(), max), max))
	return string(data), err
}
