// Package withheld answers one question: may memento take this in? It withholds words said during a pause (of a
// project, of everything, or of a session whose hooks are switched off), words that a person has forgotten, and all
// words of a session from before it was forgotten. It keeps paused.json, a list of times, and erased.json, fingerprints
// of what was erased from this store. Neither holds words.
//
// It does not decide what to do during a pause or what to erase. Words between <private> tags need no list:
// text.Private takes them out.
package withheld

import "time"

// Session says which transcript a Gate answers for.
type Session struct {
	ID    string
	Slug  string    // of its project, "" outside any
	Since time.Time // earlier words are forgotten
	// Same reports whether the transcript is the one in which a place was taken.
	Same func(offset int64, file string) bool
}

// Gate answers for one session: Lines whether a line was said at a time that is withheld, Erased whether words are.
type Gate struct {
	*Erased
	session Session
	now     time.Time
	paused  func(at time.Time, offset int64) bool
}

// Open reads both lists in dir, memento's folder. It returns ErrPausesUnreadable or ErrErasedUnreadable when a list is
// damaged: memento may take in nothing then.
func Open(dir string, s Session, now time.Time) (*Gate, error) {
	pauses := LoadPauses(dir)
	if pauses.err != nil {
		return nil, pauses.err
	}
	erased, err := LoadErased(dir)
	if err != nil {
		return nil, err
	}
	key := Key(s.Slug)
	return &Gate{erased.In(key), s, now, pauses.covering(key, s.ID, now, s.Same)}, nil
}

// Lines returns a func that reports whether a line of the transcript is withheld. Call it in the order of the file,
// with the line's time (RFC 3339) and its offset. A line without a time has the time of the line before it.
func (g *Gate) Lines() func(ts string, offset int64) bool {
	away := false
	return func(ts string, offset int64) bool {
		if at, err := time.Parse(time.RFC3339, ts); err == nil {
			away = g.forgotten(at) || g.paused(at, offset)
		}
		return away
	}
}

// forgotten reports whether words typed at a time are forgotten. It ignores a Since in the future: a clock that was
// ahead may not withhold words typed after the clock was set right.
func (g *Gate) forgotten(at time.Time) bool {
	since := g.session.Since
	return at.Before(since) && !(since.After(g.now) && !at.After(g.now))
}
