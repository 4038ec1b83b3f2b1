package cli

import (
	"fmt"
	"time"
)

// progress says how far something has come that takes longer than a second, once a second, where standard error is a
// terminal.
func (c *call) progress(what string) func(done, all int) {
	if c.json || c.Watched == nil || !c.Watched() {
		return nil
	}
	said := c.Now()
	return func(done, all int) {
		if now := c.Now(); now.Sub(said) >= time.Second {
			said = now
			fmt.Fprintf(c.Err, "memento: %s: %d of %d\n", what, done, all)
		}
	}
}
