package install

import (
	"errors"
	"fmt"
	"os"
	slashpath "path"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/settings"
)

// errExe: an upgrade would remove the binary, or its hooks would not be recognised.
var errExe = errors.New("it cannot be wired")

// findLasting returns a path to the binary exe that the next version keeps: exe itself, or the first of names that
// links to it. Names are absolute paths; missing ones are skipped. A path with a version in it does not last, nor one
// in a cache, in a plugin, or in a package manager's store: after an upgrade every hook would fail. The error is
// errExe.
func findLasting(exe string, names []string, configDir string) (string, error) {
	why := whyPassing(exe, configDir)
	if why == "" {
		return exe, nil
	}
	info, err := os.Stat(exe)
	for _, name := range names {
		if err != nil || whyPassing(name, configDir) != "" {
			continue
		}
		if at, nerr := os.Stat(name); nerr == nil && os.SameFile(at, info) {
			return name, nil
		}
	}
	return "", fmt.Errorf("the binary %s: %w: %s", exe, errExe, why)
}

// whyPassing returns why path will not last, or "".
func whyPassing(path, configDir string) string {
	slash := filepath.ToSlash(path)
	switch {
	case !filepath.IsAbs(path):
		return "its path is not absolute"
	case !isOurs(settings.Hook{Command: path, Args: []string{"hook"}}):
		return "it must be called memento, or its hooks would not be recognised later"
	// the launcher bin/memento builds and downloads there
	case strings.Contains(slash, "/memento/build/"), isPinned(slash):
		return "it is in a cache, which may be emptied at any time"
	case strings.Contains(slash, "/go-build"):
		return "it is in a folder that go removes when the program ends"
	case strings.HasPrefix(slash, "/nix/store/"), strings.Contains(slash, "/Cellar/"):
		return "it is where a package manager keeps one version of it"
	}
	dirs := []string{configDir}
	if real, err := filepath.EvalSymlinks(configDir); err == nil {
		dirs = append(dirs, real) // a program sees its own path without links
	}
	for _, dir := range dirs {
		if rel, err := filepath.Rel(filepath.Join(dir, "plugins"), path); err == nil && filepath.IsLocal(rel) {
			return "it belongs to the plugin, whose folder changes with every version"
		}
	}
	above := ""
	for _, part := range strings.Split(slash, "/") {
		if hasVersion(part, above) {
			return "its path says a version, " + part
		}
		above = part
	}
	return ""
}

// isPinned reports whether the file is in a folder named after its checksum: bin/<16 hex digits>/memento.
func isPinned(slash string) bool {
	dir, above := slashpath.Base(slashpath.Dir(slash)), slashpath.Base(slashpath.Dir(slashpath.Dir(slash)))
	return above == "bin" && len(dir) == 16 && strings.Trim(dir, "0123456789abcdef") == ""
}

// hasVersion reports whether a folder's name is a version: 1.2.3, v22.1.0, memento-0.1, or 0.1 in a folder called
// memento. 2.0 alone may mean anything.
func hasVersion(part, above string) bool {
	if rest, ok := strings.CutPrefix(part, "memento"); ok && rest != "" {
		return countNumbers(strings.TrimLeft(rest, "-_@")) > 1
	}
	n := countNumbers(part)
	return n > 2 || n > 1 && above == "memento"
}

// countNumbers counts the numbers at the start of s, as in v1.2.3-rc1. The count is 0 if s does not begin like a
// version.
func countNumbers(s string) (n int) {
	s = strings.TrimPrefix(s, "v")
	for {
		digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
		if digits == 0 {
			return n
		}
		n++
		s = s[digits:]
		if !strings.HasPrefix(s, ".") {
			return n
		}
		s = s[1:]
	}
}
