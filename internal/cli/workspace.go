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

// maxDetail is how long what is said of a project may be, in characters.
const maxDetail = 300

// workspaceFlags are the details that workspace describe takes, each with whether it was given.
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

// workspaceForms are the first words that workspace takes.
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
	case "relate", "unrelate":
		return c.relate(form)
	}
	m, err := c.survey()
	if err != nil {
		return err
	}
	switch form {
	case "show":
		k, ok := m.Named(c.args[1])
		if !ok {
			return c.unknownProject(m.Workspace, c.args[1])
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

// describe notes what a person, or Claude, says of a project.
func (c *call) describe(details workspaceFlags) error {
	all := map[string]string{}
	for key, words := range details {
		all[key] = words
	}
	if len(c.args) == 3 {
		all["about"] = c.args[2]
	}
	for key, words := range all {
		clean, found := redact.Text(text.Private(words))
		if len(found) > 0 {
			fmt.Fprintf(c.Err, "memento: %s: left out as it looks like a secret: %s\n", key, strings.Join(found, ", "))
		}
		words = text.Line(clean)
		if n := text.Runes(words); n > maxDetail {
			return usage("say it in fewer words; a record has room for more: memento help save",
				"workspace describe: %s: %d characters, at most %d", key, n, maxDetail)
		}
		all[key] = words
	}
	err := project.Describe(c.config.Dir, c.args[1], all, c.Now(), wait)
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

// workspaceError names the projects there are, when none has the name.
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

func (c *call) relate(form string) error {
	if form == "unrelate" {
		gone, err := project.Unrelate(c.config.Dir, c.args[1], c.args[2], c.Now(), wait)
		if err != nil {
			return fmt.Errorf("workspace: %w", err)
		}
		if len(gone) == 0 {
			return hinted("memento workspace", "workspace: nothing is said of how %s and %s stand to each other",
				text.Line(c.args[1]), text.Line(c.args[2]))
		}
		if c.json {
			c.printJSON(members{{"gone", len(gone)}})
			return nil
		}
		for _, r := range gone {
			fmt.Fprintf(c.Out, "no longer: %s\n", text.Line(r.From+" "+r.Kind+" "+r.To))
		}
		return nil
	}
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
	if c.json {
		c.printJSON(r)
		return nil
	}
	fmt.Fprintf(c.Out, "%s %s %s\n", text.Line(r.From), r.Kind, text.Line(r.To))
	return nil
}
