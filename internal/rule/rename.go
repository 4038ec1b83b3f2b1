package rule

import (
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// Of counts what the project with this slug said that may outlive its session. Errors: safefile's.
func (s Store) Of(slug string) (int, error) {
	c, _, err := s.read(nameOf(slug))
	return len(c.lines), err
}

// Rename gives the project with the slug from the slug to, and returns how many candidates and decisions it had. A
// project that has rules under the new name keeps them too. Errors: safefile's; the same call again goes on.
func (s Store) Rename(from, to string) (n int, err error) {
	if n, err = s.Of(from); err != nil {
		return 0, err
	}
	own, _, err := s.read(ownName)
	if err != nil {
		return 0, err
	}
	if has := own.rename(from, to); n == 0 && !has {
		return 0, nil
	}
	unlock, err := safefile.LockIn(s.Dir, Folder, s.Wait)
	if err != nil {
		return 0, err
	}
	defer unlock()
	old, _, err := s.read(nameOf(from))
	if err != nil {
		return 0, err
	}
	if len(old.lines) > 0 {
		old.rename(from, to)
		err = s.changeLocked(nameOf(to), func(c *contents) bool {
			c.judged, c.read = old.judged, nil // the files have another folder
			if c.again != "" || old.again != "" {
				c.again = fromBeginning
			}
			c.add(old)
			return true
		})
		if err == nil {
			err = safefile.Remove(s.path(nameOf(from)))
		}
	}
	if err == nil && len(own.lines) > 0 {
		err = s.changeLocked(ownName, func(c *contents) bool { return c.rename(from, to) })
	}
	return len(old.lines), err
}

// rename gives the lanes of the project from the name to, and reports whether there were any.
func (c *contents) rename(from, to string) (any bool) {
	for i := range c.lines {
		if l := &c.lines[i]; slugOf(l.lane) == from && from != "" {
			l.lane, any = to+strings.TrimPrefix(l.lane, from), true
		}
	}
	return any
}

// add adds the lines of another file that are not there yet.
func (c *contents) add(other contents) {
	has := map[string]bool{}
	for _, l := range c.lines {
		has[l.key()] = true
	}
	for _, l := range other.lines {
		if !has[l.key()] {
			c.lines = append(c.lines, l)
		}
	}
	c.strange = append(c.strange, other.strange...)
}
