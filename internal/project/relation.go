package project

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/safefile"
)

// ErrUnknown means that no project has the name.
var ErrUnknown = errors.New("no project has this name")

// Details lists the keys of the details that a project can have.
func Details() []string { return []string{"about", "type", "status", "role", "stack", "notes"} }

// Detail returns the project's detail with this key, one of Details; "" for none.
func (k Known) Detail(key string) string { return k.raw.Get(key).String() }

// Describe sets details of the project with this slug, by the keys in Details; "" removes one. Errors: ErrUnknown,
// safefile's; nothing is changed then.
func Describe(dir, slug string, details map[string]string, now time.Time, wait time.Duration) error {
	return edit(dir, now, wait, func(w Workspace) (string, error) {
		k, ok := w.Named(slug)
		if !ok {
			return "", fmt.Errorf("%w: %s", ErrUnknown, slug)
		}
		e := editor{raw: w.raw}
		for _, key := range Details() {
			switch words, given := details[key]; {
			case !given:
			case words == "":
				e.delete(fmt.Sprintf("projects.%d.%s", k.index, key))
			default:
				e.set(k, key, words)
			}
		}
		return e.raw, e.err
	})
}

// Relation says that From depends on To, is a fork of it, comes before it, or is related to it.
type Relation struct {
	From string `json:"from"`
	Kind string `json:"kind"` // one of RelationKinds
	To   string `json:"to"`
}

// RelationKinds lists the kinds of relations between two projects.
func RelationKinds() []string { return []string{"depends-on", "fork-of", "upstream-of", "related"} }

// Relations lists the relations between projects.
func (w Workspace) Relations() (out []Relation) { return relations(w.raw) }

func relations(raw string) (out []Relation) {
	gjson.Get(raw, "relations").ForEach(func(_, v gjson.Result) bool {
		if r := (Relation{v.Get("from").String(), v.Get("kind").String(), v.Get("to").String()}); r.From != "" &&
			r.To != "" {
			out = append(out, r)
		}
		return true
	})
	return out
}

// relations replaces each relation by the result of f. It drops a relation for which f returns false, and duplicates.
func (e *editor) relations(f func(Relation) (Relation, bool)) {
	old := relations(e.raw)
	var all []Relation
	for _, r := range old {
		if r, ok := f(r); ok && !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	if !slices.Equal(all, old) {
		e.put("relations", append([]Relation{}, all...))
	}
}

// Relate adds a relation between two known projects. Errors: ErrUnknown, safefile's; nothing is changed then.
func Relate(dir string, r Relation, now time.Time, wait time.Duration) error {
	return edit(dir, now, wait, func(w Workspace) (string, error) {
		for _, s := range [...]*string{&r.From, &r.To} {
			k, ok := w.Named(*s)
			if !ok {
				return "", fmt.Errorf("%w: %s", ErrUnknown, *s)
			}
			*s = k.Slug
		}
		if slices.Contains(w.Relations(), r) {
			return w.raw, nil
		}
		e := editor{raw: w.raw}
		e.put("relations", append(w.Relations(), r))
		return e.raw, e.err
	})
}

// Unrelate removes the relations between a and b, in either direction, and returns them.
func Unrelate(dir, a, b string, now time.Time, wait time.Duration) (gone []Relation, err error) {
	err = edit(dir, now, wait, func(w Workspace) (string, error) {
		for _, s := range [...]*string{&a, &b} {
			if k, ok := w.Named(*s); ok {
				*s = k.Slug
			}
		}
		e := editor{raw: w.raw}
		e.relations(func(r Relation) (Relation, bool) {
			if r.From == a && r.To == b || r.From == b && r.To == a {
				gone = append(gone, r)
				return r, false
			}
			return r, true
		})
		return e.raw, e.err
	})
	return gone, err
}

// RelationsOf returns what was said of how the project with this slug stands to others. A file that is missing or
// cannot be used says nothing.
func RelationsOf(dir, slug string) []Relation {
	data, err := safefile.Read(WorkspacePath(dir), maxWorkspace)
	if err != nil || !strings.Contains(string(data), `"relations"`) || !usable(data) {
		return nil
	}
	return slices.DeleteFunc(relations(string(data)), func(r Relation) bool { return r.From != slug && r.To != slug })
}
