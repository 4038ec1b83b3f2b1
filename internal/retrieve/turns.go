package retrieve

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
)

// followTurns returns the index of the turns, up to date with the sessions of q's project, or of all. It returns nil
// when it cannot read the sessions. Other errors stand beside an index in memory. The caller closes x.
func followTurns(s log.Store, q Query, r reach) (x *search.Index, err error) {
	from := search.Source{Turns: true, Files: map[string]safefile.Stamp{}, Said: r.said}
	isOut := func(slug string) bool {
		return q.Filter.Project != "" && naming.ProjectOrUser(slug) != q.Filter.Project
	}
	projects, err := s.Projects()
	if err != nil {
		return nil, err
	}
	for _, slug := range projects {
		if isOut(slug) {
			continue
		}
		sessions, err := s.Sessions(slug)
		if err != nil {
			return nil, err
		}
		for _, one := range sessions {
			at := safefile.Stamp{Size: one.Size, Time: one.Changed.UnixNano(), Number: one.Number}
			from.Files[search.SessionID(slug, one.ID)] = at
		}
	}
	from.Whole = func(id string) bool { // also of a project that is gone
		slug, _, _ := strings.Cut(id, "/")
		return !isOut(slug) || !slices.Contains(projects, slug)
	}
	from.Get = func(name string) (docs []search.Doc, err error) {
		slug, id, _ := strings.Cut(name, "/")
		turns, err := past.Read(s, slug, id)
		for _, t := range turns {
			docs = append(docs, turnDocs(slug, t)...)
		}
		return docs, err
	}
	dir := s.Dir
	if r.memory {
		dir = ""
	}
	x, _, err = search.Follow(dir, s.Wait, from)
	return x, err
}

// turnDocs returns the documents to index for a turn: what the user typed, and what Claude answered and did.
func turnDocs(project string, t past.Turn) []search.Doc {
	m := search.Meta{Type: search.Said, Project: project, Turn: t.N, Updated: t.Time.Unix()}
	doc := search.Doc{Meta: m, Body: t.Prompt}
	docs := []search.Doc{doc}
	if doc.Body = answerText(t); doc.Body != "" {
		doc.Type = search.Answer
		docs = append(docs, doc)
	}
	return docs
}

// answerText returns the text to index for what Claude answered in a turn, and did in it.
func answerText(t past.Turn) string {
	parts := []string{t.Answer}
	for _, r := range t.Ran {
		line := r.Cmd
		if r.Line != "" {
			line += " -> " + r.Line
		}
		parts = append(parts, line)
	}
	parts = append(parts, t.Commits...)
	if len(t.Files) > 0 {
		parts = append(parts, "Files: "+strings.Join(t.Files, ", "))
	}
	parts = append(parts, t.Asked) // the question that the prompt answers is Claude's too
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n")
}

// turnReader reads the turns of hits, each session once.
type turnReader struct {
	store log.Store
	read  map[[2]string][]past.Turn
}

// turn returns the turn of a hit. It returns false when the turn is gone.
func (r *turnReader) turn(h search.Hit) (past.Turn, bool) {
	at := [2]string{h.Project, h.Session}
	turns, ok := r.read[at]
	if !ok {
		turns, _ = past.Read(r.store, h.Project, h.Session) // what could be read before the error is enough
		if r.read == nil {
			r.read = map[[2]string][]past.Turn{}
		}
		r.read[at] = turns
	}
	i, ok := slices.BinarySearchFunc(turns, h.Turn, func(t past.Turn, n int) int { return cmp.Compare(t.N, n) })
	if !ok {
		return past.Turn{}, false
	}
	return turns[i], turns[i].Time.Unix() == h.Updated
}

// hasTurn reports whether a side of the turn is among found.
func hasTurn(found []Found, t past.Turn) bool {
	return slices.ContainsFunc(found, func(f Found) bool {
		return f.Type != search.Record && f.Turn.N == t.N && f.Turn.Session == t.Session && f.Turn.Project == t.Project
	})
}

// asks reports whether q asks for documents of this type. Turns have no kind, no status and no tags.
func (q Query) asks(typ string) bool {
	if typ != search.Record && (q.Filter.Kinds != nil || q.Filter.Status != nil || q.Filter.Tags != nil) {
		return false
	}
	return q.Types == nil || slices.Contains(q.Types, typ)
}

// minSession is how many characters of a session's id have to be given at least.
const minSession = 6

// ErrNoSession says that no session has this id.
var ErrNoSession = errors.New("there is no such session")

// Timeline returns the turns of the session whose id is, or alone begins with, name, in the project of this name, ""
// for all. Errors: ErrNoSession, *AmbiguousError, the disk's, beside the turns that could be read.
func Timeline(s log.Store, project, name string) (turns []past.Turn, err error) {
	found, err := sessionsNamed(s, name)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(one log.Session) bool {
		return project != "" && naming.ProjectOrUser(one.Project) != project
	})
	if whole := slices.IndexFunc(found, func(one log.Session) bool { return one.ID == name }); whole >= 0 {
		found = found[whole : whole+1]
	}
	switch len(found) {
	case 0:
		return nil, ErrNoSession
	case 1:
		return past.Read(s, found[0].Project, found[0].ID)
	}
	ambiguous := &AmbiguousError{Name: name}
	for _, one := range found {
		ambiguous.IDs = append(ambiguous.IDs, one.ID)
	}
	return nil, ambiguous
}

// sessionsNamed returns the sessions of all projects whose id is, or begins with, name. Errors: the disk's, beside the
// sessions that could be read.
func sessionsNamed(s log.Store, name string) (found []log.Session, err error) {
	projects, err := s.Projects()
	for _, slug := range projects {
		sessions, bad := s.Sessions(slug)
		for _, one := range sessions {
			if one.ID == name || len(name) >= minSession && strings.HasPrefix(one.ID, name) {
				found = append(found, one)
			}
		}
		err = cmp.Or(err, bad)
	}
	return found, err
}

// OnlyElsewhere reports whether name is, or begins, the id of a session of another project and of none of this one, so
// that to show it is to leave the project. It reports true when it cannot tell.
func OnlyElsewhere(s log.Store, project, name string) bool {
	found, err := sessionsNamed(s, name)
	return err != nil || len(found) > 0 && !slices.ContainsFunc(found, func(one log.Session) bool {
		return naming.ProjectOrUser(one.Project) == project
	})
}
