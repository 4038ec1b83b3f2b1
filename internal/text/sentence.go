package text

import "strings"

// EndMarks are the marks that may end a sentence without changing its statement.
const EndMarks = ".!,; "

// Sentence returns words in the form that Holds needs.
func Sentence(words string) string {
	return strings.TrimRight(FoldLines(strings.TrimSuffix(words, Ellipsis)), EndMarks)
}
