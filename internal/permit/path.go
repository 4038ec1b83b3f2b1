package permit

import (
	"path/filepath"
	"strings"
)

// Journal reports whether the client's file tool may touch path without a
// dialog: it reads a file, and path is lane, this lane's journal, to the letter,
// absolute and in its shortest form. On Windows the case of ASCII letters and
// the kind of slash may differ, as they make no other file there. Writing the
// journal is for commands: they cannot put words into the user's mouth.
//
// It compares names only. Whether the file is a symbolic link or another
// owner's, the caller finds out before it approves.
func Journal(tool, path, lane string) bool {
	if tool != "Read" {
		return false
	}
	if drive(lane) {
		return samePath(path, lane) && shortest(lane)
	}
	return path == lane && filepath.IsAbs(path) && filepath.Clean(path) == path
}

// absolute reports whether path is absolute, on this system or on Windows.
func absolute(path string) bool { return filepath.IsAbs(path) || drive(path) }

// drive reports whether path begins as an absolute one does on Windows, with a
// drive or a server. The form decides rather than the system, so that the
// rules of one can be tried on another; no absolute path elsewhere has it.
func drive(path string) bool {
	if strings.HasPrefix(path, `\\`) {
		return true
	}
	return len(path) > 3 && 'A' <= path[0]&^0x20 && path[0]&^0x20 <= 'Z' && path[1] == ':' &&
		(path[2] == '\\' || path[2] == '/')
}

// samePath compares two paths of Windows. Letters beyond ASCII are compared to
// the letter: which of them are one is decided by each volume's own table.
func samePath(a, b string) bool { return lower(a) == lower(b) }

func lower(path string) string {
	b := []byte(path)
	for i, c := range b {
		switch {
		case 'A' <= c && c <= 'Z':
			b[i] = c | 0x20
		case c == '/':
			b[i] = '\\'
		}
	}
	return string(b)
}

// shortest reports whether a path of Windows has no part that another spelling
// of it would be without: none empty, `.` or `..`, none that ends with a dot or
// a space, no stream, no `\\?\` or device.
func shortest(path string) bool {
	parts := strings.Split(lower(strings.TrimPrefix(path, `\\`)), `\`)
	if !strings.HasPrefix(path, `\\`) {
		parts = parts[1:] // the drive
	}
	for _, p := range parts {
		if p == "" || p == "?" || strings.HasSuffix(p, ".") || strings.HasSuffix(p, " ") || strings.Contains(p, ":") {
			return false
		}
	}
	return len(parts) > 0
}
