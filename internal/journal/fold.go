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

// maxFold is how large the history may become that other lanes are folded into, in bytes: it is written whole.
const maxFold = 128 << 20

// Fold moves what the lanes sides hold, which ran beside the store's own, into its history, each line by its time, and
// removes their journals and histories. An open mission is parked: its session, or mission --resume, finds it there.
// The caller sees to it that no session uses them, and holds their locks. A lane stays as it is when its journal cannot
// be read or has fields that memento does not know beside no open mission, and when there is no room for it. Fold
// returns the lanes that were folded. Errors: safefile.ErrBusy, safefile.ErrTooLarge, or what the disk said; nothing
// was lost then, and the same again goes on.
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
	known := map[string]int{} // a run that was cut off has moved some already
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
		// the journal first: without it the history says what was parked
		for _, path := range [...]string{side.Journal(), side.History()} {
			if err := safefile.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	return folded, nil
}

// foldLine is a line of history with the time that it is sorted by: the newest up to there.
type foldLine struct{ ts, raw string }

// leaving returns all that the lane holds, as lines of history.
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
	for _, line := range slices.Backward(lines) { // what is put away now was left then
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

// merge puts lines, sorted by their times, between those of base that are older and those that are newer.
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
