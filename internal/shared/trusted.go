package shared

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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
	Trusted []string        `json:"trusted,omitempty"` // keys of files, oldest first
	Written []string        `json:"written,omitempty"` // keys of files that this person shared
	Viewed  string          `json:"viewed,omitempty"`  // the view that the copies show
	Views   map[string]view `json:"views,omitempty"`   // by the hash of the working tree's path
}

// view is what a working tree's folder was when it was read last.
type view struct {
	Stamp   string `json:"stamp,omitempty"`   // of the folder
	Sums    string `json:"sums,omitempty"`    // of its files
	Waiting int    `json:"waits,omitempty"`   // how many files wait
	Set     string `json:"waiting,omitempty"` // hash of the waiting files' keys, "" for none
	Shows   string `json:"shows,omitempty"`   // hash of the keys of the copies that are not archived
}

// maxViews is the greatest number of working trees of a project.
const maxViews = 32

// load reads the list. A missing file is an empty list. Errors: ErrUnreadable.
func load(dir string) (*trusted, error) {
	t := &trusted{Version: 1}
	data, err := safefile.Read(TrustedPath(dir), maxTrusted)
	if errors.Is(err, fs.ErrNotExist) {
		t.Projects = map[string]*trust{}
		return t, nil
	}
	if err == nil && json.Unmarshal(data, t) != nil { // json's error would not help a person
		err = fmt.Errorf("%s: it is no list of hashes", TrustedPath(dir))
	}
	if err == nil && t.Version > 1 {
		err = fmt.Errorf("%s: a newer memento wrote it", TrustedPath(dir))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if t.Projects == nil {
		t.Projects = map[string]*trust{}
	}
	for name, of := range t.Projects {
		if of == nil {
			delete(t.Projects, name)
		}
	}
	return t, nil
}

// of returns the part of a project, which it makes when it is missing.
func (t *trusted) of(project string) *trust {
	if t.Projects[project] == nil {
		t.Projects[project] = &trust{}
	}
	return t.Projects[project]
}

// change runs do on the list under its lock, and writes the list when do returns true. Errors: do's, ErrUnreadable,
// safefile's; the list is then unchanged.
func change(dir string, wait time.Duration, do func(t *trusted) (bool, error)) error {
	unlock, err := safefile.LockIn(dir, lockName, wait)
	if err != nil {
		return err
	}
	defer unlock()
	t, err := load(dir)
	if err != nil {
		return err
	}
	if changed, err := do(t); err != nil || !changed {
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
	return edit(dir, wait, func(t *trusted) (changed bool) {
		for name := range t.Projects {
			if chosen(name) {
				delete(t.Projects, name)
				changed = true
			}
		}
		return changed
	})
}

// Keep takes away the trust in every version of the chosen projects' files but those in keep, so that erased words do
// not come back with another version. The others wait again. With dry it changes nothing. It reports whether there was
// any. Errors: safefile's, ErrUnreadable.
func Keep(
	dir string, chosen func(project string) bool, keep map[string]bool, dry bool, wait time.Duration,
) (changed bool, err error) {
	err = edit(dir, wait, func(t *trusted) bool {
		for name, of := range t.Projects {
			before := len(of.Trusted)
			if !chosen(name) {
				continue
			}
			of.Trusted = slices.DeleteFunc(of.Trusted, func(key string) bool { return !keep[key] })
			if len(of.Trusted) != before {
				of.Views, of.Viewed, changed = nil, "", true
			}
		}
		return changed && !dry
	})
	return changed, err
}

// Rename gives the project from the name to in the list. What the other project trusts stays too. Errors: safefile's,
// ErrUnreadable.
func Rename(dir, from, to string, wait time.Duration) error {
	return edit(dir, wait, func(t *trusted) bool {
		old := t.Projects[from]
		if old == nil || from == to {
			return false
		}
		now := t.of(to)
		for _, lists := range [...]struct {
			from []string
			to   *[]string
		}{
			{old.Trusted, &now.Trusted}, {old.Written, &now.Written},
		} {
			for _, s := range lists.from {
				*lists.to = add(*lists.to, s)
			}
		}
		now.Views, now.Viewed = nil, ""
		delete(t.Projects, from)
		return true
	})
}

// edit is change for a list that need not exist: without one it does nothing.
func edit(dir string, wait time.Duration, do func(t *trusted) bool) error {
	if n, err := safefile.Stat(TrustedPath(dir)); err != nil || n.Size == 0 {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return change(dir, wait, func(t *trusted) (bool, error) { return do(t), nil })
}
