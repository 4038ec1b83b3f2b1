// Package pace remembers how the last sync ended: so the next one that nobody asked for waits after a failure, and a
// person hears of failures. Its file is sync/pace.json in memento's folder. The file is there from the first good sync
// on, until a person switches sync off.
//
// How a sync works may not come in: hooks read this file.
package pace

import (
	"encoding/json"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Pace says how the last syncs ended.
type Pace struct {
	Last     time.Time `json:"last"`              // end of the last good sync
	Due      time.Time `json:"due"`               // when the next sync may begin that nobody asked for
	Failed   time.Time `json:"failed,omitzero"`   // since when each sync has failed, zero after a good one
	Failures int       `json:"failures,omitzero"` // how many have
	Error    string    `json:"error,omitempty"`   // why the last one has
	Hint     string    `json:"hint,omitempty"`    // what helps
}

const (
	// rest is the time from a good sync to the next that a session's start begins: several may start at once.
	rest = time.Minute
	// longestRest is the longest time that failures make of it.
	longestRest = 6 * time.Hour
	// Silence is how long syncs may fail before a new session says so.
	Silence = 3 * 24 * time.Hour

	maxFile = 64 << 10 // bytes
)

// Folder is the folder of syncs in memento's folder.
const Folder = "sync"

// Path returns the path of the file in store, memento's folder.
func Path(store string) string { return filepath.Join(store, Folder, "pace.json") }

// History returns the paths of what syncs keep of the store's words, in store, memento's folder: the repository, and
// the list of the files in it.
func History(store string) (repo, cache string) {
	return filepath.Join(store, Folder, "repo"), filepath.Join(store, Folder, "cache")
}

// RemoveHistory removes what syncs keep of the store's words. The next sync fetches it again, and erases there what was
// forgotten. Errors: safefile.ErrBusy while a sync runs, the disk's.
func RemoveHistory(store string, wait time.Duration) error {
	unlock, err := safefile.LockIn(store, Folder, wait)
	if err != nil {
		return err
	}
	defer unlock()
	repo, cache := History(store)
	if err := safefile.Remove(cache); err != nil {
		return err
	}
	if err := safefile.RemoveTree(repo); err != nil {
		return err
	}
	return safefile.RemoveTree(repo + ".new") // of a rebuilding that was killed
}

// Load reads how the last syncs ended. ok is false if none was ever good, or the file cannot be read or is damaged.
func Load(store string) (p Pace, ok bool) {
	data, err := safefile.Read(Path(store), maxFile)
	if err != nil || json.Unmarshal(data, &p) != nil {
		return Pace{}, false
	}
	return p, true
}

// IsDue reports whether a sync may begin that nobody asked for. A time far ahead was written by a clock that was wrong.
func (p Pace) IsDue(now time.Time) bool {
	return !now.Before(p.Due) || p.Due.Sub(now) > longestRest
}

// IsHeld reports whether the last sync failed, and the next one that nobody asked for has to wait.
func (p Pace) IsHeld(now time.Time) bool { return p.Failures > 0 && !p.IsDue(now) }

// IsLong reports whether syncs have failed for so long that a person should hear of it.
func (p Pace) IsLong(now time.Time) bool {
	return !p.Failed.IsZero() && now.Sub(p.Failed) >= Silence
}

// Succeed notes a good sync that ended now. Errors: safefile's; then the file is unchanged.
func Succeed(store string, now time.Time) error {
	if err := safefile.Dir(filepath.Dir(Path(store))); err != nil {
		return err
	}
	return save(store, Pace{Last: now, Due: now.Add(rest)})
}

// Fail notes a sync that failed now, why it did, and what helps. It does nothing before the first good sync. Errors:
// safefile's; then the file is unchanged.
func Fail(store string, now time.Time, why, hint string) error {
	p, ok := Load(store)
	if !ok {
		return nil
	}
	if p.Failures++; p.Failed.IsZero() {
		p.Failed = now
	}
	p.Error, p.Hint = why, hint
	p.Due = now.Add(min(rest<<min(p.Failures, 10), longestRest))
	return save(store, p)
}

// Clear forgets how the last syncs ended. Errors: safefile's.
func Clear(store string) error { return safefile.Remove(Path(store)) }

// Erase takes out the reason for a failure if has recognises words in it, and reports whether it did; in a dry run,
// whether it would. Errors: safefile's; then the file is unchanged.
func Erase(store string, has func(string) bool, dry bool) (bool, error) {
	p, ok := Load(store)
	if !ok || !has(p.Error) && !has(p.Hint) {
		return false, nil
	}
	if dry {
		return true, nil
	}
	p.Error, p.Hint = "", ""
	return true, save(store, p)
}

func save(store string, p Pace) error {
	p.Last, p.Due, p.Failed = p.Last.UTC(), p.Due.UTC(), p.Failed.UTC()
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return safefile.Replace(Path(store), append(data, '\n'), 0o600)
}
