package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
)

// hintError is an error with a hint: the command or the step that helps.
type hintError struct {
	err     error
	hint    string
	isUsage bool // a wrong call: exit code 64
}

func (e *hintError) Error() string { return e.err.Error() }

func (e *hintError) Unwrap() error { return e.err }

// usage returns the error for a wrong call. format and args are those of fmt.Errorf.
func usage(hint, format string, args ...any) error {
	return &hintError{fmt.Errorf(format, args...), hint, true}
}

// hinted returns another error with a hint. format and args are those of fmt.Errorf.
func hinted(hint, format string, args ...any) error {
	return &hintError{fmt.Errorf(format, args...), hint, false}
}

// errSilent ends a command with exit code 1 and prints nothing: the command has printed its error.
var errSilent = errors.New("said already")

// report prints err, as JSON with --json, and returns the exit code.
func report(c *call, err error) int {
	code, helped, unfit := exitFail, (*hintError)(nil), (*note.Error)(nil)
	switch {
	case errors.Is(err, errSilent):
		return exitFail
	case errors.Is(err, safefile.ErrBusy):
		code = exitBusy
	case errors.As(err, &helped) && helped.isUsage, errors.As(err, &unfit) && unfit.IsUsage:
		code = exitUsage
	}
	what, hint := c.said(text.Reason(err)), hintOf(err)
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
	var helped *hintError
	var unfit *note.Error
	switch {
	case errors.As(err, &helped) && helped.hint != "":
		return helped.hint
	case errors.As(err, &unfit):
		return unfit.Hint
	}
	if hint := recordHint(err); hint != "" {
		return hint
	}
	for _, known := range []struct {
		err  error
		step string
	}{
		{journal.ErrCorrupt, "memento doctor"},
		{withheld.ErrErasedUnreadable, "memento doctor"},
		{withheld.ErrPausesUnreadable, unreadablePause},
		{rule.ErrNumber, "memento rules"},
		{shared.ErrNoRepository, "cd into the working tree of the project's repository"},
		{shared.ErrForeign, "memento leaves it alone; it shares records only through a folder " + shared.Folder + " of its own"},
		{shared.ErrTheirs, "memento trust shows it, and takes it in if you say yes; or delete the file and share yours again"},
		{shared.ErrUnshareable, "memento help share"},
		{exchange.ErrNothing, "memento help import lists the layouts"},
		{exchange.ErrNoFolder, "name a folder, or a file that is not there yet with --format json"},
		{transcript.ErrNone, "memento backfill takes in this project's"},
		{safefile.ErrTooLarge, "make two of it"},
	} {
		if errors.Is(err, known.err) {
			return known.step
		}
	}
	return safefile.Hint(err)
}

// recordHint returns the hint for an error of the record store, "" for another one.
func recordHint(err error) string {
	var exists *record.ExistsError
	var conflict *record.ConflictError
	var name *naming.Error
	var front *markdown.FrontError
	var status *record.StatusError
	switch {
	case errors.As(err, &exists) && exists.Status == schema.Active:
		return "memento show " + exists.ID + " shows it, memento edit " + exists.ID + " changes it"
	case errors.As(err, &exists):
		return "memento show " + exists.ID + " shows it, memento restore " + exists.ID + " brings it back"
	case errors.As(err, &status) && status.Status == schema.Active:
		return "memento show " + status.ID
	case errors.As(err, &status):
		return "memento restore " + status.ID + " makes it active again"
	case errors.Is(err, record.ErrRemoved):
		return "give it another title"
	case errors.As(err, &conflict):
		return "memento show " + conflict.ID + ", then again with --if-match " + conflict.Hash
	case errors.As(err, &name) && name.Try != "":
		return "try " + name.Try
	case errors.As(err, &front) && front.Line == 1:
		where, _, _ := strings.Cut(err.Error(), ": ")
		return `put two lines "---" at the top of ` + where + ", with nothing between them if need be"
	case errors.As(err, &front):
		return "mend the file by hand; memento does not touch it"
	case errors.Is(err, record.ErrNotFound):
		return hintMissing
	case errors.Is(err, markdown.ErrSection):
		return "memento help save says what --set and --body take"
	}
	return ""
}

// said returns what with the command's name before it.
func (c *call) said(what string) string {
	if name := c.command.name; name != "" && !strings.HasPrefix(what, name+": ") {
		return name + ": " + what
	}
	return what
}

// named returns the text of err, with name before it unless the text has the name.
func named(name string, err error) string {
	what := text.Reason(err)
	if strings.Contains(what, name) {
		return what
	}
	return name + ": " + what
}

// meant returns the hint for a word that is not in known: the one of known that the person probably meant, in the form
// of a question, else otherwise.
func meant(word string, known []string, form, otherwise string) string {
	if near := text.Nearest(word, known); near != "" {
		return "did you mean " + fmt.Sprintf(form, near) + "?"
	}
	return otherwise
}

// oneOf returns the hint for a word that is not in known: it lists known, after the one that the person probably meant.
func oneOf(word string, known []string) string {
	hint := "one of " + strings.Join(known, ", ")
	if near := meant(word, known, "%s", ""); near != "" {
		hint = near + " It is " + hint
	}
	return hint
}
