package retrieve

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
)

// leastName is the fewest bytes of a short name. Shorter ones are soon another record's, too.
const leastName = 8

// Shorten returns a function that gives the shortest name of whole words by which Find finds a record from project: how
// its name alone begins, with another project before it where the record has one. An id that is not in the store stays
// as it is.
func Shorten(s record.Store, project string) (func(id string) string, error) {
	ids, err := s.IDs()
	if err != nil {
		return nil, err
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return func(id string) string {
		at, isThere := slices.BinarySearch(ids, id)
		if !isThere {
			return id
		}
		owner, slug, _ := naming.Cut(id)
		alone := leastName + len(id) - len(slug) // how many bytes tell id from the ids beside it
		for _, other := range append(slices.Clone(ids[max(at-1, 0):at]), ids[at+1:min(at+2, len(ids))]...) {
			n := 0
			for n < min(len(id), len(other)) && id[n] == other[n] {
				n++
			}
			alone = max(alone, n+1)
		}
		short := id[:wordEnd(id, alone)]
		if owner != project {
			return short
		}
		if short = strings.TrimPrefix(short, naming.Prefix(owner)); isAnother(ids, id, short, project) {
			return id
		}
		return short
	}, nil
}

// longWord is how many bytes of a word a short name may have beyond those that it needs. Chinese has no spaces.
const longWord = 16

// wordEnd returns the end of the word of id that holds the place at; the end of a letter near it in a long word.
func wordEnd(id string, at int) int {
	for i, r := range id {
		if i < at {
			continue
		}
		if r == '-' || i > at+longWord && !unicode.Is(unicode.M, r) {
			return i
		}
	}
	return len(id)
}

// isAnother reports whether FindWhole takes name for another record than id.
func isAnother(ids []string, id, name, project string) bool {
	for _, owner := range [...]string{project, naming.User} {
		for _, form := range [...]string{name, norm.NFC.String(name)} {
			other, err := naming.ID(owner, form)
			if _, there := slices.BinarySearch(ids, other); err == nil && there {
				return other != id
			}
		}
	}
	return false
}
