package withheld

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// What can be paused beside a project, which goes by its slug.
const (
	All     = "*" // everything
	Outside = "-" // work outside any project
)

const (
	maxPauses = 1 << 20 // bytes of paused.json
	// maxAge is how long a pause that is over is remembered: the client deletes transcripts after 30 days, unless it is
	// told to keep them longer.
	maxAge     = 400 * 24 * time.Hour
	maxWindows = 2000
	// plenty is how many pauses are remembered whatever their age: by a clock that is wrong for an hour, all are old.
	plenty = 200
	// shortest is how long a pause lasts at least: what is a moment old may get its time a moment later.
	shortest = time.Millisecond
	// setBack is how much earlier than its beginning a pause must end for the clock to have been set back meanwhile.
	setBack = time.Minute
)

// ErrPausesUnreadable is the reason when paused.json says nothing that can be understood. memento is then paused
// altogether.
var ErrPausesUnreadable = errors.New("paused.json cannot be read")

// window is one time of looking away, from From up to To, or to this day.
type window struct {
	Project string    `json:"project,omitempty"` // a slug, All or Outside
	Session string    `json:"session,omitempty"` // in place of a project: one whose hooks were switched off
	From    time.Time `json:"from"`
	To      time.Time `json:"to,omitzero"`
	Places  []span    `json:"places,omitempty"`
}

// Place is how far a transcript had been written.
type Place struct {
	Transcript string // its path, where nobody else knows which one is the session's
	Offset     int64
	File       string // what the file was recognised by; "" for one that was empty or missing
}

// span is the part of a session's transcript that was written during a pause.
type span struct {
	Session    string `json:"session"`
	Transcript string `json:"transcript,omitempty"`
	From       mark   `json:"from"`
	To         *mark  `json:"to,omitempty"` // nil while the pause goes on
}

type mark struct {
	Offset int64  `json:"offset,omitempty"`
	File   string `json:"file,omitempty"`
}

func (w window) open() bool { return w.To.IsZero() }

// place returns where the span of the session is, -1 for none.
func (w window) place(session string) int {
	return slices.IndexFunc(w.Places, func(s span) bool { return s.Session == session })
}

// covers reports whether a line at this offset of the session's transcript, written at a time, is of this pause. is
// reports whether the transcript is still the one in which a place was taken.
//
// A time that is still to come was noted by a clock that was ahead. An end to come is over all the same, but for
// lines of that clock; a line to come does not show that a pause had ended.
func (w window) covers(session string, at, now time.Time, offset int64, is func(offset int64, file string) bool) bool {
	inside := !at.Before(w.From) && (w.open() || at.Before(w.To))
	ahead := !w.open() && w.To.After(now)
	if i := w.place(session); i >= 0 && is(w.Places[i].From.Offset, w.Places[i].From.File) {
		s := w.Places[i]
		switch {
		case s.To != nil && is(s.To.Offset, s.To.File):
			if offset >= s.To.Offset { // written late, or after the pause
				return inside && !ahead
			}
		case !w.open():
			return inside && !(ahead && !at.After(now))
		}
		if offset >= s.From.Offset {
			return w.open() || at.Before(w.To) || at.After(now) // the prompt that ended it may stand there already
		}
	}
	return inside && !(ahead && !at.After(now))
}

// Pauses is what paused.json holds. The zero value has no pause.
type Pauses struct {
	windows []window
	err     error
}

type pauseFile struct {
	Version int      `json:"version"`
	Pauses  []window `json:"pauses"`
}

// pausedPath is where the list is kept in dir, memento's folder.
func pausedPath(dir string) string { return filepath.Join(dir, "paused.json") }

// LoadPauses reads the list. A missing file is an empty one; of one that cannot be read see Err.
func LoadPauses(dir string) Pauses {
	data, err := safefile.Read(pausedPath(dir), maxPauses)
	if errors.Is(err, fs.ErrNotExist) {
		return Pauses{}
	}
	var f pauseFile
	if err == nil && json.Unmarshal(data, &f) != nil { // its words are for programmers
		err = errors.New("it is not a list of pauses")
	}
	if err != nil {
		return Pauses{err: fmt.Errorf("%w: %w", ErrPausesUnreadable, err)}
	}
	return Pauses{windows: f.Pauses}
}

// Err is ErrPausesUnreadable when the list cannot be read, and everything is paused until somebody sees to that.
func (l Pauses) Err() error { return l.err }

// Key is what the project with this slug is paused by.
func Key(slug string) string {
	if slug == "" {
		return Outside
	}
	return slug
}

// Any reports whether anything but sessions may be paused now.
func (l Pauses) Any() bool {
	return l.err != nil || slices.ContainsFunc(l.windows, func(w window) bool { return w.open() && w.Session == "" })
}

// Since reports whether memento is paused by this key now, itself or with everything, and since when.
func (l Pauses) Since(key string) (since time.Time, paused bool) {
	for _, w := range l.windows {
		if w.open() && w.Session == "" && (w.Project == key || w.Project == All) && (!paused || w.From.Before(since)) {
			since, paused = w.From, true
		}
	}
	return since, paused || l.err != nil
}

// Only reports whether memento is paused by exactly this key now.
func (l Pauses) Only(key string) bool {
	return slices.ContainsFunc(l.windows, func(w window) bool {
		return w.open() && w.Session == "" && w.Project == key
	})
}

// Keys lists what is paused now, in the order it was paused.
func (l Pauses) Keys() (out []string) {
	for _, w := range l.windows {
		if w.open() && w.Session == "" {
			out = append(out, w.Project)
		}
	}
	return out
}

// Knows reports whether the project with this slug is or was paused.
func (l Pauses) Knows(slug string) bool {
	return slices.ContainsFunc(l.windows, func(w window) bool { return w.Session == "" && w.Project == slug })
}

// Muted reports whether the session's hooks were off when they last ran.
func (l Pauses) Muted(session string) bool {
	return session != "" && slices.ContainsFunc(l.windows, func(w window) bool {
		return w.open() && w.Session == session
	})
}

// covering returns a func that reports whether memento looked away from the session, in the project with this key,
// when a line at this offset of its transcript was written, at this time. is reports whether the transcript is the
// one in which a place was taken.
func (l Pauses) covering(key, session string, now time.Time,
	is func(offset int64, file string) bool) func(at time.Time, offset int64) bool {
	var own []window
	for _, w := range l.windows {
		if w.Session == "" && (w.Project == key || w.Project == All) || w.Session != "" && w.Session == session {
			own = append(own, w)
		}
	}
	same := map[mark]bool{} // asked once a place, not once a line
	cached := func(offset int64, file string) bool {
		m := mark{offset, file}
		if _, known := same[m]; !known {
			same[m] = offset == 0 || is(offset, file)
		}
		return same[m]
	}
	return func(at time.Time, offset int64) bool {
		return l.err != nil || slices.ContainsFunc(own, func(w window) bool {
			return w.covers(session, at, now, offset, cached)
		})
	}
}

// Pause begins a pause by this key at now, when the transcripts of the sessions that it is about had been written
// that far; one that runs goes on. Errors: ErrPausesUnreadable, safefile.ErrBusy, safefile.ErrRefused, or what the
// disk said; nothing is paused then.
func Pause(dir, key string, now time.Time, wait time.Duration, places map[string]Place) error {
	return change(dir, now, wait, func(l *Pauses) bool {
		if l.Only(key) {
			return false
		}
		w := window{Project: key, From: now.UTC()}
		for _, id := range slices.Sorted(maps.Keys(places)) {
			at := places[id]
			w.Places = append(w.Places, span{Session: id, From: mark{at.Offset, at.File}})
		}
		l.windows = append(l.windows, w)
		return true
	})
}

func (p Place) begin(session string) span {
	return span{Session: session, Transcript: p.Transcript, From: mark{p.Offset, p.File}}
}

// Met reports whether each pause that runs by this key knows where the session's transcript stood.
func (l Pauses) Met(key, session string) bool {
	return !slices.ContainsFunc(l.windows, func(w window) bool { return w.meets(key, session) })
}

// meets reports whether the pause runs by this key and has not met the session.
func (w window) meets(key, session string) bool {
	return w.open() && w.Session == "" && (w.Project == key || w.Project == All) && w.place(session) < 0
}

// Meet notes how far the transcript of a session had been written when memento first met it during a pause by this
// key. Errors: as of Pause.
func Meet(dir, key, session string, at Place, now time.Time, wait time.Duration) error {
	return change(dir, now, wait, func(l *Pauses) (changed bool) {
		for i := range l.windows {
			if w := &l.windows[i]; w.meets(key, session) {
				w.Places, changed = append(w.Places, at.begin(session)), true
			}
		}
		return changed
	})
}

// Unpause ends the pause by this key at now; written tells how far a session's transcript is written, "" for a path
// to look up. Without one it does nothing. Errors: as of Pause, and the pause goes on.
func Unpause(dir, key string, now time.Time, wait time.Duration, written func(session, transcript string) Place) error {
	return change(dir, now, wait, func(l *Pauses) bool {
		return l.end(now, shortest, written, func(w window) bool { return w.Session == "" && w.Project == key })
	})
}

// Mute notes that the session's hooks are off since from, when its transcript had been written as far as at says.
// Errors: as of Pause.
func Mute(dir, session string, from time.Time, wait time.Duration, at func() Place) error {
	if session == "" || LoadPauses(dir).Muted(session) {
		return nil
	}
	return change(dir, from, wait, func(l *Pauses) bool {
		if l.Muted(session) {
			return false
		}
		l.windows = append(l.windows, window{Session: session, From: from.UTC(), Places: []span{at().begin(session)}})
		return true
	})
}

// Unmute notes that the session's hooks are on again, since to; written tells how far a transcript is written.
// Errors: as of Pause.
func Unmute(dir, session string, to time.Time, wait time.Duration,
	written func(session, transcript string) Place) error {
	return change(dir, to, wait, func(l *Pauses) bool {
		// From is up to a second before the first event that found the hooks off; see hook.
		return l.end(to, time.Second, written, func(w window) bool { return w.Session != "" && w.Session == session })
	})
}

// RenamePauses makes each pause of the project from one of the project to as well; with over, those of from go. Both
// are paused between the two calls, so that nothing is captured that was not to be. Errors: as of Pause.
func RenamePauses(dir, from, to string, over bool, now time.Time, wait time.Duration) error {
	of := func(w window) bool { return w.Session == "" && w.Project == from }
	if l := LoadPauses(dir); l.err == nil && !slices.ContainsFunc(l.windows, of) {
		return nil
	}
	return change(dir, now, wait, func(l *Pauses) (changed bool) {
		for _, w := range slices.Clone(l.windows) {
			if !of(w) {
				continue
			}
			w.Project = to
			again := func(o window) bool { return o.Project == to && o.From.Equal(w.From) && o.To.Equal(w.To) }
			if !slices.ContainsFunc(l.windows, again) {
				l.windows, changed = append(l.windows, w), true
			}
		}
		if over {
			l.windows, changed = slices.DeleteFunc(l.windows, of), true
		}
		return changed
	})
}

// Past notes that nothing of these sessions from before now is to be captured, when their transcripts are written
// that far. Errors: as of Pause.
func Past(dir string, sessions map[string]Place, now time.Time, wait time.Duration) error {
	if len(sessions) == 0 {
		return nil
	}
	return change(dir, now, wait, func(l *Pauses) bool {
		begin := time.Unix(0, 0).UTC()
		l.windows = slices.DeleteFunc(l.windows, func(w window) bool {
			_, again := sessions[w.Session]
			return again && w.From.Equal(begin)
		})
		for _, id := range slices.Sorted(maps.Keys(sessions)) {
			at := sessions[id]
			w := window{Session: id, From: begin, To: now.UTC()}
			if at.Transcript != "" {
				w.Places = []span{{Session: id, To: &mark{at.Offset, at.File}}}
			}
			l.windows = append(l.windows, w)
		}
		return true
	})
}

// end closes the open windows that are meant, none of which was shorter than least, and reports whether there was one.
func (l *Pauses) end(to time.Time, least time.Duration, written func(session, transcript string) Place,
	meant func(window) bool) (ended bool) {
	for i := range l.windows {
		w := &l.windows[i]
		if !w.open() || !meant(*w) {
			continue
		}
		w.To, ended = to.UTC(), true
		if least := w.From.Add(least); w.To.Before(least) && w.From.Sub(w.To) < setBack {
			w.To = least
		}
		for k := range w.Places {
			at := written(w.Places[k].Session, w.Places[k].Transcript)
			w.Places[k].To = &mark{at.Offset, at.File}
		}
	}
	return ended
}

// change alters the list under its lock: read, change, replace durably. When f reports that there is nothing to change,
// nothing is written.
func change(dir string, now time.Time, wait time.Duration, f func(*Pauses) bool) error {
	unlock, err := safefile.LockIn(dir, "paused", wait)
	if err != nil {
		return err
	}
	defer unlock()
	l := LoadPauses(dir)
	if l.err != nil {
		return l.err
	}
	if !f(&l) {
		return nil
	}
	l.windows = slices.DeleteFunc(l.windows, func(w window) bool {
		last := w.To
		if w.open() {
			last = w.From
		}
		return len(l.windows) > plenty && now.Sub(last) > maxAge && (w.Session != "" || !w.open())
	})
	for len(l.windows) > maxWindows { // the oldest of a session that is over or was never heard of again
		at := slices.IndexFunc(l.windows, func(w window) bool { return w.Session != "" || !w.open() })
		if at < 0 {
			break
		}
		l.windows = slices.Delete(l.windows, at, at+1)
	}
	return write(dir, l.windows)
}

func write(dir string, windows []window) error {
	data, err := json.MarshalIndent(pauseFile{1, windows}, "", "  ")
	if err != nil {
		return err
	}
	return safefile.Replace(pausedPath(dir), append(data, '\n'), 0o600)
}

// Reset sets a list that cannot be read aside and begins a new one: nothing is paused any more. Since nobody knows
// what was, nothing from before now is captured any more either. Errors: as of Pause.
func Reset(dir string, now time.Time, wait time.Duration) (aside string, err error) {
	unlock, err := safefile.LockIn(dir, "paused", wait)
	if err != nil {
		return "", err
	}
	defer unlock()
	if aside, err = safefile.SetAside(pausedPath(dir), "corrupt", now); err != nil {
		return "", err
	}
	return aside, write(dir, []window{{Project: All, From: time.Unix(0, 0).UTC(), To: now.UTC()}})
}
