// Package notice remembers which news the person was told: so that a start of a session does not say the same twice.
// Its file is state/notices in memento's folder, one fingerprint a line, the newest last. It holds nobody's words and
// no project's name, so there is nothing to erase or to rename.
//
// What is news, and what is said of it, may not come in.
package notice

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

const (
	maxFile = 64 << 10 // bytes
	maxTold = 500      // fingerprints, the newest
)

func path(dir string) string { return filepath.Join(dir, "state", "notices") }

// Key returns the fingerprint of a piece of news. The parts together tell it apart from all others.
func Key(parts ...string) string {
	sum := fnv.New64a()
	for _, p := range parts {
		fmt.Fprintf(sum, "%d:%s", len(p), p)
	}
	return fmt.Sprintf("%016x", sum.Sum64())
}

// Told is the news that the person was told.
type Told []string

// Load reads what the person was told, in dir, memento's folder. A file that is missing or cannot be read has nothing.
func Load(dir string) Told {
	data, _ := safefile.Read(path(dir), maxFile)
	return strings.Fields(string(data))
}

// Has reports whether the person was told all of these news.
func (t Told) Has(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(t, k) })
}

// Note notes in dir that the person is told this news. It returns false if another session is telling it at this moment
// or has told it, and if the disk refuses: the person would be told again and again. It waits at most wait.
func Note(dir string, wait time.Duration, keys ...string) bool {
	unlock, err := safefile.Lock(path(dir)+".lock", wait)
	if err != nil {
		return false
	}
	defer unlock()
	told := Load(dir)
	if told.Has(keys...) {
		return false
	}
	for _, k := range keys {
		if !told.Has(k) {
			told = append(told, k)
		}
	}
	told = told[max(0, len(told)-maxTold):]
	return safefile.ReplaceVolatile(path(dir), []byte(strings.Join(told, "\n")+"\n"), 0o600) == nil
}
