package project

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Arrive returns the slug of the project with this identity, for what comes from another machine. A project that
// workspace.json does not know gets an entry without a folder, and a slug made of name: a folder here joins it by
// `memento workspace join`. Errors: safefile's; nothing is changed then.
func Arrive(dir, id, name string, now time.Time, wait time.Duration) (slug string, err error) {
	err = edit(dir, now, wait, func(w *Workspace) bool {
		if i := slices.IndexFunc(w.Known, func(k Known) bool { return k.ID == id }); i >= 0 {
			slug = w.Known[i].Slug
			return false
		}
		slug = w.Slug(Project{ID: id, Name: name, Root: dir})
		w.Known = append(w.Known, Known{Slug: slug, ID: id, Roots: []string{}, Last: now.UTC().Truncate(time.Second)})
		return true
	})
	return slug, err
}

// SharedID returns the identity by which all machines know the project: its origin. A project without one has an
// identity that only the machine with this id gives.
func (k Known) SharedID(machine string) string {
	if strings.HasPrefix(k.ID, "git:") || strings.HasPrefix(k.ID, folderOf) {
		return k.ID
	}
	return folderOf + SharedName(machine+"\n"+k.ID)
}

// IsFolderID reports whether an identity is one that a machine gave to a project without an origin.
func IsFolderID(id string) bool { return strings.HasPrefix(id, folderOf) && IsSharedID(id) }

// Follow gives a project that came from another machine the identity that it has there now. Without a project of the
// identity from, it changes nothing. Errors: safefile's; nothing is changed then.
func Follow(dir, from, to string, now time.Time, wait time.Duration) error {
	return edit(dir, now, wait, func(w *Workspace) (changed bool) {
		for i := range w.Known {
			if k := &w.Known[i]; k.ID == from {
				k.ID, k.Was, changed = to, front(from, k.Was, 8), true
			}
		}
		return changed
	})
}

// folderOf begins the identity of a folder of another machine.
const folderOf = "folder:"

// IsSharedID reports whether an identity is one that SharedID returns, and so no path of a machine.
func IsSharedID(id string) bool {
	const most = 1000 // bytes
	return (strings.HasPrefix(id, "git:") || strings.HasPrefix(id, folderOf)) && len(id) <= most &&
		!strings.ContainsFunc(id, unicode.IsControl)
}

// IsSharedName reports whether s has the form of a name that SharedName returns.
func IsSharedName(s string) bool { return len(s) == 16 && strings.Trim(s, "0123456789abcdef") == "" }

// SharedName returns a name for a shared identity that every machine can use for a folder: 16 hex digits.
func SharedName(id string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(id)))[:16]
}
