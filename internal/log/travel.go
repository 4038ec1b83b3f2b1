package log

import (
	"bytes"
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Send returns the entries of a session as they travel to another machine, a line each. The same entries give the same
// bytes on every machine; a prompt that was typed here says so by the machine's id. Secrets are taken out once more.
// What is of a journal stays here; without answers, what Claude said too. Errors: safefile.ErrRefused, the disk's.
func (s Store) Send(one Session, machine string, answers bool) ([]byte, error) {
	all, err := load(one.Path)
	if err != nil {
		return nil, err
	}
	turns := turnsAlone(all.entries, answers)
	for i := range turns {
		if turns[i].Kind == Typed && turns[i].On == "" {
			turns[i].On = machine
		}
	}
	return travelling(turns), nil
}

// turnsAlone returns the entries of turns without what stays on their machine, and, unless answers, without what Claude
// said.
func turnsAlone(entries []Entry, answers bool) (out []Entry) {
	for _, e := range entries {
		if !e.Happened() || e.Aside {
			continue
		}
		e.Lane, e.Was = "", ""
		if !answers {
			if e.Asked = ""; e.isOfModel() {
				continue
			}
		}
		e.prepare()
		out = append(out, e)
	}
	return out
}

// travelling returns entries as lines in an order that depends on nothing else.
func travelling(entries []Entry) []byte {
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID))
	})
	return encodeAll(entries)
}

// Decode returns the entries in lines that travelled, each once.
func Decode(lines []byte) []Entry {
	var all set
	all.addLines(lines)
	return all.entries
}

func (s *set) addLines(lines []byte) {
	for line := range bytes.Lines(lines) {
		if e, ok := Parse(bytes.TrimSuffix(line, []byte("\n"))); ok {
			s.add(e)
		}
	}
}

// Merge returns the entries of two versions of a session that travel. Each entry of either stays: a machine may have
// lost some, or keep them for a shorter time. What one of them erased is erased. The order of versions and of merges
// changes nothing.
func Merge(local, remote []byte) []byte {
	var all set
	all.addLines(local)
	all.addLines(remote)
	return travelling(all.entries)
}

// Arrived returns the entries of the session whose file is called name that came from another machine, of turns that
// began at earliest or later, and the answers if they are wanted.
func Arrived(name string, lines []byte, earliest time.Time, answers bool) []Entry {
	others := func(e Entry) bool { return e.Session != "" && FileName(e.Session) != name }
	entries := slices.DeleteFunc(Decode(lines), others)
	return Since(turnsAlone(entries, answers), earliest)
}

// Receive adds entries to sessions of a project, by the names of their files. It erases what was erased elsewhere.
// Entries that another machine does not have stay. Errors: safefile.ErrBusy, safefile.ErrRefused, the disk's; the next
// Receive of the same entries goes on.
func (s Store) Receive(project string, sessions map[string][]Entry) error {
	for some := range slices.Chunk(slices.Sorted(maps.Keys(sessions)), maxLocks) {
		if err := s.receive(project, some, sessions); err != nil {
			return err
		}
	}
	return nil
}

// maxLocks is how many sessions are written at once. Each lock is an open file.
const maxLocks = 64

// receive is Receive for some of the sessions.
func (s Store) receive(project string, some []string, sessions map[string][]Entry) error {
	all := map[string][]Entry{}
	for _, name := range some {
		unlock, err := s.lock(project, name)
		if err != nil {
			return err
		}
		defer unlock()
		all[name] = sessions[name]
	}
	return s.join(project, all, false)
}

// join puts the entries before or behind those that are there. The caller holds the locks.
func (s Store) join(project string, sessions map[string][]Entry, before bool) error {
	files := map[string][]byte{}
	for name, entries := range sessions {
		path, _, err := s.find(project, name, firstTime(entries))
		if err != nil {
			return err
		}
		known, err := load(path)
		if err != nil {
			return err
		}
		later := known.entries
		if before {
			known = &set{}
		} else {
			later = nil
		}
		isNew := false
		for _, e := range entries {
			e.prepare()
			isNew = known.add(e) || isNew
		}
		for _, e := range later {
			known.add(e)
		}
		if !isNew || len(known.entries) == 0 {
			continue
		}
		if err := safefile.Dir(filepath.Dir(path)); err != nil {
			return err
		}
		files[path] = encodeAll(known.entries)
	}
	return safefile.ReplaceAll(files, 0o600)
}
