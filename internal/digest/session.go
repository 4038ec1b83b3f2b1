package digest

import (
	"errors"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

// Session writes the record of a session's outcome. It returns the record's id, or kept when there is nothing to write.
// When a session goes on and ends again, Session brings its record up to date. It finds the record by kept or, when
// kept is lost, by the name made of the mission and the session's id. A record that a person has changed stays as it
// is, and a record that a person removed is not written again. Session returns errors of record.Store; nothing was
// written then.
func Session(s record.Store, project string, w Work, kept string) (id string, err error) {
	if w.Mission() == "" {
		return kept, nil
	}
	r := record.Record{
		Kind: "session", Title: titleOf(w.Mission()), Project: project, Tags: []string{"session"}, Files: w.Files,
		Session: w.Session, Source: "SessionEnd", Body: w.sessionBody(), Sign: true,
	}
	r.Slug = slugOf(r.Title, w.Session)
	if kept == "" {
		made, err := create(s, r, func(old *record.Record) bool {
			if old.Session == w.Session {
				kept = old.ID
			}
			return kept != ""
		})
		switch {
		case err != nil:
			return "", err
		case kept == "":
			return made.ID, nil
		}
	}
	id, err = updateSession(s, kept, r)
	if errors.Is(err, record.ErrNotFound) {
		return kept, nil
	}
	return id, err
}

// slugOf returns the name of a session's record, which ends with the beginning of the session's id: so what several
// machines write stays apart. With "" the store makes the name of the title.
func slugOf(title, id string) string {
	id, _, _ = strings.Cut(id, "-")
	mine := []rune(naming.Slug(id))
	mine = mine[:min(len(mine), 12)]
	// The name is stored, so no secret may stand in it.
	words := []rune(naming.Slug("session " + redact.Clean(text.Private(title))))
	name := strings.TrimRight(string(words[:min(len(words), 49-len(mine))]), "-") + "-" + string(mine)
	if id == "" || naming.CheckSlug(name) != nil {
		return ""
	}
	return name
}

// updateSession brings the record of a session up to date with r, unless a person has changed it, and returns its id.
func updateSession(s record.Store, id string, r record.Record) (string, error) {
	now, err := s.Update(id, "", "", func(old *record.Record) error {
		if !old.Signed() {
			return nil
		}
		old.Body, old.Title, old.Sign = r.Body, r.Title, true
		for _, f := range r.Files {
			if !slices.Contains(old.Files, f) {
				old.Files = append(old.Files, f)
			}
		}
		return nil
	})
	if err != nil {
		return id, err
	}
	return now.ID, nil
}

// create writes a new record. Where a record of the same title exists, or was removed lately, create adds the time to
// the title; where isSame says that the other one is this one, it returns that instead. isSame may be nil.
func create(s record.Store, r record.Record, isSame func(old *record.Record) bool) (*record.Record, error) {
	made, err := s.Create(r)
	exists := (*record.ExistsError)(nil)
	if errors.As(err, &exists) && isSame != nil {
		if old, bad := s.Read(exists.ID); bad == nil && isSame(old) {
			return old, nil
		}
	}
	now, next := s.Now(), r
	for _, form := range [...]string{"2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02 15:04:05.000000"} {
		if !errors.As(err, &exists) && !errors.Is(err, record.ErrRemoved) {
			break
		}
		next.Title, next.Slug = naming.TitleBeside(r.Title, now.Format(form)), ""
		made, err = s.Create(next)
	}
	return made, err
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
