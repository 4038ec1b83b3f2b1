package transcript

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
)

// The fate of words that a hook printed.
const (
	Whole   = "whole"
	Cut     = "cut"     // the client replaced them by a preview and a file path
	Missing = "missing" // Claude answered without them
	Untold  = "untold"  // Claude answered, and the client does not write the words of hooks into the transcript
)

// Delivered returns the fate of words that a hook printed at since, by the transcript behind the position from: Whole,
// Cut, Missing or Untold, or "" before Claude has answered and when goOn ends the search. It returns the position to go
// on from, too. Its errors are those of Follow.
func Delivered(path string, from Position, words string, since time.Time, goOn func() bool) (string, Position, error) {
	verdict, answered := "", false
	quoted := jsonx.Quote(words)
	// Behind the output of a shell profile the client takes an answer in JSON for text, and gives Claude the JSON
	// (measured on client 2.1.330).
	want := []string{plain(words), plain(quoted[1 : len(quoted)-1])}
	next, end, err := readLines(path, from, goOn, func(_ int64, line []byte) bool {
		hooked := bytes.Contains(line, []byte(`"hookEvent"`))
		if !hooked && !bytes.Contains(line, []byte(`"assistant"`)) {
			return true
		}
		v, _ := jsonx.Parse(line, maxDepth)
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
	if verdict != "" { // the whole words may still follow a preview
		if !end && err == nil { // a second search would take too long again
			return verdict, next, nil
		}
		next = from
	}
	return "", next, err
}

// Summary returns the client's newest summary behind the position from, and what triggered the compaction: manual or
// auto. ok is false for none. It stops early when goOn returns false or the file cannot be read.
func Summary(path string, from Position, goOn func() bool) (summary, trigger string, ok bool) {
	_, _, _ = readLines(path, from, goOn, func(_ int64, line []byte) bool {
		boundary := bytes.Contains(line, []byte(`"compact_boundary"`))
		if !boundary && !bytes.Contains(line, []byte(`"isCompactSummary"`)) {
			return true
		}
		switch v, _ := jsonx.Parse(line, maxDepth); {
		case v.Get("isSidechain").Bool():
		case v.Get("subtype").Str == "compact_boundary":
			trigger = v.Get("compactMetadata.trigger").Str
		case v.Get("isCompactSummary").Bool():
			summary, _, _ = strings.Cut(flat(v.Get("message.content")), summaryEnd)
			ok = true
		}
		return true
	})
	return summary, trigger, ok
}

// summaryEnd begins what the client adds to a summary (measured on clients 2.1.139 and 2.1.330).
const summaryEnd = "\n\nIf you need specific details from before compaction"

// compare returns how much of the words, in one of the forms want, a hook's output holds: all (Whole), only the
// beginning (Cut), or nothing (""). content is a string, a hook's plain output, or a list of strings, its
// additionalContext (measured on client 2.1.329). The client replaces more than 10,000 characters by a preview.
func compare(content gjson.Result, want []string) string {
	const telling = 100 // bytes of a block that no other text begins with
	verdict := ""
	each := func(s string) {
		s = plain(s)
		for _, words := range want {
			switch {
			case strings.Contains(s, words):
				verdict = Whole
			case verdict == "" && strings.Contains(s, words[:min(len(words), telling)]):
				verdict = Cut
			}
		}
	}
	for _, s := range content.Array() { // of a string, that alone
		each(s.Str)
	}
	return verdict
}

// notes reports whether a client of this version writes the output of hooks into the transcript. Client 2.1.212 does,
// 2.1.74 does not; none between them was measured.
func notes(version string) bool {
	var major, minor, patch int
	_, err := fmt.Sscanf(version, "%d.%d.%d", &major, &minor, &patch)
	return err == nil && slices.Compare([]int{major, minor, patch}, []int{2, 1, 212}) >= 0
}

// plain returns s with every run of white space as one space.
func plain(s string) string { return strings.Join(strings.Fields(s), " ") }
