package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

const (
	maxTopic   = 60      // characters
	maxProfile = 4 << 20 // bytes of a file that is imported
	profileID  = "user--profile"
)

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
forgotten is retired, and purged with what else is; --erase deletes it at once. An import takes over
what is new, and at a terminal asks before, unless --yes is given. It overwrites nothing: a topic with
another value is listed, and profile set takes that value.

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
			fs.BoolVar(&f.yes, "yes", false, "import: take over what is new without asking")
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
		{"show", "", "", 0, 0}, {"set", ` TOPIC "VALUE"`, "reason strength prefer avoid", 2, 2}, {"forget", " TOPIC", "reason erase", 1, 1}, {"history", " [TOPIC]", "", 0, 1},
		{"note", ` --works "…" or --not, --about, --notes`, "works not about notes", 0, 0}, {"export", " [FILE|-]", "", 0, 1}, {"import", " FILE|-", "dry-run yes", 1, 1},
	}
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
		var names []string
		for _, p := range forms {
			names = append(names, p.name)
		}
		return c.noForm(form, names)
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
	at, err := c.writing(slices.Contains([]string{"set", "forget", "note"}, form) || form == "import" && !f.dry)
	if err != nil {
		return err
	}
	if form == "set" || form == "note" { // whoever says it of themselves means it, erased or not
		at.store.Asked = c.Now()
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

// taste is one preference as it is shown, exported and imported.
type taste struct {
	Topic    string   `json:"topic"`
	Value    string   `json:"value"`
	Reason   string   `json:"reason,omitempty"`
	Strength string   `json:"strength,omitempty"`
	Prefer   []string `json:"prefer,omitempty"`
	Avoid    []string `json:"avoid,omitempty"`
}

// tasteOf reads a preference; one that was saved by another way may have its value in the title alone.
func tasteOf(r *record.Record) taste {
	section := func(heading string) string {
		s, _ := record.Text(r.Body, heading)
		return strings.TrimSpace(s)
	}
	t := taste{section("Topic"), section("Value"), section("Reason"), section("Strength"), record.Items(section("Prefer")), record.Items(section("Avoid"))}
	topic, value, ok := strings.Cut(r.Title, ": ")
	if t.Topic == "" {
		t.Topic = r.Title
		if ok {
			t.Topic = topic
		}
	}
	if t.Value == "" && ok {
		t.Value = value
	}
	return t
}

// title is what a preference is called: it stands alone at the start of a session.
func (t taste) title() string {
	s, _ := text.Cut(t.Topic+": "+text.Line(t.Value), record.MaxTitle)
	return s
}

// sections are the text sections of a preference, in their order.
func (t taste) sections() [][2]string {
	list := func(items []string) string {
		var b strings.Builder
		for _, it := range items {
			b.WriteString("- " + text.Line(it) + "\n")
		}
		return b.String()
	}
	return [][2]string{{"Topic", t.Topic}, {"Value", t.Value}, {"Reason", t.Reason}, {"Strength", t.Strength}, {"Prefer", list(t.Prefer)}, {"Avoid", list(t.Avoid)}}
}

func strengths() []string { return []string{"strong", "default", "soft"} }

// check reports why t cannot be kept.
func (t taste) check() error {
	switch n := text.Runes(t.Topic); {
	case n == 0:
		return errors.New("a topic is needed")
	case n > maxTopic:
		return fmt.Errorf("the topic has %d characters, at most %d are allowed", n, maxTopic)
	case strings.TrimSpace(t.Value) == "":
		return errors.New("a value is needed")
	case t.Strength != "" && !slices.Contains(strengths(), t.Strength):
		return fmt.Errorf("strength %s is none of strong, default, soft", text.Quote(t.Strength))
	}
	return nil
}

// preferences returns the user's own, of these statuses.
func (s *shelf) preferences(status ...string) ([]*record.Record, error) {
	list, _, err := s.store.List(record.Filter{Project: record.User, Kinds: []string{"preference"}, Status: status})
	return list, err
}

// preference returns the one on this topic: an active one before one that was put away. nil when there is none.
func (s *shelf) preference(topic string) (*record.Record, error) {
	list, err := s.preferences(record.Statuses()...)
	if err != nil {
		return nil, err
	}
	var found *record.Record
	for _, r := range list {
		if record.Slug(tasteOf(r).Topic) != record.Slug(topic) && r.ID != topic {
			continue
		}
		if r.Status == record.Active {
			return r, nil
		}
		if found == nil {
			found = r
		}
	}
	return found, nil
}

// put makes a preference, or changes the one on its topic. What is not given stays as it is.
func (f *profileFlags) put(c *call, at *shelf, topic, value string) error {
	t := taste{text.Line(text.Private(topic)), strings.TrimSpace(value), f.reason, f.strength, f.prefer, f.avoid}
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
	r, verb, err := c.keepTaste(at, t)
	if err != nil {
		return recordError(err)
	}
	return c.saidOf(r, verb)
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

// keepTaste stores t and says what that was: set, changed or unchanged.
func (c *call) keepTaste(at *shelf, t taste) (r *record.Record, verb string, err error) {
	err = at.alone(func(at *shelf) error {
		r, verb, err = c.setTaste(at, t)
		return err
	})
	return r, verb, err
}

func (c *call) setTaste(at *shelf, t taste) (r *record.Record, verb string, err error) {
	old, err := at.preference(t.Topic)
	if err != nil {
		return nil, "", err
	}
	if old == nil {
		r := record.Record{Project: record.User, Kind: "preference", Title: t.title(), Slug: record.Slug(t.Topic), Tags: []string{"preference"}, Session: at.session, Source: at.by}
		for _, s := range t.sections() {
			if s[1] != "" {
				if r.Body, err = record.SetSection(r.Body, s[0], s[1]); err != nil {
					return nil, "", err
				}
			}
		}
		made, err := at.store.Create(r)
		if errors.As(err, new(*record.ExistsError)) { // something else goes by the name of the topic
			r.Slug = ""
			made, err = at.store.Create(r)
		}
		return made, "set", err
	}
	if old.Status != record.Active {
		restore := at.store.Restore
		if old.Status == record.Completed {
			restore = at.store.Reopen
		}
		if _, err := restore(old.ID, ""); err != nil {
			return nil, "", err
		}
	}
	verb = "unchanged"
	r, err = at.store.Update(old.ID, "", "", func(r *record.Record) error {
		was, next := tasteOf(r), t
		if next.Value == was.Value && old.Status == record.Active { // then what is given is added to
			next.Prefer, next.Avoid = added(was.Prefer, t.Prefer), added(was.Avoid, t.Avoid)
		}
		before := was.sections()
		for i, s := range next.sections() {
			_, there := record.Text(r.Body, s[0])
			if s[1] == "" || strings.TrimSpace(s[1]) == strings.TrimSpace(before[i][1]) && there {
				continue
			}
			if s[0] == "Topic" && there { // spelled as it was first
				continue
			}
			body, err := record.SetSection(r.Body, s[0], s[1])
			if err != nil {
				return err
			}
			r.Body = body
			if strings.TrimSpace(s[1]) != strings.TrimSpace(before[i][1]) {
				verb = "changed"
				field := strings.ToLower(s[0])
				r.Changes = append(slices.Clone(r.Changes), record.Change{Summary: "set " + field, Field: field, Old: brief(field, before[i][1]), New: brief(field, s[1])})
			}
		}
		next.Topic = was.Topic
		r.Title = next.title()
		return nil
	})
	if old.Status != record.Active {
		verb = "set again"
	}
	return r, verb, err
}

// brief is the value of a field as a record's history has room for it.
func brief(field, s string) string {
	if field == "prefer" || field == "avoid" {
		s = strings.Join(record.Items(s), " · ")
	}
	s, _ = text.Cut(text.Line(redact.Clean(text.Private(s))), 300)
	return s
}

func added(have, more []string) []string {
	out := slices.Clone(have)
	for _, s := range more {
		if !slices.Contains(out, text.Line(s)) {
			out = append(out, s)
		}
	}
	return out
}

// saidOf prints what became of a record.
func (c *call) saidOf(r *record.Record, verb string) error {
	if said := redact.Notice(r.Secrets); said != "" {
		fmt.Fprintf(c.Err, "memento: note: %s\n", said)
	}
	if c.json {
		fmt.Fprintf(c.Out, `{"version":1,"id":%s,"title":%s,"path":%s,"done":%s}`+"\n", quote(r.ID), quote(r.Title), quote(r.Path), quote(verb))
		return nil
	}
	fmt.Fprintf(c.Out, "%s: %s (%s)\n", verb, text.Line(r.Title), r.ID)
	return nil
}

// noTopic names the topics that may have been meant.
func (at *shelf) noTopic(form, topic string) error {
	var topics []string
	if list, err := at.preferences(record.Statuses()...); err == nil {
		for _, r := range list {
			topics = append(topics, text.Line(tasteOf(r).Topic))
		}
	}
	hint := "memento profile"
	if near := nearest(topic, topics); near != "" {
		hint = "did you mean " + text.Quote(near) + "?"
	}
	return &hintError{err: fmt.Errorf("profile %s: there is no preference on %s", form, text.Quote(topic)), hint: hint}
}

func (f *profileFlags) forget(c *call, at *shelf, topic string) error {
	var r *record.Record
	verb := "forgotten"
	if err := at.alone(func(at *shelf) (err error) {
		r, err = at.preference(topic)
		switch {
		case err != nil:
			return err
		case r == nil || !f.erase && r.Status != record.Active:
			return at.noTopic("forget", topic)
		case f.erase:
			verb = "erased"
			return at.store.Remove(r.ID)
		}
		reason := f.reason
		if strings.TrimSpace(reason) == "" {
			reason = "no longer wanted"
		}
		r, err = at.store.Retire(r.ID, "", reason)
		return err
	}); err != nil {
		return recordError(err)
	}
	return c.saidOf(r, verb)
}

// about is the record about the user, nil when there is none.
func (at *shelf) about() (*record.Record, error) {
	r, err := at.store.Read(profileID)
	if errors.Is(err, record.ErrNotFound) {
		return nil, nil
	}
	return r, err
}

// portrait is the profile as it is exported.
type portrait struct {
	Version     int      `json:"version"`
	Kind        string   `json:"kind"`
	Exported    string   `json:"exported"`
	About       string   `json:"about,omitempty"`
	Works       []string `json:"works,omitempty"`
	Not         []string `json:"does_not_work,omitempty"`
	Notes       string   `json:"notes,omitempty"`
	Preferences []taste  `json:"preferences"`
}

const portraitKind = "memento profile"

func (c *call) portrait(at *shelf) (p portrait, err error) {
	p = portrait{Version: 1, Kind: portraitKind, Exported: c.Now().UTC().Format(timeForm), Preferences: []taste{}}
	about, err := at.about()
	if err != nil {
		return p, err
	}
	if about != nil {
		section := func(heading string) string { s, _ := record.Text(about.Body, heading); return strings.TrimSpace(s) }
		p.About, p.Notes, p.Works, p.Not = section("About"), section("Notes"), record.Items(section("Works")), record.Items(section("Does Not Work"))
	}
	list, err := at.preferences(record.Active)
	if err != nil {
		return p, err
	}
	for _, r := range list {
		p.Preferences = append(p.Preferences, tasteOf(r))
	}
	slices.SortStableFunc(p.Preferences, func(a, b taste) int { return strings.Compare(a.Topic, b.Topic) })
	return p, nil
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
			old, _ := record.Text(r.Body, s.heading)
			words := s.words
			if s.items != nil {
				words = strings.TrimSpace(old)
				have := record.Items(old)
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
			if r.Body, err = record.SetSection(r.Body, s.heading, words); err != nil {
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
		if _, err := at.store.Restore(old.ID, ""); err != nil {
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
			out = append(out, fmt.Sprintf(`{"date":%s,"id":%s,"topic":%s,"summary":%s,"field":%s,"old":%s,"new":%s}`, quote(l.Date), quote(l.of.ID), quote(tasteOf(l.of).Topic), quote(l.Summary), quote(l.Field), quote(l.Old), quote(l.New)))
		}
		fmt.Fprintf(c.Out, `{"version":1,"changes":[%s]}`+"\n", strings.Join(out, ","))
		return nil
	}
	for _, l := range all {
		words := l.Summary
		if l.Field != "" {
			words += ": " + strings.TrimPrefix(l.Old+" -> "+l.New, " -> ")
		}
		fmt.Fprintf(c.Out, "%s  %s  %s\n", local(l.Date), text.Line(tasteOf(l.of).Topic), text.Line(words))
	}
	if len(all) == 0 {
		fmt.Fprintln(c.Out, "There is no history yet.")
	}
	return nil
}

func (f *profileFlags) export(c *call, at *shelf, name string) error {
	p, err := c.portrait(at)
	if err != nil {
		return recordError(err)
	}
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if name == "" || name == "-" {
		_, err := c.Out.Write(data)
		return err
	}
	path := c.at(name)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s: %w", path, fs.ErrExist)
		}
		return &hintError{err: fmt.Errorf("profile export: nothing is overwritten: %w", err), hint: "give another name, or - to print it"}
	}
	if err := safefile.Replace(path, data, 0o600); errors.Is(err, fs.ErrNotExist) {
		return &hintError{err: fmt.Errorf("profile export: %w", err), hint: "mkdir -p " + safefile.ShellWord(filepath.Dir(path))}
	} else if err != nil {
		return fmt.Errorf("profile export: %w", err)
	}
	if c.json {
		fmt.Fprintf(c.Out, `{"version":1,"path":%s,"preferences":%d}`+"\n", quote(path), len(p.Preferences))
		return nil
	}
	fmt.Fprintf(c.Out, "wrote %s: %s\n", text.Line(path), count(len(p.Preferences), "preference"))
	return nil
}

// at is the path that a person means by name.
func (c *call) at(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.Dir, name)
}

// step is one thing that an import would do, or not.
type step struct {
	What string `json:"what"` // new, same, conflict or refused
	Of   string `json:"of"`
	Why  string `json:"why,omitempty"`
	ID   string `json:"id,omitempty"`

	taste *taste
	about portrait
}

func (s step) print(c *call) {
	fmt.Fprintf(c.Out, "%-9s %s\n", s.What, text.Line(strings.TrimSuffix(s.Of+": "+s.Why, ": ")))
}

func (f *profileFlags) load(c *call, at *shelf, name string) error {
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(io.LimitReader(c.In, maxProfile))
	} else {
		data, err = safefile.ReadForeign(c.at(name), maxProfile)
	}
	if err != nil {
		return &hintError{err: fmt.Errorf("profile import: %w", err), hint: "memento profile export FILE writes such a file"}
	}
	var p portrait
	if err := json.Unmarshal(data, &p); err != nil || p.Kind != portraitKind || p.Version < 1 {
		return &hintError{err: fmt.Errorf("profile import: %s is no profile that memento wrote", text.Quote(name)), hint: "memento profile export FILE writes one; memento import reads other layouts"}
	}
	if p.Version > 1 {
		return &hintError{err: fmt.Errorf("profile import: it is of version %d, and this memento knows version 1", p.Version), hint: "update memento"}
	}
	steps, err := c.compare(at, p)
	if err != nil {
		return recordError(err)
	}
	fresh := 0
	for _, s := range steps {
		if s.What == "new" {
			fresh++
		}
		if !c.json {
			s.print(c)
		}
	}
	if !f.dry && fresh > 0 && c.Terminal && name != "-" && !f.yes && !c.json {
		fmt.Fprintf(c.Err, "Take over what is new (%d)? [y/N] ", fresh)
		answer, _ := bufio.NewReader(c.In).ReadString('\n')
		if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
			fmt.Fprintln(c.Err, "Nothing was imported.")
			return errSilent
		}
	}
	done := 0
	if !f.dry {
		if err := at.alone(func(at *shelf) (err error) {
			done, err = c.takeOver(at, p, steps)
			return err
		}); err != nil {
			return recordError(fmt.Errorf("profile import: %d of %d were taken over: %w", done, fresh, err))
		}
	}
	if c.json {
		data, err := json.Marshal(steps)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.Out, `{"version":1,"dry_run":%t,"imported":%d,"steps":%s}`+"\n", f.dry, done, data)
		return nil
	}
	verb := "taken over"
	if f.dry {
		verb, done = "would be taken over", fresh
	}
	fmt.Fprintf(c.Out, "%d of %d %s\n", done, len(steps), verb)
	if i := slices.IndexFunc(steps, func(s step) bool { return s.What == "conflict" }); i >= 0 {
		pasted := func(s, other string) string { // as a person can paste it, or a word for it
			if s == "" || s != text.Line(s) || text.Runes(s) > 80 {
				return other
			}
			return safefile.ShellWord(s)
		}
		how := "note --" + steps[i].Of + " " + pasted(steps[i].about.About+steps[i].about.Notes, "TEXT") + " takes the other text"
		if t := steps[i].taste; t != nil {
			how = "set " + pasted(t.Topic, "TOPIC") + " " + pasted(t.Value, "VALUE") + " takes the other value"
		}
		fmt.Fprintf(c.Err, "memento: hint: a conflict stays as it is here; memento profile %s\n", how)
	}
	return nil
}

// takeOver stores what of the steps is new, and still is; it returns how many that were. The shelf is held.
func (c *call) takeOver(at *shelf, p portrait, steps []step) (done int, err error) {
	now, err := c.compare(at, p)
	if err != nil {
		return 0, err
	}
	for i, s := range steps {
		if s.What != "new" {
			continue
		}
		var r *record.Record
		form := "note"
		switch {
		case now[i].What != "new": // since it was listed
			steps[i] = now[i]
		case s.taste != nil:
			r, _, err = c.keepTaste(at, *s.taste)
			form = "set"
		default:
			r, _, err = c.keepAbout(at, s.about)
		}
		if errors.As(err, new(*record.RemovedError)) {
			steps[i].What, err = "refused", nil
			steps[i].Why = "a record of this title was removed less than 24 hours ago; memento profile " + form + " writes it all the same"
		}
		switch {
		case err != nil:
			return done, err
		case r != nil:
			steps[i].ID = r.ID
			done++
		case !c.json:
			steps[i].print(c)
		}
	}
	return done, nil
}

// compare says of each thing in p whether it is new. What is there already stays as it is.
func (c *call) compare(at *shelf, p portrait) (steps []step, err error) {
	mine, err := c.portrait(at)
	if err != nil {
		return nil, err
	}
	steps = []step{}
	for _, one := range []struct {
		of, theirs, mine string
		about            portrait
	}{{"about", strings.TrimSpace(p.About), mine.About, portrait{About: p.About}}, {"notes", strings.TrimSpace(p.Notes), mine.Notes, portrait{Notes: p.Notes}}} {
		switch {
		case one.theirs == "":
		case one.mine == "":
			steps = append(steps, step{What: "new", Of: one.of, about: one.about})
		case one.mine == one.theirs:
			steps = append(steps, step{What: "same", Of: one.of})
		default:
			steps = append(steps, step{What: "conflict", Of: one.of, Why: "another text is there", about: one.about})
		}
	}
	for _, list := range []struct {
		of           string
		theirs, mine []string
		about        func(string) portrait
	}{{"works", p.Works, mine.Works, func(s string) portrait { return portrait{Works: []string{s}} }}, {"does not work", p.Not, mine.Not, func(s string) portrait { return portrait{Not: []string{s}} }}} {
		for _, s := range list.theirs {
			what := "new"
			if slices.Contains(list.mine, text.Line(s)) {
				what = "same"
			}
			steps = append(steps, step{What: what, Of: list.of, Why: s, about: list.about(s)})
		}
	}
	for _, t := range p.Preferences {
		t.Topic = text.Line(t.Topic)
		if err := t.check(); err != nil {
			steps = append(steps, step{What: "refused", Of: t.Topic, Why: err.Error()})
			continue
		}
		old, err := at.preference(t.Topic)
		if err != nil {
			return nil, err
		}
		s := step{What: "new", Of: t.Topic, Why: t.Value, taste: &t}
		switch {
		case slices.ContainsFunc(steps, func(s step) bool { return s.taste != nil && record.Slug(s.Of) == record.Slug(t.Topic) }):
			s.What, s.Why = "refused", "the topic stands there twice"
		case old == nil:
		case old.Status != record.Active:
			s.What, s.ID, s.Why = "conflict", old.ID, "it was put away here: memento profile set brings it back"
		case text.Fold(tasteOf(old).Value) == text.Fold(t.Value):
			s.What, s.ID = "same", old.ID
		default:
			s.What, s.ID, s.Why = "conflict", old.ID, fmt.Sprintf("here it is %s, there %s", text.Quote(tasteOf(old).Value), text.Quote(t.Value))
		}
		steps = append(steps, s)
	}
	return steps, nil
}
