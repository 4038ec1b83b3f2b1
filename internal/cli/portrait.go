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

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

const maxProfile = 4 << 20 // bytes of a file that is imported

// portrait is the profile as it is exported.
type portrait struct {
	Version     int          `json:"version"`
	Kind        string       `json:"kind"`
	Exported    string       `json:"exported"`
	About       string       `json:"about,omitempty"`
	Works       []string     `json:"works,omitempty"`
	Not         []string     `json:"does_not_work,omitempty"`
	Notes       string       `json:"notes,omitempty"`
	Preferences []preference `json:"preferences"`
}

const portraitKind = "memento profile"

func (c *call) portrait(at *shelf) (p portrait, err error) {
	p = portrait{Version: 1, Kind: portraitKind, Exported: c.Now().UTC().Format(time.RFC3339), Preferences: []preference{}}
	about, err := at.about()
	if err != nil {
		return p, err
	}
	if about != nil {
		section := func(heading string) string { s, _ := markdown.Text(about.Body, heading); return strings.TrimSpace(s) }
		p.About, p.Notes, p.Works, p.Not = section("About"), section("Notes"), markdown.Items(section("Works")), markdown.Items(section("Does Not Work"))
	}
	all, topics, err := at.topics()
	if err != nil {
		return p, err
	}
	for _, r := range all {
		if r.Status == record.Active {
			p.Preferences = append(p.Preferences, carried(r, topics[r.ID]))
		}
	}
	slices.SortStableFunc(p.Preferences, func(a, b preference) int { return strings.Compare(a.Topic, b.Topic) })
	return p, nil
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
	path := c.absolute(name)
	switch err := safefile.Create(path, data, 0o600); {
	case errors.Is(err, fs.ErrExist):
		return &hintError{err: fmt.Errorf("profile export: nothing is overwritten: %w", err), hint: "give another name, or - to print it"}
	case errors.Is(err, fs.ErrNotExist):
		return &hintError{err: fmt.Errorf("profile export: %w", err), hint: "mkdir -p " + safefile.ShellWord(filepath.Dir(path))}
	case err != nil:
		return fmt.Errorf("profile export: %w", err)
	}
	if c.json {
		fmt.Fprintf(c.Out, `{"version":1,"path":%s,"preferences":%d}`+"\n", quote(path), len(p.Preferences))
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

	preference *preference
	about      portrait
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
		data, err = safefile.ReadForeign(c.absolute(name), maxProfile)
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
		if t := steps[i].preference; t != nil {
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
		case s.preference != nil:
			r, _, err = c.keepPreference(at, *s.preference)
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
		s := step{What: "new", Of: t.Topic, Why: t.Value, preference: &t}
		switch {
		case slices.ContainsFunc(steps, func(s step) bool { return s.preference != nil && topicKey(s.Of) == topicKey(t.Topic) }):
			s.What, s.Why = "refused", "the topic stands there twice"
		case old == nil:
		case old.Status != record.Active:
			s.What, s.ID, s.Why = "conflict", old.ID, "it was put away here: memento profile set brings it back"
		case text.Fold(carried(old, "").Value) == text.Fold(t.Value):
			s.What, s.ID = "same", old.ID
		default:
			s.What, s.ID, s.Why = "conflict", old.ID, fmt.Sprintf("here it is %s, there %s", text.Quote(preferenceOf(old).Value), text.Quote(t.Value))
		}
		steps = append(steps, s)
	}
	return steps, nil
}
