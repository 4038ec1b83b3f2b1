package cli

import (
	"bytes"
	"io"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/launch"
	"github.com/mementohq/memento/internal/screen"
	"github.com/mementohq/memento/internal/text"
)

// answer is standard output. At a terminal it fits each line to the width, replaces what the terminal would obey, and
// shows what is longer than the screen in the pager. Anywhere else it passes on every byte at once. It keeps its first
// error, so that no command has to check each line. A reader that left before the end, as head does, has read what it
// wanted: that is no error.
type answer struct {
	to     io.Writer
	screen screen.Screen // zero: every byte is passed on
	page   func(command string, text []byte) error
	asIs   bool   // whether lines stay as long as they are
	line   []byte // the line that is not at its end yet
	held   []byte // whole lines that the pager may get
	bar    bool   // whether standard error shows a line of progress
	errs   io.Writer
	err    error
}

// sit lets the call print to its terminal, if it has one. What a person is asked or told, and what memento-sync prints,
// comes behind the answer until then.
func (c *call) sit() {
	c.answer = &answer{to: c.Out, page: c.Page, errs: c.Err}
	if c.Screen != nil {
		c.screen = c.Screen()
	}
	if c.caller() == journal.ByClaude { // nobody would leave the pager
		c.screen.Pager = ""
	}
	c.Out = c.answer
	if c.screen.Wide > 0 {
		c.answer.screen = c.screen
		if run := c.RunCompanion; run != nil { // memento-sync takes the place of this process
			c.RunCompanion = func(args []string) (int, error) {
				c.answer.clearBar()
				c.answer.flush()
				return run(args)
			}
		}
		errs := &remark{answer: c.answer}
		if c.Watched != nil && c.Watched() {
			errs.wide = c.screen.Wide
		}
		c.Err, c.In = errs, &typed{c.answer, c.In}
	}
}

// fit settles, once the flags are known, how the command's answer is printed.
func (c *call) fit(cmd command, plain bool) {
	if c.screen.Wide == 0 {
		return
	}
	if plain {
		c.screen.Styled = false
	}
	switch c.answer.screen = c.screen; {
	case cmd.asIs:
		c.screen, c.answer.screen = screen.Screen{}, screen.Screen{}
	case c.json: // of what is stored, nothing reaches the terminal that it obeys
		c.screen, c.answer.asIs, c.answer.screen.Pager = screen.Screen{}, true, ""
	}
}

// asItIs returns standard output for text that stays as it is stored, line for line.
func (c *call) asItIs() io.Writer {
	c.answer.asIs = true
	return c.Out
}

func (a *answer) Write(data []byte) (int, error) {
	if a.screen.Wide == 0 {
		return a.pass(data)
	}
	a.clearBar()
	for rest := data; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n') + 1
		if i == 0 {
			a.line = append(a.line, rest...)
			break
		}
		a.line = append(a.line, rest[:i]...)
		rest = rest[i:]
		a.fit()
	}
	return len(data), nil
}

// fit puts the line into held.
func (a *answer) fit() {
	line := screen.Harmless(string(a.line), a.screen.Styled && !a.asIs)
	if a.line = a.line[:0]; !a.asIs {
		words, broken := strings.CutSuffix(line, "\n")
		line = screen.Wrap(words, a.screen.Wide)
		if broken {
			line += "\n"
		}
	}
	if a.held = append(a.held, line...); a.screen.Pager == "" {
		a.flush()
	}
}

// flush prints all there is, without the pager: a person is asked or told something meanwhile.
func (a *answer) flush() {
	if len(a.line) > 0 {
		line := a.line
		a.line = nil
		a.held = append(a.held, screen.Harmless(string(line), a.screen.Styled && !a.asIs)...)
	}
	if len(a.held) > 0 {
		_, _ = a.pass(a.held) // end returns the error
	}
	a.held = a.held[:0]
}

func (a *answer) pass(data []byte) (int, error) {
	n, err := a.to.Write(data)
	if launch.ReaderLeft(err) {
		return len(data), nil
	}
	if a.err == nil {
		a.err = err
	}
	return n, err
}

// end prints the rest, in the pager if it is longer than the screen. It returns the first error of standard output.
func (a *answer) end() error {
	if a.clearBar(); a.screen.Wide == 0 {
		return a.err
	}
	if len(a.line) > 0 {
		a.fit()
	}
	if a.screen.Pager != "" && a.rows() >= a.screen.High && a.page(a.screen.Pager, a.held) == nil {
		return a.err
	}
	a.flush()
	return a.err
}

// rows returns how many lines of the screen the answer fills.
func (a *answer) rows() (n int) {
	for line := range strings.Lines(string(a.held)) {
		n += max(1, (screen.Columns(strings.TrimSuffix(line, "\n"))+a.screen.Wide-1)/a.screen.Wide)
	}
	return n
}

// remark is standard error beside an answer at a terminal.
type remark struct {
	*answer
	wide int // of the terminal, 0 for none
}

func (r *remark) Write(data []byte) (int, error) {
	r.clearBar()
	r.flush()
	said := string(data)
	if r.wide > 0 && !r.asIs {
		var lines []string
		for line := range strings.SplitSeq(screen.Harmless(said, r.screen.Styled), "\n") {
			lines = append(lines, screen.Wrap(line, r.wide))
		}
		said = strings.Join(lines, "\n")
	}
	if _, err := io.WriteString(r.errs, said); err != nil {
		return 0, err
	}
	return len(data), nil
}

// typed is what a person types at a terminal: the question comes before the answer.
type typed struct {
	*answer
	from io.Reader
}

func (t *typed) Read(p []byte) (int, error) {
	t.flush()
	return t.from.Read(p)
}

// path returns a path for a person: at a terminal with ~ for the home folder.
func (c *call) path(path string) string { return c.shorter(text.Line(path)) }

// shorter returns words about paths; at a terminal the paths have ~ for the home folder.
func (c *call) shorter(words string) string {
	home := c.home()
	if home == "" || home == "/" || c.screen.Wide == 0 {
		return words
	}
	return strings.NewReplacer(home+"/", "~/", home+`\`, `~\`).Replace(words)
}
