// Package shared owns the records that a repository carries in its folder .memento. It reads what anybody may have
// written there, and writes the person's own records into it.
//
// A record that went there, or was taken in from there, notes the sum of that file's name and content in its field
// shared. Any other file waits until the person has seen it and says yes: nothing of it may leave this package before,
// but for Review, which shows it to a person. Who asks may not come in.
package shared

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// Folder is the name of the folder in a repository.
const Folder = ".memento"

// Limits of the folder. One with more is not read at all: it is no team's work, and costs nothing.
const (
	maxFiles = 1000
	maxTotal = 4 << 20 // bytes of all files
)

// ErrForeign says that a repository's .memento is a file, a link, another program's folder, or the store itself.
var ErrForeign = errors.New("it is not memento's")

// Repository is a working tree and the project that it belongs to.
type Repository struct {
	Root    string       // the top folder of the working tree, "" for none
	Project string       // its name in records
	Store   record.Store // of all records
}

// File is a record in a repository's folder.
type File struct {
	Name   string         // of the file, without its ending
	Record *record.Record // what it says
	Own    *record.Record // the person's record of that name, nil for none
}

// Path returns the path of the file, from the top folder of the working tree.
func (f File) Path() string { return Folder + "/" + f.Name + naming.Ending }

// Left is a file of the folder that is not read.
type Left struct{ Name, Why string }

// Review is what a person is shown before trusting.
type Review struct {
	Waiting []File // the files that the person has not trusted
	Trusted []File // those that the person trusted or shared
	Left    []Left
}

// Set returns a fingerprint of the files that wait, "" for none.
func (r Review) Set() string {
	var sums []string
	for _, f := range r.Waiting {
		sums = append(sums, f.Record.Shared)
	}
	return strings.Join(sums, " ")
}

// Path returns the path of the folder.
func (p Repository) Path() string { return filepath.Join(p.Root, Folder) }

// openFolder opens the folder. Errors: fs.ErrNotExist, ErrForeign, the disk's.
func (p Repository) openFolder() (*safefile.Tree, error) {
	if p.Root == "" {
		return nil, fs.ErrNotExist
	}
	folder, err := os.Lstat(p.Path())
	switch {
	case err != nil:
		return nil, err
	case !folder.IsDir():
		return nil, fmt.Errorf("%s: %w: it is a link or a file", p.Path(), ErrForeign)
	}
	for at := filepath.Clean(p.Store.Dir); at != filepath.Dir(at); at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, folder) {
			return nil, fmt.Errorf("%s: %w alone: it holds your own records", p.Path(), ErrForeign)
		}
	}
	return safefile.OpenTree(p.Path())
}

// Review reads the folder; a missing one is empty. It follows no link, and leaves out what is no record. Errors:
// ErrForeign; safefile.ErrTooLarge for more files or bytes than the limits; safefile's.
func (p Repository) Review() (out Review, err error) {
	tree, err := p.openFolder()
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	} else if err != nil {
		return out, err
	}
	defer tree.Close()
	entries, err := tree.List(".", maxFiles)
	if err != nil {
		return out, err
	}
	erased, err := withheld.LoadErased(p.Store.Dir)
	if err != nil {
		return out, err
	}
	total := 0
	for _, e := range entries {
		if safefile.Temporary(e.Name()) {
			continue
		}
		data, err := readFile(tree, e)
		if total += len(data); total > maxTotal {
			return Review{}, fmt.Errorf("%s: %w: at most %d bytes", p.Path(), safefile.ErrTooLarge, maxTotal)
		}
		if err == nil && erased.Loose(data) {
			err = errors.New("it holds words that you have forgotten: memento forget --lift takes them again")
		}
		f := File{Name: strings.TrimSuffix(e.Name(), naming.Ending)}
		if err == nil {
			f.Record, err = p.decode(f.Name, data)
		}
		if err == nil {
			f.Own, err = p.Store.Read(f.Record.ID)
		}
		switch {
		case err != nil && !errors.Is(err, record.ErrNotFound):
			out.Left = append(out.Left, Left{e.Name(), err.Error()})
		case f.Own != nil && f.Own.Shared == f.Record.Shared:
			out.Trusted = append(out.Trusted, f)
		default:
			out.Waiting = append(out.Waiting, f)
		}
	}
	return out, nil
}

// readFile returns the content of a file of the folder. Its errors say why the file is left out.
func readFile(tree *safefile.Tree, e fs.DirEntry) ([]byte, error) {
	if name, isRecord := strings.CutSuffix(e.Name(), naming.Ending); !isRecord || naming.CheckSlug(name) != nil {
		return nil, errors.New("its name is no record's")
	}
	data, _, err := tree.Read(e.Name(), schema.MaxBytes)
	switch {
	case errors.Is(err, safefile.ErrTooLarge):
		return nil, fmt.Errorf("it is larger than %d KB", schema.MaxBytes>>10)
	case errors.Is(err, safefile.ErrRefused):
		return nil, errors.New("it is no regular file")
	case err != nil:
		return nil, errors.New("it cannot be read")
	}
	return data, nil
}

// decode returns the record in the file called name. It takes over what the file says, and nothing that says whose
// words these are. It fails for what no repository carries.
func (p Repository) decode(name string, data []byte) (*record.Record, error) {
	errNone := errors.New("it is no record")
	id, err := naming.ID(p.Project, name)
	if err != nil || !utf8.Valid(data) {
		return nil, errNone
	}
	if s := "\n" + string(data); strings.Contains(s, "\n<<<<<<< ") && strings.Contains(s, "\n>>>>>>> ") {
		return nil, errors.New("it has the marks of a git conflict: resolve them")
	}
	front, err := markdown.Parse(data)
	if err != nil || !front.Has("kind") { // Decode makes a memento of any Markdown
		return nil, errNone
	}
	r, err := record.Decode(id, data)
	if err != nil || !shareable(r.Kind) {
		return nil, errNone
	}
	out := public(*r)
	out.ID, out.Project, out.Slug = r.ID, r.Project, r.Slug
	out.Source, out.Shared = record.Repository, sum(name, data)
	out.Title = text.OneLine(r.Title)
	out.Files = slices.DeleteFunc(slices.Clone(r.Files), func(file string) bool { return !filepath.IsLocal(file) })
	if out.Tags == nil { // somebody wrote it by hand
		out.Tags = []string{"shared"}
	}
	if out.Created.IsZero() {
		out.Created = p.Store.Now()
	}
	if out.Updated.IsZero() {
		out.Updated = out.Created
	}
	if problems := out.Problems(); problems != nil {
		return nil, errors.New(problems[0])
	}
	return &out, nil
}

// sum recognises the name and the content of a file. git may write other line ends on each system.
func sum(name string, data []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(name+"\x00"+strings.ReplaceAll(string(data), "\r\n", "\n"))))
}

// shareable reports whether records of this kind go into a repository: those that somebody saved for a project. What
// memento writes unasked, and what is about a person, does not.
func shareable(kind string) bool {
	k, ok := schema.Named(kind)
	return ok && !k.Unasked && !k.Personal && !k.Hidden
}

// public returns the fields of a record that are for other people: not its project, session, branch and history.
func public(r record.Record) record.Record {
	return record.Record{Kind: r.Kind, Title: r.Title, Status: r.Status, Stage: r.Stage, Confidence: r.Confidence,
		Created: r.Created, Updated: r.Updated, Tags: r.Tags, Files: r.Files, Body: r.Body}
}

// Encode returns the file of a record for other people, the same for the same record, without secrets and private
// words. secrets names the kinds of the secrets that it took out. Error: record.ErrInvalid for too large a file.
func Encode(r record.Record) (data []byte, secrets []string, err error) { return public(r).Encode() }

// Trust makes a file that Review returned a record, in place of the person's record of that name, whose history stays.
// It writes what the person was shown, whatever stands in the folder now. Errors: those of record.Store.Take.
func (p Repository) Trust(f File) error {
	_, err := p.Store.Take(*f.Record, f.Own)
	return err
}
