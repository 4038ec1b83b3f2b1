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
	"github.com/mementohq/memento/internal/safefile"
)

type forgetFlags struct {
	all, yes, dry  bool
	keepRecords    bool
	lift           bool
	project        string
	entry, mission int
}

func forgetCommand() command {
	return command{
		name: "forget", json: true, args: "[PHRASE]", short: "erase a phrase, an entry, a mission or all of this project for good",
		long: `With a PHRASE it erases everything in the project that holds the PHRASE, whatever the case, spacing and
quote marks: what was typed, entries, missions, the plan and suggestions; of the project's records and
your own each paragraph, item and tag, and the whole record if its title holds it. Each listed line ends
where the PHRASE begins. Without a PHRASE it erases the project's journal, history, turns, rules, session
memory and records. The records stay with --keep-records, and in a linked worktree, which shares them with others.
It asks first; away from a terminal it needs --yes. Nothing brings back what is forgotten, and memento
does not capture it again from a transcript. Synced stores erase a forgotten PHRASE wherever it comes up
again, also when it is typed anew, until --lift.

  memento forget "the launch date" --dry-run
  memento forget --keep-records
  memento forget --entry 193027
  memento forget
  memento forget --project myapp
  memento forget --all
  memento forget --lift "the launch date"
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.forget.dry, "dry-run", false, "only list what it would erase")
			ordinal(fs, &c.forget.entry, "entry", "the entry with this `N` in memento show --history")
			ordinal(fs, &c.forget.mission, "mission", "the mission with this `N` in memento show --missions")
			fs.BoolVar(&c.forget.all, "all", false, "everything memento keeps, of all projects and your own")
			fs.BoolVar(&c.forget.lift, "lift", false, "let memento keep this PHRASE again; erases nothing")
			fs.BoolVar(&c.forget.yes, "yes", false, "do not ask")
			fs.BoolVar(&c.forget.keepRecords, "keep-records", false, "leave the records")
			nameFlag(fs, &c.forget.project, "project", "the project with this `NAME` instead of the folder's")
		},
		run: runForget,
	}
}

func runForget(c *call) error {
	part, err := c.part()
	if err != nil {
		return err
	}
	if c.forget.all && c.forget.project != "" {
		return usage("memento help forget", "forget: --all and --project exclude each other")
	}
	if err := c.load(); err != nil {
		return err
	}
	if name := c.forget.project; name != "" {
		kept, err := forget.Whole{Dir: c.config.Dir, Chosen: lanesOf(name), Past: is(name)}.Files()
		if err != nil {
			return fmt.Errorf("forget: %w", err)
		}
		if len(kept) == 0 { // else the project is there, even if the list of projects has lost it
			if err := knownProject(c, name); err != nil {
				return err
			}
		}
	}
	if c.forget.lift {
		return c.lift()
	}
	if part {
		return c.forgetPart()
	}
	if c.unborn() {
		return c.forgot(nil, 0, erasePlan{})
	}
	m, err := c.chosen()
	if err != nil {
		return err
	}
	files, err := m.Files()
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	if c.forget.dry {
		return c.forgot(files, 0, m)
	}
	if err := c.mayForget(); err != nil {
		return err
	}
	if err := c.confirm(fmt.Sprintf("%s (%s)", m.what, counted(files))); err != nil {
		return err
	}
	if m.Travel, err = c.travel(m.slug, false); err != nil {
		return err
	}
	files, sessions, err := m.Run()
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	return c.forgot(files, sessions, m)
}

// erasePlan is what forget erases: everything, a project with all its worktrees and instances, or the lane of this
// folder or session with the lanes beside it.
type erasePlan struct {
	forget.Whole
	what   string // for the question
	slug   string // of the project, "" for all and outside any project
	shared string // the project whose records stay, since its other worktrees have them, too
}

func (c *call) chosen() (m erasePlan, err error) {
	m.Whole = forget.Whole{Dir: c.config.Dir, All: c.forget.all, Now: c.Now(), Wait: wait}
	ofProject := func(slug string) func(string) bool {
		return func(project string) bool { return project == naming.Project(slug) }
	}
	switch name := c.forget.project; {
	case c.forget.all:
		m.what = "everything memento keeps"
		m.Chosen = func(string) bool { return true }
		m.Records, m.Past = m.Chosen, m.Chosen
	case name != "":
		m.what, m.slug = "what memento keeps of project "+name, name
		m.Chosen, m.Records, m.Past = lanesOf(name), ofProject(name), is(name)
	default:
		lane, err := c.ownLane(false)
		if err != nil {
			return m, err
		}
		base := lane.Base().Name
		m.slug = lane.Slug
		m.what = "what memento keeps of " + base
		m.Chosen = besides(base)
		switch {
		case strings.HasPrefix(base, lane.Slug+"@"):
			m.shared = lane.Slug
		case lane.Slug != "": // outside any project the records are the user's own, which only --all erases
			m.Records, m.Past = ofProject(lane.Slug), is(lane.Slug)
		}
	}
	if c.forget.keepRecords {
		m.Records = nil
	}
	return m, nil
}

// counted returns the number of files, and of records among them, in words.
func counted(files []string) string {
	said := count(len(files), "file")
	if n := recordsIn(files); n > 0 {
		said += " with " + count(n, "record")
	}
	return said
}

func recordsIn(files []string) (n int) {
	for _, f := range files {
		if _, _, ok := naming.OfFile(filepath.Base(f)); ok {
			n++
		}
	}
	return n
}

// mayForget is mayDestroy with the hint of forget.
func (c *call) mayForget() error {
	return c.mayDestroy(c.forget.yes, "add --yes if it is meant; --dry-run only lists what would go")
}

// confirm asks the person, unless --yes has answered. Errors: errSilent for a no.
func (c *call) confirm(what string) error {
	if c.forget.yes || c.agreed("Erase "+what+" for good?") {
		return nil
	}
	fmt.Fprintln(c.Err, "Nothing was erased.")
	return errSilent
}

func (c *call) forgot(files []string, sessions int, m erasePlan) error {
	c.sayForgot(files, sessions, m)
	if c.forget.dry {
		return nil
	}
	return c.purge(c.forget.all)
}

// sayForgot prints what went.
func (c *call) sayForgot(files []string, sessions int, m erasePlan) {
	if c.json {
		c.printJSON(struct {
			Erased   []string `json:"erased"`
			Records  int      `json:"records"`
			Sessions int      `json:"sessions"`
			Dry      bool     `json:"dry_run,omitempty"`
		}{array(files), recordsIn(files), sessions, c.forget.dry})
		return
	}
	verb := "erased"
	last := fmt.Sprintf("forgotten: %s, the memory of %s", counted(files), count(sessions, "session"))
	if c.forget.dry {
		verb, last = "would erase", "nothing was erased: "+counted(files)+" would be"
	}
	for _, f := range files {
		fmt.Fprintf(c.Out, "%s %s\n", verb, f)
	}
	fmt.Fprintln(c.Out, last)
	if m.shared != "" {
		fmt.Fprintf(c.Out, "left: the records of project %s, which its other worktrees have too: "+
			"memento forget --project %s erases all of it\n", m.shared, safefile.ShellWord(m.shared))
	}
}

// purge erases what was forgotten from the history that syncs keep on this machine. memento-sync does that; without it,
// or if everything is forgotten, that history goes whole. It may run memento-sync in place of this process, so it comes
// last.
func (c *call) purge(whole bool) error {
	if repo, _ := pace.History(c.config.Dir); !exists(repo) {
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
		return hinted("the same command goes on", "forget: the history that syncs keep here: %w", err)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
