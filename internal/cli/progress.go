package cli

import (
	"fmt"
	"time"
)

// progress returns a function that prints once a second how much of a task is done. It returns nil if standard error is
// not a terminal.
func (c *call) progress(what string) func(done, all int) {
	if c.json || c.Watched == nil || !c.Watched() {
		return nil
	}
	printed := c.Now()
	return func(done, all int) {
		if now := c.Now(); now.Sub(printed) >= time.Second {
			printed = now
			fmt.Fprintf(c.Err, "memento: %s: %d of %d\n", what, done, all)
		}
	}
}
