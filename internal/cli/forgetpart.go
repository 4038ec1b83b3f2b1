package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// forgetPart erases a phrase, in a project or everywhere.
func forgetPart(c *call, f *forgetFlags, r reach) error {
	e := &forget.Eraser{Dir: c.config.Dir, All: f.all, Now: c.Now(), Wait: wait, Dry: true, Chosen: r.lanes,
		Records: r.records, Past: r.past, Said: c.progress("looking through files")}
	var ok bool
	if e.What, ok = forget.Phrase(strings.Join(c.args, " ")); !ok {
		return usage("memento help forget", "that is too short to be told from everything else")
	}
	erases := !f.dry && !c.unborn()
	if erases {
		if err := c.mayDestroy(f.yes, forgetHint); err != nil {
			return err
		}
	}
	found, err := e.Run()
	if err != nil {
		return err
	}
	if erases {
		if !f.yes && len(found) > 0 {
			listFound(c, "would erase", found)
			where := fmt.Sprintf("Erase %s in %s for good?", count(len(found), "place"), r.words)
			if err := c.confirm(f.yes, where, keptAll); err != nil {
				return err
			}
		}
		if !f.all {
			e.In = []string{withheld.Key(r.slug), naming.User}
		}
		e.Dry = false
		if found, err = e.Run(); err != nil {
			hint := cmp.Or(safefile.Hint(err), "part of it is erased; the same command goes on")
			return hinted(hint, "%w", err)
		}
	}
	printForgotPart(c, f.dry, found, r.words, e.What.Left(c.config.Dir))
	if !erases {
		return nil
	}
	return purge(c, false)
}

// listFound prints what forget erased, or would erase: never the words themselves.
func listFound(c *call, verb string, found []forget.Found) {
	table := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	for _, f := range found {
		where, err := filepath.Rel(c.config.Dir, f.Path)
		if err != nil {
			where = f.Path
		}
		words := f.Words
		if words == text.Ellipsis {
			words = "begins with the phrase"
		}
		when := ""
		if f.TS != "" {
			when = local(f.TS)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", verb, text.Line(f.Kind), joined(": ", where, joined("  ", when, words)))
	}
	_ = table.Flush() // Main returns the error
}

// printForgotPart prints what was found. left are files that forget leaves.
func printForgotPart(c *call, dry bool, found []forget.Found, where string, left []string) {
	switch {
	case len(found) == 0:
		fmt.Fprintf(c.Out, "nothing that memento keeps of %s holds it\n", where)
	case dry:
		listFound(c, "would erase", found)
		fmt.Fprintf(c.Out, "nothing was erased: %s would be, in %s\n", count(len(found), "place"), where)
	default:
		listFound(c, "erased", found)
		fmt.Fprintf(c.Out, "forgotten: %s, in %s\n", count(len(found), "place"), where)
	}
	for _, f := range left {
		fmt.Fprintf(c.Out, "left: %s, where it is the name or folder of a project, or a setting: "+
			"memento forget --project NAME erases a project's files\n", f)
	}
}

// lift lets memento keep a forgotten phrase again.
func lift(c *call) error {
	n := 0
	if !c.unborn() {
		var err error
		if n, err = withheld.Lift(c.config.Dir, strings.Join(c.args, " "), wait); err != nil {
			return err
		}
	}
	if n == 0 {
		fmt.Fprintln(c.Out, "no phrase like this was forgotten")
	} else {
		fmt.Fprintln(c.Out, "memento may keep this phrase again; what was erased stays erased")
	}
	return nil
}
