package record

import (
	"bytes"
	"cmp"
	"path/filepath"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// Walk calls f for each record of a project, "" for all, with its file and the file's stamp, whatever its kind and
// status. [ReadFile] returns the text of the file. Walk opens no record. Errors: the disk's.
func (s Store) Walk(project string, f func(id, path string, stamp safefile.Stamp)) error {
	ids, err := s.IDs(project, "")
	for _, id := range ids {
		for _, path := range s.paths(id) {
			if n, err := safefile.Stat(path); err == nil {
				f(id, path, n)
				break
			}
		}
	}
	return err
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
	for _, a := range all {
		to, err := s.placeArrival(a)
		if err != nil {
			return err
		}
		if !bytes.Equal(a.Was, a.To) || (a.Was == nil) != (a.To == nil) {
			new = append(new, to)
		}
	}
	files := map[string][]byte{}
	for _, a := range new {
		if a.To == nil {
			if err := s.erase(a.ID); err != nil {
				return err
			}
			continue
		}
		if err := safefile.Dir(filepath.Dir(a.to)); err != nil {
			return err
		}
		if a.from != "" && a.from != a.to {
			if err := safefile.Move(a.from, a.to); err != nil {
				return err
			}
		}
		files[a.to] = a.To
	}
	return safefile.ReplaceAll(files, 0o600)
}

// arrived is an arrival with the paths of its record's file, before and after, "" for none.
type arrived struct {
	Arrival
	from, to string
}

// placeArrival finds where an arrival goes.
func (s Store) placeArrival(a Arrival) (to arrived, err error) {
	to.Arrival = a
	if _, _, err := naming.Split(a.ID); err != nil {
		return to, err
	}
	var stored []byte
	if to.from = s.pathOf(a.ID); to.from != "" {
		if stored, err = ReadFile(to.from); err != nil {
			return to, err
		}
	}
	if !bytes.Equal(stored, a.Was) || (to.from == "") != (a.Was == nil) {
		return to, &ConflictError{a.ID, fingerprint(string(stored))}
	}
	if a.To == nil {
		return to, nil
	}
	if err := checkSize(a.To); err != nil {
		return to, err
	}
	if r, err := Decode(a.ID, a.To); err == nil {
		to.to = s.Path(a.ID, r.Status)
	} else {
		to.to = cmp.Or(to.from, s.Path(a.ID, schema.Active))
	}
	return to, nil
}

// Send returns the text of a record as it travels to another machine, where its id is to: with that id, without
// secrets and private words. Of a text with unreadable front matter the id stays.
func Send(data []byte, to string) ([]byte, error) {
	data = []byte(redact.Clean(text.Private(string(data))))
	r, err := Decode(to, data)
	if isFront(err) {
		return data, nil
	}
	if err != nil {
		return nil, err
	}
	return renamed(r, to), nil
}

// MayArrive reports whether Put would store a text from another machine: plain text that is not too long.
func MayArrive(data []byte) bool {
	return len(data) <= schema.MaxBytes && utf8.Valid(data) && !bytes.ContainsRune(data, 0)
}
