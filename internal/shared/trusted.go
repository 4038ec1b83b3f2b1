package shared

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

const (
	maxTrusted = 8 << 20 // bytes of trusted.json
	maxKeys    = 5000    // of a project; the oldest go first
	lockName   = "trusted"
)

// ErrUnreadable says that trusted.json is damaged. Nothing is trusted then, and nothing changes.
var ErrUnreadable = errors.New("what is trusted cannot be read")

// TrustedPath returns the path of the list in dir, memento's folder.
func TrustedPath(dir string) string { return filepath.Join(dir, "trusted.json") }

// trusted is the content of trusted.json. It holds hashes, numbers and the names of projects, and none of anybody's
// words.
type trusted struct {
	Version  int               `json:"version"`
	Projects map[string]*trust `json:"projects"`
}

// trust is what the person trusts in the repositories of one project.
type trust struct {
	Trusted []string `json:"trusted,omitempty"` // keys of files, oldest first
	Written []string `json:"written,omitempty"` // keys of files that this person shared
	View    view     `json:"view,omitzero"`     // the working tree that the copies show
}

// view is what a working tree's folder was when it was read last.
type view struct {
	Tree    string `json:"tree,omitempty"`    // hash of the working tree's path
	Sums    string `json:"sums,omitempty"`    // of its files; "": they are read again
	Waiting int    `json:"waits,omitempty"`   // how many files wait
	Set     string `json:"waiting,omitempty"` // hash of the waiting files' keys, "" for none
}

// knows reports whether a file is trusted, or is this person's own.
func (of *trust) knows(f File) bool {
	return slices.Contains(of.Trusted, f.key) || slices.Contains(of.Written, f.key)
}

// load reads the list. A missing file is an empty list. Errors: ErrUnreadable.
func load(dir string) (*trusted, error) {
	t := &trusted{Version: 1}
	data, err := safefile.Read(TrustedPath(dir), maxTrusted)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, nil
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	case json.Unmarshal(data, t) != nil: // json's error would not help a person
		return nil, fmt.Errorf("%w: %s: it is no list of hashes", ErrUnreadable, TrustedPath(dir))
	case t.Version > 1:
		return nil, fmt.Errorf("%w: %s: a newer memento wrote it", ErrUnreadable, TrustedPath(dir))
	}
	maps.DeleteFunc(t.Projects, func(_ string, of *trust) bool { return of == nil })
	return t, nil
}

// of returns the part of a project, which it makes when it is missing.
func (t *trusted) of(project string) *trust {
	if t.Projects == nil {
		t.Projects = map[string]*trust{}
	}
	if t.Projects[project] == nil {
		t.Projects[project] = &trust{}
	}
	return t.Projects[project]
}

// change runs do on the list under its lock, and writes the list. Errors: do's, ErrUnreadable, safefile's; the list is
// then unchanged.
func change(dir string, wait time.Duration, do func(t *trusted) error) error {
	unlock, err := safefile.LockIn(dir, lockName, wait)
	if err != nil {
		return err
	}
	defer unlock()
	t, err := load(dir)
	if err != nil {
		return err
	}
	if err := do(t); err != nil {
		return err
	}
	return t.save(dir)
}

func (t *trusted) save(dir string) error {
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return safefile.Replace(TrustedPath(dir), append(data, '\n'), 0o600)
}

// add adds s to the end of list, and drops the oldest beyond maxKeys.
func add(list []string, s string) []string {
	list = append(slices.DeleteFunc(list, func(have string) bool { return have == s }), s)
	return list[max(0, len(list)-maxKeys):]
}

// Problem returns why the list of what is trusted cannot be used, nil when it can.
func Problem(dir string) error {
	_, err := load(dir)
	return err
}

// Erase takes away all trust in the repositories of the chosen projects. Errors: safefile's, ErrUnreadable.
func Erase(dir string, chosen func(project string) bool, wait time.Duration) error {
	return edit(dir, wait, func(t *trusted) {
		maps.DeleteFunc(t.Projects, func(name string, _ *trust) bool { return chosen(name) })
	})
}

// Rename gives the project from the name to in the list. What the other project trusts stays too. Errors: safefile's,
// ErrUnreadable.
func Rename(dir, from, to string, wait time.Duration) error {
	return edit(dir, wait, func(t *trusted) {
		old := t.Projects[from]
		if old == nil || from == to {
			return
		}
		now := t.of(to)
		for _, key := range old.Trusted {
			now.Trusted = add(now.Trusted, key)
		}
		for _, key := range old.Written {
			now.Written = add(now.Written, key)
		}
		now.View = view{}
		delete(t.Projects, from)
	})
}

// edit is change for a list that need not exist: without one it does nothing.
func edit(dir string, wait time.Duration, do func(t *trusted)) error {
	if n, err := safefile.Stat(TrustedPath(dir)); errors.Is(err, fs.ErrNotExist) || err == nil && n.Size == 0 {
		return nil
	} else if err != nil {
		return err
	}
	return change(dir, wait, func(t *trusted) error {
		do(t)
		return nil
	})
}
