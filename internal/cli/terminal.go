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

// output is what a command prints on: its process, and the terminal that standard output may be.
type output struct {
	Streams
	answer *answer       // where Out leads
	screen screen.Screen // the terminal that answer fits its lines to; zero for none
	json   bool          // whether the answer is JSON
	lines  *bufio.Reader // of In, once the person was asked something
}

// sit lets the command print to its terminal, if it has one; pages says whether somebody could leave the pager. What a
// person is asked or told, and what memento-sync prints, comes behind the answer until then.
func (o *output) sit(pages bool) {
	o.answer = &answer{to: o.Out, page: o.Page, errs: o.Err}
	o.Out = o.answer
	if o.Screen == nil {
		return
	}
	if o.screen = o.Screen(); o.screen.Wide == 0 {
		return
	}
	if !pages {
		o.screen.Pager = ""
	}
	o.answer.screen = o.screen
	if run := o.RunCompanion; run != nil { // memento-sync takes the place of this process
		o.RunCompanion = func(args []string) (int, error) {
			o.answer.clearBar()
			o.answer.flush()
			return run(args)
		}
	}
	errs := &remark{answer: o.answer}
	if o.Watched != nil && o.Watched() {
		errs.wide = o.screen.Wide
	}
	o.Err, o.In = errs, &keyboard{o.answer, o.In}
}

// fit settles, once the flags are known, how the answer is printed. asIs is that of the command, plain its --no-color.
func (o *output) fit(asIs, plain bool) {
	if o.screen.Wide == 0 {
		return
	}
	if plain {
		o.screen.Styled = false
	}
	switch o.answer.screen = o.screen; {
	case asIs:
		o.screen, o.answer.screen = screen.Screen{}, screen.Screen{}
	case o.json: // of what is stored, nothing reaches the terminal that it obeys
		o.screen, o.answer.asIs, o.answer.screen.Pager = screen.Screen{}, true, ""
	}
}

// ask prints a question and returns what the person types: a line in lower case, "" at the end of the input.
func (o *output) ask(question string) string {
	if o.lines == nil {
		o.lines = bufio.NewReader(o.In)
	}
	fmt.Fprint(o.Err, question)
	line, _ := o.lines.ReadString('\n')
	return strings.ToLower(strings.TrimSpace(line))
}

// agreed asks a person at a terminal. Every answer but y and yes means no.
func (o *output) agreed(question string) bool {
	line := o.ask(question + " [y/N] ")
	return line == "y" || line == "yes"
}

// mayDestroy refuses to delete for good, with a *usageError, unless --yes is given or a person at a terminal can be
// asked.
func (o *output) mayDestroy(yes bool, hint string) error {
	if yes || o.Terminal && !o.json {
		return nil
	}
	return usage(hint, "it deletes for good, and there is nobody to ask")
}

// confirm asks the person unless --yes is given. After a no it prints what was not done, and returns errSilent.
func (o *output) confirm(yes bool, question, undone string) error {
	if yes || o.agreed(question) {
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

// keyboard is what a person types at a terminal: the question comes before the answer.
type keyboard struct {
	*answer
	from io.Reader
}

func (k *keyboard) Read(p []byte) (int, error) {
	k.flush()
	return k.from.Read(p)
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
