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
	"github.com/mementohq/memento/internal/hook"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/text"
)

// survey is what memento workspace shows.
type survey struct {
	project.Workspace
	now         time.Time
	here        string // the slug of this folder's project, "" for none
	former      string // the note that records of this project have an older name
	apart       string // the note that this folder could join another project
	apartFrom   string // the slug of that project
	open        map[string][]journal.OpenMission
	kinds       map[string]map[string]int // the number of active records, by project and kind
	initiatives []*record.Record
}

// survey reads the projects, their open missions and their records.
func (c *call) survey() (m survey, err error) {
	m = survey{Workspace: c.workspace(), now: c.Now(), kinds: map[string]map[string]int{}}
	if m.Err != nil {
		return m, fmt.Errorf("workspace: %w", m.Err)
	}
	if m.open, err = journal.OpenMissions(c.config, m.now); err != nil {
		return m, fmt.Errorf("workspace: %w", err)
	}
	store := c.records()
	all, _, err := store.List(record.Filter{})
	if err != nil {
		return m, fmt.Errorf("workspace: %w", err)
	}
	for _, r := range all {
		if r.Kind == "initiative" {
			m.initiatives = append(m.initiatives, r)
		}
		if m.kinds[r.Project] == nil {
			m.kinds[r.Project] = map[string]int{}
		}
		m.kinds[r.Project][r.Kind]++
	}
	at, err := c.shelf()
	if err != nil {
		return m, err
	}
	if k, ok := m.Named(at.lane.Slug); ok {
		m.here = k.Slug
	}
	m.former, m.apart, m.apartFrom = c.former(), c.apart(), c.apartFrom()
	return m, nil
}

// former returns the note that this folder's project has records under an older name, "" if it has none.
func (c *call) former() string {
	w := c.workspace()
	f, ok := w.Former(c.here(), c.home())
	if !ok {
		return ""
	}
	all, err := c.records().Projects()
	if n := all[naming.Project(f.Was)]; err == nil && n > 0 {
		return hook.Renamed(f, n)
	}
	return ""
}

// list prints all projects, the one used last first, and the initiatives.
func (m survey) list(c *call) {
	known := slices.Clone(m.Known)
	slices.SortStableFunc(known, func(a, b project.Known) int { return b.Last.Compare(a.Last) })
	if len(known) == 0 {
		c.warn(filepath.Join(c.config.Dir, "workspace.json"), "no project is known by its name")
	}
	if c.json {
		m.listJSON(c, known)
		return
	}
	if len(known) == 0 {
		fmt.Fprintln(c.Out, "No project was seen yet: the first session, save or import in one notes it.")
	}
	for _, note := range []string{m.former, m.apart} {
		if note != "" {
			fmt.Fprintf(c.Out, "%s\n\n", note)
		}
	}
	m.printHere(c)
	for _, k := range known {
		m.print(c, k, false)
	}
	if len(m.initiatives) > 0 {
		fmt.Fprintln(c.Out, "\nInitiatives")
		m.printInitiatives(c)
	}
}

func (m survey) listJSON(c *call, known []project.Known) {
	projects := []members{}
	for _, k := range known {
		projects = append(projects, m.json(k))
	}
	answer := members{{"projects", projects}}
	if len(known)+len(m.initiatives) > 0 {
		answer = append(answer, member{"here", m.here}, member{"renamed", m.former},
			member{"apart_from", m.apartFrom}, member{"initiatives", m.initiativesJSON()})
	}
	c.printJSON(answer)
}

// printHere prints the relations of this folder's project and the initiatives that name it.
func (m survey) printHere(c *call) {
	if m.here == "" {
		return
	}
	var lines []string
	for _, r := range m.related(m.here) {
		line := r.words
		if k, ok := m.Named(r.other); ok && k.Detail("about") != "" {
			line += ": " + text.Line(k.Detail("about"))
		}
		lines = append(lines, line)
	}
	for _, r := range m.initiatives {
		if m.concerns(r, m.here) {
			lines = append(lines, initiativeLine(r))
		}
	}
	if lines != nil {
		fmt.Fprintf(c.Out, "Here, in %s\n  %s\n\n", m.here, strings.Join(lines, "\n  "))
	}
}

// print prints one project. If whole is true, it adds the details that the list leaves out.
func (m survey) print(c *call, k project.Known, whole bool) {
	row := func(name, words string) { c.rowIn("  ", name, words) }
	kind, where, _ := strings.Cut(k.ID, ":")
	switch kind {
	case "dir":
		where = "none: it is known by its folder"
	case "folder": // of another machine, as a hash
		where = "none: another machine knows it by its folder"
	}
	fmt.Fprintln(c.Out, c.screen.Strong(k.Slug))
	var traits []string
	for _, key := range []string{"type", "status", "role"} {
		if words := k.Detail(key); words != "" {
			traits = append(traits, text.Line(words))
		}
	}
	switch about := text.Line(k.Detail("about")); {
	case about != "" && traits != nil:
		row("about", about+" ("+strings.Join(traits, ", ")+")")
	case about != "" || traits != nil:
		row("about", about+strings.Join(traits, ", "))
	}
	row("origin", text.Line(where))
	if age := block.Age(m.now.Sub(k.Last)); c.screen.Wide > 0 {
		row("used", age)
	} else {
		row("used", k.Last.UTC().Format(time.DateOnly)+", "+age)
	}
	for i, r := range k.Roots {
		name := ""
		if i == 0 {
			name = "folders"
		}
		row(name, c.path(r))
	}
	if called := k.Called(); len(called) > 0 {
		row("was", text.Line(strings.Join(called, ", ")))
	}
	if words := m.records(k); words != "" {
		row("records", words)
	}
	for _, r := range m.related(k.Slug) {
		row("stands", r.words)
	}
	for _, o := range m.open[k.Slug] {
		row("open", text.Line(o.Mission)+" ("+o.Lane.Name+")")
	}
	if !whole {
		return
	}
	for _, key := range []string{"stack", "notes"} {
		if words := k.Detail(key); words != "" {
			row(key, text.Line(words))
		}
	}
	for _, r := range m.initiatives {
		if m.concerns(r, k.Slug) {
			row("part of", initiativeLine(r))
		}
	}
}

// records counts the active records of a project by kind, in words.
func (m survey) records(k project.Known) string {
	kinds := m.kinds[naming.Project(k.Slug)]
	total := 0
	var out []string
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		total += kinds[name]
		out = append(out, fmt.Sprintf("%d %s", kinds[name], text.Line(name)))
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%d: %s", total, strings.Join(out, ", "))
}

// relative is another project, and its relation to the project in question.
type relative struct{ other, words string }

// related lists the relations of a project.
func (m survey) related(slug string) (out []relative) {
	for _, r := range m.Relations() {
		switch {
		case r.From == slug:
			out = append(out, relative{r.To, text.Line(r.Kind + " " + r.To)})
		case r.To == slug && r.Kind == "related":
			out = append(out, relative{r.From, text.Line("related " + r.From)})
		case r.To == slug:
			words := map[string]string{
				"depends-on": "depends on", "fork-of": "is a fork of", "upstream-of": "is upstream of",
			}[r.Kind]
			out = append(out, relative{r.From, text.Line(r.From + " " + cmp.Or(words, "is "+r.Kind) + " it")})
		}
	}
	return out
}

// concerns reports whether an initiative names the project.
func (m survey) concerns(r *record.Record, slug string) bool {
	words, _ := markdown.Text(r.Body, "Projects")
	return slices.ContainsFunc(markdown.Items(words), func(item string) bool {
		name := strings.Trim(strings.ToLower(item), " `*")
		name, _, _ = strings.Cut(name, " ")
		k, ok := m.Named(strings.TrimRight(name, ":,"))
		return ok && k.Slug == slug
	})
}

// initiativeLine describes an initiative on one line.
func initiativeLine(r *record.Record) string {
	line := fmt.Sprintf("%-9s%s", text.Line(cmp.Or(r.Stage, "open")), text.Line(r.Title))
	if words, _ := markdown.Text(r.Body, "Projects"); words != "" {
		line += " (" + text.Line(strings.Join(markdown.Items(words), ", ")) + ")"
	}
	return line + " · " + r.ID
}

func (m survey) printInitiatives(c *call) {
	for _, r := range m.initiatives {
		fmt.Fprintf(c.Out, "  %s\n", initiativeLine(r))
		if words, _ := markdown.Text(r.Body, "Progress"); words != "" {
			words, _ = text.Cut(text.Line(words), 160)
			fmt.Fprintf(c.Out, "           %s\n", words)
		}
	}
}

// initiativesJSON returns the initiatives for a JSON answer. state is the old name of stage.
func (m survey) initiativesJSON() []members {
	out := []members{}
	for _, r := range m.initiatives {
		section := func(heading string) string {
			words, _ := markdown.Text(r.Body, heading)
			return words
		}
		items := func(heading string) []string { return array(markdown.Items(section(heading))) }
		out = append(out, members{
			{"id", r.ID}, {"title", r.Title}, {"stage", r.Stage}, {"state", r.Stage}, {"goal", section("Goal")},
			{"projects", items("Projects")}, {"relations", items("Relations")}, {"progress", section("Progress")},
			{"next_steps", items("Next Steps")}, {"updated", r.Updated.UTC().Format(time.RFC3339)},
		})
	}
	return out
}

// json returns one project for a JSON answer.
func (m survey) json(k project.Known) members {
	open := []members{}
	for _, o := range m.open[k.Slug] {
		open = append(open, members{{"path", o.Lane.Journal()}, {"mission", o.Mission}})
	}
	relations := []project.Relation{}
	for _, r := range m.Relations() {
		if r.From == k.Slug || r.To == k.Slug {
			relations = append(relations, r)
		}
	}
	kinds := m.kinds[naming.Project(k.Slug)]
	out := members{
		{"slug", k.Slug}, {"id", k.ID}, {"roots", array(k.Roots)}, {"last", k.Last.UTC().Format(time.RFC3339)},
		{"open", open}, {"called", array(k.Called())}, {"records", whole(kinds)}, {"relations", relations},
	}
	for _, key := range project.Details() {
		out = append(out, member{key, k.Detail(key)})
	}
	return out
}
