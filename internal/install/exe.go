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

// errExe is the reason when the binary is not one that hooks could be pointed at for good.
var errExe = errors.New("it cannot be wired")

// lasting returns the path under which the binary exe will still be found after its next version took its place: exe
// itself, else the first of names that is a link to it. Names are absolute paths of whatever; those not there are
// passed over. A path that says a version, or lies where a package manager, a plugin or a cache keeps what it replaces,
// does not last: written into settings, every hook would fail after an upgrade. The error is errExe.
func lasting(exe string, names []string, configDir string) (string, error) {
	why := passing(exe, configDir)
	if why == "" {
		return exe, nil
	}
	info, err := os.Stat(exe)
	for _, name := range names {
		if err != nil || passing(name, configDir) != "" {
			continue
		}
		if at, nerr := os.Stat(name); nerr == nil && os.SameFile(at, info) {
			return name, nil
		}
	}
	return "", fmt.Errorf("the binary %s: %w: %s", exe, errExe, why)
}

// passing says why path will not last, or "".
func passing(path, configDir string) string {
	slash := filepath.ToSlash(path)
	switch {
	case !filepath.IsAbs(path):
		return "its path is not absolute"
	case !isOurs(settings.Hook{Command: path, Args: []string{"hook"}}):
		return "it must be called memento, or its hooks would not be recognised later"
	// where bin/memento keeps what it builds and downloads
	case strings.Contains(slash, "/memento/build/"), pinned(slash):
		return "it is in a cache, which may be emptied at any time"
	case strings.Contains(slash, "/go-build"):
		return "it is in a folder that go removes when the program ends"
	case strings.HasPrefix(slash, "/nix/store/"), strings.Contains(slash, "/Cellar/"):
		return "it is where a package manager keeps one version of it"
	}
	dirs := []string{configDir}
	if real, err := filepath.EvalSymlinks(configDir); err == nil {
		dirs = append(dirs, real) // which is how a program sees its own path
	}
	for _, dir := range dirs {
		if rel, err := filepath.Rel(filepath.Join(dir, "plugins"), path); err == nil && filepath.IsLocal(rel) {
			return "it belongs to the plugin, whose folder changes with every version"
		}
	}
	above := ""
	for _, part := range strings.Split(slash, "/") {
		if versioned(part, above) {
			return "its path says a version, " + part
		}
		above = part
	}
	return ""
}

// pinned reports whether the file is in a folder named for its checksum: bin/<16 hex digits>/memento.
func pinned(slash string) bool {
	dir, above := slashpath.Base(slashpath.Dir(slash)), slashpath.Base(slashpath.Dir(slashpath.Dir(slash)))
	return above == "bin" && len(dir) == 16 && strings.Trim(dir, "0123456789abcdef") == ""
}

// versioned reports whether a folder is named for a version: 1.2.3, v22.1.0, memento-0.1, or 0.1 in a folder called
// memento. 2.0 alone may be anything.
func versioned(part, above string) bool {
	if rest, ok := strings.CutPrefix(part, "memento"); ok && rest != "" {
		return numbers(strings.TrimLeft(rest, "-_@")) > 1
	}
	n := numbers(part)
	return n > 2 || n > 1 && above == "memento"
}

// numbers counts the numbers s starts with, as in v1.2.3-rc1; 0 when it does not start as a version does.
func numbers(s string) (n int) {
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
