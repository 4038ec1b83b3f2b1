//go:build unix

package capture

import (
	"syscall"
	"time"
)

// processorTime returns what all threads of this process have used, 0 where that cannot be told.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
