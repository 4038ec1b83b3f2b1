package sentence

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/text"
)

// Begins reports whether s can open a session's mission: a sentence asks for work and names that work. A question, a
// chore ("commit please"), a choice ("ok, let's go with 2") and pasted text open none.
func Begins(s string) bool {
	if !IsSubstantive(s) {
		return false
	}
	if strings.HasPrefix(s, "/") && !strings.Contains(strings.SplitN(s, " ", 2)[0][1:], "/") {
		_, args, _ := strings.Cut(s, " ") // what is done with them is the command's business
		return Begins(strings.TrimSpace(args))
	}
	if isCommandLine(s) {
		return false
	}
	return slices.ContainsFunc(judge(s), func(j judged) bool {
		return j.isWritten() && !onlyAsks(j) && !IsEveryday(j.Text)
	})
}

// onlyAsks reports whether a sentence only wants to know something. "Can you add …?" wants something done.
func onlyAsks(j judged) bool {
	_, words := foldWords(j.Text)
	if verb, ok := requested(words); ok {
		return tellsVerb(verb) || showsVerb(verb)
	}
	for len(words) > 1 && (isOpener(words[0]) || IsChatter(words[0])) {
		words = words[1:]
	}
	if len(words) == 0 {
		return true
	}
	if tellsVerb(words[0]) || showsVerb(words[0]) {
		return true
	}
	return isQuestion(j.Text) || isInverted(words) || wordCue(words[0]) == ask &&
		!text.OneOf(words[0], "is", "are", "am", "will", "would",
			"has",
			"have", "does") ||
		text.OneOf(words[0], "when", "whats", "wheres", "hows", "quando", "qual", "quais", "cuál", "cuándo", "welche",
			"welcher", "welches", "was", "wann", "quel", "quelle", "quand", "où", "qu'est") ||
		j.found&ask != 0 && firstRune(words[0]) > 0x2e80
}

// isInverted reports whether words begin as an English question does that nobody marked: "is it", "does this".
func isInverted(words []string) bool {
	if len(words) < 3 {
		return false
	}
	switch next := words[1]; {
	case text.OneOf(words[0], "do", "have"):
		return text.OneOf(next, "we", "you", "they", "i") // "do it" is a request
	case text.OneOf(words[0], "is", "are", "am", "was", "were", "does", "did", "has", "had", "will", "would"):
		return text.OneOf(next, "it", "this", "that", "there", "these", "those", "we", "you", "they", "i", "he", "she",
			"the", "my", "our", "any")
	}
	return false
}

// maxCommandLine is how many words a command line has at most.
const maxCommandLine = 30

// isCommandLine reports whether s is a line for a shell, typed in the wrong window: a program's name and words without
// grammar, one of them a flag or an assignment. A verb as its first word makes it a request: "add --verbose".
func isCommandLine(s string) bool {
	if strings.Contains(strings.TrimSpace(s), "\n") {
		return false
	}
	words := strings.Fields(s)
	const program = "abcdefghijklmnopqrstuvwxyz0123456789._/~-"
	if len(words) < 2 || len(words) > maxCommandLine || strings.Trim(words[0], program) != "" ||
		wordCue(words[0])&(once|steady) != 0 {
		return false
	}
	marked := false
	for _, w := range words {
		switch name, _, assigns := strings.Cut(w, "="); {
		case len(w) > 1 && w[0] == '-', assigns && name != "" && strings.ToUpper(name) == name:
			marked = true
		case strings.HasSuffix(w, ",") || strings.HasSuffix(w, "?") || strings.HasSuffix(w, ":"),
			text.OneOf(strings.ToLower(w), "the", "a", "an", "in", "to", "and", "of", "for", "with", "is", "are", "but",
				"when", "it", "this", "that", "not", "fails", "does", "der", "die", "das", "und", "mit", "le", "les",
				"et", "avec", "el", "los", "y", "con", "o", "os", "e", "com", "il", "che"):
			return false
		}
	}
	return marked
}

// requested returns the verb of a polite request: "add" for "can you add …".
func requested(words []string) (verb string, ok bool) {
	for i, w := range words[:max(0, len(words)-1)] {
		switch next := words[i+1]; {
		case text.OneOf(w, "can", "could", "would", "will") && text.OneOf(next, "you", "we"),
			text.OneOf(w, "kannst", "könntest", "können", "könnten", "magst") && text.OneOf(next, "du", "wir", "sie"),
			text.OneOf(w, "peux", "pourrais", "pouvez", "pourriez") && text.OneOf(next, "tu", "vous"):
			if verb = next; i+2 < len(words) {
				verb = words[i+2]
			}
			return verb, true
		case text.OneOf(w, "pode", "podes", "poderia", "podemos", "puedes", "podrías", "puede", "peux-tu",
			"pourrais-tu",
			"pouvez-vous", "puoi", "potresti"):
			return next, true
		}
	}
	return "", false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// tellsVerb reports whether w asks to be told something.
func tellsVerb(w string) bool {
	return text.OneOf(w, "explain", "tell", "erkläre", "erklär", "sag", "explica", "explique", "diga", "dime", "dis",
		"spiega")
}

// showsVerb reports whether w asks to be shown something, which may be work.
func showsVerb(w string) bool {
	return text.OneOf(w, "show", "remind", "describe", "summarize", "summarise", "list", "zeig", "zeige", "mostra",
		"mostre",
		"resume", "resuma", "muestra", "montre")
}
