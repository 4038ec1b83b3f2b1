package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// gone reports whether nothing stands at path for certain.
func gone(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// within returns how a record of this folder's project names a file that was given on the command line: from the
// project's top folder, with slashes. A file elsewhere keeps its whole path; outside any project it is as it was given.
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
		if gone(whole) && !gone(filepath.Join(root, file)) { // given as the record will have it
			whole = filepath.Join(root, file)
		}
	}
	rel, err := filepath.Rel(root, whole)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return whole
	}
	return filepath.ToSlash(rel)
}
