package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

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
		name: "workspace", args: "[rename OLD NEW | join [DIR]]", forms: "rename join",
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
	form := strings.Join(c.args[:min(len(c.args), 1)], "")
	switch {
	case form == "rename" && len(c.args) != 3:
		return usage("memento help workspace", "rename takes OLD and NEW")
	case form == "join" && len(c.args) > 2:
		return usage("memento help workspace", "join takes one folder")
	case form == "rename":
		return renameProject(c, c.args[1], c.args[2])
	case form == "join":
		return joinProject(c, strings.Join(c.args[1:], ""))
	}
	return listProjects(c)
}

// listProjects prints the projects, the one used last first: where they are, and what is open and kept in them. Then it
// prints the projects that only records name, and the initiatives.
func listProjects(c *call) error {
	w := c.workspace()
	open, err := journal.OpenMissions(c.config, c.Now())
	if err = cmp.Or(w.Err, err); err != nil {
		return err
	}
	all, _, err := c.records().List(record.Filter{})
	if err != nil {
		return err
	}
	lost, err := c.records().Projects()
	if err != nil {
		return err
	}
	if len(w.Known) == 0 {
		if w.Bad != nil {
			fmt.Fprintf(c.Err, "memento: workspace.json: %s: no project is known by its name\n"+
				"memento: hint: memento doctor\n", text.Line(text.Reason(w.Bad)))
		}
		fmt.Fprintln(c.Out, "No project was seen yet: the first session, save or import in one notes it.")
	}
	if note := c.apart(); note != "" {
		fmt.Fprintf(c.Out, "%s\n\n", note)
	}
	delete(lost, naming.User)
	delete(lost, w.Slug(c.here()))
	for _, k := range slices.SortedStableFunc(slices.Values(w.Known), func(a, b project.Known) int {
		return b.Last.Compare(a.Last)
	}) {
		kinds := map[string]int{}
		for _, r := range all {
			if r.Project == k.Slug {
				kinds[r.Kind]++
			}
		}
		printProject(c, k, kinds, open[k.Slug])
		for _, name := range append(k.Called, k.Slug) {
			delete(lost, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lost)) {
		fmt.Fprintln(c.Out, c.screen.Strong(text.Line(name)))
		c.rowIn("  ", "gone", fmt.Sprintf("no folder of it is known: memento forget --project %s erases its %s",
			safefile.ShellWord(text.Line(name)), count(lost[name], "record")))
	}
	heading := "\nInitiatives\n"
	for _, r := range all {
		if r.Kind != "initiative" {
			continue
		}
		words, _ := markdown.Text(r.Body, "Projects")
		names := text.Line(strings.Join(markdown.Items(words), ", "))
		if names != "" {
			names = " (" + names + ")"
		}
		fmt.Fprintf(c.Out, "%s  %-9s%s%s · %s\n", heading, text.Line(cmp.Or(r.Stage, "open")), text.Line(r.Title), names,
			r.ID)
		heading = ""
	}
	return nil
}

// printProject prints a project with the numbers of its active records by kind, and its open missions.
func printProject(c *call, k project.Known, kinds map[string]int, open []journal.Left) {
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
	row("used", c.when(k.Last))
	for i, r := range k.Roots {
		row(map[bool]string{true: "folders"}[i == 0], c.path(r))
	}
	row("was", text.Line(strings.Join(k.Called, ", ")))
	if row("records", kindCounts(kinds)); len(kinds) > 0 {
		if len(k.Roots) > 0 && !c.workspace().Stands(k, c.home()) { // or on a disk that is not mounted
			row("gone", "no folder of it is there: memento forget --project "+k.Slug+" erases it")
		}
	}
	for _, o := range open {
		row("open", text.Line(o.Mission)+" ("+o.Lane.Name+")")
	}
}

// apart returns the note that this folder could join a known project, whose origin it has and whose folders do not
// include it; "" if it could not.
func (f *folder) apart() string {
	if all := f.workspace().Claimed(f.here()); all != nil {
		return hook.Apart(all[0])
	}
	return ""
}
