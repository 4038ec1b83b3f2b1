package project

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// Lane is a journal's place: a project (and linked worktree) × an instance tag (× a session, when two run at once).
type Lane struct {
	Dir  string // memento's folder
	Name string // file name of the journal without its ending
	Slug string // the project's slug, "" for none
}

// NewLane returns the lane of the project with this slug ("" for none), worktree ("" for the main one), and tag.
func NewLane(dir, slug, worktree, tag string) Lane {
	place := slug
	if worktree != "" {
		place += "@" + treeName(worktree)
	}
	if slug != "" {
		tag = place + "--" + tag
	}
	return Lane{Dir: dir, Name: tag, Slug: slug}
}

// treeName makes the name of a linked worktree safe as a part of a file name. git gives the worktrees of one
// repository different names. A name that loses characters here ends in a hash, so that the results differ too.
func treeName(name string) string {
	if s := naming.Project(name); strings.EqualFold(s, name) {
		return name
	}
	return naming.Project(name) + "-" + text.Fingerprint(name)[8:]
}

// LaneNamed returns the lane with this file name, as a session memory holds it, and reports whether name is valid.
func LaneNamed(dir, name string) (Lane, bool) {
	if name == "" || len(name) > 255 || name != filepath.Base(name) || strings.HasPrefix(name, ".") ||
		strings.ContainsAny(name, "/\\\x00") {
		return Lane{}, false
	}
	slug, _, ok := strings.Cut(name, "--")
	if !ok {
		slug = ""
	}
	slug, _, _ = strings.Cut(slug, "@")
	return Lane{Dir: dir, Name: name, Slug: slug}, true
}

// LaneFile is a file of a lane, by its content.
type LaneFile int

const (
	NoLaneFile  LaneFile = iota
	JournalFile          // see Lane.Journal
	AsideFile            // a journal that was set aside
)

// OfLane returns the name of the lane that a file in memento's folder belongs to, and what the file holds.
func OfLane(file string) (lane string, holds LaneFile) {
	if lane, _, ok := strings.Cut(file, ".json."); ok { // shop--alice.json.corrupt-20260105T100000Z
		return lane, AsideFile
	}
	if lane, ok := strings.CutSuffix(file, ".json"); ok && !slices.Contains(config.Reserved[:], lane) {
		return lane, JournalFile
	}
	return "", NoLaneFile
}

// Base returns the lane that l runs beside, or l itself.
func (l Lane) Base() Lane {
	l.Name, _, _ = strings.Cut(l.Name, "~")
	return l
}

// Journal returns the path of the lane's journal.
func (l Lane) Journal() string { return filepath.Join(l.Dir, l.Name+".json") }

// Lock returns the path of the lock that guards the journal.
func (l Lane) Lock() string { return safefile.LockPath(l.Dir, l.Name) }
