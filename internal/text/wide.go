package text

import (
	"unicode"

	"golang.org/x/text/width"
)

// pictured is the selector that asks for the picture of the character before it: ⚠ becomes ⚠️, which is wide.
const pictured = '\ufe0f'

// Columns returns how many columns of a terminal s takes on one line: two for East Asian characters and emoji, none for
// marks on the letter before and for invisible characters. Where terminals differ, as for joined emoji, it returns the
// most.
func Columns(s string) (n int) {
	last := 0 // the columns of the letter that marks belong to
	for _, r := range s {
		w := 1
		switch {
		case r == ' ': // no letter, whatever follows
			n, last = n+1, 0
			continue
		case r < 0x300:
		case r == pictured && last == 1:
			n, last = n+1, 2
			continue
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
			continue
		case wide(r):
			w = 2
		}
		n, last = n+w, w
	}
	return n
}

// wide reports whether r takes two columns, as the Unicode standard's annex 11 has it.
func wide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// Fit returns s in at most columns columns of a terminal, cut as Cut does where it is longer. It returns "" where not
// even a letter and the ellipsis fit.
func Fit(s string, columns int) string {
	if Columns(s) <= columns {
		return s
	}
	letters, n := 0, 0 // those that fit before the ellipsis
	for _, r := range s {
		if n += Columns(string(r)); r == pictured {
			n++
		}
		if n > columns-1 {
			break
		}
		letters++
	}
	if letters == 0 {
		return ""
	}
	cut, _ := Cut(s+Ellipsis, letters+1) // s alone may have no letter more
	return cut
}
