package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/hook"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// openMission is a mission that is open in one lane of a project.
type openMission struct {
	lane project.Lane
	text string
}

// survey is all there is to say of the projects.
type survey struct {
	project.Workspace
	now         time.Time
	here        string // the slug of this folder's project, "" for none
	former      string
	apart       string
	open        map[string][]openMission
	kinds       map[string]map[string]int // of the active records, by the project's name in records
	initiatives []*record.Record
}

func (c *call) survey() (m survey, err error) {
	m = survey{Workspace: c.workspace(), now: c.Now(), kinds: map[string]map[string]int{}}
	if m.Err != nil {
		return m, fmt.Errorf("workspace: %w", m.Err)
	}
	if m.open, err = c.openMissions(); err != nil {
		return m, err
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
	m.former, m.apart = c.former(), c.apart()
	return m, nil
}

// former says that the project of this folder has records under another name, "" when nothing speaks for that.
func (c *call) former() string {
	w := c.workspace()
	f, ok := w.Former(c.locate(c.Dir), c.home())
	if !ok {
		return ""
	}
	all, err := c.records().Projects()
	if n := all[record.Project(f.Was)]; err == nil && n > 0 {
		return hook.Renamed(f, n)
	}
	return ""
}

// openMissions returns the missions of this instance that are open, by the slug of their project. A journal that cannot be
// read has none; memento doctor speaks of it.
func (c *call) openMissions() (map[string][]openMission, error) {
	entries, err := safefile.List(c.config.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	out := map[string][]openMission{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		lane, good := project.LaneNamed(c.config.Dir, name)
		if !ok || !good || lane.Slug == "" || !strings.HasSuffix(lane.Base().Name, "--"+c.config.Tag) {
			continue
		}
		j, err := journal.Store{Lane: lane, Config: c.config, Now: c.Now()}.Read()
		if err == nil && j.Open() {
			out[lane.Slug] = append(out[lane.Slug], openMission{lane, j.Mission})
		}
	}
	return out, nil
}

func (m survey) list(c *call) {
	known := slices.Clone(m.Known)
	slices.SortStableFunc(known, func(a, b project.Known) int { return b.Last.Compare(a.Last) })
	if len(known) == 0 {
		c.warn(filepath.Join(c.config.Dir, "workspace.json"), "no project is known by its name")
	}
	if c.json {
		var out []string
		for _, k := range known {
			out = append(out, m.json(k))
		}
		rest := ""
		if len(known)+len(m.initiatives) > 0 {
			rest = fmt.Sprintf(`,"here":%s,"renamed":%s,"apart_from":%s,"initiatives":%s`, quote(m.here), quote(m.former), quote(c.apartFrom()), m.initiativesJSON())
		}
		fmt.Fprintf(c.Out, `{"version":1,"projects":[%s]%s}`+"\n", strings.Join(out, ","), rest)
		return
	}
	if len(known) == 0 {
		fmt.Fprintln(c.Out, "No project was seen yet: the first session, save or import in one notes it.")
	}
	if m.former != "" {
		fmt.Fprintf(c.Out, "%s\n\n", m.former)
	}
	if m.apart != "" {
		fmt.Fprintf(c.Out, "%s\n\n", m.apart)
	}
	m.around(c)
	for _, k := range known {
		m.print(c, k, false)
	}
	if len(m.initiatives) > 0 {
		fmt.Fprintln(c.Out, "\nInitiatives")
		m.printInitiatives(c)
	}
}

// around says how this folder's project stands to others, and which initiatives name it; nothing when there is neither.
func (m survey) around(c *call) {
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

// print says what is known of one project; whole adds what the list has no room for.
func (m survey) print(c *call, k project.Known, whole bool) {
	row := func(name, words string) { fmt.Fprintf(c.Out, "  %-9s%s\n", name, words) }
	kind, where, _ := strings.Cut(k.ID, ":")
	if kind == "dir" {
		where = "none: it is known by its folder"
	}
	fmt.Fprintln(c.Out, k.Slug)
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
	row("used", k.Last.UTC().Format(time.DateOnly)+", "+journal.Age(m.now.Sub(k.Last)))
	for i, r := range k.Roots {
		name := ""
		if i == 0 {
			name = "folders"
		}
		row(name, text.Line(r))
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
		row("open", text.Line(o.text)+" ("+o.lane.Name+")")
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
	kinds := m.kinds[record.Project(k.Slug)]
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

// relative is how a project stands to another, as it is said of the one.
type relative struct{ kind, other, words string }

func (m survey) related(slug string) (out []relative) {
	for _, r := range m.Relations() {
		switch {
		case r.From == slug:
			out = append(out, relative{r.Kind, r.To, text.Line(r.Kind + " " + r.To)})
		case r.To == slug && r.Kind == "related":
			out = append(out, relative{r.Kind, r.From, text.Line("related " + r.From)})
		case r.To == slug:
			out = append(out, relative{"", r.From, text.Line(r.From + " is " + r.Kind + " it")})
		}
	}
	for i := range out {
		out[i].words = strings.NewReplacer(" is depends-on it", " depends on it", " is fork-of it", " is a fork of it", " is upstream-of it", " is upstream of it").Replace(out[i].words)
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

func initiativeLine(r *record.Record) string {
	state := r.State
	if state == "" {
		state = "open"
	}
	line := fmt.Sprintf("%-9s%s", text.Line(state), text.Line(r.Title))
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

func (m survey) initiativesJSON() string {
	var out []string
	for _, r := range m.initiatives {
		items := func(heading string) string {
			words, _ := markdown.Text(r.Body, heading)
			return quoteList(markdown.Items(words))
		}
		goal, _ := markdown.Text(r.Body, "Goal")
		progress, _ := markdown.Text(r.Body, "Progress")
		out = append(out, fmt.Sprintf(`{"id":%s,"title":%s,"state":%s,"goal":%s,"projects":%s,"relations":%s,"progress":%s,"next_steps":%s,"updated":%s}`,
			quote(r.ID), quote(r.Title), quote(r.State), quote(goal), items("Projects"), items("Relations"), quote(progress), items("Next Steps"), quote(r.Updated.UTC().Format(time.RFC3339))))
	}
	return "[" + strings.Join(out, ",") + "]"
}

func (m survey) json(k project.Known) string {
	var missions, relations []string
	for _, o := range m.open[k.Slug] {
		missions = append(missions, fmt.Sprintf(`{"path":%s,"mission":%s}`, quote(o.lane.Journal()), quote(o.text)))
	}
	for _, r := range m.Relations() {
		if r.From == k.Slug || r.To == k.Slug {
			relations = append(relations, fmt.Sprintf(`{"from":%s,"kind":%s,"to":%s}`, quote(r.From), quote(r.Kind), quote(r.To)))
		}
	}
	var details strings.Builder
	for _, key := range project.Details() {
		fmt.Fprintf(&details, ",%s:%s", quote(key), quote(k.Detail(key)))
	}
	kinds := m.kinds[record.Project(k.Slug)]
	var counts []string
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		counts = append(counts, fmt.Sprintf("%s:%d", quote(name), kinds[name]))
	}
	return fmt.Sprintf(`{"slug":%s,"id":%s,"roots":%s,"last":%s,"open":[%s],"called":%s,"records":{%s},"relations":[%s]%s}`, quote(k.Slug), quote(k.ID), quoteList(k.Roots), quote(k.Last.UTC().Format(time.RFC3339)),
		strings.Join(missions, ","), quoteList(k.Called()), strings.Join(counts, ","), strings.Join(relations, ","), details.String())
}
