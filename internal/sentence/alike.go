package sentence

import (
	"slices"
	"strings"
	"unicode"
)

// Content is the words of a sentence that say what it is about: the stem of each, sorted, each once.
type Content []string

// ContentOf returns the content of a text.
func ContentOf(s string) Content {
	var out Content
	for _, w := range wordsOf(s) {
		switch {
		case isUnspaced([]rune(w)[0]):
			out = append(out, pairs([]rune(w))...)
		case !isFiller(w):
			out = append(out, stem(w))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// CountShared returns how many words two contents share.
func (c Content) CountShared(other Content) (n int) {
	for _, w := range c {
		if _, found := slices.BinarySearch(other, w); found {
			n++
		}
	}
	return n
}

// isNear reports whether two contents share at least two words, two thirds of the shorter one and two fifths of all, or
// are equal.
func (c Content) isNear(other Content) bool {
	n := c.CountShared(other)
	return len(c) > 0 && slices.Equal(c, other) ||
		n >= 2 && 3*n >= 2*min(len(c), len(other)) && 5*n >= 2*(len(c)+len(other)-n)
}

// wordsOf returns the words of s in lower case. The marks of code and addresses stay inside a word.
func wordsOf(s string) (out []string) {
	const marks = "'-_./:@#"
	s = strings.ReplaceAll(strings.ToLower(s), "’", "'")
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) &&
			!strings.ContainsRune(marks, r)
	}) {
		if w = strings.Trim(w, marks); isFile(w) {
			w = w[:strings.LastIndexByte(w, '.')]
		}
		for w != "" {
			end := strings.IndexFunc(w, func(r rune) bool { return isUnspaced(r) != isUnspaced([]rune(w)[0]) })
			if end < 0 {
				end = len(w)
			}
			out, w = append(out, w[:end]), w[end:]
		}
	}
	return out
}

// isFile reports whether w ends as the name of a file does.
func isFile(w string) bool {
	const longest = 5 // of an ending, with its dot
	i := strings.LastIndexByte(w, '.')
	return i > 1 && len(w)-i <= longest
}

// isUnspaced reports whether r belongs to Chinese, Japanese or Korean.
func isUnspaced(r rune) bool { return r >= 0x2e80 }

// pairs returns each two neighbours among the letters of a script without spaces.
func pairs(w []rune) (out []string) {
	if len(w) == 1 {
		return []string{string(w)}
	}
	for i := range len(w) - 1 {
		out = append(out, string(w[i:i+2]))
	}
	return out
}

// isFiller reports whether w says nothing of the sentence's topic.
func isFiller(w string) bool {
	return len(w) < 2 || isEmpty(w) || isChatterWord(w) ||
		cueOf(w)&(strict|modal|weighty|only|polite|prefer) != 0 || isListed(fillers, w)
}

const fillers = `if when by as into out they he she its his her am being will shall may might let make sure ensure
	keep remember mind use using`

// stem returns a word without most of its ending. A name in code stays as it is.
func stem(w string) string {
	const shortest, longest = 4, 7
	r := []rune(w)
	if strings.ContainsAny(w, "./:_-0123456789") {
		return w
	}
	r = r[:min(len(r), longest)]
	for len(r) > shortest && strings.ContainsRune("aeiousnr", r[len(r)-1]) {
		r = r[:len(r)-1]
	}
	return string(r)
}

// Words is what is compared of a sentence.
type Words struct {
	Content Content
	all     []string
	values  []string // numbers, dates, files, addresses, symbols
	denies  bool
	aside   bool // it says that something else is over: "use pnpm instead of yarn"
}

// WordsOf returns what is compared of a sentence.
func WordsOf(s string) Words {
	line, plain := foldWords(s)
	w := Words{Content: ContentOf(s), all: wordsOf(s), denies: hasAny(plain, denials),
		aside: hasAny(plain, "instead anymore") || strings.Contains(line, "no longer")}
	for _, one := range w.all {
		if isValue(one) {
			w.values = append(w.values, one)
		}
	}
	for one := range strings.FieldsSeq(s) {
		if one = strings.Trim(one, `.,;:!?()"'`); strings.ContainsAny(one, "<>=+#") || len(one) > 1 && one[0] == '-' {
			w.values = append(w.values, one) // "> 80", "C++", "-1"
		}
	}
	return w
}

// IsChore reports whether a sentence names nothing but everyday work: "commit and push all changes".
func (w Words) IsChore() bool {
	return !slices.ContainsFunc(w.all, func(one string) bool { return !isFiller(one) && !isListed(chores, one) })
}

// IsForeign reports whether nobody here can say what a sentence means: it is in another language, as letters beyond
// ASCII among few English words tell too, or has two words at most that are in no list.
func IsForeign(s string) bool {
	r := read(s)
	isBeyond := strings.ContainsFunc(s, func(c rune) bool { return c > unicode.MaxASCII && unicode.IsLetter(c) })
	return r.isHardlyEnglish() || isBeyond && 3*r.known() <= len(r.words) || len(r.words) < 3 && r.found == 0
}

// IsAlike reports whether two sentences say the same in nearly the same words. Sentences that name different numbers,
// files or addresses do not, and neither do two of which one forbids what the other asks for.
func (w Words) IsAlike(other Words) bool {
	return w.denies == other.denies && w.aside == other.aside && slices.Equal(w.values, other.values) &&
		w.Content.isNear(other.Content) && !namesAnother(w.all, other.all)
}

// Replaces reports whether a newer sentence says something else of the same thing than an older one does: it forbids
// what the other asks for, names another number, date or tool in the same place, or says what goes instead of what.
func (w Words) Replaces(older Words) bool {
	near := w.Content.isNear(older.Content)
	switch {
	case near && (w.denies != older.denies && slices.Equal(w.values, older.values) || w.aside):
		return true
	case w.denies:
		return false // one more thing is forbidden
	}
	return differInValue(w.all, older.all)
}

// difference returns the words in which two sentences differ that have the same words before and behind them, and how
// many of those stand before. What leads to the same words does not count. Sentences that share less have none.
func difference(a, b []string) (one, two []string, first int) {
	const longest, least, lead = 3, 3, 5 // words that differ, words that are the same, words before those
aligned: // "Remember that the price is net", "Since May the price is gross"
	for i := range min(len(a)-1, lead) {
		for j := range min(len(b)-1, lead) {
			if a[i] == b[j] && a[i+1] == b[j+1] {
				a, b = a[i:], b[j:]
				break aligned
			}
		}
	}
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	last := 0
	for last < min(len(a), len(b))-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	one, two = a[first:len(a)-last], b[first:len(b)-last]
	if len(one) == 0 || len(two) == 0 || max(len(one), len(two)) > longest || first+last < least {
		return nil, nil, 0
	}
	return one, two, first
}

// namesAnother reports whether two sentences say the same of two things: "never touch the tax tables", "… the price
// tables".
func namesAnother(a, b []string) bool {
	one, two, _ := difference(a, b)
	isTopic := func(w string) bool { return !isFiller(w) }
	return slices.ContainsFunc(one, isTopic) && slices.ContainsFunc(two, isTopic)
}

// differInValue reports whether two sentences differ in a value alone: behind a word such as "use", "on" or "is".
func differInValue(a, b []string) bool {
	one, two, first := difference(a, b)
	return one != nil && (first > 0 && isListed(beforeValue, a[first-1]) || isValue(one[0]) && isValue(two[0]))
}

// beforeValue are words with a value behind them.
const beforeValue = `use using with prefer to in on at is are by via from through port version called named until
	before every`

const denials = `not no never don't dont doesn't mustn't shouldn't can't cannot won't without avoid stop não nunca jamais
	sem nicht nie niemals kein keine ne pas не нет никогда`

func isValue(w string) bool {
	return strings.ContainsAny(w, "0123456789/\\") || isListed(days, w)
}

const days = `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
	saturdays sundays january february march april june july august september october november december`
