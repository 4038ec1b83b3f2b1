package project

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/safefile"
)

const maxWorkspace = 4 << 20

// Known is one project in workspace.json.
type Known struct {
	Slug  string    `json:"slug"`
	ID    string    `json:"id"`
	Was   []string  `json:"was,omitempty"` // what its folders' origin said before
	Roots []string  `json:"roots"`         // the one used last first
	Marks []string  `json:"marks,omitempty"`
	Last  time.Time `json:"last"`

	index int          // in the file, which may hold entries memento does not understand
	raw   gjson.Result // as it stands there: what few ask for is read when they do
}

// Workspace is the list of the projects seen on this machine; it gives each its slug for ever.
type Workspace struct {
	path  string
	raw   string
	Known []Known
	Err   error // the disk's, when it kept from reading: then nobody knows what a project is called
}

// OpenWorkspace reads workspace.json in dir. A missing or unusable file reads as empty: slugs can be made again. One that
// could not be read now says so in Err.
func OpenWorkspace(dir string) Workspace {
	w := Workspace{path: filepath.Join(dir, "workspace.json")}
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
		k := Known{Slug: v.Get("slug").String(), ID: v.Get("id").String(), Was: texts(v.Get("was")), Roots: texts(v.Get("roots")), Marks: texts(v.Get("marks")), index: index, raw: v}
		k.Last, _ = time.Parse(time.RFC3339, v.Get("last").String())
		if k.Slug != "" && k.Slug == Slug(k.Slug) {
			w.Known = append(w.Known, k)
		}
		return true
	})
	return w
}

// usable reports whether data is a list of projects that one more can be added to.
func usable(data []byte) bool {
	if event.TooDeep(data, 64) >= 0 || !gjson.ValidBytes(data) || !gjson.ParseBytes(data).IsObject() {
		return false
	}
	list := gjson.GetBytes(data, "projects")
	return list.IsArray() || !list.Exists()
}

// Locate is Find, which for a folder outside any repository also knows the plain folders seen before: a sub-folder of
// one belongs to it.
func (w Workspace) Locate(dir, home string) Project {
	p := Find(dir, home)
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
	return path == root || strings.HasPrefix(path, strings.TrimRight(root, string(filepath.Separator))+string(filepath.Separator))
}

// find returns the entry of p: the one with its identity, else the one that this very repository was known by before.
func (w Workspace) find(p Project) (Known, bool) {
	for _, k := range w.Known {
		if k.ID == p.ID {
			return k, true
		}
	}
	for _, k := range w.Known {
		if k.stayed(p) || k.moved(p) {
			return k, true
		}
	}
	return Known{}, false
}

// stayed reports whether p is a folder of k whose origin was set, changed or removed since: the work in it goes on. Another
// repository in the same place has another mark. An earlier origin is no identity any more, so that two projects that began
// as clones of one template stay apart.
func (k Known) stayed(p Project) bool {
	if len(k.Marks) == 0 {
		return k.ID == "dir:"+p.Main // it had no commit then, or was no repository
	}
	return slices.Contains(k.Marks, p.Mark) && (slices.Contains(k.Roots, p.Root) || slices.Contains(k.Roots, p.Main))
}

// moved reports whether p is k's repository in another place: the same mark, and it stands in none of its old places any
// more, as it does when it was copied.
func (k Known) moved(p Project) bool {
	if p.Mark == "" || !slices.Contains(k.Marks, p.Mark) {
		return false
	}
	return !slices.ContainsFunc(k.Roots, func(root string) bool {
		r, ok := repository(root)
		return ok && mark(r.common) == p.Mark
	})
}

// Slug returns the slug of p: the recorded one, else the one it would get now. "" for no project.
func (w Workspace) Slug(p Project) string {
	if p.None() {
		return ""
	}
	if k, ok := w.find(p); ok {
		return k.Slug
	}
	return w.free(Slug(p.Name), p)
}

// free returns name, or name with a number where it is, or was, another project's than p.
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

// elsewhere reports whether sessions worked under this slug in folders that still stand and are all another project's: that
// project's name it is, though the list was deleted or damaged and does not say so.
func (w Workspace) elsewhere(slug string, p Project) bool {
	found := false
	for s, root := range w.sessions() {
		if s != slug {
			continue
		}
		if !isDir(root) || Find(root, "").ID == p.ID || root == p.Root || root == p.Main {
			return false
		}
		found = true
	}
	return found
}

// sessions yields for each session that is remembered the slug it worked under and its folder.
func (w Workspace) sessions() iter.Seq2[string, string] {
	return func(yield func(slug, root string) bool) {
		folder := filepath.Join(filepath.Dir(w.path), "state")
		entries, err := safefile.List(folder)
		if err != nil {
			return
		}
		for _, e := range entries {
			if filepath.Ext(e.Name()) != ".json" {
				continue
			}
			data, err := safefile.Read(filepath.Join(folder, e.Name()), maxWorkspace)
			data = safefile.Newest(data)
			if err != nil || event.TooDeep(data, 64) >= 0 || !gjson.ValidBytes(data) {
				continue
			}
			lane, ok := LaneNamed("", gjson.GetBytes(data, "lane").String())
			if root := gjson.GetBytes(data, "root").String(); ok && root != "" && !yield(lane.Slug, root) {
				return
			}
		}
	}
}

// Worked returns the folder of each slug that a remembered session worked under in a folder which still stands and is called so,
// whether the list says so or not.
func (w Workspace) Worked(home string) map[string]string {
	out := map[string]string{}
	for slug, root := range w.sessions() {
		if out[slug] == "" && isDir(root) && w.Slug(w.Locate(root, home)) == slug {
			out[slug] = root
		}
	}
	return out
}

// Record notes that p was worked in at now and returns its slug. It waits at most wait for the lock and writes only
// when there is something new to say: a project, a root, or a use on another day. On error the slug is still good, but
// another project of the same name could be given it too; it is "" when what the project is called could not be read, or
// another process was giving out names all the time.
func Record(dir string, p Project, now time.Time, wait time.Duration) (string, error) {
	return OpenWorkspace(dir).Record(p, now, wait)
}

// Record is that of a list just opened.
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
		return "", err // another of the same name may be getting it at this moment
	}
	if err != nil {
		return w.Slug(p), err
	}
	defer unlock()
	if w = OpenWorkspace(dir); w.Err != nil {
		return "", w.Err
	}
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
	case slices.Contains(k.Was, p.ID): // another clone, whose origin nobody changed: the newer one stays
		at, id = k.index, k.ID
	case k.ID != p.ID:
		at, was = k.index, front(k.ID, k.Was, 8)
	default:
		at = k.index
	}
	entry := "projects." + fmt.Sprint(at)
	raw := w.raw
	for _, f := range []struct {
		key   string
		value any
		leave bool
	}{
		{"slug", slug, false}, {"id", id, false}, {"was", was, len(was) == 0}, {"roots", front(p.Root, k.Roots, 16), false},
		{"marks", front(p.Mark, k.Marks, 8), p.Mark == ""}, {"last", now.UTC().Format(time.RFC3339), false},
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

// empty is what a new list holds.
const empty = `{"version":1,"projects":[]}`

// begin makes room for a new list: what cannot be used is set aside.
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

// front returns list with s in front, once, and at most limit long.
func front(s string, list []string, limit int) []string {
	out := []string{s}
	for _, old := range list {
		if old != s && len(out) < limit {
			out = append(out, old)
		}
	}
	return out
}

// current reports whether workspace.json already says all there is to say of p today.
func (w Workspace) current(p Project, now time.Time) bool {
	k, ok := w.find(p)
	return ok && now.Sub(k.Last) <= 24*time.Hour && slices.Contains(k.Roots, p.Root) &&
		(k.ID == p.ID || slices.Contains(k.Was, p.ID)) && (p.Mark == "" || slices.Contains(k.Marks, p.Mark))
}
