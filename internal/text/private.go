package text

import (
	"strings"
	"unicode"
)

// PrivateMark replaces a private text.
const PrivateMark = "[private]"

// Private returns s with PrivateMark in the place of everything between <private> and </private>, with the tags. It
// returns "" when s holds nothing else. Tags may have any case, and spaces inside the brackets. They nest. A tag that
// is not closed reaches to the end.
func Private(s string) string {
	at := 0
	begin, behind, closing := privateTag(s, at)
	if begin < 0 {
		return s
	}
	var out, rest strings.Builder // rest is out without the marks
	depth := 0
	for ; begin >= 0; begin, behind, closing = privateTag(s, at) {
		switch {
		case closing && depth > 0:
			depth--
		case closing: // closes nothing: words like any other
			out.WriteString(s[at:behind])
			rest.WriteString(s[at:behind])
		case depth == 0:
			out.WriteString(s[at:begin] + PrivateMark)
			rest.WriteString(s[at:begin])
			depth++
		default:
			depth++
		}
		at = behind
	}
	if depth == 0 {
		out.WriteString(s[at:])
		rest.WriteString(s[at:])
	}
	if strings.IndexFunc(strings.ReplaceAll(rest.String(), PrivateMark, ""), worded) < 0 &&
		strings.Contains(out.String(), PrivateMark) {
		return ""
	}
	return out.String()
}

// worded reports whether r can be part of a word, a number or a picture, and is no space, punctuation or control
// character.
func worded(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsPunct(r) && !unicode.IsControl(r) && !invisible(r)
}

// privateTag finds the next <private> or </private> in s from at on. It returns where the tag begins and the place
// behind it; begin is -1 when there is none.
func privateTag(s string, at int) (begin, behind int, closing bool) {
	const name = "private"
	for {
		i := strings.IndexByte(s[at:], '<')
		if i < 0 {
			return -1, 0, false
		}
		begin = at + i
		rest := strings.TrimLeftFunc(s[begin+1:], unicode.IsSpace)
		if closing = strings.HasPrefix(rest, "/"); closing {
			rest = strings.TrimLeftFunc(rest[1:], unicode.IsSpace)
		}
		if hasPrefixFold(rest, name) {
			if end := strings.TrimLeftFunc(rest[len(name):], unicode.IsSpace); strings.HasPrefix(end, ">") {
				return begin, len(s) - len(end) + 1, closing
			}
		}
		at = begin + 1
	}
}
