// Package erased remembers what a person had erased, so that a transcript that still holds it does not bring it back. It
// keeps erased.json: marks of prompts and tool calls by their ids, and of words whose line was not written yet. It holds no
// words, and decides nothing about what is erased.
package erased

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

const (
	maxFile  = 16 << 20
	maxMarks = 200_000
)

// List is what erased.json holds.
type List struct {
	refs  map[string]bool
	words map[string]time.Time // up to when they are erased
}

type file struct {
	Version int                  `json:"version"`
	Refs    []string             `json:"refs,omitempty"`
	Words   map[string]time.Time `json:"words,omitempty"`
}

// Path is where the list is kept in dir, memento's folder.
func Path(dir string) string { return filepath.Join(dir, "erased.json") }

// ErrUnreadable is the reason when erased.json says nothing that can be understood. Nothing is then captured.
var ErrUnreadable = errors.New("what was erased cannot be read")

// Load reads the list; a missing one is empty. On an error, damage too, what is erased is not known.
func Load(dir string) (List, error) {
	l := List{refs: map[string]bool{}, words: map[string]time.Time{}}
	data, err := safefile.Read(Path(dir), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	var f file
	if err == nil && json.Unmarshal(data, &f) != nil { // its words are for programmers
		err = fmt.Errorf("%s: it is not a list of what was erased", Path(dir))
	}
	if err != nil {
		return l, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	for _, r := range f.Refs {
		l.refs[r] = true
	}
	if f.Words != nil {
		l.words = f.Words
	}
	return l, nil
}

// Empty reports whether nothing was ever erased.
func (l List) Empty() bool { return len(l.refs)+len(l.words) == 0 }

// Ref reports whether the prompt or the call with this id is erased.
func (l List) Ref(id string) bool { return len(l.refs) > 0 && id != "" && l.refs[ref(id)] }

// Words reports whether these words, typed at ts (RFC 3339), are erased.
func (l List) Words(words, ts string) bool {
	if len(l.words) == 0 {
		return false
	}
	until, ok := l.words[mark(words)]
	if !ok {
		return false
	}
	at, err := time.Parse(time.RFC3339, ts)
	return err == nil && !at.After(until)
}

// Add remembers that the prompts and calls with these ids are erased, and these words where they were typed up to until.
// Errors: of Load, safefile.ErrBusy, safefile.ErrRefused, or what the disk said; the list is as it was.
func Add(dir string, ids, words []string, until time.Time, wait time.Duration) error {
	unlock, err := safefile.LockIn(dir, "erased", wait)
	if err != nil {
		return err
	}
	defer unlock()
	l, err := Load(dir)
	if err != nil {
		return err
	}
	before := len(l.refs)
	for _, id := range ids {
		l.refs[ref(id)] = true
	}
	for _, w := range words {
		l.words[mark(w)] = until.UTC()
	}
	if len(l.refs) == before && len(words) == 0 {
		return nil
	}
	if len(l.refs)+len(l.words) > maxMarks {
		return fmt.Errorf("%s: more than %d marks", Path(dir), maxMarks)
	}
	data, err := json.Marshal(file{1, slices.Sorted(maps.Keys(l.refs)), l.words})
	if err != nil {
		return err
	}
	return safefile.Replace(Path(dir), append(data, '\n'), 0o600)
}

// ref is the mark of an id of the client's.
func ref(id string) string {
	h := fnv.New64a()
	h.Write([]byte(id))
	return fmt.Sprintf("%016x", h.Sum64())
}

// mark is the mark of words. It is short on purpose: very many words share each one, so that it gives none away.
func mark(words string) string {
	h := fnv.New32a()
	h.Write([]byte(text.Fold(words)))
	return fmt.Sprintf("%08x", h.Sum32())
}
