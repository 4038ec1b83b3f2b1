package history

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// maxJoined is how large a history may be that is put before another, in bytes.
const maxJoined = 1 << 30

// Move moves the history from to the place to; where one has begun under the new name, the older lines come first.
func Move(from, to string) error {
	err := safefile.Move(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	old, err := safefile.Read(from, maxJoined)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	now, err := safefile.Read(to, maxJoined)
	if err != nil {
		return err
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		old = append(old, '\n')
	}
	if !strings.HasPrefix(string(now), string(old)) { // else a process was killed right here
		if err := safefile.Replace(to, append(old, now...), 0o600); err != nil {
			return err
		}
	}
	return safefile.Remove(from)
}
