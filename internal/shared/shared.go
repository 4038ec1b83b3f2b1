// Package shared owns the records that a repository carries in its folder .memento, and the list of those that the
// person trusts, trusted.json in memento's folder. It reads what anybody may have written into the folder, writes the
// person's own records there, and keeps copies of the trusted ones among the project's records.
//
// Nothing of a file may leave this package before its content was trusted, but for Review, which shows the files to a
// person. What a record is, how it is found and who asks may not come in.
package shared

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/withheld"
)

// Folder is the name of the folder in a repository.
const Folder = ".memento"

// Limits of the folder. One with more is not read at all: it is no team's work, and costs nothing.
const (
	maxFiles = 1000
	maxTotal = 4 << 20 // bytes of all files
)

// Repository is a working tree and the project that it belongs to.
type Repository struct {
	Root    string       // the top folder of the working tree, "" for none
	Project string       // its name in records
	Store   record.Store // of all records
	Now     time.Time
	Wait    time.Duration // for each lock
	Most    int           // how many copies one Refresh writes; 0: all
}

// ErrForeign says that a repository's .memento is not memento's: a file, a link, another program's folder, or the store
// itself.
var ErrForeign = errors.New("it is not memento's")

// File is a record in a repository's folder.
type File struct {
	Name   string         // of the file, without its ending
	Hash   string         // SHA-256 of its content, in hex
	Record *record.Record // what a copy of it says
	Copy   *record.Record // the version that was trusted before, nil for none; only Review looks it up

	key  string // recognises the name and the content
	data []byte
}

// Path returns the path of the file, from the top folder of the working tree.
func (f File) Path() string { return Folder + "/" + f.Name + naming.Ending }

// Left is a file of the folder that is not read.
type Left struct{ Name, Why string }

// contents is what a repository's folder holds.
type contents struct {
	files []File
	left  []Left
	names map[string]bool // of all records, whether they can be read or not
}

// Path returns the path of the folder.
func (p Repository) Path() string { return filepath.Join(p.Root, Folder) }

// Exists reports whether the repository has something called .memento. It costs one look at the disk.
func (p Repository) Exists() bool {
	if p.Root == "" {
		return false
	}
	_, err := os.Lstat(p.Path())
	return err == nil
}

// stat returns what the folder is. Errors: fs.ErrNotExist, ErrForeign, the disk's.
func (p Repository) stat() (fs.FileInfo, error) {
	if p.Root == "" {
		return nil, fs.ErrNotExist
	}
	info, err := os.Lstat(p.Path())
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s: %w: it is a link or a file", p.Path(), ErrForeign)
	}
	if p.holdsStore(info) {
		return nil, fmt.Errorf("%s: %w alone: it holds your own records", p.Path(), ErrForeign)
	}
	return info, nil
}

// holdsStore reports whether the folder is memento's own, or holds it.
func (p Repository) holdsStore(folder fs.FileInfo) bool {
	for at := filepath.Clean(p.Store.Dir); ; at = filepath.Dir(at) {
		if filepath.Base(at) == Folder {
			if info, err := os.Stat(at); err == nil && os.SameFile(info, folder) {
				return true
			}
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// read reads the folder. It follows no link and leaves out what is no record. Errors: those of stat;
// safefile.ErrTooLarge for more files or bytes than the limits, and nothing is read then.
func (p Repository) read() (c contents, err error) {
	if _, err := p.stat(); err != nil {
		return c, err
	}
	tree, err := safefile.OpenTree(p.Path())
	if err != nil {
		return c, err
	}
	defer tree.Close()
	entries, err := tree.List(".", maxFiles)
	if err != nil {
		return c, err
	}
	erased, err := withheld.LoadErased(p.Store.Dir)
	if err != nil {
		return c, err
	}
	c.names = map[string]bool{}
	total := 0
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), naming.Ending)
		switch {
		case safefile.Temporary(e.Name()):
			continue
		case !ok || naming.Shared(name) == "":
			c.left = append(c.left, Left{e.Name(), "its name is no record's"})
			continue
		}
		c.names[name] = true
		var data []byte
		info, err := e.Info()
		switch {
		case err == nil && info.Mode().IsRegular() && info.Size() > schema.MaxBytes:
			err = safefile.ErrTooLarge
		case err == nil:
			data, _, err = tree.Read(name+naming.Ending, schema.MaxBytes)
		}
		if total += len(data); total > maxTotal {
			return contents{}, fmt.Errorf("%s: %w: at most %d bytes", p.Path(), safefile.ErrTooLarge, maxTotal)
		}
		f, why := p.judge(name, data, err)
		if why == "" && erased.Loose(data) {
			why = "it holds words that you have forgotten: memento forget --lift takes them again"
		}
		if why != "" {
			c.left = append(c.left, Left{e.Name(), why})
			continue
		}
		c.files = append(c.files, f)
	}
	return c, nil
}

// judge returns the record in a file whose reading gave data and err, or why the file is none.
func (p Repository) judge(name string, data []byte, err error) (f File, why string) {
	switch {
	case errors.Is(err, safefile.ErrTooLarge):
		return f, fmt.Sprintf("it is larger than %d KB", schema.MaxBytes>>10)
	case errors.Is(err, safefile.ErrRefused):
		return f, "it is no regular file"
	case err != nil:
		return f, "it cannot be read"
	case !utf8.Valid(data):
		return f, "it is not UTF-8"
	case conflicted(string(data)):
		return f, "it has the marks of a git conflict: resolve them"
	}
	f = File{Name: name, Hash: hash(data), data: data}
	lines := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) // git may write other line ends on each system
	f.key = hash([]byte(name + "\x00" + hash(lines)))
	if f.Record, err = decode(p.Project, name, data); err != nil {
		return f, "it is no record"
	}
	f.Record.Shared = f.key
	return f, ""
}

func hash(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// conflicted reports whether git left the marks of a conflict in a file.
func conflicted(s string) bool {
	s = "\n" + s
	return strings.Contains(s, "\n<<<<<<< ") && strings.Contains(s, "\n=======") && strings.Contains(s, "\n>>>>>>> ")
}
