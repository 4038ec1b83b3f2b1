package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

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

// profileForm is a first word, what may follow it, which flags belong to it, and what it does.
type profileForm struct {
	name, args, flags string
	least, most       int
	run               func(f *profileFlags, c *call, at *shelf, words []string) error
}

func profileForms() []profileForm {
	return []profileForm{
		{"show", "", "", 0, 0, (*profileFlags).show},
		{"set", ` TOPIC "VALUE"`, "reason strength prefer avoid", 2, 2, (*profileFlags).put},
		{"forget", " TOPIC", "reason erase yes", 1, 1, (*profileFlags).forget},
		{"history", " [TOPIC]", "", 0, 1, (*profileFlags).history},
		{"note", ` --works "…" or --not, --about, --notes`, "works not about notes", 0, 0, (*profileFlags).note},
		{"export", " [FILE|-]", "", 0, 1, (*profileFlags).export},
		{"import", " FILE|-", "dry-run yes", 1, 1, (*profileFlags).load},
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
		what := fmt.Sprintf("profile %s: --%s goes with another word than %s", name, foreign, name)
		return &usageError{what: what, hint: "memento help profile"}
	}
	if name == "forget" && f.erase {
		if err := c.mayDestroy(f.yes,
			"add --yes if it is meant; without --erase it is retired, which can be undone"); err != nil {
			return err
		}
	}
	says := name == "set" || name == "note"
	at, err := c.writing(says || name == "forget" || name == "import" && !f.dry)
	if err != nil {
		return err
	}
	if says { // whoever says it of themselves means it, erased or not
		at.store = at.store.AskedAt(c.Now())
	}
	return form.run(f, c, at, words)
}

// alone runs do with the shelf as it is while nobody else writes a record.
func (s *shelf) alone(do func(s *shelf) error) error {
	return s.store.Alone(func(store record.Store) error {
		held := *s
		held.store = store
		return do(&held)
	})
}

// saidOf prints what became of a record.
func (c *call) saidOf(r *record.Record, verb string, err error) error {
	if err != nil {
		return recordError(err)
	}
	c.secretsOut(r)
	if c.json {
		c.printJSON(members{{"id", r.ID}, {"title", r.Title}, {"path", r.Path}, {"done", verb}})
		return nil
	}
	fmt.Fprintf(c.Out, "%s: %s (%s)\n", verb, text.Line(r.Title), r.ID)
	return nil
}

// about is the record about the user, nil when there is none.
func (s *shelf) about() (*record.Record, error) {
	r, err := s.store.Read(profileID)
	if errors.Is(err, record.ErrNotFound) {
		return nil, nil
	}
	return r, err
}

func (f *profileFlags) show(c *call, at *shelf, _ []string) error {
	p, err := c.portrait(at)
	if err != nil {
		return recordError(err)
	}
	shown, err := c.shownPreferences(at)
	if err != nil {
		return recordError(err)
	}
	if c.json {
		p.Preferences = []preference{}
		var here []preference
		for _, s := range shown {
			if s.own {
				p.Preferences = append(p.Preferences, s.preference)
			} else {
				here = append(here, s.preference)
			}
		}
		c.printJSON(struct {
			portrait
			Here []preference `json:"project_preferences,omitempty"`
		}{p, here})
		return nil
	}
	lines := ""
	row := func(format, name, words string) {
		if words = text.Line(words); words != "" {
			lines += fmt.Sprintf(format, name, words)
		}
	}
	const wide = "%-12s%s\n"
	row(wide, "about", p.About)
	for _, w := range p.Works {
		row(wide, "works", w)
	}
	for _, w := range p.Not {
		row(wide, "does not", w)
	}
	row(wide, "notes", p.Notes)
	for _, t := range shown {
		lines += fmt.Sprintf("%s: %s", text.Line(t.Topic), text.Line(t.Value))
		if t.Strength != "" {
			lines += fmt.Sprintf(" [%s]", text.Line(t.Strength))
		}
		if !t.own {
			lines += " (of this project)"
		}
		if t.noted {
			lines += " (as Claude noted it)"
		}
		lines += "\n"
		const below = "  %-8s %s\n"
		row(below, "because", t.Reason)
		row(below, "prefer", strings.Join(t.Prefer, " · "))
		row(below, "avoid", strings.Join(t.Avoid, " · "))
	}
	if len(shown) > 0 && !c.config.Kind("preference").Enabled {
		lines += "No session is told of these preferences: memento config --unset kinds.preference.enabled\n"
	}
	if lines == "" {
		lines = `Nothing is known of what you prefer: memento profile set TOPIC "VALUE"` + "\n"
	}
	fmt.Fprint(c.Out, lines)
	return nil
}

// shownPreference is a preference as profile shows it.
type shownPreference struct {
	preference
	own   bool // the user's, whatever the project
	noted bool // by Claude
}

// shownPreferences are those that a session here is told of: the user's own by their topics, then the project's.
func (c *call) shownPreferences(at *shelf) (out []shownPreference, err error) {
	mine, err := at.preferences()
	if err != nil {
		return nil, err
	}
	for _, r := range mine.all {
		if holds, noted := retrieve.Preferred(r, at.project); holds {
			out = append(out, shownPreference{mine.carried(r), true, noted})
		}
	}
	byTopic := func(a, b shownPreference) int { return strings.Compare(a.Topic, b.Topic) }
	slices.SortStableFunc(out, byTopic)
	if at.project == naming.User {
		return out, nil
	}
	list, problems, err := at.store.List(record.Filter{Project: at.project, Kinds: []string{"preference"}})
	if err != nil {
		return nil, err
	}
	c.unread(problems)
	var here []shownPreference
	for _, r := range list {
		if holds, noted := retrieve.Preferred(r, at.project); holds {
			t := preferenceOf(r)
			if strings.TrimSpace(t.Value) == "" {
				t.Value = r.Title
			}
			here = append(here, shownPreference{t, false, noted})
		}
	}
	slices.SortStableFunc(here, byTopic)
	return append(out, here...), nil
}

// put makes a preference, or changes the one on its topic. What is not given stays as it is.
func (f *profileFlags) put(c *call, at *shelf, words []string) error {
	topic, value := text.Line(text.Private(words[0])), strings.TrimSpace(words[1])
	t := preference{topic, value, f.reason, f.strength, f.prefer, f.avoid}
	if err := t.check(); err != nil {
		hint, plain := `memento profile set indentation "tabs"`, t
		if plain.Strength = ""; plain.check() == nil {
			hint = "--strength strong, --strength default or --strength soft"
			if near := nearest(t.Strength, strengths()); near != "" {
				hint = "did you mean --strength " + near + "?"
			}
		}
		return &usageError{what: "profile set: " + err.Error(), hint: hint}
	}
	r, verb, err := at.keepPreference(t)
	return c.saidOf(r, verb, err)
}

func (f *profileFlags) forget(c *call, at *shelf, words []string) error {
	var r *record.Record
	verb := "forgotten"
	err := at.alone(func(at *shelf) error {
		mine, err := at.preferences()
		if err != nil {
			return err
		}
		r = mine.on(words[0])
		switch {
		case r == nil || !f.erase && r.Status != schema.Active:
			return mine.none("forget", words[0])
		case f.erase:
			verb = "erased"
			return at.store.Remove(r.ID)
		}
		reason := f.reason
		if strings.TrimSpace(reason) == "" {
			reason = "no longer wanted"
		}
		r, err = at.store.Move(r.ID, "retire", "", reason)
		return err
	})
	return c.saidOf(r, verb, err)
}

// note adds to what is known of the user: what works and what does not.
func (f *profileFlags) note(c *call, at *shelf, _ []string) error {
	if len(f.works)+len(f.not) == 0 && !f.about.Given && !f.notes.Given {
		what := "profile note: what? --works, --not, --about or --notes is needed"
		return &usageError{what: what, hint: `memento profile note --works "one question at a time"`}
	}
	r, verb, err := at.keepAbout(aboutUser{Works: f.works, Not: f.not, About: f.about.Value, Notes: f.notes.Value})
	return c.saidOf(r, verb, err)
}

// keepAbout puts what a says into the record about the user: lists are added to, texts take the place of the old ones.
func (s *shelf) keepAbout(a aboutUser) (r *record.Record, verb string, err error) {
	for _, list := range []*[]string{&a.Works, &a.Not} {
		*list = slices.Clone(*list)
		for i, it := range *list {
			(*list)[i] = text.Line(text.Private(it))
		}
	}
	verb = "noted"
	err = s.alone(func(s *shelf) (err error) {
		old, err := s.about()
		if err != nil {
			return err
		}
		if old == nil {
			r, err = s.make(record.Record{Kind: "profile", Title: "Profile"}, a)
			return err
		}
		if old.Status == schema.Retired || old.Status == schema.Archived {
			if err := s.revive(old); err != nil {
				return err
			}
		}
		r, err = s.store.Update(old.ID, "", "", func(r *record.Record) error { return fillSections(r, a, false, nil) })
		if err == nil && r.Hash() == old.Hash() {
			verb = "unchanged"
		}
		return err
	})
	return r, verb, err
}

// pastChange is an entry of the history of a record.
type pastChange struct {
	Date    string `json:"date"`
	ID      string `json:"id"`
	Topic   string `json:"topic"`
	Summary string `json:"summary"`
	Field   string `json:"field"`
	Old     string `json:"old"`
	New     string `json:"new"`
}

// history lists the changes of the preferences and the profile, the newest first.
func (f *profileFlags) history(c *call, at *shelf, words []string) error {
	mine, err := at.preferences()
	if err != nil {
		return recordError(err)
	}
	list := mine.all
	if topic := strings.Join(words, ""); topic != "" {
		r := mine.on(topic)
		if r == nil {
			return mine.none("history", topic)
		}
		list = []*record.Record{r}
	} else {
		self, err := at.about()
		if err != nil {
			return recordError(err)
		}
		if self != nil {
			list = append(list, self)
		}
	}
	all := []pastChange{}
	for _, r := range list {
		topic := preferenceOf(r).Topic
		for _, ch := range slices.Backward(r.Changes) {
			all = append(all, pastChange{ch.Date, r.ID, topic, ch.Summary, ch.Field, ch.Old, ch.New})
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
