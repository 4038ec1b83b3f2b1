package withheld

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
	maxErased       = 16 << 20
	maxFingerprints = 200_000
)

// erased is the content of erased.json.
type erased struct {
	refs  map[string]bool
	words map[string]time.Time // erased when they were typed up to this time
}

type erasedFile struct {
	Version int                  `json:"version"`
	Refs    []string             `json:"refs,omitempty"`
	Words   map[string]time.Time `json:"words,omitempty"`
}

// ErasedPath returns the path of the list in dir, memento's folder.
func ErasedPath(dir string) string { return filepath.Join(dir, "erased.json") }

// ErrErasedUnreadable means that erased.json is damaged. memento then captures nothing.
var ErrErasedUnreadable = errors.New("what was erased cannot be read")

// loadErased reads the list. A missing file is an empty list.
func loadErased(dir string) (erased, error) {
	l := erased{refs: map[string]bool{}, words: map[string]time.Time{}}
	data, err := safefile.Read(ErasedPath(dir), maxErased)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	var f erasedFile
	if err == nil && json.Unmarshal(data, &f) != nil { // json's error would not help a person
		err = fmt.Errorf("%s: it is not a list of what was erased", ErasedPath(dir))
	}
	if err != nil {
		return l, fmt.Errorf("%w: %w", ErrErasedUnreadable, err)
	}
	for _, r := range f.Refs {
		l.refs[r] = true
	}
	if f.Words != nil {
		l.words = f.Words
	}
	return l, nil
}

// empty reports whether nothing was ever erased.
func (l erased) empty() bool { return len(l.refs)+len(l.words) == 0 }

// hasID reports whether the prompt or the call with this id is erased.
func (l erased) hasID(id string) bool { return len(l.refs) > 0 && id != "" && l.refs[hashID(id)] }

// hasWords reports whether these words, typed at ts (RFC 3339), are erased.
func (l erased) hasWords(words, ts string) bool {
	if len(l.words) == 0 {
		return false
	}
	until, ok := l.words[hashWords(words)]
	if !ok {
		return false
	}
	at, err := time.Parse(time.RFC3339, ts)
	return err == nil && !at.After(until)
}

// LoadErasedIDs returns a func that reports whether the prompt or call with an id was erased. Errors:
// ErrErasedUnreadable.
func LoadErasedIDs(dir string) (func(id string) bool, error) {
	l, err := loadErased(dir)
	return l.hasID, err
}

// AddErased adds the ids of erased prompts and calls to the list, and words that are erased where they were typed up
// to until. Errors: ErrErasedUnreadable, safefile.ErrBusy, safefile.ErrRefused, or the disk's; the list is unchanged
// then.
func AddErased(dir string, ids, words []string, until time.Time, wait time.Duration) error {
	unlock, err := safefile.LockIn(dir, "erased", wait)
	if err != nil {
		return err
	}
	defer unlock()
	l, err := loadErased(dir)
	if err != nil {
		return err
	}
	before := len(l.refs)
	for _, id := range ids {
		l.refs[hashID(id)] = true
	}
	for _, w := range words {
		l.words[hashWords(w)] = until.UTC()
	}
	if len(l.refs) == before && len(words) == 0 {
		return nil
	}
	if len(l.refs)+len(l.words) > maxFingerprints {
		return fmt.Errorf("%s: more than %d marks", ErasedPath(dir), maxFingerprints)
	}
	data, err := json.Marshal(erasedFile{1, slices.Sorted(maps.Keys(l.refs)), l.words})
	if err != nil {
		return err
	}
	return safefile.Replace(ErasedPath(dir), append(data, '\n'), 0o600)
}

// hashID returns the fingerprint of an id.
func hashID(id string) string {
	h := fnv.New64a()
	h.Write([]byte(id))
	return fmt.Sprintf("%016x", h.Sum64())
}

// hashWords returns the fingerprint of words. It is short on purpose: very many texts share each fingerprint, so that
// it gives no text away.
func hashWords(words string) string {
	h := fnv.New32a()
	h.Write([]byte(text.Fold(words)))
	return fmt.Sprintf("%08x", h.Sum32())
}
