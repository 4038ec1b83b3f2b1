package screen

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

const (
	tab      = 4  // columns of a tab in fitted lines
	farthest = 30 // bytes of a line in which a name may stand, with its words behind two spaces
)

// Columns returns how many columns s takes, without its styles.
func Columns(s string) int {
	if strings.Contains(s, "\x1b") {
		s = strings.NewReplacer(strong, "", quiet, "", alarm, "", off, "").Replace(s)
	}
	return text.Columns(s)
}

// Wrap breaks a line at spaces into lines of at most wide columns. Later lines begin below what the line begins with:
// below the words that two spaces set apart from a name, or below its first word. A word that is too long, such as a
// path, stays whole, so that it can be copied.
func Wrap(line string, wide int) string {
	line = strings.ReplaceAll(line, "\t", strings.Repeat(" ", tab))
	if Columns(line) <= wide {
		return line
	}
	words := strings.TrimLeft(line, " ")
	below := len(line) - len(words)
	if at := strings.LastIndex(line[:min(len(line), farthest)], "  "); at >= below {
		below = Columns(line[:at+2])
	} else if strings.HasPrefix(words, "- ") || strings.HasPrefix(words, "* ") {
		below += 2
	}
	return WrapBelow(line, wide, below)
}

// WrapBelow is Wrap for a line whose later lines begin in the column below. A column beyond half the width is none.
func WrapBelow(line string, wide, below int) string {
	if below > wide/2 {
		below = min(4, wide/4)
	}
	var b strings.Builder
	column, start := 0, 0 // start of the line in b: a mark that joins the words beside it counts in the line alone
	for line != "" {
		word := strings.TrimLeft(line, " ")
		spaces := len(line) - len(word)
		word, _, _ = strings.Cut(word, " ")
		line = line[spaces+len(word):]
		next := strings.Repeat(" ", spaces) + word
		if column > below && word != "" && Columns(b.String()[start:]+next) > wide {
			b.WriteByte('\n')
			start, next = b.Len(), strings.Repeat(" ", below)+word
		}
		b.WriteString(next)
		column = Columns(b.String()[start:])
	}
	return b.String()
}
