package search

// stem returns the stem of a folded word. English plurals, past tenses and -ing forms get the stem of their base form,
// and so do the irregular forms of the most common verbs. A word with anything but ASCII letters stays as it is, so
// that other scripts, identifiers and versions do. The stem need not be a word. The rules are few on purpose, so that
// two words with different meanings rarely get one stem.
func stem(w string) string {
	for i := 0; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	if b := base(w); b != "" {
		w = b
	}
	return cutEndings(w)
}

// cutEndings is stem for a word of ASCII letters that is not irregular.
func cutEndings(w string) string {
	if len(w) < 3 {
		return w
	}
	n := len(w)
	switch {
	case n > 4 && (ends(w, "ies") || ends(w, "ied")):
		w = w[:n-3] + "y"
	case n > 4 && ends(w, "es") && (w[n-3] == 's' || w[n-3] == 'x' || w[n-3] == 'z' || w[n-3] == 'h'):
		w = w[:n-2]
	case n > 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i':
		w = w[:n-1]
	}
	for _, end := range [...]string{"ingly", "edly", "ing", "ed"} {
		if n := len(w) - len(end); n >= 3 && ends(w, end) && vowel(w[:n]) {
			w = w[:n]
			if c := w[n-1]; c == w[n-2] && c != 'l' && c != 's' && c != 'z' {
				w = w[:n-1]
			}
			break
		}
	}
	if len(w) > 3 && w[len(w)-1] == 'e' {
		w = w[:len(w)-1]
	}
	if len(w) > 2 && w[len(w)-1] == 'y' {
		w = w[:len(w)-1] + "i"
	}
	return w
}

func ends(w, end string) bool {
	// most words end in another letter
	return len(w) >= len(end) && w[len(w)-1] == end[len(end)-1] && w[len(w)-len(end):] == end
}

func vowel(w string) bool {
	for i := 0; i < len(w); i++ {
		switch w[i] {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			return true
		}
	}
	return false
}
