package session

import (
	"strconv"
	"syscall"
)

// processStart asks for the process's times. It ran under wine 8.0, never on Windows.
func processStart(pid int) string {
	const queryLimited, stillActive = 0x1000, 259
	h, err := syscall.OpenProcess(queryLimited, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer syscall.CloseHandle(h)
	var code uint32
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetExitCodeProcess(h, &code) != nil || code != stillActive ||
		syscall.GetProcessTimes(h, &created, &exited, &kernel, &user) != nil {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}
