package record

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
)

const (
	removedFor = day
	maxRemoved = 1 << 20 // bytes
)

// removedPath is the path of the list of the titles and names of removed records. It has fingerprints and no words.
func (s Store) removedPath() string { return filepath.Join(s.Dir, "removed.json") }

// HasRemoved reports whether a record of this name was removed in the last 24 hours.
func (s Store) HasRemoved(project, slug string) bool {
	_, ok := s.removed()[removedSum(project, "\x00"+slug)]
	return ok
}

// NoteRemoved notes that a record of this title, and of this name unless slug is "", is removed now, so that nobody
// writes it again by mistake. The caller holds the lock of all records. Errors: safefile's; the list is then unchanged.
func (s Store) NoteRemoved(project, title, slug string) error {
	all, now := s.removed(), s.Now().UTC().Truncate(time.Second)
	all[removedSum(project, naming.TitleKey(title))] = now
	if slug != "" {
		all[removedSum(project, "\x00"+slug)] = now
	}
	data, _ := json.Marshal(all) // strings and times of these years always marshal
	return safefile.Replace(s.removedPath(), append(data, '\n'), 0o600)
}

// refuseRemoved returns ErrRemoved when a record of this title was removed in the last 24 hours (see Asked).
func (s Store) refuseRemoved(project, title string) error {
	when, ok := s.removed()[removedSum(project, naming.TitleKey(title))]
	if !ok || !s.Asked.IsZero() && !s.Asked.Before(when) {
		return nil
	}
	const why = "a record called %q %w at %s; for 24 hours none of that title is written"
	return fmt.Errorf(why, title, ErrRemoved, stamp(when))
}

// removed returns the times of the last 24 hours by their fingerprints. An unreadable list is empty: the list guards
// against mistakes and promises nothing.
func (s Store) removed() map[string]time.Time {
	out := map[string]time.Time{}
	data, err := safefile.Read(s.removedPath(), maxRemoved)
	if err != nil || json.Unmarshal(data, &out) != nil {
		return map[string]time.Time{}
	}
	for k, t := range out {
		if s.Now().Sub(t).Abs() >= removedFor { // also a time in the future, from a wrong clock
			delete(out, k)
		}
	}
	return out
}

// removedSum returns the fingerprint of a title's key in a project, or of a record's name behind a NUL, which no title
// has.
func removedSum(project, words string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(project+"\n"+words)))[:32]
}
