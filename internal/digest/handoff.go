package digest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// Draft holds what a person or Claude adds to a handoff.
type Draft struct {
	Title string   // "" for the mission
	Notes []string // paragraphs of the section Progress

	// Beside reports whether a session still runs beside this one. Its handoff is then left alone. nil means that none
	// does.
	Beside func(session string) bool
}

// Handed is a new handoff.
type Handed struct {
	*record.Record
	Replaced []string // ids of the handoffs that it replaces
	Carried  []string // the items and notes of those handoffs that are not done yet
}

// Waiting lists the handoffs of a project that nobody has completed yet, newest first. Errors: those of
// record.Store.List.
func Waiting(s record.Store, project string) ([]*record.Record, error) {
	all, _, err := s.List(record.Filter{Project: project, Kinds: []string{"handoff"}})
	return all, err
}

// Handoff writes the record with which the next session of a project goes on. The record replaces the handoffs that
// wait, but for those of sessions beside this one: it takes over their notes and their pending, blocked and next items
// that are not done yet, and completes them. Handoff returns nil when there is nothing to hand over. It returns errors
// of record.Store; when an older handoff could not be completed, it returns the new record and the error. Of several
// handoffs that are made at once, each replaces the one before.
func Handoff(s record.Store, project string, w Work, d Draft) (out *Handed, err error) {
	err = s.Alone(func(s record.Store) error {
		out, err = handoff(s, project, w, d)
		return err
	})
	return out, err
}

func handoff(s record.Store, project string, w Work, d Draft) (*Handed, error) {
	waiting, err := Waiting(s, project)
	if err != nil {
		return nil, err
	}
	waiting = slices.DeleteFunc(waiting, func(r *record.Record) bool {
		return r.Session != "" && r.Session != w.Session && d.Beside != nil && d.Beside(r.Session)
	})
	name := cmp.Or(d.Title, w.Mission())
	if name == "" && len(waiting) > 0 && len(d.Notes) > 0 {
		name = waiting[0].Title
	}
	if titleOf(name) == "" {
		return nil, nil
	}
	out := &Handed{}
	pending, blockers, next := slices.Clone(w.Doing), w.blockers(), slices.Clone(w.Plan)
	for _, t := range w.Next {
		if !hasItem(next, t) {
			pending = addItems(pending, t)
		}
	}
	carry := func(r *record.Record, heading string, to *[]string, done func(string) bool) {
		words, _ := markdown.Text(r.Body, heading)
		for _, it := range markdown.Items(words) {
			it = text.OneLine(it)
			if it != "" && !done(it) && !hasItem(pending, it) && !hasItem(blockers, it) && !hasItem(next, it) {
				*to, out.Carried = append(*to, it), append(out.Carried, it)
			}
		}
	}
	var notes []string
	for _, r := range slices.Backward(waiting) { // the oldest handoff first
		for _, n := range w.notesOf(r) {
			if !hasItem(notes, n) && !hasItem(d.Notes, n) {
				notes, out.Carried = append(notes, n), append(out.Carried, text.OneLine(n))
			}
		}
	}
	notes = append(notes, d.Notes...)
	for _, r := range waiting {
		carry(r, "Pending", &pending, w.isDone)
		carry(r, "Blockers", &blockers, func(it string) bool { return w.isDone(it) || w.isSolved(it) })
		carry(r, "Next Steps", &next, w.isDone)
	}
	refs, err := references(s, project, w, waiting)
	if err != nil {
		return nil, err
	}
	var p page
	p.addText("Task", text.OneLine(w.Mission()))
	p.addText("Progress", w.progress(notes))
	p.addList("Completed", w.completed())
	p.addList("Pending", pending)
	p.addList("Blockers", blockers)
	p.addList("Next Steps", next)
	p.addList("References", refs)
	if p.body == "" {
		return nil, nil
	}
	if out.Record, err = create(s, record.Record{
		Kind: "handoff", Title: titleOf(name), Project: project, Tags: []string{"handoff"}, Files: w.Files,
		Session: w.Session, Source: "memento handoff", Body: p.body,
	}, nil); err != nil {
		return nil, err
	}
	for _, r := range waiting {
		if err := completeReplaced(s, r.ID, out.ID); err != nil {
			return out, err
		}
		out.Replaced = append(out.Replaced, r.ID)
	}
	return out, nil
}

// completeReplaced completes the handoff id, and notes in it which record replaces it.
func completeReplaced(s record.Store, id, by string) error {
	if _, err := s.Update(id, "", "replaced by "+by, func(r *record.Record) (err error) {
		r.Body, err = markdown.AppendSection(r.Body, "References", "- "+by)
		return err
	}); err != nil {
		return err
	}
	_, err := s.Move(id, schema.Completed, "")
	return err
}

// progress returns the section Progress: how many of the tasks are done, where the work stands, and the notes.
func (w Work) progress(notes []string) string {
	var out []string
	if w.tasks > 0 {
		out = append(out, fmt.Sprintf("%d/%d", w.finished, w.tasks))
	}
	if w.Wip != "" && !hasItem(w.Doing, w.Wip) {
		out = append(out, w.Wip)
	}
	for _, n := range notes {
		if n = strings.TrimSpace(text.Private(n)); n != "" {
			out = append(out, n)
		}
	}
	return strings.Join(out, "\n\n")
}

// notesOf returns the notes of a waiting handoff: the paragraphs of its section Progress without the count of tasks,
// without what is done by now, and without where the work of this same session stood then.
func (w Work) notesOf(r *record.Record) []string {
	words, _ := markdown.Text(r.Body, "Progress")
	return slices.DeleteFunc(paragraphs(words), func(n string) bool {
		isCount := strings.Trim(n, "0123456789/") == ""
		return isCount || w.isDone(n) || hasItem(w.Doing, n) || saySame(w.Wip, n) ||
			r.Session == w.Session && hasItem(w.wips, n)
	})
}

// maxRefs is how many records, and how many commits, a handoff names: the newest.
const maxRefs = 10

// references lists the replaced handoffs, and the session's records, last commits and edited files.
func references(s record.Store, project string, w Work, waiting []*record.Record) (out []string, err error) {
	for _, r := range waiting {
		out = append(out, r.ID)
	}
	if w.Session != "" {
		all, _, err := s.List(record.Filter{Project: project})
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			if r.Session == w.Session && r.Kind != "handoff" && len(out) < maxRefs {
				out = append(out, r.ID)
			}
		}
	}
	commits := w.commits()
	out = append(out, commits[max(0, len(commits)-maxRefs):]...)
	return append(out, w.Files...), nil
}
