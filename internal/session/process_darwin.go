package session

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// processStart asks the kernel for the process's entry. The code was compiled and never run.
func processStart(pid int) string {
	const zombie = 5 // SZOMB of <sys/proc.h>
	entry, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || entry.Proc.P_stat == zombie || entry.Proc.P_starttime.Sec == 0 {
		return ""
	}
	return fmt.Sprintf("%d.%d", entry.Proc.P_starttime.Sec, entry.Proc.P_starttime.Usec)
}
