package install

import (
	"errors"
	"fmt"
	"os"
	slashpath "path"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// errExe: an upgrade would remove the binary, or its hooks would not be recognised.
var errExe = errors.New("it cannot be wired")

// findLasting returns a path to the binary exe that the next version keeps: exe itself, or the first of names that
// links to it. Names are absolute paths; missing ones are skipped. A path in a cache, in a plugin, or in a package
// manager's store does not last: after an upgrade every hook would fail. A path that says the binary's version may last
// or not; findLasting takes it if no other name links to exe. The error is errExe.
func (o Options) findLasting(exe string, names []string, version string) (string, error) {
	why := o.whyPassing(exe)
	if why == "" && !strings.Contains(exe, version) {
		return exe, nil
	}
	for _, name := range names {
		if o.whyPassing(name) == "" && !strings.Contains(name, version) && SameFile(name, exe) {
			return name, nil
		}
	}
	if why == "" {
		return exe, nil
	}
	return "", fmt.Errorf("the binary %s: %w: %s", exe, errExe, why)
}

// SameFile reports whether both paths lead to one file that is there.
func SameFile(a, b string) bool {
	ai, aerr := os.Stat(a)
	bi, berr := os.Stat(b)
	return aerr == nil && berr == nil && os.SameFile(ai, bi)
}

// whyPassing returns why path will not last, or "".
func (o Options) whyPassing(path string) string {
	slash := filepath.ToSlash(path)
	dir := slashpath.Dir(slash)
	above := slashpath.Base(slashpath.Dir(slashpath.Dir(dir)))
	switch {
	case !filepath.IsAbs(path):
		return "its path is not absolute"
	case !utf8.ValidString(path):
		return "its path is not UTF-8, so JSON cannot hold it"
	case !isMemento(path):
		return "it must be called memento, or its hooks would not be recognised later"
	case isBelow(o.Cache, path): // the launcher bin/memento builds and downloads there
		return "it is in a cache, which may be emptied at any time"
	case slashpath.Base(dir) == "exe" && strings.HasPrefix(above, "go-build"):
		return "it is in a folder that go removes when the program ends"
	case strings.HasPrefix(slash, "/nix/store/"), strings.Contains(slash, "/Cellar/"):
		return "it is where a package manager keeps one version of it"
	}
	real, _ := filepath.EvalSymlinks(o.ConfigDir) // a program sees its own path without links
	if isBelow(filepath.Join(o.ConfigDir, "plugins"), path) || isBelow(filepath.Join(real, "plugins"), path) {
		return "it belongs to the plugin, whose folder changes with every version"
	}
	return ""
}

// isBelow reports whether path is in dir or in a folder of it.
func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
