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

// Keys that pause more than one project. The key of a project is its slug.
const (
	All     = "*" // everything
	Outside = "-" // work outside any project
)

const (
	maxPauses = 1 << 20 // bytes of paused.json
	// maxAge is how long the list keeps an ended pause. The client deletes transcripts after 30 days by default.
	maxAge     = 400 * 24 * time.Hour
	maxWindows = 2000
	// plenty is how many pauses the list keeps whatever their age: a clock that is wrong for an hour may make all
	// look old.
	plenty = 200
	// shortest is the least length of a pause: the client may write a line's time a moment late.
	shortest = time.Millisecond
	// setBack is how much earlier than its beginning a pause must end before memento concludes that the clock was set
	// back.
	setBack = time.Minute
)

// ErrPausesUnreadable means that paused.json is damaged. memento is then paused everywhere.
var ErrPausesUnreadable = errors.New("paused.json cannot be read")

// window is one pause, from From to To. It goes on without To.
type window struct {
	Project string    `json:"project,omitempty"` // a slug, All or Outside
	Session string    `json:"session,omitempty"` // in place of a project: one whose hooks were switched off
	From    time.Time `json:"from"`
	To      time.Time `json:"to,omitzero"`
	Places  []span    `json:"places,omitempty"`
}

// Place is the end of a transcript at some time.
type Place struct {
	Transcript string // its path, when it is not known from the session
	Offset     int64
	File       string // fingerprint of the file, "" for an empty or missing one
}

// span is the part of a session's transcript that was written during a pause.
type span struct {
	Session    string      `json:"session"`
	Transcript string      `json:"transcript,omitempty"`
	From       notedPlace  `json:"from"`
	To         *notedPlace `json:"to,omitempty"` // nil while the pause goes on
}

type notedPlace struct {
	Offset int64  `json:"offset,omitempty"`
	File   string `json:"file,omitempty"`
}

func (w window) open() bool { return w.To.IsZero() }

// place returns the index of the session's span, -1 for none.
func (w window) place(session string) int {
	return slices.IndexFunc(w.Places, func(s span) bool { return s.Session == session })
}

// covers reports whether the pause withholds a line at this offset of the session's transcript, written at a time. is
// reports whether the transcript is still the one in which a place was noted.
//
// A time in the future was noted by a clock that was ahead. A pause that ends in the future is over, except for lines
// of that clock. A line in the future does not prove that a pause had ended.
func (w window) covers(session string, at, now time.Time, offset int64, is func(offset int64, file string) bool) bool {
	inside := !at.Before(w.From) && (w.open() || at.Before(w.To))
	ahead := !w.open() && w.To.After(now)
	if i := w.place(session); i >= 0 && is(w.Places[i].From.Offset, w.Places[i].From.File) {
		s := w.Places[i]
		switch {
		case s.To != nil && is(s.To.Offset, s.To.File):
			if offset >= s.To.Offset { // written late or after the pause
				return inside && !ahead
			}
			if w.isPast() { // whatever the clock said
				return true
			}
		case !w.open():
			return inside && !(ahead && !at.After(now))
		}
		if offset >= s.From.Offset {
			return w.open() || at.Before(w.To) || at.After(now) // the prompt that ended it may stand there
		}
	}
	return inside && !(ahead && !at.After(now))
}

// isPast reports whether the window is one that Past noted: of everything that a session said until then.
func (w window) isPast() bool { return w.Session != "" && w.From.Equal(time.Unix(0, 0)) }

// Pauses is the content of paused.json. The zero value has no pause.
type Pauses struct {
	windows []window
	err     error
}

type pauseFile struct {
	Version int      `json:"version"`
	Pauses  []window `json:"pauses"`
}

// pausedPath returns the path of the list in dir, memento's folder.
func pausedPath(dir string) string { return filepath.Join(dir, "paused.json") }

// LoadPauses reads the list. A missing file is an empty list. For a damaged file see Err.
func LoadPauses(dir string) Pauses {
	data, err := safefile.Read(pausedPath(dir), maxPauses)
	if errors.Is(err, fs.ErrNotExist) {
		return Pauses{}
	}
	var f pauseFile
	if err == nil && json.Unmarshal(data, &f) != nil { // json's error would not help a person
		err = errors.New("it is not a list of pauses")
	}
	if err != nil {
		return Pauses{err: fmt.Errorf("%w: %w", ErrPausesUnreadable, err)}
	}
	return Pauses{windows: f.Pauses}
}

// Err returns ErrPausesUnreadable when the file is damaged. Everything is paused until somebody mends it.
func (l Pauses) Err() error { return l.err }

// Key returns the key that pauses the project with this slug.
func Key(slug string) string {
	if slug == "" {
		return Outside
	}
	return slug
}

// Any reports whether a project or everything may be paused now.
func (l Pauses) Any() bool {
	return l.err != nil || len(l.Keys()) > 0
}

// Since reports whether key is paused now, by itself or with everything, and since when.
func (l Pauses) Since(key string) (since time.Time, paused bool) {
	for _, w := range l.windows {
		if w.open() && w.Session == "" && (w.Project == key || w.Project == All) && (!paused || w.From.Before(since)) {
			since, paused = w.From, true
		}
	}
	return since, paused || l.err != nil
}

// Only reports whether key itself is paused now.
func (l Pauses) Only(key string) bool { return slices.Contains(l.Keys(), key) }

// Keys returns the keys that are paused now, in the order they were paused.
func (l Pauses) Keys() (out []string) {
	for _, w := range l.windows {
		if w.open() && w.Session == "" {
			out = append(out, w.Project)
		}
	}
	return out
}

// Muted reports whether the session's hooks were switched off at its last event.
func (l Pauses) Muted(session string) bool {
	return session != "" && slices.ContainsFunc(l.windows, func(w window) bool {
		return w.open() && w.Session == session
	})
}

// covering returns a func that reports whether a pause of key or of the session withholds a line, by the line's offset
// in the transcript and its time. is reports whether the transcript is the one in which a place was noted.
func (l Pauses) covering(key, session string, now time.Time,
	is func(offset int64, file string) bool) func(at time.Time, offset int64) bool {
	var own []window
	for _, w := range l.windows {
		if w.Session == "" && (w.Project == key || w.Project == All) || w.Session != "" && w.Session == session {
			own = append(own, w)
		}
	}
	same := map[notedPlace]bool{} // by place, so that is runs once for each place and not for each line
	cached := func(offset int64, file string) bool {
		m := notedPlace{offset, file}
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

// Pause begins a pause of key at now, unless one goes on. The places are the ends of the transcripts of the sessions
// in it. Errors: ErrPausesUnreadable, safefile.ErrBusy, safefile.ErrRefused, or the disk's; the list is unchanged
// then.
func Pause(dir, key string, now time.Time, wait time.Duration, places map[string]Place) error {
	return change(dir, now, wait, func(l *Pauses) bool {
		if l.Only(key) {
			return false
		}
		w := window{Project: key, From: now.UTC()}
		for _, id := range slices.Sorted(maps.Keys(places)) {
			at := places[id]
			w.Places = append(w.Places, span{Session: id, From: notedPlace{at.Offset, at.File}})
		}
		l.windows = append(l.windows, w)
		return true
	})
}

func (p Place) begin(session string) span {
	return span{Session: session, Transcript: p.Transcript, From: notedPlace{p.Offset, p.File}}
}

// Met reports whether each pause of key that goes on has a place in the session's transcript.
func (l Pauses) Met(key, session string) bool {
	return !slices.ContainsFunc(l.windows, func(w window) bool { return w.meets(key, session) })
}

// meets reports whether the pause has this key, goes on, and has no place in the session's transcript.
func (w window) meets(key, session string) bool {
	return w.open() && w.Session == "" && (w.Project == key || w.Project == All) && w.place(session) < 0
}

// Meet notes the end of a session's transcript when memento first met the session during a pause of key. Errors: as of
// Pause.
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

// Unpause ends the pause of key at now, if there is one. written returns the end of a session's transcript. It gets
// an empty path when it has to look the path up. Errors: as of Pause; the pause goes on then.
func Unpause(dir, key string, now time.Time, wait time.Duration, written func(session, transcript string) Place) error {
	return change(dir, now, wait, func(l *Pauses) bool {
		return l.end(now, shortest, written, func(w window) bool { return w.Session == "" && w.Project == key })
	})
}

// Mute notes that the session's hooks have been switched off since from, when its transcript ended at at. Errors: as
// of Pause.
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

// Unmute notes that the session's hooks are on again since to. written returns the end of a transcript. Errors: as of
// Pause.
func Unmute(dir, session string, to time.Time, wait time.Duration,
	written func(session, transcript string) Place) error {
	return change(dir, to, wait, func(l *Pauses) bool {
		// From is up to a second before the first event that found the hooks off; see hook.
		return l.end(to, time.Second, written, func(w window) bool { return w.Session != "" && w.Session == session })
	})
}

// Rename copies each pause and each forgotten phrase of the project from to the project to. With over it also removes
// those of from. Between two calls both projects have them, so that nothing is captured by mistake. Errors: as of Pause
// and Erasure.Add.
func Rename(dir, from, to string, over bool, now time.Time, wait time.Duration) error {
	if err := renameErased(dir, from, to, over, wait); err != nil {
		return err
	}
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

// Past withholds all words of these projects, by their keys, and of these sessions from before now. The places are the
// ends of the sessions' transcripts. Errors: as of Pause.
func Past(dir string, keys []string, sessions map[string]Place, now time.Time, wait time.Duration) error {
	return change(dir, now, wait, func(l *Pauses) bool {
		var past []window
		for _, id := range slices.Sorted(maps.Keys(sessions)) {
			w := window{Session: id}
			if at := sessions[id]; at.Transcript != "" {
				w.Places = []span{{Session: id, To: &notedPlace{at.Offset, at.File}}}
			}
			past = append(past, w)
		}
		for _, key := range keys {
			past = append(past, window{Project: key})
		}
		begin, again := time.Unix(0, 0).UTC(), map[[2]string]bool{}
		for i := range past {
			past[i].From, past[i].To = begin, now.UTC()
			again[[2]string{past[i].Project, past[i].Session}] = true
		}
		l.windows = append(slices.DeleteFunc(l.windows, func(w window) bool {
			return w.From.Equal(begin) && again[[2]string{w.Project, w.Session}]
		}), past...)
		return past != nil
	})
}

// end closes the open windows that match reports, at to or least after their beginning, whichever is later. It reports
// whether it closed one.
func (l *Pauses) end(to time.Time, least time.Duration, written func(session, transcript string) Place,
	match func(window) bool) (ended bool) {
	for i := range l.windows {
		w := &l.windows[i]
		if !w.open() || !match(*w) {
			continue
		}
		w.To, ended = to.UTC(), true
		if least := w.From.Add(least); w.To.Before(least) && w.From.Sub(w.To) < setBack {
			w.To = least
		}
		for k := range w.Places {
			at := written(w.Places[k].Session, w.Places[k].Transcript)
			w.Places[k].To = &notedPlace{at.Offset, at.File}
		}
	}
	return ended
}

// change reads the list under its lock, calls f, and replaces the file durably if f reports a change.
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
	for len(l.windows) > maxWindows { // the oldest pause of a session that has ended or never sent an event again
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

// Reset sets a damaged list aside and begins a new one without a pause. It withholds everything from before now, since
// nobody knows which pauses there were. Errors: as of Pause.
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
