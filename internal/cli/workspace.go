package cli

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/hook"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

func workspaceCommand() command {
	return command{
		name: "workspace", args: "[rename OLD NEW | join [DIR]]",
		short: "list the projects seen, where they are, and what is open and kept in them; rename one",
		long: `A project is known by the address of its origin, else by its folder, and keeps its name until rename gives it another
everywhere; the old name still leads to it. A new folder with the origin of a known project, and none of its commits,
has a memory of its own until join shares the project's with it, since anybody can write an origin into a folder.

  memento workspace rename shop store
  memento workspace join
  memento workspace join ~/src/shop-2
`,
		run: runWorkspace,
	}
}

func runWorkspace(c *call) error {
	form, forms := strings.Join(c.args[:min(len(c.args), 1)], ""), []string{"rename", "join"}
	switch {
	case form != "" && !slices.Contains(forms, form):
		return noForm(c, form, forms)
	case form == "rename" && len(c.args) != 3, form == "join" && len(c.args) > 2:
		return usage("memento help workspace", "%s takes other arguments, got %d", form, len(c.args)-1)
	case form == "rename":
		return renameProject(c, c.args[1], c.args[2])
	case form == "join":
		return joinProject(c, strings.Join(c.args[1:], ""))
	}
	if err := c.load(); err != nil {
		return err
	}
	m, err := surveyProjects(c.folder, c.Now())
	if err != nil {
		return err
	}
	if len(m.known) == 0 {
		if err := doctor.Damaged(filepath.Join(c.config.Dir, "workspace.json")); err != nil {
			fmt.Fprintf(c.Err, "memento: %s: no project is known by its name\nmemento: hint: memento doctor\n",
				text.Line(worded(err)))
		}
		fmt.Fprintln(c.Out, "No project was seen yet: the first session, save or import in one notes it.")
	}
	for _, note := range []string{c.former(), c.apart()} {
		if note != "" {
			fmt.Fprintf(c.Out, "%s\n\n", note)
		}
	}
	for _, k := range m.known {
		m.printProject(c, k)
	}
	for _, name := range slices.Sorted(maps.Keys(m.lost)) {
		fmt.Fprintln(c.Out, c.screen.Strong(text.Line(name)))
		c.rowIn("  ", "gone", fmt.Sprintf("no folder of it is known: memento forget --project %s erases its %s",
			safefile.ShellWord(text.Line(name)), count(m.lost[name], "record")))
	}
	if len(m.initiatives) > 0 {
		fmt.Fprintln(c.Out, "\nInitiatives")
	}
	for _, r := range m.initiatives {
		line := fmt.Sprintf("%-9s%s", text.Line(cmp.Or(r.Stage, "open")), text.Line(r.Title))
		if names := initiativeProjects(r); len(names) > 0 {
			line += " (" + text.Line(strings.Join(names, ", ")) + ")"
		}
		fmt.Fprintf(c.Out, "  %s · %s\n", line, r.ID)
	}
	return nil
}

// survey is what memento workspace shows.
type survey struct {
	known       []project.Known // the one used last first
	open        map[string][]journal.Left
	kinds       map[string]map[string]int // the number of active records, by project and kind
	initiatives []*record.Record
	lost        map[string]int // the number of records, by project of which no folder is known
}

// surveyProjects reads the projects, their open missions and their records.
func surveyProjects(f *folder, now time.Time) (m survey, err error) {
	w := f.workspace()
	m = survey{known: slices.Clone(w.Known), kinds: map[string]map[string]int{}}
	slices.SortStableFunc(m.known, func(a, b project.Known) int { return b.Last.Compare(a.Last) })
	m.open, err = journal.OpenMissions(f.config, now)
	if err = cmp.Or(w.Err, err); err != nil {
		return m, err
	}
	all, _, err := f.records().List(record.Filter{})
	for _, r := range all {
		if r.Kind == "initiative" {
			m.initiatives = append(m.initiatives, r)
		}
		if m.kinds[r.Project] == nil {
			m.kinds[r.Project] = map[string]int{}
		}
		m.kinds[r.Project][r.Kind]++
	}
	if err != nil {
		return m, err
	}
	m.lost, err = f.records().Projects()
	delete(m.lost, naming.User)
	delete(m.lost, w.Slug(f.here()))
	for _, k := range m.known {
		for _, name := range append(k.Called, k.Slug) {
			delete(m.lost, name)
		}
	}
	return m, err
}

// initiativeProjects returns the projects that an initiative names.
func initiativeProjects(initiative *record.Record) []string {
	words, _ := markdown.Text(initiative.Body, "Projects")
	return markdown.Items(words)
}

func (m survey) printProject(c *call, k project.Known) {
	row := func(name, words string) { c.rowIn("  ", name, words) }
	kind, where, _ := strings.Cut(k.ID, ":")
	switch kind {
	case "dir":
		where = "none: it is known by its folder"
	case "folder": // of another machine, as a hash
		where = "none: another machine knows it by its folder"
	}
	fmt.Fprintln(c.Out, c.screen.Strong(k.Slug))
	row("origin", text.Line(where))
	used := block.Age(c.Now().Sub(k.Last))
	if c.screen.Wide == 0 {
		used = k.Last.UTC().Format(time.DateOnly) + ", " + used
	}
	row("used", used)
	for i, r := range k.Roots {
		row(map[bool]string{true: "folders"}[i == 0], c.path(r))
	}
	if called := k.Called; len(called) > 0 {
		row("was", text.Line(strings.Join(called, ", ")))
	}
	total, kinds := 0, m.kinds[k.Slug]
	for _, n := range kinds {
		total += n
	}
	if total > 0 {
		row("records", fmt.Sprintf("%d: %s", total, kindCounts(kinds)))
		if len(k.Roots) > 0 && !c.workspace().Stands(k, c.home()) { // or on a disk that is not mounted
			row("gone", "no folder of it is there: memento forget --project "+k.Slug+" erases it")
		}
	}
	for _, o := range m.open[k.Slug] {
		row("open", text.Line(o.Mission)+" ("+o.Lane.Name+")")
	}
}

// former returns the note that this folder's project has records under an older name, "" if it has none.
func (f *folder) former() string {
	was, ok := f.workspace().Former(f.here())
	if !ok {
		return ""
	}
	all, err := f.records().Projects()
	if n := all[was.From]; err == nil && n > 0 {
		return hook.Renamed(was, n)
	}
	return ""
}

// apart returns the note that this folder could join a known project, whose origin it has and whose folders do not
// include it; "" if it could not.
func (f *folder) apart() string {
	if all := f.workspace().Claimed(f.here()); all != nil {
		return hook.Apart(all[0])
	}
	return ""
}
