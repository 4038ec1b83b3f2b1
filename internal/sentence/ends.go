package sentence

import "strings"

// MaxLooked is how much of a message is looked at, in bytes: more than a person can have typed. What it says beyond
// that is kept and not judged.
const MaxLooked = 2 * maxJudged

// Ends returns what is looked at of a message of any length, at most 64 KB: what a person types stands at its two ends.
func Ends(message string) string {
	if len(message) <= MaxLooked {
		return message
	}
	const half = MaxLooked / 2
	head, tail := message[:half], message[len(message)-half:]
	if i := strings.LastIndexAny(head, "\n "); i >= 0 {
		head = head[:i]
	}
	if i := strings.IndexAny(tail, "\n "); i >= 0 {
		tail = tail[i+1:]
	}
	return strings.ToValidUTF8(head, "") + "\n" + strings.ToValidUTF8(tail, "")
}
