package search

import "unicode"

// latin holds two bytes for each letter from U+00C0 to U+017F: the letter in lower case without accents.
const latin = "" +
	"a a a a a a aec e e e e i i i i d n o o o o o x o u u u u y thssa a a a a a aec e e e e i i i i " +
	"d n o o o o o / o u u u u y thy a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g " +
	"g g g g h h h h i i i i i i i i i i ijijj j k k k l l l l l l l l l l n n n n n n n n n o o o o " +
	"o o oeoer r r r r r s s s s s s s s t t t t t t u u u u u u u u u u u u w w y y y z z z z z z s "

// fold appends r to b in lower case, without accents, with full-width forms as ASCII. It drops combining marks.
func fold(b []byte, r rune) []byte {
	switch {
	case r < 0x80:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(b, byte(r))
	case 0xC0 <= r && r <= 0x17F:
		i := int(r-0xC0) * 2
		b = append(b, latin[i])
		if latin[i+1] != ' ' {
			b = append(b, latin[i+1])
		}
		return b
	case 0xFF01 <= r && r <= 0xFF5E:
		return fold(b, r-0xFF01+'!')
	case 0x300 <= r && r <= 0x36F || unicode.Is(unicode.Mn, r) && r < 0x900:
		return b
	}
	return append(b, string(unicode.ToLower(r))...)
}

// dense reports whether r belongs to a script that is written without spaces, or whose words have so many endings that
// pairs of characters distinguish them better. The index has pairs of characters for such text.
func dense(r rune) bool {
	return r >= 0xE00 && (r == 'ー' || r == 'ｰ' || // of no script
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
			unicode.Khmer, unicode.Myanmar))
}
