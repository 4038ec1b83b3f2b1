package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// usageError is a call that cannot be taken: exit code 64.
type usageError struct{ what, hint string }

func (e *usageError) Error() string { return e.what }

// hintError is an error with the command, or the step, that helps.
type hintError struct {
	err  error
	hint string
}

func (e *hintError) Error() string { return e.err.Error() }

func (e *hintError) Unwrap() error { return e.err }

// usage is a usageError that says what the format makes of args.
func usage(hint, format string, args ...any) error {
	return &usageError{what: fmt.Sprintf(format, args...), hint: hint}
}

// hinted is a hintError about what the format makes of args, as fmt.Errorf has it.
func hinted(hint, format string, args ...any) error {
	return &hintError{err: fmt.Errorf(format, args...), hint: hint}
}

// errSilent ends with exit code 1 when everything was said already.
var errSilent = errors.New("said already")

// report prints err for a person, or as JSON for a script that asked for JSON, and returns the exit code.
func (c *call) report(err error) int {
	code := exitFail
	switch {
	case errors.Is(err, errSilent):
		return exitFail
	case errors.Is(err, safefile.ErrBusy):
		code = exitBusy
	case errors.As(err, new(*usageError)):
		code = exitUsage
	}
	what, hint := c.said(worded(err)), hintOf(err)
	if c.json {
		c.errorJSON(what, hint, code)
		return code
	}
	fmt.Fprintf(c.Err, "memento: %s\n", text.Line(what))
	if hint != "" {
		fmt.Fprintf(c.Err, "memento: hint: %s\n", text.Line(hint))
	}
	return code
}

// errorJSON prints what went wrong for a script.
func (c *call) errorJSON(what, hint string, code int) {
	fmt.Fprintf(c.Err, "%s\n", versioned(members{{"error", what}, {"hint", hint}, {"code", code}}))
}

// hintOf is the step that helps against err, "" when none is known.
func hintOf(err error) string {
	var usage *usageError
	var hinted *hintError
	var step *exchange.StepError
	switch {
	case errors.As(err, &usage) && usage.hint != "":
		return usage.hint
	case errors.As(err, &hinted) && hinted.hint != "":
		return hinted.hint
	case errors.As(err, &step):
		return step.Step
	}
	return cmp.Or(safefile.Hint(err), stepFor(err))
}

// stepFor is the step that helps against an error that says none itself, "" when none is known. It does not say what
// was changed.
func stepFor(err error) string {
	hint := safefile.Step(err)
	if hint == "" && (errors.Is(err, journal.ErrCorrupt) || errors.Is(err, withheld.ErrMarksUnreadable)) {
		hint = "memento doctor"
	}
	return hint
}

// worded is err in a person's words.
func worded(err error) string { return text.Reason(err) }

// said is what went wrong as a person is told it: behind the command's name.
func (c *call) said(what string) string {
	if name := c.command.name; name != "" && !strings.HasPrefix(what, name+": ") && !strings.HasPrefix(what, name+" ") {
		return name + ": " + what
	}
	return what
}

// named is what err says, and of which record where it does not say so itself.
func named(name string, err error) string {
	if what := worded(err); strings.Contains(what, name) {
		return what
	}
	return name + ": " + worded(err)
}
