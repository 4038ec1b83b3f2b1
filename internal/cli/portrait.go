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

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

const maxProfile = 4 << 20 // bytes of a file to import

// portrait is the profile in JSON: what show prints, export writes and import reads.
type portrait struct {
	Kind     string `json:"kind"`
	Exported string `json:"exported"`
	aboutUser
	Preferences preferences `json:"preferences"`
}

const portraitKind = "memento profile"

// portrait reads the profile.
func (c *call) portrait(at *shelf) (p portrait, err error) {
	p = portrait{Kind: portraitKind, Exported: c.Now().UTC().Format(time.RFC3339)}
	self, err := at.about()
	if err != nil {
		return p, err
	}
	if self != nil {
		readSections(self, &p.aboutUser)
	}
	mine, _, err := at.preferences(naming.User)
	p.Preferences = mine.holding()
	return p, err
}

// exportFile writes the profile into a new file, or prints it.
func (f *profileFlags) exportFile(c *call, at *shelf, words []string) error {
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
		_, err := c.asItIs().Write(data)
		return err
	}
	path := c.absolute(name)
	switch err := safefile.Create(path, data, 0o600); {
	case errors.Is(err, fs.ErrExist):
		return hinted("give another name, or - to print it", "profile export: nothing is overwritten: %w", err)
	case errors.Is(err, fs.ErrNotExist):
		return hinted("mkdir -p "+safefile.ShellWord(filepath.Dir(path)), "profile export: %w", err)
	case err != nil:
		return fmt.Errorf("profile export: %w", err)
	}
	n := len(p.Preferences)
	return c.printAnswer(members{{"path", path}, {"preferences", n}},
		"wrote %s: %s", text.Line(path), count(n, "preference"))
}

// readPortrait reads an exported profile from a file, or from standard input for "-".
func (c *call) readPortrait(name string) (p portrait, err error) {
	var data []byte
	if name == "-" {
		data, err = io.ReadAll(io.LimitReader(c.In, maxProfile))
	} else {
		data, err = safefile.ReadForeign(c.absolute(name), maxProfile)
	}
	if err != nil {
		return p, hinted("memento profile export FILE writes such a file", "profile import: %w", err)
	}
	var is struct{ Version int }
	bad := errors.Join(json.Unmarshal(data, &is), json.Unmarshal(data, &p))
	if bad != nil || p.Kind != portraitKind || is.Version < 1 {
		return p, hinted("memento profile export FILE writes one; memento import reads other layouts",
			"profile import: %s is no profile that memento wrote", text.Quote(name))
	}
	if is.Version > 1 {
		return p, hinted("update memento",
			"profile import: it is of version %d, and this memento knows version 1", is.Version)
	}
	return p, nil
}

// step is one part of a profile to import.
type step struct {
	What string `json:"what"` // new, same, conflict, refused
	Of   string `json:"of"`
	Why  string `json:"why,omitempty"`
	ID   string `json:"id,omitempty"` // of its record

	form  string // the form of memento profile that stores the part
	other string // for a conflict: the arguments of that form, and what they do
	keep  func(at *shelf) (*record.Record, string, error)
}

func (s step) print(c *call) {
	if !c.json {
		fmt.Fprintf(c.Out, "%-9s %s\n", s.What, text.Line(strings.TrimSuffix(s.Of+": "+s.Why, ": ")))
	}
}

// importFile lists the parts of an exported profile and stores the new ones.
func (f *profileFlags) importFile(c *call, at *shelf, words []string) error {
	p, err := c.readPortrait(words[0])
	if err != nil {
		return err
	}
	steps, err := c.compare(at, p)
	if err != nil {
		return recordError(err)
	}
	fresh, done := 0, 0
	for _, s := range steps {
		if s.What == "new" {
			fresh++
		}
		s.print(c)
	}
	if !f.dry && fresh > 0 && c.Terminal && words[0] != "-" && !f.yes && !c.json {
		if !c.agreed(bufio.NewReader(c.In), fmt.Sprintf("Take over what is new (%d)?", fresh)) {
			fmt.Fprintln(c.Err, "Nothing was imported.")
			return errSilent
		}
	}
	if !f.dry {
		if err := at.alone(func(at *shelf) (err error) {
			done, err = c.storeNew(at, p, steps)
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

// storeNew stores the new parts of p and returns their number. The caller holds the lock. A part that is not new any
// more, because somebody stored it since steps were printed, is printed again and stays as it is.
func (c *call) storeNew(at *shelf, p portrait, steps []step) (done int, err error) {
	now, err := c.compare(at, p)
	if err != nil {
		return 0, err
	}
	for i, s := range now {
		if steps[i].What != "new" {
			continue
		}
		if s.What == "new" {
			r, _, err := s.keep(at)
			switch {
			case errors.Is(err, record.ErrRemoved):
				s.What = "refused"
				s.Why = "a record of this title was removed less than 24 hours ago; " +
					"memento profile " + s.form + " writes it all the same"
			case err != nil:
				return done, err
			default:
				s.ID = r.ID
				done++
			}
		}
		if steps[i] = s; s.What != "new" {
			s.print(c)
		}
	}
	return done, nil
}

// compare says for each part of p whether it is new here. It changes nothing.
func (c *call) compare(at *shelf, p portrait) (steps []step, err error) {
	mine, err := c.portrait(at)
	if err != nil {
		return nil, err
	}
	add := func(of, theirs string, have []string, isText bool, part aboutUser) {
		theirs = strings.TrimSpace(theirs)
		s := step{What: "new", Of: of, form: "note"}
		s.keep = func(at *shelf) (*record.Record, string, error) { return at.keepAbout(part) }
		if !isText {
			theirs = text.OneLine(theirs)
			s.Why = theirs
		}
		switch {
		case theirs == "":
			return
		case slices.Contains(have, theirs):
			s.What = "same"
		case isText && have[0] != "":
			s.What, s.Why = "conflict", "another text is there"
			s.other = "--" + of + " " + pasted(theirs, "TEXT") + " takes the other text"
		}
		steps = append(steps, s)
	}
	add("about", p.About, []string{mine.About}, true, aboutUser{About: p.About})
	add("notes", p.Notes, []string{mine.Notes}, true, aboutUser{Notes: p.Notes})
	for _, it := range p.Works {
		add("works", it, mine.Works, false, aboutUser{Works: []string{it}})
	}
	for _, it := range p.Not {
		add("does not work", it, mine.Not, false, aboutUser{Not: []string{it}})
	}
	stored, _, err := at.preferences(naming.User)
	seen := map[string]bool{}
	for _, t := range p.Preferences {
		steps = append(steps, stored.compare(t, seen))
	}
	return array(steps), err
}

// compare says whether a preference of another machine is new here. seen holds the topics that were compared before.
func (p preferences) compare(t preference, seen map[string]bool) step {
	t.Topic = text.OneLine(t.Topic)
	if err := t.check(); err != nil {
		return step{What: "refused", Of: t.Topic, Why: err.Error()}
	}
	s := step{What: "new", Of: t.Topic, Why: t.Value, form: "set",
		keep: func(at *shelf) (*record.Record, string, error) { return at.keepPreference(t) }}
	s.other = pasted(t.Topic, "TOPIC") + " " + pasted(t.Value, "VALUE") + " takes the other value"
	old := p.on(t.Topic)
	if old != nil {
		s.ID = old.record.ID
	}
	switch {
	case seen[topicKey(t.Topic)]:
		s.What, s.Why, s.ID = "refused", "the topic stands there twice", ""
	case old == nil:
	case old.record.Status != schema.Active:
		s.What, s.Why = "conflict", "it was put away here: memento profile set brings it back"
	case text.Fold(old.Value) == text.Fold(t.Value):
		s.What = "same"
	default:
		s.What = "conflict"
		s.Why = fmt.Sprintf("here it is %s, there %s", text.Quote(old.Value), text.Quote(t.Value))
	}
	seen[topicKey(t.Topic)] = true
	return s
}

// pasted returns words quoted for a shell, or other where they are too long for a person to paste.
func pasted(words, other string) string {
	if words == "" || words != text.OneLine(words) || text.Runes(words) > 80 {
		return other
	}
	return safefile.ShellWord(words)
}
