package redact

import "strings"

// Classes of bytes.
const (
	upper = 1 << iota
	lower
	digit
	hexa  // 0-9a-f
	base  // the signs of both alphabets of base64: + / = - _
	word  // the bytes of a name: letters, digits, - and _
	space // white space within a line
	alnum = upper | lower | digit
)

// What a byte is, in the table: a digit, a capital, a small letter, one that is a hexadecimal digit too.
const num, big, small, hex = digit | word | hexa, upper | word, lower | word, lower | word | hexa

var class = [256]uint8{
	'0': num, '1': num, '2': num, '3': num, '4': num, '5': num, '6': num, '7': num, '8': num, '9': num,
	'A': big, 'B': big, 'C': big, 'D': big, 'E': big, 'F': big, 'G': big, 'H': big, 'I': big, 'J': big, 'K': big,
	'L': big, 'M': big, 'N': big, 'O': big, 'P': big, 'Q': big, 'R': big, 'S': big, 'T': big, 'U': big, 'V': big,
	'W': big, 'X': big, 'Y': big, 'Z': big,
	'a': hex, 'b': hex, 'c': hex, 'd': hex, 'e': hex, 'f': hex,
	'g': small, 'h': small, 'i': small, 'j': small, 'k': small, 'l': small, 'm': small, 'n': small, 'o': small,
	'p': small, 'q': small, 'r': small, 's': small, 't': small, 'u': small, 'v': small, 'w': small, 'x': small,
	'y': small, 'z': small,
	'-': base | word, '_': base | word,
	'+': base, '/': base, '=': base,
	' ': space, '\t': space,
}

// byteAt returns s[i], or 0 when s has no such byte.
func byteAt(s string, i int) byte {
	if uint(i) < uint(len(s)) {
		return s[i]
	}
	return 0
}

// run returns the end of the bytes from i on that belong to these classes.
func run(s string, i int, of uint8) int { return runIn(s, i, len(s), of) }

// runIn is run that stops at end.
func runIn(s string, i, end int, of uint8) int {
	for i < end && class[s[i]]&of != 0 {
		i++
	}
	return i
}

// form counts what a string consists of.
type form struct {
	length, digits, uppers, lowers, others int
	changes                                int  // how often the class changes from one byte to the next
	hex                                    bool // nothing but 0-9a-f
	foreign                                bool // a byte is not ASCII
	spaced                                 bool // a byte is white space
}

func (f form) letters() int { return f.uppers + f.lowers }

// drawn reports whether a long string changes between capitals, small letters and digits as often as a random string
// does.
func (f form) drawn() bool {
	return f.length >= 20 && f.others*8 <= f.length && (f.digits > 1 || f.uppers > 3 && f.lowers > 3) &&
		f.changes*3 >= f.length
}

func measure(s string) form {
	steps(len(s))
	f := form{length: len(s), hex: true}
	last := uint8(0)
	for i := range len(s) {
		c := class[s[i]]
		k := c & alnum
		switch k {
		case digit:
			f.digits++
		case upper:
			f.uppers++
		case lower:
			f.lowers++
		default:
			f.others++
			f.foreign = f.foreign || s[i] >= 0x80
			f.spaced = f.spaced || c&space != 0
		}
		if c&hexa == 0 {
			f.hex = false
		}
		if i > 0 && k != last {
			f.changes++
		}
		last = k
	}
	return f
}

const digits = "0123456789"

// wordy reports whether v consists of words and short numbers: an identifier, a file name, a version.
func wordy(v string) bool {
	all := measure(v)
	words, odd, inner := 0, 0, false // odd: too short for a word, or without a vowel
	for rest := v; rest != ""; {
		part := rest
		if at := strings.IndexAny(rest, "-_./: +="); at >= 0 {
			part, rest = rest[:at], rest[at+1:]
		} else {
			rest = ""
		}
		f := measure(part)
		if f.digits > 4 || f.others > 0 {
			return false
		}
		for part = strings.Trim(part, digits); part != ""; part = strings.TrimLeft(part, digits) {
			n := runIn(part, 0, len(part), upper)
			n = runIn(part, n, len(part), lower)
			words++
			switch vowel := strings.ContainsAny(part[:n], "aeiouAEIOU"); {
			case !vowel || n < 3 || n > 2 && runIn(part, 0, n, upper) == 2:
				odd++
			}
			part = part[n:]
			inner = inner || part != "" && class[part[0]]&digit != 0 // Uint8Array
		}
	}
	if inner && odd > 0 {
		return false
	}
	return odd*2 <= words || (all.uppers == 0 || all.lowers == 0) && strings.IndexByte(v, '+') < 0
}
