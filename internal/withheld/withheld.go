// Package withheld answers one question: may this be taken in? Not what was said while memento was told to look away
// (in a project, altogether, or in a session whose hooks are switched off), not what a person has forgotten, and
// nothing of a session from before it was forgotten. It keeps paused.json, a list of times, and erased.json, marks of
// what was erased; neither holds any words.
//
// What to do while paused and what to erase is decided above it. What stands between <private> tags is told by the
// text alone: text.Private takes it out.
package withheld

import "time"

// Session is what must be known of a session to answer for its transcript.
type Session struct {
	ID    string
	Slug  string    // of its project, "" outside any
	Since time.Time // what was said before it is forgotten as a whole
	// Same reports whether the transcript is the one in which a place was taken.
	Same func(offset int64, file string) bool
}

// Gate tells what of a session may be taken in.
type Gate struct {
	session Session
	now     time.Time
	paused  func(at time.Time, offset int64) bool
	marks   marks
}

// Open reads what is withheld in dir, memento's folder. While that cannot be told nothing may be taken in: the error is
// ErrPausesUnreadable or ErrMarksUnreadable.
func Open(dir string, s Session, now time.Time) (*Gate, error) {
	pauses := LoadPauses(dir)
	if pauses.err != nil {
		return nil, pauses.err
	}
	marks, err := loadMarks(dir)
	if err != nil {
		return nil, err
	}
	return &Gate{s, now, pauses.covering(Key(s.Slug), s.ID, now, s.Same), marks}, nil
}

// Lines returns a func that reports whether a line of the transcript is withheld. Ask it in the order of the file, with
// the line's time (RFC 3339) and where it begins; a line without a time counts as the one before it.
func (g *Gate) Lines() func(ts string, offset int64) bool {
	away := false
	return func(ts string, offset int64) bool {
		if at, err := time.Parse(time.RFC3339, ts); err == nil {
			away = g.forgotten(at) || g.paused(at, offset)
		}
		return away
	}
}

// forgotten reports whether what was typed at a time is forgotten. A clock that was ahead when that was noted does not
// withhold what was typed since it was put right.
func (g *Gate) forgotten(at time.Time) bool {
	since := g.session.Since
	return at.Before(since) && !(since.After(g.now) && !at.After(g.now))
}

// Erased reports whether the prompt, answer or call with this id was erased.
func (g *Gate) Erased(id string) bool { return g.marks.id(id) }

// ErasedWords reports whether these words, typed at ts (RFC 3339), were erased before their line was written.
func (g *Gate) ErasedWords(words, ts string) bool { return g.marks.spoken(words, ts) }

// NothingErased reports whether Erased and ErasedWords say no whatever they are asked.
func (g *Gate) NothingErased() bool { return g.marks.empty() }
