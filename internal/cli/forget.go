package cli

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

type forgetFlags struct {
	all, yes, dry, lift bool
	project             string
}

func forgetCommand() command {
	f := &forgetFlags{}
	return command{
		name: "forget", args: "[PHRASE]", apart: "all project", alone: "lift", short: "erase a phrase, or all of this project, for good",
		long: `With a PHRASE it erases everything in the project that holds it, whatever the case, spacing and quote marks. Of the
project's records and your own it erases each paragraph, item and tag that holds it, and the whole record if its title
does. Without a PHRASE it erases all that memento keeps of the project, in all its worktrees. It asks first; away from a
terminal it needs --yes. Nothing brings back what is forgotten. A forgotten PHRASE is not kept either when you type it
again, until --lift.

  memento forget "the launch date" --dry-run
  memento forget --lift "the launch date"
  memento forget --project myapp
`,
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&f.dry, "dry-run", false, "only list what it would erase")
			fs.BoolVar(&f.all, "all", false, "everything memento keeps, of all projects and your own")
			fs.BoolVar(&f.lift, "lift", false, "let memento keep this PHRASE again; erases nothing")
			fs.BoolVar(&f.yes, "yes", false, "do not ask")
			nameFlag(fs, &f.project, "project", "the project with this `NAME` instead of the folder's")
		},
		run: func(c *call) error { return runForget(c, f) },
	}
}

func runForget(c *call, f *forgetFlags) error {
	phrase := strings.Join(c.args, " ")
	if len(c.args) > 0 {
		if _, err := new(withheld.Erased).Only(phrase); err != nil {
			return usage("memento help forget", "%v", err)
		}
	}
	if f.lift {
		return lift(c, phrase)
	}
	if f.project != "" {
		if err := knownProject(c, f.project); err != nil {
			return err
		}
	}
	e := &forget.Eraser{Dir: c.config.Dir, All: f.all, Phrase: phrase, Now: c.Now(), Wait: wait, Dry: true,
		Said: c.progress("looking through files")}
	where, err := f.reach(c, e)
	if err != nil {
		return err
	}
	erases := !f.dry && !c.unborn()
	if erases {
		if err := c.mayDestroy(f.yes, "add --yes if it is meant; --dry-run only lists what would go"); err != nil {
			return err
		}
	}
	found, err := e.Run()
	if err == nil && erases {
		if !f.yes && (e.Phrase == "" || len(found) > 0) {
			listFound(c, "would erase", found)
			what := fmt.Sprintf("Erase %s in %s for good?", counted(e, found), where)
			if err := c.confirm(what, "Nothing was erased."); err != nil {
				return err
			}
		}
		e.Dry = false
		found, err = e.Run()
	}
	if err != nil && len(found) > 0 {
		return hinted(cmp.Or(safefile.Hint(err), "part of it is erased; the same command goes on"), "%w", err)
	}
	if err != nil {
		return err
	}
	switch {
	case len(found) == 0 && e.Phrase != "":
		fmt.Fprintf(c.Out, "nothing that memento keeps of %s holds it\n", where)
	case f.dry:
		listFound(c, "would erase", found)
		fmt.Fprintf(c.Out, "nothing was erased: %s would be, in %s\n", counted(e, found), where)
	default:
		listFound(c, "erased", found)
		fmt.Fprintf(c.Out, "forgotten: %s, in %s\n", counted(e, found), where)
	}
	for _, f := range e.Left() {
		fmt.Fprintf(c.Out, "left: %s, where it is the name or folder of a project, or a setting: "+
			"memento forget --project NAME erases a project's files\n", f)
	}
	if !erases {
		return nil
	}
	return purge(c)
}

// reach chooses what e looks through: everything, a project with all its worktrees and instances, or what was done
// outside any project; a phrase in the person's own records, too. It returns that in words.
func (f *forgetFlags) reach(c *call, e *forget.Eraser) (where string, err error) {
	if f.all {
		all := func(string) bool { return true }
		e.Chosen, e.Records, e.Past = all, all, all
		return "all projects", nil
	}
	slug, part := f.project, e.Phrase != ""
	if slug == "" {
		lane, err := c.lane()
		if err != nil {
			return "", err
		}
		slug = lane.Slug
		base := lane.Base().Name
		e.Chosen = func(lane string) bool { return lane == base || strings.HasPrefix(lane, base+"~") }
	}
	e.In = []string{withheld.Key(slug), naming.User}
	if slug == "" {
		if part { // the user's own records go whole only with --all
			e.Records, e.Past = is(naming.User), is("")
		}
		return "the work outside any project", nil
	}
	e.Past = is(slug)
	e.Chosen = func(lane string) bool { // of the project, in any worktree and instance
		return strings.HasPrefix(lane, slug+"--") || strings.HasPrefix(lane, slug+"@")
	}
	e.Records = func(p string) bool { return p == slug || part && p == naming.User }
	return "project " + slug, nil
}

// is returns a function that reports whether a string is s.
func is(s string) func(string) bool { return func(other string) bool { return other == s } }

// listFound prints what forget erased, or would erase: never the words themselves.
func listFound(c *call, verb string, found []log.Gone) {
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

// counted returns in words the number of places that hold a phrase, or of files.
func counted(e *forget.Eraser, found []log.Gone) string {
	return count(len(found), map[bool]string{true: "file", false: "place"}[e.Phrase == ""])
}

// lift lets memento keep a forgotten phrase again.
func lift(c *call, phrase string) (err error) {
	if phrase == "" {
		return usage("memento help forget", "--lift takes a phrase, and lifts it everywhere")
	}
	n := 0
	if !c.unborn() {
		n, err = withheld.Lift(c.config.Dir, phrase, wait)
	}
	switch {
	case err != nil:
	case n == 0:
		fmt.Fprintln(c.Out, "no phrase like this was forgotten")
	default:
		fmt.Fprintln(c.Out, "memento may keep this phrase again; what was erased stays erased")
	}
	return err
}

// purge removes the history that syncs keep on this machine, which holds what was forgotten.
func purge(c *call) error {
	repo, _ := pace.History(c.config.Dir)
	if _, err := os.Lstat(repo); err != nil {
		return nil // nobody syncs here
	}
	if err := pace.RemoveHistory(c.config.Dir, wait); err != nil {
		return hinted(cmp.Or(syncHint(err), "the same command goes on"), "the history that syncs keep here: %w", err)
	}
	return nil
}
