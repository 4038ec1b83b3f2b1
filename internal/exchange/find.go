package exchange

import (
	"cmp"
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
	seen int // files that were read
}

// Read reads the file or folder at a path, and every place of a layout below it. It writes nothing, follows no link,
// and never leaves the path. Found lists what it could not read. Errors concern the path itself: fs.ErrNotExist,
// safefile.ErrRefused, ErrNothing.
func Read(at string, o Options) (*Found, error) {
	abs, err := filepath.Abs(at)
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(abs)
	if err != nil {
		return nil, err
	}
	dir := abs
	if !info.IsDir() {
		dir = filepath.Dir(abs)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s: %w: it is a symbolic link: name its target", at, safefile.ErrRefused)
	}
	tree, err := safefile.OpenTree(dir)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	r := &reader{Options: o, tree: tree, abs: dir, out: &Found{}}
	switch {
	case !info.IsDir():
		r.readFile(filepath.Base(abs), r.Project)
	case r.isOwn("."):
		return nil, fmt.Errorf("%s: %w: it is memento's own folder; a file in it can be named", at, ErrNothing)
	default:
		r.walk(".", r.projectOf("."), false)
	}
	if len(r.out.Drafts)+len(r.out.Unread) == 0 {
		return nil, fmt.Errorf("%s: %w", at, ErrNothing)
	}
	return r.out, nil
}

// isOwn reports whether dir is memento's own folder, by whatever name.
func (r *reader) isOwn(dir string) bool {
	x, errX := os.Stat(r.path(dir))
	y, errY := os.Stat(r.Own)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// path returns the whole path of a name in the tree.
func (r *reader) path(name string) string { return filepath.Join(r.abs, filepath.FromSlash(name)) }

func (r *reader) noteUnread(name, why string) {
	r.out.Unread = append(r.out.Unread, Omission{name, why})
}

// list returns the content of a folder, and notes a folder that it cannot read.
func (r *reader) list(dir string) listing {
	entries, err := r.tree.List(dir, maxFiles)
	if err != nil {
		r.noteUnread(dir, reason(err))
	}
	return entries
}

// reason returns an error's text without the path, as the list names the path already.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	if _, why, ok := strings.Cut(err.Error(), ": "); ok {
		return why
	}
	return err.Error()
}

// walk reads the places of a layout in a folder: a client's, a project's, a memory, or one of files of one layout. In
// the client's own folder it reads no file but workspace.md. strict: dir is a memory among the client's own folders,
// and has only what the table names.
func (r *reader) walk(dir, project string, strict bool) {
	in, here := r.list(dir), filepath.Base(r.path(dir))
	if in.has(".claude") && here != ".claude" {
		r.walk(path.Join(dir, ".claude"), project, strict)
		return
	}
	_, isLeaf := layoutOf(here)
	isLeaf = isLeaf && (here != "user" || dir != ".") || here == naming.Archive
	client := here == ".claude" || in.has("settings.json", "history.jsonl")
	for _, e := range in {
		name, at := e.Name(), path.Join(dir, e.Name())
		_, known := layoutOf(name)
		switch {
		case isLeaf:
			if !strings.HasPrefix(name, ".") {
				r.readFile(at, project)
			}
		case !e.Type().IsRegular() && !isReadable(name):
			r.walkFolder(at, project, known && !client, strict)
		case name == "workspace.md" && !strict:
			r.readFile(at, naming.User)
		case known && strict, !client && !strict && isReadable(name):
			r.readFile(at, project)
		}
	}
}

// walkFolder reads a folder inside one that walk reads. known: its name is in the table of layouts, and counts here.
func (r *reader) walkFolder(at, project string, known, strict bool) {
	switch name := path.Base(at); {
	case name == "user" && !strict:
		r.walk(at, naming.User, false)
	case known:
		r.walk(at, project, strict)
	case strict:
	case name == "projects":
		for _, e := range r.list(at) {
			if memory := path.Join(at, e.Name()); e.IsDir() && r.list(memory).isMemory() {
				r.walk(memory, r.Reach.Named(e.Name()), true)
			}
		}
	case name == "memory" && r.list(at).isMemory():
		r.walk(at, r.projectOf(at), false)
	case name == "memento", name == ".memento", name == naming.Archive:
		if !r.isOwn(at) {
			r.walk(at, project, false)
		}
	}
}

// projectOf returns the project of a folder: that of the repository around a .claude/memory, or else Options.Project.
func (r *reader) projectOf(dir string) string {
	above := filepath.Dir(r.path(dir))
	if filepath.Base(r.path(dir)) == "memory" && filepath.Base(above) == ".claude" {
		return cmp.Or(r.Reach.At(filepath.Dir(above)), r.Project)
	}
	return r.Project
}

// readFile makes drafts of a file, and lists it if it cannot be read.
func (r *reader) readFile(at, project string) {
	data, changed, err := r.load(at)
	if err == nil {
		err = r.parse(Draft{From: at, Record: record.Record{Project: project}}, data, changed)
	}
	if err != nil {
		r.noteUnread(at, err.Error())
	}
}

// parse makes drafts of a file by its name, its folder's and its content. changed is the time of its last change.
func (r *reader) parse(d Draft, data []byte, changed time.Time) (err error) {
	at, s := d.From, strings.TrimPrefix(string(data), "\ufeff")
	folder := filepath.Base(filepath.Dir(r.path(at)))
	row, isPage := layoutOf(path.Base(at))
	if !isPage {
		row, isPage = layoutOf(folder)
	}
	drafts := []Draft{d}
	switch {
	case path.Ext(at) == ".json":
		drafts, err = r.readJSON(d, folder, s)
	case path.Ext(at) != ".md":
		err = errors.New("it is neither Markdown nor JSON")
	case strings.Contains(path.Base(at), "--") && (!isPage || strings.HasPrefix(s, "---")):
		err = readSnapshot(&drafts[0], data, folder == naming.Archive, r.Reach)
	case !isPage:
		err = errors.New("its name does not say what it is")
	default:
		drafts, err = readPage(d, row, s)
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

// load returns the content of a text file and the time of its last change.
func (r *reader) load(at string) (data []byte, changed time.Time, err error) {
	if r.seen++; r.seen > maxFiles {
		return nil, changed, fmt.Errorf("only %d files are read at a time", maxFiles)
	}
	limit := int64(maxFile)
	if path.Dir(at) == "." && path.Ext(at) == ".json" { // the file may be an export
		limit = maxExport
	}
	switch data, changed, err = r.tree.Read(at, limit); {
	case err != nil:
		return nil, changed, errors.New(reason(err))
	case !utf8.Valid(data):
		return nil, changed, errors.New("it is not valid UTF-8")
	case slices.Contains(data, 0):
		return nil, changed, errors.New("it holds a NUL")
	}
	return data, changed, nil
}
