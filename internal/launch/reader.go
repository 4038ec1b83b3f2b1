package launch

import (
	"errors"
	"runtime"
	"syscall"
)

// ReaderLeft reports whether err is of a pipe whose reader has closed it.
func ReaderLeft(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number) && (number == syscall.EPIPE ||
		runtime.GOOS == "windows" && (number == 109 || number == 232)) // ERROR_BROKEN_PIPE, ERROR_NO_DATA
}
