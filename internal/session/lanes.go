package session

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Lanes returns the lane of each session with a memory in dir, by the session's id. It skips damaged memories. Errors:
// safefile.ErrRefused for a folder that is not memento's, or the disk's.
func Lanes(dir string) (map[string]string, error) {
	out := map[string]string{}
	folder := filepath.Join(dir, safefile.Cache)
	entries, err := safefile.ListFolder(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".json") || safefile.Temporary(e.Name()) {
			continue
		}
		s, err := saved(filepath.Join(folder, e.Name()))
		if safefile.Unreadable(err) {
			return nil, err
		}
		if s.ID != "" {
			out[s.ID] = s.Lane
		}
	}
	return out, nil
}

// Find returns the ids of the sessions with a memory in dir whose lane is chosen, sorted. Errors: those of Lanes.
func Find(dir string, chosen func(lane string) bool) (ids []string, err error) {
	lanes, err := Lanes(dir)
	for id, lane := range lanes {
		if chosen(lane) {
			ids = append(ids, id)
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
		one, openErr := Open(dir, id, wait)
		if openErr != nil {
			err = openErr
			break
		}
		if held = append(held, one); !chosen(one.Lane) { // it has moved or is gone meanwhile
			one.Release()
			held = held[:len(held)-1]
		}
	}
	if err != nil {
		for _, s := range held {
			s.Release()
		}
		return nil, err
	}
	return held, nil
}
