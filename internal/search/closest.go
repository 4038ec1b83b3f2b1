package search

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Spelled says that no document has the word Asked, and that Shown is the closest one that some have.
type Spelled struct{ Asked, Shown string }

// Bounds of the search for the closest word. A word of fewer letters has too many neighbours, and a longer one too many
// to try. Two mistakes are looked for in words of farFrom letters and more.
const (
	nearFrom = 4
	farFrom  = 7
	farTo    = 14
)

// Closest returns a with each word that no document has replaced by the closest one, and the words that it replaced. A
// word is close when one letter is missing, too many, wrong or behind its neighbour, or two letters of a long word. The
// index holds no words, so Closest tries all that are close. It leaves words with digits alone. Errors: ErrCorrupt, the
// disk's.
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

// spelled reports whether a word consists of letters of one alphabet in which Closest knows the letters.
func spelled(w string) bool {
	letters := alphabet(firstRune(w))
	for _, r := range w {
		if letters == "" || alphabet(r) != letters {
			return false
		}
	}
	return true
}

func firstRune(w string) rune { r, _ := utf8.DecodeRuneInString(w); return r }

// alphabet returns the letters, folded, of the alphabet that r belongs to, "" if it is none of those known.
func alphabet(r rune) string {
	switch {
	case 'a' <= r && r <= 'z':
		return "abcdefghijklmnopqrstuvwxyz"
	case 'α' <= r && r <= 'ω':
		return "αβγδεζηθικλμνξοπρστυφχψως"
	case 'а' <= r && r <= 'я' || r == 'ё' || r == 'і' || r == 'ї' || r == 'є':
		return "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїє"
	}
	return ""
}

// hasTerm reports whether a document has the term, without reading all terms.
func (x *Index) hasTerm(term uint64) (bool, error) {
	for _, s := range x.segments {
		if p, err := s.postings(term); err != nil || p.s != nil {
			return p.s != nil, err
		}
	}
	return false, nil
}

// closest returns the most used word that is close to a folded word, "" for none. Of the bytes of a word's lists it
// judges how much a word is used. Errors: ErrCorrupt, the disk's.
func (x *Index) closest(asked string) (best string, err error) {
	known, err := x.known()
	if err != nil {
		return "", err
	}
	top := uint32(0)
	abc := alphabet(firstRune(asked))
	size := utf8.RuneLen(firstRune(asked)) // that of each letter of the alphabet
	try := func(w []byte, _ int) {
		if err != nil || len(w) < (nearFrom-1)*size {
			return
		}
		h := uint64(0)
		if size == 1 {
			// the irregular words are short, and to look for each of them would take long
			h = hash(cutEndings(string(w)))
		} else {
			h = hash(w)
		}
		if !known.may(h) {
			return
		}
		n := uint32(0)
		for _, g := range x.segments {
			more, bad := g.listSize(h)
			if n += more; bad != nil {
				err = bad
				return
			}
		}
		if n > top && !stop(string(w)) {
			top, best = n, string(w)
		}
	}
	eachNear([]byte(asked), abc, size, 0, try)
	if best == "" && len(asked) >= farFrom*size && len(asked) <= farTo*size {
		eachNear([]byte(asked), abc, size, 0, func(w []byte, at int) {
			if string(w[:size]) == asked[:size] { // a mistake in the first letter and another one are rare
				eachNear(w, abc, size, max(at-size, 0), try) // two mistakes in the other order make the same words
			}
		})
	}
	return best, err
}

// eachNear calls f with each word that one mistake at the offset from or behind it makes of w, and with the mistake's
// offset. The letters of w and of abc have size bytes each. f must neither keep nor change the word.
func eachNear(w []byte, abc string, size, from int, f func(w []byte, at int)) {
	b := make([]byte, 0, len(w)+size)
	for i := from; i < len(w); i += size {
		f(append(append(b, w[:i]...), w[i+size:]...), i)
		if before := i - size; before >= from {
			b := append(append(b, w[:before]...), w[i:i+size]...)
			f(append(append(b, w[before:i]...), w[i+size:]...), before)
		}
	}
	for i := from; i <= len(w); i += size {
		for _, rest := range [...]int{i, i + size} { // of w, behind a letter that was missing or that was wrong
			if rest > len(w) {
				break
			}
			b := append(append(append(b, w[:i]...), abc[:size]...), w[rest:]...)
			for k := 0; k < len(abc); k += size {
				if letter := abc[k : k+size]; rest == i || letter != string(w[i:rest]) {
					copy(b[i:], letter)
					f(b, i)
				}
			}
		}
	}
}

// sieve says of most hashes that are no term's that they are none. One mistake or two make a hundred thousand words,
// and to look for the term of each would take long.
type sieve struct {
	bits  []uint64
	shift uint
}

// known returns a sieve of the terms of x. Errors: ErrCorrupt, the disk's.
func (x *Index) known() (v sieve, err error) {
	n := 0
	for _, s := range x.segments {
		n += int(s.nterms)
	}
	high := max(bits.Len(uint(n))+4, 6) // 16 to 32 bits for each term
	v = sieve{make([]uint64, 1<<(high-6)), uint(64 - high)}
	for _, s := range x.segments {
		if err := s.loadTerms(); err != nil {
			return v, err
		}
		for rows := s.terms[:s.fanAt-s.termsAt]; len(rows) > 0; rows = rows[termSize:] {
			h := binary.LittleEndian.Uint64(rows) >> v.shift
			v.bits[h/64] |= 1 << (h % 64)
		}
	}
	return v, nil
}

// may reports whether a term may have this hash.
func (v sieve) may(hash uint64) bool {
	h := hash >> v.shift
	return v.bits[h/64]&(1<<(h%64)) != 0
}

// loadTerms reads the terms and the fan. Errors: ErrCorrupt, the disk's.
func (s *segment) loadTerms() error { return s.whole(&s.terms, s.termsAt, s.end) }

// listSize returns how many bytes the list of a term has, 0 when no document has the term. It reads the terms once, for
// many calls. Errors: ErrCorrupt, the disk's.
func (s *segment) listSize(term uint64) (uint32, error) {
	if err := s.loadTerms(); err != nil {
		return 0, err
	}
	le := binary.LittleEndian
	fan, bucket := s.terms[s.fanAt-s.termsAt:], int(term>>s.shift)
	from, to := uint32(0), le.Uint32(fan[bucket*fanSize:])
	if bucket > 0 {
		from = le.Uint32(fan[(bucket-1)*fanSize:])
	}
	if from > to || to > s.nterms {
		return 0, ErrCorrupt
	}
	for rows := s.terms[from*termSize : to*termSize]; len(rows) > 0; rows = rows[termSize:] {
		if le.Uint64(rows) == term {
			return le.Uint32(rows[12:]) &^ tabled, nil
		}
	}
	return 0, nil
}
