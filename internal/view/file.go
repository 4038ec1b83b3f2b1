package view

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Folder is the folder of the pages in memento's folder.
const Folder = "view"

const (
	pageEnd    = ".html"
	outsideEnd = ".outside" // of a file that holds the path of a page outside memento's folder
	mark       = "<!doctype html>\n<!-- memento view -->\n"
	maxPath    = 16 << 10 // bytes
	maxPages   = 1 << 40  // bytes of a page: no limit
	outsides   = 20       // names that are tried for a page outside
)

// All is the name of the page of all projects. No slug begins with "_".
const All = "_all"

// nameOf returns the name of a project's file; slug is "" outside any project.
func nameOf(slug string) string { return cmp.Or(slug, "_none") }

// Path returns the path of the page of the project with this slug, or of All.
func Path(dir, slug string) string { return filepath.Join(dir, Folder, nameOf(slug)+pageEnd) }

// Save writes the page to path, for this user alone, over what stands there. Errors: safefile's; what stood there stays
// then.
func (p *Page) Save(path string) error {
	return safefile.ReplaceBy(path, 0o600, false, p.Write)
}

// SaveIn writes the page of a project, or of All, into dir, memento's folder, and returns its path. Errors: safefile's.
func (p *Page) SaveIn(dir, slug string) (string, error) {
	if err := safefile.Dir(filepath.Join(dir, Folder)); err != nil {
		return "", err
	}
	if err := RemoveOutside(dir, slug); err != nil { // left when somebody stopped memento view
		return "", err
	}
	return Path(dir, slug), p.Save(Path(dir, slug))
}

// SaveOutside writes the page into folder, for a browser that may not read dir, memento's folder, and returns its path.
// A note in dir leads to it until RemoveOutside or Erase has removed it. It overwrites nothing. Errors: safefile's.
func (p *Page) SaveOutside(dir, slug, folder string) (string, error) {
	if err := RemoveOutside(dir, slug); err != nil {
		return "", err
	}
	if err := safefile.Dir(filepath.Join(dir, Folder)); err != nil {
		return "", err
	}
	var whole bytes.Buffer
	_ = p.Write(&whole) // a buffer takes everything
	for n := 1; ; n++ {
		path := filepath.Join(folder, "memento-"+strings.TrimPrefix(nameOf(slug), "_")+pageEnd)
		if n > 1 {
			path = strings.TrimSuffix(path, pageEnd) + fmt.Sprintf("-%d", n) + pageEnd
		}
		if _, err := safefile.Stat(path); err == nil && n < outsides {
			continue
		}
		if err := safefile.Replace(outsidePath(dir, slug), []byte(path+"\n"), 0o600); err != nil {
			return "", err
		}
		err := safefile.Create(path, whole.Bytes(), 0o600)
		if err == nil {
			return path, nil
		}
		if removed := safefile.Remove(outsidePath(dir, slug)); removed != nil || !errors.Is(err, fs.ErrExist) ||
			n >= outsides {
			return "", err
		}
	}
}

func outsidePath(dir, slug string) string { return filepath.Join(dir, Folder, nameOf(slug)+outsideEnd) }

// RemoveOutside removes the page of a project that SaveOutside wrote, if there is one. Errors: safefile's.
func RemoveOutside(dir, slug string) error {
	_, err := removeNoted(outsidePath(dir, slug))
	return err
}

// removeNoted removes the page to which a note leads, and the note. It leaves a file that is no page of memento's.
func removeNoted(note string) (removed string, err error) {
	path := Noted(note)
	if path != "" {
		if err := safefile.Remove(path); err != nil {
			return "", err
		}
	}
	return path, safefile.Remove(note)
}

// Noted returns the path of the page outside to which a note leads, "" when that is gone.
func Noted(note string) string {
	data, err := safefile.Read(note, maxPath)
	if err != nil {
		return ""
	}
	path := strings.TrimSuffix(string(data), "\n")
	if !IsPage(path) || filepath.Ext(path) != pageEnd {
		return ""
	}
	return path
}

// IsPage reports whether the file at path is a page of memento's.
func IsPage(path string) bool {
	begin, err := safefile.ReadStart(path, int64(len(mark)))
	return err == nil && string(begin) == mark
}

// Files lists the pages in dir, memento's folder, and the notes that lead to pages outside. Errors: safefile's.
func Files(dir string) (pages, notes []string, err error) {
	entries, err := safefile.ListFolder(filepath.Join(dir, Folder))
	for _, e := range entries {
		path := filepath.Join(dir, Folder, e.Name())
		switch {
		case e.IsDir() || safefile.Temporary(e.Name()):
		case strings.HasSuffix(e.Name(), outsideEnd):
			notes = append(notes, path)
		default:
			pages = append(pages, path)
		}
	}
	return pages, notes, err
}

// Erase removes every page, here and outside, and returns those it removed. memento view writes a page anew. A page
// that a person wrote elsewhere with --out is the person's. Errors: safefile's; the same call again goes on.
func Erase(dir string) (gone []string, err error) {
	return erase(dir, func(string) bool { return true })
}

// Sweep erases the pages that are older than keep: what they show may be gone by now. Errors: those of Erase.
func Sweep(dir string, keep time.Duration, now time.Time) error {
	_, err := erase(dir, func(path string) bool {
		at, err := safefile.Stat(path)
		return err == nil && now.Sub(time.Unix(0, at.Time)) > keep
	})
	return err
}

// erase removes the pages and the notes that due reports, and the pages to which those notes lead.
func erase(dir string, due func(path string) bool) (gone []string, err error) {
	pages, notes, err := Files(dir)
	if err != nil {
		return nil, err
	}
	for _, path := range notes {
		if !due(path) {
			continue
		}
		removed, err := removeNoted(path)
		if err != nil {
			return gone, err
		}
		if removed != "" {
			gone = append(gone, removed)
		}
	}
	for _, path := range pages {
		if !due(path) {
			continue
		}
		if err := safefile.Remove(path); err != nil {
			return gone, err
		}
		gone = append(gone, path)
	}
	return gone, nil
}

// SlugOf returns the slug of the project whose page is at path, in dir, memento's folder. ok is false for the page of
// all projects and for one outside.
func SlugOf(dir, path string) (slug string, ok bool) {
	name := strings.TrimSuffix(filepath.Base(path), pageEnd)
	switch {
	case filepath.Dir(path) != filepath.Join(dir, Folder) || name == All:
		return "", false
	case name == nameOf(""):
		return "", true
	}
	return name, true
}

// Holding lists the pages that hold words, by a function that looks through a file. Errors: safefile's.
func Holding(dir string, has func(data []byte) bool) (found []string, err error) {
	pages, notes, err := Files(dir)
	for _, note := range notes {
		if path := Noted(note); path != "" {
			pages = append(pages, path)
		}
	}
	for _, path := range pages {
		if data, err := safefile.ReadForeign(path, maxPages); err == nil && has(data) {
			found = append(found, path)
		}
	}
	return found, err
}

// Rename removes the pages, which hold a project's former name.
func Rename(dir string) error {
	_, err := Erase(dir)
	return err
}
