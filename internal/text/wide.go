package text

import "unicode"

// Columns returns how many columns of a terminal s takes on one line: two for East Asian characters and emoji, none for
// marks on the letter before and for invisible characters.
func Columns(s string) (n int) {
	for _, r := range s {
		switch {
		case r < 0x300:
			n++
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case wide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// wide reports whether r takes two columns, as the Unicode standard's annex 11 has it, by its blocks.
func wide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, // Hangul, by its parts
		r >= 0x2e80 && r <= 0x303e,                                  // radicals, punctuation
		r >= 0x3041 && r <= 0xa4cf && !(r >= 0x4dc0 && r <= 0x4dff), // kana, ideographs, Yi; no hexagrams
		r >= 0xa960 && r <= 0xa97f,
		r >= 0xac00 && r <= 0xd7a3, // Hangul
		r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f,
		r >= 0xff00 && r <= 0xff60,
		r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1f64f, // emoji
		r >= 0x1f680 && r <= 0x1f6ff,
		r >= 0x1f900 && r <= 0x1f9ff,
		r >= 0x20000 && r <= 0x3fffd:
		return true
	}
	return false
}
