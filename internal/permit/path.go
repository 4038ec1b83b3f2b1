package permit

import (
	"path/filepath"
	"strings"
)

// Journal reports whether the client's file tool may touch path without a dialog: the tool reads a file, and path is
// lane, the path of this lane's journal, character for character, absolute and in its shortest form. On Windows the
// case of ASCII letters and the kind of slash may differ, as the file is the same. Only commands write the journal,
// since they cannot put words into the user's mouth.
//
// Journal compares names only. Before it approves, the caller finds out whether the file is a symbolic link or
// belongs to another user.
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

// drive reports whether path begins as an absolute path of Windows does, with a drive or a server. It goes by the
// form and not by the system, so that tests can try the rules of Windows elsewhere; no absolute path of another
// system has this form.
func drive(path string) bool {
	if strings.HasPrefix(path, `\\`) {
		return true
	}
	return len(path) > 3 && 'A' <= path[0]&^0x20 && path[0]&^0x20 <= 'Z' && path[1] == ':' &&
		(path[2] == '\\' || path[2] == '/')
}

// samePath compares two paths of Windows. It ignores the case of ASCII letters only: for other letters, each volume's
// own table decides.
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

// shortest reports whether a path of Windows is in its shortest form: no part is empty, `.` or `..` or ends with a
// dot or a space, and there is no stream, `\\?\` or device.
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
