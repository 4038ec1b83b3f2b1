package past

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Position says which sessions of a project Each has passed on, and in which version. The zero Position is the
// beginning. The position that Each passes on changes with its next call of f: store its String, or Clone it.
type Position struct{ seen map[string]string }

// String packs the position, one line for each session.
func (p Position) String() string {
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(p.seen)) {
		b.WriteString(id + " " + p.seen[id] + "\n")
	}
	return b.String()
}

// PositionOf unpacks a position that String packed. It ignores lines of another form.
func PositionOf(s string) Position {
	p := Position{seen: map[string]string{}}
	for line := range strings.Lines(s) {
		if id, version, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok {
			p.seen[id] = version
		}
	}
	return p
}

// Clone returns a copy that shares nothing with p.
func (p Position) Clone() Position { return Position{maps.Clone(p.seen)} }

// Each calls f with the turns of each session of the project that is new or changed since from, oldest first, and with
// the position after them, until f returns false. All turns of such a session follow each other. Before those of a
// session that from knows, and for a session that is gone, it calls f with a Turn that has only Project and Session:
// whatever the caller holds of that session is old. A damaged session has the turns that can be read. Each lists the
// project's files and opens those that changed.
func (s Store) Each(project string, from Position, f func(Turn, Position) bool) error {
	at := from.Clone()
	if at.seen == nil {
		at.seen = map[string]string{}
	}
	sessions, err := s.Sessions(project)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, one := range sessions {
		there[one.ID] = true
	}
	for _, id := range slices.Sorted(maps.Keys(at.seen)) {
		if !there[id] {
			delete(at.seen, id)
			if !f(Turn{Project: project, Session: id}, at) {
				return nil
			}
		}
	}
	for _, one := range sessions {
		version := fmt.Sprintf("%s %d %d", one.Month, one.Size, one.Changed.UnixNano())
		was, known := at.seen[one.ID]
		if was == version {
			continue
		}
		j, _ := s.load(one.path)
		turns := j.live(project)
		at.seen[one.ID] = unfinished // a caller that stops among the turns gets them again
		if known && !f(Turn{Project: project, Session: sessionOf(one, j)}, at) {
			return nil
		}
		for i, t := range turns {
			if i == len(turns)-1 {
				at.seen[one.ID] = version
			}
			if !f(t, at) {
				return nil
			}
		}
		at.seen[one.ID] = version
	}
	return nil
}

// unfinished is the version of a session of which the caller took only a part.
const unfinished = "-"

// sessionOf returns the session's id as the client calls it.
func sessionOf(one Session, j *joiner) string {
	for _, t := range j.turns {
		return t.Session
	}
	return one.ID
}
