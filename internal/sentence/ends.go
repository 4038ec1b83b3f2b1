package sentence

import "strings"

// MaxLooked is how many bytes of a message are judged. A person types less. The rest is kept, and not judged.
const MaxLooked = 2 * maxJudged

// Ends returns the part of a message that is judged: all of it, or the first and the last 32 KB. A person who pastes a
// text types before it or behind it.
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
