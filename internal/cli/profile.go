package cli

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// profileID is the id of the only record of the kind profile.
const profileID = naming.User + "--profile"

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
		name:  "profile",
		args:  `[show | set TOPIC "VALUE" | forget TOPIC | history [TOPIC] | note | export [FILE|-] | import FILE|-]`,
		short: "keep what you prefer: show, set, forget, look back, carry to another machine",
		long: `A preference is a record of the kind preference, yours in every project, and the active ones come
with the start of a session, as do the project's own: memento profile shows just these. Setting a
TOPIC again keeps the old value in its history. What is forgotten is retired, and archived in the
end; --erase deletes it at once, away from a terminal only with --yes.
An import takes over what is new, and at a terminal asks before, unless --yes is given.
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
			fs.BoolVar(&f.yes, "yes", false,
				"import: take over what is new without asking; forget: --erase where nobody can be asked")
			fs.BoolVar(&c.json, "json", false, "print JSON")
		},
		run: func(c *call) error { return f.run(c) },
	}
}

// profileForm is one use of the command: its first word, the arguments behind that word, and the flags it takes.
type profileForm struct {
	name, args, flags string
	least, most       int // number of arguments
	run               func(f *profileFlags, c *call, at *shelf, words []string) error
}

func profileForms() []profileForm {
	return []profileForm{
		{"show", "", "", 0, 0, (*profileFlags).show},
		{"set", ` TOPIC "VALUE"`, "reason strength prefer avoid", 2, 2, (*profileFlags).setTopic},
		{"forget", " TOPIC", "reason erase yes", 1, 1, (*profileFlags).forgetTopic},
		{"history", " [TOPIC]", "", 0, 1, (*profileFlags).listChanges},
		{"note", ` --works "…" or --not, --about, --notes`, "works not about notes", 0, 0, (*profileFlags).addNote},
		{"export", " [FILE|-]", "", 0, 1, (*profileFlags).exportFile},
		{"import", " FILE|-", "dry-run yes", 1, 1, (*profileFlags).importFile},
	}
}

// profileNames returns the first words of the forms.
func profileNames() (out []string) {
	for _, p := range profileForms() {
		out = append(out, p.name)
	}
	return out
}

func (f *profileFlags) run(c *call) error {
	name, words := "show", c.args
	if len(words) > 0 {
		name, words = words[0], words[1:]
	}
	i := slices.Index(profileNames(), name)
	if i < 0 {
		return c.noForm(name, profileNames())
	}
	form := profileForms()[i]
	if len(words) < form.least || len(words) > form.most {
		return c.formArgs(name, form.args, form.most, len(words))
	}
	var foreign string
	f.set.Visit(func(g *flag.Flag) {
		if g.Name != "json" && !slices.Contains(strings.Fields(form.flags), g.Name) {
			foreign = g.Name
		}
	})
	if foreign != "" {
		return usage("memento help profile", "profile %s: --%s goes with another word than %s", name, foreign, name)
	}
	if name == "forget" && f.erase {
		if err := c.mayDestroy(f.yes,
			"add --yes if it is meant; without --erase it is retired, which can be undone"); err != nil {
			return err
		}
	}
	saidByUser := name == "set" || name == "note"
	at, err := c.writing(saidByUser || name == "forget" || name == "import" && !f.dry)
	if err != nil {
		return err
	}
	if saidByUser { // so a topic that was just erased may be set again
		at.store.Asked = c.Now()
	}
	return form.run(f, c, at, words)
}

// alone runs do with a copy of the shelf that holds the lock of all records.
func (s *shelf) alone(do func(s *shelf) error) error {
	return s.store.Alone(func(store record.Store) error {
		held := *s
		held.store = store
		return do(&held)
	})
}

// printChanged prints the record that a form changed, and verb for the change.
func (c *call) printChanged(r *record.Record, verb string, err error) error {
	if err != nil {
		return recordError(err)
	}
	c.noteWrite(r)
	return c.printAnswer(members{{"id", r.ID}, {"title", r.Title}, {"path", r.Path}, {"done", verb}},
		"%s: %s (%s)", verb, text.Line(r.Title), r.ID)
}

// show prints the profile: who the user is, the user's own preferences, and those of the project.
func (f *profileFlags) show(c *call, at *shelf, _ []string) error {
	p, err := c.portrait(at)
	if err != nil {
		return recordError(err)
	}
	var ofProject preferences
	if at.project != naming.User {
		all, problems, err := at.preferences(at.project)
		if err != nil {
			return recordError(err)
		}
		c.unread(problems)
		ofProject = all.holding()
	}
	if c.json {
		c.printJSON(struct {
			portrait
			Here preferences `json:"project_preferences,omitempty"`
		}{p, ofProject})
		return nil
	}
	var out strings.Builder
	row := func(format, name, words string) {
		if words = text.Line(words); words != "" {
			fmt.Fprintf(&out, format, name, words)
		}
	}
	const wide, below = "%-12s%s\n", "  %-8s %s\n"
	row(wide, "about", p.About)
	for _, w := range p.Works {
		row(wide, "works", w)
	}
	for _, w := range p.Not {
		row(wide, "does not", w)
	}
	row(wide, "notes", p.Notes)
	for _, t := range append(p.Preferences, ofProject...) {
		fmt.Fprintf(&out, "%s: %s", text.Line(t.Topic), text.Line(t.Value))
		if t.Strength != "" {
			fmt.Fprintf(&out, " [%s]", t.Strength)
		}
		if t.record.Project != naming.User {
			out.WriteString(" (of this project)")
		}
		if t.noted {
			out.WriteString(" (as Claude noted it)")
		}
		out.WriteString("\n")
		row(below, "because", t.Reason)
		row(below, "prefer", strings.Join(t.Prefer, " · "))
		row(below, "avoid", strings.Join(t.Avoid, " · "))
	}
	if len(p.Preferences)+len(ofProject) > 0 && !c.config.Kind("preference").Enabled {
		out.WriteString(
			"No session is told of these preferences: memento config --unset kinds.preference.enabled\n")
	}
	fmt.Fprint(c.Out, cmp.Or(out.String(),
		`Nothing is known of what you prefer: memento profile set TOPIC "VALUE"`+"\n"))
	return nil
}

// setTopic stores a preference. Parts that are not given stay as they are.
func (f *profileFlags) setTopic(c *call, at *shelf, words []string) error {
	topic, value := text.OneLine(text.Private(words[0])), strings.TrimSpace(words[1])
	t := preference{Topic: topic, Value: value, Reason: f.reason, Strength: f.strength,
		Prefer: f.prefer, Avoid: f.avoid}
	if err := t.check(); err != nil {
		return err
	}
	r, verb, err := at.keepPreference(t)
	return c.printChanged(r, verb, err)
}

// forgetTopic retires a preference; --erase deletes its record.
func (f *profileFlags) forgetTopic(c *call, at *shelf, words []string) error {
	var r *record.Record
	verb := "forgotten"
	err := at.alone(func(at *shelf) error {
		mine, _, err := at.preferences(naming.User)
		if err != nil {
			return err
		}
		t := mine.on(words[0])
		switch {
		case t == nil:
			return mine.none("forget", words[0])
		case !f.erase && t.record.Status != schema.Active:
			topic := safefile.ShellWord(text.Line(words[0]))
			return hinted("memento profile set "+topic+` "VALUE" brings it back, memento profile forget `+topic+
				" --erase deletes it", "profile forget: %s is forgotten already", text.Quote(words[0]))
		}
		if f.erase {
			r, verb = t.record, "erased"
			return at.store.Remove(r.ID)
		}
		r, err = at.store.Move(t.record.ID, "retire", "", cmp.Or(strings.TrimSpace(f.reason), "no longer wanted"))
		return err
	})
	return c.printChanged(r, verb, err)
}

// addNote adds to the record about the user: what works, what does not, and who the user is.
func (f *profileFlags) addNote(c *call, at *shelf, _ []string) error {
	if len(f.works)+len(f.not) == 0 && !f.about.Given && !f.notes.Given {
		return usage(`memento profile note --works "one question at a time"`,
			"profile note: what? --works, --not, --about or --notes is needed")
	}
	r, verb, err := at.keepAbout(aboutUser{Works: f.works, Not: f.not, About: f.about.Value, Notes: f.notes.Value})
	return c.printChanged(r, verb, err)
}

// pastChange is an entry in the history of a record.
type pastChange struct {
	Date    string `json:"date"`
	ID      string `json:"id"`
	Topic   string `json:"topic"`
	Summary string `json:"summary"`
	Field   string `json:"field"`
	Old     string `json:"old"`
	New     string `json:"new"`
}

// listChanges prints the changes of all preferences and of the profile, or of one topic. The newest comes first.
func (f *profileFlags) listChanges(c *call, at *shelf, words []string) error {
	list, _, err := at.preferences(naming.User)
	if err != nil {
		return recordError(err)
	}
	if topic := strings.Join(words, ""); topic != "" {
		one := list.on(topic)
		if one == nil {
			return list.none("history", topic)
		}
		list = preferences{*one}
	} else if self, err := at.about(); err != nil {
		return recordError(err)
	} else if self != nil {
		list = append(list, preference{Topic: self.Title, record: self})
	}
	all := []pastChange{}
	for _, t := range list {
		for _, ch := range slices.Backward(t.record.Changes) {
			all = append(all, pastChange{ch.Date, t.record.ID, t.Topic, ch.Summary, ch.Field, ch.Old, ch.New})
		}
	}
	slices.SortStableFunc(all, func(a, b pastChange) int {
		return record.Change{Date: b.Date}.When().Compare(record.Change{Date: a.Date}.When())
	})
	if c.json {
		c.printJSON(members{{"changes", all}})
		return nil
	}
	for _, ch := range all {
		words := ch.Summary
		if ch.Field != "" {
			words += ": " + strings.TrimPrefix(ch.Old+" -> "+ch.New, " -> ")
		}
		fmt.Fprintf(c.Out, "%s  %s  %s\n", local(ch.Date), text.Line(ch.Topic), text.Line(words))
	}
	if len(all) == 0 {
		fmt.Fprintln(c.Out, "There is no history yet.")
	}
	return nil
}
