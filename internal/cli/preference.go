package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

const maxTopic = 60 // characters

// preference is a view of a record of the kind preference. Its JSON members are the sections of that kind.
type preference struct {
	Topic    string   `json:"topic"`
	Value    string   `json:"value"`
	Reason   string   `json:"reason,omitempty"`
	Strength string   `json:"strength,omitempty"`
	Prefer   []string `json:"prefer,omitempty"`
	Avoid    []string `json:"avoid,omitempty"`

	record *record.Record // nil for a preference that is not stored yet
	holds  bool           // sessions here get this preference
	noted  bool           // Claude wrote it
}

// aboutUser is a view of the record of the kind profile. Its JSON members are sections of that kind.
type aboutUser struct {
	About string   `json:"about,omitempty"`
	Works []string `json:"works,omitempty"`
	Not   []string `json:"does_not_work,omitempty"`
	Notes string   `json:"notes,omitempty"`
}

// readSections fills view, which is a *preference or an *aboutUser, from the sections of r.
func readSections(r *record.Record, view any) {
	k, _ := schema.Named(r.Kind)
	content := k.Content(r.Body)
	for key, v := range content {
		if s, ok := v.(string); ok {
			content[key] = strings.TrimSpace(s)
		}
	}
	_ = json.Unmarshal(jsonOf(content), view) // the members are strings and lists of strings, as in content
}

// writeSections puts view into the sections of r. A text replaces the old text. The items of a list replace the old
// list if replace is true; otherwise the new ones are added to it. An empty member changes nothing.
func writeSections(r *record.Record, view any, replace bool) (err error) {
	k, _ := schema.Named(r.Kind)
	given := map[string]json.RawMessage{}
	_ = json.Unmarshal(jsonOf(view), &given)
	for _, p := range k.Sections {
		words, write := "", markdown.SetSection
		old, exists := markdown.Text(r.Body, p.Heading)
		if p.List {
			var items []string
			_ = json.Unmarshal(given[p.Key()], &items)
			have := markdown.Items(old)
			old = markdown.List(have)
			if !replace {
				write = markdown.AppendSection
				items = slices.DeleteFunc(items, func(it string) bool {
					known := slices.Contains(have, text.OneLine(it))
					have = append(have, text.OneLine(it))
					return known
				})
			}
			words = markdown.List(items)
		} else {
			_ = json.Unmarshal(given[p.Key()], &words)
		}
		words = strings.TrimSpace(words)
		if words == "" || exists && words == strings.TrimSpace(old) {
			continue
		}
		if r.Body, err = write(r.Body, p.Heading, words); err != nil {
			return err
		}
	}
	return nil
}

// preferenceOf reads a preference. A record that another command saved may have its topic and value in its title alone.
func (s *shelf) preferenceOf(r *record.Record) preference {
	t := preference{record: r}
	readSections(r, &t)
	t.holds, t.noted = retrieve.Preferred(r, s.project)
	topic, value, ok := strings.Cut(r.Title, ": ")
	if !ok {
		value = r.Title
	}
	t.Topic, t.Value = cmp.Or(t.Topic, topic), cmp.Or(t.Value, value)
	if !slices.Contains(strengths(), t.Strength) {
		t.Strength = ""
	}
	return t
}

// title returns the title of the record. A session gets the title alone.
func (t preference) title() string {
	s, _ := text.Cut(t.Topic+": "+text.OneLine(t.Value), schema.MaxTitle)
	return s
}

// changesTo lists the members in which next differs from t, as entries of a record's history.
func (t preference) changesTo(next preference) (changes []record.Change) {
	members := func(t preference) [6]string {
		return [...]string{t.Topic, t.Value, t.Reason, t.Strength,
			strings.Join(t.Prefer, " · "), strings.Join(t.Avoid, " · ")}
	}
	brief := func(s string) string {
		s, _ = text.Cut(text.OneLine(redact.Clean(text.Private(s))), 300)
		return s
	}
	was, is := members(t), members(next)
	for i, name := range [...]string{"topic", "value", "reason", "strength", "prefer", "avoid"} {
		if was[i] != is[i] {
			changes = append(changes,
				record.Change{Summary: "set " + name, Field: name, Old: brief(was[i]), New: brief(is[i])})
		}
	}
	return changes
}

// strengths lists the values that the strength of a preference may have.
func strengths() []string {
	k, _ := schema.Named("preference")
	p, _ := k.Part("strength")
	return p.Values
}

// check reports, as a *usageError, why t cannot be kept.
func (t preference) check() error {
	const example = `memento profile set indentation "tabs"`
	switch n := text.Runes(t.Topic); {
	case n == 0:
		return usage(example, "a topic is needed")
	case n > maxTopic:
		return usage(example, "the topic has %d characters, at most %d are allowed", n, maxTopic)
	case strings.TrimSpace(t.Value) == "":
		return usage(example, "a value is needed")
	case t.Strength != "" && !slices.Contains(strengths(), t.Strength):
		return usage(oneOf(t.Strength, strengths()), "strength %s is none of %s", text.Quote(t.Strength),
			strings.Join(strengths(), ", "))
	}
	return nil
}

// preferences are those of the user or of one project. Their topics differ.
type preferences []preference

// preferences reads the preferences of a project or of naming.User, whatever their status: active ones first, then
// older ones. An import may have made several records on one topic: the first one has the topic, and the topics of the
// others get a number. Files that cannot be read are problems.
func (s *shelf) preferences(project string) (out preferences, problems []record.Problem, err error) {
	list, problems, err := s.store.List(
		record.Filter{Project: project, Kinds: []string{"preference"}, Status: schema.Statuses()})
	slices.SortFunc(list, func(a, b *record.Record) int {
		if one := a.Status == schema.Active; one != (b.Status == schema.Active) {
			return map[bool]int{true: -1, false: 1}[one]
		}
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
	})
	taken := map[string]bool{}
	for _, r := range list {
		t := s.preferenceOf(r)
		whole, _ := text.Cut(t.Topic, maxTopic)
		t.Topic = whole
		for n := 2; taken[topicKey(t.Topic)]; n++ {
			number := fmt.Sprintf(" (%d)", n)
			short, _ := text.Cut(whole, maxTopic-len(number))
			t.Topic = short + number
		}
		taken[topicKey(t.Topic)] = true
		out = append(out, t)
	}
	return out, problems, err
}

// holding returns the preferences that sessions here get, by topic.
func (p preferences) holding() preferences {
	held := slices.DeleteFunc(array(p), func(t preference) bool { return !t.holds })
	slices.SortStableFunc(held, func(a, b preference) int { return strings.Compare(a.Topic, b.Topic) })
	return held
}

// on returns the preference with this topic or record id, nil if there is none.
func (p preferences) on(topic string) *preference {
	for i, t := range p {
		if topicKey(t.Topic) == topicKey(topic) || t.record.ID == topic {
			return &p[i]
		}
	}
	return nil
}

// none is the error for a topic without a preference. It names the topic that the user may have meant.
func (p preferences) none(form, topic string) error {
	var topics []string
	for _, t := range p {
		topics = append(topics, text.Line(t.Topic))
	}
	slices.Sort(topics)
	hint := "memento profile"
	if near := nearest(topic, topics); near != "" {
		hint = "did you mean " + text.Quote(near) + "?"
	}
	return hinted(hint, "profile %s: there is no preference on %s", form, text.Quote(topic))
}

// topicKey returns the same key for spellings of one topic: a hyphen or underscore inside a word counts as a space.
func topicKey(topic string) string {
	letters := []rune(topic)
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for i := 1; i+1 < len(letters); i++ {
		if (letters[i] == '-' || letters[i] == '_') && isWord(letters[i-1]) && isWord(letters[i+1]) {
			letters[i] = ' '
		}
	}
	return naming.TitleKey(string(letters))
}

// keepPreference stores t as a preference of the user. Empty members leave the stored ones as they are. The verb says
// what happened: set, set again, changed or unchanged. Two calls at once on one topic make one record.
func (s *shelf) keepPreference(t preference) (r *record.Record, verb string, err error) {
	err = s.alone(func(s *shelf) error {
		mine, _, err := s.preferences(naming.User)
		if err != nil {
			return err
		}
		if old := mine.on(t.Topic); old != nil {
			r, verb, err = s.changePreference(old.record, t)
			return err
		}
		verb = "set"
		r, err = s.create(record.Record{Kind: "preference", Title: t.title(), Slug: naming.Slug(t.Topic)}, t)
		if errors.As(err, new(*record.ExistsError)) { // another record has the name of the topic
			r, err = s.create(record.Record{Kind: "preference", Title: t.title()}, t)
		}
		return err
	})
	return r, verb, err
}

// changePreference puts t into the record old and makes that record active.
func (s *shelf) changePreference(old *record.Record, t preference) (r *record.Record, verb string, err error) {
	r, err = s.change(old, func(r *record.Record) error {
		was, next := s.preferenceOf(r), t
		if _, exists := markdown.Text(r.Body, "Topic"); exists {
			next.Topic = "" // the first spelling stays
		}
		replace := t.Value != was.Value || old.Status != schema.Active // the examples belong to the value
		if err := writeSections(r, next, replace); err != nil {
			return err
		}
		r.Changes = append(slices.Clone(r.Changes), was.changesTo(s.preferenceOf(r))...)
		r.Title = preference{Topic: was.Topic, Value: t.Value}.title()
		return nil
	})
	switch {
	case old.Status != schema.Active:
		verb = "set again"
	case err == nil && r.Hash() != old.Hash():
		verb = "changed"
	default:
		verb = "unchanged"
	}
	return r, verb, err
}

// keepAbout adds a to the record about the user: it adds to its lists and replaces its texts.
func (s *shelf) keepAbout(a aboutUser) (r *record.Record, verb string, err error) {
	for _, list := range []*[]string{&a.Works, &a.Not} {
		*list = slices.Clone(*list)
		for i, it := range *list {
			(*list)[i] = text.OneLine(text.Private(it))
		}
	}
	verb = "noted"
	err = s.alone(func(s *shelf) error {
		old, err := s.about()
		if err != nil {
			return err
		}
		if old == nil {
			r, err = s.create(record.Record{Kind: "profile", Title: "Profile"}, a)
			return err
		}
		r, err = s.change(old, func(r *record.Record) error { return writeSections(r, a, false) })
		if err == nil && r.Hash() == old.Hash() {
			verb = "unchanged"
		}
		return err
	})
	return r, verb, err
}

// about returns the record about the user, nil if there is none.
func (s *shelf) about() (*record.Record, error) {
	r, err := s.store.Read(profileID)
	if errors.Is(err, record.ErrNotFound) {
		return nil, nil
	}
	return r, err
}

// create makes a record of the user with the sections of view.
func (s *shelf) create(r record.Record, view any) (*record.Record, error) {
	r.Project, r.Tags, r.Session, r.Source = naming.User, []string{r.Kind}, s.session, s.by
	if err := writeSections(&r, view, true); err != nil {
		return nil, err
	}
	return s.store.Create(r)
}

// change makes a record active, if it is not, and edits it.
func (s *shelf) change(old *record.Record, edit func(r *record.Record) error) (*record.Record, error) {
	if old.Status != schema.Active {
		if _, err := s.store.Move(old.ID, "restore", "", ""); err != nil {
			return nil, err
		}
	}
	return s.store.Update(old.ID, "", "", edit)
}
