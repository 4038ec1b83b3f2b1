// Package pause answers when memento was told to look away: in a project, altogether, or in a session whose hooks are
// switched off. It keeps paused.json, a list of times; what is to be done while paused, and whose words those are, is
// decided above it.
//
// Times decide because nothing else lasts: the transcript goes on while memento looks away, is written late, and may be
// read from its beginning again by a session that knows nothing any more.
package pause

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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
	maxFile = 1 << 20
	// maxAge is how long a pause that is over is remembered: the client deletes transcripts after 30 days, unless it is
	// told to keep them longer.
	maxAge     = 400 * 24 * time.Hour
	maxWindows = 2000
	// shortest is how long a pause lasts at least: what is a moment old may get its time a moment later.
	shortest = time.Millisecond
)

// ErrUnreadable is the reason when paused.json says nothing that can be understood. memento is then paused altogether.
var ErrUnreadable = errors.New("paused.json cannot be read")

// window is one time of looking away, from From up to To, or to this day.
type window struct {
	Project string    `json:"project,omitempty"` // a slug, All or Outside
	Session string    `json:"session,omitempty"` // in place of a project: one whose hooks were switched off
	From    time.Time `json:"from"`
	To      time.Time `json:"to,omitzero"`
}

func (w window) open() bool { return w.To.IsZero() }

func (w window) covers(at time.Time) bool { return !at.Before(w.From) && (w.open() || at.Before(w.To)) }

// List is what paused.json holds. The zero value has no pause.
type List struct {
	windows []window
	err     error
}

type file struct {
	Version int      `json:"version"`
	Pauses  []window `json:"pauses"`
}

// Path is where the list is kept in dir, memento's folder.
func Path(dir string) string { return filepath.Join(dir, "paused.json") }

// Load reads the list. A missing file is an empty one; of one that cannot be read see Err.
func Load(dir string) List {
	data, err := safefile.Read(Path(dir), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return List{}
	}
	var f file
	if err == nil && json.Unmarshal(data, &f) != nil { // its words are for programmers
		err = errors.New("it is not a list of pauses")
	}
	if err != nil {
		return List{err: fmt.Errorf("%w: %w", ErrUnreadable, err)}
	}
	return List{windows: f.Pauses}
}

// Err is ErrUnreadable when the list cannot be read, and everything is paused until somebody sees to that.
func (l List) Err() error { return l.err }

// Key is what the project with this slug is paused by.
func Key(slug string) string {
	if slug == "" {
		return Outside
	}
	return slug
}

// Any reports whether anything but sessions may be paused now.
func (l List) Any() bool {
	return l.err != nil || slices.ContainsFunc(l.windows, func(w window) bool { return w.open() && w.Session == "" })
}

// Since reports whether memento is paused by this key now, itself or with everything, and since when.
func (l List) Since(key string) (since time.Time, paused bool) {
	for _, w := range l.windows {
		if w.open() && w.Session == "" && (w.Project == key || w.Project == All) && (!paused || w.From.Before(since)) {
			since, paused = w.From, true
		}
	}
	return since, paused || l.err != nil
}

// Only reports whether memento is paused by exactly this key now.
func (l List) Only(key string) bool {
	return slices.ContainsFunc(l.windows, func(w window) bool { return w.open() && w.Session == "" && w.Project == key })
}

// Keys lists what is paused now, in the order it was paused.
func (l List) Keys() (out []string) {
	for _, w := range l.windows {
		if w.open() && w.Session == "" {
			out = append(out, w.Project)
		}
	}
	return out
}

// Knows reports whether the project with this slug is or was paused.
func (l List) Knows(slug string) bool {
	return slices.ContainsFunc(l.windows, func(w window) bool { return w.Session == "" && w.Project == slug })
}

// Muted reports whether the session's hooks were off when they last ran.
func (l List) Muted(session string) bool {
	return session != "" && slices.ContainsFunc(l.windows, func(w window) bool { return w.open() && w.Session == session })
}

// Off returns a func that reports whether memento looked away from the session, in the project with this key, at a time.
func (l List) Off(key, session string) func(time.Time) bool {
	var own []window
	for _, w := range l.windows {
		if w.Session == "" && (w.Project == key || w.Project == All) || w.Session != "" && w.Session == session {
			own = append(own, w)
		}
	}
	return func(at time.Time) bool {
		return l.err != nil || slices.ContainsFunc(own, func(w window) bool { return w.covers(at) })
	}
}

// Pause begins a pause by this key at now; one that runs goes on. Errors: ErrUnreadable, safefile.ErrBusy,
// safefile.ErrRefused, or what the disk said; nothing is paused then.
func Pause(dir, key string, now time.Time, wait time.Duration) error {
	return change(dir, now, wait, func(l *List) bool {
		if l.Only(key) {
			return false
		}
		l.windows = append(l.windows, window{Project: key, From: now.UTC()})
		return true
	})
}

// Unpause ends the pause by this key at now. Without one it does nothing. Errors: as of Pause, and the pause goes on.
func Unpause(dir, key string, now time.Time, wait time.Duration) error {
	return change(dir, now, wait, func(l *List) bool {
		return l.end(now, func(w window) bool { return w.Session == "" && w.Project == key })
	})
}

// Mute notes that the session's hooks are off since from. Errors: as of Pause.
func Mute(dir, session string, from time.Time, wait time.Duration) error {
	if session == "" || Load(dir).Muted(session) {
		return nil
	}
	return change(dir, from, wait, func(l *List) bool {
		if l.Muted(session) {
			return false
		}
		l.windows = append(l.windows, window{Session: session, From: from.UTC()})
		return true
	})
}

// Unmute notes that the session's hooks are on again, since to. Errors: as of Pause.
func Unmute(dir, session string, to time.Time, wait time.Duration) error {
	return change(dir, to, wait, func(l *List) bool {
		for _, w := range l.windows {
			if least := w.From.Add(time.Second); w.Session == session && w.open() && to.Before(least) {
				to = least // From is up to a second before the first event that found the hooks off; see hook
			}
		}
		return l.end(to, func(w window) bool { return w.Session != "" && w.Session == session })
	})
}

// Rename makes each pause of the project from one of the project to as well; with over, those of from go. Both are paused between
// the two calls, so that nothing is captured that was not to be. Errors: as of Pause.
func Rename(dir, from, to string, over bool, now time.Time, wait time.Duration) error {
	of := func(w window) bool { return w.Session == "" && w.Project == from }
	if l := Load(dir); l.err == nil && !slices.ContainsFunc(l.windows, of) {
		return nil
	}
	return change(dir, now, wait, func(l *List) (changed bool) {
		for _, w := range slices.Clone(l.windows) {
			if !of(w) {
				continue
			}
			if w.Project = to; !slices.Contains(l.windows, w) {
				l.windows, changed = append(l.windows, w), true
			}
		}
		if over {
			l.windows, changed = slices.DeleteFunc(l.windows, of), true
		}
		return changed
	})
}

// Past notes that nothing of these sessions from before now is to be captured. Errors: as of Pause.
func Past(dir string, sessions []string, now time.Time, wait time.Duration) error {
	if len(sessions) == 0 {
		return nil
	}
	return change(dir, now, wait, func(l *List) bool {
		begin := time.Unix(0, 0).UTC()
		l.windows = slices.DeleteFunc(l.windows, func(w window) bool { return w.From.Equal(begin) && slices.Contains(sessions, w.Session) })
		for _, s := range sessions {
			l.windows = append(l.windows, window{Session: s, From: begin, To: now.UTC()})
		}
		return true
	})
}

// end closes the open windows that are meant and reports whether there was one.
func (l *List) end(to time.Time, meant func(window) bool) (ended bool) {
	for i := range l.windows {
		if w := &l.windows[i]; w.open() && meant(*w) {
			w.To = to.UTC()
			if least := w.From.Add(shortest); w.To.Before(least) {
				w.To = least
			}
			ended = true
		}
	}
	return ended
}

// change alters the list under its lock: read, change, replace durably. When f reports that there is nothing to change,
// nothing is written.
func change(dir string, now time.Time, wait time.Duration, f func(*List) bool) error {
	unlock, err := safefile.LockIn(dir, "paused", wait)
	if err != nil {
		return err
	}
	defer unlock()
	l := Load(dir)
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
		return now.Sub(last) > maxAge && (w.Session != "" || !w.open())
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
	data, err := json.MarshalIndent(file{1, windows}, "", "  ")
	if err != nil {
		return err
	}
	return safefile.Replace(Path(dir), append(data, '\n'), 0o600)
}

// Reset sets a list that cannot be read aside and begins a new one: nothing is paused any more. Since nobody knows what was,
// nothing from before now is captured any more either. Errors: as of Pause.
func Reset(dir string, now time.Time, wait time.Duration) (aside string, err error) {
	unlock, err := safefile.LockIn(dir, "paused", wait)
	if err != nil {
		return "", err
	}
	defer unlock()
	if aside, err = safefile.SetAside(Path(dir), "corrupt", now); err != nil {
		return "", err
	}
	return aside, write(dir, []window{{Project: All, From: time.Unix(0, 0).UTC(), To: now.UTC()}})
}
