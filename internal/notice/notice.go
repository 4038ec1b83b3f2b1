// Package notice remembers which news the person was told: so that a start of a session does not say the same twice,
// nor what the person has just looked up. Its file is cache/notices in memento's folder, one fingerprint a line, the
// newest last. It holds nobody's words and no project's name, so there is nothing to erase or to rename.
//
// How news is found, and what is said of it, may not come in.
package notice

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

const (
	maxFile = 64 << 10 // bytes
	maxTold = 1500     // fingerprints that stay when the file is written anew, the newest
)

// The fingerprints of news. The arguments tell a piece of news apart from all others of its kind.

// Paused is that memento is paused since then.
func Paused(since time.Time) string { return text.Fingerprint("paused", since.UTC().String()) }

// Unsynced is that syncs fail since then.
func Unsynced(since time.Time) string { return text.Fingerprint("unsynced", since.UTC().String()) }

// Shared is that these files of a project's repository wait, as shared.Repository.Waiting names them.
func Shared(project, set string) string { return text.Fingerprint("shared", project, set) }

// Rule is a rule of these words.
func Rule(words string) string { return text.Fingerprint("rule", words) }

func path(dir string) string { return filepath.Join(dir, safefile.Cache, "notices") }

// Told is the news that the person was told.
type Told []string

// Load reads what the person was told, in dir, memento's folder. A file that is missing or cannot be read has nothing.
func Load(dir string) Told {
	told, _ := load(dir)
	return told
}

func load(dir string) (Told, error) {
	data, err := safefile.Read(path(dir), maxFile)
	return strings.Fields(string(data)), err
}

// Has reports whether the person was told this news.
func (t Told) Has(key string) bool { return slices.Contains(t, key) }

// Note notes in dir that the person is told this news. It returns false if another session is telling it at this moment
// or has told it, and if the disk refuses: the person would be told again and again. It waits at most wait.
func Note(dir string, wait time.Duration, keys ...string) bool {
	unlock, err := safefile.LockIn(dir, "notices", wait)
	if err != nil {
		return false
	}
	defer unlock()
	if safefile.Dir(filepath.Dir(path(dir))) != nil {
		return false
	}
	told, unread := load(dir)
	fresh := slices.DeleteFunc(slices.Clone(keys), told.Has)
	if len(fresh) == 0 {
		return false
	}
	// a file that cannot be read would be told from again and again, and grow
	if all := append(told, fresh...); unread != nil || len(all) > 2*maxTold {
		return safefile.ReplaceVolatile(path(dir), lines(all[max(0, len(all)-maxTold):]), 0o600) == nil
	}
	return safefile.Append(path(dir), lines(fresh), false) == nil // without a new file it takes a third of the time
}

func lines(keys []string) []byte { return []byte(strings.Join(keys, "\n") + "\n") }
