package history

import (
	"bytes"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/safefile"
)

// maxSpoken is the longest line that Spoken reads, in bytes: a longer message was pasted.
const maxSpoken = 256 << 10

// Spoken calls f with each entry of a session's file that is a message of the user's, or says that one was rewound or
// restored. Errors: safefile's.
func Spoken(path string, f func(log.Entry)) error {
	var all []log.Entry
	was := map[string]bool{} // the IDs of prompts before the transcript showed them
	err := safefile.Lines(path, maxSpoken, func(raw []byte) bool {
		for _, kind := range [...]string{log.Typed, log.Rewound, log.Restored} {
			if bytes.Contains(raw[:min(len(raw), 100)], []byte(`"kind":"`+kind+`"`)) {
				if e, ok := log.Parse(raw); ok {
					all, was[e.Was] = append(all, e), e.Was != ""
				}
			}
		}
		return true
	})
	for _, e := range all {
		if !was[e.ID] {
			f(e)
		}
	}
	return err
}
