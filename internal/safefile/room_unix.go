//go:build linux || darwin

package safefile

import "syscall"

// lacksRoom reports whether the file system of dir says that it has no room for what Probe writes.
func lacksRoom(dir string) bool {
	var s syscall.Statfs_t
	if fault("room", dir) != nil {
		return true
	}
	if syscall.Statfs(dir, &s) != nil || s.Blocks == 0 { // nobody knows
		return false
	}
	return uint64(s.Bavail)*uint64(s.Bsize) < probed || s.Files > 0 && s.Ffree == 0
}
