package exchange

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// layout says what the files in one folder of a memory become, or a page beside the folders.
type layout struct {
	name     string // of the folder or the page
	category string // of JSON files
	kind     string // of the record
	main     string // the section for the text before a page's first section; "": its files are JSON
	tag      string
}

// layouts is the table of everything that a memory holds, whichever program wrote it.
var layouts = [...]layout{
	{name: "decisions", category: "decision", kind: "decision", main: "Context"},
	{name: "context", category: "context", kind: "context", main: "Notes"},
	{name: "analysis", kind: "analysis", main: "Summary"},
	{name: "subagent", kind: "subagent", main: "Summary"},
	{name: "progress", kind: "memento", main: "Progress", tag: "progress"},
	{name: "user", kind: "profile", main: "Notes"},
	{name: "project.md", kind: "memento", main: "Context", tag: "project"},
	{name: "workspace.md", kind: "memento", main: "Context", tag: "workspace"},
	{name: "_index.md", kind: "context", main: "Notes", tag: "index"},
	{name: "sessions", category: "session_summary", kind: "session"},
	{name: "runbooks", category: "runbook", kind: "runbook"},
	{name: "constraints", category: "constraint", kind: "constraint"},
	{name: "tech-debt", category: "tech_debt", kind: "debt"},
	{name: "preferences", category: "preference", kind: "preference"},
	{name: "handoffs", category: "handoffs", kind: "handoff"},
}

// layoutOf returns the layout of the files in a folder of this name, or of a page of this name.
func layoutOf(name string) (layout, bool) {
	for _, l := range layouts {
		if l.name == name {
			return l, true
		}
	}
	return layout{}, false
}

// kindOf returns the kind of the records of a category, "" for an unknown one.
func kindOf(category string) string {
	for _, l := range layouts {
		if l.category == category && category != "" {
			return l.kind
		}
	}
	return ""
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
		row, ok := layoutOf(e.Name())
		return ok && row.name != "user" && e.IsDir() == (path.Ext(row.name) == "")
	})
}

// isReadable reports whether a file may hold a record. Some names say that it was made from the others, or holds
// settings or state.
func isReadable(name string) bool {
	switch name {
	case "_index-archive.md", "_session.json", "index.md", "memory-config.json", "config.json", "workspace.json",
		"removed.json":
		return false
	}
	ext := path.Ext(name)
	return ext == ".md" || ext == ".json" && !strings.HasSuffix(name, ".debug.json")
}
