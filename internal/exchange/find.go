package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
)

// reader reads the places below one path where a layout may be. It opens no other file, and none of the client's own.
type reader struct {
	Options
	tree *safefile.Tree
	abs  string // the folder of tree
	out  *Found
}

// Read reads the file or folder at an absolute path, and every place of a layout below it. It writes nothing, follows
// no link, and never leaves the path. Found lists what it could not read. Errors concern the path itself:
// fs.ErrNotExist, safefile.ErrRefused, ErrNothing.
func Read(at string, o Options) (*Found, error) {
	info, err := os.Lstat(at)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s: %w: it is a symbolic link: name its target", at, safefile.ErrRefused)
	}
	dir, name := at, filepath.Base(at)
	if !info.IsDir() {
		dir = filepath.Dir(at)
	}
	tree, err := safefile.OpenTree(dir)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	r := &reader{Options: o, tree: tree, abs: dir, out: &Found{}}
	switch {
	case !info.IsDir():
		r.readFile(name, r.Project)
	case r.isOwn("."):
		return nil, fmt.Errorf("%s: %w: it is memento's own folder; a file in it can be named", at, ErrNothing)
	case isFolder(name) && name != "user": // a person may have this name
		r.readFolder(".", r.Project)
	default:
		r.readPlaces()
	}
	if len(r.out.Drafts)+len(r.out.Unread) == 0 {
		return nil, fmt.Errorf("%s: %w", at, ErrNothing)
	}
	return r.out, nil
}

// isFolder reports whether a folder of this name holds files of one layout.
func isFolder(name string) bool {
	return kinds[name] != "" && path.Ext(name) == "" || name == naming.Archive
}

// readPlaces reads a project, a memory, or a folder shaped like the client's own.
func (r *reader) readPlaces() {
	top := "."
	if r.exists(".claude") {
		top = ".claude"
	}
	isUsers := func(name string) bool { return name == "user" || name == "workspace.md" }
	if filepath.Base(r.path(top)) == ".claude" || r.exists(path.Join(top, "settings.json")) {
		r.readMemory(top, r.Project, isUsers) // the rest is the client's
	} else {
		r.readMemory(top, r.Project, func(string) bool { return true })
	}
	for _, name := range [...]string{"memory", "memento", ".memento"} {
		if at := path.Join(top, name); !r.isOwn(at) {
			r.readMemory(at, r.Project, func(string) bool { return true })
		}
	}
	for _, e := range r.list(path.Join(top, "projects")) {
		if e.IsDir() { // the client has its transcripts there
			r.readMemory(path.Join(top, "projects", e.Name()), naming.Project(e.Name()), func(name string) bool {
				return kinds[name] != "" && !isUsers(name)
			})
		}
	}
}

// readMemory reads what the folder dir, which may be missing, holds of a memory, by the names that isWanted accepts.
func (r *reader) readMemory(dir, project string, isWanted func(name string) bool) {
	for _, e := range r.list(dir) {
		name, at, owner := e.Name(), path.Join(dir, e.Name()), project
		if name == "user" || name == "workspace.md" {
			owner = naming.User
		}
		ext := path.Ext(name)
		switch {
		case !isWanted(name):
		case isFolder(name) && !e.Type().IsRegular():
			r.readFolder(at, owner)
		case !e.IsDir() && (ext == ".md" || ext == ".json") && !strings.HasPrefix(name, "_"): // _ made from the others
			r.readFile(at, owner)
		}
	}
}

// readFolder reads every file of a folder, but hidden ones.
func (r *reader) readFolder(dir, project string) {
	for _, e := range r.list(dir) {
		if !strings.HasPrefix(e.Name(), ".") {
			r.readFile(path.Join(dir, e.Name()), project)
		}
	}
}

// path returns the whole path of a name in the tree.
func (r *reader) path(name string) string { return filepath.Join(r.abs, filepath.FromSlash(name)) }

func (r *reader) exists(name string) bool {
	_, err := os.Lstat(r.path(name))
	return err == nil
}

// isOwn reports whether dir is memento's own folder, by whatever name.
func (r *reader) isOwn(dir string) bool {
	x, errX := os.Stat(r.path(dir))
	y, errY := os.Stat(r.Own)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func (r *reader) noteUnread(name string, why error) {
	r.out.Unread = append(r.out.Unread, Omission{name, why.Error()})
}

// list returns the entries of a folder, none if it is missing, and notes a folder that it cannot read.
func (r *reader) list(dir string) []fs.DirEntry {
	entries, err := r.tree.List(dir, maxFiles)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.noteUnread(dir, err)
	}
	return entries
}

// readFile makes drafts of a file, and lists it if it cannot be read.
func (r *reader) readFile(at, project string) {
	data, changed, err := r.load(at)
	if err == nil {
		err = r.parse(Draft{From: at, Record: record.Record{Project: project}}, data, changed)
	}
	if err != nil {
		r.noteUnread(at, err)
	}
}

// load returns the content of a text file and the time of its last change.
func (r *reader) load(at string) (data []byte, changed time.Time, err error) {
	limit := int64(maxFile)
	if path.Dir(at) == "." && path.Ext(at) == ".json" { // the file may be an export
		limit = maxExport
	}
	switch data, changed, err = r.tree.Read(at, limit); {
	case err != nil:
		return nil, changed, err
	case !utf8.Valid(data):
		return nil, changed, errors.New("it is not valid UTF-8")
	case slices.Contains(data, 0):
		return nil, changed, errors.New("it holds a NUL")
	}
	return data, changed, nil
}

// parse makes drafts of a file by its name, its folder's and its content. changed is the time of its last change.
func (r *reader) parse(d Draft, data []byte, changed time.Time) (err error) {
	name, s := path.Base(d.From), strings.TrimPrefix(string(data), "\ufeff")
	folder := filepath.Base(filepath.Dir(r.path(d.From)))
	place := name
	if kinds[place] == "" {
		place = folder
	}
	kind, ext := kinds[place], path.Ext(name)
	d.Record.Kind = kind
	drafts := []Draft{d}
	switch {
	case ext == ".json":
		drafts, err = r.readJSON(d, s)
	case ext != ".md":
		err = errors.New("it is neither Markdown nor JSON")
	case strings.Contains(name, "--") && (kind == "" || strings.HasPrefix(s, "---")):
		err = readSnapshot(&drafts[0], data, folder == naming.Archive)
	case kind == "":
		err = errors.New("its name does not say what it is")
	default:
		drafts, err = readPage(d, place, s)
	}
	if err != nil {
		return err
	}
	for _, d := range drafts {
		d.fillDefaults(changed, r.Now)
		r.out.Drafts = append(r.out.Drafts, d)
	}
	return nil
}
