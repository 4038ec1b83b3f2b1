package permit

import "path/filepath"

// Journal reports whether the client's file tool may touch path without a
// dialog: it reads or writes a file, and path is lane, this lane's journal, to
// the letter, absolute and in its shortest form.
//
// It compares names only. Whether the file is a symbolic link or another
// owner's, and whether what would be written is a valid journal, the caller
// finds out before it approves.
func Journal(tool, path, lane string) bool {
	switch tool {
	case "Read", "Write", "Edit":
		return path == lane && filepath.IsAbs(path) && filepath.Clean(path) == path
	}
	return false
}
