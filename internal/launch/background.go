package launch

import (
	"context"
	"os"
	"os/signal"
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
	return start(path, []string{path, "sync", "--auto"}, dir)
}

// UntilStopped returns a context that ends when somebody stops this process, so that it ends what it has started. done
// lets signals end the process again.
func UntilStopped() (ctx context.Context, done func()) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}
