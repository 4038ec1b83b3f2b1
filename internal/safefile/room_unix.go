//go:build linux || darwin

package safefile

import "syscall"

// noInodes reports whether the file system of dir has room, but no room for more files.
func noInodes(dir string) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(dir, &s) == nil && s.Files > 0 && s.Ffree == 0 && s.Bavail > 0
}
