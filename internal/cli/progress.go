package cli

import (
	"fmt"
	"time"

	"github.com/mementohq/memento/internal/text"
)

// How often progress is shown: in a line of its own each time, and in one line that is written anew.
const (
	progressEach = time.Second
	barEach      = time.Second / 5
)

// progress returns a function that shows how much of a task is done. It returns nil if standard error is not a
// terminal.
func (o *output) progress(what string) func(done, all int) {
	show := o.doing()
	if show == nil {
		return nil
	}
	return func(done, all int) { show(what, done, all) }
}

// doing is progress for work of several steps. all is 0 where nobody knows how much there is, and done is 0, too, for a
// step that says nothing until its end.
func (o *output) doing() func(step string, done, all int) {
	if o.json || o.Watched == nil || !o.Watched() {
		return nil
	}
	shown := o.Now()
	return func(step string, done, all int) {
		line := "memento: " + step
		switch {
		case all > 0:
			line += fmt.Sprintf(": %d of %d", done, all)
		case done > 0:
			line += fmt.Sprintf(": %d", done)
		}
		now := o.Now()
		switch bar := o.screen.Moves; {
		case bar && (done == 0 && all == 0 || now.Sub(shown) >= barEach):
			o.answer.showBar(line)
		case !bar && all > 0 && now.Sub(shown) >= progressEach:
			fmt.Fprintln(o.Err, line)
		default:
			return
		}
		shown = now
	}
}

// showBar shows a line on standard error until something else is printed.
func (a *answer) showBar(line string) {
	fmt.Fprintf(a.errs, "\r%s\x1b[K", text.Fit(line, a.screen.Wide-1))
	a.bar = true
}

// clearBar removes that line.
func (a *answer) clearBar() {
	if a.bar {
		fmt.Fprint(a.errs, "\r\x1b[K")
		a.bar = false
	}
}
