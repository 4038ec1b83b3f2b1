package view

import (
	"bytes"
	"cmp"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Folder is the folder of the pages in memento's folder.
const Folder = safefile.Cache + "/view"

const (
	pageEnd = ".html"
	mark    = "<!doctype html>\n<!-- memento view -->\n"
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
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		return err
	}
	return safefile.ReplaceVolatile(path, out.Bytes(), 0o600)
}

// SaveIn writes the page of a project, or of All, into dir, memento's folder, and returns its path. Errors: safefile's.
func (p *Page) SaveIn(dir, slug string) (string, error) {
	for _, d := range [...]string{safefile.Cache, Folder} {
		if err := safefile.Dir(filepath.Join(dir, d)); err != nil {
			return "", err
		}
	}
	return Path(dir, slug), p.Save(Path(dir, slug))
}

// IsPage reports whether the file at path is a page of memento's.
func IsPage(path string) bool {
	begin, err := safefile.ReadStart(path, int64(len(mark)))
	return err == nil && string(begin) == mark
}

// pages lists the pages in dir, memento's folder. Errors: safefile's.
func pages(dir string) (all []string, err error) {
	entries, err := safefile.ListFolder(filepath.Join(dir, Folder))
	for _, e := range entries {
		if !e.IsDir() && !safefile.Temporary(e.Name()) {
			all = append(all, filepath.Join(dir, Folder, e.Name()))
		}
	}
	return all, err
}

// Erase removes every page and returns those it removed. memento view writes a page anew. A page that a person wrote
// elsewhere with --out is the person's. Errors: safefile's; the same call again goes on.
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

// erase removes the pages that due reports.
func erase(dir string, due func(path string) bool) (gone []string, err error) {
	all, err := pages(dir)
	for _, path := range all {
		if !due(path) {
			continue
		}
		if err := safefile.Remove(path); err != nil {
			return gone, err
		}
		gone = append(gone, path)
	}
	return gone, err
}
