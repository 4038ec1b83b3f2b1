package cli

import (
	"fmt"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/screen"
	"github.com/mementohq/memento/internal/text"
)

// row prints a line of a table: a name, and words about it. An empty name continues the row above. Without words it
// prints nothing.
func (o *output) row(name, format string, args ...any) {
	o.rowIn("", name, fmt.Sprintf(format, args...))
}

// rowIn is row, in a table that begins with lead.
func (o *output) rowIn(lead, name, words string) {
	if words != "" {
		o.printLine(len(lead)+rowWide, lead+o.screen.Quiet(fmt.Sprintf("%-*s", rowWide, name))+words)
	}
}

// printLine prints a line of which, at a terminal, the parts after the first begin in the column below.
func (o *output) printLine(below int, line string) {
	if o.screen.Wide > 0 {
		line = screen.WrapBelow(line, o.screen.Wide, below)
	}
	fmt.Fprintln(o.Out, line)
}

// rowWide is how many columns the name of a row takes.
const rowWide = 9

// count puts a number and a thing into words: 1 record, 2 records.
func count(n int, thing string) string { return text.Count(n, thing) }

// since says how long ago t was, "-" if t is no time.
func (o *output) since(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return block.Age(o.Now().Sub(t))
}

// when says when t was: at a terminal how long ago.
func (o *output) when(t time.Time) string {
	if o.screen.Wide > 0 {
		return o.since(t)
	}
	return clock(t)
}

// clock returns t in the time zone of this machine.
func clock(t time.Time) string {
	if t.IsZero() {
		return "at an unknown time"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// local is clock for a time that is written as text.
func local(ts string) string {
	t, _ := time.Parse(time.RFC3339, ts)
	return clock(t)
}

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
