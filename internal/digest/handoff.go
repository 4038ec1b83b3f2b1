package digest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/text"
)

// missing stands where a text was cut, and says by how much.
func missing(bytes int) string {
	return fmt.Sprintf("%s (%d more bytes: memento history)", text.Ellipsis, bytes)
}

// Draft is what a person or Claude adds to a handoff.
type Draft struct {
	Title string   // "": the mission
	Notes []string // go to the progress

	// Beside, unless nil, says of a session whether it goes on beside this one: what it handed over stays its own.
	Beside func(session string) bool
}

// Handed is a handoff that was made.
type Handed struct {
	*record.Record
	Replaced []string // ids of those that waited before
	Carried  []string // their items and notes that are not done yet
}

// Waiting lists the handoffs of a project that nobody has completed yet, newest first. Errors: those of
// record.Store.List.
func Waiting(s record.Store, project string) ([]*record.Record, error) {
	all, _, err := s.List(record.Filter{Project: project, Kinds: []string{"handoff"}})
	return all, err
}

// Handoff writes where the next session of a project goes on. What the handoffs that waited say is pending, blocked or
// next, and what was noted in them, goes along unless it is done by now, and they are completed, but for those of
// sessions beside this one. nil: there is nothing to hand over. Errors: those of record.Store; when the new record is
// there and an older one could not be completed, both are returned. Of several that are made at once each replaces the
// one before.
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
	name := d.Title
	if name == "" {
		name = w.Mission()
	}
	if name == "" && len(waiting) > 0 && len(d.Notes) > 0 {
		name = waiting[0].Title
	}
	if title(name) == "" {
		return nil, nil
	}
	out := &Handed{}
	pending, blockers, next := slices.Clone(w.Doing), w.blockers(), slices.Clone(w.Plan)
	for _, t := range w.Next {
		if !has(next, t) {
			pending = add(pending, t)
		}
	}
	carry := func(r *record.Record, heading string, to *[]string, done func(string) bool) {
		words, _ := markdown.Text(r.Body, heading)
		for _, it := range markdown.Items(words) {
			if it = text.Line(it); it == "" || done(it) || w.since(r.Created, it) {
				continue
			}
			if !has(pending, it) && !has(blockers, it) && !has(next, it) {
				*to, out.Carried = append(*to, it), append(out.Carried, it)
			}
		}
	}
	var notes []string
	for _, r := range slices.Backward(waiting) { // oldest first, as they were noted
		for _, n := range w.notesOf(r) {
			if !has(notes, n) && !has(d.Notes, n) {
				notes, out.Carried = append(notes, n), append(out.Carried, text.Line(n))
			}
		}
	}
	notes = append(notes, d.Notes...)
	for _, r := range waiting {
		carry(r, "Pending", &pending, w.did)
		carry(r, "Blockers", &blockers, func(it string) bool { return w.did(it) || w.solved(it) })
		carry(r, "Next Steps", &next, w.did)
	}
	refs, err := references(s, project, w, waiting)
	if err != nil {
		return nil, err
	}
	var p page
	p.text("Task", text.Line(w.Mission()))
	p.text("Progress", w.progress(notes))
	p.list("Completed", w.completed())
	p.list("Pending", pending)
	p.list("Blockers", blockers)
	p.list("Next Steps", next)
	p.list("References", refs)
	if p.body == "" {
		return nil, nil
	}
	if out.Record, err = create(s, record.Record{
		Kind: "handoff", Title: title(name), Project: project, Tags: []string{"handoff"}, Files: w.Files,
		Session: w.Session, Source: "memento handoff", Body: p.body,
	}); err != nil {
		return nil, err
	}
	for _, r := range waiting {
		if err := replace(s, r.ID, out.ID); err != nil {
			return out, err
		}
		out.Replaced = append(out.Replaced, r.ID)
	}
	return out, nil
}

// replace completes a handoff and notes in it what stands in its place.
func replace(s record.Store, id, by string) error {
	if _, err := s.Update(id, "", "replaced by "+by, func(r *record.Record) (err error) {
		r.Body, err = markdown.AppendSection(r.Body, "References", "- "+by)
		return err
	}); err != nil {
		return err
	}
	_, err := s.Move(id, "complete", "", "")
	return err
}

// progress is how far the work came: the tasks that are done, of how many, where it stands, and what was noted.
func (w Work) progress(notes []string) string {
	var out []string
	if w.tasks > 0 {
		out = append(out, fmt.Sprintf("%d/%d", w.finished, w.tasks))
	}
	if w.Wip != "" && !has(w.Doing, w.Wip) {
		out = append(out, w.Wip)
	}
	for _, n := range notes {
		if n = strings.TrimSpace(text.Private(n)); n != "" {
			out = append(out, n)
		}
	}
	return strings.Join(out, "\n\n")
}

// notesOf returns the notes of a handoff that waited: the paragraphs of its progress, but for how many tasks were done,
// what is done by now, and where the work of this same session stood then, which is known better now.
func (w Work) notesOf(r *record.Record) []string {
	words, _ := markdown.Text(r.Body, "Progress")
	return slices.DeleteFunc(paragraphs(words), func(n string) bool {
		var done, all int
		if _, err := fmt.Sscanf(n, "%d/%d", &done, &all); err == nil && n == fmt.Sprintf("%d/%d", done, all) {
			return true
		}
		return w.did(n) || w.since(r.Created, n) || has(w.Doing, n) || same(w.Wip, n) ||
			r.Session == w.Session && has(w.wips, n)
	})
}

// maxRefs is how many records, and commits, a handoff refers to: the newest.
const maxRefs = 10

// references lists the handoffs that this one replaces, the records that the session made or changed, its last commits,
// and the files it edited.
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
