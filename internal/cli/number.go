package cli

import (
	"fmt"
	"hash/fnv"
	"slices"
)

// firstNumber is the least of the numbers, of six digits, that a list shows. A number below it counts from the list's
// beginning.
const firstNumber = 100_000

// identity returns a hash of the parts of an entry, which stays whatever else its list gains and loses.
func identity(parts ...string) uint64 {
	h := fnv.New64a()
	for _, part := range parts {
		h.Write([]byte(part + "\x00"))
	}
	return h.Sum64()
}

// shownNumber returns the number by which a list shows an entry with this identity.
func shownNumber(id uint64) int { return firstNumber + int(id%(9*firstNumber)) }

// withNumber returns of a list, which the command look prints, the entry with the number n, or the n-th. thing is what
// an entry is called. It fails for a number that different entries share.
func withNumber[T any](list []T, idOf func(T) uint64, n int, thing, look string) (found T, err error) {
	if n < firstNumber {
		if n < 1 || n > len(list) {
			return found, hinted(upTo(look, len(list)), "no %s %d", thing, n)
		}
		return list[n-1], nil
	}
	var ids []uint64
	for _, one := range list {
		if id := idOf(one); shownNumber(id) == n {
			found, ids = one, append(ids, id)
		}
	}
	switch slices.Sort(ids); {
	case len(ids) == 0:
		return found, hinted(look, "no %s %d", thing, n)
	case ids[0] != ids[len(ids)-1]:
		return found, hinted("count from the list's beginning", "more than one %s has the number %d", thing, n)
	}
	return found, nil
}

// upTo is the hint that the command look lists n entries, which count from 1.
func upTo(look string, n int) string {
	switch n {
	case 0:
		return look + " lists none"
	case 1:
		return look + " lists 1"
	}
	return fmt.Sprintf("%s lists 1 to %d", look, n)
}
