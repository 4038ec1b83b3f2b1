package text

import (
	"fmt"
	"hash/fnv"
)

// Fingerprint returns a hash of the words in this order. It has to be the same in all versions: it stands in files, and
// two versions of memento may answer one event.
func Fingerprint(words ...string) string {
	sum := fnv.New64a()
	for _, w := range words {
		fmt.Fprintf(sum, "%d:%s", len(w), w)
	}
	return fmt.Sprintf("%016x", sum.Sum64())
}
