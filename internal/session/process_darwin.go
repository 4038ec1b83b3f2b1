package session

import (
	"encoding/binary"
	"strconv"
	"syscall"
	"unsafe"
)

// processStart asks the kernel for the process's entry, struct kinfo_proc of <sys/sysctl.h>, which begins with the
// start in seconds and microseconds. The code was compiled and never run. An answer of an unexpected size means
// unknown.
func processStart(pid int) string {
	const (
		kern, proc, byPID = 1, 14, 1
		size              = 648 // of struct kinfo_proc, 64 bits
		status, zombie    = 36, 5
	)
	name := [4]int32{kern, proc, byPID, int32(pid)}
	var entry [size]byte
	n := uintptr(size)
	_, _, errno := syscall.Syscall6(syscall.SYS___SYSCTL, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)),
		uintptr(unsafe.Pointer(&entry[0])), uintptr(unsafe.Pointer(&n)), 0, 0)
	if errno != 0 || n != size || entry[status] == zombie {
		return ""
	}
	seconds, micros := binary.LittleEndian.Uint64(entry[0:8]), binary.LittleEndian.Uint32(entry[8:12])
	if seconds == 0 {
		return ""
	}
	return strconv.FormatUint(seconds, 10) + "." + strconv.FormatUint(uint64(micros), 10)
}
