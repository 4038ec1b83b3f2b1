package cli

import (
	"fmt"
	"time"
)

// progressEach is how often progress is shown, each time in a line of its own.
const progressEach = time.Second

// progress returns a function that shows how much of a task is done.
func (o *output) progress(what string) func(done, all int) {
	show := o.doing()
	return func(done, all int) { show(what, done, all) }
}

// doing is progress for work of several steps. all is 0 where nobody knows how much there is, and done is 0, too, for a
// step that says nothing until its end. If standard error is not a terminal, nothing is shown.
func (o *output) doing() func(step string, done, all int) {
	if o.json || o.Watched == nil || !o.Watched() {
		return func(string, int, int) {}
	}
	shown := o.Now()
	return func(step string, done, all int) {
		now := o.Now()
		if now.Sub(shown) < progressEach {
			return
		}
		shown = now
		switch {
		case all > 0:
			step += fmt.Sprintf(": %d of %d", done, all)
		case done > 0:
			step += fmt.Sprintf(": %d", done)
		}
		fmt.Fprintf(o.Err, "memento: %s\n", step)
	}
}
