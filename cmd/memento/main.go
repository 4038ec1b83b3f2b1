// Command memento is the journal Claude Code lacks: a hook for the client, and commands for people and for Claude.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/mementohq/memento/internal/cli"
)

func main() {
	// A reader that went away must not end a hook by signal: what it would have read is lost, the state is still saved.
	// Ignoring starts no goroutine, and costs a system call.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(cli.Run(os.Args[1:]))
}
