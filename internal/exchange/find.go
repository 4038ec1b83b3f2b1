package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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
		r.readSingle(filepath.Base(abs))
	case isSameFolder(abs, o.Own):
		return nil, fmt.Errorf("%s: %w: it is memento's own folder; a file in it can be named", at, ErrNothing)
	default:
		r.readFolder(".", 0)
	}
	if len(r.out.Drafts)+len(r.out.Skipped)+len(r.out.Unread) == 0 {
		return nil, fmt.Errorf("%s: %w", at, ErrNothing)
	}
	for _, d := range r.out.Drafts {
		if !slices.Contains(r.out.Layouts, d.Layout) {
			r.out.Layouts = append(r.out.Layouts, d.Layout)
		}
	}
	slices.Sort(r.out.Layouts)
	return r.out, nil
}

// isSameFolder reports whether two paths are the same folder.
func isSameFolder(a, b string) bool {
	if b == "" {
		return false
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func (r *reader) noteUnread(name, why string) {
	r.out.Unread = append(r.out.Unread, Omission{name, why})
}
func (r *reader) noteSkipped(name, why string) {
	r.out.Skipped = append(r.out.Skipped, Omission{name, why})
}

// wants reports whether Read is to read files of this layout.
func (r *reader) wants(layout string) bool { return r.From == "" || r.From == layout }

const linked = "a symbolic link: it is not followed"

// listing is the content of a folder, by name.
type listing map[string]fs.DirEntry

func (l listing) names() []string { return slices.Sorted(maps.Keys(l)) }

// has reports whether the folder holds one of these names.
func (l listing) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return l[name] != nil })
}

// hasFile reports whether a regular file of this name is in the folder.
func (l listing) hasFile(name string) bool { return l[name] != nil && l[name].Type().IsRegular() }

// isMemory reports whether the folder is a project's memory: it has one of a memory's folders or files.
func (l listing) isMemory() bool {
	for name, e := range l {
		if e.IsDir() && isFolder(name) {
			return true
		}
	}
	files := []string{"_index.md", "_index-archive.md", "_session.json", "memory-config.json"}
	return slices.ContainsFunc(files, l.hasFile)
}

// hasSnapshot reports whether the folder holds a file PROJECT--SLUG.md.
func (l listing) hasSnapshot() bool {
	for name := range l {
		if strings.HasSuffix(name, ".md") && strings.Contains(name, "--") {
			return true
		}
	}
	return false
}

// list returns the content of a folder, and notes a folder that it cannot read.
func (r *reader) list(dir string) listing {
	entries, err := r.tree.List(dir, maxList)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.noteUnread(dir, reason(err))
	}
	out := listing{}
	for _, e := range entries {
		out[e.Name()] = e
	}
	return out
}

// isDir reports whether in has a folder called name, and notes a link in its place.
func (r *reader) isDir(in string, entries listing, name string) bool {
	e := entries[name]
	if e != nil && e.Type()&fs.ModeSymlink != 0 {
		r.noteUnread(path.Join(in, name), linked)
	}
	return e != nil && e.IsDir()
}

// reason returns an error's text without the path, as the list names the path already.
func reason(err error) string {
	var at *fs.PathError
	switch {
	case errors.As(err, &at):
		return at.Err.Error()
	case errors.Is(err, safefile.ErrRefused), errors.Is(err, safefile.ErrTooLarge):
		if _, why, ok := strings.Cut(err.Error(), ": "); ok {
			return why
		}
	}
	return err.Error()
}

// readFolder reads dir: a client's folder, a project's, or that of one layout. In the client's own folder it reads only
// the places of a layout.
func (r *reader) readFolder(dir string, depth int) {
	entries := r.list(dir)
	abs := filepath.Join(r.abs, filepath.FromSlash(dir))
	here := filepath.Base(abs)
	claude := here == ".claude" || entries.has("settings.json", "history.jsonl")
	if depth < 2 && r.isDir(dir, entries, ".claude") {
		r.readFolder(path.Join(dir, ".claude"), depth+1)
		claude = true
	}
	if r.isDir(dir, entries, "memento") {
		r.readRecords(path.Join(dir, "memento"))
		claude = true
	}
	if r.isDir(dir, entries, ".memento") {
		claude = true
		if own := path.Join(dir, ".memento"); isSameFolder(filepath.Join(abs, ".memento"), r.Own) {
			r.noteSkipped(own, "memento's own folder: its sessions take over what is older")
		} else {
			r.readRecords(own)
		}
	}
	if r.isDir(dir, entries, "memory") {
		sub := path.Join(dir, "memory")
		if in := r.list(sub); in.isMemory() || in.has("project.md") {
			r.readMemory(sub, r.projectOf(sub), "")
			claude = true
		}
	}
	if r.isDir(dir, entries, "projects") {
		claude = r.readProjects(path.Join(dir, "projects")) || claude
	}
	if r.isDir(dir, entries, "user") && r.wants(Folders) {
		for _, name := range r.list(path.Join(dir, "user")).names() {
			if strings.HasSuffix(name, ".md") {
				r.readFile(path.Join(dir, "user", name), nil, fileRole{Folders, asUser, naming.User, ""})
				claude = true
			}
		}
	}
	if entries.hasFile("workspace.md") {
		r.readFile(path.Join(dir, "workspace.md"), nil, fileRole{Folders, asWorkspace, naming.User, ""})
		claude = true
	}
	switch {
	case entries.isMemory() && (!claude || entries.has("_index.md", "_session.json", "memory-config.json")):
		r.readMemory(dir, r.projectOf(dir), "")
	case !claude && isFolder(here):
		for _, name := range entries.names() {
			role := fileRole{folder: here, project: r.projectOf(path.Dir(dir))}
			r.readFiled(path.Join(dir, name), entries[name], role)
		}
	case entries.hasSnapshot(), r.isDir(dir, entries, naming.Archive), r.From == Markdown && !claude:
		r.readRecords(dir)
	case !claude:
		r.readJSONFiles(dir, entries)
	}
}

// projectOf returns the project of a memory folder: that of the repository around a .claude/memory, or else
// Options.Project.
func (r *reader) projectOf(dir string) string {
	at := filepath.Join(r.abs, filepath.FromSlash(dir))
	if above := filepath.Dir(at); filepath.Base(at) == "memory" && filepath.Base(above) == ".claude" {
		return cmp.Or(r.Reach.ProjectAt(filepath.Dir(above)), r.Project)
	}
	return r.Project
}

// readRecords reads the files PROJECT--SLUG.md of a folder, its archive, and its journals.
func (r *reader) readRecords(dir string) {
	entries := r.list(dir)
	for _, name := range entries.names() {
		at := path.Join(dir, name)
		switch {
		case name == naming.Archive && r.isDir(dir, entries, name):
			done := r.list(at)
			for _, name := range done.names() {
				r.readFile(path.Join(at, name), done[name], fileRole{layout: Markdown})
			}
		case strings.HasSuffix(name, naming.Ending), strings.HasSuffix(name, naming.Packed):
			r.readFile(at, entries[name], fileRole{layout: Markdown})
		}
	}
	r.readJSONFiles(dir, entries)
}

// readJSONFiles reads the JSON files of a folder outside a memory.
func (r *reader) readJSONFiles(dir string, entries listing) {
	for _, name := range entries.names() {
		at := path.Join(dir, name)
		switch {
		case !strings.HasSuffix(name, ".json"):
		case strings.HasSuffix(name, ".debug.json"), name == "workspace.json", name == "config.json",
			name == "removed.json":
			if r.wants(Journal) {
				r.noteSkipped(at, "a working file of memento")
			}
		default:
			r.readFile(at, entries[name], fileRole{project: r.Project})
		}
	}
}

// readProjects reads the memories of projects among the client's own folders. It reports whether there was one.
func (r *reader) readProjects(dir string) (any bool) {
	clients := 0
	entries := r.list(dir)
	for _, key := range entries.names() {
		if !r.isDir(dir, entries, key) {
			continue
		}
		at := path.Join(dir, key)
		in := r.list(at)
		if !in.isMemory() && !in.has("project.md") {
			clients++
			continue
		}
		any = true
		name := naming.Project(r.Reach.ProjectNamed(key, r.rootOf(at, in)))
		if naming.CheckProject(name) != nil {
			r.noteUnread(at, fmt.Sprintf("%q cannot be a project's name here: see --project", key))
			continue
		}
		r.readMemory(at, name, key)
	}
	if clients > 0 && any {
		r.noteSkipped(dir, fmt.Sprintf("%d of the folders there are the client's own: no file in them was opened", clients))
	}
	return any
}

// rootOf returns the folder of the project whose memory is at at; "" if the memory does not say it.
func (r *reader) rootOf(at string, in listing) string {
	if !in.hasFile("_session.json") {
		return ""
	}
	data, _, err := r.tree.Read(path.Join(at, "_session.json"), maxFile)
	if err != nil || !gjson.ValidBytes(data) {
		return ""
	}
	return gjson.GetBytes(data, "projectPath").String()
}

// readMemory reads a project's memory: its folders and the files beside them. key is the layout's name for the project.
func (r *reader) readMemory(dir, project, key string) {
	entries := r.list(dir)
	index, listed := map[string]string{}, map[string]bool{}
	for _, name := range []string{"_index.md", "_index-archive.md"} {
		if entries.has(name) && r.wants(Folders) {
			r.readIndexFile(path.Join(dir, name), entries[name], project, index)
		}
	}
	for _, name := range entries.names() {
		at := path.Join(dir, name)
		switch {
		case isFolder(name) && r.isDir(dir, entries, name):
			in := r.list(at)
			for _, file := range in.names() {
				listed[name+"/"+file] = true
				r.readFiled(path.Join(at, file), in[file], fileRole{folder: name, project: project,
					index: index[name+"/"+file]})
			}
		case name == "project.md" && r.wants(Folders):
			r.readFile(at, nil, fileRole{Folders, asProject, project, ""})
		case name == "_session.json":
			if r.wants(Folders) {
				r.noteSkipped(at, "session memory of another program; only the project's path in it was used")
			}
		case name == "index.md":
			r.noteSkipped(at, "made from the other files")
		case name == "memory-config.json":
			r.noteSkipped(at, "settings of another program: memento config shows memento's own")
		case key != "", name == "_index.md", name == "_index-archive.md", strings.HasPrefix(name, "."),
			strings.HasSuffix(name, ".jsonl"):
		case strings.HasSuffix(name, ".md"), strings.HasSuffix(name, ".json"), entries[name].IsDir():
			r.noteUnread(at, "no part of a layout that memento knows")
		}
	}
	for _, file := range slices.Sorted(maps.Keys(index)) {
		if !listed[file] && file != "project.md" {
			r.noteSkipped(path.Join(dir, file), "the index names it, and it is gone: "+index[file])
		}
	}
}

// readIndexFile adds to of what an index says about each file. The index's current state becomes a draft.
func (r *reader) readIndexFile(at string, e fs.DirEntry, project string, of map[string]string) {
	data, changed, ok := r.load(at, e)
	if !ok {
		return
	}
	rows, state := readIndex(string(data))
	for _, row := range rows {
		if _, ok := of[row.file]; !ok {
			of[row.file] = row.summary
		}
	}
	r.noteSkipped(at, "made from the other files; memento index makes one")
	if state != nil {
		d := Draft{From: at, Layout: Folders, Record: record.Record{Kind: "context", Project: project,
			Tags: []string{"index"}}}
		d.setTitle("Current state")
		d.addList("Notes", state)
		r.addDrafts(changed, d)
	}
}

// readFiled reads a file in one of a memory's folders.
func (r *reader) readFiled(at string, e fs.DirEntry, p fileRole) {
	switch {
	case strings.HasSuffix(at, ".json"):
		r.readFile(at, e, p)
	case strings.HasSuffix(at, ".md") && holds(p.folder, Folders):
		p.layout = Folders
		r.readFile(at, nil, p)
	case e.IsDir():
		r.noteUnread(at, "a folder within "+p.folder)
	case e.Type()&fs.ModeSymlink != 0:
		r.noteUnread(at, linked)
	case strings.HasPrefix(path.Base(at), "."):
	default:
		r.noteUnread(at, "no file that belongs in "+p.folder)
	}
}

// readSingle reads a file that the user named.
func (r *reader) readSingle(name string) {
	p := fileRole{project: r.Project, folder: filepath.Base(r.abs)}
	if !isFolder(p.folder) && p.folder != asUser {
		p.folder = ""
	}
	switch {
	case strings.HasSuffix(name, ".json"):
	case !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, naming.Packed):
		r.noteUnread(name, "neither Markdown nor JSON")
		return
	case strings.Contains(name, "--") || r.From == Markdown:
		p.layout = Markdown
	case name == "workspace.md":
		p = fileRole{Folders, asWorkspace, naming.User, ""}
	case name == "project.md":
		p.layout, p.folder = Folders, asProject
	case p.folder == asUser:
		p.layout, p.project = Folders, naming.User
	case holds(p.folder, Folders):
		p.layout = Folders
	default:
		r.noteUnread(name, "its name does not say what it is: name its folder instead")
		return
	}
	r.readFile(name, nil, p)
}

// fileRole is what is known about a file before it is opened.
type fileRole struct {
	layout  string // Markdown or Folders; "" for JSON, whose content says the layout
	folder  string // the memory's folder, or the file's role beside the folders
	project string
	index   string // the index's line about the file
}

// readFile makes drafts of a file. e is its entry in a listed folder, nil for a file that was not listed.
func (r *reader) readFile(at string, e fs.DirEntry, p fileRole) {
	if p.layout != "" && !r.wants(p.layout) {
		return
	}
	data, changed, ok := r.load(at, e)
	if !ok {
		return
	}
	d := Draft{From: at, Layout: p.layout, Record: record.Record{Project: p.project}}
	drafts := []Draft{d}
	var err error
	switch text := strings.TrimPrefix(string(data), "\ufeff"); p.layout {
	case Markdown:
		archived := path.Base(filepath.ToSlash(filepath.Dir(filepath.Join(r.abs,
			filepath.FromSlash(at))))) == naming.Archive
		err = readSnapshot(&drafts[0], data, archived, r.Reach)
	case Folders:
		drafts, err = readPage(d, p.folder, text, p.index)
	default:
		drafts, err = r.readJSON(d, p.folder, text)
	}
	switch {
	case errors.Is(err, errEmpty):
		r.noteSkipped(at, err.Error())
	case err != nil:
		r.noteUnread(at, err.Error())
	default:
		r.addDrafts(changed, drafts...)
	}
}

// addDrafts completes drafts and adds them to the result.
func (r *reader) addDrafts(changed time.Time, drafts ...Draft) {
	for _, d := range drafts {
		d.fillDefaults(changed, r.Now)
		r.out.Drafts = append(r.out.Drafts, d)
	}
}

// load returns the content of a text file and the time of its last change. For any other file it notes why, and ok is
// false.
func (r *reader) load(at string, e fs.DirEntry) (data []byte, changed time.Time, ok bool) {
	why := ""
	switch {
	case e != nil && e.Type()&fs.ModeSymlink != 0:
		why = linked
	case e != nil && !e.Type().IsRegular():
		why = "not a regular file"
	case r.seen > maxFiles:
		return nil, changed, false
	case r.seen == maxFiles:
		r.seen++
		why = fmt.Sprintf("only %d files are read at a time: this one and those after it are not", maxFiles)
	default:
		r.seen++
		limit := int64(maxFile)
		if path.Dir(at) == "." && strings.HasSuffix(at, ".json") { // the file may be an export
			limit = maxExport
		}
		var err error
		data, changed, err = r.tree.Read(at, limit)
		if err == nil && strings.HasSuffix(at, naming.Packed) {
			data, err = record.Unpack(data)
		}
		switch {
		case err != nil:
			why = reason(err)
		case !utf8.Valid(data):
			why = "it is not valid UTF-8"
		case slices.Contains(data, 0):
			why = "it holds a NUL"
		}
	}
	if why != "" {
		r.noteUnread(at, why)
	}
	return data, changed, why == ""
}

// readJSON makes drafts of a JSON file, by the layout that its content shows.
func (r *reader) readJSON(d Draft, folder, text string) ([]Draft, error) {
	root, err := parseObject([]byte(text))
	if err != nil {
		return nil, err
	}
	d.Layout = cmp.Or(detectJSON(folder, root), r.From)
	if d.Layout != "" && !r.wants(d.Layout) {
		return nil, nil
	}
	switch d.Layout {
	case JSON:
		return readExport(d.From, root, r.noteUnread)
	case Envelopes:
		err = readEnvelope(&d, folder, root)
	case Categories:
		err = readCategory(&d, folder, root)
	case Journal:
		if key := journalProject(root); key != "" {
			d.Record.Project = naming.Project(r.Reach.ProjectNamed(key, ""))
		}
		err = readJournal(&d, root)
	default:
		err = explainUnknown(folder, root)
	}
	return []Draft{d}, err
}
