package project

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/safefile"
)

const (
	maxBranch = 250 // bytes of a branch's name; git keeps it in a file name, which cannot be longer
	shortID   = 7   // characters of a commit's id, as git shows it
)

// Branch returns the branch that is checked out in the working tree of dir, or the first characters of the commit's id
// when none is. It returns "" without git, or for an invalid name. root is the folder where the session began, "" for
// none; when dir lies outside it, Branch looks in root. It reads one small file.
func Branch(dir, root string) string {
	if root != "" && !within(dir, root) {
		dir = root
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if r, ok := repository(at); ok {
			return head(r.dir)
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// head returns the branch or the commit that HEAD in a git directory names.
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
		// git refuses these names
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
