package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

const maxDetail = 300 // characters of one detail of a project

// workspaceFlags holds the details that were given to workspace describe, by key.
type workspaceFlags map[string]string

func workspaceCommand() command {
	details, to := workspaceFlags{}, ""
	return command{
		name:  "workspace",
		args:  `[show NAME | describe NAME "TEXT" | relate A KIND B | unrelate A B | initiatives | join [DIR]]`,
		short: "map the projects seen: where they are, what they are, what is open and kept in them",
		long: `A project is known by the address of its origin, else by its folder, and keeps its name until
memento migrate gives it another. How this folder's project stands to others comes first, then
the projects, the one used last first, then the initiatives: records of the kind initiative.

A KIND is depends-on, fork-of, upstream-of or related.

What a folder says of its origin anybody can have written into it. So a new folder with the origin
of a known project (a second clone) has a memory of its own until join shares the project's with
it; what the folder had collected goes along. Worktrees that the repository lists need no join.

  memento workspace
  memento workspace --json
  memento workspace show shop
  memento workspace describe shop "The web shop" --type application --role lead
  memento workspace relate shop depends-on payments
  memento workspace initiatives
  memento workspace join
  memento workspace join ~/src/shop-2 --to shop
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.json, "json", false, "print JSON")
			for key, usage := range map[string]string{
				"type": "application, library, …", "status": "active, paused, …", "role": "lead, contributor, …",
				"stack": "languages and frameworks", "notes": "what else there is to know",
			} {
				fs.Func(key, "describe: "+usage+" (`TEXT`)", func(s string) error { details[key] = s; return nil })
			}
			fs.StringVar(&to, "to", "", "join: which project, where several have the folder's origin: `NAME`")
		},
		run: func(c *call) error { return runWorkspace(c, details, to) },
	}
}

// workspaceForms returns the first words that workspace takes.
func workspaceForms() []string {
	return strings.Fields("show describe relate unrelate initiatives join")
}

func runWorkspace(c *call, details workspaceFlags, to string) error {
	form := ""
	if len(c.args) > 0 {
		form = c.args[0]
	}
	forms := map[string]string{"": "", "show": " NAME", "describe": ` NAME "TEXT"`, "relate": " A KIND B",
		"unrelate": " A B", "initiatives": "", "join": " [DIR]"}
	wanted, ok := forms[form]
	n := len(strings.Fields(form + wanted))
	switch {
	case !ok:
		return c.noForm(form, workspaceForms())
	case form == "describe" && len(c.args) == 2 && len(details) > 0:
	case form == "join" && len(c.args) == 1:
	case len(c.args) != n:
		return c.formArgs(form, wanted, n-1, len(c.args)-1)
	case form != "describe" && len(details) > 0:
		return usage("memento help workspace", "workspace: these flags are for workspace describe")
	case form != "join" && to != "":
		return usage("memento help workspace", "workspace: --to is for workspace join")
	}
	if form == "join" {
		return c.join(to)
	}
	if err := c.load(); err != nil {
		return err
	}
	if _, err := c.writing(form == "describe" || form == "relate" || form == "unrelate"); err != nil {
		return err
	}
	switch form {
	case "describe":
		return c.describe(details)
	case "relate":
		return c.relate()
	case "unrelate":
		return c.unrelate()
	}
	m, err := c.survey()
	if err != nil {
		return err
	}
	switch form {
	case "show":
		k, ok := m.Named(c.args[1])
		if !ok {
			return c.unseenProject(m.Workspace, c.args[1])
		}
		if c.json {
			c.printJSON(members{{"project", m.json(k)}})
			return nil
		}
		m.print(c, k, true)
	case "initiatives":
		if c.json {
			c.printJSON(members{{"initiatives", m.initiativesJSON()}})
			return nil
		}
		if len(m.initiatives) == 0 {
			fmt.Fprintln(c.Out, "There are no initiatives: memento save initiative \"TITLE\" begins one.")
		}
		m.printInitiatives(c)
	default:
		m.list(c)
	}
	return nil
}

// describe stores details of a project.
func (c *call) describe(details workspaceFlags) error {
	if len(c.args) == 3 {
		details["about"] = c.args[2]
	}
	for key, words := range details {
		clean, found := redact.Text(text.Private(words))
		if len(found) > 0 {
			fmt.Fprintf(c.Err, "memento: %s: left out as it looks like a secret: %s\n", key, strings.Join(found, ", "))
		}
		words = text.OneLine(clean)
		if n := text.Runes(words); n > maxDetail {
			return usage("say it in fewer words; a record has room for more: memento help save",
				"workspace describe: %s: %d characters, at most %d", key, n, maxDetail)
		}
		details[key] = words
	}
	err := project.Describe(c.config.Dir, c.args[1], details, c.Now(), wait)
	c.workspaceChanged()
	if err != nil {
		return c.workspaceError(err, c.args[1])
	}
	if c.json {
		m, err := c.survey()
		if err != nil {
			return err
		}
		k, _ := m.Named(c.args[1])
		c.printJSON(members{{"project", m.json(k)}})
		return nil
	}
	fmt.Fprintf(c.Out, "described: %s\n", text.Line(c.args[1]))
	return nil
}

// workspaceError explains why a change failed. For an unknown name it lists the known projects.
func (c *call) workspaceError(err error, names ...string) error {
	if !errors.Is(err, project.ErrUnknown) {
		return fmt.Errorf("workspace: %w", err)
	}
	w := c.workspace()
	for _, name := range names {
		if _, ok := w.Named(name); !ok {
			return c.unknownProject(w, name)
		}
	}
	return err
}

// unrelate removes all relations between two projects.
func (c *call) unrelate() error {
	gone, err := project.Unrelate(c.config.Dir, c.args[1], c.args[2], c.Now(), wait)
	if err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	if len(gone) == 0 {
		return hinted("memento workspace", "workspace: nothing is said of how %s and %s stand to each other",
			text.Line(c.args[1]), text.Line(c.args[2]))
	}
	var lines []string
	for _, r := range gone {
		lines = append(lines, "no longer: "+text.Line(r.From+" "+r.Kind+" "+r.To))
	}
	return c.printAnswer(members{{"gone", len(gone)}}, "%s", strings.Join(lines, "\n"))
}

// relate stores a relation between two projects.
func (c *call) relate() error {
	r := project.Relation{From: c.args[1], Kind: c.args[2], To: c.args[3]}
	if !slices.Contains(project.RelationKinds(), r.Kind) {
		return usage(text.Line("memento workspace relate "+r.From+" depends-on "+r.To),
			"workspace relate: %s is no kind of relation: one of %s is expected",
			text.Quote(r.Kind), strings.Join(project.RelationKinds(), ", "))
	}
	w := c.workspace()
	if a, ok := w.Named(r.From); ok {
		if b, ok := w.Named(r.To); ok && a.Slug == b.Slug {
			return usage("memento workspace", "workspace relate: %s and %s are one project", r.From, r.To)
		}
	}
	if err := project.Relate(c.config.Dir, r, c.Now(), wait); err != nil {
		return c.workspaceError(err, r.From, r.To)
	}
	return c.printAnswer(r, "%s %s %s", text.Line(r.From), r.Kind, text.Line(r.To))
}
