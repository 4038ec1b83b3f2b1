package past

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// Version tells whether the turns of a session changed: two versions of one session with the same Number, and the same
// Size and Time where both have Seen, have the same turns.
type Version struct {
	ID     string // of the session, see Session
	Number uint64 // of its files, 0 where the system has none
	Seen   bool   // Size and Time are known
	Size   int64
	Time   int64 // nanoseconds since 1970
}

// Versions returns the versions of all sessions of a project, in no particular order. It reads the folders, and looks
// only at files that may change in place: a closed session's file is replaced whole, so that its number is enough.
func (s Store) Versions(project string) (out []Version, err error) {
	months, err := s.months(project)
	if err != nil {
		return nil, err
	}
	for _, month := range months {
		folder := filepath.Join(s.folder(project), month)
		at := map[string]int{} // session -> place in out
		err := safefile.Names(folder, "", func(n safefile.Name) {
			id, open := strings.CutSuffix(n.Name, openEnd)
			if !open {
				var closed bool
				if id, closed = strings.CutSuffix(n.Name, closedEnd); !closed {
					return
				}
			}
			if open || n.Number == 0 {
				if n, err = safefile.Stat(filepath.Join(folder, n.Name)); err != nil {
					return // it was closed or erased meanwhile
				}
			}
			i, known := at[id]
			if !known {
				i = len(out)
				at[id] = i
				out = append(out, Version{ID: id})
			}
			v := &out[i]
			v.Number ^= n.Number
			if open || n.Number == 0 {
				v.Seen, v.Size, v.Time = true, v.Size+n.Size, max(v.Time, n.Time)
			}
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return out, nil
}
