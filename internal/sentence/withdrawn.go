package sentence

import (
	"slices"
	"strings"
	"unicode"
)

// isWithdrawn reports whether s takes back what it says: "Actually no, forget that."
func isWithdrawn(s string) bool {
	for seg := range strings.FieldsFuncSeq(strings.ToLower(strings.ReplaceAll(s, "’", "'")),
		func(r rune) bool { return strings.ContainsRune(".,;!?\n—–-…。，！", r) }) {
		seg = strings.Join(strings.Fields(seg), " ")
		for again := true; again; {
			again = false
			for _, lead := range [...]string{"actually ", "no ", "oh ", "wait ", "sorry ", "ok ", "please ", "but ",
				"and ", "hm ", "hmm ", "well ", "just "} {
				if cut, ok := strings.CutPrefix(seg, lead); ok {
					seg, again = cut, true
				}
			}
		}
		switch strings.TrimSuffix(seg, " again") {
		case "forget that", "forget it", "forget about it", "forget about that", "forget what i said", "never mind",
			"nevermind", "nvm", "scratch that", "strike that", "ignore that", "disregard that", "don't remember that",
			"do not remember that", "forget the last one":
			return true
		}
	}
	return false
}

// announcesText reports whether line, the words before a sentence on the same line, announces a text to work on: "Put
// this into the README: hello."
func announcesText(line string) bool {
	for {
		i := strings.LastIndexAny(line, ":：")
		if i < 0 {
			return false
		}
		colon := line[i:]
		line = line[:i]
		if strings.HasPrefix(colon, ":") && len(colon) > 1 && colon[1] != ' ' { // an address, a time
			continue
		}
		words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool {
			return !unicode.IsLetter(r) &&
				r != '\''
		})
		if slices.ContainsFunc(words, speaksOfWords) {
			return true
		}
	}
}

// speaksOfWords reports whether w is a word for speech or text: "says", "caption".
func speaksOfWords(w string) bool {
	switch w {
	case "sentence", "sentences", "text", "line", "paragraph", "wording", "copy", "caption", "says", "said", "say",
		"write", "writes", "wrote", "written", "quote", "quotes", "translate", "readme", "tooltip", "banner", "mail",
		"email", "message", "comment", "following":
		return true
	}
	return false
}
