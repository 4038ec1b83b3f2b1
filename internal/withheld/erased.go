package withheld

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

const (
	maxErased  = 32 << 20 // bytes of erased.json
	maxEntries = 200_000  // of erased.json, and of what travels
	keyBytes   = 32
)

// Erased is the content of erased.json: what a person had erased from this store. Ids and sessions travel to other
// machines; fingerprints of phrases and records stay here. It is not for several goroutines at once.
type Erased struct {
	file   erasedFile
	refs   map[string]bool
	scope  []string // the places it answers for, none for all
	finder *finder  // made by the first question
}

type erasedFile struct {
	Version  int                  `json:"version"`
	Forgets  int                  `json:"forgets,omitempty"` // how often a person had something erased
	Refs     []string             `json:"refs,omitempty"`    // of prompts, answers and calls
	Sessions map[string]time.Time `json:"sessions,omitempty"`
	Key      string               `json:"key,omitempty"` // of the fingerprints, hex
	Phrases  []phrase             `json:"phrases,omitempty"`
	Records  []string             `json:"records,omitempty"` // fingerprints
}

// ErasedPath returns the path of the list in dir, memento's folder.
func ErasedPath(dir string) string { return filepath.Join(dir, "erased.json") }

// ErrErasedUnreadable means that erased.json, or the list of another machine, is damaged or too large. memento then
// captures nothing, and merges no stores.
var ErrErasedUnreadable = errors.New("what was erased cannot be read")

// LoadErased reads the list in dir, memento's folder. A missing file is an empty list. Errors: ErrErasedUnreadable.
func LoadErased(dir string) (*Erased, error) {
	l := &Erased{file: erasedFile{Version: 1}, refs: map[string]bool{}}
	data, err := safefile.Read(ErasedPath(dir), maxErased)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err == nil && json.Unmarshal(data, &l.file) != nil { // json's error would not help a person
		err = fmt.Errorf("%s: it is not a list of what was erased", ErasedPath(dir))
	}
	if err != nil {
		return l, fmt.Errorf("%w: %w", ErrErasedUnreadable, err)
	}
	for _, r := range l.file.Refs {
		l.refs[r] = true
	}
	return l, nil
}

// In returns the list as it counts in some places: projects by their slugs or Outside, and naming.User for the
// person's own records. Without a place it counts phrases wherever they were forgotten.
func (l *Erased) In(places ...string) *Erased {
	return &Erased{file: l.file, refs: l.refs, scope: places}
}

// Empty reports whether nothing was ever erased. Then every question is answered with no.
func (l *Erased) Empty() bool {
	f := l.file
	return len(l.refs)+len(f.Sessions)+len(f.Phrases)+len(f.Records) == 0
}

// Forgets returns how often a person had something erased from this store.
func (l *Erased) Forgets() int { return l.file.Forgets }

// Sum returns a short text that changes with the list.
func (l *Erased) Sum() string { return hashID(string(l.encode())) }

func (l *Erased) encode() []byte {
	f := l.file
	f.Refs = slices.Sorted(maps.Keys(l.refs))
	data, _ := json.Marshal(f) // strings, numbers and times always marshal
	return append(data, '\n')
}

// HasID reports whether the prompt, answer or call with this id is erased.
func (l *Erased) HasID(id string) bool { return id != "" && len(l.refs) > 0 && l.refs[hashID(id)] }

// HasTurn reports whether a turn of this session and time was erased with its session.
func (l *Erased) HasTurn(session string, at time.Time) bool {
	if session == "" || len(l.file.Sessions) == 0 {
		return false
	}
	until, ok := l.file.Sessions[hashID(session)]
	return ok && !at.After(until)
}

// HasRecord reports whether the record with this slug, created at this time, was erased whole.
func (l *Erased) HasRecord(slug string, created time.Time) bool {
	return len(l.file.Records) > 0 && !created.IsZero() &&
		slices.Contains(l.file.Records, macOf(l.file.Key, RecordKey(slug, created)))
}

// RecordKey returns the name under which an Erasure knows a record. The project is not part of it.
func RecordKey(slug string, created time.Time) string {
	return slug + "\n" + created.UTC().Format(time.RFC3339)
}

// Erasure is what one command erases. The zero value is nothing.
type Erasure struct {
	IDs      []string  // of prompts, answers and calls
	Sessions []string  // of which all turns up to Until go
	Records  []string  // that go whole, as RecordKey returns them
	Phrase   string    // goes with every text that holds it, "" for none
	In       []string  // the places where the phrase is forgotten, as for Erased.In; nil for all
	Until    time.Time // of Sessions
	ByPerson bool      // a person asked for it: the next sync begins its history anew
}

// Add adds an erasure to the list in dir, memento's folder. Errors: ErrErasedUnreadable, safefile.ErrBusy,
// safefile.ErrRefused, a phrase that is too long, or the disk's; the list is unchanged then.
func (e Erasure) Add(dir string, wait time.Duration) error {
	return changeErased(dir, wait, func(l *Erased) error {
		f := &l.file
		for _, id := range e.IDs {
			l.refs[hashID(id)] = true
		}
		until := e.Until.UTC()
		if f.Sessions == nil {
			f.Sessions = map[string]time.Time{}
		}
		for _, s := range e.Sessions {
			f.Sessions[hashID(s)] = until
		}
		if f.Key == "" && (e.Phrase != "" || len(e.Records) > 0) {
			key := make([]byte, keyBytes)
			rand.Read(key) // never fails
			f.Key = hex.EncodeToString(key)
		}
		for _, r := range e.Records {
			f.Records = append(f.Records, macOf(f.Key, r))
		}
		slices.Sort(f.Records)
		f.Records = slices.Compact(f.Records)
		if e.ByPerson {
			f.Forgets++
		}
		return f.addPhrase(e.Phrase, e.In)
	})
}

// Lift lets memento keep a phrase again, and returns how many fingerprints of it there were. What is erased stays
// erased. Errors: as of Erasure.Add.
func Lift(dir, words string, wait time.Duration) (n int, err error) {
	err = changeErased(dir, wait, func(l *Erased) error {
		before := len(l.file.Phrases)
		l.file.dropPhrase(words)
		n = before - len(l.file.Phrases)
		return nil
	})
	return n, err
}

// renameErased lets phrases that are forgotten in the project from be forgotten in the project to, and with over no
// more in from.
func renameErased(dir, from, to string, over bool, wait time.Duration) error {
	l, err := LoadErased(dir)
	if err != nil || !slices.ContainsFunc(l.file.Phrases, func(p phrase) bool { return slices.Contains(p.In, from) }) {
		return err
	}
	return changeErased(dir, wait, func(l *Erased) error {
		for i := range l.file.Phrases {
			p := &l.file.Phrases[i]
			if !slices.Contains(p.In, from) {
				continue
			}
			p.In = append(p.In, to)
			if over {
				p.In = slices.DeleteFunc(p.In, func(place string) bool { return place == from })
			}
			slices.Sort(p.In)
			p.In = slices.Compact(p.In)
		}
		return nil
	})
}

// changeErased reads the list under its lock, calls f, and replaces the file if it changed.
func changeErased(dir string, wait time.Duration, f func(*Erased) error) error {
	unlock, err := safefile.LockIn(dir, "erased", wait)
	if err != nil {
		return err
	}
	defer unlock()
	l, err := LoadErased(dir)
	if err != nil {
		return err
	}
	before := l.Sum()
	if err := f(l); err != nil {
		return err
	}
	if l.Sum() == before {
		return nil
	}
	if n := len(l.refs) + len(l.file.Sessions) + len(l.file.Phrases); n > maxEntries {
		return fmt.Errorf("%s: more than %d entries", ErasedPath(dir), maxEntries)
	}
	return safefile.Replace(ErasedPath(dir), l.encode(), 0o600)
}

// hashID returns the fingerprint of an id.
func hashID(id string) string {
	h := fnv.New64a()
	h.Write([]byte(id))
	return fmt.Sprintf("%016x", h.Sum64())
}

// addPhrase adds the fingerprints of a phrase: of the words, and of their form in a record's name.
func (f *erasedFile) addPhrase(words string, in []string) error {
	if words == "" {
		return nil
	}
	in = slices.Compact(slices.Sorted(slices.Values(in)))
	asName := newPhrase(f.Key, naming.Phrase(words), true)
	for _, p := range [...]phrase{newPhrase(f.Key, text.Fold(words), false), asName} {
		switch p.In = in; {
		case p.Len > maxPhrase:
			return fmt.Errorf("more than %d bytes cannot be forgotten as one phrase", maxPhrase)
		case p.Len < minPhrase || slices.ContainsFunc(f.Phrases, p.equal):
		default:
			f.Phrases = append(f.Phrases, p)
		}
	}
	return nil
}

// dropPhrase takes the fingerprints of a phrase out.
func (f *erasedFile) dropPhrase(words string) {
	gone := [...]string{macOf(f.Key, text.Fold(words)), macOf(f.Key, naming.Phrase(words))}
	f.Phrases = slices.DeleteFunc(f.Phrases, func(p phrase) bool { return slices.Contains(gone[:], p.MAC) })
}
