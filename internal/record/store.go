package record

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// ErrNotFound says that neither the folder nor the archive has a record of this name.
var ErrNotFound = errors.New("there is no such record")

// ExistsError says that there is a record of this title already. That record is unchanged.
type ExistsError struct{ ID, Status string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("record %q is there already, and %s", e.ID, e.Status)
}

// ErrRemoved says that a record of this title was removed in the last 24 hours: to write it again may be a mistake.
var ErrRemoved = errors.New("was removed")

// ConflictError says that a record was changed since it was read. Nothing was written; Hash is the stored version's.
type ConflictError struct {
	ID   string
	Hash string
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("record %q was changed since it was read; it is %s now", e.ID, e.Hash)
}

// Store is the folder of the records. A method that changes a record waits for the lock of all records; on an error
// every record is unchanged. A method that reads takes no lock.
type Store struct {
	Dir    string           // memento's folder
	Now    func() time.Time // time.Now outside tests
	Wait   time.Duration    // for the lock
	Branch string           // the branch that is checked out, for new records of a project

	// Asked is the time of the request that this store is for, if any. Titles that were removed before are free again.
	Asked time.Time
	// Again is set for records that can be made again: a power cut may take new ones (see safefile.ReplaceVolatile).
	Again bool

	held bool // Alone holds the lock
}

// Alone runs do with a store that holds the lock of all records until do returns, so that nobody changes a record
// between do's reads and writes. Nothing else in do may wait for that lock. Alone returns safefile's errors for the
// lock, else do's error; what do wrote before the error stays.
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
	if unlock, err = safefile.LockIn(s.Dir, "records", s.Wait); err != nil {
		return nil, err
	}
	if err = safefile.CheckDir(filepath.Join(s.Dir, naming.Archive)); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// decodeAt decodes the file at path. When a person moved the file by hand, its folder decides the status.
func decodeAt(id, path string, data []byte) (*Record, error) {
	r, err := Decode(id, data)
	if err != nil {
		return nil, err
	}
	r.Path = path
	switch archived := filepath.Base(filepath.Dir(path)) == naming.Archive; {
	case archived && r.Status == schema.Active:
		r.Status = schema.Completed
	case !archived && (r.Status == schema.Completed || r.Status == schema.Archived) &&
		r.lastMove().New == r.Status: // the history has the status, so no person wrote it into the file
		r.Status = schema.Active
	}
	return r, nil
}

// open reads the record from the folder, else from the archive.
func (s Store) open(id string) (*Record, error) {
	for _, path := range s.paths(id) {
		data, err := ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		r, err := decodeAt(id, path, data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return r, nil
	}
	return nil, fmt.Errorf("%w: %s", ErrNotFound, id)
}

// Read returns the record with this id. Errors: *naming.Error, ErrNotFound, *markdown.FrontError, safefile's.
func (s Store) Read(id string) (*Record, error) {
	if _, _, err := naming.Split(id); err != nil {
		return nil, err
	}
	r, err := s.open(id)
	if errors.Is(err, ErrNotFound) { // it may have been moved between the two reads
		r, err = s.open(id)
	}
	return r, err
}

// write writes r to the path to. It moves the record there from the path from, "" for a new one. The record stands in
// the folder, and not in the archive, while its text changes: a process killed in between leaves a file that decodeAt
// takes for one of the two versions. On an error the record is unchanged.
func (s Store) write(r *Record, to, from string) (*Record, error) {
	r.clean()
	if err := r.encode(); err != nil {
		return nil, err
	}
	data := r.doc.Bytes()
	out, err := decodeAt(r.ID, to, data)
	if err != nil {
		return nil, err
	}
	if filepath.Dir(to) != s.Dir { // the first archived record creates the archive
		if err := safefile.Dir(filepath.Dir(to)); err != nil {
			return nil, err
		}
	}
	replace := safefile.Replace
	if s.Again {
		replace = safefile.ReplaceVolatile
	}
	switch {
	case from == "" || from == to:
		err = replace(to, data, 0o600)
	case filepath.Dir(to) == s.Dir:
		if err = safefile.Move(from, to); err == nil {
			if err = replace(to, data, 0o600); err != nil {
				err = errors.Join(err, safefile.Move(to, from))
			}
		}
	default:
		var was []byte
		if was, err = ReadFile(from); err == nil {
			err = replaceAndMove(from, to, was, data)
		}
	}
	if err != nil {
		return nil, err
	}
	out.Secrets = r.Secrets
	return out, nil
}

// replaceAndMove replaces the file at from, which holds was, and moves it. On an error the file is as it was.
func replaceAndMove(from, to string, was, data []byte) error {
	if !bytes.Equal(was, data) {
		if err := safefile.Replace(from, data, 0o600); err != nil {
			return err
		}
	}
	err := safefile.Move(from, to)
	if err != nil && !bytes.Equal(was, data) {
		err = errors.Join(err, safefile.Replace(from, was, 0o600))
	}
	return err
}
