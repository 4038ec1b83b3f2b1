package sentence

// maxPointing is how many words a sentence has at most that names nothing itself.
const maxPointing = 14

const (
	pointWords = `that this it so like those these way`
	idleWords  = `hereafter de do done doing make made way ways again like future forward going onwards onward on every
		time now everywhere`
)

// PointsBack reports whether a sentence says what to do by pointing at the sentence before it: "let's not do that
// again", "do it like this from now on". It names nothing itself.
func PointsBack(s string) bool {
	_, words := foldWords(s)
	if len(words) > maxPointing || isQuestion(s) {
		return false
	}
	points := false
	for i, w := range words {
		isPointer := isListed(pointWords, w)
		if !isPointer && !isIdleWord(w) {
			return false
		}
		// "that test" names what it points at
		points = points || isPointer && (i+1 == len(words) || isIdleWord(words[i+1]))
	}
	return points
}

// isIdleWord reports whether a word carries no meaning of its own in a rule that points back.
func isIdleWord(w string) bool { return isFiller(w) || wordCue(w) != 0 || isListed(idleWords, w) }
