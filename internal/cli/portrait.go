package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

const maxProfile = 4 << 20 // bytes of a file that is imported

// portrait is the profile as it is shown, exported and imported.
type portrait struct {
	Kind     string `json:"kind"`
	Exported string `json:"exported"`
	aboutUser
	Preferences []preference `json:"preferences"`
}

const portraitKind = "memento profile"

// portrait reads the profile.
func (c *call) portrait(at *shelf) (portrait, error) {
	p := portrait{Kind: portraitKind, Exported: c.Now().UTC().Format(time.RFC3339), Preferences: []preference{}}
	self, err := at.about()
	if err != nil {
		return p, err
	}
	if self != nil {
		readSections(self, &p.aboutUser)
	}
	mine, err := at.preferences()
	for _, r := range mine.all {
		if r.Status == schema.Active {
			p.Preferences = append(p.Preferences, mine.carried(r))
		}
	}
	slices.SortStableFunc(p.Preferences, func(a, b preference) int { return strings.Compare(a.Topic, b.Topic) })
	return p, err
}

func (f *profileFlags) export(c *call, at *shelf, words []string) error {
	p, err := c.portrait(at)
	if err != nil {
		return recordError(err)
	}
	data, err := json.MarshalIndent(json.RawMessage(versioned(p)), "", "  ")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	name := strings.Join(words, "")
	if name == "" || name == "-" {
		_, err := c.Out.Write(data)
		return err
	}
	path := c.absolute(name)
	switch err := safefile.Create(path, data, 0o600); {
	case errors.Is(err, fs.ErrExist):
		err = fmt.Errorf("profile export: nothing is overwritten: %w", err)
		return &hintError{err: err, hint: "give another name, or - to print it"}
	case errors.Is(err, fs.ErrNotExist):
		hint := "mkdir -p " + safefile.ShellWord(filepath.Dir(path))
		return &hintError{err: fmt.Errorf("profile export: %w", err), hint: hint}
	case err != nil:
		return fmt.Errorf("profile export: %w", err)
	}
	if c.json {
		c.printJSON(members{{"path", path}, {"preferences", len(p.Preferences)}})
		return nil
	}
	fmt.Fprintf(c.Out, "wrote %s: %s\n", text.Line(path), count(len(p.Preferences), "preference"))
	return nil
}

// step is one thing that an import would do, or not.
type step struct {
	What string `json:"what"` // new, same, conflict or refused
	Of   string `json:"of"`
	Why  string `json:"why,omitempty"`
	ID   string `json:"id,omitempty"`

	form  string                                  // of memento profile that writes it
	other string                                  // of a conflict: what follows form to take the other side
	keep  func(at *shelf) (*record.Record, error) // stores it
}

func (s step) print(c *call) {
	fmt.Fprintf(c.Out, "%-9s %s\n", s.What, text.Line(strings.TrimSuffix(s.Of+": "+s.Why, ": ")))
}

// readPortrait reads a profile that memento wrote, from the file with this name or, for "-", from standard input.
func (c *call) readPortrait(name string) (p portrait, err error) {
	var data []byte
	if name == "-" {
		data, err = io.ReadAll(io.LimitReader(c.In, maxProfile))
	} else {
		data, err = safefile.ReadForeign(c.absolute(name), maxProfile)
	}
	if err != nil {
		return p, &hintError{err: fmt.Errorf("profile import: %w",
			err), hint: "memento profile export FILE writes such a file"}
	}
	var is struct{ Version int }
	bad := errors.Join(json.Unmarshal(data, &is), json.Unmarshal(data, &p))
	if bad != nil || p.Kind != portraitKind || is.Version < 1 {
		err := fmt.Errorf("profile import: %s is no profile that memento wrote", text.Quote(name))
		hint := "memento profile export FILE writes one; memento import reads other layouts"
		return p, &hintError{err: err, hint: hint}
	}
	if is.Version > 1 {
		err := fmt.Errorf("profile import: it is of version %d, and this memento knows version 1", is.Version)
		return p, &hintError{err: err, hint: "update memento"}
	}
	return p, nil
}

func (f *profileFlags) load(c *call, at *shelf, words []string) error {
	name := words[0]
	p, err := c.readPortrait(name)
	if err != nil {
		return err
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
		if !c.agreed(bufio.NewReader(c.In), fmt.Sprintf("Take over what is new (%d)?", fresh)) {
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
		c.printJSON(members{{"dry_run", f.dry}, {"imported", done}, {"steps", steps}})
		return nil
	}
	verb := "taken over"
	if f.dry {
		verb, done = "would be taken over", fresh
	}
	fmt.Fprintf(c.Out, "%d of %d %s\n", done, len(steps), verb)
	if i := slices.IndexFunc(steps, func(s step) bool { return s.What == "conflict" }); i >= 0 {
		fmt.Fprintf(c.Err, "memento: hint: a conflict stays as it is here; memento profile %s %s\n", steps[i].form,
			steps[i].other)
	}
	return nil
}

// takeOver stores what of the steps is new, and still is; it returns how many that were. The shelf is held.
func (c *call) takeOver(at *shelf, p portrait, steps []step) (done int, err error) {
	now, err := c.compare(at, p)
	if err != nil {
		return 0, err
	}
	for i := range steps {
		s := &steps[i]
		if s.What != "new" {
			continue
		}
		var r *record.Record
		if now[i].What == "new" {
			r, err = s.keep(at)
		} else { // since it was listed
			*s = now[i]
		}
		if errors.Is(err, record.ErrRemoved) {
			s.What, err = "refused", nil
			s.Why = "a record of this title was removed less than 24 hours ago; " +
				"memento profile " + s.form + " writes it all the same"
		}
		switch {
		case err != nil:
			return done, err
		case r != nil:
			s.ID = r.ID
			done++
		case !c.json:
			s.print(c)
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
	self := func(of, why string, theirs aboutUser) step {
		return step{What: "new", Of: of, Why: why, form: "note", keep: func(at *shelf) (*record.Record, error) {
			r, _, err := at.keepAbout(theirs)
			return r, err
		}}
	}
	for _, one := range []struct {
		of, theirs, mine string
		about            aboutUser
	}{{"about", p.About, mine.About, aboutUser{About: p.About}},
		{"notes", p.Notes, mine.Notes, aboutUser{Notes: p.Notes}}} {
		s := self(one.of, "", one.about)
		switch theirs := strings.TrimSpace(one.theirs); {
		case theirs == "":
			continue
		case one.mine == theirs:
			s.What = "same"
		case one.mine != "":
			s.What, s.Why = "conflict", "another text is there"
			s.other = "--" + one.of + " " + pasted(one.theirs, "TEXT") + " takes the other text"
		}
		steps = append(steps, s)
	}
	list := func(of string, theirs, mine []string, view func(it []string) aboutUser) {
		for _, it := range theirs {
			s := self(of, it, view([]string{it}))
			if slices.Contains(mine, text.Line(it)) {
				s.What = "same"
			}
			steps = append(steps, s)
		}
	}
	list("works", p.Works, mine.Works, func(it []string) aboutUser { return aboutUser{Works: it} })
	list("does not work", p.Not, mine.Not, func(it []string) aboutUser { return aboutUser{Not: it} })
	held, err := at.preferences()
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, t := range p.Preferences {
		steps = append(steps, held.compare(t, seen))
	}
	return array(steps), nil
}

// compare says whether a preference of another machine is new. seen holds the topics that were compared before.
func (p preferences) compare(t preference, seen map[string]bool) step {
	t.Topic = text.Line(t.Topic)
	if err := t.check(); err != nil {
		return step{What: "refused", Of: t.Topic, Why: err.Error()}
	}
	s := step{What: "new", Of: t.Topic, Why: t.Value, form: "set", keep: func(at *shelf) (*record.Record, error) {
		r, _, err := at.keepPreference(t)
		return r, err
	}}
	s.other = pasted(t.Topic, "TOPIC") + " " + pasted(t.Value, "VALUE") + " takes the other value"
	old := p.on(t.Topic)
	switch {
	case seen[topicKey(t.Topic)]:
		s.What, s.Why = "refused", "the topic stands there twice"
	case old == nil:
	case old.Status != schema.Active:
		s.What, s.ID, s.Why = "conflict", old.ID, "it was put away here: memento profile set brings it back"
	case text.Fold(p.carried(old).Value) == text.Fold(t.Value):
		s.What, s.ID = "same", old.ID
	default:
		why := fmt.Sprintf("here it is %s, there %s", text.Quote(preferenceOf(old).Value), text.Quote(t.Value))
		s.What, s.ID, s.Why = "conflict", old.ID, why
	}
	seen[topicKey(t.Topic)] = true
	return s
}

// pasted is words as a person can paste them into a shell, or other where they are too many for that.
func pasted(words, other string) string {
	if words == "" || words != text.Line(words) || text.Runes(words) > 80 {
		return other
	}
	return safefile.ShellWord(words)
}
