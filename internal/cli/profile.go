package cli

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/text"
)

const profileID = record.User + "--profile"

type profileFlags struct {
	reason, strength string
	prefer, avoid    note.List
	works, not       note.List
	about, notes     note.Text
	erase, dry, yes  bool
	set              *flag.FlagSet
}

func profileCommand() command {
	f := &profileFlags{}
	return command{
		name: "profile", args: "[show | set TOPIC \"VALUE\" | forget TOPIC | history [TOPIC] | note | export [FILE|-] | import FILE|-]",
		short: "keep what you prefer: show, set, forget, look back, carry to another machine",
		long: `A preference is a record of the kind preference, yours in every project, and the active ones come
with the start of a session. Setting a TOPIC again keeps the old value in its history. What is
forgotten is retired, and archived in the end; --erase deletes it at once, away from a terminal
only with --yes. An import takes over what is new, and at a terminal asks before, unless --yes is given.
It overwrites nothing: a topic with another value is listed, and profile set takes that value.

  memento profile set indentation "tabs" --reason "the formatter's choice" --strength strong
  memento profile set answers "short" --prefer "the diff first" --avoid "a summary of what I said"
  memento profile note --works "one question at a time" --not "long plans"
  memento profile
  memento profile forget indentation
  memento profile export profile.json
  memento profile import profile.json --dry-run
`,
		flags: func(fs *flag.FlagSet, c *call) {
			f.set = fs
			fs.StringVar(&f.reason, "reason", "", "set, forget: why (`TEXT`)")
			fs.StringVar(&f.strength, "strength", "", "set: strong, default or soft (`WORD`)")
			fs.Var(&f.prefer, "prefer", "set: an example to follow; may be repeated (`TEXT`)")
			fs.Var(&f.avoid, "avoid", "set: an example to avoid; may be repeated (`TEXT`)")
			fs.Var(&f.works, "works", "note: what works with you; may be repeated (`TEXT`)")
			fs.Var(&f.not, "not", "note: what does not; may be repeated (`TEXT`)")
			fs.Var(&f.about, "about", "note: who you are (`TEXT`)")
			fs.Var(&f.notes, "notes", "note: what else there is to know (`TEXT`)")
			fs.BoolVar(&f.erase, "erase", false, "forget: delete it at once, for good")
			fs.BoolVar(&f.dry, "dry-run", false, "import: only list what would be done")
			fs.BoolVar(&f.yes, "yes", false, "import: take over what is new without asking; forget: --erase where nobody can be asked")
			fs.BoolVar(&c.json, "json", false, "print JSON")
		},
		run: func(c *call) error { return f.run(c) },
	}
}

// profileForm is a first word, how many words may follow, and which flags belong to it.
type profileForm struct {
	name, args, flags string
	least, most       int
}

func profileForms() []profileForm {
	return []profileForm{
		{"show", "", "", 0, 0}, {"set", ` TOPIC "VALUE"`, "reason strength prefer avoid", 2, 2}, {"forget", " TOPIC", "reason erase yes", 1, 1}, {"history", " [TOPIC]", "", 0, 1},
		{"note", ` --works "…" or --not, --about, --notes`, "works not about notes", 0, 0}, {"export", " [FILE|-]", "", 0, 1}, {"import", " FILE|-", "dry-run yes", 1, 1},
	}
}

// profileNames are the first words of the forms.
func profileNames() (out []string) {
	for _, p := range profileForms() {
		out = append(out, p.name)
	}
	return out
}

func (f *profileFlags) run(c *call) error {
	form, rest := "show", c.args
	if len(rest) > 0 {
		form, rest = rest[0], rest[1:]
	}
	const hint = "memento help profile"
	forms := profileForms()
	i := slices.IndexFunc(forms, func(p profileForm) bool { return p.name == form })
	if i < 0 {
		return c.noForm(form, profileNames())
	}
	if p := forms[i]; len(rest) < p.least || len(rest) > p.most {
		return c.formArgs(form, p.args, p.most, len(rest))
	}
	var foreign string
	f.set.Visit(func(g *flag.Flag) {
		if g.Name != "json" && !slices.Contains(strings.Fields(forms[i].flags), g.Name) {
			foreign = g.Name
		}
	})
	if foreign != "" {
		return &usageError{what: fmt.Sprintf("profile %s: --%s goes with another word than %s", form, foreign, form), hint: hint}
	}
	if form == "forget" && f.erase {
		if err := c.mayDestroy(f.yes, "add --yes if it is meant; without --erase it is retired, which can be undone"); err != nil {
			return err
		}
	}
	at, err := c.writing(slices.Contains([]string{"set", "forget", "note"}, form) || form == "import" && !f.dry)
	if err != nil {
		return err
	}
	if form == "set" || form == "note" { // whoever says it of themselves means it, erased or not
		at.store = at.store.AskedAt(c.Now())
	}
	switch form {
	case "set":
		return f.put(c, at, rest[0], rest[1])
	case "forget":
		return f.forget(c, at, rest[0])
	case "history":
		return f.history(c, at, strings.Join(rest, ""))
	case "note":
		return f.note(c, at)
	case "export":
		return f.export(c, at, strings.Join(rest, ""))
	case "import":
		return f.load(c, at, rest[0])
	}
	return f.show(c, at)
}

// alone runs do with the shelf as it is while nobody else writes a record: of two who set one topic at once, the later one
// changes what the first one made.
func (at *shelf) alone(do func(at *shelf) error) error {
	return at.store.Alone(func(s record.Store) error {
		held := *at
		held.store = s
		return do(&held)
	})
}

// saidOf prints what became of a record.
func (c *call) saidOf(r *record.Record, verb string) error {
	c.secretsOut(r)
	if c.json {
		fmt.Fprintf(c.Out, `{"version":1,"id":%s,"title":%s,"path":%s,"done":%s}`+"\n", quote(r.ID), quote(r.Title), quote(r.Path), quote(verb))
		return nil
	}
	fmt.Fprintf(c.Out, "%s: %s (%s)\n", verb, text.Line(r.Title), r.ID)
	return nil
}

// about is the record about the user, nil when there is none.
func (at *shelf) about() (*record.Record, error) {
	r, err := at.store.Read(profileID)
	if errors.Is(err, record.ErrNotFound) {
		return nil, nil
	}
	return r, err
}

func (f *profileFlags) show(c *call, at *shelf) error {
	p, err := c.portrait(at)
	if err != nil {
		return recordError(err)
	}
	if c.json {
		data, err := json.Marshal(p)
		if err != nil {
			return err
		}
		fmt.Fprintln(c.Out, string(data))
		return nil
	}
	empty := true
	row := func(name, words string) {
		if words != "" {
			empty = false
			fmt.Fprintf(c.Out, "%-12s%s\n", name, text.Line(words))
		}
	}
	row("about", p.About)
	for _, w := range p.Works {
		row("works", w)
	}
	for _, w := range p.Not {
		row("does not", w)
	}
	row("notes", p.Notes)
	for _, t := range p.Preferences {
		empty = false
		fmt.Fprintf(c.Out, "%s: %s", text.Line(t.Topic), text.Line(t.Value))
		if t.Strength != "" {
			fmt.Fprintf(c.Out, " [%s]", text.Line(t.Strength))
		}
		fmt.Fprintln(c.Out)
		for _, more := range [][2]string{{"because", t.Reason}, {"prefer", strings.Join(t.Prefer, " · ")}, {"avoid", strings.Join(t.Avoid, " · ")}} {
			if more[1] != "" {
				fmt.Fprintf(c.Out, "  %-8s %s\n", more[0], text.Line(more[1]))
			}
		}
	}
	if empty {
		fmt.Fprintln(c.Out, `Nothing is known of what you prefer: memento profile set TOPIC "VALUE"`)
	}
	return nil
}

// note adds to what is known of the user: what works and what does not.
func (f *profileFlags) note(c *call, at *shelf) error {
	if len(f.works)+len(f.not) == 0 && !f.about.Given && !f.notes.Given {
		return &usageError{what: "profile note: what? --works, --not, --about or --notes is needed", hint: `memento profile note --works "one question at a time"`}
	}
	r, verb, err := c.keepAbout(at, portrait{Works: f.works, Not: f.not, About: f.about.Value, Notes: f.notes.Value})
	if err != nil {
		return recordError(err)
	}
	return c.saidOf(r, verb)
}

// keepAbout puts what p says of the user into the record about them: lists are added to, texts take the place of the old ones.
func (c *call) keepAbout(at *shelf, p portrait) (r *record.Record, verb string, err error) {
	err = at.alone(func(at *shelf) error {
		r, verb, err = c.setAbout(at, p)
		return err
	})
	return r, verb, err
}

func (c *call) setAbout(at *shelf, p portrait) (r *record.Record, verb string, err error) {
	edit := func(r *record.Record) error {
		for _, s := range []struct {
			heading string
			items   []string
			words   string
		}{{"About", nil, p.About}, {"Works", p.Works, ""}, {"Does Not Work", p.Not, ""}, {"Notes", nil, p.Notes}} {
			old, _ := markdown.Text(r.Body, s.heading)
			words := s.words
			if s.items != nil {
				words = strings.TrimSpace(old)
				have := markdown.Items(old)
				for _, it := range s.items {
					if it = text.Line(text.Private(it)); it != "" && !slices.Contains(have, it) {
						words, have = words+"\n- "+it, append(have, it)
					}
				}
				words = strings.TrimPrefix(words, "\n")
			}
			if words == "" || words == strings.TrimSpace(old) {
				continue
			}
			if r.Body, err = markdown.SetSection(r.Body, s.heading, words); err != nil {
				return err
			}
		}
		return nil
	}
	old, err := at.about()
	if err != nil {
		return nil, "", err
	}
	if old == nil {
		r := record.Record{Project: record.User, Kind: "profile", Title: "Profile", Tags: []string{"profile"}, Session: at.session, Source: at.by}
		if err := edit(&r); err != nil {
			return nil, "", err
		}
		made, err := at.store.Create(r)
		return made, "noted", err
	}
	if old.Status == record.Retired || old.Status == record.Archived {
		if _, err := at.store.Move(old.ID, "restore", "", ""); err != nil {
			return nil, "", err
		}
	}
	r, err = at.store.Update(old.ID, "", "", edit)
	if err == nil && r.Hash() == old.Hash() {
		return r, "unchanged", nil
	}
	return r, "noted", err
}

// history lists the changes of the preferences and the profile, the newest first.
func (f *profileFlags) history(c *call, at *shelf, topic string) error {
	var list []*record.Record
	if topic != "" {
		r, err := at.preference(topic)
		if err != nil {
			return recordError(err)
		}
		if r == nil {
			return at.noTopic("history", topic)
		}
		list = []*record.Record{r}
	} else {
		var err error
		if list, err = at.preferences(record.Statuses()...); err != nil {
			return recordError(err)
		}
		about, err := at.about()
		if err != nil {
			return recordError(err)
		}
		if about != nil {
			list = append(list, about)
		}
	}
	type line struct {
		of *record.Record
		record.Change
	}
	var all []line
	for _, r := range list {
		for _, ch := range slices.Backward(r.Changes) {
			all = append(all, line{r, ch})
		}
	}
	slices.SortStableFunc(all, func(a, b line) int { return b.When().Compare(a.When()) })
	if c.json {
		var out []string
		for _, l := range all {
			out = append(out, fmt.Sprintf(`{"date":%s,"id":%s,"topic":%s,"summary":%s,"field":%s,"old":%s,"new":%s}`, quote(l.Date), quote(l.of.ID), quote(preferenceOf(l.of).Topic), quote(l.Summary), quote(l.Field), quote(l.Old), quote(l.New)))
		}
		fmt.Fprintf(c.Out, `{"version":1,"changes":[%s]}`+"\n", strings.Join(out, ","))
		return nil
	}
	for _, l := range all {
		words := l.Summary
		if l.Field != "" {
			words += ": " + strings.TrimPrefix(l.Old+" -> "+l.New, " -> ")
		}
		fmt.Fprintf(c.Out, "%s  %s  %s\n", local(l.Date), text.Line(preferenceOf(l.of).Topic), text.Line(words))
	}
	if len(all) == 0 {
		fmt.Fprintln(c.Out, "There is no history yet.")
	}
	return nil
}
