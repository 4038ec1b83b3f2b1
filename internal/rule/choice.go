package rule

import (
	"strconv"
	"strings"
)

// Choice is what Claude answered about statements that it was shown with their numbers.
type Choice struct {
	Keep []int    // hold on in later sessions
	Over [][2]int // the first says what the second, a later one, replaced
}

// maxChosen is how many numbers an answer may name. No ask shows so many statements.
const maxChosen = 64

// ReadChoice reads the last line of the client's summary, where the brief asks for an answer: "memento: keep 3, 7; over
// 2 by 7", or "memento: none". ok is false for any other line: what stands further up may be a quotation. Which numbers
// were offered is for Offer to know.
func ReadChoice(summary string) (c Choice, ok bool) {
	summary = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(summary), "</summary>"))
	line := strings.ToLower(strings.Trim(summary[strings.LastIndexByte(summary, '\n')+1:], "`*_ \t.-"))
	line, ok = strings.CutPrefix(line, "memento:")
	if !ok {
		return Choice{}, false
	}
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return r == ';' }) {
		words := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(" ,\t`*.#", r) })
		switch {
		case len(words) == 0, words[0] == "none":
		case words[0] == "keep":
			for _, w := range words[1:] {
				if n, err := strconv.Atoi(w); err == nil && len(c.Keep) < maxChosen {
					c.Keep = append(c.Keep, n)
				}
			}
		case words[0] == "over":
			for i := 1; i+2 < len(words) && len(c.Over) < maxChosen; i++ { // also "over 2 by 7, 3 by 7"
				older, one := strconv.Atoi(words[i])
				newer, two := strconv.Atoi(words[i+2])
				if words[i+1] == "by" && one == nil && two == nil {
					c.Over, i = append(c.Over, [2]int{older, newer}), i+2
				}
			}
		default:
			return Choice{}, false
		}
	}
	return c, true
}
