package session

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Bound opens every session whose lane is chosen. None of their hooks runs until the session is saved or released. wait
// is for each lock. It skips damaged memories. Errors: safefile.ErrBusy, safefile.ErrRefused, or the disk's; then it
// holds no session.
func Bound(dir string, chosen func(lane string) bool, wait time.Duration) (held []*Session, err error) {
	defer func() {
		if err != nil {
			for _, s := range held {
				s.Release()
			}
			held = nil
		}
	}()
	lanes, err := Lanes(dir)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(lanes)) {
		if !chosen(lanes[id]) {
			continue
		}
		one, err := Open(dir, id, wait)
		if err != nil {
			return held, err
		}
		if !chosen(one.Lane) { // it has moved or is gone meanwhile
			one.Release()
			continue
		}
		held = append(held, one)
	}
	return held, nil
}

// Lanes returns the lane of each session with a memory in dir, by the session's id. It skips damaged memories.
func Lanes(dir string) (map[string]string, error) {
	out := map[string]string{}
	entries, err := safefile.List(filepath.Join(dir, safefile.Cache))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		s, err := saved(filepath.Join(dir, safefile.Cache, e.Name()))
		if safefile.Unreadable(err) {
			return nil, err
		}
		if s.ID != "" {
			out[s.ID] = s.Lane
		}
	}
	return out, nil
}
