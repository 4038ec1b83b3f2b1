package shared

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// gone stands for the sums of a working tree without the folder.
const gone = "none"

// settled is how old a change must be before its time tells it from the next change: clocks of file systems are coarse.
const settled = 2 * time.Second

// Refresh brings the copies of the trusted files, which are this project's records, in line with the working tree. It
// returns how many of its files wait for the person, and a fingerprint of these, "" for none. A copy stays while a
// version waits that is not trusted; one whose file is gone is archived. Without the folder nothing waits, and Refresh
// looks only whether there are copies.
//
// Errors: ErrForeign; safefile.ErrTooLarge for a folder beyond the limits; ErrUnreadable; safefile's. The copies then
// stay as they are.
func (p Repository) Refresh() (waiting int, set string, err error) {
	now, err := p.look()
	if err != nil {
		return 0, "", err
	}
	t, err := load(p.Store.Dir)
	if err != nil {
		return 0, "", err
	}
	of := t.Projects[p.Project]
	switch {
	case of == nil && now.Sums == gone:
		return 0, "", nil
	case of != nil && of.View.Tree == now.Tree && of.View.Sums == now.Sums:
		return of.View.Waiting, of.View.Set, nil
	}
	var tooLarge error
	err = change(p.Store.Dir, p.Wait, func(t *trusted) error {
		of := t.of(p.Project)
		v, err := p.update(of, now)
		if errors.Is(err, safefile.ErrTooLarge) { // noted, so that the next look does not read it again
			tooLarge, err = err, nil
		}
		of.View, waiting, set = v, v.Waiting, v.Set
		return err
	})
	if err = cmp.Or(err, tooLarge); err != nil {
		return 0, "", err
	}
	return waiting, set, nil
}

// look returns the view of the working tree now. The tree's name is a hash, since the list holds no words.
func (p Repository) look() (v view, err error) {
	v = view{Tree: hash([]byte(p.Root))[:16], Sums: gone}
	if _, err := p.stat(); errors.Is(err, fs.ErrNotExist) {
		return v, nil
	} else if err != nil {
		return v, err
	}
	tree, err := safefile.OpenTree(p.Path())
	if err != nil {
		return v, err
	}
	defer tree.Close()
	entries, err := tree.List(".", maxFiles)
	if err != nil {
		return v, err
	}
	var sums strings.Builder
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			fmt.Fprintf(&sums, "%s %d %d %s\n", e.Name(), info.Size(), info.ModTime().UnixNano(), info.Mode())
			if p.recent(info.ModTime()) {
				fmt.Fprintln(&sums, p.Now.UnixNano())
			}
		}
	}
	v.Sums = hash([]byte(sums.String()))
	return v, nil
}

// recent reports whether another change may have the same time. A time far ahead is that of another clock.
func (p Repository) recent(at time.Time) bool { return p.Now.Sub(at).Abs() < settled }

// update brings the copies in line with the folder, and returns v with what waits. The caller holds the lock of the
// list. Its errors are those of Refresh.
func (p Repository) update(of *trust, v view) (view, error) {
	c, err := p.read()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return v, err
	}
	list, err := p.copies()
	if err != nil {
		return v, err
	}
	copies, stays := map[string]*record.Record{}, map[string]bool{}
	for _, r := range list {
		copies[r.Slug] = r
	}
	for name := range c.names {
		stays[naming.Shared(name)] = true
	}
	writes := 0
	mirror := func(r record.Record, why string) error {
		if writes++; p.Most > 0 && writes > p.Most {
			v.Sums = "" // the next event goes on
			return nil
		}
		_, err := p.Store.Mirror(r, why)
		return err
	}
	var keys []string
	for _, f := range c.files {
		switch old := copies[f.Record.Slug]; {
		case slices.Contains(of.Written, f.key): // the person's own record says it
			delete(stays, f.Record.Slug)
		case !slices.Contains(of.Trusted, f.key):
			keys = append(keys, f.key)
		case old == nil || old.Shared != f.key || old.Status != f.Record.Status:
			if err := mirror(*f.Record, ""); err != nil && !errors.Is(err, record.ErrInvalid) {
				return v, err
			}
		}
	}
	for _, r := range copies {
		if stays[r.Slug] || r.Status == schema.Archived {
			continue
		}
		r.Status = schema.Archived
		if err := mirror(*r, "removed from the repository"); err != nil {
			return v, err
		}
	}
	if v.Waiting = len(keys); keys != nil {
		slices.Sort(keys)
		v.Set = hash([]byte(strings.Join(keys, "\n")))
	}
	return v, nil
}

// copies lists the copies of the project's files, whatever their status.
func (p Repository) copies() (out []*record.Record, err error) {
	list, _, err := p.Store.List(record.Filter{Project: p.Project, Status: schema.Statuses(),
		Match: naming.SharedPrefix + "*"})
	return slices.DeleteFunc(list, func(r *record.Record) bool { return r.Shared == "" }), err
}

// Review is what a person is shown before trusting: the files that wait, and what is left out.
type Review struct {
	Waiting []File
	Trusted int // files that are trusted, or are the person's own
	Left    []Left
}

// Review reads the folder. Errors: those of Refresh, and fs.ErrNotExist when there is no folder.
func (p Repository) Review() (out Review, err error) {
	c, err := p.read()
	if err != nil {
		return out, err
	}
	t, err := load(p.Store.Dir)
	if err != nil {
		return out, err
	}
	of := t.of(p.Project)
	for _, f := range c.files {
		if of.knows(f) {
			out.Trusted++
			continue
		}
		if r, err := p.Store.Read(p.idOf(f)); err == nil && r.Shared != "" {
			f.Copy = r
		}
		out.Waiting = append(out.Waiting, f)
	}
	out.Left = c.left
	return out, nil
}

// idOf returns the id of the copy of a file.
func (p Repository) idOf(f File) string { return naming.Prefix(p.Project) + naming.Shared(f.Name) }

// Trust notes that the person trusts these files, which Review returned, and makes them records. It returns the ids of
// the records, and the files that it made none of: what stands in the folder now and is not the same waits on. Errors:
// those of Refresh.
func (p Repository) Trust(files []File) (taken []string, left []Left, err error) {
	err = p.decide(func(of *trust) error {
		for _, f := range files {
			of.Trusted = add(of.Trusted, f.key)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		id := p.idOf(f)
		switch r, err := p.Store.Read(id); {
		case err == nil && r.Shared == f.key && r.Status == f.Record.Status:
			taken = append(taken, id)
		case err == nil && r.Shared == "":
			left = append(left, Left{f.Path(), id + " is a record of your own"})
		default:
			left = append(left, Left{f.Path(), "it changed meanwhile"})
		}
	}
	return taken, left, nil
}

// Distrust takes the trust in the file of a copy away, in the version that the copy shows, and archives the copy. The
// file waits again. Errors: those of Refresh.
func (p Repository) Distrust(r *record.Record) error {
	return p.decide(func(of *trust) error {
		of.Trusted = slices.DeleteFunc(of.Trusted, func(key string) bool { return key == r.Shared })
		put := *r
		put.Status = schema.Archived
		_, err := p.Store.Mirror(put, "not trusted any more")
		return err
	})
}

// decide changes what is trusted, and brings the copies in line.
func (p Repository) decide(do func(of *trust) error) error {
	err := change(p.Store.Dir, p.Wait, func(t *trusted) error {
		of := t.of(p.Project)
		of.View = view{}
		return do(of)
	})
	if err == nil {
		_, _, err = p.Refresh()
	}
	return err
}
