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

// Session writes the record of a session's outcome, and returns which record that is, or kept when there is nothing to
// write. When a session goes on and ends again, Session brings its record up to date. It finds the record
// by kept or, when kept is lost, by the name made of the mission and the session's id. A record that a person has
// changed is only added to, and a record that a person removed is not written again. Session returns errors of
// record.Store; nothing was written then.
func Session(s record.Store, project string, w Work, kept session.WrittenRecord) (session.WrittenRecord, error) {
	if w.Mission() == "" {
		return kept, nil
	}
	body := w.sessionBody()
	name := titleOf(w.Mission())
	if kept.ID != "" {
		switch _, err := s.Read(kept.ID); {
		case err == nil:
			return updateSession(s, kept, body, name, w.Files)
		case !errors.Is(err, record.ErrNotFound):
			return kept, err
		}
	}
	if kept.ID != "" {
		if id := findSession(s, project, w.Session); id != "" { // the project was renamed
			kept.ID = id
			return updateSession(s, kept, body, name, w.Files)
		}
		return kept, nil
	}
	r := record.Record{
		Kind: "session", Title: name, Slug: slugOf(name, w.Session), Project: project, Tags: []string{"session"},
		Files: w.Files, Session: w.Session, Source: "SessionEnd", Body: body, Sign: true,
	}
	made, err := s.Create(r)
	if exists := (*record.ExistsError)(nil); errors.As(err, &exists) {
		if old, bad := s.Read(exists.ID); bad == nil && old.Session == w.Session {
			return updateSession(s, session.WrittenRecord{ID: old.ID}, body, name, w.Files)
		}
	}
	if made == nil {
		made, err = createBeside(s, r, err)
	}
	if made == nil {
		return kept, err
	}
	return session.WrittenRecord{ID: made.ID, Fingerprint: fingerprint(made.Body)}, nil
}

// nameSuffix returns the end of the name of a session's record: the beginning of the session's id, at most 12
// characters. It is "" when a name cannot hold the id.
func nameSuffix(id string) string {
	if cut := strings.IndexByte(id, '-'); cut > 0 {
		id = id[:cut]
	}
	if name := naming.Slug(id); len(id) > 0 && naming.CheckSlug("session-"+name) == nil {
		return string([]rune(name)[:min(len([]rune(name)), 12)])
	}
	return ""
}

// slugOf returns the name of a session's record, by which findSession finds it without reading other records. With ""
// the store makes the name of the title.
func slugOf(title, id string) string {
	mine := nameSuffix(id)
	// The name is stored, so no secret may stand in it.
	words := []rune(naming.Slug("session " + redact.Clean(text.Private(title))))
	for n := min(len(words), 49-len([]rune(mine))); mine != "" && n > len("session"); n-- {
		if name := strings.TrimRight(string(words[:n]), "-") + "-" + mine; naming.CheckSlug(name) == nil {
			return name
		}
	}
	return ""
}

// updateSession writes body and name into the record of a session. Where a person has changed the record, it only adds
// what the record lacks.
func updateSession(s record.Store, kept session.WrittenRecord, body, name string, files []string) (
	session.WrittenRecord, error,
) {
	ours := false
	r, err := s.Update(kept.ID, "", "", func(r *record.Record) error {
		if ours = r.Signed() || fingerprint(r.Body) == kept.Fingerprint; ours {
			r.Body, r.Title, r.Sign = body, name, true
		} else {
			var err error
			if r.Body, err = mergeBodies(r.Kind, r.Body, body); err != nil {
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
		kept.Fingerprint = fingerprint(r.Body)
	}
	return kept, err
}

// findSession returns the id of a session's record, "" for none. It looks for the name in the index, and reads only
// records of that name.
func findSession(s record.Store, project, id string) (found string) {
	mine := nameSuffix(id)
	x, err := search.Open(s.Dir)
	if err != nil || mine == "" {
		return ""
	}
	defer x.Close()
	among := func(m search.Meta) bool { return m.Kind == "session" && m.Project == project }
	// No error is returned: a record that a damaged index lacks is found when one of its name is created.
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

// create writes a new record. Where a record of the same title exists, or was removed lately, create adds the time to
// the title.
func create(s record.Store, r record.Record) (*record.Record, error) {
	if made, err := s.Create(r); made == nil {
		return createBeside(s, r, err)
	} else { // the record is there; an error says that an older one could not be retired
		return made, nil
	}
}

// createBeside goes on after Create returned err. While another record has or had the title, it tries again with the
// date and time behind the title.
func createBeside(s record.Store, r record.Record, err error) (made *record.Record, _ error) {
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

// sessionBody returns the body of a session's record.
func (w Work) sessionBody() string {
	var p page
	var goal []string
	for _, m := range w.Missions {
		goal = append(goal, text.OneLine(m))
	}
	p.addText("Goal", strings.Join(goal, "\n\n"))
	p.addText("Outcome", w.outcome())
	p.addList("Completed", w.completed())
	p.addList("In Progress", addItems(addItems(nil, w.Wip), w.Doing...))
	p.addList("Blockers", w.blockers())
	p.addList("Next Actions", addItems(slices.Clone(w.Plan), w.Next...))
	p.addList("Key Changes", append(w.commits(), w.Files...))
	return p.body
}
