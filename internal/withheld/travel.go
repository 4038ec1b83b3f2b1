package withheld

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Send returns what other machines must erase too, as lines: the fingerprint of an id, or that of a session and the
// time up to which its turns go. The lines say nothing of words.
func (l *Erased) Send() []byte {
	return travelling(l.refs, l.file.Sessions)
}

func travelling(ids map[string]bool, sessions map[string]time.Time) []byte {
	var out []byte
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		out = fmt.Appendf(out, "id %s\n", id)
	}
	for _, s := range slices.Sorted(maps.Keys(sessions)) {
		out = fmt.Appendf(out, "session %s %s\n", s, sessions[s].UTC().Format(time.RFC3339))
	}
	return out
}

// arrived reads lines as Send returns them. It skips lines that say nothing.
func arrived(lines []byte) (ids map[string]bool, sessions map[string]time.Time, err error) {
	ids, sessions = map[string]bool{}, map[string]time.Time{}
	if bytes.Count(lines, []byte("\n")) > maxEntries {
		return nil, nil, fmt.Errorf("%w: more than %d entries of other machines", ErrErasedUnreadable, maxEntries)
	}
	for line := range strings.Lines(string(lines)) {
		parts := strings.Fields(line)
		switch {
		case len(parts) < 2 || len(parts[1]) != 16 || strings.Trim(parts[1], "0123456789abcdef") != "":
		case parts[0] == "id" && len(parts) == 2:
			ids[parts[1]] = true
		case parts[0] == "session" && len(parts) == 3:
			if until, err := time.Parse(time.RFC3339, parts[2]); err == nil && until.After(sessions[parts[1]]) {
				sessions[parts[1]] = until
			}
		}
	}
	return ids, sessions, nil
}

// JoinSent returns what either of two files of lines says. Errors: ErrErasedUnreadable when that is too much.
func JoinSent(a, b []byte) ([]byte, error) {
	ids, sessions, err := arrived(slices.Concat(a, []byte("\n"), b))
	return travelling(ids, sessions), err
}

// With returns the list together with the lines of other machines. Errors: ErrErasedUnreadable.
func (l *Erased) With(lines []byte) (*Erased, error) {
	all, err := JoinSent(l.Send(), lines)
	if err != nil {
		return nil, err
	}
	out := &Erased{file: l.file}
	out.refs, out.file.Sessions, err = arrived(all)
	return out, err
}

// Receive adds the lines of other machines to the list in dir, memento's folder. Errors: as of Erasure.Add.
func Receive(dir string, lines []byte, wait time.Duration) error {
	return changeErased(dir, wait, func(l *Erased) error {
		all, err := l.With(lines)
		if err == nil {
			l.refs, l.file.Sessions = all.refs, all.file.Sessions
		}
		return err
	})
}
