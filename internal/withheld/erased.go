package withheld

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
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
	sent   sent
	scope  []string // the places it answers for, none for all
	finder *finder  // made by the first question
}

type erasedFile struct {
	Version int      `json:"version"`
	Forgets int      `json:"forgets,omitempty"` // how often a person had something erased
	Refs    []string `json:"refs,omitempty"`    // what travels, see sent
	Key     string   `json:"key,omitempty"`     // of the fingerprints, hex
	Phrases []phrase `json:"phrases,omitempty"`
	Records []string `json:"records,omitempty"` // fingerprints
}

// ErasedPath returns the path of the list in dir, memento's folder.
func ErasedPath(dir string) string { return filepath.Join(dir, "erased.json") }

// ErrErasedUnreadable means that erased.json, or the list of another machine, is damaged or too large. memento then
// captures nothing, and merges no stores.
var ErrErasedUnreadable = errors.New("what was erased cannot be read")

// LoadErased reads the list in dir, memento's folder. A missing file is an empty list. Errors: ErrErasedUnreadable.
func LoadErased(dir string) (*Erased, error) {
	l := &Erased{file: erasedFile{Version: 1}, sent: sent{}}
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
	return l, l.sent.add(strings.Join(l.file.Refs, "\n"))
}

// In returns the list as it counts in some places: projects by their slugs or Outside, and naming.User for the
// person's own records. Without a place it counts phrases wherever they were forgotten.
func (l *Erased) In(places ...string) *Erased {
	return &Erased{file: l.file, sent: l.sent, scope: places}
}

// Only returns the list as it counts everywhere, with one phrase in place of its own. Errors: ErrPhrase.
func (l *Erased) Only(words string) (*Erased, error) {
	out := &Erased{file: l.file, sent: l.sent}
	out.file.Phrases = nil
	return out, out.file.addPhrase(words, nil)
}

// Empty reports whether nothing was ever erased. Then every question is answered with no.
func (l *Erased) Empty() bool { return len(l.sent)+len(l.file.Phrases)+len(l.file.Records) == 0 }

// Forgets returns how often a person had something erased from this store.
func (l *Erased) Forgets() int { return l.file.Forgets }

// Sum returns a short text that changes with the list.
func (l *Erased) Sum() string { return text.Fingerprint(string(l.encode())) }

func (l *Erased) encode() []byte {
	f := l.file
	f.Refs = strings.Fields(string(l.sent.lines()))
	data, _ := json.Marshal(f) // strings and numbers always marshal
	return append(data, '\n')
}

// HasID reports whether the prompt, answer or call with this id is erased.
func (l *Erased) HasID(id string) bool {
	if id == "" || len(l.sent) == 0 {
		return false
	}
	until, ok := l.sent[text.Fingerprint(id)]
	return ok && until.IsZero()
}

// HasTurn reports whether a turn of this session and time was erased with its session.
func (l *Erased) HasTurn(session string, at time.Time) bool {
	until := l.sent[text.Fingerprint(session)]
	return session != "" && !until.IsZero() && !at.After(until)
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
			l.sent[text.Fingerprint(id)] = time.Time{}
		}
		for _, s := range e.Sessions {
			l.sent[text.Fingerprint(s)] = e.Until.UTC().Truncate(time.Second)
		}
		for _, r := range e.Records {
			f.makeKey()
			f.Records = append(f.Records, macOf(f.Key, r))
		}
		slices.Sort(f.Records)
		f.Records = slices.Compact(f.Records)
		if e.ByPerson {
			f.Forgets++
		}
		if e.Phrase == "" {
			return nil
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

// renameErased lets phrases that are forgotten in the project from be forgotten in the project to. They stay forgotten
// in from, too: nobody asked for the words back.
func renameErased(dir, from, to string, wait time.Duration) error {
	return changeErased(dir, wait, func(l *Erased) error {
		for i := range l.file.Phrases {
			if p := &l.file.Phrases[i]; slices.Contains(p.In, from) {
				p.In = slices.Compact(slices.Sorted(slices.Values(append(p.In, to))))
			}
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
	if n := len(l.sent) + len(l.file.Phrases); n > maxEntries {
		return fmt.Errorf("%s: more than %d entries", ErasedPath(dir), maxEntries)
	}
	return safefile.Replace(ErasedPath(dir), l.encode(), 0o600)
}

// makeKey makes the key of the fingerprints, once.
func (f *erasedFile) makeKey() {
	if f.Key == "" {
		key := make([]byte, keyBytes)
		rand.Read(key) // never fails
		f.Key = hex.EncodeToString(key)
	}
}

// forms returns a phrase, folded, and the form that it has in a record's name, unless that is the same.
func forms(words string) []string {
	folded, name := Fold(words), naming.Phrase(words)
	if strings.Contains(name, "-") && name != folded {
		return []string{folded, name}
	}
	return []string{folded}
}

// ErrPhrase means that a phrase is too short to be told from everything else, or too long.
var ErrPhrase = errors.New("the phrase is too short to be told from everything else, or too long")

// addPhrase adds the fingerprints of a phrase. Errors: ErrPhrase.
func (f *erasedFile) addPhrase(words string, in []string) error {
	f.makeKey()
	in = slices.Compact(slices.Sorted(slices.Values(in)))
	for _, form := range forms(words) {
		if text.Runes(form) < minPhrase || len(form) > maxPhrase {
			return ErrPhrase
		}
		p := phrase{macOf(f.Key, form), len(form), newFinder(f.Key).roll(form), in}
		if !slices.ContainsFunc(f.Phrases, p.equal) {
			f.Phrases = append(f.Phrases, p)
		}
	}
	return nil
}

// dropPhrase takes the fingerprints of a phrase out.
func (f *erasedFile) dropPhrase(words string) {
	for _, form := range forms(words) {
		mac := macOf(f.Key, form)
		f.Phrases = slices.DeleteFunc(f.Phrases, func(p phrase) bool { return p.MAC == mac })
	}
}
