package record

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/project"
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

// RemovedError is the reason when a record of this title was removed so lately that writing it anew may be a mistake.
type RemovedError struct {
	Title string
	When  time.Time
}

func (e *RemovedError) Error() string {
	const why = "a record called %q was removed at %s; for 24 hours none of that title is written"
	return fmt.Sprintf(why, e.Title, stamp(e.When))
}

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
	case archived && r.Status == Active:
		r.Status = Completed
	case !archived && (r.Status == Completed || r.Status == Archived) && r.says(r.Status): // and did not write it there
		r.Status = Active
	}
	return r, nil
}

// both reads the record from the folder and from the archive. It stands in both when a process was killed while moving
// it: then newer is the later version and older the other one.
func (s Store) both(id string) (newer, older *Record, err error) {
	a, errA := s.load(id, Active)
	b, errB := s.load(id, Completed)
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

// Read returns the record with this id, wherever it stands. Errors: *NameError, ErrNotFound, *markdown.FrontError,
// safefile's.
func (s Store) Read(id string) (*Record, error) {
	if _, _, err := Split(id); err != nil {
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

// later is now, to the second where that is after t, or just after t: of two versions of a record the later one says
// so.
func later(now, t time.Time) time.Time {
	now = now.UTC()
	for _, exact := range []time.Duration{time.Second, time.Millisecond} {
		if cut := now.Truncate(exact); cut.After(t) {
			return cut
		}
	}
	return t.Truncate(time.Millisecond).Add(time.Millisecond)
}

// Update changes the record with this id by edit, which gets a copy. ifMatch is the hash that was read, "" for any.
// Summary goes into its history; without one it says which fields changed. An entry that edit adds there without a date
// is of now. An edit that changes nothing writes nothing. Errors: *ConflictError; ErrInvalid when edit touches what an
// update may not; those of Read and Create.
func (s Store) Update(id, ifMatch, summary string, edit func(*Record) error) (*Record, error) {
	return s.change(id, &ifMatch, summary, func(now *Record) (*Record, error) {
		next, err := Decode(now.ID, now.Bytes())
		if err != nil {
			return nil, err
		}
		next.Status = now.Status
		return next, edit(next)
	})
}

// Replace is Update with a whole file: what a person made of it in an editor. Its bytes stay, but for what Update
// writes. Without ifMatch the file has to be made from what is stored, as far as that is known; see HandOut.
func (s Store) Replace(id, ifMatch, summary string, data []byte) (*Record, error) {
	return s.change(id, &ifMatch, summary, func(now *Record) (*Record, error) {
		if len(data) > schema.MaxBytes {
			return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrInvalid, len(data), schema.MaxBytes)
		}
		next, err := Decode(now.ID, data)
		if err != nil {
			return nil, err
		}
		if next.Status == now.was.Status { // it was moved by hand, and the file says what it was before
			next.Status = now.Status
		}
		if ifMatch == "" {
			ifMatch = s.base(now, next)
		}
		return next, nil
	})
}

// take returns a record that is there, whole again if a move was cut short, and holds the store until unlock.
func (s Store) take(id string) (r *Record, unlock func(), err error) {
	if _, _, err := Split(id); err != nil {
		return nil, nil, err
	}
	if unlock, err = s.lock(); err != nil {
		return nil, nil, err
	}
	id = idOf(id)
	if r, err = s.heal(id); errors.Is(err, ErrNotFound) {
		if now := s.present(id); now != id {
			r, err = s.heal(now)
		}
	}
	if err != nil {
		unlock()
		return nil, nil, err
	}
	return r, unlock, nil
}

// present is the id that a record goes by since its project got another name; id itself when the project has its name
// still.
func (s Store) present(id string) string {
	project, slug, _ := strings.Cut(id, separator)
	return s.Called(project) + separator + slug
}

// Called returns the name that a project goes by now whose records went by this name; the same name where the project
// has it still, or nobody knows it. It is asked while the lock is held, so that nothing is written under a name that
// was given up.
func (s Store) Called(name string) string {
	if s.literal || name == User {
		return name
	}
	now := name
	for _, k := range project.OpenWorkspace(s.Dir).Known {
		if Project(k.Slug) == name {
			return name
		}
		for _, was := range k.Called() {
			if Project(was) == name {
				now = Project(k.Slug)
			}
		}
	}
	return now
}

// change is Update by an edit that returns another record, and may set ifMatch.
func (s Store) change(
	id string, ifMatch *string, summary string, edit func(*Record) (*Record, error),
) (*Record, error) {
	old, unlock, err := s.take(id)
	if err != nil {
		return nil, err
	}
	defer unlock()
	next, err := edit(old)
	if err != nil {
		return nil, err
	}
	next.clean()
	if *ifMatch != "" && *ifMatch != old.Hash() {
		if err := next.encode(); err != nil {
			return nil, err
		}
		return nil, &ConflictError{old.ID, old.Hash(), old.Bytes(), next.Bytes()}
	}
	changed, err := s.check(old, next)
	if err != nil {
		return nil, err
	}
	if changed == nil && bytes.Equal(old.Bytes(), next.Bytes()) {
		return old, nil
	}
	now := s.Now()
	next.Updated = later(now, old.Updated)
	if summary == "" && len(next.Changes) == len(old.Changes) {
		summary = "changed " + strings.Join(changed, ", ")
		if changed == nil {
			summary = "changed what memento does not read"
		}
	}
	for i := len(old.Changes); i < len(next.Changes); i++ {
		if next.Changes[i].Date == "" {
			next.Changes[i].Date = stamp(now)
		}
	}
	if was := old.was.Status; was != old.Status {
		next.note(Change{Summary: "moved by hand", Field: "status", Old: was, New: old.Status}, now)
	}
	if summary != "" {
		next.wrote(summary, now)
	}
	return s.write(next, old.Path, old.Path)
}

// check holds an update to what may change, and returns what did.
func (s Store) check(old, next *Record) (changed []string, err error) {
	fixed := func(field, a, b, hint string) {
		if a != b && err == nil {
			err = fmt.Errorf("%w: %s stays %q%s", ErrInvalid, field, a, hint)
		}
	}
	fixed("id", old.ID, next.ID, "")
	// What the file says of its name counts for nothing, and must not come to say something else.
	for _, key := range [...]string{"id", "project"} {
		was, _ := old.doc.Get(key)
		if is, ok := next.doc.Get(key); ok && is != was {
			fixed(key, map[string]string{"id": old.ID, "project": old.Project}[key], is, "")
		}
	}
	fixed("kind", old.Kind, next.Kind, ": save another record")
	if !old.Created.IsZero() {
		fixed("created", stamp(old.Created), stamp(next.Created), "")
	}
	fixed("status", old.Status, next.Status, ": see complete, reopen, retire, archive, restore")
	for _, f := range old.Files {
		if !slices.Contains(next.Files, f) && s.stands(old.Project, f) {
			fixed("files", f, "", ": a file leaves the list once it is gone")
		}
	}
	if len(next.Changes) < len(old.Changes) || !slices.Equal(next.Changes[:len(old.Changes)], old.Changes) {
		fixed("changes", "as it was", "", ": entries are only added")
	}
	if err != nil {
		return nil, err
	}
	known := old.Problems()
	for _, p := range next.Problems() {
		if !slices.Contains(known, p) {
			return nil, fmt.Errorf("%w: %s", ErrInvalid, p)
		}
	}
	was := old.fields()
	for i, f := range next.fields() {
		if f.time == nil && !f.says(was[i]) {
			changed = append(changed, f.key)
		}
	}
	if next.Body != old.Body {
		changed = append(changed, "body")
	}
	return changed, nil
}

// Filter says which records List returns.
type Filter struct {
	Project string   // "" for all
	Kinds   []string // nil for all
	Status  []string // nil for active ones
	Tags    []string // all of them
	Since   time.Time
	Match   string // a pattern (path.Match) that the slug or the id fits; "" for any
}

// Problem is a file that could not be read.
type Problem struct {
	Path string
	Err  error
}

// List returns the records that f lets through, the one updated last first, and the files that could not be read. A
// folder that is not there has none. Errors: path.ErrBadPattern, the disk's.
func (s Store) List(f Filter) (out []*Record, problems []Problem, err error) {
	if _, err := path.Match(f.Match, ""); err != nil {
		return nil, nil, fmt.Errorf("%q: %w", f.Match, err)
	}
	names, archived, err := s.names(f.Project, f.Match)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range names {
		r, err := (*Record)(nil), fs.ErrNotExist
		if !archived[id] { // it stands in one place: half the files to open
			r, err = s.load(id, Active)
		}
		if errors.Is(err, fs.ErrNotExist) {
			r, err = s.Read(id)
		}
		if err != nil {
			if !errors.Is(err, ErrNotFound) { // it went meanwhile
				problems = append(problems, Problem{s.Path(id, Active), err})
			}
			continue
		}
		if f.lets(r) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b *Record) int {
		if c := b.Updated.Compare(a.Updated); c != 0 {
			return c
		}
		if c := b.last().Compare(a.last()); c != 0 { // within one second
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out, problems, nil
}

// Stands reports whether the filter lets a record of this status through. All of Statuses let everything through, also
// a status that is none, as a person may have written one.
func (f Filter) Stands(status string) bool {
	switch {
	case f.Status == nil:
		return status == Active
	case slices.Contains(f.Status, status):
		return true
	}
	return !slices.ContainsFunc(Statuses(), func(s string) bool { return !slices.Contains(f.Status, s) })
}

func (f Filter) lets(r *Record) bool {
	for _, t := range f.Tags {
		if !slices.ContainsFunc(r.Tags, func(have string) bool { return strings.EqualFold(have, t) }) {
			return false
		}
	}
	return f.Stands(r.Status) && (f.Kinds == nil || slices.Contains(f.Kinds, r.Kind)) && !r.Updated.Before(f.Since)
}

// names lists the ids in the folder and the archive, sorted, and which are in the archive. The folder is looked at
// twice: a record that moves from the archive to it meanwhile is in neither look at both.
func (s Store) names(project, pattern string) (ids []string, archived map[string]bool, err error) {
	archived = map[string]bool{}
	for i, dir := range []string{s.Dir, filepath.Join(s.Dir, Archive), s.Dir} {
		entries, err := safefile.List(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		for _, e := range entries {
			id, ok := Stem(e.Name())
			if !ok || project != "" && !strings.HasPrefix(id, project+separator) {
				continue
			}
			_, slug, err := Split(id)
			if err == nil && (pattern == "" || matches(pattern, slug) || matches(pattern, id)) {
				ids = append(ids, id)
				if i == 1 {
					archived[id] = true
				}
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), archived, nil
}

func matches(pattern, s string) bool {
	ok, _ := path.Match(pattern, s)
	return ok
}
