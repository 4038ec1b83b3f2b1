package digest

import (
	"errors"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/search"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
)

// Session writes what a session came to, and returns which record has it; the zero session.Kept when there is nothing
// to write. A session that goes on and ends again gets its own record brought up to date: by kept or, when that is
// lost, found by the name that its mission and its id give it; that nobody else has changed it, it says itself. What a
// person has changed in it stays, and is only added to; one that a person removed is not written again. Errors: those
// of record.Store; nothing was written then.
func Session(s record.Store, project string, w Work, kept session.Kept) (session.Kept, error) {
	if w.Mission() == "" {
		return kept, nil
	}
	body := w.session()
	name := title(w.Mission())
	if kept.ID != "" {
		switch _, err := s.Read(kept.ID); {
		case err == nil:
			return update(s, kept, body, name, w.Files)
		case !errors.Is(err, record.ErrNotFound):
			return kept, err
		}
	}
	if kept.ID != "" {
		if id := ofSession(s, project, w.Session); id != "" { // its project was renamed
			kept.ID = id
			return update(s, kept, body, name, w.Files)
		}
		return kept, nil
	}
	r := record.Record{
		Kind: "session", Title: name, Slug: slug(name, w.Session), Project: project, Tags: []string{"session"},
		Files: w.Files, Session: w.Session, Source: "SessionEnd", Body: body, Sign: true,
	}
	made, err := s.Create(r)
	if exists := (*record.ExistsError)(nil); errors.As(err, &exists) {
		if old, bad := s.Read(exists.ID); bad == nil && old.Session == w.Session {
			return update(s, session.Kept{ID: old.ID}, body, name, w.Files)
		}
	}
	if made == nil {
		made, err = again(s, r, err)
	}
	if made == nil {
		return kept, err
	}
	return session.Kept{ID: made.ID, Mark: mark(made.Body)}, nil
}

// own is what tells the name of a session's record from those of others, "" when the session's id has nothing for it.
func own(id string) string {
	if cut := strings.IndexByte(id, '-'); cut > 0 {
		id = id[:cut]
	}
	if name := naming.Slug(id); len(id) > 0 && naming.CheckSlug("session-"+name) == nil {
		return string([]rune(name)[:min(len([]rune(name)), 12)])
	}
	return ""
}

// slug names the record of a session, so that it is found without reading others; "" leaves it to the title.
func slug(title, id string) string {
	mine := own(id)
	words := []rune(naming.Slug("session " + redact.Clean(text.Private(title)))) // a name is stored as well
	for n := min(len(words), 49-len([]rune(mine))); mine != "" && n > len("session"); n-- {
		if name := strings.TrimRight(string(words[:n]), "-") + "-" + mine; naming.CheckSlug(name) == nil {
			return name
		}
	}
	return ""
}

// update brings the record of a session up to date.
func update(s record.Store, kept session.Kept, body, name string, files []string) (session.Kept, error) {
	ours := false
	r, err := s.Update(kept.ID, "", "", func(r *record.Record) error {
		if ours = r.Signed() || mark(r.Body) == kept.Mark; ours {
			r.Body, r.Title, r.Sign = body, name, true
		} else {
			var err error
			if r.Body, err = merged(r.Kind, r.Body, body); err != nil {
				return err
			}
		}
		for _, f := range files {
			if !slices.Contains(r.Files, f) {
				r.Files = append(r.Files, f)
			}
		}
		return nil
	})
	if err == nil && ours {
		kept.Mark = mark(r.Body)
	}
	return kept, err
}

// ofSession finds the record of a session by its name; "" for none. It reads the index, and of the records its own.
func ofSession(s record.Store, project, id string) (found string) {
	mine := own(id)
	x, err := search.Open(s.Dir)
	if err != nil || mine == "" {
		return ""
	}
	defer x.Close()
	among := func(m search.Meta) bool { return m.Kind == "session" && m.Project == project }
	// One that a damaged index does not name has its name still.
	_ = x.Each(search.Keep{Among: among}, func(m search.Meta) bool {
		if !strings.HasSuffix(m.ID, "-"+mine) {
			return true
		}
		if r, err := s.Read(m.ID); err == nil && r.Session == id {
			found = r.ID
		}
		return found == ""
	})
	return found
}

// create writes a new record. Where one of its title is there, or was removed lately, the time goes into the title of
// this one.
func create(s record.Store, r record.Record) (*record.Record, error) {
	if made, err := s.Create(r); made == nil {
		return again(s, r, err)
	} else { // that an older one of its kind could not be retired is no matter of this one
		return made, nil
	}
}

// again is create after it was tried once, with this error.
func again(s record.Store, r record.Record, err error) (made *record.Record, _ error) {
	now, next := s.Now(), r
	for _, form := range [...]string{"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02 15:04:05.000000"} {
		if !errors.As(err, new(*record.ExistsError)) && !errors.Is(err, record.ErrRemoved) {
			break
		}
		next.Title, next.Slug = naming.TitleBeside(r.Title, now.Format(form)), ""
		if made, err = s.Create(next); made != nil {
			return made, nil
		}
	}
	return nil, err
}

// session is the body of the record of a session.
func (w Work) session() string {
	var p page
	var goal []string
	for _, m := range w.Missions {
		goal = append(goal, text.Line(m))
	}
	p.text("Goal", strings.Join(goal, "\n\n"))
	p.text("Outcome", w.outcome())
	p.list("Completed", w.completed())
	p.list("In Progress", add(add(nil, w.Wip), w.Doing...))
	p.list("Blockers", w.blockers())
	p.list("Next Actions", add(slices.Clone(w.Plan), w.Next...))
	p.list("Key Changes", append(w.commits(), w.Files...))
	return p.body
}
