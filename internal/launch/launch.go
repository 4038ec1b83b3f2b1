// Package launch starts programs: the browser for a person at a terminal, and a memento that syncs in the background. A
// hook may call Sync alone, and only when a person has set sync to auto.
package launch

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// Sync starts this binary, so that it syncs once without anybody waiting, in the folder dir. The client waits for
// everybody who holds a hook's streams, and may end the hook's process group: the program has neither. Errors: the
// system's when it does not start.
func Sync(dir string) error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	return start(dir, path, "sync", "--auto")
}

// UntilStopped returns a context that ends when somebody stops this process, so that it ends what it has started. done
// lets signals end the process again.
func UntilStopped() (ctx context.Context, done func()) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// ReaderLeft reports whether err is of a pipe whose reader has closed it.
func ReaderLeft(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number) && (number == syscall.EPIPE ||
		runtime.GOOS == "windows" && (number == 109 || number == 232)) // ERROR_BROKEN_PIPE, ERROR_NO_DATA
}
