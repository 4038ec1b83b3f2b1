package withheld

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Keys that pause more than one project. The key of a project is its slug.
const (
	All     = "*" // everything
	Outside = "-" // work outside any project
)

const (
	maxPauses  = 1 << 20 // bytes of paused.json
	maxWindows = 2000
	// shortest is the least length of a pause: the client may write a line's time a moment late.
	shortest = time.Millisecond
	// shortestOff is that of a session's. It begins up to a second before the first event that found the hooks off.
	shortestOff = time.Second
	// setBack is how much earlier than its beginning a pause must end before memento concludes that the clock was set
	// back.
	setBack = time.Minute
)

// ErrPausesUnreadable means that paused.json is damaged. memento is then paused everywhere.
var ErrPausesUnreadable = errors.New("paused.json cannot be read")

// window is one pause, from From to To. It goes on without To.
type window struct {
	Key    string          `json:"key"`
	From   time.Time       `json:"from"`
	To     time.Time       `json:"to,omitzero"`
	Places map[string]span `json:"places,omitempty"` // by session
}

// span is the part of a session's transcript that was written during a pause.
type span struct {
	From Place  `json:"from,omitzero"`
	To   *Place `json:"to,omitempty"` // nil while the pause goes on
}

// Place is the end of a transcript at some time.
type Place struct {
	Transcript string `json:"transcript,omitempty"` // its path
	Offset     int64  `json:"offset,omitempty"`
	File       string `json:"file,omitempty"` // fingerprint of the file, "" for an empty or missing one
}

// beginning is when a pause begins that withholds all words from before it.
var beginning = time.Unix(0, 0).UTC()

func (w window) open() bool { return w.To.IsZero() }

// covers reports whether the pause withholds a line at this offset of the session's transcript, written at a time. is
// reports whether the transcript is still the one in which a place was noted.
//
// A time in the future was noted by a clock that was ahead. A pause that ends in the future is over, except for lines
// of that clock. A line in the future does not prove that a pause had ended.
func (w window) covers(session string, at, now time.Time, offset int64, is func(Place) bool) bool {
	inside := !at.Before(w.From) && (w.open() || at.Before(w.To))
	ahead := !w.open() && w.To.After(now)
	byTime := inside && !(ahead && !at.After(now))
	s, known := w.Places[session]
	switch {
	case !known || !is(s.From):
		return byTime
	case s.To != nil && is(*s.To):
		if offset >= s.To.Offset { // written late or after the pause
			return inside && !ahead
		}
		if w.From.Equal(beginning) { // whatever the clock said
			return true
		}
	case !w.open():
		return byTime
	}
	if offset >= s.From.Offset {
		return w.open() || at.Before(w.To) || at.After(now) // the prompt that ended it may stand there
	}
	return byTime
}

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

// sessionMark begins the key of a session. No slug has a space.
const sessionMark = "session "

// SessionKey returns the key that pauses a session, one whose hooks were switched off.
func SessionKey(id string) string { return sessionMark + id }

// Any reports whether a project or everything may be paused now.
func (l Pauses) Any() bool { return l.err != nil || len(l.Keys()) > 0 }

// Since reports whether the project key is paused now, by itself or with everything, and since when.
func (l Pauses) Since(key string) (since time.Time, paused bool) {
	for _, w := range l.windows {
		if w.open() && (w.Key == key || w.Key == All) && (!paused || w.From.Before(since)) {
			since, paused = w.From, true
		}
	}
	return since, paused || l.err != nil
}

// Only reports whether key itself is paused now.
func (l Pauses) Only(key string) bool {
	return slices.ContainsFunc(l.windows, func(w window) bool { return w.open() && w.Key == key })
}

// Keys returns the keys that are paused now, but for those of sessions, in the order they were paused.
func (l Pauses) Keys() (out []string) {
	for _, w := range l.windows {
		if w.open() && !strings.HasPrefix(w.Key, sessionMark) {
			out = append(out, w.Key)
		}
	}
	return out
}

// covering returns a func that reports whether a pause of key or of the session withholds a line, by the line's offset
// in the transcript and its time. is reports whether the transcript is the one in which a place was noted.
func (l Pauses) covering(key, session string, now time.Time,
	is func(offset int64, file string) bool) func(at time.Time, offset int64) bool {
	own := slices.DeleteFunc(slices.Clone(l.windows), func(w window) bool {
		return w.Key != key && w.Key != All && w.Key != SessionKey(session)
	})
	same := map[Place]bool{} // so that is runs once for each place and not for each line
	cached := func(p Place) bool {
		if _, known := same[p]; !known {
			same[p] = p.Offset == 0 || is(p.Offset, p.File)
		}
		return same[p]
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
	return change(dir, wait, func(l *Pauses) bool {
		if l.Only(key) {
			return false
		}
		w := window{Key: key, From: now.UTC(), Places: map[string]span{}}
		for id, at := range places {
			w.Places[id] = span{From: at}
		}
		l.windows = append(l.windows, w)
		return true
	})
}

// Met reports whether each pause of the project key that goes on has a place in the session's transcript.
func (l Pauses) Met(key, session string) bool {
	return !slices.ContainsFunc(l.windows, func(w window) bool { return w.meets(key, session) })
}

// meets reports whether the pause has this key, goes on, and has no place in the session's transcript.
func (w window) meets(key, session string) bool {
	_, known := w.Places[session]
	return w.open() && (w.Key == key || w.Key == All) && !known
}

// Meet notes the end of a session's transcript when memento first met the session during a pause of the project key.
// Errors: as of Pause.
func Meet(dir, key, session string, at Place, wait time.Duration) error {
	return change(dir, wait, func(l *Pauses) (changed bool) {
		for i := range l.windows {
			if w := &l.windows[i]; w.meets(key, session) {
				if w.Places == nil {
					w.Places = map[string]span{}
				}
				w.Places[session], changed = span{From: at}, true
			}
		}
		return changed
	})
}

// Unpause ends the pause of key at now, or a moment after its beginning when that is later. written returns the end of
// a transcript. Errors: as of Pause; the pause goes on then.
func Unpause(dir, key string, now time.Time, wait time.Duration, written func(transcript string) Place) error {
	return change(dir, wait, func(l *Pauses) (ended bool) {
		for i := range l.windows {
			w := &l.windows[i]
			if !w.open() || w.Key != key {
				continue
			}
			least := w.From.Add(shortest)
			if strings.HasPrefix(key, sessionMark) {
				least = w.From.Add(shortestOff)
			}
			if w.To, ended = now.UTC(), true; w.To.Before(least) && w.From.Sub(w.To) < setBack {
				w.To = least
			}
			for id, s := range w.Places {
				at := written(s.From.Transcript)
				w.Places[id] = span{s.From, &at}
			}
		}
		return ended
	})
}

// Rename copies each pause and each forgotten phrase of the project from to the project to. With over it also removes
// the pauses of from. Between two calls both projects have them, so that nothing is captured by mistake. Errors: as of
// Pause and Erasure.Add.
func Rename(dir, from, to string, over bool, wait time.Duration) error {
	if err := renameErased(dir, from, to, wait); err != nil {
		return err
	}
	return change(dir, wait, func(l *Pauses) (changed bool) {
		for _, w := range slices.Clone(l.windows) {
			if w.Key != from {
				continue
			}
			w.Key, changed = to, true
			l.windows = append(slices.DeleteFunc(l.windows, func(o window) bool {
				return o.Key == to && o.From.Equal(w.From) && o.To.Equal(w.To)
			}), w)
		}
		if over {
			l.windows = slices.DeleteFunc(l.windows, func(w window) bool { return w.Key == from })
		}
		return changed
	})
}

// Past withholds all words of these projects, by their keys, and of these sessions from before now. The places are the
// ends of the sessions' transcripts. Errors: as of Pause.
func Past(dir string, keys []string, sessions map[string]Place, now time.Time, wait time.Duration) error {
	return change(dir, wait, func(l *Pauses) bool {
		var past []window
		for _, key := range keys {
			past = append(past, window{Key: key})
		}
		for _, id := range slices.Sorted(maps.Keys(sessions)) {
			w := window{Key: SessionKey(id)}
			if at := sessions[id]; at.Transcript != "" {
				w.Places = map[string]span{id: {To: &at}}
			}
			past = append(past, w)
		}
		again := map[string]bool{}
		for i := range past {
			past[i].From, past[i].To = beginning, now.UTC()
			again[past[i].Key] = true
		}
		l.windows = append(slices.DeleteFunc(l.windows, func(w window) bool {
			return w.From.Equal(beginning) && again[w.Key]
		}), past...)
		return past != nil
	})
}

// change reads the list under its lock, calls f, and replaces the file durably if f reports a change.
func change(dir string, wait time.Duration, f func(*Pauses) bool) error {
	unlock, err := safefile.LockIn(dir, "paused", wait)
	if err != nil {
		return err
	}
	defer unlock()
	l := LoadPauses(dir)
	if l.err != nil || !f(&l) {
		return l.err
	}
	for len(l.windows) > maxWindows { // the oldest pause of a session that has ended or never sent an event again
		at := slices.IndexFunc(l.windows, func(w window) bool {
			return !w.open() || strings.HasPrefix(w.Key, sessionMark)
		})
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
	return aside, write(dir, []window{{Key: All, From: beginning, To: now.UTC()}})
}
