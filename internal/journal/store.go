package journal

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// Store reads and writes the journal of one lane.
type Store struct {
	Lane   project.Lane
	Config config.Config
	Now    time.Time
	Wait   time.Duration // how long a change waits for the lock
	Branch func() string // returns the branch that is checked out, for a change to note; nil when nobody knows it

	// Taken is how much of the transcript of Session the change takes in, in bytes.
	Taken int64

	// Turns is what happened in turns of Session. Update adds it to the log before what leaves the journal, in one
	// append.
	Turns   []log.Entry
	Session string
}

// oversize is how many times MaxFileBytes a journal edited by hand may have: it is pruned. A larger file is damaged.
const oversize = 2

// ownSize is how large a journal that memento wrote may be, in bytes. The limit may have been higher at the time.
const ownSize = 192 << 10

// Read returns the lane's journal. It changes no file. Errors: fs.ErrNotExist without a journal; ErrCorrupt when the
// journal is damaged or far too large; safefile.ErrRefused when the path is not a regular file.
func (s Store) Read() (*Journal, error) {
	data, err := s.load()
	if err != nil {
		return nil, err
	}
	data, place := cutAt(data)
	isOurs := place.sum == text.Fingerprint(string(data))
	clean, secrets := redact.JSON(string(data)) // a person or an older version may have written secrets
	j, err := decode([]byte(clean))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Lane.Journal(), err)
	}
	if !isOurs {
		j.distrust()
	}
	j.now, j.dirty, j.at = s.Now, secrets != nil, place
	if isForeign(j.Project, s.Lane) {
		if s.Lane.Slug == "" {
			return nil, fmt.Errorf("%s: another project's, %s: %w", s.Lane.Journal(), j.Project, fs.ErrNotExist)
		}
		j.Project = s.Lane.Slug // it was renamed
	}
	return j, nil
}

// load reads the journal's file. Errors: those of Read, except those of decoding.
func (s Store) load() ([]byte, error) {
	data, err := safefile.Read(s.Lane.Journal(), ownSize)
	if errors.Is(err, safefile.ErrTooLarge) {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if err == nil && len(data) > oversize*s.Config.MaxFileBytes && !gjson.GetBytes(data, "at").Exists() {
		err = fmt.Errorf("%w: %s: %d bytes, at most %d", ErrCorrupt, s.Lane.Journal(), len(data),
			oversize*s.Config.MaxFileBytes)
	}
	return bytes.TrimPrefix(data, byteOrder), err
}

// Update changes the journal under the lane's lock. It reads the journal, calls change, brings the journal within its
// limits, takes out secrets, adds the change and what leaves to the log, and replaces the file. A missing journal
// starts empty. A damaged one is set aside, never overwritten, and made again from the log. Update writes nothing when
// change returns an error or changes nothing. Errors: change's, safefile.ErrBusy, safefile.ErrRefused,
// safefile.ErrTooLarge, or the disk's; the old journal stays then.
func (s Store) Update(change func(*Journal) error) (*Journal, error) {
	if err := s.prepare(); err != nil {
		return nil, err
	}
	unlock, err := safefile.Lock(s.Lane.Lock(), s.Wait)
	if err != nil {
		return nil, err
	}
	defer unlock()
	j, err := s.readOrBegin()
	if err != nil {
		return nil, err
	}
	if j, err = s.current(j); err != nil {
		return nil, err
	}
	j.now = s.Now
	before, place, dirty := j.raw, j.at, j.dirty
	if err := change(j); err != nil {
		return nil, err
	}
	says := func(e log.Entry) bool { return e.Kind != log.Cleared }
	if before == "" && j.Empty() && !slices.ContainsFunc(j.out, says) {
		out := j.out
		j.out = nil
		return j, s.keep(out)
	}
	if j.Project == "" {
		j.Project = s.Lane.Slug
	}
	data, err := j.enforce(s.Config)
	if err != nil {
		return nil, err
	}
	// only another change looks for the branch and notes it
	if s.Branch != nil && (string(data) != before || dirty) {
		if branch := s.Branch(); branch != j.Branch {
			j.Branch = branch
			if data, err = j.enforce(s.Config); err != nil {
				return nil, err
			}
		}
	}
	// callers redact words while they are whole; this finds secrets that they missed
	if clean, secrets := redact.JSON(string(data)); secrets != nil {
		data = []byte(clean)
	}
	if err := s.write(j, place, before, data, dirty); err != nil {
		return nil, err
	}
	j.raw, j.out, j.dirty = string(data), nil, false
	return j, nil
}

// write adds a change of the journal to the log, with what left the journal, and replaces the file if its body changed.
// Only the first file is forced to the disk: a missing journal means that somebody removed it.
func (s Store) write(j *Journal, a at, before string, data []byte, dirty bool) error {
	isChanged := string(data) != before || dirty
	if s.Session = cmp.Or(s.Session, j.Session); s.Session == a.session {
		s.Taken = max(s.Taken, a.taken)
	}
	if isChanged {
		j.out = append(j.out, s.note(a, s.Session, before, data)...)
	}
	if len(j.out)+len(s.Turns) > 0 {
		if err := s.keep(j.out); err != nil {
			return err
		}
	}
	if !isChanged {
		return nil
	}
	logs := log.Store{Dir: s.Lane.Dir}
	replace := safefile.ReplaceVolatile
	if before == "" {
		replace = safefile.Replace
	}
	j.at = at{session: s.Session, offset: logs.Size(s.Lane.Slug, s.Session), sum: text.Fingerprint(string(data)),
		taken: s.Taken}
	return replace(s.Lane.Journal(), withAt(data, j.at), 0o600)
}

// keep adds what leaves the journal to the log.
func (s Store) keep(out []log.Entry) error {
	history.Bind(s.Lane, out)
	return log.Store{Dir: s.Lane.Dir, Wait: s.Wait}.Keep(s.Lane.Slug, out, s.Session, s.Turns)
}

// readOrBegin returns the journal to change. It adopts one of the oldest layout, and sets a damaged one aside; without
// a journal it returns an empty one. The caller holds the lock.
func (s Store) readOrBegin() (*Journal, error) {
	j, err := s.Read()
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.Adopt(); err == nil {
			j, err = s.Read()
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		j = &Journal{}
		return j, s.clear(j)
	case errors.Is(err, ErrCorrupt):
		aside, asideErr := safefile.SetAside(s.Lane.Journal(), "corrupt", s.Now)
		if asideErr != nil {
			return nil, asideErr
		}
		if j, err = s.again(); err != nil {
			return nil, err
		}
		j.tell("the journal could not be read and was set aside as %s", aside)
		return j, nil
	}
	return j, err
}

// prepare makes the folders that a change needs.
func (s Store) prepare() error {
	for _, dir := range [...]string{s.Lane.Dir, filepath.Dir(s.Lane.Lock())} {
		if err := safefile.Dir(dir); err != nil {
			return err
		}
	}
	return nil
}

// Copy copies the journal of the lane from to the store's lane, where session goes on with it. A lane that has a
// journal keeps it. Copy reports whether it copied.
func (s Store) Copy(from project.Lane, session string) (bool, error) {
	source := s
	source.Lane = from
	old, err := source.Read()
	if err != nil {
		return false, err
	}
	copied := false
	_, err = s.Update(func(j *Journal) error {
		if j.Empty() {
			now := j.now
			*j = *old
			j.now, copied = now, true
			j.moveTo(session)
		}
		return nil
	})
	return copied, err
}

// Adopt moves the journal outside any project to the project that it names: the oldest layout had one file for all
// projects. It does so for a lane without a journal, and for the one outside any project. A project that has a journal
// keeps it, and the file is set aside. Errors: safefile's.
func (s Store) Adopt() error {
	if err := safefile.Check(s.Lane.Journal()); err != nil {
		return err
	}
	if _, err := safefile.Stat(s.Lane.Journal()); err == nil && s.Lane.Slug != "" {
		return nil
	}
	none := project.NewLane(s.Lane.Dir, "", "", s.Config.Tag)
	data, err := safefile.Read(none.Journal(), int64(oversize*s.Config.MaxFileBytes))
	name := gjson.GetBytes(data, "project").String()
	if err != nil || !jsonx.Valid(data, maxDepth) || !isForeign(name, none) {
		return nil
	}
	name = naming.Project(name)
	err = safefile.Move(none.Journal(), project.NewLane(s.Lane.Dir, name, "", s.Config.Tag).Journal())
	switch {
	case errors.Is(err, fs.ErrExist):
		_, err = safefile.SetAside(none.Journal(), "of-"+name, s.Now)
	case errors.Is(err, fs.ErrNotExist): // another process was first
		err = nil
	}
	return err
}

// isForeign reports whether name, a journal's project, is another project than the lane's. "" and "default", which old
// journals have, name no project.
func isForeign(name string, lane project.Lane) bool {
	return name != "" && name != "default" && naming.Project(name) != lane.Slug
}
