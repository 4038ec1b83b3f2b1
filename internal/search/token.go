package search

import (
	"unicode"
	"unicode/utf8"
)

// maxToken is the longest token, in bytes: base64 and minified code are no words. A longer one is cut there.
const maxToken = 64

// word is one token of a text.
type word struct {
	text string // folded and stemmed
	raw  string // folded only
	// part: it does not count for the length of a text, because what it is made of does, or what it is part of.
	part bool
	at   int // where in the text it begins, in bytes
}

// words calls f with each token of s. A compound (snake_case, camelCase, v1.2.3, a path, a hyphened word) is a token
// whole and in each of its parts. Scripts without spaces give pairs of characters, and single ones too when query is
// false or there is but one. What is no letter or digit in any script separates.
func words(s string, query bool, f func(word)) {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case dense(r):
			end := i
			for end < len(s) {
				r, n := utf8.DecodeRuneInString(s[end:])
				if !dense(r) {
					break
				}
				end += n
			}
			pairs(s[i:end], i, query, f)
			i = end
		case inWord(r):
			end := i
			for end < len(s) {
				r, n := utf8.DecodeRuneInString(s[end:])
				if inWord(r) && !dense(r) {
					end += n
					continue
				}
				if next, _ := utf8.DecodeRuneInString(s[end+n:]); joins(r) && inWord(next) && !dense(next) {
					end += n
					continue
				}
				break
			}
			sign := end
			for sign < len(s) && sign < end+2 && (s[sign] == '+' || s[sign] == '#') { // C++, C#
				sign++
			}
			if sign > end && (sign == len(s) || s[sign] <= ' ' || s[sign] == ',' || s[sign] == '.' || s[sign] == '?' || s[sign] == ')') {
				emit(s[i:sign], i, true, f)
			}
			split(s[i:end], i, 0, f)
			i = end
		default:
			i += n
		}
	}
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r))
}

// level is how strongly a character binds the parts of a compound, 0 when it does not: a path is taken apart before a
// file name is, and that before its words.
func level(r rune) int {
	switch r {
	case '/', '\\', ':', '@':
		return 1
	case '.':
		return 2
	case '-', '‐', '‑':
		return 3
	case '_':
		return 4
	case '\'', '’':
		return 5
	}
	return 0
}

func joins(r rune) bool { return level(r) > 0 }

// split emits the compound s and its parts, taking it apart at the characters of the weakest level first.
func split(s string, at, above int, f func(word)) {
	for l := above + 1; l <= 5; l++ {
		from, cut := 0, false
		for i, r := range s {
			if level(r) != l {
				continue
			}
			if !cut && l < 5 {
				emit(s, at, true, f)
			}
			cut = true
			if i > from {
				split(s[from:i], at+from, l, f)
			}
			from = i + utf8.RuneLen(r)
			if l == 5 { // an ending in English (it's, don't), an article in French (l'eau)
				if len(s)-from <= 2 {
					return
				}
			}
		}
		if cut {
			if from < len(s) {
				split(s[from:], at+from, l, f)
			}
			return
		}
	}
	camel(s, at, f)
}

// camel emits s, and its parts when its case says that it has some: getUserID, HTTPServer.
func camel(s string, at int, f func(word)) {
	from, parts := 0, 0
	for i := 1; i < len(s); i++ {
		up := 'A' <= s[i] && s[i] <= 'Z'
		low := func(c byte) bool { return 'a' <= c && c <= 'z' }
		if up && (low(s[i-1]) || s[i-1] >= '0' && s[i-1] <= '9' || i+1 < len(s) && low(s[i+1]) && s[i-1] < utf8.RuneSelf) {
			emit(s[from:i], at+from, false, f)
			from, parts = i, parts+1
		}
	}
	if parts == 0 {
		emit(s, at, false, f)
		return
	}
	emit(s[from:], at+from, false, f)
	emit(s, at, true, f)
}

// testOnlyNoStem indexes words as they are, to measure what stemming is worth.
var testOnlyNoStem bool

// emit calls f with s folded and stemmed.
func emit(s string, at int, part bool, f func(word)) {
	var buf [maxToken + utf8.UTFMax]byte
	b := buf[:0]
	for _, r := range s {
		if level(r) == 5 {
			continue
		}
		if b = fold(b, r); len(b) > maxToken {
			break
		}
	}
	if len(b) == 0 {
		return
	}
	w := word{raw: string(b), part: part, at: at}
	if w.text = w.raw; !testOnlyNoStem {
		w.text = stem(w.raw)
	}
	f(w)
}

// pairs emits a run of characters of a script without spaces by twos.
func pairs(s string, at int, query bool, f func(word)) {
	var last string
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		one := s[i : i+size]
		if last != "" {
			emit(last+one, at+i-len(last), false, f)
		}
		if !query || len(s) == size {
			emit(one, at+i, len(s) != size, f)
		}
		last = one
		i += size
	}
}
