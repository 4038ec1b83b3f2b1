package shared

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// ErrTheirs says that the file in the repository holds a version that this person did not write.
var ErrTheirs = errors.New("it holds a version that you did not share")

// ErrUnshareable says that a record does not go into a repository.
var ErrUnshareable = errors.New("it is not shared")

// ErrNoRepository says that a folder is in no working tree of git.
var ErrNoRepository = errors.New("this folder is in no git repository")

// Written is a file that Share wrote.
type Written struct {
	Path    string // from the top folder of the working tree
	Changed bool   // whether it was not there already
	Secrets []string
}

// Share writes a copy of r into the folder, for the person to commit. r's own id gives the file its name. Errors:
// ErrNoRepository, ErrForeign, ErrUnshareable, ErrTheirs, record.ErrInvalid and safefile. On an error no record in the
// folder changed.
func (p Repository) Share(r record.Record, home string) (w Written, err error) {
	kind, _ := schema.Named(r.Kind)
	why := ""
	switch {
	case r.Shared != "":
		why = "it came from the repository"
	case r.Project != p.Project:
		why = "it is no record of project " + p.Project
	case !shareable(kind):
		why = kind.One() + " is about you, or written unasked"
	case r.Status == schema.Archived:
		why = "it is archived"
	}
	if why != "" {
		return w, fmt.Errorf("%w: %s: %s", ErrUnshareable, r.ID, why)
	}
	data, secrets, err := Encode(p.withoutPlaces(r, home))
	if err != nil {
		return w, err
	}
	f, why := p.judge(r.Slug, data, nil)
	if why != "" {
		return w, fmt.Errorf("%w: %s: %s", ErrUnshareable, r.ID, why)
	}
	was, err := p.write(f)
	return Written{Path: f.Path(), Changed: was != f.Hash, Secrets: secrets}, err
}

// write writes f into the folder, and brings the copies up to date. It returns the hash of the file before, "" for
// none. Errors: those of Share.
func (p Repository) write(f File) (was string, err error) {
	c, err := p.readForWriting()
	if err != nil {
		return "", err
	}
	at := filepath.Join(p.Path(), f.Name+naming.Ending)
	err = change(p.Store.Dir, p.Wait, func(t *trusted) (err error) {
		of := t.of(p.Project)
		if was, err = c.version(f.Name, of); err != nil {
			return err
		}
		of.View = view{}
		of.Written = add(of.Written, f.key)
		// the list first: a file that is there and not in the list would wait for its own author
		if err := t.save(p.Store.Dir); err != nil || was == f.Hash {
			return err
		}
		if err := safefile.Folder(p.Path()); err != nil {
			return err
		}
		safefile.Sweep(p.Path(), time.Hour, p.Now)
		return safefile.Replace(at, f.data, 0o644)
	})
	if err == nil {
		_, _, err = p.Refresh()
	}
	return was, err
}

// readForWriting reads the folder, and returns nil when records can be written into the working tree. Errors:
// ErrNoRepository, ErrForeign, those of read but fs.ErrNotExist.
func (p Repository) readForWriting() (c contents, err error) {
	if p.Root == "" {
		return c, ErrNoRepository
	}
	if _, err := os.Lstat(filepath.Join(p.Root, ".git")); err != nil {
		return c, ErrNoRepository
	}
	c, err = p.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err == nil && len(c.files) == 0 && len(c.left) > 0:
		return c, fmt.Errorf("%s: %w: it has files, and none that memento wrote", p.Path(), ErrForeign)
	}
	return c, err
}

// version returns the hash of the file called name, "" when there is none. Error: ErrTheirs unless this person wrote
// the version.
func (c contents) version(name string, of *trust) (string, error) {
	i := slices.IndexFunc(c.files, func(f File) bool { return f.Name == name })
	if c.names[name] && (i < 0 || !slices.Contains(of.Written, c.files[i].key)) {
		return "", fmt.Errorf("%s: %w", File{Name: name}.Path(), ErrTheirs)
	}
	if i < 0 {
		return "", nil
	}
	return c.files[i].Hash, nil
}
