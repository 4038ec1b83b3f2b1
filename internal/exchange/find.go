package exchange

import (
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

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
)

// reader goes through the places under one path where a layout may stand. It opens those and nothing else: of the client's own
// folders, no file.
type reader struct {
	Options
	tree *safefile.Tree
	abs  string // the tree's folder
	out  *Found
	seen int // files
	full bool
}

// Read reads what stands at path, a file or a folder, and what stands in the places of a layout below it. It writes nothing,
// follows no link, and leaves path never. What it could not read is in the result; errors are those of path itself:
// fs.ErrNotExist, safefile.ErrRefused, ErrNothing.
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
		return nil, fmt.Errorf("%s: %w: it is a symbolic link: name what it leads to", at, safefile.ErrRefused)
	}
	tree, err := safefile.OpenTree(dir)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	r := &reader{Options: o, tree: tree, abs: dir, out: &Found{}}
	if info.IsDir() {
		if sameDir(abs, o.Own) {
			return nil, fmt.Errorf("%s: %w: it is memento's own folder; a file in it can be named", at, ErrNothing)
		}
		r.folder(".", 0)
	} else {
		r.single(filepath.Base(abs))
	}
	if len(r.out.Drafts)+len(r.out.Derived)+len(r.out.Unread)+len(r.out.Settings) == 0 {
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

func sameDir(a, b string) bool {
	if b == "" {
		return false
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func (r *reader) unread(name, why string)  { r.out.Unread = append(r.out.Unread, Left{name, why}) }
func (r *reader) derived(name, why string) { r.out.Derived = append(r.out.Derived, Left{name, why}) }

// wants reports whether files of this layout are to be read.
func (r *reader) wants(layout string) bool { return r.From == "" || r.From == layout }

// entries lists a folder. What cannot be listed is noted.
func (r *reader) entries(dir string) map[string]fs.DirEntry {
	list, err := r.tree.List(dir, maxList)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.unread(dir, reason(err))
	}
	out := map[string]fs.DirEntry{}
	for _, e := range list {
		out[e.Name()] = e
	}
	return out
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// isDir reports whether there is a folder of this name. A link in its place is noted.
func (r *reader) isDir(in string, entries map[string]fs.DirEntry, name string) bool {
	e, ok := entries[name]
	if ok && e.Type()&fs.ModeSymlink != 0 {
		r.unread(path.Join(in, name), "a symbolic link: it is not followed")
	}
	return ok && e.IsDir()
}

// reason is an error without the path that is listed beside it.
func reason(err error) string {
	var at *fs.PathError
	switch {
	case errors.As(err, &at):
		return at.Err.Error()
	case errors.Is(err, safefile.ErrRefused), errors.Is(err, safefile.ErrTooLarge):
		_, why, ok := strings.Cut(err.Error(), ": ")
		if ok {
			return why
		}
	}
	return err.Error()
}

// memory are the folders of a project's memory, each with what a Markdown file in it is; "" for those of JSON alone.
func memory() map[string]string {
	return map[string]string{"decisions": roleDecision, "analysis": roleAnalysis, "context": roleContext, "progress": roleProgress, "subagent": roleSubagent,
		"sessions": "", "runbooks": "", "constraints": "", "tech-debt": "", "preferences": "", "handoffs": ""}
}

// looksMemory reports whether a folder with these entries is a project's memory.
func looksMemory(entries map[string]fs.DirEntry) bool {
	for name, e := range entries {
		if _, ok := memory()[name]; ok && e.IsDir() {
			return true
		}
		switch name {
		case "_index.md", "_index-archive.md", "_session.json", "memory-config.json":
			return e.Type().IsRegular()
		}
	}
	return false
}

// folder reads what stands in dir: the folder of a client, a project's, or that of one layout.
func (r *reader) folder(dir string, depth int) {
	entries := r.entries(dir)
	here := filepath.Base(filepath.Join(r.abs, filepath.FromSlash(dir)))
	claude := here == ".claude" || present(entries, "settings.json") || present(entries, "history.jsonl") // the client's: only what has a place of its own in it is read
	if depth < 2 && r.isDir(dir, entries, ".claude") {
		r.folder(path.Join(dir, ".claude"), depth+1)
		claude = true
	}
	if r.isDir(dir, entries, "memento") {
		r.records(path.Join(dir, "memento"))
		claude = true
	}
	if r.isDir(dir, entries, ".memento") {
		claude = true
		if own := path.Join(dir, ".memento"); sameDir(filepath.Join(r.abs, filepath.FromSlash(own)), r.Own) {
			r.derived(own, "memento's own folder: its sessions take over what is older")
		} else {
			r.records(own)
		}
	}
	if r.isDir(dir, entries, "memory") {
		sub := path.Join(dir, "memory")
		if in := r.entries(sub); looksMemory(in) || present(in, "project.md") {
			r.memory(sub, r.projectOf(sub), "")
			claude = true
		}
	}
	if r.isDir(dir, entries, "projects") {
		claude = r.projects(path.Join(dir, "projects")) || claude
	}
	if r.isDir(dir, entries, "user") && r.wants(Folders) {
		for _, name := range sorted(r.entries(path.Join(dir, "user"))) {
			if strings.HasSuffix(name, ".md") {
				r.page(path.Join(dir, "user", name), roleUser, record.User, "")
				claude = true
			}
		}
	}
	if e, ok := entries["workspace.md"]; ok && e.Type().IsRegular() {
		r.page(path.Join(dir, "workspace.md"), roleWorkspace, record.User, "")
		claude = true
	}
	if looksMemory(entries) && (!claude || present(entries, "_index.md") || present(entries, "_session.json") || present(entries, "memory-config.json")) {
		r.memory(dir, r.projectOf(dir), "")
		return
	}
	if role, ok := memory()[here]; ok && !claude {
		for _, name := range sorted(entries) {
			r.filed(path.Join(dir, name), here, role, r.projectOf(path.Dir(dir)), "", entries[name])
		}
		return
	}
	names := false
	for name := range entries {
		names = names || strings.HasSuffix(name, ".md") && strings.Contains(name, "--")
	}
	switch {
	case names || r.isDir(dir, entries, record.Archive) || r.From == Markdown && !claude:
		r.records(dir)
	case !claude:
		r.jsons(dir, entries)
	}
}

func present(entries map[string]fs.DirEntry, name string) bool { _, ok := entries[name]; return ok }

// projectOf is the project of a memory folder: that of the repository it stands in, when it stands in one's .claude.
func (r *reader) projectOf(dir string) string {
	at := filepath.Join(r.abs, filepath.FromSlash(dir))
	if filepath.Base(at) == "memory" && filepath.Base(filepath.Dir(at)) == ".claude" && r.Of != nil {
		if p := r.Of(filepath.Dir(filepath.Dir(at))); p != "" {
			return p
		}
	}
	return r.Project
}

// records reads a folder of PROJECT--SLUG.md, its archive, and the journals beside them.
func (r *reader) records(dir string) {
	entries := r.entries(dir)
	for _, name := range sorted(entries) {
		at := path.Join(dir, name)
		switch {
		case name == record.Archive && r.isDir(dir, entries, name):
			done := r.entries(at)
			for _, name := range sorted(done) {
				r.one(path.Join(at, name), done[name], func(name string, data []byte, changed time.Time) { r.markdown(name, data, true, changed) })
			}
		case strings.HasSuffix(name, record.Ending), strings.HasSuffix(name, record.Packed):
			r.one(at, entries[name], func(name string, data []byte, changed time.Time) { r.markdown(name, data, false, changed) })
		}
	}
	r.jsons(dir, entries)
}

// jsons reads the JSON files of a folder that is none of a memory's.
func (r *reader) jsons(dir string, entries map[string]fs.DirEntry) {
	for _, name := range sorted(entries) {
		switch {
		case !strings.HasSuffix(name, ".json"):
		case strings.HasSuffix(name, ".debug.json"), name == "workspace.json", name == "config.json", name == "removed.json":
			if r.wants(Journal) {
				r.derived(path.Join(dir, name), "machinery")
			}
		default:
			r.one(path.Join(dir, name), entries[name], func(name string, data []byte, changed time.Time) { r.json(name, "", r.Project, data, changed) })
		}
	}
}

// projects reads the memories of projects that stand among the client's own folders.
func (r *reader) projects(dir string) (any bool) {
	clients := 0
	entries := r.entries(dir)
	for _, key := range sorted(entries) {
		if !r.isDir(dir, entries, key) {
			continue
		}
		at := path.Join(dir, key)
		in := r.entries(at)
		if !looksMemory(in) && !present(in, "project.md") {
			clients++
			continue
		}
		any = true
		project, ok := r.keyed(at, key, in)
		if !ok {
			r.unread(at, fmt.Sprintf("%q cannot be a project's name here: see --project", key))
			continue
		}
		r.memory(at, project, key)
	}
	if clients > 0 && any {
		r.derived(dir, fmt.Sprintf("%d of the folders there are the client's own: no file in them was opened", clients))
	}
	return any
}

// keyed is what the project is called here whose memory others keep under key.
func (r *reader) keyed(at, key string, in map[string]fs.DirEntry) (string, bool) {
	root := ""
	if e, ok := in["_session.json"]; ok && e.Type().IsRegular() {
		if data, _, err := r.tree.Read(path.Join(at, "_session.json"), maxFile); err == nil && gjson.ValidBytes(data) {
			root = gjson.GetBytes(data, "projectPath").String()
		}
	}
	name := key
	if r.Name != nil {
		name = r.Name(key, root)
	}
	name = record.Project(name)
	return name, record.CheckProject(name) == nil
}

// memory reads a project's memory: the folders of its categories, and the files beside them.
func (r *reader) memory(dir, project, key string) {
	entries := r.entries(dir)
	index, listed := map[string]entry{}, map[string]bool{}
	for _, name := range []string{"_index.md", "_index-archive.md"} {
		if _, ok := entries[name]; !ok || !r.wants(Folders) {
			continue
		}
		r.one(path.Join(dir, name), entries[name], func(at string, data []byte, changed time.Time) {
			rows, state := readIndex(string(data))
			for _, row := range rows {
				if _, ok := index[row.file]; !ok {
					index[row.file] = row
				}
			}
			r.derived(at, "made from the other files; memento index makes one when it is asked")
			if state != nil {
				d := Draft{From: at, Layout: Folders, Record: record.Record{Kind: "context", Project: project, Tags: []string{"index"}}}
				d.title("Current state")
				d.list("Notes", state)
				d.complete(changed, r.Now)
				r.out.Drafts = append(r.out.Drafts, d)
			}
		})
	}
	for _, name := range sorted(entries) {
		at := path.Join(dir, name)
		role, sub := memory()[name]
		switch {
		case sub && r.isDir(dir, entries, name):
			in := r.entries(at)
			for _, file := range sorted(in) {
				listed[name+"/"+file] = true
				r.filed(path.Join(at, file), name, role, project, index[name+"/"+file].summary, in[file])
			}
		case name == "project.md" && r.wants(Folders):
			r.page(at, roleProject, project, "")
		case name == "_session.json":
			if r.wants(Folders) {
				r.derived(at, "the state of a session, which memento keeps itself; the project's path in it was used")
			}
		case name == "index.md":
			r.derived(at, "made from the other files")
		case name == "memory-config.json":
			r.one(at, entries[name], func(at string, data []byte, _ time.Time) {
				root, err := object(data)
				if err != nil {
					r.unread(at, err.Error())
					return
				}
				r.out.Settings = append(r.out.Settings, readSettings(root)...)
				r.derived(at, "settings: those that memento has are listed")
			})
		case key != "" || name == "_index.md" || name == "_index-archive.md" || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".jsonl"):
		case strings.HasSuffix(name, ".md"), strings.HasSuffix(name, ".json"), entries[name].IsDir():
			r.unread(at, "no part of a layout that memento knows")
		}
	}
	for _, file := range sorted(index) {
		if !listed[file] && file != "project.md" {
			r.derived(path.Join(dir, file), "the index names it, and it is gone: "+index[file].summary)
		}
	}
}

// filed reads a file in one of a memory's folders.
func (r *reader) filed(at, folder, role, project, index string, e fs.DirEntry) {
	switch {
	case strings.HasSuffix(at, ".json"):
		r.one(at, e, func(at string, data []byte, changed time.Time) { r.json(at, folder, project, data, changed) })
	case strings.HasSuffix(at, ".md") && role != "":
		r.page(at, role, project, index)
	case e.IsDir():
		r.unread(at, "a folder within "+folder)
	case e.Type()&fs.ModeSymlink != 0:
		r.unread(at, "a symbolic link: it is not followed")
	case strings.HasPrefix(path.Base(at), "."):
	default:
		r.unread(at, "no file that belongs into "+folder)
	}
}

// single reads one file.
func (r *reader) single(name string) {
	folder := filepath.Base(r.abs)
	role, known := memory()[folder]
	archived := folder == record.Archive
	if !known && folder != "user" {
		folder = ""
	}
	switch {
	case strings.HasSuffix(name, ".json"):
		data, changed, err := r.tree.Read(name, maxExport)
		if err != nil {
			r.unread(name, reason(err))
			return
		}
		r.json(name, folder, r.Project, data, changed)
	case !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, record.Packed):
		r.unread(name, "neither Markdown nor JSON")
	case strings.Contains(name, "--") || r.From == Markdown:
		r.text(name, func(name string, data []byte, changed time.Time) {
			r.markdown(name, data, archived, changed)
		})
	case name == "workspace.md":
		r.page(name, roleWorkspace, record.User, "")
	case name == "project.md":
		r.page(name, roleProject, r.Project, "")
	case folder == "user":
		r.page(name, roleUser, record.User, "")
	case role != "":
		r.page(name, role, r.Project, "")
	default:
		r.unread(name, "its name says nothing of what it is: name the folder it belongs to")
	}
}

// one reads a file that a folder lists.
func (r *reader) one(at string, e fs.DirEntry, f func(at string, data []byte, changed time.Time)) {
	switch {
	case e != nil && e.Type()&fs.ModeSymlink != 0:
		r.unread(at, "a symbolic link: it is not followed")
	case e != nil && !e.Type().IsRegular():
		r.unread(at, "not a regular file")
	default:
		r.text(at, f)
	}
}

// text hands the content of a file to f, when it is text.
func (r *reader) text(at string, f func(at string, data []byte, changed time.Time)) {
	if r.seen++; r.seen > maxFiles {
		if !r.full {
			r.unread(at, fmt.Sprintf("only %d files are read at a time: this one and those after it are not", maxFiles))
		}
		r.full = true
		return
	}
	limit := int64(maxFile)
	if path.Dir(at) == "." && strings.HasSuffix(at, ".json") { // it may be an export
		limit = maxExport
	}
	data, changed, err := r.tree.Read(at, limit)
	if err == nil && strings.HasSuffix(at, record.Packed) {
		data, err = record.Unpack(data)
	}
	switch {
	case err != nil:
		r.unread(at, reason(err))
	case !utf8.Valid(data):
		r.unread(at, "it is not valid UTF-8")
	case slices.Contains(data, 0):
		r.unread(at, "it holds a NUL")
	default:
		f(at, data, changed)
	}
}

// page reads a Markdown file without front matter.
func (r *reader) page(at, role, project, index string) {
	if !r.wants(Folders) {
		return
	}
	r.text(at, func(at string, data []byte, changed time.Time) {
		d := Draft{From: at, Layout: Folders, Record: record.Record{Project: project}}
		drafts, err := readFolders(d, role, strings.TrimPrefix(string(data), "\ufeff"), index)
		switch {
		case errors.Is(err, errEmpty):
			r.derived(at, err.Error())
		case err != nil:
			r.unread(at, err.Error())
		}
		for _, d := range drafts {
			d.complete(changed, r.Now)
			r.out.Drafts = append(r.out.Drafts, d)
		}
	})
}

func (r *reader) markdown(at string, data []byte, archived bool, changed time.Time) {
	if !r.wants(Markdown) {
		return
	}
	d := Draft{From: at, Layout: Markdown}
	if err := readMarkdown(&d, data, archived, r.Name); err != nil {
		r.unread(at, err.Error())
		return
	}
	d.complete(changed, r.Now)
	r.out.Drafts = append(r.out.Drafts, d)
}

// json reads a JSON file for what it is. folder is the one it stands in, of a memory's.
func (r *reader) json(at, folder, project string, data []byte, changed time.Time) {
	data = []byte(strings.TrimPrefix(string(data), "\ufeff"))
	if !utf8.Valid(data) {
		r.unread(at, "it is not valid UTF-8")
		return
	}
	root, err := object(data)
	if err != nil {
		r.unread(at, err.Error())
		return
	}
	layout := r.jsonLayout(folder, root)
	if layout != "" && !r.wants(layout) {
		return
	}
	d := Draft{From: at, Layout: layout, Record: record.Record{Project: project}}
	switch layout {
	case Envelopes:
		err = readEnvelope(&d, folder, root)
	case Categories:
		err = readCategory(&d, folder, root)
	case Journal:
		if key := journalProject(root); key != "" {
			if d.Record.Project = record.Project(key); r.Name != nil {
				d.Record.Project = record.Project(r.Name(key, ""))
			}
		}
		err = readJournal(&d, root)
	case JSON:
		r.export(at, root, changed)
		return
	default:
		err = unknown(folder, root)
	}
	switch {
	case errors.Is(err, errEmpty):
		r.derived(at, err.Error())
		return
	case err != nil:
		r.unread(at, err.Error())
		return
	}
	d.complete(changed, r.Now)
	r.out.Drafts = append(r.out.Drafts, d)
}

// jsonLayout tells by what a file holds whose it is.
func (r *reader) jsonLayout(folder string, root gjson.Result) string {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return root.Get(name).Exists() })
	}
	switch {
	case root.Get("records").IsArray() && has("version"):
		return JSON
	case root.Get("meta").IsObject() && has("content"):
		return Envelopes
	case root.Get("content").IsObject() && (has("category", "schema_version") || folder != "" && has("title", "id")):
		return Categories
	case folder == "" && has("mission", "done", "completed", "in_progress", "wip", "upcoming", "plan"):
		return Journal
	}
	return r.From
}
