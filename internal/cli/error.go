package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// usageError is the error for a wrong call, with a hint: exit code 64.
type usageError struct{ what, hint string }

func (e *usageError) Error() string { return e.what }

// hintError is an error with a hint: the command or the step that helps.
type hintError struct {
	err  error
	hint string
}

func (e *hintError) Error() string { return e.err.Error() }

func (e *hintError) Unwrap() error { return e.err }

// usage returns a usageError. format and args are those of fmt.Sprintf.
func usage(hint, format string, args ...any) error {
	return &usageError{what: fmt.Sprintf(format, args...), hint: hint}
}

// hinted returns a hintError. format and args are those of fmt.Errorf.
func hinted(hint, format string, args ...any) error {
	return &hintError{err: fmt.Errorf(format, args...), hint: hint}
}

// errSilent ends a command with exit code 1 and prints nothing: the command has printed its error.
var errSilent = errors.New("said already")

// report prints err, as JSON with --json, and returns the exit code.
func report(c *call, err error) int {
	code := exitFail
	var ended *endedError
	switch {
	case errors.Is(err, errSilent):
		return exitFail
	case errors.As(err, &ended):
		return ended.code
	case errors.Is(err, safefile.ErrBusy):
		code = exitBusy
	case errors.As(err, new(*usageError)):
		code = exitUsage
	}
	what, hint := c.said(worded(err)), hintOf(err)
	if c.json {
		fmt.Fprintf(c.Err, "%s\n", versioned(members{{"error", what}, {"hint", hint}, {"code", code}}))
		return code
	}
	fmt.Fprintf(c.Err, "memento: %s\n", text.Line(what))
	if hint != "" {
		fmt.Fprintf(c.Err, "memento: hint: %s\n", text.Line(hint))
	}
	return code
}

// hintOf returns the hint for err, "" for none.
func hintOf(err error) string {
	var usage *usageError
	var hinted *hintError
	var own interface{ Hint() string } // an error of the companion's
	switch {
	case errors.As(err, &usage) && usage.hint != "":
		return usage.hint
	case errors.As(err, &hinted) && hinted.hint != "":
		return hinted.hint
	case errors.As(err, &own):
		return own.Hint()
	}
	return cmp.Or(safefile.Hint(err), stepFor(err))
}

// stepFor returns the hint for an error that brings none itself, "" for none.
func stepFor(err error) string {
	hint := safefile.Step(err)
	if hint == "" && (errors.Is(err, journal.ErrCorrupt) || errors.Is(err, withheld.ErrErasedUnreadable)) {
		hint = "memento doctor"
	}
	return hint
}

// worded returns the text of err in plain words.
func worded(err error) string { return text.Reason(err) }

// said returns what with the command's name before it.
func (c *call) said(what string) string {
	if name := c.command.name; name != "" && !strings.HasPrefix(what, name+": ") && !strings.HasPrefix(what, name+" ") {
		return name + ": " + what
	}
	return what
}

// named returns the text of err, with name before it unless the text has the name.
func named(name string, err error) string {
	what := worded(err)
	if strings.Contains(what, name) {
		return what
	}
	return name + ": " + what
}
