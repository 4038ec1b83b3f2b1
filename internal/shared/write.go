package shared

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
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
	Hash    string // SHA-256 of the content
	Changed bool   // whether it was not there already
	Secrets []string
}

// Share writes a copy of r into the folder, for the person to commit, and brings the page up to date. r's own id gives
// the file its name. With replace it also overwrites a version that somebody else wrote. Errors:
// ErrNoRepository, ErrForeign, ErrUnshareable, ErrTheirs, record.ErrInvalid and safefile. On an error no record in
// the folder changed.
func (p Repository) Share(r record.Record, replace bool, home string) (w Written, err error) {
	if err := p.checkRepository(); err != nil {
		return w, err
	}
	kind, _ := schema.Named(r.Kind)
	switch {
	case r.Shared != "":
		return w, fmt.Errorf("%w: %s came from the repository", ErrUnshareable, r.ID)
	case r.Project != p.Project:
		return w, fmt.Errorf("%w: %s is no record of project %s", ErrUnshareable, r.ID, p.Project)
	case !shareable(kind):
		return w, fmt.Errorf("%w: %s is about you, or written unasked", ErrUnshareable, kind.One())
	case r.Status == schema.Archived:
		return w, fmt.Errorf("%w: %s is archived", ErrUnshareable, r.ID)
	case conflicted(r.Body):
		return w, fmt.Errorf("%w: %s has the marks of a git conflict", ErrUnshareable, r.ID)
	}
	name := r.Slug
	if !named(name) {
		name = naming.Slug("record " + name)
	}
	data, secrets, err := Encode(p.withoutPlaces(r, home))
	if err != nil {
		return w, err
	}
	f, why := p.judge(name, data, nil)
	if why != "" {
		return w, fmt.Errorf("%w: %s: %s", ErrUnshareable, r.ID, why)
	}
	w = Written{Path: f.Path(), Hash: f.Hash, Secrets: secrets}
	err = change(p.Store.Dir, p.Wait, func(t *trusted) (bool, error) {
		of := t.of(p.Project)
		was, err := p.version(name, of, replace)
		if err != nil {
			return false, err
		}
		of.Written = add(of.Written, f.key)
		if w.Changed = was != f.Hash; !w.Changed {
			return true, p.writePage(of)
		}
		// the list first: a file that is there and not in the list would wait for its own author
		if err := t.save(p.Store.Dir); err != nil {
			return false, err
		}
		if err := safefile.Folder(p.Path()); err != nil {
			return false, err
		}
		safefile.Sweep(p.Path(), time.Hour, p.Now)
		if err := safefile.Replace(filepath.Join(p.Root, filepath.FromSlash(w.Path)), data, 0o644); err != nil {
			return false, err
		}
		return true, p.writePage(of)
	})
	if err == nil {
		_, err = p.Refresh(Contents)
	}
	return w, err
}

// checkRepository returns nil when records can be written into the working tree. Errors: ErrNoRepository, ErrForeign,
// those of read.
func (p Repository) checkRepository() error {
	if p.Root == "" {
		return ErrNoRepository
	}
	if _, err := os.Lstat(filepath.Join(p.Root, ".git")); err != nil {
		return ErrNoRepository
	}
	c, err := p.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !c.ours:
		return fmt.Errorf("%s: %w: it has a README.md or other files that memento did not write", p.Path(), ErrForeign)
	}
	return err
}

// version returns the hash of the file called name, "" when there is none. Error: ErrTheirs unless replace is set or
// this person wrote the version; safefile's.
func (p Repository) version(name string, of *trust, replace bool) (string, error) {
	c, err := p.read()
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil || !c.names[name] {
		return "", err
	}
	i := slices.IndexFunc(c.files, func(f File) bool { return f.Name == name })
	switch {
	case i >= 0 && (replace || slices.Contains(of.Written, c.files[i].key)):
		return c.files[i].Hash, nil
	case i < 0 && replace:
		return "", nil
	}
	return "", fmt.Errorf("%s: %w", filePath(name), ErrTheirs)
}

// Withdraw deletes the file of the record with this slug from the folder, and brings the page up to date. Without
// records the folder goes too. It reports whether there was a file. Errors: those of Share.
func (p Repository) Withdraw(slug string, replace bool) (path string, had bool, err error) {
	if err := p.checkRepository(); err != nil {
		return "", false, err
	}
	if !named(slug) {
		slug = naming.Slug("record " + slug)
	}
	err = change(p.Store.Dir, p.Wait, func(t *trusted) (bool, error) {
		of := t.of(p.Project)
		was, err := p.version(slug, of, replace)
		if err != nil {
			return false, err
		}
		had = was != ""
		if err := safefile.Remove(filepath.Join(p.Path(), slug+naming.Ending)); err != nil {
			return false, err
		}
		return true, p.writePage(of)
	})
	if err == nil {
		_, err = p.Refresh(Contents)
	}
	return filePath(slug), had, err
}

const (
	pageName = "README.md"
	maxPage  = 1 << 20 // bytes
	// pageMark begins the page. A folder with it is memento's.
	pageMark = "<!-- memento share writes this page -->\n"
)

// WritePage brings the page up to date. Errors: those of Share.
func (p Repository) WritePage() error {
	if err := p.checkRepository(); err != nil {
		return err
	}
	return change(p.Store.Dir, p.Wait, func(t *trusted) (bool, error) { return false, p.writePage(t.of(p.Project)) })
}

// writePage writes the page that lists the records. Of a file that is not trusted it quotes nothing: the line that the
// page has for it stays, or its name stands there. Without any file the page goes, and the folder if it is empty.
func (p Repository) writePage(of *trust) error {
	c, err := p.read()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	at := filepath.Join(p.Path(), pageName)
	if len(c.names) == 0 {
		if c.page == "" {
			return nil
		}
		if err := safefile.Remove(at); err != nil {
			return err
		}
		_ = safefile.Remove(p.Path()) // the folder stays if it holds anything else
		return nil
	}
	page := pageMark + "# Records of this project\n\nWhat people who work here decided and found out, kept with " +
		"memento. After a clone, `memento trust` shows\nthe records and takes them in; `memento share RECORD` adds one. " +
		"Edit a record here as any other file.\n\n"
	for _, f := range c.files {
		known := slices.Contains(of.Trusted, f.key) || slices.Contains(of.Written, f.key)
		page += pageLine(f, known && !f.Conflict, c.page)
	}
	if page == c.page {
		return nil
	}
	return safefile.Replace(at, []byte(page), 0o644)
}

// pageLine returns the line of a file. With quote unset it is the line of the old page, or has the file's name alone.
func pageLine(f File, quote bool, old string) string {
	link := "](" + f.Name + naming.Ending + ")"
	if !quote {
		for line := range strings.Lines(old) {
			if strings.HasPrefix(line, "- [") && strings.Contains(line, link) && strings.HasSuffix(line, "\n") {
				return line
			}
		}
		return "- [" + f.Name + link + "\n"
	}
	words := []string{f.Record.Kind}
	if f.Record.Stage != "" {
		words = append(words, f.Record.Stage)
	}
	if f.Record.Status != schema.Active {
		words = append(words, f.Record.Status)
	}
	return "- [" + markdown.Escape(text.Data(f.Record.Title)) + link + " · " + markdown.Escape(strings.Join(words, ", ")) + "\n"
}
