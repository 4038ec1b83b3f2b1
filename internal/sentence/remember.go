package sentence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

// Keepsake is a sentence that the user asked to be remembered.
type Keepsake struct {
	Kind  string
	Title string // words of Quote
	Quote string // the sentence, or the lines, as they stand in the message
	User  bool   // it is about the user, whatever the project
}

// In reports whether a record of this title and body says the same; see SaidIn.
func (k Keepsake) In(title, body string) bool { return SaidIn(title, body, k.Quote) }

// SaidIn reports whether a record says the same as words: its title equals words, or its body has words on lines of
// their own. Case, spaces, marks of a list or a quotation, and a request to remember before the words do not matter.
func SaidIn(titleOf, body, words string) bool {
	words = strings.TrimRight(plainLines(redact.Clean(words)), endings)
	if rest, ok := remembered(words); ok && rest != "" {
		words = strings.TrimSpace(rest)
	}
	if words == strings.TrimRight(plainLines(titleOf), endings) {
		return true
	}
	for at := plainLines(body); ; {
		_, behind, found := strings.Cut(at, words)
		if !found || words == "" {
			return false
		}
		before := at[:len(at)-len(behind)-len(words)]
		line := before[strings.LastIndexByte(before, '\n')+1:]
		_, asked := remembered(line + words)
		if after := strings.TrimLeft(behind, endings); (line == "" || asked) && (after == "" || after[0] == '\n') {
			return true
		}
		at = behind
	}
}

// endings are the characters at the end of a sentence that say nothing.
const endings = ".。 "

// plainLines returns the lines of s as SaidIn compares them: without blank lines, indentation and the marks of a list
// or a quotation.
func plainLines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		for _, mark := range [...]string{"> ", "- ", "* "} {
			line = strings.TrimLeft(strings.TrimPrefix(line, mark), " ")
		}
		if line = text.Fold(line); line != "" {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(line)
		}
	}
	return b.String()
}

const (
	maxKept  = 16 << 10 // bytes of one quote: a list behind a colon
	minWords = 2        // of what is to be remembered
)

// Keepsakes returns what a message asks to be remembered: sentences that begin with "Remember that" or the like, and
// the lines behind "Remember:". A question, a quotation, "I remember that", what happened ("remember that bug we had")
// and a request that is taken back ask for nothing.
func Keepsakes(message string) (out []Keepsake) {
	if len(message) <= maxKept && !slices.ContainsFunc(Split(message),
		func(s string) bool { _, ok := remembered(s); return ok }) {
		return nil // as most do: judging is dearer than looking
	}
	at, line := 0, 0 // line is where the one begins that at stands in
	var begins []int // where each of out stands
	for n, j := range judge(message) {
		i := strings.Index(message[at:], j.Text)
		if i < 0 {
			continue
		}
		begin := at + i
		if i := strings.LastIndexByte(message[at:begin], '\n'); i >= 0 {
			line = at + i + 1
		}
		quoted := strings.HasPrefix(strings.TrimSpace(message[line:begin+1]), ">")
		at = begin + len(j.Text)
		if !j.isWritten() || j.foreign && n > 0 || quoted || isQuestion(j.Text) {
			continue
		}
		rest, ok := remembered(j.Text)
		if !ok || isAnnounced(message[:begin]) || announcesText(message[line:begin]) {
			continue
		}
		quote := j.Text
		bare := strings.TrimSpace(rest) == ""
		if bare || leadsOn(rest) { // what it announces stands in the lines behind
			lines := cutParagraph(message[at:])
			if lines == "" {
				continue
			}
			quote = message[begin:at] + lines
			if bare {
				rest = lines
			}
			at = begin + len(quote)
			line = strings.LastIndexByte(message[:at], '\n') + 1
			quote = strings.TrimSpace(quote)
		}
		if k, ok := keepsakeOf(quote, rest); ok {
			out, begins = append(out, k), append(begins, begin)
		}
	}
	for n := len(out) - 1; n >= 0; n-- {
		end := len(message)
		if n+1 < len(begins) {
			end = begins[n+1]
		}
		if isWithdrawn(message[begins[n]:end]) {
			out = slices.Delete(out, n, n+1)
		}
	}
	return out
}

// isAnnounced reports whether the text before a sentence announces somebody's words, or a text to work on: a line that
// ends with a colon stands in the same paragraph or in the one before.
func isAnnounced(before string) bool {
	lines := strings.Split(before, "\n")
	for n := len(lines) - 2; n >= 0; n-- { // the last one is the sentence's own
		switch {
		case leadsOn(lines[n]):
			return true
		case strings.TrimSpace(lines[n]) == "":
			for n > 0 && strings.TrimSpace(lines[n-1]) == "" {
				n--
			}
			return n > 0 && leadsOn(lines[n-1])
		}
	}
	return false
}

// cutParagraph returns the lines at the beginning of s up to a blank line, or fenced code as a whole. A blank line may
// stand before a list. It is "" when text follows on the same line, or none follows.
func cutParagraph(s string) string {
	line, rest, more := strings.Cut(s, "\n")
	if !more || strings.TrimSpace(line) != "" {
		return ""
	}
	end, begun, fence := len(line)+1, false, ""
	if next, behind, _ := strings.Cut(rest, "\n"); strings.TrimSpace(next) == "" && beginsList(behind) {
		end, rest = end+len(next)+1, behind
	}
	for rest != "" {
		line, rest, more = strings.Cut(rest, "\n")
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, ">") && fence == "" || end+len(line) > maxKept || t == "" && fence == "" {
			break
		}
		end += len(line)
		if more {
			end++
		}
		switch {
		case fence != "" && strings.TrimRight(t, "`") == "" && len(t) >= len(fence):
			return strings.TrimRight(s[:min(end, len(s))], "\n")
		case fence != "":
		case strings.HasPrefix(t, "```"):
			if begun { // code that stands behind the lines is no part of them
				end -= len(line)
				if more {
					end--
				}
				return strings.TrimRight(s[:end], "\n")
			}
			fence = t[:len(t)-len(strings.TrimLeft(t, "`"))]
		}
		begun = begun || t != ""
	}
	end = min(end, len(s))
	if strings.TrimSpace(s[:end]) == "" {
		return ""
	}
	return strings.TrimRight(s[:end], "\n")
}

// beginsList reports whether s begins with an item of a list.
func beginsList(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "* ") || strings.HasPrefix(s, "• ") ||
		strings.HasPrefix(s, "1. ") || strings.HasPrefix(s, "1) ")
}

// keepsakeOf makes a keepsake of quote. rest is the part of quote that is to be remembered.
func keepsakeOf(quote, rest string) (Keepsake, bool) {
	name := strings.TrimLeft(rest, " \t:,")
	if strings.HasPrefix(strings.TrimLeft(name, "\r"), "\n") { // lines below, each with the mark of a list perhaps
		name = bare(strings.TrimLeft(name, " \t\r\n:,"))
	} else {
		name = strings.Trim(name, " \t*_")
	}
	name = shortened(name)
	_, latin := foldLine(name)
	if words := len(strings.Fields(name)); name == "" || latin && words < minWords ||
		latin && words < 5 && isHollow(name) {
		return Keepsake{}, false
	}
	k := Keepsake{Kind: "memento", Title: name, Quote: quote}
	first, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	kind, score := weighKinds(first, true, weightOf(first))
	line, latin := foldLine(first)
	var best [kinds]int
	found := scan(line, latin, &best)
	limits := found&forbids != 0 || best[constraint] > 0
	switch sure := score >= 0.3; {
	case sure && kind != "preference":
		k.Kind = kind
	case !sure && !setsRule(first):
		if found.wishes() {
			k.Kind = "preference"
		}
	case limits && !(kind == "preference" && found.wishes()):
		k.Kind = "constraint"
	case found.wishes():
		k.Kind = "preference"
	}
	k.User = k.Kind == "preference" && found&personal != 0 && found&shared == 0
	return k, true
}

// isHollow reports whether words name nothing: "for next time", "this one".
func isHollow(s string) bool {
	for _, w := range strings.Fields(strings.ToLower(strings.Trim(s, ".,:;! "))) {
		switch w {
		case "this", "that", "one", "for", "next", "time", "later", "please", "the", "future", "it", "as", "well",
			"too", "in", "case", "now", "always", "session", "thing", "things":
		default:
			return false
		}
	}
	return true
}

// wishes reports whether a sentence says how somebody wants things, or orders something for good. A sentence that says
// what is so states a fact, however strong its words.
func (found aside) wishes() bool {
	return found&wanted != 0 || found&speaks != 0 && found&likes != 0 ||
		found&uses != 0 && found&(insteadOf|otherwise|lasting) != 0
}

// asking are the words that ask for something to be remembered. A colon may stand in place of the word at their end.
var asking = [...]string{
	"remember that", "remember this:", "remember:", "remember the following:", "keep in memory that", "memorize that",
	"memorise that", "memorize:", "commit to memory that", "commit this to memory:", "make a note that", "make a note:",
	"take note that", "note for later:", "note for the future:", "note to self:", "for later reference:",
	"for future reference:", "for future reference,", "remember from now on that", "remember for later:",
	"remember for later that", "remember for next time that", "remember for next time:", "remember to always",
	"remember to never", "remember always to",
	"merk dir, dass", "merk dir dass", "merk dir:", "merke dir, dass", "merke dir dass", "merke dir:",
	"merken sie sich, dass", "merkt euch, dass", "notiz für später:", "notiere dir, dass", "notier dir, dass",
	"vergiss nicht, dass",
	"souviens-toi que", "souviens toi que", "souviens-toi :", "souviens-toi:", "souvenez-vous que", "retiens que",
	"retiens :", "retiens:", "retenez que", "rappelle-toi que", "rappelle-toi :", "n'oublie pas que", "à retenir :",
	"à retenir:", "note pour plus tard :", "note pour plus tard:",
	"recuerda que", "recuerda:", "recuerde que", "recordá que", "acuérdate de que", "no olvides que",
	"nota para después:", "nota para más tarde:", "memoriza que",
	"lembre-se de que", "lembre-se que", "lembre-se:", "lembre que", "lembra que", "lembra-te que", "lembra-te de que",
	"não esqueça que", "não se esqueça de que", "memorize que", "nota para depois:", "guarda que",
	"ricorda che", "ricorda:", "ricordati che", "ricordati:", "ricordatevi che", "memorizza che", "nota per dopo:",
	"non dimenticare che",
	"запомни, что", "запомни что", "запомни:", "запомните, что", "запомните:", "onthoud dat", "onthoud:",
	"zapamiętaj, że", "zapamiętaj:", "unutma:",
	"记住：", "记住:", "记住，", "记住,", "请记住：", "请记住，", "記住：", "記住，", "覚えておいて：", "覚えておいて:", "覚えておいて、",
	"기억해줘:", "기억해:",
}

// remembered returns what a sentence asks to be remembered, "" when that follows the sentence. ok is false for any
// other sentence.
func remembered(sentence string) (rest string, ok bool) {
	s := bare(sentence)
	for again := true; again; {
		again = false
		for _, lead := range [...]string{"please ", "please, ", "ok ", "ok, ", "okay ", "okay, ", "and ", "also ",
			"also, ", "btw ", "btw, ", "by the way, ", "claude, ", "ok. ", "important: ", "hey, ", "yes, ", "so "} {
			if cut, has := cutPrefix(s, lead); has {
				s, again = strings.TrimLeft(cut, " "), true
			}
		}
	}
	for _, a := range asking {
		cut, has := cutPrefix(s, a)
		if !has {
			continue
		}
		next, _ := utf8.DecodeRuneInString(cut)
		last, _ := utf8.DecodeLastRuneInString(a)
		if cut != "" && last < 0x2e80 && (unicode.IsLetter(next) || unicode.IsDigit(next)) {
			continue
		}
		trimmed := strings.TrimLeft(cut, " \t:：,，")
		if strings.TrimSpace(trimmed) == "" {
			return "", leadsOn(s)
		}
		if strings.HasSuffix(a, " that") && pointsAtPast(trimmed) {
			return "", false
		}
		// it says more than what follows it
		if a == "remember to always" || a == "remember to never" || a == "remember always to" {
			return strings.TrimSpace(s), true
		}
		return trimmed, true
	}
	for _, end := range [...]string{"を覚えておいてください", "と覚えておいてください", "覚えておいてください", "を覚えておいて", "と覚えておいて", "覚えておいて", "覚えといて",
		"기억해 줘", "기억해줘", "기억해", "기억해 두세요"} {
		if cut, has := strings.CutSuffix(strings.TrimRight(s, "。.!！ ね"), end); has && len(cut) > 6 {
			return cut, true
		}
	}
	return "", false
}

// pointsAtPast reports whether rest, the text behind "remember that", names something that happened: "that bug we had",
// "that time when".
func pointsAtPast(rest string) bool {
	words := strings.Fields(strings.ToLower(rest))
	if len(words) == 0 {
		return true
	}
	switch strings.Trim(words[0], ".,") {
	case "time", "day", "bug", "issue", "error", "thing", "one", "script", "file", "function", "test", "crash",
		"conversation", "discussion", "branch", "ticket", "idea":
		for _, w := range words[1:min(len(words), 5)] {
			switch w {
			case "we", "you", "i", "from", "where", "when", "that", "which", "yesterday", "last", "about":
				return true
			}
		}
		return len(words) < 3
	}
	return false
}

// cutPrefix is strings.CutPrefix that ignores case and the form of an apostrophe. prefix is in lower case.
func cutPrefix(s, prefix string) (string, bool) {
	i := 0
	for _, want := range prefix {
		r, n := utf8.DecodeRuneInString(s[i:])
		if n == 0 {
			return s, false
		}
		if r == '’' {
			r = '\''
		}
		if unicode.ToLower(r) != want {
			return s, false
		}
		i += n
	}
	return s[i:], true
}
