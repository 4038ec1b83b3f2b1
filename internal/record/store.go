package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// ErrNotFound is the reason when there is no record of this name, neither in the folder nor in the archive.
var ErrNotFound = errors.New("there is no such record")

// ExistsError is the reason when a record of this title is there already; it is as it was.
type ExistsError struct{ ID, Status string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("record %q is there already, and %s", e.ID, e.Status)
}

// ErrRemoved is the reason when a record of this title was removed so lately that writing it anew may be a mistake.
var ErrRemoved = errors.New("was removed")

// ConflictError is the reason when a record was changed since it was read: both versions, nothing written.
type ConflictError struct {
	ID     string
	Hash   string // of what is stored now
	Stored []byte
	Yours  []byte // what the update would have made of it
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("record %q was changed since it was read; it is %s now", e.ID, e.Hash)
}

// Store is the folder that records are kept in. What changes something waits for the lock of all records, and on any
// error leaves each as it was; what reads takes no lock.
type Store struct {
	Dir    string           // memento's folder
	Now    func() time.Time // time.Now outside tests
	Wait   time.Duration    // for the lock
	Home   string           // the user's home folder, which a record's file may name as ~; "": not known
	Branch string           // that is checked out where records of a project are made
	Max    map[string]int   // how many records of a kind stay active in a project; else, as the kind says
	Index  Index            // nil: there is none

	asked    time.Time // see AskedAt
	deferred bool      // see Deferred
	held     bool      // the lock, by Alone
	literal  bool      // a project's name means that project, whatever it is called by now
}

// Index is what is derived from the records, and can be made again from them. A store calls it while it holds the lock
// of all records, so that it hears of changes in their order. What an index does cannot fail a change.
type Index interface {
	Saved(r *Record)   // is told of a record that was written
	Deleted(id string) // is told of a record that was deleted

	// Active names the active records of a kind in a project without reading them; known is false when it cannot tell.
	// A record that it misses stays active for a while longer than the newest of its kind do.
	Active(project, kind string) (ids []string, known bool)
	// Titled names the records of a project that may have this title; known is false when it cannot tell.
	Titled(project, title string) (ids []string, known bool)
}

// AskedAt returns the store for what somebody asked for at this time: a title that was removed before is free again.
func (s Store) AskedAt(at time.Time) Store {
	s.asked = at
	return s
}

// Deferred returns the store for what can be made again and is looked up by nobody at once. A power cut in the next
// seconds may bring back what stood there before (see safefile.ReplaceOrdered), and the index is not told; LastDeferred
// tells.
func (s Store) Deferred() Store {
	s.deferred = true
	return s
}

// Alone runs do with a store that holds the lock of all records until do returns: what do reads is still so when it
// writes. Nothing else in do may wait for that lock. It returns safefile's errors for the lock, else do's; what do
// wrote before its error stays.
func (s Store) Alone(do func(Store) error) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	s.held = true
	return do(s)
}

func (s Store) lock() (unlock func(), err error) {
	if s.held {
		return func() {}, nil
	}
	if unlock, err = safefile.LockIn(s.Dir, lockName, s.Wait); err != nil {
		return nil, err
	}
	if err = safefile.CheckDir(filepath.Join(s.Dir, Archive)); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// lockName is what the lock of all records is called.
const lockName = "records"

// LastDeferred returns the time of the last write that the index was not told of, the zero time when there was none.
// Writes of kinds that nobody is shown unasked do not count.
func (s Store) LastDeferred() time.Time {
	n, err := safefile.Stat(s.lockPath())
	if err != nil || n.Time <= 0 {
		return time.Time{}
	}
	return time.Unix(0, n.Time)
}

func (s Store) lockPath() string { return filepath.Join(s.Dir, "state", lockName+".lock") }

// load reads the file of a record at one of its two places.
func (s Store) load(id, status string) (*Record, error) {
	path, data, err := open(s.Path(id, status))
	if err != nil {
		return nil, err
	}
	r, err := decodeAt(id, path, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// decodeAt reads the file of a record that stands at path. What a person moved by hand is what its place makes it.
func decodeAt(id, path string, data []byte) (*Record, error) {
	r, err := Decode(id, data)
	if err != nil {
		return nil, err
	}
	r.Path = path
	switch archived := filepath.Base(filepath.Dir(path)) == Archive; {
	case archived && r.Status == schema.Active:
		r.Status = schema.Completed
	case !archived && (r.Status == schema.Completed || r.Status == schema.Archived) &&
		r.says(r.Status): // and did not write it there
		r.Status = schema.Active
	}
	return r, nil
}

// both reads the record from the folder and from the archive. It stands in both when a process was killed while moving
// it: then newer is the later version and older the other one.
func (s Store) both(id string) (newer, older *Record, err error) {
	a, errA := s.load(id, schema.Active)
	b, errB := s.load(id, schema.Completed)
	goneA, goneB := errors.Is(errA, fs.ErrNotExist), errors.Is(errB, fs.ErrNotExist)
	switch {
	case goneA && goneB:
		return nil, nil, fmt.Errorf("%w: %s", ErrNotFound, id)
	case errA != nil && !goneA:
		return b, nil, errA
	case errB != nil && !goneB:
		return a, nil, errB
	case goneA:
		return b, nil, nil
	case goneB:
		return a, nil, nil
	case b.Updated.After(a.Updated):
		return b, a, nil
	}
	return a, b, nil
}

// follows reports whether r holds all that older says: what a move changes may differ, and nothing else.
func (r *Record) follows(older *Record) bool {
	rest := func(r *Record) string { return r.doc.Without("status", "updated", "changes") }
	return rest(r) == rest(older)
}

// heal is both, which leaves one: what an interrupted move left behind goes, or is set aside when it says anything
// else. The caller holds the lock.
func (s Store) heal(id string) (*Record, error) {
	newer, older, err := s.both(id)
	if err != nil {
		return newer, err
	}
	if older == nil {
		return newer, s.settle(newer)
	}
	if newer.follows(older) {
		return newer, safefile.Remove(older.Path)
	}
	_, err = safefile.SetAside(older.Path, "older", s.Now())
	return newer, err
}

// Read returns the record with this id, wherever it stands. Errors: *naming.Error, ErrNotFound, *markdown.FrontError,
// safefile's.
func (s Store) Read(id string) (*Record, error) {
	if _, _, err := naming.Split(id); err != nil {
		return nil, err
	}
	id = idOf(id)
	for try := 0; ; try++ {
		r, _, err := s.both(id)
		if r != nil { // its other place may be unreadable
			return r, nil
		}
		if !errors.Is(err, ErrNotFound) || try > 1 { // it may have been moved between the two looks
			return nil, err
		}
	}
}

// write stores r at the path to and removes it from where it was, in this order: a process killed between the two
// leaves both, of which the newer one counts.
func (s Store) write(r *Record, to, from string) (*Record, error) {
	if !r.Exact {
		if err := r.encode(); err != nil {
			return nil, err
		}
	}
	data := r.doc.Bytes()
	to = r.file(to, data)
	out, err := decodeAt(r.ID, to, data)
	if err != nil {
		return nil, err
	}
	if filepath.Dir(to) != s.Dir { // made by the first record that goes there
		if err := safefile.Dir(filepath.Dir(to)); err != nil {
			return nil, err
		}
	}
	put := safefile.Replace
	if s.deferred {
		put = safefile.ReplaceOrdered
	}
	if err := put(to, pack(to, data), 0o600); err != nil {
		return nil, err
	}
	out.Secrets = r.Secrets
	s.tell(out)
	if from != "" && from != to {
		if err := safefile.Remove(from); err != nil {
			return out, fmt.Errorf("%s is left over: %w", from, err)
		}
	}
	return out, nil
}

// tell tells the index of a record that was just written, or marks that it was not told. The mark is set behind the
// record: who compares in between finds that it was set since.
func (s Store) tell(saved *Record) {
	if s.Index == nil {
		return
	}
	if k, _ := schema.Named(saved.Kind); s.deferred && (k.Hidden || safefile.Touch(s.lockPath(), time.Now()) == nil) {
		return
	}
	s.Index.Saved(saved)
}
