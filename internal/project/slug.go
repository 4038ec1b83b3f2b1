package project

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"
)

const maxSlug = 48

// shorten cuts a slug to limit bytes, between two characters.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && s[limit]&0xc0 == 0x80 {
		limit--
	}
	return strings.TrimRight(s[:limit], "-._")
}

// Slug makes name safe as the project part of a file name: lower case, letters, digits, '.', '_' and single hyphens,
// beginning with a letter or digit, at most 48 bytes. When no character of name can stay, the slug is "project" and a
// hash. The slug "user" is reserved for user-level records; a project of that name gets "user-project".
func Slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case (r == '.' || r == '_') && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	s := shorten(strings.Trim(b.String(), "-._"), maxSlug)
	switch s {
	case "":
		h := fnv.New32a()
		h.Write([]byte(name))
		return fmt.Sprintf("project-%08x", h.Sum32())
	case "user":
		return "user-project"
	}
	return s
}
