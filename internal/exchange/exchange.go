// Package exchange imports records from other layouts and exports records into them. It overwrites nothing, and lists
// what it cannot read. find.go finds the files. json.go, page.go and snapshot.go make drafts of their bytes and touch
// no disk. plan.go decides what becomes of the drafts.
//
// Package record alone knows what a record is and how it is stored. Nothing here asks a person or prints.
package exchange

import (
	"errors"
	"time"
)

// Limits of an import.
const (
	maxFile   = 1 << 20  // bytes of a file
	maxExport = 64 << 20 // bytes of an export
	maxFiles  = 20000    // files, entries of a folder, records of an export
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
	Reach   *Reach // the projects of this machine
	Own     string // memento's own folder, which Read skips
	Now     time.Time
}
