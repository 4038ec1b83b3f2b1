// Command memento-sync is memento's companion. It has what memento may not have, because memento runs at every event
// of the client: git, and connections to the remote that a person names. memento runs it for the commands that need
// either.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mementohq/memento/internal/cli"
)

func main() {
	// If the reader of the output has gone, SIGPIPE must not end a sync halfway.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := cli.System()
	s.Companion, s.Context = engine{}, ctx
	os.Exit(cli.Main(os.Args[1:], s))
}
