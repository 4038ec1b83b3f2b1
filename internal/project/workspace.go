package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
)

const maxWorkspace = 4 << 20

// Known is one project in workspace.json.
type Known struct {
	Slug    string    `json:"slug"`
	ID      string    `json:"id"`
	Was     []string  `json:"was,omitempty"`     // what its folders' origin said before
	Roots   []string  `json:"roots"`             // the one used last first
	Commits []string  `json:"commits,omitempty"` // that its folders were at, the newest first
	Last    time.Time `json:"last,omitzero"`
	// Called lists the names that the project had before it was renamed, the last one first. These names still find
	// the project, and no other project gets one.
	Called []string `json:"called,omitempty"`
}

// Workspace is the list of the projects seen on this machine. It gives each project its slug for ever.
type Workspace struct {
	path  string
	Known []Known
	Err   error // the disk's error while reading: no project's slug is known then
	Bad   error // why the file counts as empty: ErrDamaged, or what keeps memento from using it
}

// list is the content of workspace.json.
type list struct {
	Version  int     `json:"version"`
	Projects []Known `json:"projects"`
}

// ErrDamaged says that memento cannot have written what workspace.json holds.
var ErrDamaged = errors.New("it is no list of projects")

// WorkspacePath returns the path of the list in dir, memento's folder.
func WorkspacePath(dir string) string { return filepath.Join(dir, "workspace.json") }

// OpenWorkspace reads workspace.json in dir. A missing or damaged file counts as empty, since memento can make slugs
// again. When the disk keeps memento from reading the file, Err holds the error.
func OpenWorkspace(dir string) Workspace {
	w := Workspace{path: WorkspacePath(dir)}
	data, err := safefile.Read(w.path, maxWorkspace)
	var all list
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case safefile.Unreadable(err):
		w.Err = err
	case errors.Is(err, safefile.ErrTooLarge), err == nil && json.Unmarshal(data, &all) != nil:
		w.Bad = ErrDamaged
	case err != nil:
		w.Bad = err
	}
	if w.Err == nil && w.Bad == nil {
		w.Known = slices.DeleteFunc(all.Projects, func(k Known) bool { return k.Slug != naming.Project(k.Slug) })
	}
	return w
}

// edit changes workspace.json under its lock: change gets the list, and reports whether it changed it. A damaged file
// is set aside. Errors: safefile's; the file is unchanged then.
func edit(dir string, now time.Time, wait time.Duration, change func(*Workspace) bool) error {
	unlock, err := safefile.LockIn(dir, "workspace", wait)
	if err != nil {
		return err
	}
	defer unlock()
	w := OpenWorkspace(dir)
	if w.Err != nil || !change(&w) {
		return w.Err
	}
	if w.Bad == ErrDamaged {
		_, w.Bad = safefile.SetAside(w.path, "corrupt", now)
	}
	if w.Bad != nil {
		return w.Bad
	}
	data, err := jsonx.Marshal(list{1, w.Known})
	if err != nil {
		return err
	}
	return safefile.Replace(w.path, data, 0o600)
}

// entry returns the entry with this slug, nil for none.
func (w *Workspace) entry(slug string) *Known {
	for i := range w.Known {
		if w.Known[i].Slug == slug {
			return &w.Known[i]
		}
	}
	return nil
}

// Locate returns the project of the folder dir, as Find does, but does not let a folder take the identity of a
// project that does not know it. Such an identity goes to Claim, and the folder's path is its identity. A folder
// outside any repository belongs to the plain folder around it that was seen before.
func (w Workspace) Locate(dir, home string) Project {
	return w.settle(w.around(Find(dir, home), home))
}

// around returns the plain folder seen before that holds p, a plain folder; else p.
func (w Workspace) around(p Project, home string) Project {
	if !strings.HasPrefix(p.ID, "dir:") {
		return p
	}
	best := ""
	for _, k := range w.Known {
		for _, id := range k.ids() {
			if root, ok := strings.CutPrefix(id, "dir:"); ok && len(root) > len(best) && within(p.Root, root) {
				best = root
			}
		}
	}
	if best == "" || best == p.Root {
		return p
	}
	if _, own := repository(p.Root); own { // one without an origin
		return p
	}
	if outer := Find(best, home); outer.ID == "dir:"+best {
		return outer
	}
	return p
}

func within(path, root string) bool {
	return path == root || strings.HasPrefix(path, strings.TrimRight(root, string(filepath.Separator))+
		string(filepath.Separator))
}

// settle returns p as the list knows it. When the folder gives itself the identity of a project that does not know
// it, settle moves the identity to Claim.
func (w Workspace) settle(p Project) Project {
	claim := p.ID
	if p.Claim != "" {
		claim, p.Claim = p.Claim, ""
	}
	k, known := w.find(p)
	if known && p.unread {
		p.ID = k.ID
		return p
	}
	if known && k.ID == claim || claim == "dir:"+p.Root ||
		!slices.ContainsFunc(w.Known, func(o Known) bool { return o.ID == claim }) {
		return p
	}
	// a bare repository may have the name of the folder beside it by chance
	if p.ID != claim || strings.HasPrefix(claim, "git:") {
		p.Claim = claim
	}
	switch {
	case known:
		p.ID = k.ID
	case p.ID == claim:
		p.ID = "dir:" + p.Root
	}
	return p
}

// find returns the entry of p: one with p's identity that knows the folder, else one by which the same repository was
// known before, else that of which p is another clone. Anybody can write an identity: alone it opens no entry.
func (w Workspace) find(p Project) (Known, bool) {
	by := func(is func(Known) bool) (Known, bool) {
		if i := slices.IndexFunc(w.Known, is); i >= 0 {
			return w.Known[i], true
		}
		return Known{}, false
	}
	if k, ok := by(func(k Known) bool { return (k.ID == p.ID || p.unread) && k.lists(p.Root) }); ok {
		return k, true
	}
	if k, ok := by(func(k Known) bool { return k.stayed(p) && k.lists(p.Root) }); ok {
		return k, true
	}
	if k, ok := by(func(k Known) bool { return k.moved(p) }); ok {
		return k, true
	}
	if _, apart := by(func(k Known) bool { return k.ID == "dir:"+p.Root && k.lists(p.Root) }); apart {
		return Known{}, false // now a worktree of another project, or joined to one
	}
	return by(func(k Known) bool {
		isClone := k.ID == p.ID && p.holdsCommit(k.Commits)
		return isClone || (k.ID == p.ID || k.stayed(p)) && k.reaches(p)
	})
}

// ids returns the identities by which folders here are k's. One that another machine gave is no folder's here: what
// folders had before they were made one with that machine's still counts.
func (k Known) ids() []string {
	if IsFolderID(k.ID) {
		return k.Was
	}
	return []string{k.ID}
}

// lists reports whether k was seen in the folder root.
func (k Known) lists(root string) bool {
	return slices.Contains(k.Roots, root) || len(k.Roots) == 0 && k.ID == "dir:"+root
}

// reaches reports whether a folder of k is p's under another name, or one repository lists both as its working trees.
func (k Known) reaches(p Project) bool {
	return slices.ContainsFunc(k.Roots, func(root string) bool {
		r, ok := repository(root)
		return sameFile(root, p.Root) || ok && r.own && p.common != "" && sameFile(r.common, p.common)
	})
}

// sameFile reports whether two paths lead to one file or folder, by links or in other letter case.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, missing := os.Stat(b)
	return a == b || err == nil && missing == nil && os.SameFile(one, other)
}

// stayed reports whether p is a folder of k whose origin was set, changed or removed since. Another repository in the
// same place lacks k's newest commit. An earlier origin does not count, so that two clones of one template stay apart.
func (k Known) stayed(p Project) bool {
	if len(k.Commits) == 0 {
		return slices.Contains(k.ids(), "dir:"+p.Main) // it had no commit then, or was no repository
	}
	return p.holdsCommit(k.Commits[:1])
}

// moved reports whether p is k's repository, of no origin, in another place: it has k's newest commit, and none of k's
// old folders is a repository any more, as for a copy. Commits of a repository with an origin may be anybody's.
func (k Known) moved(p Project) bool {
	isRepository := func(root string) bool { _, ok := repository(root); return ok }
	return strings.HasPrefix(k.ID, "dir:") && len(k.Commits) > 0 && !slices.ContainsFunc(k.Roots, isRepository) &&
		p.holdsCommit(k.Commits[:1])
}

// Slug returns the slug of p: the recorded one, else the one that p would get now. "" means no project.
func (w Workspace) Slug(p Project) string {
	if p.None() {
		return ""
	}
	if k, ok := w.find(p); ok {
		return k.Slug
	}
	return w.free(naming.Project(p.Name))
}

// free returns name, or name with a number when a project has or had name.
func (w Workspace) free(name string) string {
	slug := name
	for n := 2; ; n++ {
		if _, isTaken := w.Named(slug); !isTaken {
			return slug
		}
		end := fmt.Sprintf("-%d", n)
		slug = naming.CutProject(name, naming.MaxProject-len(end)) + end
	}
}

// Record notes that somebody worked on p at now, and returns its slug. It waits at most wait for the lock. It writes
// only news: a project, a folder, or the first use on another day. On error the slug is still good, but another project
// of the same name could get it too. It is "" when the list could not be read, or others kept giving out names.
func (w Workspace) Record(p Project, now time.Time, wait time.Duration) (slug string, err error) {
	if w.Err != nil {
		return "", w.Err
	}
	if slug = w.Slug(p); p.None() || w.current(p, now) {
		return slug, nil
	}
	_, known := w.find(p)
	err = edit(filepath.Dir(w.path), now, wait, func(w *Workspace) bool {
		p := w.settle(p) // another folder may just have been recorded with its identity
		slug = w.Slug(p)
		if w.current(p, now) {
			return false
		}
		w.note(slug, p, now)
		return true
	})
	if errors.Is(err, safefile.ErrBusy) && !known {
		return "", err // another project of the same name may be getting it at this moment
	}
	return slug, err
}

// note puts what is news of p into its entry, or into a new one.
func (w *Workspace) note(slug string, p Project, now time.Time) {
	k := w.entry(slug)
	switch {
	case k == nil:
		w.Known = append(w.Known, Known{Slug: slug, ID: p.ID})
		k = &w.Known[len(w.Known)-1]
	case k.ID != p.ID && !slices.Contains(k.Was, p.ID): // with an older origin it is another clone: the newer one stays
		k.ID, k.Was = p.ID, front(k.ID, k.Was, 8)
	}
	k.Roots = folders(front(p.Root, k.Roots, maxRoots))
	for _, id := range commits(p.common) {
		k.Commits = front(id, k.Commits, maxCommits)
	}
	k.Last = now.UTC().Truncate(time.Second)
}

const (
	maxRoots  = 256 // folders kept for one project
	goneRoots = 16  // missing folders kept for one project
)

// folders returns roots without the last missing ones, if there are more than goneRoots. It keeps every folder that
// stands: memento would treat a dropped one as a stranger.
func folders(roots []string) []string {
	for i := len(roots) - 1; i > 0 && len(roots) > goneRoots; i-- {
		if !isDir(roots[i]) {
			roots = slices.Delete(roots, i, i+1)
		}
	}
	return roots
}

// front returns list with s moved or added to the front, and cut to limit items.
func front(s string, list []string, limit int) []string { return union(limit, []string{s}, list) }

// current reports whether workspace.json already holds all news of p for today.
func (w Workspace) current(p Project, now time.Time) bool {
	k, ok := w.find(p)
	return ok && now.Sub(k.Last) <= 24*time.Hour && slices.Contains(k.Roots, p.Root) &&
		(k.ID == p.ID || slices.Contains(k.Was, p.ID))
}
