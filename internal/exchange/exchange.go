// Package exchange brings records in from other layouts and out into them. What it cannot read it lists, and it
// overwrites nothing. layout.go is the table of what their files become; find.go knows which file stands where and
// hands its bytes to a reader, which makes drafts and touches no disk; plan.go decides what becomes of the drafts.
//
// What a record is, and how it is stored, is the record room's alone. Nothing here asks a person or prints.
package exchange

import (
	"errors"
	"time"
)

// Bounds of what is read.
const (
	maxFile   = 1 << 20  // bytes of a file of one record
	maxExport = 64 << 20 // bytes of an export
	maxFiles  = 20000    // in all
	maxList   = 20000    // entries of a folder
	maxDepth  = 64       // of JSON
)

// ErrNothing is the reason when nothing that can be imported stands at a path.
var ErrNothing = errors.New("nothing that memento can import")

// Omission is a file that becomes no record, and why.
type Omission struct{ Path, Why string }

// Found is what was read.
type Found struct {
	Layouts []string
	Drafts  []Draft
	Skipped []Omission // not needed: made from the others, or machinery
	Unread  []Omission // could not be read, or understood
}

// Options say how to read.
type Options struct {
	From    string // a layout, "" for what it looks like
	Project string // for what names none

	// Name is what the project is called here that they called key and that stood at root; nil: key.
	Name func(key, root string) string
	// Of is the project that a folder of this machine belongs to, "" for none; nil: none.
	Of func(dir string) string

	Own string // memento's folder, which is not read
	Now time.Time
}

// projectName is the name here of a project that they call key and that stood at root.
func (o Options) projectName(key, root string) string {
	if o.Name == nil {
		return key
	}
	return o.Name(key, root)
}
