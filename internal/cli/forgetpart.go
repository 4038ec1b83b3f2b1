package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// part reports whether only a part is to be forgotten: a phrase, an entry, a mission.
func (c *call) part() (bool, error) {
	const hint = "memento help forget"
	f, given := c.forget, 0
	for _, one := range [...]bool{len(c.args) > 0, f.entry != 0, f.mission != 0} {
		if one {
			given++
		}
	}
	switch {
	case given > 1:
		return false, &usageError{what: "forget: a phrase, --entry and --mission exclude each other", hint: hint}
	case (f.entry > 0 || f.mission > 0) && (f.all || f.project != ""):
		return false, &usageError{what: "forget: the numbers are of this project's history", hint: hint}
	case len(c.args) > 0 && strings.TrimSpace(strings.Join(c.args, " ")) == "":
		return false, &usageError{what: "forget: the phrase is empty", hint: hint}
	}
	return given > 0, nil
}

// forgetPart erases what holds a phrase, or one entry or mission, in a project or everywhere.
func (c *call) forgetPart() error {
	if c.forget.keepRecords {
		const why = "forget: --keep-records is for a whole project; a phrase goes everywhere"
		return &usageError{what: why, hint: "memento help forget"}
	}
	e := &forget.Eraser{Dir: c.config.Dir, All: c.forget.all, Now: c.Now(), Wait: wait, Dry: true,
		Said: c.progress("looking through files")}
	what, lane, err := c.where(e)
	if err != nil {
		return err
	}
	if e.What, err = c.target(lane); err != nil {
		return err
	}
	if !c.forget.dry && !c.unborn() {
		if err := c.mayForget(); err != nil {
			return err
		}
	}
	found, err := e.Run()
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	if !c.forget.dry && !c.unborn() {
		if !c.forget.yes && len(found) > 0 {
			c.list("would erase", found)
			if ok, err := c.sure(fmt.Sprintf("these %s in %s", count(len(found), "place"), what)); err != nil || !ok {
				return err
			}
		}
		e.Dry = false
		if found, err = e.Run(); err != nil {
			hint := cmp.Or(safefile.Hint(err), "part of it is erased; the same command goes on")
			return &hintError{err: fmt.Errorf("forget: %w", err), hint: hint}
		}
	}
	return c.forgotPart(found, what, e.What)
}

// where sets whose files e is about, and says so in words; the lane is that of the folder or session, if it matters.
func (c *call) where(e *forget.Eraser) (string, project.Lane, error) {
	if c.forget.all {
		e.Chosen = func(string) bool { return true }
		e.Records = e.Chosen
		return "all projects", project.Lane{}, nil
	}
	if name := c.forget.project; name != "" {
		e.Chosen, e.Records = lanesOf(name), ownRecords(name)
		return "project " + name, project.Lane{}, nil
	}
	lane, err := c.ownLane(false)
	if err != nil {
		return "", lane, err
	}
	if lane.Slug == "" {
		e.Chosen = besides(lane.Base().Name)
		e.Records = func(p string) bool { return p == naming.User }
		return "the work outside any project", lane, nil
	}
	e.Chosen, e.Records = lanesOf(lane.Slug), ownRecords(lane.Slug)
	return "project " + lane.Slug, lane, nil
}

// besides reports whether a lane is base, or ran beside it.
func besides(base string) func(lane string) bool {
	return func(lane string) bool { return lane == base || strings.HasPrefix(lane, base+"~") }
}

// lanesOf reports whether a lane is one of this project's, with all its worktrees and instances.
func lanesOf(slug string) func(lane string) bool {
	return func(lane string) bool { return strings.HasPrefix(lane, slug+"--") || strings.HasPrefix(lane, slug+"@") }
}

// ownRecords reports whether a record's project is this one, or none: the user's own are shown in each.
func ownRecords(slug string) func(project string) bool {
	own := naming.Project(slug)
	return func(p string) bool { return p == own || p == naming.User }
}

// target is what is to be erased.
func (c *call) target(lane project.Lane) (*forget.What, error) {
	if len(c.args) > 0 {
		what, ok := forget.Phrase(strings.Join(c.args, " "))
		if !ok {
			const why = "forget: that is too short to be told from everything else"
			return nil, &usageError{what: why, hint: "memento help forget"}
		}
		return what, nil
	}
	at := &place{store: journal.Store{Lane: lane}} // as it was listed: nothing new is captured first
	n, missions := c.forget.entry, false
	if n == 0 {
		n, missions = c.forget.mission, true
	}
	lines, err := at.history(missions, false)
	if err != nil {
		return nil, err
	}
	look := "memento history"
	if missions {
		look += " --missions"
	}
	l, err := lineWith(lines, n, look)
	if err != nil {
		return nil, err
	}
	if missions {
		return forget.Mission(l), nil
	}
	return forget.Entry(l), nil
}

func (c *call) list(verb string, found []forget.Found) {
	for _, f := range found {
		where, err := filepath.Rel(c.config.Dir, f.Path)
		if err != nil {
			where = f.Path
		}
		words := f.Words
		if words == text.Ellipsis {
			words = "begins with the phrase"
		}
		if f.TS != "" {
			words = local(f.TS) + "  " + words
		}
		line := fmt.Sprintf("%s  %-9s %s: %s", verb, text.Line(f.Kind), where, words)
		fmt.Fprintln(c.Out, strings.TrimSuffix(line, ": "))
	}
}

func (c *call) forgotPart(found []forget.Found, where string, what *forget.What) error {
	left := what.Left(c.config.Dir)
	if c.json {
		c.printJSON(members{
			{"dry_run", c.forget.dry}, {"erased", array(found)}, {"count", len(found)}, {"left", array(left)},
		})
		return nil
	}
	switch {
	case len(found) == 0:
		fmt.Fprintf(c.Out, "nothing that memento keeps of %s holds it\n", where)
	case c.forget.dry:
		c.list("would erase", found)
		fmt.Fprintf(c.Out, "nothing was erased: %s would be, in %s\n", count(len(found), "place"), where)
	default:
		c.list("erased", found)
		fmt.Fprintf(c.Out, "forgotten: %s, in %s\n", count(len(found), "place"), where)
	}
	for _, f := range left {
		fmt.Fprintf(c.Out, "left: %s, where it is the name or folder of a project, or a setting: "+
			"memento forget --project NAME erases a project's files\n", f)
	}
	return nil
}
