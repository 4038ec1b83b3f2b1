package text

import "strings"

// OneOf reports whether w is one of list.
func OneOf(w string, list ...string) bool {
	for _, l := range list {
		if w == l {
			return true
		}
	}
	return false
}

// ContainsOne reports whether s contains one of list.
func ContainsOne(s string, list ...string) bool {
	for _, l := range list {
		if strings.Contains(s, l) {
			return true
		}
	}
	return false
}

// BeginsWithOne reports whether s begins with one of list.
func BeginsWithOne(s string, list ...string) bool {
	for _, l := range list {
		if strings.HasPrefix(s, l) {
			return true
		}
	}
	return false
}
