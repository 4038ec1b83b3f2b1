// Command memento is the journal Claude Code lacks: a hook for the client, and commands for people and for Claude.
package main

import (
	"os"
	"os/signal"
	"syscall"

	_ "github.com/mementohq/memento/internal/abort" // first of memento's packages
	"github.com/mementohq/memento/internal/cli"
)

func main() {
	deepen()
	// If the reader of the output has gone, SIGPIPE must not end a hook before the hook saves the session memory. To
	// ignore the signal costs one system call and starts no goroutine.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(cli.Run(os.Args[1:]))
}

// deepen grows the stack once to the size that most events need. Without it the runtime grows the stack in steps,
// copies it each time, and reads tables from the file to do so: 0.05 to 0.15 ms of a hook.
//
//go:noinline
func deepen() {
	var room [14 << 10]byte
	use(&room)
}

//go:noinline
func use(room *[14 << 10]byte) { room[0] = 1 }
