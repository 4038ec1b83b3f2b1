package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxToken is the greatest length of a token, in bytes. A longer one, such as base64, is cut there.
const maxToken = 64

// word is one token of a text.
type word struct {
	raw []byte // the folded word; the next word overwrites it
	// part says that a text's length does not count the word: a compound, or one character of a pair.
	part bool
	at   int // the offset in the text
}

// text returns the word folded and stemmed.
func (w word) text() string { return stem(string(w.raw)) }

// scanner calls f with each token of a text. A compound (snake_case, camelCase, v1.2.3, a path, a hyphened word) gives
// one token for the whole, see emit, and one for each part. A script without spaces gives a token for each pair of
// characters, and also for each single character when query is false or there is only one. Any character that is
// neither a letter nor a digit separates tokens.
type scanner struct {
	query bool
	f     func(word)
	buf   []byte
}

// words scans s with a new scanner.
func words(s string, query bool, f func(word)) {
	sc := scanner{query: query, f: f}
	sc.scan(s)
}

func (sc *scanner) scan(s string) {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			if !inWord(rune(s[i])) {
				i++
				continue
			}
			if end := simpleEnd(s, i); end > 0 {
				sc.emit(s[i:end], i, false)
				i = end
				continue
			}
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case dense(r):
			end := len(s) - len(strings.TrimLeftFunc(s[i:], dense))
			sc.pairs(s[i:end], i)
			i = end
		case inWord(r):
			spells := func(r rune) bool { return inWord(r) && !dense(r) }
			end := i
			for end < len(s) {
				r, n := utf8.DecodeRuneInString(s[end:])
				next, _ := utf8.DecodeRuneInString(s[end+n:])
				if !spells(r) && !(joins(r) && spells(next)) {
					break
				}
				end += n
			}
			sign := end // C++, C#
			for sign < len(s) && sign < end+2 && (s[sign] == '+' || s[sign] == '#') {
				sign++
			}
			if sign > end && (sign == len(s) || s[sign] <= ' ' || strings.IndexByte(",.?)", s[sign]) >= 0) {
				sc.emit(s[i:sign], i, true)
			}
			sc.split(s[i:end], i, 0)
			i = end
		default:
			i += n
		}
	}
}

// simpleEnd returns the end of the word at i if that is plain ASCII and in no compound, as most words are; else 0.
func simpleEnd(s string, i int) int {
	end := i + 1
	for ; end < len(s); end++ {
		switch c := s[end]; {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			continue
		case 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf || c == '+' || c == '#':
			return 0
		case joins(rune(c)):
			if end+1 < len(s) && (s[end+1] >= utf8.RuneSelf || inWord(rune(s[end+1]))) {
				return 0
			}
		}
		return end
	}
	return end
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) ||
		unicode.Is(unicode.Mc, r))
}

// level returns how strongly a character joins the parts of a compound, 0 for a character that joins none. split cuts
// at low levels first: a path into file names, a file name into words.
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

// split emits the compound s and its parts. It cuts s at the characters of the lowest level above above.
func (sc *scanner) split(s string, at, above int) {
	for l := above + 1; l <= 5; l++ {
		from, cut := 0, false
		for i, r := range s {
			if level(r) != l {
				continue
			}
			if !cut && l < 5 {
				sc.emit(s, at, true)
			}
			cut = true
			if i > from {
				sc.split(s[from:i], at+from, l)
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
				sc.split(s[from:], at+from, l)
			}
			return
		}
	}
	sc.camel(s, at)
}

// camel emits s, and its parts when s is written like getUserID or HTTPServer.
func (sc *scanner) camel(s string, at int) {
	from, parts := 0, 0
	for i := 1; i < len(s); i++ {
		up := 'A' <= s[i] && s[i] <= 'Z'
		low := func(c byte) bool { return 'a' <= c && c <= 'z' }
		if up && (low(s[i-1]) || s[i-1] >= '0' && s[i-1] <= '9' || i+1 < len(s) && low(s[i+1]) &&
			s[i-1] < utf8.RuneSelf) {
			sc.emit(s[from:i], at+from, false)
			from, parts = i, parts+1
		}
	}
	if parts == 0 {
		sc.emit(s, at, false)
		return
	}
	sc.emit(s[from:], at+from, false)
	sc.emit(s, at, true)
}

// emit calls f with s folded. It leaves out apostrophes, and hyphens and underscores but those between digits, so that
// pre-commit, pre_commit and preCommit give one token beside their parts, which is precommit.
func (sc *scanner) emit(s string, at int, part bool) {
	b := sc.buf[:0]
	for i, r := range s {
		if l := level(r); l == 5 || l >= 3 && !betweenDigits(s, i, utf8.RuneLen(r)) {
			continue
		}
		if b = fold(b, r); len(b) > maxToken {
			break
		}
	}
	if sc.buf = b; len(b) > 0 {
		sc.f(word{raw: b, part: part, at: at})
	}
}

// betweenDigits reports whether the character of size bytes at i stands between two digits.
func betweenDigits(s string, i, size int) bool {
	digit := func(i int) bool { return i >= 0 && i < len(s) && '0' <= s[i] && s[i] <= '9' }
	return digit(i-1) && digit(i+size)
}

// pairs emits each pair of neighbouring characters in a text of a script without spaces.
func (sc *scanner) pairs(s string, at int) {
	last := 0 // the bytes of the character before
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		if last > 0 {
			sc.emit(s[i-last:i+size], at+i-last, false)
		}
		if !sc.query || len(s) == size {
			sc.emit(s[i:i+size], at+i, len(s) != size)
		}
		last = size
		i += size
	}
}
