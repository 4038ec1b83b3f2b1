package history

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// maxJoined is how large each of two histories may be that Move joins, in bytes.
const maxJoined = 1 << 30

// Move renames the history from to to. When to exists, it joins both, the lines of from first.
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
	if !strings.HasPrefix(string(now), string(old)) { // else a killed Move has joined them already
		if err := safefile.Replace(to, append(old, now...), 0o600); err != nil {
			return err
		}
	}
	return safefile.Remove(from)
}
