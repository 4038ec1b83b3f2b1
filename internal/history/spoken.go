package history

import (
	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/safefile"
)

// maxSpoken is the longest line that Spoken reads, in bytes: a longer message was pasted.
const maxSpoken = 256 << 10

// Spoken calls f with each line of a session's file that is a message of the user's, or says that one was rewound,
// restored, or confirmed by the transcript. What was typed here is there twice, as typed and as said; what another
// machine sent or a backfill took in is only typed; the Ref of what became of its turn is that of the prompt. Errors:
// safefile's.
func Spoken(path string, f func(Line)) error {
	return safefile.Lines(path, maxSpoken, func(raw []byte) bool {
		switch kind := between(raw[:min(len(raw), 80)], `"kind":"`); kind {
		case "said", "typed", "rewound", "restored", "confirmed":
			if jsonx.Valid(raw, maxLineDepth) {
				l := lineOf(gjson.ParseBytes(raw))
				if l.Lane == "" && kind != "typed" {
					for _, e := range log.Decode(raw) {
						l.Ref = e.Of
					}
				}
				if l.By == "" || l.By == byUser {
					f(l)
				}
			}
		}
		return true
	})
}
