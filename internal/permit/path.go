package permit

import (
	"path/filepath"
	"strings"
)

// Journal reports whether the client's file tool may touch path without a dialog: the tool reads a file, and path is
// lane, the path of this lane's journal, character for character, absolute and in its shortest form. Only commands
// write the journal, since they cannot put words into the user's mouth.
//
// Journal compares names only. Before it approves, the caller finds out whether the file is a symbolic link or
// belongs to another user.
func Journal(tool, path, lane string) bool {
	return tool == "Read" && path == lane && filepath.IsAbs(path) && filepath.Clean(path) == path
}

// absolute reports whether path is absolute, on this system or on Windows. It goes by the form and not by the system,
// so that tests can try the rules of Windows elsewhere; no absolute path of another system has this form.
func absolute(path string) bool {
	return filepath.IsAbs(path) || strings.HasPrefix(path, `\\`) || len(path) > 3 && 'A' <= path[0]&^0x20 &&
		path[0]&^0x20 <= 'Z' && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}
