package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// Store is where one lane's journal lives.
type Store struct {
	Lane   project.Lane
	Config config.Config
	Now    time.Time
	Wait   time.Duration // how long a change waits for the lock
	Branch func() string // what is checked out where the work is done, for a change to note; nil: that is not known
	Last   *Last         // what Read returned, so that who reads at several steps decodes once; nil to decode each time
}

// Last is the journal that was read last. While its file still holds the same Read returns it again, so nobody may
// change it but by Update, which drops it.
type Last struct {
	path    string
	journal *Journal
}

// oversize is how many times its limit a journal may weigh before it is taken for damage rather than for an edit by
// hand, which is pruned.
const oversize = 2

// ownSize is how large a journal may be that memento wrote itself, in bytes: the limit may have been higher then.
const ownSize = 192 << 10

// Read returns the lane's journal. Errors: fs.ErrNotExist when there is none; ErrCorrupt when it is damaged or far too
// large; safefile.ErrRefused when something else stands in its place. Nothing is changed.
func (s Store) Read() (*Journal, error) {
	if s.Last == nil {
		return s.read(nil)
	}
	path := s.Lane.Journal()
	var known *Journal
	if s.Last.path == path {
		known = s.Last.journal
	}
	j, err := s.read(known)
	*s.Last = Last{path, j} // nil on an error
	return j, err
}

// read is Read that returns known, which was read before and has not been changed, while the file still holds the same.
func (s Store) read(known *Journal) (*Journal, error) {
	data, err := s.load()
	if err != nil {
		return nil, err
	}
	if known != nil && !known.dirty && known.raw == string(data) {
		known.now = s.Now
		return known, nil
	}
	clean, secrets := redact.JSON(string(data)) // written by hand, or by an earlier version
	j, err := Decode([]byte(clean))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Lane.Journal(), err)
	}
	j.check(sealOf(s.Lane))
	j.now, j.dirty = s.Now, secrets != nil
	if s.Lane.Slug == "" && isForeign(j.Project, s.Lane) {
		return nil, fmt.Errorf("%s: %w: it is project %s's", s.Lane.Journal(), errForeign, j.Project)
	}
	return j, nil
}

// load reads the journal's file. Errors: those of Read, but for what decoding finds.
func (s Store) load() ([]byte, error) {
	data, err := safefile.Read(s.Lane.Journal(), ownSize)
	if errors.Is(err, safefile.ErrTooLarge) {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if err == nil && len(data) > oversize*s.Config.MaxFileBytes && !gjson.GetBytes(data, "seen").Exists() {
		err = fmt.Errorf("%w: %s: %d bytes, at most %d", ErrCorrupt, s.Lane.Journal(), len(data),
			oversize*s.Config.MaxFileBytes)
	}
	return data, err
}

// Damaged reports whether what stands in the journal's place is too large or no JSON: all that Read calls ErrCorrupt,
// but for what is well-formed and not of the schema. It is for who needs to know no more, and costs a fraction of Read.
func (s Store) Damaged() bool {
	data, err := s.load()
	return errors.Is(err, ErrCorrupt) || err == nil && !jsonx.Valid(data, maxDepth)
}

// errForeign is the reason when the journal of no project names one: the seed kept one file for everything.
var errForeign error = foreignError{}

type foreignError struct{}

func (foreignError) Error() string { return "another project's journal: " + fs.ErrNotExist.Error() }
func (foreignError) Unwrap() error { return fs.ErrNotExist }

// Update changes the journal under the lane's lock: read, change, bring within limits, append what left it to history,
// replace it durably. What looks like a secret is taken out of both first. A missing journal starts empty; a damaged
// one is set aside first and never overwritten. When change returns an error or changes nothing, nothing is written.
// Errors: what change returned, safefile.ErrBusy, safefile.ErrRefused, safefile.ErrTooLarge, or what the disk said; the
// old journal then stands.
func (s Store) Update(change func(*Journal) error) (*Journal, error) {
	return s.UpdateFrom(nil, change)
}

// UpdateFrom is Update for who has just read the journal, and changed nothing in it: known is not read again while the
// file still holds the same, and is Update's from then on. nil is not known.
func (s Store) UpdateFrom(known *Journal, change func(*Journal) error) (*Journal, error) {
	if err := s.prepare(); err != nil {
		return nil, err
	}
	unlock, err := safefile.Lock(s.Lane.Lock(), s.Wait)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if s.Last != nil {
		*s.Last = Last{}
	}
	j, err := s.read(known)
	damaged := false
	if errors.Is(err, errForeign) {
		if err = s.rehome(); err == nil {
			err = fs.ErrNotExist
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if j, err = s.adopt(); err != nil {
			return nil, err
		}
	case errors.Is(err, ErrCorrupt):
		damaged = true
		aside, aerr := safefile.SetAside(s.Lane.Journal(), "corrupt", s.Now)
		if aerr != nil {
			return nil, aerr
		}
		j = &Journal{}
		j.tell("the journal could not be read and was set aside as %s", aside)
		s.debug("set aside", aside, err.Error())
	case err != nil:
		return nil, err
	}
	j.now, j.seal = s.Now, sealOf(s.Lane)
	before, dirty := j.raw, j.dirty
	if damaged {
		before = "" // nothing stands in its place
	}
	if err := change(j); err != nil {
		return nil, err
	}
	if before == "" && j.Empty() && len(j.out) == 0 {
		return j, nil
	}
	if j.Project == "" || isForeign(j.Project, s.Lane) {
		j.Project = s.Lane.Slug
	}
	data, err := j.enforce(s.Config)
	if err != nil {
		return nil, err
	}
	// what changes nothing else notes no branch, and looks for none
	if s.Branch != nil && (string(data) != before || dirty) {
		if branch := s.Branch(); branch != j.Branch {
			j.Branch = branch
			if data, err = j.enforce(s.Config); err != nil {
				return nil, err
			}
		}
	}
	data = redacted(data)
	left, changed := joined(j.out), string(data) != before || dirty
	switch {
	case changed && len(j.out) > 0:
		err = safefile.AppendReplace(s.Lane.History(), left, s.Lane.Journal(), data, 0o600)
	case changed:
		err = safefile.Replace(s.Lane.Journal(), data, 0o600)
	case len(j.out) > 0:
		err = safefile.Append(s.Lane.History(), left)
	}
	if err != nil {
		return nil, err
	}
	s.debugWrite(j, len(data))
	j.raw, j.out, j.fresh, j.dirty = string(data), nil, 0, false
	return j, nil
}

// joined are lines, each with its end.
func joined(lines []string) []byte {
	size := 0
	for _, l := range lines {
		size += len(l) + 1
	}
	out := make([]byte, 0, size)
	for _, l := range lines {
		out = append(append(out, l...), '\n')
	}
	return out
}

// prepare makes the folders a change needs.
func (s Store) prepare() error {
	for _, dir := range [...]string{s.Lane.Dir, filepath.Dir(s.Lane.Lock()), filepath.Dir(s.Lane.History())} {
		if err := safefile.Dir(dir); err != nil {
			return err
		}
	}
	return nil
}

// Copy puts a copy of from's journal in the lane, after edit, unless nil, has changed it; a lane that has a journal
// keeps that. It reports whether there was something to copy.
func (s Store) Copy(from project.Lane, edit func(*Journal)) (bool, error) {
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
			j.now, j.Seen, j.Acted, copied = now, "", "", true // the copy's own transcript is read from its beginning
			if edit != nil {
				edit(j)
			}
		}
		return nil
	})
	return copied, err
}

// Adopt brings a journal of the seed's layout into the lane if it belongs there and the lane has none yet.
func (s Store) Adopt() error {
	if err := safefile.Check(s.Lane.Journal()); err != nil {
		return err
	}
	if _, ok := s.seed(); !ok {
		return nil
	}
	_, err := s.Update(func(*Journal) error { return nil })
	return err
}

// adopt moves the seed's journal into the lane, or returns an empty one. The caller holds the lane's lock.
func (s Store) adopt() (*Journal, error) {
	from, ok := s.seed()
	if !ok {
		return &Journal{}, nil
	}
	if err := safefile.Move(from, s.Lane.Journal()); err != nil {
		return nil, err
	}
	s.debug("adopted", from, "")
	return s.Read()
}

// rehome moves the journal in the place of no project's to the project it names, or aside when that has one already.
func (s Store) rehome() error {
	data, err := safefile.Read(s.Lane.Journal(), int64(oversize*s.Config.MaxFileBytes))
	if err != nil {
		return err
	}
	name := project.Slug(gjson.GetBytes(data, "project").String())
	err = safefile.Move(s.Lane.Journal(), project.NewLane(s.Lane.Dir, name, "", s.Config.Tag).Journal())
	if errors.Is(err, fs.ErrExist) {
		_, err = safefile.SetAside(s.Lane.Journal(), "of-"+name, s.Now)
	}
	return err
}

// seed finds the journal that the seed's layout would have kept for this lane: one file for the instance, whatever the
// project, naming this project or none. A journal memento wrote itself for work outside any project is not one: it has
// a list of what the user said.
func (s Store) seed() (string, bool) {
	path := project.NewLane(s.Lane.Dir, "", "", s.Config.Tag).Journal()
	if path == s.Lane.Journal() {
		return "", false
	}
	if _, err := safefile.Read(s.Lane.Journal(), 1); !errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	data, err := safefile.Read(path, int64(oversize*s.Config.MaxFileBytes))
	if err != nil {
		return "", false
	}
	j, err := Decode(data)
	if err != nil || gjson.GetBytes(data, "said").Exists() || isForeign(j.Project, s.Lane) {
		return "", false
	}
	return path, true
}

// isForeign reports whether name, a journal's project, is another project than the lane's. "" and the seed's "default"
// name none.
func isForeign(name string, lane project.Lane) bool {
	return name != "" && name != "default" && project.Slug(name) != lane.Slug
}

// containsWords reports whether s contains words at word boundaries or, for scripts without spaces, anywhere.
func containsWords(s, words string) bool {
	return strings.Contains(s, words) && (text.Runes(words) >= 4 || strings.Contains(" "+s+" ", " "+words+" "))
}
