package text

import "strings"

// EndMarks are what a sentence may end with and stay the same statement.
const EndMarks = ".!,; "

// Sentence returns words as Holds looks for them.
func Sentence(words string) string {
	return strings.TrimRight(FoldLines(strings.TrimSuffix(words, Ellipsis)), EndMarks)
}
