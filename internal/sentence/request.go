package sentence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// Request returns the part of a message that is quoted as a request: all that was typed or, where much comes before the
// request, the request and what follows. It is "" when the message asks for no work.
func Request(message string, limit int) string {
	part := TypedPart(message)
	if strings.HasPrefix(part, "/") && strings.IndexByte(part, ' ') > strings.LastIndexByte(part, '/') {
		return part // a command of the person's own, with what it is for
	}
	at := 0
	all := judge(part)
	if len(all) > 1 && all[0].isTyped() && all[0].open && len(all[0].words) > 2 && all[1].isWritten() {
		return part // what it hands on is to be dealt with
	}
	for _, s := range all {
		i := strings.Index(part[at:], s.Text)
		if i < 0 {
			continue
		}
		at += i
		if !s.requests() {
			continue
		}
		if text.Runes(part[:at]) > limit/2 {
			return part[at:]
		}
		return part
	}
	return ""
}

// requests reports whether a sentence asks for work.
func (s judged) requests() bool {
	// "what is it for, and drop it from the docs"
	if _, behind, ok := strings.Cut(s.Text, ", and "); ok && s.isTyped() && !isChore(behind) &&
		mayBeOrder(readCues(behind).words) {
		return true
	}
	if !s.isTyped() || isChore(s.Text) || namesNoTask(s.Text) && !s.open || s.isTalk() {
		return false
	}
	switch {
	case s.found&(once|wish|polite) != 0, proposes(s.words):
		return true
	case s.found&(ask|negation|strict) != 0, s.Weight >= RuleWeight: // a rule is no work in hand
		return has(s.words, "ensure")
	}
	return s.found&modal != 0 || has(s.words, "need", "preciso", "necesito") ||
		s.found&(report|gone|doubt|fact) == 0 && mayBeOrder(s.words) || foreignScript(s.Text)
}

// mayBeOrder reports whether words may be an order, which opens with a verb. Words that say that something is so are
// none.
func mayBeOrder(words []string) bool {
	for len(words) > 0 && (wordCue(words[0])&link != 0 || text.OneOf(words[0], "first", "next", "again", "no")) {
		words = words[1:]
	}
	return len(words) > 2 && wordCue(words[0])&^(once|steady) == 0 &&
		!has(words, "is", "are", "isn't", "aren't", "i", "i'm", "we", "we're", "it's", "that's", "you", "é", "está",
			"estão", "es", "están", "ist", "sind", "est", "sont") &&
		!text.OneOf(words[0], "the", "a", "an", "it", "its", "this", "that", "these", "those", "there", "here", "if",
			"when",
			"because", "with", "for", "in", "on", "at", "to", "of", "from", "by", "as", "o", "a", "os", "as", "el",
			"la", "los", "las", "der", "die", "das", "le", "les", "option")
}

// proposes reports whether words begin with a call to do something together.
func proposes(words []string) bool {
	for len(words) > 0 && wordCue(words[0])&link != 0 {
		words = words[1:]
	}
	return len(words) > 3 && text.OneOf(words[0], "let's", "lets", "vamos") &&
		!text.OneOf(words[1], "see", "wait", "talk", "move", "discuss", "go", "ver", "stop")
}

// manyWords is how many words make a polite question a piece of work, even one that asks for an explanation.
const manyWords = 8

// isTalk reports whether a sentence wants something told, not done.
func (s judged) isTalk() bool {
	words := s.words
	for len(words) > 0 && (text.OneOf(words[0], "can", "could", "would", "you", "pode", "puedes", "kannst", "du", "me",
		"i",
		"want", "to") || wordCue(words[0])&(link|polite) != 0) {
		words = words[1:]
	}
	if len(words) == 0 {
		return true
	}
	if s.found&polite != 0 && len(s.words) >= manyWords {
		return false
	}
	return wordCue(words[0]) == ask || tellsVerb(words[0]) ||
		text.OneOf(words[0], "do", "did", "was", "were", "forget", "por", "qual")
}

// foreignScript reports whether words are in a script whose orders need not begin with a verb, and are long enough to
// name something.
func foreignScript(words string) bool {
	n := 0
	for _, r := range words {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Arabic,
			unicode.Hebrew, unicode.Thai, unicode.Devanagari) {
			n++
		}
	}
	return n >= 8
}

// isLarge reports whether a message says as much as eight words do. Five characters count as a word in scripts that put
// no space between words.
func isLarge(message string) bool {
	const large, each = 8, 5
	n := 0
	for w := range strings.FieldsSeq(message) {
		glyphs := 0
		for _, r := range w {
			if isUnspaced(r) {
				glyphs++
			}
		}
		if n += max(each, glyphs); n >= large*each {
			return true
		}
	}
	return false
}

// Directs reports whether a message says at some length what to work on: it asks for work, or tells what the work is
// about. Rules, questions and what points at an earlier request without naming anything do not.
func Directs(message string) bool {
	return isLarge(message) && slices.ContainsFunc(judge(message), func(s judged) bool {
		return s.isTyped() && (len(s.words) > 3 || isLarge(s.Text)) && !IsChatter(s.Text) && !namesNoTask(s.Text) &&
			(s.requests() || s.Weight < RuleWeight && !s.isAsked() && !isQuestion(s.Text))
	})
}

// IsKeepsake reports whether words are one sentence that asks for something to be remembered, and for nothing to be
// done.
func IsKeepsake(words string) bool {
	all := Split(words)
	if len(all) != 1 || strings.ContainsAny(all[0], "?？") {
		return false
	}
	_, ok := remembered(all[0])
	return ok
}
