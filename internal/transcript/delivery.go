package transcript

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
)

// What became of words that a hook printed.
const (
	Whole   = "whole"
	Cut     = "cut"     // the client put a preview and a file path in its place
	Missing = "missing" // Claude answered without them
	Untold  = "untold"  // Claude answered, and the client does not note what hooks print
)

// Delivered looks in the transcript, after the position from, for what became of words that a hook printed at since:
// Whole, Cut, Missing or Untold; "" while Claude has not answered or goOn has ended the search,
// with the position to go on from. Errors are those of Read; the verdict is then "".
func Delivered(path string, from Position, words string, since time.Time, goOn func() bool) (string, Position, error) {
	verdict, answered := "", false
	want := plain(words)
	next, end, err := follow(path, from, goOn, func(_ int64, line []byte) bool {
		hooked := bytes.Contains(line, []byte(`"hookEvent"`))
		if !hooked && !bytes.Contains(line, []byte(`"assistant"`)) || !jsonx.Valid(line, maxDepth) {
			return true
		}
		v := gjson.ParseBytes(line)
		switch kind := v.Get("type").Str; {
		case v.Get("isSidechain").Bool():
		case kind == "attachment":
			if at := compare(v.Get("attachment.content"), want); at != "" {
				verdict = at
			}
		case kind == "assistant":
			at, err := time.Parse(time.RFC3339, v.Get("timestamp").Str)
			if answered = err == nil && at.After(since); answered && verdict == "" {
				if verdict = Untold; notes(v.Get("version").Str) {
					verdict = Missing
				}
			}
		}
		return verdict != Whole && !answered
	})
	if err == nil && (answered || verdict == Whole) {
		return verdict, next, nil
	}
	if verdict != "" { // a cut one may yet be followed by the whole: it is looked at again
		if !end && err == nil { // not twice where that takes too long
			return verdict, next, nil
		}
		next = from
	}
	return "", next, err
}

// Summary returns the last of the client's own summaries in the transcript after the position from, and the trigger of
// its compaction. ok is false when there is none. It stops early when goOn says so, as it finds none then, or when the
// file cannot be read.
func Summary(path string, from Position, goOn func() bool) (summary, trigger string, ok bool) {
	_, _, _ = follow(path, from, goOn, func(_ int64, line []byte) bool {
		boundary := bytes.Contains(line, []byte(`"compact_boundary"`))
		if !boundary && !bytes.Contains(line, []byte(`"isCompactSummary"`)) || !jsonx.Valid(line, maxDepth) {
			return true
		}
		switch v := gjson.ParseBytes(line); {
		case v.Get("isSidechain").Bool():
		case v.Get("subtype").Str == "compact_boundary":
			trigger = v.Get("compactMetadata.trigger").Str
		case v.Get("isCompactSummary").Bool():
			summary, ok = flat(v.Get("message.content")), true
		}
		return true
	})
	return summary, trigger, ok
}

// compare says how much of the words want a hook's output, as the model got it, holds: all (Whole), no more than
// their beginning (Cut), or none (""). content is a string or a list of strings: a hook's plain output, or its
// additionalContext (measured on client 2.1.329). In place of what is longer than 10,000 characters stands a preview.
func compare(content gjson.Result, want string) string {
	const telling = 100 // bytes of a block that no other text begins with
	beginning := want[:min(len(want), telling)]
	verdict := ""
	each := func(s string) {
		switch s = plain(s); {
		case strings.Contains(s, want):
			verdict = Whole
		case verdict == "" && strings.Contains(s, beginning):
			verdict = Cut
		}
	}
	if content.Type == gjson.String {
		each(content.Str)
	}
	if content.IsArray() {
		content.ForEach(func(_, s gjson.Result) bool { each(s.Str); return true })
	}
	return verdict
}

// notes reports whether a client of this version writes into the transcript what hooks print. The oldest seen to do so
// is 2.1.212; 2.1.74 did not yet.
func notes(version string) bool {
	oldest := [...]int{2, 1, 212}
	parts := strings.Split(version, ".")
	for i, least := range oldest {
		if i >= len(parts) {
			return false
		}
		n, err := strconv.Atoi(parts[i])
		switch {
		case err != nil || n < least:
			return false
		case n > least:
			return true
		}
	}
	return true
}

// plain returns s with every run of white space as one space.
func plain(s string) string { return strings.Join(strings.Fields(s), " ") }
