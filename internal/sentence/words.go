package sentence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/text"
)

// foldWords returns s in lower case with spaces in place of punctuation, and the words of s.
func foldWords(s string) (string, []string) {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r <= ' ' || r >= '0' && r <= '9': // most are
			return r
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		}
		// the invisible parts of an emoji
		if unicode.Is(unicode.Variation_Selector, r) || r == '\u200d' || r == '\u20e3' {
			return -1
		}
		if unicode.IsPunct(r) && r != '\'' || unicode.IsSymbol(r) {
			return ' '
		}
		return unicode.ToLower(r)
	}, strings.ReplaceAll(s, "’", "'"))
	words := strings.Fields(clean)
	return strings.Join(words, " "), words
}

// Split splits s at line ends and behind '.', '!', '?' and their full-width forms. Behind the narrow forms white space
// must follow, and the period of "e.g." or "24.12." ends no sentence. Each sentence is a trimmed part of s. Fenced code
// is left out.
func Split(s string) []string {
	var out []string
	var code text.Fence
	for l := range strings.SplitSeq(s, "\n") {
		if code.Has(strings.TrimSpace(l)) {
			continue
		}
		out = append(out, splitLine(l)...)
	}
	return out
}

// SetOf returns the sentences of texts, each as text.Sentence has it. Parts of sentences are left out: a sentence may
// say the opposite of its part.
func SetOf(texts ...string) map[string]bool {
	out := map[string]bool{}
	for _, t := range texts {
		for _, s := range Split(t) {
			out[text.Sentence(s)] = true
		}
	}
	return out
}

// splitLine is Split for one line of prose.
func splitLine(l string) (out []string) {
	start := 0
	for i, r := range l {
		end := 0
		switch r {
		case '.', '!', '?':
			if i+1 < len(l) && (l[i+1] == ' ' || l[i+1] == '\t') && !(r == '.' && isShortened(l[start:i], l[i+1:])) {
				end = i + 1
			}
		case '。', '！', '？':
			end = i + len("。")
		}
		if end > 0 {
			out = appendTrimmed(out, l[start:end])
			start = end
		}
	}
	return appendTrimmed(out, l[start:])
}

// isShortened reports whether the period between before and behind ends an abbreviation or a date, "e.g." or "24.12.",
// and the sentence goes on.
func isShortened(before, behind string) bool {
	parts := strings.Split(before[strings.LastIndexAny(before, " \t(")+1:], ".")
	next := firstRune(strings.TrimSpace(behind))
	return len(parts) > 1 && (unicode.IsLower(next) || unicode.IsDigit(next)) &&
		!slices.ContainsFunc(parts, func(p string) bool { return p == "" || text.Runes(p) > 2 })
}

func appendTrimmed(out []string, s string) []string {
	if s = strings.TrimSpace(s); s != "" {
		return append(out, s)
	}
	return out
}

// MaxLooked is how many bytes of a message are judged. A person types less. The rest is kept, and not judged.
const MaxLooked = 32 << 10

// Ends returns the part of a message that is judged: all of it, or the first and the last 16 KB. A person who pastes a
// text types before it or behind it.
func Ends(message string) string {
	if len(message) <= MaxLooked {
		return message
	}
	const half = MaxLooked / 2
	head, tail := message[:half], message[len(message)-half:]
	head, tail = head[:strings.LastIndexAny(head, "\n ")+1], tail[strings.IndexAny(tail, "\n ")+1:]
	return strings.ToValidUTF8(head, "") + "\n" + strings.ToValidUTF8(tail, "")
}

// isQuestion reports whether a sentence ends as a question does.
func isQuestion(s string) bool { return endsWith(s, "?", "？") }

// leadsOn reports whether a sentence ends with a colon: its content follows.
func leadsOn(s string) bool { return endsWith(s, ":", "：") }

// endsWith reports whether s ends with one of ends. White space and closing marks at the end of s do not count.
func endsWith(s string, ends ...string) bool {
	s = strings.TrimRight(s, " \t\r)'\"*_`")
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(s, end) })
}

// hasAny reports whether one of words is in list.
func hasAny(words []string, list string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return isListed(list, w) })
}

// isListed reports whether w is one of the words of list, which white space separates.
func isListed(list, w string) bool {
	for at := 0; w != ""; {
		i := strings.Index(list[at:], w)
		if i < 0 {
			return false
		}
		begin := at + i
		if at = begin + len(w); (begin == 0 || list[begin-1] <= ' ') && (at == len(list) || list[at] <= ' ') {
			return true
		}
	}
	return false
}

// firstRune returns the first character of s.
func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// maxRun is how many sentences a quotation may span.
const maxRun = 6

// Quoted returns the fewest consecutive sentences that hold words, which are folded, "" for none.
func Quoted(sentences []string, words string) string {
	for n := 1; n <= min(maxRun, len(sentences)); n++ {
		for i := 0; i+n <= len(sentences); i++ {
			if run := strings.Join(sentences[i:i+n], " "); text.Within(text.Fold(run), words) {
				return run
			}
		}
	}
	return ""
}

// isComplete reports whether a sentence has its end: the next one stands for itself.
func isComplete(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?。！？", last) && !strings.HasSuffix(s, "e.g.") && !strings.HasSuffix(s, "i.e.")
}
