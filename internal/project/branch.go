package project

import (
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/safefile"
)

const (
	maxBranch = 250 // bytes of a branch's name; git itself has no more room in a file's
	shortID   = 7   // characters of a commit's id, as git shows it
)

// Branch returns the branch that is checked out in the working tree of the folder dir, of a linked worktree its own;
// the first characters of the commit's id where none is; "" without git, or when what stands there is no name. A
// session has moved elsewhere whose folder dir does not lie in root, where it began; then root counts, unless that is
// "". It reads one small file.
func Branch(dir, root string) string {
	if rest, in := strings.CutPrefix(dir, root); root != "" &&
		(!in || rest != "" && !os.IsPathSeparator(rest[0]) && !os.IsPathSeparator(root[len(root)-1])) {
		dir = root
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		dot := filepath.Join(at, ".git")
		info, err := os.Stat(dot)
		switch {
		case err == nil && info.IsDir():
			return head(dot)
		case err == nil:
			return head(pointer(dot, "gitdir: ", at))
		case at == filepath.Dir(at):
			return ""
		}
	}
}

// head returns what HEAD in a git directory says is checked out.
func head(gitDir string) string {
	if gitDir == "" {
		return ""
	}
	data, err := safefile.ReadForeign(filepath.Join(gitDir, "HEAD"), 4<<10)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	line = strings.TrimRight(line, " \t\r")
	if ref, ok := strings.CutPrefix(line, "ref:"); ok {
		name := strings.TrimPrefix(strings.TrimSpace(ref), "refs/heads/")
		strange := func(r rune) bool {
			return r <= ' ' || r == 0x7f || r == utf8.RuneError || strings.ContainsRune(`~^:?*[\`, r)
		}
		// git allows none of these
		if len(name) > maxBranch || strings.HasPrefix(name, ".") || strings.ContainsFunc(name, strange) {
			return ""
		}
		return name
	}
	if len(line) >= 40 && strings.Trim(line, "0123456789abcdef") == "" {
		return line[:shortID]
	}
	return ""
}
