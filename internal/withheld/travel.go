package withheld

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// sent is what other machines must erase too: by the fingerprint of an id the zero time, by that of a session the time
// up to which its turns go. It travels as lines, which say nothing of words.
type sent map[string]time.Time

// add adds lines, and skips those that say nothing. Errors: ErrErasedUnreadable when they are too many.
func (s sent) add(lines string) error {
	if strings.Count(lines, "\n") > maxEntries {
		return fmt.Errorf("%w: more than %d entries of other machines", ErrErasedUnreadable, maxEntries)
	}
	for line := range strings.Lines(lines) {
		id, when, isSession := strings.Cut(strings.TrimSpace(line), "@")
		until, err := time.Parse(time.RFC3339, when)
		if len(id) != 16 || strings.Trim(id, "0123456789abcdef") != "" || isSession && err != nil {
			continue
		}
		if was, known := s[id]; !known || until.After(was) {
			s[id] = until.UTC().Truncate(time.Second)
		}
	}
	return nil
}

func (s sent) lines() []byte {
	var out []byte
	for _, id := range slices.Sorted(maps.Keys(s)) {
		if out = append(out, id...); !s[id].IsZero() {
			out = s[id].AppendFormat(append(out, '@'), time.RFC3339)
		}
		out = append(out, '\n')
	}
	return out
}

// Send returns what other machines must erase too, as lines.
func (l *Erased) Send() []byte { return l.sent.lines() }

// JoinSent returns what either of two files of lines says. Errors: ErrErasedUnreadable when that is too much.
func JoinSent(a, b []byte) ([]byte, error) {
	all := sent{}
	err := errors.Join(all.add(string(a)), all.add(string(b)))
	return all.lines(), err
}

// With returns the list together with the lines of other machines. Errors: ErrErasedUnreadable.
func (l *Erased) With(lines []byte) (*Erased, error) {
	out := &Erased{file: l.file, sent: maps.Clone(l.sent)}
	return out, out.sent.add(string(lines))
}

// Receive adds the lines of other machines to the list in dir, memento's folder. Errors: as of Erasure.Add.
func Receive(dir string, lines []byte, wait time.Duration) error {
	return changeErased(dir, wait, func(l *Erased) error { return l.sent.add(string(lines)) })
}
