package sentence

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/text"
)

// Quotations returns what summary, the client's own of a session, puts between quotation marks as words of the user:
// behind a word for the user in the same clause, or at the head of an item in a list whose heading names the user. What
// is shorter than a short sentence may be the name of a button, and is left out. So is fenced code, and what follows
// maxQuotations.
func Quotations(summary string) (out []string) {
	if _, rest, ok := strings.Cut(summary, "<summary>"); ok {
		summary = rest
	} else if _, rest, ok := strings.Cut(summary, "\nSummary:\n"); ok {
		summary = rest
	}
	listed, seen := false, map[string]bool{}
	var code text.Fence
	for line := range strings.Lines(summary) {
		if line = strings.TrimSpace(line); code.Has(line) {
			continue
		}
		if isHeading(line) {
			listed = userSpeaks(line)
			continue
		}
		item := strings.TrimLeft(line, "-*•>0123456789.) ")
		user := false           // the quotation before this one was the user's
		open := map[rune]bool{} // the marks that no mark closes any more
		for at := len(line) - len(item); at < len(line); {
			begin, end, next := quotation(line, at, open)
			if next < 0 {
				break
			}
			head := begin - 1
			for head > 0 && !utf8.RuneStart(line[head]) {
				head--
			}
			before, first := line[at:head], head == len(line)-len(item)
			switch {
			case first:
				user = listed
			case strings.IndexFunc(before, unicode.IsLetter) < 0:
			default:
				user = attributes(before)
			}
			if words := line[begin:end]; user && !seen[words] && isPhrase(words) {
				if out = append(out, words); len(out) == maxQuotations {
					return out
				}
				seen[words] = true
			}
			at = next
		}
	}
	return out
}

// maxQuotations is how many quotations of a summary are looked at. Real summaries have some ten.
const maxQuotations = 256

// isHeading reports whether line stands above a list: it ends with a colon, is bold, or begins as a Markdown heading.
func isHeading(line string) bool {
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**") &&
		!strings.ContainsAny(line, `"“「`) {
		return true
	}
	line = strings.TrimRight(line, "* ")
	return endsWith(line, ":", "：") && !strings.ContainsAny(line, `"“「`)
}

// closingMarks returns the marks that close a quotation which mark opens, "" for one that opens none.
func closingMarks(mark rune) string {
	switch mark {
	case '"':
		return `"`
	case '“':
		return "”"
	case '„':
		return "“”"
	case '«':
		return "»"
	case '「':
		return "」"
	case '『':
		return "』"
	case '《':
		return "》"
	}
	return ""
}

// quotation returns where the first quotation in line[at:] begins and ends, and what stands behind it begins. A
// straight mark opens a quotation only in front of a word, and closes one only behind a word: there may be others
// within. One with a space on either side may do both, so that nothing behind it is sure. next is -1 without a
// quotation. quotation notes in open the marks that no mark closes up to the line's end.
func quotation(line string, at int, open map[rune]bool) (begin, end, next int) {
	for i, mark := range line[at:] {
		closing := closingMarks(mark)
		begin = at + i + utf8.RuneLen(mark)
		if closing == "" || open[mark] || mark == '"' && (begin == len(line) || line[begin] == ' ' ||
			at+i > 0 && isWordByte(line[at+i-1])) {
			continue
		}
		for j, r := range line[begin:] {
			end, next = begin+j, begin+j+utf8.RuneLen(r)
			if !strings.ContainsRune(closing, r) {
				continue
			}
			if mark == '"' && line[end-1] == ' ' && (next == len(line) || line[next] == ' ') {
				return 0, 0, -1
			}
			if mark == '"' && (j == 0 || line[end-1] == ' ' || next < len(line) && isWordByte(line[next])) {
				continue
			}
			return begin, end, next
		}
		open[mark] = true
	}
	return 0, 0, -1
}

func isWordByte(b byte) bool {
	return b >= utf8.RuneSelf || unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b))
}

// maxLead is how far behind the word for the user a quotation of theirs begins, in bytes.
const maxLead = 48

// attributes reports whether before, which stands before a quotation, says that the user speaks: a word for the user,
// and behind it nothing that begins another clause.
func attributes(before string) bool {
	at := userWord(before)
	if at < 0 || !userSpeaks(before) {
		return false
	}
	clause := before[at:]
	return len(clause) <= maxLead && !strings.ContainsAny(clause, ".;()`—–。；") && !strings.Contains(clause, " - ")
}

// userSpeaks reports whether the last word for the user in s names a person who may speak: not one who is told or shown
// something, and not a thing of theirs.
func userSpeaks(s string) bool {
	at := userWord(s)
	if at < 0 {
		return false
	}
	before := strings.Fields(strings.ToLower(s[:at]))
	before = before[:len(before)-1]
	if n := len(before); n > 0 && text.OneOf(before[n-1], "the", "a", "our") {
		before = before[:n-1]
	}
	if n := len(before); n > 0 && text.OneOf(before[n-1], "to", "for", "tell", "tells", "told", "telling", "ask",
		"asks",
		"asked", "asking", "show", "shows", "showed", "showing", "inform", "informed", "notify", "notified", "remind",
		"reminded", "gave", "give", "gives", "sent", "answered") {
		return false
	}
	behind, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(s[at:])), " ")
	return !text.OneOf(strings.Trim(behind, "*:,."), "sees", "saw", "see", "gets", "got", "receives", "received",
		"clicks", "clicked", "agent", "interface", "story", "stories", "guide", "manual", "table", "model", "profile")
}

// userWords are the words for a user in the languages that a summary may be written in.
var userWords = [...]string{"user", "usuario", "usuária", "usuário", "utilisateur", "utilizador", "benutzer", "nutzer",
	"anwender", "utente", "gebruiker", "użytkownik", "пользовател", "kullanıcı", "người dùng", "المستخدم", "ユーザ", "用户",
	"用戶", "使用者", "사용자"}

// userWord returns where the last word for the user in s ends, -1 without one. "users" and "user_id" are none.
func userWord(s string) int {
	low, last := strings.ToLower(s), -1
	if len(low) != len(s) {
		low = s
	}
	for _, w := range userWords {
		for from := 0; ; {
			i := strings.Index(low[from:], w)
			if i < 0 {
				break
			}
			i += from
			from = i + len(w)
			if w == "user" && (i > 0 && joinsName(low[i-1]) || from < len(low) && joinsName(low[from])) {
				continue
			}
			last = max(last, from)
		}
	}
	return last
}

// joinsName reports whether b goes on with a name of a program's rather than with a word's end.
func joinsName(b byte) bool { return b == '_' || b == '-' || b == '/' || b == '.' || isWordByte(b) }

// isPhrase reports whether words are as long as a short sentence.
func isPhrase(words string) bool { return len(tokens(withoutNotes(words))) >= 3 }

// withoutNotes returns s without what stands in square brackets: whoever summarises says there what was left out.
func withoutNotes(s string) string {
	var out strings.Builder
	for {
		before, note, ok := strings.Cut(s, "[")
		_, rest, closed := strings.Cut(note, "]")
		if !ok || !closed {
			return out.String() + s
		}
		out.WriteString(before + " ")
		s = rest
	}
}

// tokens returns the words of s, folded; of scripts that put no space between words, each letter.
func tokens(s string) (out []string) {
	_, words := foldWords(s)
	for _, w := range words {
		if strings.IndexFunc(w, unspaced) < 0 {
			out = append(out, w)
			continue
		}
		from := 0
		for i, r := range w {
			if !unspaced(r) {
				continue
			}
			if from < i {
				out = append(out, w[from:i])
			}
			from = i + utf8.RuneLen(r)
			out = append(out, w[i:from])
		}
		if from < len(w) {
			out = append(out, w[from:])
		}
	}
	return out
}

const (
	// sameShare is how many of a quotation's words, of ten, one message must hold in their order: who summarises
	// mends what was misspelt and leaves out what does not matter. Of 324 messages of other sessions, put in as
	// quotations, 4 reached six; of 516 true ones 8 did not, and those were no quotations (58 real summaries).
	sameShare = 6
	// maxCompared bounds the work of comparing, in pairs of words.
	maxCompared = 20_000_000
)

// between is how many words before a message are compared with it: a quotation may join what was typed one after the
// other.
const between = 32

// Untyped returns which of the quotations stand in none of the messages typed. Where a message has a part that memento
// does not know, or comparing would take too long, it returns none: nobody is said not to have said what they may have.
// For the same reason it leaves out a quotation in a script in which nothing was typed, since it may be a translation.
func Untyped(quotations []string, typed iter.Seq[string]) []string {
	type quoted struct {
		words, fold, script string
		tokens              []string
	}
	var left []quoted
	for _, q := range quotations {
		left = append(left, quoted{q, text.Fold(q), scriptOf(q), tokens(withoutNotes(q))})
	}
	work := 0
	scripts := map[string]bool{}
	var said []string
	for message := range typed {
		if len(left) == 0 || strings.Contains(message, text.PrivateMark) {
			return nil
		}
		scripts[scriptOf(message)] = true
		fold := text.Fold(message)
		said = append(said[max(0, len(said)-between):], tokens(message)...)
		left = slices.DeleteFunc(left, func(q quoted) bool {
			if work += len(fold) / 8; strings.Contains(fold, q.fold) {
				return true
			}
			work += len(q.tokens) * len(said)
			return work < maxCompared && holdsInOrder(said, q.tokens)
		})
		if work >= maxCompared {
			return nil
		}
	}
	var out []string
	for _, q := range left {
		if scripts[q.script] {
			out = append(out, q.words)
		}
	}
	return out
}

// maxScript is how much of a text is looked at for its script, in bytes.
const maxScript = 1 << 10

// scriptOf returns the script of most letters in the beginning of s, "" without letters. Chinese and Japanese are one.
func scriptOf(s string) (name string) {
	most, counts := 0, map[string]int{}
	for _, r := range s[:min(len(s), maxScript)] {
		if !unicode.IsLetter(r) {
			continue
		}
		script := "other"
		switch {
		case unicode.Is(unicode.Latin, r):
			script = "Latin"
		case unicode.Is(unicode.Cyrillic, r):
			script = "Cyrillic"
		case unicode.Is(unicode.Hangul, r):
			script = "Hangul"
		case isUnspaced(r):
			script = "Han"
		case unicode.Is(unicode.Arabic, r):
			script = "Arabic"
		}
		if counts[script]++; counts[script] > most {
			most, name = counts[script], script
		}
	}
	return name
}

// holdsInOrder reports whether said holds enough of words in their order.
func holdsInOrder(said, words []string) bool {
	enough := (len(words)*sameShare + 9) / 10
	if len(said) < enough {
		return false
	}
	row := make([]int, len(words)+1) // the longest common subsequence with what of said was seen
	for _, s := range said {
		before := 0
		for i, w := range words {
			above := row[i+1]
			if s == w {
				row[i+1] = before + 1
			} else {
				row[i+1] = max(above, row[i])
			}
			before = above
		}
	}
	return row[len(words)] >= enough
}
