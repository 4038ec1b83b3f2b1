package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// LocateGone is Locate for a folder that may be gone. A folder that is gone belongs to the project that was seen there
// or around it last, to the repository around it or whose worktree it was, or to one of its own, which has its name.
func (w Workspace) LocateGone(dir, home string) Project {
	if !filepath.IsAbs(dir) {
		return Project{}
	}
	dir = filepath.Clean(dir)
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return w.Locate(dir, home)
	}
	// the client makes worktrees in the repository
	if outer, _, within := strings.Cut(filepath.ToSlash(dir), "/.claude/worktrees/"); within {
		return w.LocateGone(filepath.FromSlash(outer), home)
	}
	best := Project{}
	for _, k := range w.Known {
		for _, root := range k.Roots {
			if within(dir, root) && len(root) > len(best.Root) {
				best = Project{ID: k.ID, Name: k.Slug, Root: root, Main: root}
			}
		}
	}
	if !best.None() {
		return best
	}
	if p := w.Locate(dir, home); !p.None() {
		return p
	}
	return Project{ID: "dir:" + dir, Name: filepath.Base(dir), Root: dir, Main: dir}
}
