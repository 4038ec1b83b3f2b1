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
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

// part reports whether forget erases only a part: a phrase, an entry or a mission. Errors: *usageError for two of them.
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
		return false, usage(hint, "forget: a phrase, --entry and --mission exclude each other")
	case (f.entry > 0 || f.mission > 0) && (f.all || f.project != ""):
		return false, usage(hint, "forget: the numbers are of this project's history")
	case f.lift && (len(c.args) == 0 || f.all || f.project != "" || f.dry || f.keepRecords):
		return false, usage(hint, "forget: --lift takes a phrase, and lifts it everywhere")
	case len(c.args) > 0 && strings.TrimSpace(strings.Join(c.args, " ")) == "":
		return false, usage(hint, "forget: the phrase is empty")
	}
	return given > 0, nil
}

// forgetPart erases a phrase, an entry or a mission, in a project or everywhere.
func (c *call) forgetPart() error {
	if c.forget.keepRecords {
		return usage("memento help forget",
			"forget: --keep-records is for a whole project; a phrase goes everywhere")
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
	carried := c.inRepositories(e)
	erases := !c.forget.dry && !c.unborn()
	if erases {
		if err := c.mayForget(); err != nil {
			return err
		}
	}
	found, err := e.Run()
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	if erases {
		if !c.forget.yes && len(found) > 0 {
			c.list("would erase", found)
			if err := c.confirm(fmt.Sprintf("%s in %s", count(len(found), "place"), what)); err != nil {
				return err
			}
		}
		if e.Travel, err = c.travel(cmp.Or(c.forget.project, lane.Slug), true); err != nil {
			return err
		}
		e.Dry = false
		if found, err = e.Run(); err != nil {
			hint := cmp.Or(safefile.Hint(err), "part of it is erased; the same command goes on")
			return &hintError{err: fmt.Errorf("forget: %w", err), hint: hint}
		}
	}
	c.forgotPart(found, what, e.What, carried)
	if !erases {
		return nil
	}
	return c.purge(false)
}

// inRepositories returns, in words for a person, the files with the words in the repositories of the chosen projects.
// memento does not touch them.
func (c *call) inRepositories(e *forget.Eraser) (out []string) {
	for _, k := range c.workspace().Known {
		name := naming.Project(k.Slug)
		if e.Records == nil || !e.Records(name) {
			continue
		}
		for _, root := range k.Roots {
			p := shared.Repository{Root: root, Project: name, Store: c.records(), Now: c.Now(), Wait: wait}
			if !p.Exists() {
				continue
			}
			paths, others := p.Holding(func(words string) bool { return e.What.Loose([]byte(words)) })
			where := ""
			if root != c.here().Root {
				where = " in " + text.Line(root)
			}
			for _, path := range paths {
				out = append(out, path+where)
			}
			if others > 0 {
				out = append(out, count(others, "file")+" of "+shared.Folder+where)
			}
		}
	}
	return out
}

// where chooses the files that e looks through, and returns the choice in words. The lane is that of this folder or
// session, empty for another project and for all.
func (c *call) where(e *forget.Eraser) (string, project.Lane, error) {
	if c.forget.all {
		e.Chosen = func(string) bool { return true }
		e.Records, e.Past = e.Chosen, e.Chosen
		return "all projects", project.Lane{}, nil
	}
	if name := c.forget.project; name != "" {
		e.Chosen, e.Records, e.Past = lanesOf(name), ownRecords(name), is(name)
		return "project " + name, project.Lane{}, nil
	}
	lane, err := c.ownLane(false)
	if err != nil {
		return "", lane, err
	}
	e.Past = is(lane.Slug)
	if lane.Slug == "" {
		e.Chosen = besides(lane.Base().Name)
		e.Records = func(p string) bool { return p == naming.User }
		return "the work outside any project", lane, nil
	}
	e.Chosen, e.Records = lanesOf(lane.Slug), ownRecords(lane.Slug)
	return "project " + lane.Slug, lane, nil
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

// ownRecords returns a function that reports whether a record belongs to this project or to the user.
func ownRecords(slug string) func(project string) bool {
	return func(p string) bool { return p == naming.Project(slug) || p == naming.User }
}

// target is the phrase, entry or mission to erase.
func (c *call) target(lane project.Lane) (*forget.What, error) {
	if len(c.args) > 0 {
		what, ok := forget.Phrase(strings.Join(c.args, " "))
		if !ok {
			return nil, usage("memento help forget", "forget: that is too short to be told from everything else")
		}
		return what, nil
	}
	at := &place{store: journal.Store{Lane: lane}} // captures nothing first, so that the numbers stay
	n, thing, look, whatOf := c.forget.entry, "entry", "memento show --history", forget.Entry
	if n == 0 {
		n, thing, look, whatOf = c.forget.mission, "mission", "memento show --missions", forget.Mission
	}
	lines, err := at.history(thing == "mission", false)
	if err != nil {
		return nil, err
	}
	l, err := lineWith(lines, n, thing, look)
	if err != nil {
		return nil, err
	}
	return whatOf(l), nil
}

// list prints what forget erased, or would erase: never the words themselves.
func (c *call) list(verb string, found []forget.Found) {
	var kinds []string
	for _, f := range found {
		kinds = append(kinds, text.Line(f.Kind))
	}
	wide := widest(kinds)
	for i, f := range found {
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
		line := fmt.Sprintf("%s  %s  %s: %s", verb, pad(kinds[i], wide), where, words)
		fmt.Fprintln(c.Out, strings.TrimSuffix(line, ": "))
	}
}

// forgotPart prints what was found. carried are files in repositories, in words.
func (c *call) forgotPart(found []forget.Found, where string, what *forget.What, carried []string) {
	left := what.Left(c.config.Dir)
	if c.json {
		answer := members{
			{"dry_run", c.forget.dry}, {"erased", array(found)}, {"count", len(found)}, {"left", array(left)},
		}
		if carried != nil {
			answer = append(answer, member{"in_repositories", carried})
		}
		c.printJSON(answer)
		return
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
	for _, f := range carried {
		fmt.Fprintf(c.Out,
			"left: %s, which the repository carries: edit it and commit; git keeps the versions before\n", f)
	}
}
