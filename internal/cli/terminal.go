package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/launch"
	"github.com/mementohq/memento/internal/screen"
	"github.com/mementohq/memento/internal/text"
)

// answer is standard output. At a terminal it fits each line to the width and replaces what the terminal would obey.
// Anywhere else it passes on every byte at once. It keeps its first error, so that no command has to check each line. A
// reader that left before the end, as head does, has read what it wanted: that is no error.
type answer struct {
	to     io.Writer
	screen screen.Screen // zero: every byte is passed on
	asIs   bool          // whether lines stay as long as they are
	line   []byte        // the line that is not at its end yet
	err    error
}

// output is what a command prints on: its process, and the terminal that standard output may be.
type output struct {
	Streams
	answer *answer       // where Out leads
	screen screen.Screen // the terminal that answer fits its lines to; zero for none
	json   bool          // whether the answer is JSON
	lines  *bufio.Reader // of In, once the person was asked something
}

// newOutput returns what a command prints on: its terminal, if it has one.
func newOutput(s Streams) *output {
	o := &output{Streams: s}
	if o.Screen != nil {
		o.screen = o.Screen()
	}
	o.answer = &answer{to: o.Out, screen: o.screen}
	o.Out = o.answer
	return o
}

// fit settles, once the flags are known, how the answer is printed. asIs is that of the command.
func (o *output) fit(asIs bool) {
	switch {
	case asIs:
		o.screen, o.answer.screen = screen.Screen{}, screen.Screen{}
	case o.json: // of what is stored, nothing reaches the terminal that it obeys
		o.screen, o.answer.asIs = screen.Screen{}, true
	}
}

// agreed asks a person at a terminal. Every answer but y and yes means no.
func (o *output) agreed(question string) bool {
	if o.lines == nil {
		o.lines = bufio.NewReader(o.In)
	}
	fmt.Fprint(o.Err, question+" [y/N] ")
	line, _ := o.lines.ReadString('\n')
	line = strings.ToLower(strings.TrimSpace(line))
	return line == "y" || line == "yes"
}

// mayDestroy refuses to delete for good, with a *hintError, unless --yes is given or a person at a terminal can be
// asked.
func (o *output) mayDestroy(yes bool, hint string) error {
	if yes || o.Terminal && !o.json {
		return nil
	}
	return usage(hint, "it deletes for good, and there is nobody to ask")
}

// confirm asks the person. After a no it prints what was not done, and returns errSilent.
func (o *output) confirm(question, undone string) error {
	if o.agreed(question) {
		return nil
	}
	fmt.Fprintln(o.Err, undone)
	return errSilent
}

// note tells the person something beside the answer.
func (o *output) note(format string, args ...any) {
	fmt.Fprintf(o.Err, "memento: note: "+format+"\n", args...)
}

// asItIs returns standard output for text that stays as it is stored, line for line.
func (o *output) asItIs() io.Writer {
	o.answer.asIs = true
	return o.Out
}

func (a *answer) Write(data []byte) (int, error) {
	if a.screen.Wide == 0 {
		return a.pass(data)
	}
	a.line = append(a.line, data...)
	whole := bytes.LastIndexByte(a.line, '\n') + 1
	var fitted strings.Builder
	for line := range strings.Lines(string(a.line[:whole])) {
		fitted.WriteString(a.fit(line))
	}
	a.line = append(a.line[:0], a.line[whole:]...)
	if whole > 0 {
		_, _ = a.pass([]byte(fitted.String())) // end returns the error
	}
	return len(data), nil
}

// fit returns a line as the terminal shows it.
func (a *answer) fit(line string) string {
	line = screen.Harmless(line, a.screen.Styled && !a.asIs)
	if a.asIs {
		return line
	}
	words, broken := strings.CutSuffix(line, "\n")
	words = screen.Wrap(words, a.screen.Wide)
	if broken {
		words += "\n"
	}
	return words
}

// end prints a last line that no line break ends. It returns the first error of standard output.
func (a *answer) end() error {
	if len(a.line) > 0 {
		_, _ = a.pass([]byte(a.fit(string(a.line))))
		a.line = nil
	}
	return a.err
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

// path returns a path for a person: at a terminal with ~ for the home folder.
func (o *output) path(path string) string { return o.shorter(text.Line(path)) }

// shorter returns words about paths; at a terminal the paths have ~ for the home folder.
func (o *output) shorter(words string) string {
	home := config.Home(o.Getenv)
	if home == "" || home == "/" || o.screen.Wide == 0 {
		return words
	}
	return strings.NewReplacer(home+"/", "~/", home+`\`, `~\`).Replace(words)
}
