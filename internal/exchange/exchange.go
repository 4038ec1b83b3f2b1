// Package exchange imports records from other layouts and exports records into them. It overwrites nothing, and lists
// what it cannot read. layout.go is the table of what each file becomes. find.go finds the files and passes their bytes
// to a reader. A reader makes drafts and touches no disk. plan.go decides what becomes of the drafts.
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
	maxFiles  = 20000    // files, and records of an export
	maxList   = 20000    // entries of a folder
	maxDepth  = 64       // levels of JSON
)

// ErrNothing: nothing at the path can be imported.
var ErrNothing = errors.New("nothing that memento can import")

// Omission is a file that becomes no record, and why.
type Omission struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Found is the result of reading a path.
type Found struct {
	Layouts []string
	Drafts  []Draft
	Skipped []Omission // not needed: made from the others, or settings
	Unread  []Omission // could not be read, or understood
}

// Options say how to read a path.
type Options struct {
	From    string // the only layout to read, "" for all
	Project string // the project of files that name none
	Reach   *Reach // the projects of this machine; nil knows none

	Own string // memento's own folder, which Read skips
	Now time.Time
}
