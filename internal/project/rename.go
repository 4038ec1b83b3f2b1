package project

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
)

// maxCalled is how many former names of a project are kept.
const maxCalled = 16

// Called lists the names that the project had before it was renamed, the last one first. These names still find the
// project, and no other project gets one.
func (k Known) Called() (out []string) { return texts(k.raw.Get("called")) }

// texts returns the items of a list as texts. For another value than a list it returns the value as the only text.
func texts(list gjson.Result) (out []string) {
	list.ForEach(func(_, v gjson.Result) bool {
		out = append(out, v.String())
		return true
	})
	return out
}

// Named returns the project that has this slug, or had it before it was renamed.
func (w Workspace) Named(slug string) (Known, bool) {
	return w.called(func(s string) bool { return s == slug })
}

// CurrentName returns the name that records have now for a project that they called name: name itself for the user, and
// for a project that memento does not know.
func (w Workspace) CurrentName(name string) string {
	k, ok := w.called(func(slug string) bool { return naming.Project(slug) == name })
	if !ok || name == naming.User {
		return name
	}
	return naming.Project(k.Slug)
}

// called returns the project with a slug that is accepts, else the one that had such a slug before.
func (w Workspace) called(is func(slug string) bool) (Known, bool) {
	for _, k := range w.Known {
		if is(k.Slug) {
			return k, true
		}
	}
	for _, k := range w.Known {
		if slices.ContainsFunc(k.Called(), is) {
			return k, true
		}
	}
	return Known{}, false
}

// Stands reports whether any folder in which the project was seen still belongs to it. A folder on a disk that is not
// mounted looks missing.
func (w Workspace) Stands(k Known, home string) bool {
	return slices.ContainsFunc(k.Roots, func(root string) bool {
		if !isDir(root) {
			return false
		}
		found, ok := w.find(w.Locate(root, home))
		return ok && found.index == k.index
	})
}

// Rename gives the project from the name to, in workspace.json alone. The name from still finds the project. When a
// project called to exists, the two become one, with the identity of the one used last, or with join that of to.
// Rename changes nothing when no project is called from, or when it was done before. On error the file is unchanged.
func Rename(dir, from, to string, join bool, now time.Time, wait time.Duration) error {
	return edit(dir, now, wait, func(w Workspace) (raw string, err error) {
		find := func(slug string) (Known, bool) {
			i := slices.IndexFunc(w.Known, func(k Known) bool { return k.Slug == slug })
			if i < 0 {
				return Known{}, false
			}
			return w.Known[i], true
		}
		old, was := find(from)
		new, is := find(to)
		e := editor{raw: w.raw}
		switch {
		case was && is:
			e.merge(new, old, join)
			e.delete(fmt.Sprintf("projects.%d", old.index))
		case was:
			e.set(old, "slug", to)
			e.set(old, "called", without(front(from, old.Called(), maxCalled), to))
			e.set(old, "chosen", baseName(old.ID)) // the name stays while the origin stays
		case is && !slices.Contains(new.Called(), from):
			e.set(new, "called", front(from, new.Called(), maxCalled))
		case !is:
			return w.raw, nil
		}
		return e.raw, e.err
	})
}

// editor changes workspace.json value by value; after an error it does nothing more.
type editor struct {
	raw string
	err error
}

func (e *editor) put(path string, value any) {
	if e.err == nil {
		var raw string
		if raw, e.err = sjson.Set(e.raw, path, value); e.err == nil {
			e.raw = raw
		}
	}
}

func (e *editor) set(k Known, key string, value any) {
	e.put(fmt.Sprintf("projects.%d.%s", k.index, key), value)
}

func (e *editor) delete(path string) {
	if e.err == nil {
		var raw string
		if raw, e.err = sjson.Delete(e.raw, path); e.err == nil {
			e.raw = raw
		}
	}
}

// merge makes one project of into and from, with the identity of the one used last, or with join that of into.
func (e *editor) merge(into, from Known, join bool) {
	one, other := into, from
	if from.Last.After(into.Last) {
		one, other = from, into
	}
	id := one.ID
	if join {
		id = into.ID
	}
	e.set(into, "id", id)
	e.set(into, "roots", folders(union(maxRoots, one.Roots, other.Roots)))
	if marks := union(8, one.Fingerprints, other.Fingerprints); len(marks) > 0 {
		e.set(into, "marks", marks)
	}
	if was := without(union(8, one.Was, []string{one.ID, other.ID}, other.Was), id); len(was) > 0 {
		e.set(into, "was", was)
	}
	if !one.Last.IsZero() {
		e.set(into, "last", one.Last.UTC().Format(time.RFC3339))
	}
	e.set(into, "called", without(union(maxCalled, []string{from.Slug}, into.Called(), from.Called()), into.Slug))
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

// edit changes workspace.json under its lock. f gets its content and returns the new one. Errors: f's, safefile's;
// the file is unchanged then.
func edit(dir string, now time.Time, wait time.Duration, f func(Workspace) (raw string, err error)) error {
	unlock, err := safefile.LockIn(dir, "workspace", wait)
	if err != nil {
		return err
	}
	defer unlock()
	w := OpenWorkspace(dir)
	if w.Err != nil {
		return w.Err
	}
	before := w.raw
	if w.raw == "" {
		w.raw = empty
	}
	raw, err := f(w)
	if err != nil || raw == before || raw == empty {
		return err
	}
	if before == "" {
		if err := w.begin(now); err != nil {
			return err
		}
	}
	return safefile.Replace(w.path, []byte(raw), 0o600)
}

// Former is an old name that the records of a project still have.
type Former struct {
	Was      string // whose records they are
	Gone     string // the folder of that project, which is gone; "" when it is surely the same project
	From, To string // what memento workspace rename is to rename
}

// Former returns the name that p had when memento first saw it, and reports whether p's origin or folder gives it
// another name now. When p is not known, Former guesses: it takes the one project whose folders are all gone and that
// had p's name or stood in the same folder as p. It reports false for a name that was given up for the present one,
// for a project that is to be kept, and for a project that p claims (see Workspace.Claimed).
func (w Workspace) Former(p Project, home string) (Former, bool) {
	if p.None() || p.Claim != "" {
		return Former{}, false
	}
	name := Slug(p.Name)
	k, known := w.find(p)
	if known && !sameName(k.Slug, name) && !slices.Contains(k.Called(), name) && k.raw.Get("chosen").String() != name {
		return Former{Was: k.Slug, From: k.Slug, To: w.free(name, p)}, true
	}
	var found []Former
	for _, old := range w.Known {
		alike := sameName(old.Slug, name)
		plain := p.Fingerprint == "" && strings.HasPrefix(p.ID, "dir:") && len(old.Fingerprints) == 0 &&
			strings.HasPrefix(old.ID, "dir:")
		beside := plain && slices.ContainsFunc(old.Roots, func(root string) bool {
			return filepath.Dir(root) == filepath.Dir(p.Root)
		})
		same := known && old.index == k.index
		if same || len(old.Roots) == 0 || !alike && !beside || w.Stands(old, home) {
			continue
		}
		f := Former{Was: old.Slug, Gone: old.Roots[0], From: old.Slug, To: w.Slug(p)}
		if alike { // nothing has to get another name but what is new
			f.From, f.To = f.To, f.From
		}
		found = append(found, f)
	}
	if len(found) != 1 {
		return Former{}, false
	}
	return found[0], true
}

// Claimed returns the projects that p's folder says it belongs to and that do not know the folder, the one used last
// first.
func (w Workspace) Claimed(p Project) (out []Known) {
	if p.Claim == "" {
		return nil
	}
	own, known := w.find(p)
	for _, k := range w.Known {
		if k.ID == p.Claim && !(known && k.index == own.index) {
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(a, b Known) int { return b.Last.Compare(a.Last) })
	return out
}

// baseName returns the slug that a project with this identity gets, when no other project has it.
func baseName(id string) string { return Slug(lastPart(id)) }

// sameName reports whether slug is the slug of name, with or without a number.
func sameName(slug, name string) bool {
	at := strings.LastIndexByte(slug, '-')
	if slug == name || at < 0 {
		return slug == name
	}
	if n, err := strconv.Atoi(slug[at+1:]); err != nil || n < 2 {
		return false
	}
	return slug == shorten(name, maxSlug-len(slug[at:]))+slug[at:]
}

// Announced reports whether a session of the project with this slug was told that the project is now called name.
func (w Workspace) Announced(slug, name string) bool {
	k, ok := w.Named(slug)
	return ok && k.raw.Get("told").String() == name
}

// SetAnnounced notes that a session was told so.
func SetAnnounced(dir, slug, name string, now time.Time, wait time.Duration) error {
	return edit(dir, now, wait, func(w Workspace) (string, error) {
		k, ok := w.Named(slug)
		if !ok {
			return w.raw, nil
		}
		e := editor{raw: w.raw}
		e.set(k, "told", name)
		return e.raw, e.err
	})
}
