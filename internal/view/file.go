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

const mark = "<!doctype html>\n<!-- memento view -->\n"

// All is the name of the page of all projects. No slug begins with "_".
const All = "_all"

// Save writes the page to path, for this user alone, over what stands there. Errors: safefile's; what stood there stays
// then.
func (p *Page) Save(path string) error {
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		return err
	}
	return safefile.ReplaceVolatile(path, out.Bytes(), 0o600)
}

// SaveIn writes the page of the project with this slug, "" outside any project, or of All, into dir, memento's folder,
// and returns its path. Errors: safefile's.
func (p *Page) SaveIn(dir, slug string) (string, error) {
	for _, d := range [...]string{safefile.Cache, Folder} {
		if err := safefile.Dir(filepath.Join(dir, d)); err != nil {
			return "", err
		}
	}
	path := filepath.Join(dir, Folder, cmp.Or(slug, "_none")+".html")
	return path, p.Save(path)
}

// IsPage reports whether the file at path is a page of memento's.
func IsPage(path string) bool {
	begin, err := safefile.ReadStart(path, int64(len(mark)))
	return err == nil && string(begin) == mark
}

// Erase removes every page. memento view writes a page anew. A page that a person wrote elsewhere with --out is the
// person's. Errors: safefile's; the same call again goes on.
func Erase(dir string) error { return erase(dir, func(string) bool { return true }) }

// Sweep erases the pages that are older than keep: what they show may be gone by now. Errors: those of Erase.
func Sweep(dir string, keep time.Duration, now time.Time) error {
	return erase(dir, func(path string) bool {
		at, err := safefile.Stat(path)
		return err == nil && now.Sub(time.Unix(0, at.Time)) > keep
	})
}

// erase removes the pages that due reports.
func erase(dir string, due func(path string) bool) error {
	entries, err := safefile.ListFolder(filepath.Join(dir, Folder))
	for _, e := range entries {
		path := filepath.Join(dir, Folder, e.Name())
		if e.IsDir() || safefile.Temporary(e.Name()) || !due(path) {
			continue
		}
		if err := safefile.Remove(path); err != nil {
			return err
		}
	}
	return err
}
