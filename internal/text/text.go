// Package text prepares words for the places where memento puts them: it cuts them to a length, puts them on one line,
// and keeps them from passing for structure. It changes what somebody said only as its functions say. No journal, no
// hook and no disk may come in. What judges the meaning of words belongs in package sentence.
package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Ellipsis marks the place where a longer text was cut.
const Ellipsis = "…"

// Cut returns s shortened to at most limit characters (runes), the ellipsis included, and whether it had to be
// shortened. It cuts at the last space in the second half of what fits, so that no word is split; text without
// such a space (a URL, Chinese) is cut between two characters. A limit below 1 returns "".
func Cut(s string, limit int) (string, bool) {
	if limit < 1 {
		return "", s != ""
	}
	if len(s) <= limit || utf8.RuneCountInString(s) <= limit {
		return s, false
	}
	end, n, space := 0, 0, -1
	for i, r := range s {
		if n == limit-1 {
			end = i
			if unicode.IsSpace(r) {
				space = i
			}
			break
		}
		if unicode.IsSpace(r) && n >= limit/2 {
			space = i
		}
		n++
	}
	if space > 0 {
		end = space
	} else {
		end = boundary(s, end)
	}
	loose := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:", r) }
	return strings.TrimRightFunc(s[:end], loose) + Ellipsis, true
}

// boundary returns the nearest place at or before end that does not tear a visible character: an accent stays with its
// letter, and joined characters stay together. It returns end when a run has no such place.
func boundary(s string, end int) int {
	for at := end; at > 0; {
		next, _ := utf8.DecodeRuneInString(s[at:])
		last, size := utf8.DecodeLastRuneInString(s[:at])
		if !unicode.Is(unicode.M, next) && !joiner(next) && !joiner(last) && !skinTone(next) {
			return at
		}
		at -= size
	}
	return end
}

func skinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// Runes returns the length of s in characters, the unit of every limit in the journal.
func Runes(s string) int { return utf8.RuneCountInString(s) }

// Quarters returns the size of s in quarter tokens: an ASCII character is one quarter of a token, any other character
// is a whole token. Budgets use this unit because it needs no rounding.
func Quarters(s string) int {
	n := 0
	for _, r := range s {
		if r < utf8.RuneSelf {
			n++
		} else {
			n += 4
		}
	}
	return n
}

// Line returns s as OneLine does, to be shown: the few sequences that the client would read as structure are made inert
// (see inert).
func Line(s string) string { return inert(OneLine(s)) }

// OneLine returns s as one line, to be stored: every run of white space and control characters becomes one space,
// invisible and direction-changing characters are dropped, and invalid UTF-8 is replaced. Everything else is kept as it
// was written.
func OneLine(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap, last := false, ' '
	for _, r := range s {
		switch {
		case r > ' ' && r < 0x7f: // nearly all there is
		case unicode.IsSpace(r) || unicode.IsControl(r):
			gap, last = b.Len() > 0, ' '
			continue
		case invisible(r) || joiner(r) && !joins(last) || selector(r) && !selects(last):
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r) // a broken byte arrives here as U+FFFD
		last = r
	}
	return b.String()
}

// joiner reports whether r is one of the two joiners that Persian, the scripts of India and emoji need between their
// letters.
func joiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// joins reports whether a joiner may follow r. Behind ASCII, white space or another joiner it only hides:
// "</sys\u200dtem".
func joins(r rune) bool { return r >= utf8.RuneSelf && !joiner(r) }

// selector reports whether r chooses a shape of the character before it.
func selector(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) }

// selects reports whether a selector may follow r: once, behind a character that has several shapes.
func selects(r rune) bool {
	return joins(r) && !selector(r) || r >= '0' && r <= '9' || r == '#' || r == '*'
}

// invisible reports whether r shows nothing and can hide or reorder the characters beside it: bidirectional controls,
// zero-width characters, tag characters, fillers. The character before a joiner or a selector decides about it.
func invisible(r rune) bool {
	return r > 0x7f && !joiner(r) && !selector(r) &&
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r) // an Arabic number sign is seen
}

// Visible returns s with the number of each character that nobody sees, as <U+E0041>, in its place. Line drops such
// characters; Visible is for a person who decides about a text that others may read as it is. A joiner in a script or a
// picture that needs it stays, and so does a selector of a picture's shape.
func Visible(s string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range s {
		switch {
		case invisible(r), joiner(r) && !needsJoiner(last),
			selector(r) && (r < '\ufe0e' || r > pictured || !selects(last)):
			fmt.Fprintf(&b, "<%U>", r)
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// needsJoiner reports whether r is of a script whose letters joiners shape, from Arabic to Myanmar, or a picture.
func needsJoiner(r rune) bool {
	return r >= 0x600 && r < 0x10a0 || r == pictured || skinTone(r) || unicode.Is(unicode.So, r)
}

// inert makes the sequences harmless that would be read as structure around a block: a closing tag, an opening tag of
// the kind the client wraps its own messages in, a model's mark of a speaker, and the end of a CDATA section. The shape
// stays readable: "</x" becomes "‹/x". The block's own header counts only where a line begins, and no line of a block
// begins with somebody's words.
func inert(s string) string {
	if !strings.ContainsAny(s, "<]") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := 0; i < len(s); i++ {
		rest := s[i:]
		switch {
		case s[i] == '<' && wrapperTag(s, i):
			b.WriteString("‹")
		case strings.HasPrefix(rest, "]]>"):
			b.WriteString("]]›")
			i += len("]]>") - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// Outside returns s as Line does, for a place in a block outside quotation marks: no label can follow "|" or "·", the
// marks that separate. A label is words and a colon.
func Outside(s string) string {
	return instead(Line(s), func(r rune, _, rest string) rune {
		switch {
		case r == '|' && (labelled(rest) || label(strings.TrimLeft(rest, " "))):
			return '¦'
		case r == '·' && labelled(rest):
			return '‧'
		}
		return r
	})
}

// Data is Outside for words that nobody typed to Claude: names of tasks and files, commands, output of tools, titles.
// No tag of any kind can open or close in the result; types such as List<User> stay.
func Data(s string) string {
	return instead(Outside(s), func(r rune, before, rest string) rune {
		if r == '<' && tag(before, rest) {
			return '‹'
		}
		return r
	})
}

// instead returns s with what other gives for each character, which stands between before and rest.
func instead(s string, other func(r rune, before, rest string) rune) string {
	if !strings.ContainsAny(s, "<|·") {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		b.WriteRune(other(r, s[:i], s[i+utf8.RuneLen(r):]))
	}
	return b.String()
}

// labelled reports whether s begins with words, a colon and a space.
func labelled(s string) bool {
	label, rest, ok := strings.Cut(s, ":")
	return ok && len(label) <= maxLabel && strings.TrimSpace(label) != "" && (rest == "" || rest[0] == ' ') &&
		!strings.Contains(label, " '") && // grep 'x: y'
		strings.IndexFunc(label, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" ()'’_-[]", r)
		}) < 0
}

// maxLabel is the most bytes of a label. The labels of a block are shorter.
const maxLabel = 64

// tag reports whether a < between before and rest could open or close a tag of any kind.
func tag(before, rest string) bool {
	if rest == "" || !word(rune(rest[0])) && !strings.ContainsRune("/!?|", rune(rest[0])) ||
		rest[0] >= '0' && rest[0] <= '9' {
		return false
	}
	if before == "" || !word(rune(before[len(before)-1])) || !word(rune(rest[0])) {
		return true
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !word(r) }) // of the type in List<User>
	return end < 0 || !strings.ContainsRune(">,<[*&.", rune(rest[end]))
}

// wrapperTag reports whether s[i:], which begins with '<', is a tag that could open or close a wrapper: any closing
// tag, or an opening one that has a name like the client's own wrappers, or the name of a speaker. What people type
// about code and HTML stays as it is: Vec<String>, a < max_value, std::vector<std::string>, List<User>, <b>.
func wrapperTag(s string, i int) bool {
	rest := s[i+1:]
	if closing := strings.TrimLeft(rest, " "); strings.HasPrefix(closing, "/") || strings.HasPrefix(closing, "!") {
		return true
	}
	if len(rest) > 1 && rest[0] == '|' && word(rune(rest[1])) { // <|im_start|>
		return true
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !(r == '-' || r == '_' || r == ':' || word(r)) })
	if end < 0 {
		end = len(rest)
	}
	name, rest := rest[:end], rest[end:]
	switch {
	case name == "" || !word(rune(name[0])) || strings.Contains(name, "::"):
		return false
	case strings.Contains(name, "-"):
		return true
	case strings.ContainsAny(name, "_:"):
		return rest == "" || strings.ContainsAny(rest[:1], " />")
	}
	return OneOf(strings.ToLower(name), "system", "human", "assistant", "user", "developer", "tool", "invoke",
		"parameter") && (i == 0 || !word(rune(s[i-1])) || strings.HasPrefix(rest, " "))
}

// word reports whether r is an ASCII letter or digit.
func word(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' }

func label(s string) bool {
	name, _, ok := strings.Cut(s, ":")
	return ok && OneOf(strings.ToLower(name), "ctx", "proj", "path", "mission")
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// Plain returns a text without the control characters that a terminal obeys. Line ends and tabs stay.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && r != '\r' && (r < ' ' || r >= 0x7f && r < 0xa0) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// Quote returns s as Line does, inside double quotes. Double quotes in s become typographic quotes, so that s cannot
// end its own quotation.
func Quote(s string) string {
	return `"` + strings.ReplaceAll(Line(s), `"`, "”") + `"`
}

// quotes are the marks that Fold leaves out.
const quotes = "\"'`*“”‘’„«»"

// Fold returns the part of s that two spellings of one sentence share: lower case, single spaces, no quotation marks,
// backticks or asterisks. The result is for comparisons and never shown.
func Fold(s string) string {
	b := make([]byte, 0, len(s))
	gap := false
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		i += n
		switch {
		case r > '\'' && r < utf8.RuneSelf && r != '`' && r != '*': // nearly all there is
			if r >= 'A' && r <= 'Z' {
				r += 'a' - 'A'
			}
		case unicode.IsSpace(r):
			gap = len(b) > 0
			continue
		case strings.ContainsRune(quotes, r):
			continue
		default:
			r = unicode.ToLower(r)
		}
		if gap {
			b = append(b, ' ')
			gap = false
		}
		if r < utf8.RuneSelf {
			b = append(b, byte(r))
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

// Same reports whether a and b are two spellings of one sentence.
func Same(a, b string) bool { return a == b || Fold(a) == Fold(b) }

// Sentence returns words in the form in which sentences are compared: as Fold does, without the marks at the end that
// change no statement.
func Sentence(words string) string {
	return strings.TrimRight(Fold(strings.TrimSuffix(words, Ellipsis)), ".!,; ")
}

// Within reports whether s holds words as whole words. In scripts without spaces between words any match counts.
func Within(s, words string) bool {
	for at := 0; words != ""; {
		i := strings.Index(s[at:], words)
		if i < 0 {
			break
		}
		i += at
		last, _ := utf8.DecodeLastRuneInString(s[:i])
		next, _ := utf8.DecodeRuneInString(s[i+len(words):])
		if !joined(last) && !joined(next) {
			return true
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		at = i + n
	}
	return false
}

// joined reports whether r, beside a word, makes the word a part of a longer one. At the end of a text r is RuneError.
func joined(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
			unicode.Khmer, unicode.Myanmar)
}

// Name reports whether s reads like the name of a field: letters, digits, and the signs that join them. What somebody
// wrote has spaces or other characters.
func Name(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == ""
}

// Count is n things of a kind, in words that fit the number.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// CountVerb is Count with the verb that agrees: "1 record waits", "2 records wait".
func CountVerb(n int, thing, one, more string) string {
	if n == 1 {
		more = one
	}
	return Count(n, thing) + " " + more
}

// Counted is a number of things of a kind.
type Counted struct {
	N     int
	Thing string
}

// CountAll is several counts in words: "3 records, 1 turn and 2 rules". It leaves out zeros.
func CountAll(all ...Counted) string {
	var parts []string
	for _, c := range all {
		if c.N > 0 {
			parts = append(parts, Count(c.N, c.Thing))
		}
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// Reason returns the message of err without what two rooms in a row say of the same file, and without the system's
// word stat: a person misses the file, whatever looked for it.
func Reason(err error) string {
	return strings.Join(slices.Compact(strings.Split(strings.TrimPrefix(err.Error(), "stat "), ": ")), ": ")
}

// Unescape decodes all JSON escapes in s, twice for JSON within JSON.
func Unescape(s string) string {
	for range 2 {
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			if s[i] != '\\' || i+1 >= len(s) {
				b.WriteByte(s[i])
				continue
			}
			switch i++; s[i] {
			case 'n', 't', 'r', 'f', 'b':
				b.WriteByte(' ')
			case 'u':
				if n, err := strconv.ParseUint(s[i+1:min(len(s), i+5)], 16, 32); err == nil && i+4 < len(s) {
					b.WriteRune(rune(n))
					i += 4
				}
			default:
				b.WriteByte(s[i])
			}
		}
		s = b.String()
	}
	return s
}

// Moment returns a time in universal time, as files and answers in JSON have it, "" for none.
func Moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
