package cli

import (
	"cmp"
	"flag"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

type saveFlags struct {
	body, project string
	slug          note.Text
	set           pairs
	tags, files   note.List
	agent         string // the id of the subagent; the hook sets it
}

func saveCommand() command {
	f := &saveFlags{}
	return command{
		name: "save", args: `KIND "TITLE"`, short: "save a record: a decision, a runbook, a constraint or another kind",
		long: `It prints the id of the new record. In a section that is a list (*) each --set is an item. A --body without headings, or
what is piped in, goes under the section in [brackets]. Without --tag the kind is the tag. A handoff under a title that
is in use updates the one that has it. So does a context of the same day; one of another day gets its day behind its
title. What looks like a secret is left out. The kinds, and the sections that KEY may be besides stage and confidence:

` + kindsHelp() + `
  memento save decision "Use PASETO for tokens" --set context="JWT libraries keep breaking" \
      --set decision="PASETO v4, local" --set alternatives="JWT: too many ways to be wrong" --tag auth
  memento save preference "Answers" --set value="two sentences, then the diff" --project user
`,
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&f.body, "body", "", "the `FILE` with the text in Markdown, - for standard input")
			fs.Var(&f.set, "set", "`KEY=TEXT` of a section; may be repeated")
			fs.Var(&f.tags, "tag", "a `TAG`; may be repeated, several with commas")
			fs.Var(&f.files, "file", "the `PATH` of a file it is about; may be repeated")
			nameFlag(fs, &f.project, "project",
				"of the project with this `NAME` instead of the folder's; user for your own")
			fs.Var(&f.slug, "slug", "`NAME` to go by, instead of one made from the title")
			fs.StringVar(&f.agent, "agent", "", "") // set by the hook for a subagent
		},
		run: func(c *call) error { return runSave(c, f) },
	}
}

func runSave(c *call, f *saveFlags) error {
	k, title, err := kindAndTitle(c.args)
	if err != nil {
		return err
	}
	if f.slug.Given {
		if err := naming.CheckChosen(f.slug.Value); err != nil {
			return usage("leave --slug out, and it is made from the title", "--slug: %s", err.Error())
		}
	}
	name := cmp.Or(f.slug.Value, naming.Slug(title))
	if k.Name == "profile" && name != "profile" { // a session's start tells only that one
		return usage(`memento save profile "Profile" --set about="…", and then memento edit profile`,
			"there is one profile, user--profile")
	}
	s, err := c.openShelf(true)
	if err != nil {
		return err
	}
	r, err := recordToSave(c, s, f, k, title)
	if err != nil {
		return err
	}
	made, err := s.store.Create(r)
	if err != nil && (k.Name == "context" || k.Name == "handoff") && !f.slug.Given {
		made, err = s.store.Renew(r, s.by == journal.ByClaude, err)
	}
	if err != nil {
		return err
	}
	noteWrite(c, made)
	return c.say("%s", made.ID)
}

// recordToSave makes the record to save.
func recordToSave(c *call, s *shelf, f *saveFlags, k schema.Kind, title string) (r record.Record, err error) {
	r = record.Record{Kind: k.Name, Title: title, Slug: f.slug.Value, Session: s.sessionID(), Source: s.by,
		Tags: commas(strings.Join(f.tags, ","))}
	if f.agent != "" {
		r.Source = "agent:" + f.agent
	}
	switch r.Project = s.project; {
	case f.project != "":
		if r.Project, err = recordProject(c.workspace(), f.project); err != nil {
			return r, err
		}
	case k.Personal:
		r.Project = naming.User
	}
	if len(r.Tags) == 0 {
		r.Tags = []string{k.Name}
	}
	r.Files = namesOfFiles(c, s, r.Project, f.files)
	given, err := readText(c, f.body)
	if err != nil {
		return r, err
	}
	if r.Body, err = newBody(k, "", given); err != nil {
		return r, err
	}
	err = f.set.apply(c, s, k, &r, false)
	return r, err
}

// kindsHelp lists the kinds with their sections.
func kindsHelp() string {
	var b strings.Builder
	for _, k := range schema.Kinds {
		fmt.Fprintf(&b, "  %-10s %s\n", k.Name, k.About)
		line := strings.Repeat(" ", 12)
		for _, p := range k.Sections {
			word := p.Key()
			switch {
			case p.List:
				word += "*"
			case p.Values != nil:
				word += "=" + strings.Join(p.Values, "|")
			}
			if p.Heading == k.MainPart().Heading {
				word = "[" + word + "]"
			}
			if len(line)+len(word) > 100 {
				b.WriteString(line + "\n")
				line = strings.Repeat(" ", 12)
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
		if k.Stages != nil {
			b.WriteString(strings.Repeat(" ", 13) + "stage: " + strings.Join(k.Stages, ", ") + "\n")
		}
	}
	return b.String()
}

// kindAndTitle reads the arguments: the kind is the first word, and the title all others.
func kindAndTitle(args []string) (k schema.Kind, title string, err error) {
	if len(args) == 0 {
		return k, "", usage(oneOf("", schema.Names()), "what kind of record?")
	}
	k, ok := schema.Named(args[0])
	if !ok {
		return k, "", usage(oneOf(args[0], schema.Names()), "there is no kind %s", text.Quote(args[0]))
	}
	title = strings.TrimSpace(strings.Join(args[1:], " "))
	if title == "" {
		return k, "", usage(`memento save `+k.Name+` "TITLE"`, "%s needs a title", k.One())
	}
	return k, title, nil
}

// noteWrite prints which kinds of secrets a write of r left out.
func noteWrite(c *call, r *record.Record) {
	if said := redact.Notice(r.Secrets); said != "" {
		c.note("%s", said)
	}
}
