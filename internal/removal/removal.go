// Package removal remembers for a day the titles and names of records that were removed, so that nobody writes one
// again by mistake. Its list has fingerprints and no words. Records themselves may not come in.
package removal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
)

const (
	keptFor = 24 * time.Hour
	maxFile = 1 << 20 // bytes
)

// List is the list in Dir, memento's folder. Who changes it holds the lock of all records.
type List struct {
	Dir string
	Now func() time.Time
}

// When returns when a record of this title was removed, and false when none was in the last 24 hours.
func (l List) When(project, title string) (time.Time, bool) {
	when, ok := l.read()[titled(project, title)]
	return when, ok
}

// HasName reports whether a record of this name was removed in the last 24 hours.
func (l List) HasName(project, slug string) bool {
	_, ok := l.read()[named(project, slug)]
	return ok
}

// Add notes that a record of this title, and of this name unless slug is "", is removed now. Errors: safefile's; the
// list is then unchanged.
func (l List) Add(project, title, slug string) error {
	all, now := l.read(), l.Now().UTC().Truncate(time.Second)
	all[titled(project, title)] = now
	if slug != "" {
		all[named(project, slug)] = now
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return safefile.Replace(l.path(), append(data, '\n'), 0o600)
}

func (l List) path() string { return filepath.Join(l.Dir, "removed.json") }

// read returns the times of the last 24 hours by their fingerprints. An unreadable list is empty: the list guards
// against mistakes and promises nothing.
func (l List) read() map[string]time.Time {
	out := map[string]time.Time{}
	data, err := safefile.Read(l.path(), maxFile)
	if err != nil || json.Unmarshal(data, &out) != nil {
		return map[string]time.Time{}
	}
	for k, t := range out {
		if l.Now().Sub(t).Abs() >= keptFor { // also a time in the future, from a wrong clock
			delete(out, k)
		}
	}
	return out
}

// titled returns the fingerprint of a title in a project.
func titled(project, title string) string { return fingerprint(project, naming.TitleKey(title)) }

// named returns the fingerprint of a record's name. It differs from every title's, since no title has a NUL.
func named(project, slug string) string { return fingerprint(project, "\x00"+slug) }

func fingerprint(project, words string) string {
	h := sha256.Sum256([]byte(project + "\n" + words))
	return hex.EncodeToString(h[:16])
}
