package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

const maxTopic = 60 // characters

// preference is one preference as it is shown, exported and imported.
type preference struct {
	Topic    string   `json:"topic"`
	Value    string   `json:"value"`
	Reason   string   `json:"reason,omitempty"`
	Strength string   `json:"strength,omitempty"`
	Prefer   []string `json:"prefer,omitempty"`
	Avoid    []string `json:"avoid,omitempty"`
}

// preferenceOf reads a preference; one that was saved by another way may have its value in the title alone.
func preferenceOf(r *record.Record) preference {
	section := func(heading string) string {
		s, _ := markdown.Text(r.Body, heading)
		return strings.TrimSpace(s)
	}
	t := preference{section("Topic"), section("Value"), section("Reason"), section("Strength"), markdown.Items(section("Prefer")), markdown.Items(section("Avoid"))}
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
func (t preference) title() string {
	s, _ := text.Cut(t.Topic+": "+text.Line(t.Value), record.MaxTitle)
	return s
}

// sections are the text sections of a preference, in their order.
func (t preference) sections() [][2]string {
	return [][2]string{{"Topic", t.Topic}, {"Value", t.Value}, {"Reason", t.Reason}, {"Strength", t.Strength}, {"Prefer", markdown.List(t.Prefer)}, {"Avoid", markdown.List(t.Avoid)}}
}

func strengths() []string { return []string{"strong", "default", "soft"} }

// check reports why t cannot be kept.
func (t preference) check() error {
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

// topicKey is what two topics share that are one: words that a hyphen or an underscore joins are words.
func topicKey(topic string) string {
	letters := []rune(topic)
	for i := 1; i+1 < len(letters); i++ {
		word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
		if (letters[i] == '-' || letters[i] == '_') && word(letters[i-1]) && word(letters[i+1]) {
			letters[i] = ' '
		}
	}
	return record.TitleKey(string(letters))
}

// topics are those of the user's preferences, by id, no two alike: of several records on one topic, as an import may have made them, the
// first active one has it, and the others a number behind it.
func (s *shelf) topics() (all []*record.Record, topic map[string]string, err error) {
	if all, err = s.preferences(record.Statuses()...); err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(all, func(a, b *record.Record) int {
		if (a.Status == record.Active) != (b.Status == record.Active) {
			if a.Status == record.Active {
				return -1
			}
			return 1
		}
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
	})
	topic = map[string]string{}
	taken := map[string]bool{}
	for _, r := range all {
		plain, _ := text.Cut(preferenceOf(r).Topic, maxTopic)
		name := plain
		for n := 2; taken[topicKey(name)]; n++ {
			number := fmt.Sprintf(" (%d)", n)
			short, _ := text.Cut(plain, maxTopic-len(number))
			name = short + number
		}
		taken[topicKey(name)] = true
		topic[r.ID] = name
	}
	return all, topic, nil
}

// preference returns the one on this topic: an active one before one that was put away. nil when there is none.
func (s *shelf) preference(topic string) (*record.Record, error) {
	all, topics, err := s.topics()
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		if topicKey(topics[r.ID]) == topicKey(topic) || r.ID == topic {
			return r, nil
		}
	}
	return nil, nil
}

// carried is a preference as it is carried to another machine: with a topic of its own and a value.
func carried(r *record.Record, topic string) preference {
	t := preferenceOf(r)
	if t.Topic = topic; strings.TrimSpace(t.Value) == "" {
		t.Value = r.Title
	}
	if !slices.Contains(strengths(), t.Strength) {
		t.Strength = ""
	}
	return t
}

// put makes a preference, or changes the one on its topic. What is not given stays as it is.
func (f *profileFlags) put(c *call, at *shelf, topic, value string) error {
	t := preference{text.Line(text.Private(topic)), strings.TrimSpace(value), f.reason, f.strength, f.prefer, f.avoid}
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
	r, verb, err := c.keepPreference(at, t)
	if err != nil {
		return recordError(err)
	}
	return c.saidOf(r, verb)
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
		r, err = at.store.Move(r.ID, "retire", "", reason)
		return err
	}); err != nil {
		return recordError(err)
	}
	return c.saidOf(r, verb)
}

// keepPreference stores t and says what that was: set, changed or unchanged.
func (c *call) keepPreference(at *shelf, t preference) (r *record.Record, verb string, err error) {
	err = at.alone(func(at *shelf) error {
		r, verb, err = c.setPreference(at, t)
		return err
	})
	return r, verb, err
}

func (c *call) setPreference(at *shelf, t preference) (r *record.Record, verb string, err error) {
	old, err := at.preference(t.Topic)
	if err != nil {
		return nil, "", err
	}
	if old == nil {
		r := record.Record{Project: record.User, Kind: "preference", Title: t.title(), Slug: record.Slug(t.Topic), Tags: []string{"preference"}, Session: at.session, Source: at.by}
		for _, s := range t.sections() {
			if s[1] != "" {
				if r.Body, err = markdown.SetSection(r.Body, s[0], s[1]); err != nil {
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
		back := "restore"
		if old.Status == record.Completed {
			back = "reopen"
		}
		if _, err := at.store.Move(old.ID, back, "", ""); err != nil {
			return nil, "", err
		}
	}
	verb = "unchanged"
	r, err = at.store.Update(old.ID, "", "", func(r *record.Record) error {
		was, next := preferenceOf(r), t
		if next.Value == was.Value && old.Status == record.Active { // then what is given is added to
			next.Prefer, next.Avoid = added(was.Prefer, t.Prefer), added(was.Avoid, t.Avoid)
		}
		before := was.sections()
		for i, s := range next.sections() {
			_, there := markdown.Text(r.Body, s[0])
			if s[1] == "" || strings.TrimSpace(s[1]) == strings.TrimSpace(before[i][1]) && there {
				continue
			}
			if s[0] == "Topic" && there { // spelled as it was first
				continue
			}
			body, err := markdown.SetSection(r.Body, s[0], s[1])
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
		s = strings.Join(markdown.Items(s), " · ")
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

// noTopic names the topics that may have been meant.
func (at *shelf) noTopic(form, topic string) error {
	var topics []string
	if _, named, err := at.topics(); err == nil {
		for _, name := range named {
			topics = append(topics, text.Line(name))
		}
		slices.Sort(topics)
	}
	hint := "memento profile"
	if near := nearest(topic, topics); near != "" {
		hint = "did you mean " + text.Quote(near) + "?"
	}
	return &hintError{err: fmt.Errorf("profile %s: there is no preference on %s", form, text.Quote(topic)), hint: hint}
}
