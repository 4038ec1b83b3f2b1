// Package exchange imports records from other layouts and exports records into them. It overwrites nothing, and lists
// what it cannot read. find.go finds the files. json.go and page.go make drafts of their bytes and touch no disk.
// plan.go decides what becomes of the drafts.
//
// Package record alone knows what a record is and how it is stored. Nothing here asks a person or prints.
package exchange

import (
	"errors"
	"path"
	"strings"
	"time"
)

// Limits of an import.
const (
	maxFile   = 1 << 20  // bytes of a file
	maxExport = 64 << 20 // bytes of an export
	maxFiles  = 20000    // entries of a folder
	maxDepth  = 64       // levels of JSON
)

// ErrNothing: nothing at the path can be imported.
var ErrNothing = errors.New("nothing that memento can import")

// errEmpty: a file holds nothing to import.
var errEmpty = errors.New("it is empty")

// Omission is a file that becomes no record, and why.
type Omission struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Found is the result of reading a path.
type Found struct {
	Drafts []Draft
	Unread []Omission
}

// Options say how to read a path.
type Options struct {
	Project string // of files that name none
	Own     string // memento's own folder, which Read skips
	Now     time.Time
}

// kinds is the table of everything that a memory holds, whichever program wrote it: the kind of the records in a folder
// of this name, or of a page of this name beside the folders.
var kinds = map[string]string{
	"decisions": "decision", "context": "context", "analysis": "analysis", "subagent": "subagent", "progress": "memento",
	"project.md": "memento", "workspace.md": "memento", "user": "profile", "sessions": "session", "runbooks": "runbook",
	"constraints": "constraint", "tech-debt": "debt", "preferences": "preference", "handoffs": "handoff",
}

// categories are the kinds of records by the categories that files of JSON name.
var categories = map[string]string{"session_summary": "session", "decision": "decision", "runbook": "runbook",
	"constraint": "constraint", "tech_debt": "debt", "preference": "preference", "context": "context",
	"handoffs": "handoff"}

// stem is a file's name without its ending.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }
