package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// Fold ends sides, lanes that ran beside the store's own, and returns those it ended: what their journals hold goes to
// the log. Open missions are parked: their session, or mission --resume, finds them there. The caller holds the locks
// of sides, and no session uses them. Fold skips a lane whose journal cannot be read, and one that has unknown fields
// but no open mission. Errors: safefile.ErrBusy, or the disk's. Nothing is lost then, and another Fold goes on.
func (s Store) Fold(sides []project.Lane) (folded []project.Lane, err error) {
	for _, side := range sides {
		s.Lane, s.Last = side, nil
		j, err := s.leaving()
		if errors.Is(err, fs.ErrNotExist) {
			folded = append(folded, side)
			continue
		}
		if err != nil {
			continue
		}
		if err := s.keep(j.out); err != nil {
			return folded, err
		}
		if err := safefile.Remove(side.Journal()); err != nil {
			return folded, err
		}
		folded = append(folded, side)
	}
	return folded, nil
}

// leaving returns the lane's journal after its facts have left it, at the time of its last change.
func (s Store) leaving() (*Journal, error) {
	j, err := s.read(nil)
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
