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
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

const maxTopic = 60 // characters

// preference is a view of a record of that kind: as it is shown, exported and imported. Its members are the kind's
// sections.
type preference struct {
	Topic    string   `json:"topic"`
	Value    string   `json:"value"`
	Reason   string   `json:"reason,omitempty"`
	Strength string   `json:"strength,omitempty"`
	Prefer   []string `json:"prefer,omitempty"`
	Avoid    []string `json:"avoid,omitempty"`
}

// aboutUser is a view of the record about the user. Its members are sections of the kind profile.
type aboutUser struct {
	About string   `json:"about,omitempty"`
	Works []string `json:"works,omitempty"`
	Not   []string `json:"does_not_work,omitempty"`
	Notes string   `json:"notes,omitempty"`
}

// readSections fills view with the sections of r.
func readSections(r *record.Record, view any) {
	k, _ := schema.Named(r.Kind)
	content := k.Content(r.Body)
	for key, v := range content {
		if s, ok := v.(string); ok {
			content[key] = strings.TrimSpace(s)
		}
	}
	_ = json.Unmarshal(jsonOf(content), view) // texts and lists of them
}

// fillSections puts what view says into the sections of r: a text takes the place of the old one, the items of a list
// go behind those that are there or, with fresh, in their place. What view does not say stays. changed, unless nil, is
// told the heading of each section that says something else then.
func fillSections(r *record.Record, view any, fresh bool, changed func(heading, words string)) error {
	k, _ := schema.Named(r.Kind)
	given := map[string]json.RawMessage{}
	_ = json.Unmarshal(jsonOf(view), &given)
	for _, p := range k.Sections {
		var words string
		old, there := markdown.Text(r.Body, p.Heading)
		before := strings.TrimSpace(old)
		if p.List {
			var items []string
			_ = json.Unmarshal(given[p.Key()], &items)
			have := markdown.Items(old)
			if fresh {
				before = strings.TrimSpace(markdown.List(have))
			} else {
				items = missingIn(have, items)
			}
			if words = strings.TrimSpace(markdown.List(items)); !fresh && words != "" && before != "" {
				words = before + "\n" + words
			}
		} else {
			_ = json.Unmarshal(given[p.Key()], &words)
		}
		if same := strings.TrimSpace(words) == before; strings.TrimSpace(words) == "" || same && there {
			continue
		}
		body, err := markdown.SetSection(r.Body, p.Heading, words)
		if err != nil {
			return err
		}
		if r.Body = body; changed != nil {
			changed(p.Heading, words)
		}
	}
	return nil
}

// missingIn returns the items that have lacks, each once.
func missingIn(have, items []string) (out []string) {
	for _, it := range items {
		if !slices.Contains(have, text.Line(it)) && !slices.Contains(out, text.Line(it)) {
			out = append(out, it)
		}
	}
	return out
}

// preferenceOf reads a preference; one that was saved by another way may have its value in the title alone.
func preferenceOf(r *record.Record) (t preference) {
	readSections(r, &t)
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
	s, _ := text.Cut(t.Topic+": "+text.Line(t.Value), schema.MaxTitle)
	return s
}

// strengths are how much a preference can weigh.
func strengths() []string {
	k, _ := schema.Named("preference")
	p, _ := k.Part("strength")
	return p.Values
}

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

// preferences are the user's own, whatever their status, the active ones first, then the one made first.
type preferences struct {
	all    []*record.Record
	topics map[string]string // by id, no two alike
}

// preferences reads them. Of several records on one topic, as an import may have made them, the first active one has
// it, and the others a number behind it.
func (s *shelf) preferences() (p preferences, err error) {
	filter := record.Filter{Project: naming.User, Kinds: []string{"preference"}, Status: schema.Statuses()}
	if p.all, _, err = s.store.List(filter); err != nil {
		return p, err
	}
	active := func(r *record.Record) int { return map[bool]int{false: 1}[r.Status == schema.Active] }
	slices.SortStableFunc(p.all, func(a, b *record.Record) int {
		return cmp.Or(active(a)-active(b), a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
	})
	p.topics = map[string]string{}
	taken := map[string]bool{}
	for _, r := range p.all {
		plain, _ := text.Cut(preferenceOf(r).Topic, maxTopic)
		name := plain
		for n := 2; taken[topicKey(name)]; n++ {
			number := fmt.Sprintf(" (%d)", n)
			short, _ := text.Cut(plain, maxTopic-len(number))
			name = short + number
		}
		taken[topicKey(name)] = true
		p.topics[r.ID] = name
	}
	return p, nil
}

// on returns the one on this topic, or with this id; nil when there is none.
func (p preferences) on(topic string) *record.Record {
	for _, r := range p.all {
		if topicKey(p.topics[r.ID]) == topicKey(topic) || r.ID == topic {
			return r
		}
	}
	return nil
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
	return naming.TitleKey(string(letters))
}

// carried is a preference as it is carried to another machine: with its topic and a value.
func (p preferences) carried(r *record.Record) preference {
	t := preferenceOf(r)
	if t.Topic = p.topics[r.ID]; strings.TrimSpace(t.Value) == "" {
		t.Value = r.Title
	}
	if !slices.Contains(strengths(), t.Strength) {
		t.Strength = ""
	}
	return t
}

// none is the error of a topic that there is no preference on; it names the one that may have been meant.
func (p preferences) none(form, topic string) error {
	var topics []string
	for _, name := range p.topics {
		topics = append(topics, text.Line(name))
	}
	slices.Sort(topics)
	hint := "memento profile"
	if near := nearest(topic, topics); near != "" {
		hint = "did you mean " + text.Quote(near) + "?"
	}
	return &hintError{err: fmt.Errorf("profile %s: there is no preference on %s", form, text.Quote(topic)), hint: hint}
}

// keepPreference stores t and says what that was: set, set again, changed or unchanged. What t leaves out stays as it
// is. The shelf is held meanwhile: of two who set one topic at once, the later one changes what the first one made.
func (s *shelf) keepPreference(t preference) (r *record.Record, verb string, err error) {
	err = s.alone(func(s *shelf) (err error) {
		mine, err := s.preferences()
		if err != nil {
			return err
		}
		if old := mine.on(t.Topic); old != nil {
			r, verb, err = s.changePreference(old, t)
			return err
		}
		verb = "set"
		r, err = s.make(record.Record{Kind: "preference", Title: t.title(), Slug: naming.Slug(t.Topic)}, t)
		if errors.As(err, new(*record.ExistsError)) { // something else goes by the name of the topic
			r, err = s.make(record.Record{Kind: "preference", Title: t.title()}, t)
		}
		return err
	})
	return r, verb, err
}

// make creates a record of the user that says what view does.
func (s *shelf) make(r record.Record, view any) (*record.Record, error) {
	r.Project, r.Tags, r.Session, r.Source = naming.User, []string{r.Kind}, s.session, s.by
	if err := fillSections(&r, view, true, nil); err != nil {
		return nil, err
	}
	return s.store.Create(r)
}

// changePreference has the record of a preference say what t does, and makes it active.
func (s *shelf) changePreference(old *record.Record, t preference) (r *record.Record, verb string, err error) {
	if err := s.revive(old); err != nil {
		return nil, "", err
	}
	verb = "unchanged"
	r, err = s.store.Update(old.ID, "", "", func(r *record.Record) error {
		was, next := preferenceOf(r), t
		if _, there := markdown.Text(r.Body, "Topic"); there { // spelled as it was first
			next.Topic = ""
		}
		fresh := next.Value != was.Value || old.Status != schema.Active // else what is given is added to
		if err := fillSections(r, next, fresh, func(heading, words string) {
			field := strings.ToLower(heading)
			from := map[string]string{
				"topic": was.Topic, "value": was.Value, "reason": was.Reason, "strength": was.Strength,
				"prefer": markdown.List(was.Prefer), "avoid": markdown.List(was.Avoid),
			}[field]
			if strings.TrimSpace(words) != strings.TrimSpace(from) {
				verb = "changed"
				r.Changes = append(slices.Clone(r.Changes), record.Change{
					Summary: "set " + field, Field: field, Old: brief(field, from), New: brief(field, words),
				})
			}
		}); err != nil {
			return err
		}
		next.Topic = was.Topic
		r.Title = next.title()
		return nil
	})
	if old.Status != schema.Active {
		verb = "set again"
	}
	return r, verb, err
}

// revive makes a record active that was put away.
func (s *shelf) revive(r *record.Record) error {
	if r.Status == schema.Active {
		return nil
	}
	_, err := s.store.Move(r.ID, "restore", "", "")
	return err
}

// brief is the value of a field as a record's history has room for it.
func brief(field, s string) string {
	if field == "prefer" || field == "avoid" {
		s = strings.Join(markdown.Items(s), " · ")
	}
	s, _ = text.Cut(text.Line(redact.Clean(text.Private(s))), 300)
	return s
}
