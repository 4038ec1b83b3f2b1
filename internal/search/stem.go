package search

import (
	"cmp"
	"strings"
)

// stem returns the stem of a folded word. English plurals, past tenses and -ing forms get the stem of their base form,
// and so do the irregular forms of the most common verbs. A word with anything but ASCII letters stays as it is, so
// that other scripts, identifiers and versions do. The stem need not be a word. The rules are few on purpose, so that
// two words with different meanings rarely get one stem.
func stem(w string) string {
	if strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return w
	}
	if w = cmp.Or(base(w), w); len(w) < 3 {
		return w
	}
	n := len(w)
	switch {
	case n > 4 && (strings.HasSuffix(w, "ies") || strings.HasSuffix(w, "ied")):
		w = w[:n-3] + "y"
	case n > 4 && strings.HasSuffix(w, "es") && strings.IndexByte("sxzh", w[n-3]) >= 0:
		w = w[:n-2]
	case n > 3 && w[n-1] == 's' && strings.IndexByte("sui", w[n-2]) < 0:
		w = w[:n-1]
	}
	for _, end := range [...]string{"ingly", "edly", "ing", "ed"} {
		if n := len(w) - len(end); n >= 3 && strings.HasSuffix(w, end) && strings.ContainsAny(w[:n], "aeiouy") {
			w = w[:n]
			if c := w[n-1]; c == w[n-2] && c != 'l' && c != 's' && c != 'z' {
				w = w[:n-1]
			}
			break
		}
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	if len(w) > 2 && w[len(w)-1] == 'y' {
		w = w[:len(w)-1] + "i"
	}
	return w
}
