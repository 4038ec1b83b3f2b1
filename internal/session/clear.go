package session

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Clear empties the folder cache: the memories, and all else that is made again. It takes the lock of each session, so
// that no hook writes back what it read before, and that of the index. Errors: safefile's; the same call again goes on.
func Clear(dir string, wait time.Duration) error { return clearCache(dir, wait, false) }

// ClearMade is Clear, but keeps the memories and which session holds which lane.
func ClearMade(dir string, wait time.Duration) error { return clearCache(dir, wait, true) }

func clearCache(dir string, wait time.Duration, keeps bool) error {
	folder := filepath.Join(dir, safefile.Cache)
	entries, err := safefile.ListFolder(folder)
	if err != nil || len(entries) == 0 {
		return err
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || keeps {
			continue
		}
		unlock, err := safefile.LockIn(dir, name, wait)
		if err != nil {
			return err
		}
		err = safefile.RemoveTree(filepath.Join(folder, e.Name()))
		if unlock(); err != nil {
			return err
		}
	}
	unlock, err := safefile.LockIn(dir, "index", wait)
	if err != nil {
		return err
	}
	defer unlock()
	for _, e := range entries {
		if end := filepath.Ext(e.Name()); keeps && (end == ".json" || end == ".holder") {
			continue
		}
		if err := safefile.RemoveTree(filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
