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

	"github.com/tidwall/gjson"

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

// listing is the content of a folder.
type listing []fs.DirEntry

// has reports whether the folder holds one of these names.
func (l listing) has(names ...string) bool {
	return slices.ContainsFunc(l, func(e fs.DirEntry) bool { return slices.Contains(names, e.Name()) })
}

// isMemory reports whether the folder is a project's memory: it has one of a memory's folders or pages.
func (l listing) isMemory() bool {
	return slices.ContainsFunc(l, func(e fs.DirEntry) bool {
		s, ok := shapeOf(e.Name())
		return ok && s.name != "user" && e.IsDir() == (path.Ext(s.name) == "")
	})
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
// the client's own folder it reads no file but those. strict: dir stands among the client's folders.
func (r *reader) walk(dir, project string, strict bool) {
	in, here := r.list(dir), filepath.Base(r.path(dir))
	if in.has(".claude") && here != ".claude" {
		r.walk(path.Join(dir, ".claude"), project, strict)
		return
	}
	shape, leaf := shapeOf(here)
	leaf = leaf && (shape.name != "user" || dir != ".") || here == naming.Archive
	client := here == ".claude" || in.has("settings.json", "history.jsonl")
	for _, e := range in {
		name, at, ext := e.Name(), path.Join(dir, e.Name()), path.Ext(e.Name())
		_, known := shapeOf(name)
		switch {
		case leaf && !strings.HasPrefix(name, "."), known && e.Type()&fs.ModeSymlink != 0:
			r.readFile(at, project)
		case e.Type().IsRegular() && (ext != ".md" && ext != ".json" || isAside(name)):
		case e.IsDir() && strict:
			if known && name != "user" {
				r.walk(at, project, true)
			}
		case name == "projects":
			r.walkProjects(at)
		case name == "user" && e.IsDir():
			r.walk(at, naming.User, false)
		case name == "memory" && r.list(at).isMemory():
			r.walk(at, r.projectOf(at), false)
		case name == "memento", name == ".memento", name == naming.Archive && !client, e.IsDir() && known && !client:
			if !r.isOwn(at) {
				r.walk(at, project, false)
			}
		case name == "workspace.md":
			r.readFile(at, naming.User)
		case e.IsDir(), client, strict && !known:
		default:
			r.readFile(at, project)
		}
	}
}

// walkProjects reads the memories of projects, which stand among the client's own folders.
func (r *reader) walkProjects(dir string) {
	for _, e := range r.list(dir) {
		at := path.Join(dir, e.Name())
		if !e.IsDir() || !r.list(at).isMemory() {
			continue
		}
		root := ""
		if data, _, err := r.tree.Read(path.Join(at, "_session.json"), maxFile); err == nil && gjson.ValidBytes(data) {
			root = gjson.GetBytes(data, "projectPath").String()
		}
		r.walk(at, r.Reach.Named(e.Name(), root), true)
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

// isAside reports whether a file holds no record: it was made from the others, or holds settings or state.
func isAside(name string) bool {
	return slices.Contains([]string{"_index-archive.md", "_session.json", "index.md", "memory-config.json", "config.json",
		"workspace.json", "removed.json"}, name) || strings.HasSuffix(name, ".debug.json")
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
	shape, isPage := shapeOf(path.Base(at))
	if !isPage {
		shape, isPage = shapeOf(folder)
	}
	var drafts []Draft
	switch {
	case path.Ext(at) == ".json":
		drafts, err = r.readJSON(d, folder, s)
	case path.Ext(at) != ".md":
		err = errors.New("it is neither Markdown nor JSON")
	case strings.Contains(path.Base(at), "--") && (!isPage || strings.HasPrefix(s, "---")):
		err = readSnapshot(&d, data, folder == naming.Archive, r.Reach)
		drafts = []Draft{d}
	case !isPage || shape.kind == "":
		err = errors.New("its name does not say what it is")
	default:
		drafts, err = readPage(d, shape, s)
	}
	for _, d := range drafts {
		if err == nil {
			d.fillDefaults(changed, r.Now)
			r.out.Drafts = append(r.out.Drafts, d)
		}
	}
	return err
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
