// Package project answers which project a folder belongs to, and which lane (the place of one journal) a session there
// uses. It reads repositories and keeps workspace.json. The content of journals and records may not come in.
package project

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// Project is a repository or a plain folder that work belongs to.
type Project struct {
	ID       string // origin URL without credentials ("git:github.com/alice/myapp"), else "dir:" + Root; "" for none
	Name     string // what a slug is made of: the last part of the URL, else of Root
	Root     string // top folder of the working tree
	Worktree string // name of the linked worktree, "" in the main one
	Main     string // top folder of the main working tree; Root outside linked worktrees

	// Claim is an ID that the folder gives itself, of a project that does not know the folder; else "". Only
	// Workspace.Locate sets it. Find believes what a folder says of itself.
	Claim string

	common string // the git directory, where that says itself that Root is one of its working trees; else ""
	unread bool   // the configuration that names the origin is there and cannot be read
}

// None reports whether the folder belongs to no project: the home folder, a file system's root, a missing folder.
func (p Project) None() bool { return p.ID == "" }

// Find returns the project that the folder dir says it belongs to. home, the user's home folder, is a project only if
// it is a repository. A missing, unreadable or relative folder has the zero Project; Find has no errors.
func Find(dir, home string) Project {
	if !filepath.IsAbs(dir) {
		return Project{}
	}
	dir = filepath.Clean(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for at := dir; ; at = filepath.Dir(at) {
		if r, ok := repository(at); ok {
			p := Project{Root: at, Worktree: r.worktree, Name: filepath.Base(r.root), ID: "dir:" + r.root, Main: r.root,
				Claim: r.claim}
			if r.own {
				p.common = r.common
			}
			url, err := originURL(r.common)
			p.unread = err != nil
			if id, name := normalURL(url, filepath.Dir(r.common)); id != "" {
				p.ID, p.Name, p.Claim = "git:"+id, name, ""
			}
			return p
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	info, err := os.Stat(dir)
	if dir == home || dir == filepath.Dir(dir) || dir == filepath.Clean(os.TempDir()) || err != nil || !info.IsDir() {
		return Project{}
	}
	return Project{ID: "dir:" + dir, Name: filepath.Base(dir), Root: dir, Main: dir}
}

// repo holds what the folder alone tells about a repository.
type repo struct {
	root     string // top folder of the main working tree
	dir      string // the git directory of the folder
	common   string // the git directory shared by all worktrees
	worktree string
	own      bool   // the git directory says itself that the folder is one of its working trees
	claim    string // what the folder would be known by if that were so and it had no origin; "" where it is so
}

// repository reports whether at is the top of a working tree, or a bare repository.
func repository(at string) (repo, bool) {
	dot := filepath.Join(at, ".git")
	info, err := os.Lstat(dot)
	link := err == nil && info.Mode()&fs.ModeSymlink != 0
	if link {
		info, err = os.Stat(dot)
	}
	if err != nil {
		if isGitDir(at) && filepath.Base(at) != ".git" {
			return repo{root: strings.TrimSuffix(at, ".git"), dir: at, common: at, own: true}, true
		}
		return repo{}, false
	}
	if info.IsDir() {
		return repo{root: at, dir: dot, common: dot, own: !link}, isGitDir(dot)
	}
	dir := pointer(dot, "gitdir: ", at)
	if dir == "" || !isDir(dir) {
		return repo{}, false
	}
	// Relative paths in the git file begin at the real folder. Read through a link they would lead elsewhere.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	common := pointer(filepath.Join(dir, "commondir"), "", dir)
	if common == "" { // a submodule: a repository of its own
		return repo{root: at, dir: dir, common: dir}, true
	}
	main := filepath.Dir(common)
	if filepath.Base(common) != ".git" {
		main = strings.TrimSuffix(common, ".git")
	}
	// A folder can name any repository as its own. The repository lists the .git file of each of its worktrees.
	listed := pointer(filepath.Join(dir, "gitdir"), "", dir)
	if filepath.Dir(dir) != filepath.Join(common, "worktrees") || filepath.Base(listed) != ".git" ||
		!sameFile(filepath.Dir(listed), at) {
		return repo{root: at, dir: dir, common: common, claim: "dir:" + main}, true
	}
	return repo{root: main, dir: dir, common: common, worktree: filepath.Base(dir), own: true}, true
}

func isGitDir(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "HEAD"))
	return err == nil && isDir(filepath.Join(dir, "objects"))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// pointer reads a one-line file that holds prefix and a path, which may be relative to base.
func pointer(path, prefix, base string) string {
	data, err := safefile.ReadForeign(path, 4<<10)
	if err != nil || !bytes.HasPrefix(data, []byte(prefix)) {
		return ""
	}
	to := strings.TrimSpace(string(data[len(prefix):]))
	if to == "" {
		return ""
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(base, to)
	}
	return filepath.Clean(to)
}
