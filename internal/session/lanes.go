package session

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// All returns the memories in dir. It skips damaged ones. Errors: safefile.ErrRefused for a folder that is not
// memento's, or the disk's.
func All(dir string) (all []Memory, err error) {
	folder := filepath.Join(dir, safefile.Cache)
	entries, err := safefile.ListFolder(folder)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		data, err := safefile.Read(filepath.Join(folder, e.Name()), maxMemory)
		if safefile.Unreadable(err) {
			return nil, err
		}
		var s Memory
		if err == nil && decode(data, &s) && s.ID != "" {
			all = append(all, s)
		}
	}
	return all, err
}

// Find returns the ids of the sessions with a memory in dir whose lane is chosen, sorted. Errors: those of All.
func Find(dir string, chosen func(lane string) bool) (ids []string, err error) {
	all, err := All(dir)
	for _, s := range all {
		if chosen(s.Lane) {
			ids = append(ids, s.ID)
		}
	}
	slices.Sort(ids)
	return ids, err
}

// Bound opens every session whose lane is chosen. None of their hooks runs until the session is saved or released. wait
// is for each lock. It skips damaged memories. Errors: safefile's, or the disk's; then it holds no session.
func Bound(dir string, chosen func(lane string) bool, wait time.Duration) (held []*Session, err error) {
	ids, err := Find(dir, chosen)
	for _, id := range ids {
		var one *Session
		if one, err = Open(dir, id, wait); err != nil {
			break
		}
		if chosen(one.Lane) {
			held = append(held, one)
		} else { // it has moved or is gone meanwhile
			one.Release()
		}
	}
	if err == nil {
		return held, nil
	}
	for _, s := range held {
		s.Release()
	}
	return nil, err
}
