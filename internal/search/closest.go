package search

import (
	"slices"
	"unicode/utf8"
)

// Spelled says that no document has the word Asked, and that Shown is the closest one that some have.
type Spelled struct{ Asked, Shown string }

// Bounds of the search for the closest word. A shorter word has too many neighbours. Two mistakes are looked for in
// words of farFrom to farTo letters.
const (
	nearFrom = 4
	farFrom  = 7
	farTo    = 14
)

// Closest returns a with each word that no document has replaced by the closest one, and the words that it replaced. A
// word is close when one letter is missing, too many, wrong or behind its neighbour, or two letters of a long word.
// Closest leaves words with digits alone. Errors: ErrCorrupt, the disk's.
func (x *Index) Closest(a Ask) (Ask, []Spelled, error) {
	var changes []Spelled
	var failed error
	words(a.Words, true, func(w word) {
		asked := string(w.raw)
		if failed != nil || w.part || stop(asked) || utf8.RuneCountInString(asked) < nearFrom || !spelled(asked) {
			return
		}
		if there, err := x.hasTerm(hash(w.text())); err != nil || there {
			failed = err
			return
		}
		shown, err := x.closest(asked)
		if failed = err; shown != "" {
			changes = append(changes, Spelled{asked, shown})
		}
	})
	a.Phrases = slices.Clone(a.Phrases)
	for _, c := range changes {
		a.Words += " " + c.Shown
		for i, p := range a.Phrases {
			a.Phrases[i] = replaceWord(p, c)
		}
	}
	return a, changes, failed
}

// Surface returns the first word of text that has the stem of like, as it stands in text, "" for none. The word that
// Closest shows may have another ending.
func Surface(text, like string) (found string) {
	want := stem(like)
	words(text, true, func(w word) {
		if found != "" || w.text() != want {
			return
		}
		end := w.at
		for folded := 0; folded < len(w.raw) && end < len(text); {
			r, n := utf8.DecodeRuneInString(text[end:])
			if end += n; level(r) < 3 {
				folded += len(fold(nil, r))
			}
		}
		found = text[w.at:end]
	})
	return found
}

// replaceWord returns a phrase with one of its words replaced.
func replaceWord(phrase string, c Spelled) (out string) {
	words(phrase, true, func(w word) {
		switch {
		case w.part:
		case string(w.raw) == c.Asked:
			out += c.Shown + " "
		default:
			out += string(w.raw) + " "
		}
	})
	return out
}

// spelled reports whether a word consists of letters of one alphabet whose words Closest compares.
func spelled(w string) bool {
	first, _ := utf8.DecodeRuneInString(w)
	for _, r := range w {
		if alphabet(first) == 0 || alphabet(r) != alphabet(first) {
			return false
		}
	}
	return true
}

// alphabet returns a number for the alphabet of a folded letter, 0 for another character.
func alphabet(r rune) int {
	switch {
	case 'a' <= r && r <= 'z':
		return 1
	case 'α' <= r && r <= 'ω':
		return 2
	case 'а' <= r && r <= 'я', r == 'ё', r == 'і', r == 'ї', r == 'є':
		return 3
	}
	return 0
}

// hasTerm reports whether a live document has the term. Errors: ErrCorrupt, the disk's.
func (x *Index) hasTerm(term uint64) (has bool, err error) {
	for _, s := range x.segments {
		if _, err := s.postings(term, func(posting) { has = true }); err != nil || has {
			return has, err
		}
	}
	return false, nil
}

// closest returns the most used word that is close to a folded word, "" for none. By the bytes of a word's list it
// judges how much a word is used. Errors: ErrCorrupt, the disk's.
func (x *Index) closest(asked string) (best string, err error) {
	want := []rune(asked)
	used := [3]map[string]int{1: {}, 2: {}} // by the number of mistakes
	for _, s := range x.segments {
		if err := s.eachNear(want, used); err != nil {
			return "", err
		}
	}
	for _, words := range used {
		top := 0
		for w, n := range words {
			if n > top || n == top && w < best {
				top, best = n, w
			}
		}
		if best != "" {
			break
		}
	}
	return best, nil
}

// eachNear adds to used, by the number of mistakes, how much each word of the segment is used that is close to want.
// Errors: ErrCorrupt, the disk's.
func (s *segment) eachNear(want []rune, used [3]map[string]int) error {
	b, err := s.load(wordTexts)
	if err == nil {
		_, err = s.load(termRows)
	}
	if err != nil {
		return err
	}
	c, have := cursor{b: b}, []rune(nil)
words:
	for c.more() {
		w, n := c.text(), int(c.number()&(maxFile-1))
		have = have[:0]
		for _, r := range string(w) {
			if alphabet(r) != alphabet(want[0]) {
				continue words
			}
			have = append(have, r)
		}
		mistakes := 1
		if len(have) < nearFrom-1 || stop(string(w)) {
			continue
		}
		if !isNear(want, have, 1) {
			// a mistake in the first letter and another one are rare
			if mistakes = 2; len(want) < farFrom || len(want) > farTo || have[0] != want[0] || !isNear(want, have, 2) {
				continue
			}
		}
		from, to, err := s.listAt(n)
		if err != nil {
			return err
		}
		used[mistakes][string(w)] += to - from
	}
	return c.err()
}

// isNear reports whether at most so many mistakes make b of a: a letter that is missing, too many, wrong, or behind its
// neighbour.
func isNear(a, b []rune, mistakes int) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	switch {
	case len(a) == 0 || len(b) == 0:
		return max(len(a), len(b)) <= mistakes
	case mistakes == 0:
		return false
	}
	return isNear(a[1:], b, mistakes-1) || isNear(a, b[1:], mistakes-1) || isNear(a[1:], b[1:], mistakes-1) ||
		len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && isNear(a[2:], b[2:], mistakes-1)
}
