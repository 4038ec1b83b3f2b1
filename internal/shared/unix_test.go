//go:build unix

package shared

import "syscall"

func pipe(path string) error { return syscall.Mkfifo(path, 0o644) }
