package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// isMissing reports whether there is certainly no file at path.
func isMissing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// within returns the name of a file in a record of this folder's project: the path from the project's top folder, with
// slashes. A file outside the project keeps its whole path. Outside any project, file is returned as it is.
func (c *call) within(file string) string {
	root := c.here().Root
	if root == "" || file == "" || strings.HasPrefix(file, "~/") {
		return file
	}
	whole := file
	if !filepath.IsAbs(file) {
		dir := c.Dir
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		whole = filepath.Join(dir, file)
		if isMissing(whole) && !isMissing(filepath.Join(root, file)) { // file is already a path from the top folder
			whole = filepath.Join(root, file)
		}
	}
	rel, err := filepath.Rel(root, whole)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return whole
	}
	return filepath.ToSlash(rel)
}
