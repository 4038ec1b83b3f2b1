package text

import (
	"slices"
	"strings"
)

// OneOf reports whether w is one of list.
func OneOf(w string, list ...string) bool { return slices.Contains(list, w) }

// ContainsOne reports whether s contains one of list.
func ContainsOne(s string, list ...string) bool {
	return slices.ContainsFunc(list, func(l string) bool { return strings.Contains(s, l) })
}

// BeginsWithOne reports whether s begins with one of list.
func BeginsWithOne(s string, list ...string) bool {
	return slices.ContainsFunc(list, func(l string) bool { return strings.HasPrefix(s, l) })
}
