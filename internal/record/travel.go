package record

import (
	"bytes"
	"errors"
	"path/filepath"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// Walk calls f for each record of a project, "" for all, with its file and the file's stamp, whatever its kind and
// status. [ReadFile] returns the text of the file. Walk opens no record but those that a crash left in two places.
// Errors: the disk's.
func (s Store) Walk(project string, f func(id, path string, stamp safefile.Stamp)) error {
	ids, archived, err := s.names(project, "")
	for _, id := range ids {
		path := s.Path(id, schema.Active)
		n, err := safefile.Stat(path)
		if archived[id] {
			if err == nil {
				path = s.current(id)
			} else {
				path = s.Path(id, schema.Completed)
			}
			n, err = safefile.Stat(path)
		}
		if err == nil {
			f(id, path, n)
		}
	}
	return err
}

// current returns the path of the file that counts for a record, "" without one.
func (s Store) current(id string) string {
	if r, err := s.Read(id); err == nil {
		return r.Path
	}
	for _, path := range s.paths(id) {
		if _, err := safefile.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// Arrival is a record that came out of a merge.
type Arrival struct {
	ID  string
	Was []byte // the text of the stored file, nil for none
	To  []byte // nil removes the record
}

// Put stores records that came from a merge. It waits for the disk once for all of them. When the text of a stored file
// is no longer Was, Put returns a *ConflictError and changes nothing. The status in a file decides the folder; a file
// that memento cannot read stays in its folder. The index hears of them. Other errors: *naming.Error, ErrInvalid for a
// file that is too large, safefile's; on those of the disk some records are stored.
func (s Store) Put(all ...Arrival) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	var new []arrived
	files := map[string][]byte{}
	for _, a := range all {
		to, err := s.placeArrival(a)
		if err != nil {
			return err
		}
		if to.isOld {
			continue
		}
		new = append(new, to)
		if a.To == nil {
			continue
		}
		if err := safefile.Dir(filepath.Dir(to.path)); err != nil {
			return err
		}
		files[to.path] = a.To
	}
	if err := safefile.ReplaceAll(files, 0o600); err != nil {
		return err
	}
	return s.finishArrivals(new)
}

// arrived is where an arrival goes.
type arrived struct {
	Arrival
	path  string  // "" for a record that goes
	read  *Record // nil if memento cannot read it
	isOld bool    // it stands there
}

// placeArrival finds where an arrival goes.
func (s Store) placeArrival(a Arrival) (to arrived, err error) {
	to.Arrival = a
	if _, _, err := naming.Split(a.ID); err != nil {
		return to, err
	}
	at, stored := "", []byte(nil)
	if _, err := s.heal(a.ID); err == nil || isFront(err) || errors.Is(err, safefile.ErrTooLarge) {
		at = s.current(a.ID)
	} else if !isNotFound(err) {
		return to, err
	}
	if at != "" {
		if stored, err = ReadFile(at); err != nil {
			return to, err
		}
	}
	switch {
	case !bytes.Equal(stored, a.Was) || (at == "") != (a.Was == nil):
		return to, &ConflictError{a.ID, fingerprint(string(stored))}
	case a.To == nil:
		return to, nil
	case at != "" && bytes.Equal(stored, a.To):
		to.isOld = true
		return to, nil
	}
	if err := checkSize(a.To); err != nil {
		return to, err
	}
	to.path = s.Path(a.ID, schema.Active)
	switch r, unreadable := Decode(a.ID, a.To); {
	case unreadable == nil:
		to.path = s.Path(a.ID, r.Status)
		r.Path, to.read = to.path, r
	case at != "":
		to.path = at
	}
	return to, nil
}

// finishArrivals removes the records that go, and the other files of those that were stored, and tells the index.
func (s Store) finishArrivals(all []arrived) error {
	var saved []*Record
	for _, a := range all {
		if a.path == "" {
			if err := s.erase(a.ID); err != nil {
				return err
			}
			continue
		}
		for _, other := range s.paths(a.ID) {
			if other != a.path {
				if err := safefile.Remove(other); err != nil {
					return err
				}
			}
		}
		switch {
		case a.read != nil:
			saved = append(saved, a.read)
		case s.Index != nil:
			s.Index.Deleted(a.ID)
		}
	}
	if s.Index != nil && len(saved) > 0 {
		s.Index.Saved(saved...)
	}
	return nil
}

// Send returns the text of a record as it travels to another machine, where its id is to: with that id, without
// secrets and private words. Of a text with unreadable front matter the id stays. A copy of a repository's file gives
// nil: the repository brings it to each machine, where the person is asked.
func Send(data []byte, to string) ([]byte, error) {
	data = []byte(redact.Clean(text.Private(string(data))))
	r, err := Decode(to, data)
	if isFront(err) {
		return data, nil
	}
	if err != nil {
		return nil, err
	}
	if r.Shared != "" {
		return nil, nil
	}
	return renamed(r, to)
}

// MayArrive reports whether Put would store a text that came from another machine: it is plain text, not too long, and
// no copy of a repository's file, which the repository brings.
func MayArrive(data []byte) bool {
	if len(data) > schema.MaxBytes || !utf8.Valid(data) || bytes.ContainsRune(data, 0) {
		return false
	}
	r, err := Decode("user--any", data)
	return isFront(err) || err == nil && r.Shared == ""
}
