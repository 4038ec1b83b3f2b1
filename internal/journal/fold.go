package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/mementohq/memento/internal/safefile"
)

// Fold ends the store's lane, which ran beside another one and which no session uses: what its journal holds goes to
// the log. An open mission is parked: its session, or mission --resume, finds it there. Errors: safefile.ErrBusy,
// ErrCorrupt for a journal that cannot be read or has unknown fields but no open mission, or the disk's. Nothing is
// lost then, and another Fold goes on.
func (s Store) Fold() error {
	unlock, err := safefile.Lock(s.Lane.Lock(), 0)
	if err != nil {
		return err
	}
	defer unlock()
	j, err := s.leaving()
	if err == nil {
		err = s.keep(j.out)
	}
	if err == nil {
		err = safefile.Remove(s.Lane.Journal())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return safefile.Remove(s.Lane.Lock())
}

// leaving returns the lane's journal after its facts have left it, at the time of its last change.
func (s Store) leaving() (*Journal, error) {
	j, err := s.Read()
	if err != nil {
		return nil, err
	}
	if info, err := os.Lstat(s.Lane.Journal()); err == nil {
		j.now = info.ModTime()
	}
	switch {
	case j.Open():
		j.Park()
	case j.extra > 0:
		return nil, fmt.Errorf("%s: %w", s.Lane.Journal(), ErrCorrupt)
	default:
		j.shed()
	}
	return j, nil
}
