package journal

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// maxFold is how large a history may become by Fold, in bytes. Fold writes it whole.
const maxFold = 128 << 20

// Fold moves the journals and histories of sides, lanes that ran beside the store's own, into the history of the
// store's lane, in the order of time, and returns the lanes it folded. Open missions are parked: their session, or
// mission --resume, finds them there. The caller holds the locks of sides, and no session uses them. Fold skips a lane
// whose journal cannot be read, one that has unknown fields but no open mission, and one that would make the history
// larger than maxFold. Errors: safefile.ErrBusy, safefile.ErrTooLarge, or the disk's. Nothing is lost then, and another
// Fold goes on.
func (s Store) Fold(sides []project.Lane) (folded []project.Lane, err error) {
	if err := s.prepare(); err != nil {
		return nil, err
	}
	unlock, err := safefile.Lock(s.Lane.Lock(), s.Wait)
	if err != nil {
		return nil, err
	}
	defer unlock()
	base, err := safefile.Read(s.Lane.History(), maxFold)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	known := map[string]int{} // an interrupted Fold may have moved some lines
	for line := range bytes.Lines(base) {
		known[string(bytes.TrimRight(line, "\r\n"))]++
	}
	size := len(base)
	var moved []foldLine
	for _, side := range sides {
		store := s
		store.Lane, store.Last = side, nil
		lines, err := store.leaving()
		if err != nil {
			continue
		}
		n := 0
		for _, l := range lines {
			n += len(l.raw) + 1
		}
		if size += n; size > maxFold {
			break
		}
		for _, l := range lines {
			if known[l.raw] > 0 {
				known[l.raw]--
				continue
			}
			moved = append(moved, l)
		}
		folded = append(folded, side)
	}
	if len(moved) > 0 {
		slices.SortStableFunc(moved, func(a, b foldLine) int { return cmp.Compare(a.ts, b.ts) })
		if err := safefile.Replace(s.Lane.History(), merge(base, moved), 0o600); err != nil {
			return nil, err
		}
	}
	for _, side := range folded {
		// the journal first: the history already holds its facts
		for _, path := range [...]string{side.Journal(), side.History()} {
			if err := safefile.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	return folded, nil
}

// foldLine is a line of history with the newest time up to that line, by which Fold sorts.
type foldLine struct{ ts, raw string }

// leaving returns the facts of the lane's journal and history, as lines of history.
func (s Store) leaving() (out []foldLine, err error) {
	data, err := safefile.Read(s.Lane.History(), maxFold)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	j, err := s.read(nil)
	if errors.Is(err, fs.ErrNotExist) {
		j, err = &Journal{}, nil
	}
	if err != nil {
		return nil, err
	}
	lines := bytes.Split(data, []byte("\n"))
	j.now = s.Now
	for _, line := range slices.Backward(lines) { // the facts get the time when the lane was left
		if at, err := time.Parse(time.RFC3339, history.TimeOf(line)); err == nil {
			j.now = at
			break
		}
	}
	switch {
	case j.Open():
		j.Park()
	case j.extra > 0:
		return nil, fmt.Errorf("%s: %w", s.Lane.Journal(), ErrCorrupt)
	default:
		j.shed()
	}
	for _, line := range j.out {
		lines = append(lines, []byte(line))
	}
	ts := ""
	for _, line := range lines {
		if line = bytes.TrimRight(line, "\r"); len(line) > 0 {
			ts = max(ts, history.TimeOf(line))
			out = append(out, foldLine{ts, string(line)})
		}
	}
	return out, nil
}

// merge inserts lines, which are sorted by time, into base.
func merge(base []byte, lines []foldLine) []byte {
	out := make([]byte, 0, len(base)+len(lines)*256)
	ts := ""
	for line := range bytes.Lines(base) {
		ts = max(ts, history.TimeOf(line))
		for len(lines) > 0 && lines[0].ts < ts {
			out = append(append(out, lines[0].raw...), '\n')
			lines = lines[1:]
		}
		out = append(append(out, bytes.TrimRight(line, "\n")...), '\n')
	}
	for _, l := range lines {
		out = append(append(out, l.raw...), '\n')
	}
	return out
}
