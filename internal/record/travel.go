package record

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
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
func (s Store) Walk(project string, f func(id, path string, stamp safefile.Name)) error {
	type place struct {
		path  string
		stamp safefile.Name
	}
	found := map[string]place{}
	var ids, twice []string
	for _, dir := range s.Folders() {
		err := safefile.Names(dir, "", func(n safefile.Name) {
			id, ok := naming.Stem(n.Name)
			if !ok || project != "" && !strings.HasPrefix(id, naming.Prefix(project)) {
				return
			}
			if _, _, err := naming.Split(id); err != nil {
				return
			}
			p := place{filepath.Join(dir, n.Name), n}
			if _, before := found[id]; before {
				twice = append(twice, id)
				return
			}
			if !n.Seen {
				number := n.Number
				if n, err := safefile.Stat(p.path); err == nil {
					p.stamp = n
					p.stamp.Number = max(n.Number, number)
				}
			}
			ids, found[id] = append(ids, id), p
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, id := range twice {
		if path := s.current(id); path != "" {
			if n, err := safefile.Stat(path); err == nil {
				found[id] = place{path, n}
			}
		}
	}
	for _, id := range ids {
		f(id, found[id].path, found[id].stamp)
	}
	return nil
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

// Put stores a record that came from a merge, unless the text of the stored file is no longer was (nil: no file): then
// it returns a *ConflictError and changes nothing. to nil removes the record. The status in the file decides the
// folder; a file that memento cannot read stays in its folder. The index hears of it. Other errors: *naming.Error,
// ErrInvalid for a file that is too large, safefile's.
func (s Store) Put(id string, was, to []byte) error {
	if _, _, err := naming.Split(id); err != nil {
		return err
	}
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := s.heal(id); err != nil && !isNotFound(err) && !isFront(err) && !errors.Is(err, safefile.ErrTooLarge) {
		return err
	}
	at := s.current(id)
	var stored []byte
	if at != "" {
		if stored, err = ReadFile(at); err != nil {
			return err
		}
	}
	switch {
	case !bytes.Equal(stored, was) || (at == "") != (was == nil):
		return &ConflictError{id, fingerprint(string(stored)), stored, to}
	case to == nil:
		return s.erase(id)
	case at != "" && bytes.Equal(stored, to):
		return nil
	case tooLong(to):
		return checkSize(len(to), 0)
	}
	path := s.Path(id, schema.Active)
	r, unreadable := Decode(id, to)
	switch {
	case unreadable == nil:
		path = r.filePath(s.Path(id, r.Status), to)
	case at != "":
		path = at
	}
	if err := safefile.Dir(filepath.Dir(path)); err != nil {
		return err
	}
	if err := safefile.Replace(path, pack(path, to), 0o600); err != nil {
		return err
	}
	for _, other := range s.paths(id) {
		if other != path {
			if err := safefile.Remove(other); err != nil {
				return err
			}
		}
	}
	if s.Index == nil {
		return nil
	}
	if unreadable != nil {
		s.Index.Deleted(id)
		return nil
	}
	r.Path = path
	s.Index.Saved(r)
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

// MayArrive reports whether Put would store a text that came from another machine: it is plain text, and not too long.
func MayArrive(data []byte) bool {
	return !tooLong(data) && utf8.Valid(data) && !bytes.ContainsRune(data, 0)
}

// Text returns the text of a record, nil for none. Errors: those of ReadFile.
func (s Store) Text(id string) ([]byte, error) {
	for _, path := range s.paths(id) {
		if data, err := ReadFile(path); !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, nil
}
