package shared

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// ErrTheirs says that the file in the repository holds a version that this person neither shared nor trusted.
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

// Share writes a copy of r into the folder, for the person to commit, and notes it in the record. r's slug gives the
// file its name. Errors: ErrNoRepository, ErrForeign, ErrUnshareable, ErrTheirs, those of record.Store.Update and
// safefile. On an error no file in the folder changed, unless the error is of the note; the same call then makes it.
func (p Repository) Share(r record.Record, home string) (w Written, err error) {
	refuse := func(why string) error { return fmt.Errorf("%w: %s: %s", ErrUnshareable, r.ID, why) }
	switch {
	case r.Project != p.Project:
		return w, refuse("it is no record of project " + p.Project)
	case !shareable(r.Kind):
		return w, refuse("its kind is about you, or written unasked")
	case r.Status == schema.Archived:
		return w, refuse("it is archived")
	}
	data, secrets, err := Encode(p.withoutPlaces(r, home))
	if err != nil {
		return w, err
	}
	now, err := p.decode(r.Slug, data)
	if err != nil {
		return w, refuse(err.Error())
	}
	w = Written{Path: File{Name: r.Slug}.Path(), Secrets: secrets}
	was, err := p.version(r.Slug)
	if w.Changed = was != now.Shared; err != nil {
		return w, err
	}
	if w.Changed && was != "" && was != r.Shared {
		return w, fmt.Errorf("%s: %w", w.Path, ErrTheirs)
	}
	if w.Changed {
		if err := safefile.Folder(p.Path()); err != nil {
			return w, err
		}
		safefile.Sweep(p.Path(), time.Hour, p.Store.Now())
		if err := safefile.Replace(filepath.Join(p.Root, w.Path), data, 0o644); err != nil {
			return w, err
		}
	}
	_, err = p.Store.Update(r.ID, "", "shared", func(next *record.Record) error {
		next.Shared, next.KeepTime = now.Shared, true
		return nil
	})
	return w, err
}

// version returns the sum of the folder's file called name, "" for none. Errors: ErrNoRepository, ErrForeign, ErrTheirs
// for a file that Review leaves out, those of Review.
func (p Repository) version(name string) (string, error) {
	if _, err := os.Lstat(filepath.Join(p.Root, ".git")); p.Root == "" || err != nil {
		return "", ErrNoRepository
	}
	all, err := p.Review()
	if err != nil {
		return "", err
	}
	files := slices.Concat(all.Waiting, all.Trusted)
	if files == nil && all.Left != nil {
		return "", fmt.Errorf("%s: %w: it has files, and none that memento wrote", p.Path(), ErrForeign)
	}
	for _, f := range files {
		if f.Name == name {
			return f.Record.Shared, nil
		}
	}
	for _, l := range all.Left {
		if strings.EqualFold(l.Name, name+naming.Ending) { // some systems take both for one file
			return "", fmt.Errorf("%s/%s: %w", Folder, l.Name, ErrTheirs)
		}
	}
	return "", nil
}

// withoutPlaces returns r without the paths of this machine and the id of its session: paths in the working tree begin
// at its top folder, a home folder is ~, and the list of files has none outside the working tree.
func (p Repository) withoutPlaces(r record.Record, home string) record.Record {
	roots, own := pathsOf(p.Root), pathsOf(home)
	clean := func(s string) string {
		for _, root := range roots {
			s = strings.ReplaceAll(s, root+string(filepath.Separator), "")
			s = replacePath(s, root, ".", false)
		}
		for _, h := range own {
			s = replacePath(s, h, "~", false)
		}
		if r.Session != "" {
			s = strings.ReplaceAll(s, r.Session, "a session")
		}
		for _, all := range [...]string{`\Users\`, "/home/", "/Users/"} { // anybody's home: its name is a person's
			s = replacePath(s, all, "~", true)
		}
		return s
	}
	r.Title, r.Body = clean(r.Title), clean(r.Body)
	var tags, files []string
	for _, tag := range r.Tags {
		tags = append(tags, clean(tag))
	}
	for _, f := range r.Files {
		for _, root := range roots {
			f = strings.TrimPrefix(f, root+string(filepath.Separator))
		}
		if f = filepath.ToSlash(f); filepath.IsLocal(f) && !strings.HasPrefix(f, "~") {
			files = append(files, f)
		}
	}
	r.Tags, r.Files = tags, files
	return r
}

// pathsOf returns a folder's path as it is given and without links. Of the topmost folder it returns none.
func pathsOf(dir string) (paths []string) {
	if dir == "" || dir == filepath.Dir(dir) {
		return nil
	}
	if to, err := filepath.EvalSymlinks(dir); err == nil && to != dir {
		paths = append(paths, to)
	}
	return append(paths, dir)
}

// replacePath replaces path in s where the name of its last folder ends there. With isAbove, it replaces path with the
// name of a folder behind it, unless path is in a longer one.
func replacePath(s, path, by string, isAbove bool) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, path)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		rest := strings.TrimLeftFunc(after, inName)
		last, _ := utf8.DecodeLastRuneInString(before)
		if isAbove && rest != after && !inName(last) || !isAbove && rest == after {
			b.WriteString(by)
			s = rest
		} else {
			b.WriteString(path)
			s = after
		}
	}
}

// inName reports whether r may stand in the name of a folder.
func inName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '.'
}
