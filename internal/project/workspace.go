package project

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/safefile"
)

const maxWorkspace = 4 << 20

// Known is one project in workspace.json.
type Known struct {
	Slug         string    `json:"slug"`
	ID           string    `json:"id"`
	Was          []string  `json:"was,omitempty"` // what its folders' origin said before
	Roots        []string  `json:"roots"`         // the one used last first
	Fingerprints []string  `json:"marks,omitempty"`
	Commits      []string  `json:"commits,omitempty"` // that its folders were at, the newest first
	Last         time.Time `json:"last"`

	index int          // in the file, which may hold entries memento does not understand
	raw   gjson.Result // the entry's JSON: fields that few callers need are read on demand
}

// Workspace is the list of the projects seen on this machine. It gives each project its slug for ever.
type Workspace struct {
	path  string
	raw   string
	Known []Known
	Err   error // the disk's error while reading: no project's slug is known then
}

// WorkspacePath returns the path of the list in dir, memento's folder.
func WorkspacePath(dir string) string { return filepath.Join(dir, "workspace.json") }

// OpenWorkspace reads workspace.json in dir. A missing or damaged file counts as empty, since memento can make slugs
// again. When the disk keeps memento from reading the file, Err holds the error.
func OpenWorkspace(dir string) Workspace {
	w := Workspace{path: WorkspacePath(dir)}
	data, err := safefile.Read(w.path, maxWorkspace)
	if safefile.Unreadable(err) {
		w.Err = err
	}
	if err != nil || !usable(data) {
		return w
	}
	w.raw = string(data)
	index := -1
	gjson.Get(w.raw, "projects").ForEach(func(_, v gjson.Result) bool {
		index++
		k := Known{Slug: v.Get("slug").String(), ID: v.Get("id").String(), Was: texts(v.Get("was")),
			Roots: texts(v.Get("roots")), Fingerprints: texts(v.Get("marks")), Commits: texts(v.Get("commits")),
			index: index, raw: v}
		k.Last, _ = time.Parse(time.RFC3339, v.Get("last").String())
		if k.Slug != "" && k.Slug == Slug(k.Slug) {
			w.Known = append(w.Known, k)
		}
		return true
	})
	return w
}

// usable reports whether data is a list of projects to which memento can add one.
func usable(data []byte) bool {
	if !jsonx.Valid(data, 64) || !gjson.ParseBytes(data).IsObject() {
		return false
	}
	list := gjson.GetBytes(data, "projects")
	return list.IsArray() || !list.Exists()
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
		root, ok := strings.CutPrefix(k.ID, "dir:")
		if ok && len(root) > len(best) && within(p.Root, root) {
			best = root
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

// find returns the entry of p: the entry that has p's identity and knows the folder, else the entry by which the same
// repository was known before, else that of which p is another clone. An identity alone opens no entry, since anybody
// can write one into a folder.
func (w Workspace) find(p Project) (Known, bool) {
	by := func(is func(Known) bool) (Known, bool) {
		if i := slices.IndexFunc(w.Known, is); i >= 0 {
			return w.Known[i], true
		}
		return Known{}, false
	}
	if k, ok := by(func(k Known) bool { return k.ID == p.ID && k.lists(p.Root) }); ok {
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
		return (k.ID == p.ID || k.stayed(p)) && (k.reaches(p) || w.worked(k.Slug, p)) ||
			k.ID == p.ID && p.holdsCommit(k.Commits) // another clone
	})
}

// lists reports whether k was seen in the folder root.
func (k Known) lists(root string) bool {
	return slices.Contains(k.Roots, root) || len(k.Roots) == 0 && k.ID == "dir:"+root
}

// reaches reports whether a folder of k is the folder of p under another name, or a working tree of the same
// repository.
func (k Known) reaches(p Project) bool {
	return slices.ContainsFunc(k.Roots, func(root string) bool { return p.shares(root) })
}

// shares reports whether root is the folder of p, or one repository lists both as its working trees.
func (p Project) shares(root string) bool {
	if sameFile(root, p.Root) {
		return true
	}
	r, ok := repository(root)
	return ok && r.own && p.common != "" && sameFile(r.common, p.common)
}

// sameFile reports whether two paths lead to one file or folder, by links or in other letter case.
func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// stayed reports whether p is a folder of k whose origin was set, changed or removed since. Another repository in the
// same place has another fingerprint. An earlier origin does not count, so that two clones of one template stay
// apart.
func (k Known) stayed(p Project) bool {
	if len(k.Fingerprints) == 0 {
		return k.ID == "dir:"+p.Main // it had no commit then, or was no repository
	}
	return slices.Contains(k.Fingerprints, p.Fingerprint)
}

// moved reports whether p is k's repository in another place: it has the same fingerprint, and none of k's old
// folders holds it any more, as they would if p were a copy. Where folders have no number in the file system, the
// fingerprint comes from the folder's content alone and proves nothing.
func (k Known) moved(p Project) bool {
	if p.Fingerprint == "" || p.common == "" || !slices.Contains(k.Fingerprints, p.Fingerprint) ||
		safefile.Number(p.common) == 0 {
		return false
	}
	return !slices.ContainsFunc(k.Roots, func(root string) bool {
		r, ok := repository(root)
		return ok && r.fingerprint() == p.Fingerprint
	})
}

// Slug returns the slug of p: the recorded one, else the one that p would get now. "" means no project.
func (w Workspace) Slug(p Project) string {
	if p.None() {
		return ""
	}
	if k, ok := w.find(p); ok {
		return k.Slug
	}
	return w.free(Slug(p.Name), p)
}

// free returns name, or name with a number when another project than p has or had name.
func (w Workspace) free(name string, p Project) string {
	taken := map[string]bool{}
	for _, k := range w.Known {
		taken[k.Slug] = true
		for _, was := range k.Called() {
			taken[was] = true
		}
	}
	slug := name
	for n := 2; taken[slug] || w.elsewhere(slug, p); n++ {
		end := fmt.Sprintf("-%d", n)
		slug = shorten(name, maxSlug-len(end)) + end
	}
	return slug
}

// elsewhere reports whether sessions worked under this slug, but none in a folder of p. Then the slug belongs to
// another project, even if the list was deleted or damaged and does not say so.
func (w Workspace) elsewhere(slug string, p Project) bool {
	for s := range w.sessions() {
		if s == slug {
			return !w.worked(slug, p)
		}
	}
	return false
}

// worked reports whether a session that is remembered worked under this slug in a folder of p.
func (w Workspace) worked(slug string, p Project) bool {
	for s, root := range w.sessions() {
		if s == slug && p.shares(root) {
			return true
		}
	}
	return false
}

// sessions yields the slug and the folder of each session that is remembered.
func (w Workspace) sessions() iter.Seq2[string, string] {
	return func(yield func(slug, root string) bool) {
		folder := filepath.Join(filepath.Dir(w.path), safefile.Cache)
		entries, err := safefile.List(folder)
		if err != nil {
			return
		}
		for _, e := range entries {
			if filepath.Ext(e.Name()) != ".json" {
				continue
			}
			data, err := safefile.Read(filepath.Join(folder, e.Name()), maxWorkspace)
			if err != nil || !jsonx.Valid(data, 64) {
				continue
			}
			lane, ok := LaneNamed("", gjson.GetBytes(data, "lane").String())
			if root := gjson.GetBytes(data, "root").String(); ok && root != "" && !yield(lane.Slug, root) {
				return
			}
		}
	}
}

// Worked returns, by slug, a folder in which a remembered session worked, if the folder still stands and has that
// slug. The list need not hold the folder.
func (w Workspace) Worked(home string) map[string]string {
	out := map[string]string{}
	for slug, root := range w.sessions() {
		if out[slug] == "" && isDir(root) && w.Slug(w.Locate(root, home)) == slug {
			out[slug] = root
		}
	}
	return out
}

// Record notes that somebody worked on p at now, and returns its slug. It waits at most wait for the lock. It writes
// only news: a project, a folder, or the first use on another day. On error the slug is still good, but another
// project of the same name could get it too. The slug is "" when the list could not be read, or when other processes
// kept giving out names.
func Record(dir string, p Project, now time.Time, wait time.Duration) (string, error) {
	return OpenWorkspace(dir).Record(p, now, wait)
}

// Record is [Record] for a list that was just opened.
func (w Workspace) Record(p Project, now time.Time, wait time.Duration) (string, error) {
	dir := filepath.Dir(w.path)
	if w.Err != nil {
		return "", w.Err
	}
	if p.None() || w.current(p, now) {
		return w.Slug(p), nil
	}
	unlock, err := safefile.LockIn(dir, "workspace", wait)
	if _, known := w.find(p); errors.Is(err, safefile.ErrBusy) && !known {
		return "", err // another project of the same name may be getting it at this moment
	}
	if err != nil {
		return w.Slug(p), err
	}
	defer unlock()
	if w = OpenWorkspace(dir); w.Err != nil {
		return "", w.Err
	}
	p = w.settle(p) // another folder may just have been recorded with its identity
	slug := w.Slug(p)
	if w.current(p, now) {
		return slug, nil
	}
	if w.raw == "" {
		if err := w.begin(now); err != nil {
			return slug, err
		}
		w.raw = empty
	}
	k, known := w.find(p)
	at, id, was := -1, p.ID, k.Was
	switch {
	case !known:
	case slices.Contains(k.Was, p.ID): // another clone with the old origin: the newer origin stays
		at, id = k.index, k.ID
	case k.ID != p.ID:
		at, was = k.index, front(k.ID, k.Was, 8)
	default:
		at = k.index
	}
	seen := k.Commits
	for _, id := range commits(p.common) {
		seen = front(id, seen, maxCommits)
	}
	entry := "projects." + fmt.Sprint(at)
	raw := w.raw
	for _, f := range []struct {
		key   string
		value any
		leave bool
	}{
		{"slug", slug, false}, {"id", id, false}, {"was", was, len(was) == 0},
		{"roots", folders(front(p.Root, k.Roots, maxRoots)), false},
		{"marks", front(p.Fingerprint, k.Fingerprints, 8), p.Fingerprint == ""},
		{"commits", seen, len(seen) == 0},
		{"last", now.UTC().Format(time.RFC3339), false},
	} {
		if f.leave {
			continue
		}
		if raw, err = sjson.Set(raw, entry+"."+f.key, f.value); err != nil {
			return slug, err
		}
		if at < 0 { // "-1" appended; what follows belongs to the entry just made
			entry = fmt.Sprintf("projects.%d", gjson.Get(raw, "projects.#").Int()-1)
			at = 0
		}
	}
	return slug, safefile.Replace(w.path, []byte(raw), 0o600)
}

// empty is the content of a new list.
const empty = `{"version":1,"projects":[]}`

// begin prepares a new list: it sets an unusable file aside.
func (w Workspace) begin(now time.Time) error {
	_, err := safefile.Read(w.path, maxWorkspace)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil && !errors.Is(err, safefile.ErrTooLarge):
		return err
	}
	_, err = safefile.SetAside(w.path, "corrupt", now)
	return err
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
func front(s string, list []string, limit int) []string {
	out := []string{s}
	for _, old := range list {
		if old != s && len(out) < limit {
			out = append(out, old)
		}
	}
	return out
}

// current reports whether workspace.json already holds all news of p for today.
func (w Workspace) current(p Project, now time.Time) bool {
	k, ok := w.find(p)
	return ok && now.Sub(k.Last) <= 24*time.Hour && slices.Contains(k.Roots, p.Root) &&
		(k.ID == p.ID || slices.Contains(k.Was, p.ID)) &&
		(p.Fingerprint == "" || slices.Contains(k.Fingerprints, p.Fingerprint))
}
