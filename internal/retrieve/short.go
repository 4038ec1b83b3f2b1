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
	return func(id string) string {
		if _, there := slices.BinarySearch(ids, id); !there {
			return id
		}
		owner, slug, _ := naming.Cut(id)
		alone := max(beginning(ids, id), leastName+len(id)-len(slug))
		short := id[:wordEnd(id, alone)]
		if owner != project {
			return short
		}
		short = strings.TrimPrefix(short, naming.Prefix(owner))
		if isAnother(ids, id, short, project) {
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
		for _, form := range [...]string{name, norm.NFC.String(name), naming.Shared(name)} {
			other, err := naming.ID(owner, form)
			if _, there := slices.BinarySearch(ids, other); err == nil && there {
				return other != id
			}
		}
	}
	return false
}

// beginning returns how many bytes of id are enough to tell it from the other ids, which are sorted. It is the whole
// length for an id that is not among them.
func beginning(ids []string, id string) int {
	i, there := slices.BinarySearch(ids, id)
	if !there {
		return len(id)
	}
	next := i
	for next < len(ids) && ids[next] == id {
		next++
	}
	n := 0
	for _, j := range [...]int{i - 1, next} {
		if j >= 0 && j < len(ids) {
			n = max(n, common(id, ids[j])+1)
		}
	}
	return n
}

// common returns how many bytes two ids have in common at their beginning.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
