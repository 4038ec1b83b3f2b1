package project

import (
	"slices"
	"time"

	"github.com/mementohq/memento/internal/naming"
)

// maxCalled is how many former names of a project are kept.
const maxCalled = 16

// Named returns the project that has this slug, else the one that had it before it was renamed.
func (w Workspace) Named(slug string) (Known, bool) {
	if k := w.entry(slug); k != nil {
		return *k, true
	}
	for _, k := range w.Known {
		if slices.Contains(k.Called, slug) {
			return k, true
		}
	}
	return Known{}, false
}

// CurrentName returns the name that records have now for a project that they called name: name itself for the user, and
// for a project that memento does not know.
func (w Workspace) CurrentName(name string) string {
	k, ok := w.Named(name)
	if !ok || name == naming.User {
		return name
	}
	return k.Slug
}

// Stands reports whether a folder of the project still belongs to it. On a disk that is not mounted it looks missing.
func (w Workspace) Stands(k Known, home string) bool {
	return slices.ContainsFunc(k.Roots, func(root string) bool {
		if !isDir(root) {
			return false
		}
		found, ok := w.find(w.Locate(root, home))
		return ok && found.Slug == k.Slug
	})
}

// Rename gives the project from the name to, in workspace.json alone. The name from still finds the project. When a
// project called to exists, the two become one, with the identity of the one used last, or with join that of to.
// Rename changes nothing when no project is called from, or when it was done before. On error the file is unchanged.
func Rename(dir, from, to string, join bool, now time.Time, wait time.Duration) error {
	return edit(dir, now, wait, func(w *Workspace) bool {
		old, new := w.entry(from), w.entry(to)
		switch {
		case old != nil && new != nil:
			new.merge(*old, join)
			w.Known = slices.DeleteFunc(w.Known, func(k Known) bool { return k.Slug == from })
		case old != nil:
			old.Slug = to
			old.Called = without(front(from, old.Called, maxCalled), to)
		case new != nil && !slices.Contains(new.Called, from):
			new.Called = front(from, new.Called, maxCalled)
		default:
			return false
		}
		return true
	})
}

// merge adds the project from to k, with the identity of the one used last, or with join that of k.
func (k *Known) merge(from Known, join bool) {
	one, other := *k, from
	if from.Last.After(k.Last) {
		one, other = from, *k
	}
	id := one.ID
	if join {
		id = k.ID
	}
	k.Was = without(union(8, one.Was, []string{one.ID, other.ID}, other.Was), id)
	k.ID, k.Last = id, one.Last
	k.Roots = folders(union(maxRoots, one.Roots, other.Roots))
	k.Commits = union(maxCommits, one.Commits, other.Commits)
	k.Called = without(union(maxCalled, []string{from.Slug}, k.Called, from.Called), k.Slug)
}

func union(limit int, lists ...[]string) (out []string) {
	for _, list := range lists {
		for _, s := range list {
			if len(out) < limit && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

func without(list []string, s string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(have string) bool { return have == s })
}

// Claimed returns the projects that p's folder claims and that do not know the folder, the one used last first.
func (w Workspace) Claimed(p Project) (out []Known) {
	if p.Claim == "" {
		return nil
	}
	own, known := w.find(p)
	for _, k := range w.Known {
		if k.ID == p.Claim && !(known && k.Slug == own.Slug) {
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(a, b Known) int { return b.Last.Compare(a.Last) })
	return out
}
