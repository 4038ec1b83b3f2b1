package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
)

type forgetFlags struct {
	all, yes, dry, lift bool
	project             string
}

func forgetCommand() command {
	f := &forgetFlags{}
	return command{
		name: "forget", args: "[PHRASE]", apart: "all project", alone: "lift", short: "erase a phrase, or all of this project, for good",
		long: `With a PHRASE it erases everything in the project that holds the PHRASE, whatever the case, spacing and quote marks; of
the project's records and your own each paragraph, item and tag, and the whole record if its title holds it. Without a
PHRASE it erases all that memento keeps of the project, in all its worktrees. It asks first; away
from a terminal it needs --yes. Nothing brings back what is forgotten, and a forgotten PHRASE stays out also when it is
typed anew, until --lift.

  memento forget "the launch date" --dry-run
  memento forget --lift "the launch date"
  memento forget --project myapp
`,
		flags: func(fs *flag.FlagSet, _ *call) {
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
	if err := f.check(c.args); err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	if f.project != "" {
		kept, err := forget.Whole{Dir: c.config.Dir, Chosen: lanesOf(f.project), Past: is(f.project)}.Files()
		if err != nil {
			return err
		}
		if len(kept) == 0 { // else the project is there, even if the list of projects has lost it
			if err := knownProject(c, f.project); err != nil {
				return err
			}
		}
	}
	if f.lift {
		return lift(c)
	}
	part := len(c.args) > 0
	r, err := reachOf(c, f, part)
	if err != nil {
		return err
	}
	if part {
		return forgetPart(c, f, r)
	}
	return forgetWhole(c, f, r)
}

// check refuses calls that make no sense.
func (f *forgetFlags) check(args []string) error {
	const hint = "memento help forget"
	switch {
	case f.lift && len(args) == 0:
		return usage(hint, "--lift takes a phrase, and lifts it everywhere")
	case len(args) > 0 && strings.TrimSpace(strings.Join(args, " ")) == "":
		return usage(hint, "the phrase is empty")
	}
	return nil
}

// reach is what forget looks through: everything, a project with all its worktrees and instances, or what was done
// outside any project.
type reach struct {
	words   string // for a person
	slug    string // of the project, "" for all and outside any project
	lanes   func(lane string) bool
	records func(project string) bool // nil for none
	past    func(slug string) bool
}

// reachOf returns what the flags choose. A part of what memento keeps is erased in the user's own records, too.
func reachOf(c *call, f *forgetFlags, part bool) (r reach, err error) {
	if f.all {
		all := func(string) bool { return true }
		return reach{words: "all projects", lanes: all, records: all, past: all}, nil
	}
	r.slug = f.project
	if r.slug == "" {
		lane, err := c.ownLane(false)
		if err != nil {
			return r, err
		}
		if r.slug = lane.Slug; r.slug == "" {
			r.words, r.lanes = "the work outside any project", besides(lane.Base().Name)
			if part { // the user's own records go whole only with --all
				r.records, r.past = is(naming.User), is("")
			}
			return r, nil
		}
	}
	r.words, r.lanes, r.past = "project "+r.slug, lanesOf(r.slug), is(r.slug)
	r.records = func(p string) bool { return p == naming.Project(r.slug) || part && p == naming.User }
	return r, nil
}

// is returns a function that reports whether a string is s.
func is(s string) func(string) bool { return func(other string) bool { return other == s } }

// besides returns a function that reports whether a lane is base, or a lane beside it.
func besides(base string) func(lane string) bool {
	return func(lane string) bool { return lane == base || strings.HasPrefix(lane, base+"~") }
}

// lanesOf returns a function that reports whether a lane belongs to this project, in any worktree and instance.
func lanesOf(slug string) func(lane string) bool {
	return func(lane string) bool { return strings.HasPrefix(lane, slug+"--") || strings.HasPrefix(lane, slug+"@") }
}

// How forget asks, and what it says after a no.
const (
	forgetHint = "add --yes if it is meant; --dry-run only lists what would go"
	keptAll    = "Nothing was erased."
)

// forgetWhole erases everything that memento keeps of r.
func forgetWhole(c *call, f *forgetFlags, r reach) error {
	w := forget.Whole{Dir: c.config.Dir, All: f.all, Now: c.Now(), Wait: wait, Chosen: r.lanes, Records: r.records,
		Past: r.past}
	var files []string
	var err error
	if !c.unborn() {
		if files, err = w.Files(); err != nil {
			return err
		}
	}
	sessions := 0
	if !f.dry && !c.unborn() {
		if err := c.mayDestroy(f.yes, forgetHint); err != nil {
			return err
		}
		what := map[bool]string{true: "everything memento keeps", false: "what memento keeps of " + r.words}[f.all]
		if err := c.confirm(f.yes, fmt.Sprintf("Erase %s (%s) for good?", what, counted(files)), keptAll); err != nil {
			return err
		}
		if files, sessions, err = w.Run(); err != nil {
			return err
		}
	}
	verb := "erased"
	last := fmt.Sprintf("forgotten: %s, the memory of %s", counted(files), count(sessions, "session"))
	if f.dry {
		verb, last = "would erase", "nothing was erased: "+counted(files)+" would be"
	}
	for _, file := range files {
		fmt.Fprintf(c.Out, "%s %s\n", verb, file)
	}
	fmt.Fprintln(c.Out, last)
	if f.dry {
		return nil
	}
	return purge(c, f.all)
}

// counted returns the number of files, and of records among them, in words.
func counted(files []string) string {
	said, records := count(len(files), "file"), 0
	for _, f := range files {
		if _, _, ok := naming.OfFile(filepath.Base(f)); ok {
			records++
		}
	}
	if records > 0 {
		said += " with " + count(records, "record")
	}
	return said
}

// purge erases what was forgotten from the history that syncs keep on this machine. memento-sync does that; without it,
// or if everything is forgotten, that history goes whole. It may run memento-sync in place of this process, so it comes
// last.
func purge(c *call, whole bool) error {
	repo, _ := pace.History(c.config.Dir)
	if _, err := os.Lstat(repo); err != nil {
		return nil
	}
	if !whole && c.RunCompanion != nil {
		if code, err := c.RunCompanion([]string{"sync", "--purge"}); err == nil {
			if code != 0 {
				return errSilent
			}
			return nil
		}
	}
	if err := pace.RemoveHistory(c.config.Dir, wait); err != nil {
		return hinted("the same command goes on", "the history that syncs keep here: %w", err)
	}
	return nil
}
