package launch

import (
	"errors"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// whileIgnoring runs do, which waits for a program in this process's terminal. The terminal also sends Ctrl-C to
// memento, which has to wait on. The program would inherit an ignored signal, and main ignores SIGPIPE; it does not
// inherit a caught one.
func whileIgnoring(do func() error) error {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt, syscall.SIGQUIT, syscall.SIGPIPE)
	defer signal.Ignore(syscall.SIGPIPE)
	defer signal.Stop(caught)
	return do()
}

// ReaderLeft reports whether err is of a pipe whose reader has closed it.
func ReaderLeft(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number) && (number == syscall.EPIPE ||
		runtime.GOOS == "windows" && (number == 109 || number == 232)) // ERROR_BROKEN_PIPE, ERROR_NO_DATA
}
