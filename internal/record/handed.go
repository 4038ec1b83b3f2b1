package record

import (
	"encoding/json"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

const (
	handedFor = 30 * 24 * time.Hour
	maxHanded = 64 << 10 // bytes of the file
)

// handed names the version of a record that somebody got whole, to edit it elsewhere. It holds none of its words.
type handed struct {
	Hash    string    `json:"hash"`
	Updated time.Time `json:"updated"` // in that version
	When    time.Time `json:"when"`
}

func (s Store) handedPath() string { return filepath.Join(s.Dir, "state", "handed") }

// handedOut returns the versions that were handed out, by a fingerprint of the record's id. An unreadable list is
// empty.
func (s Store) handedOut() map[string]handed {
	out := map[string]handed{}
	data, err := safefile.Read(s.handedPath(), maxHanded)
	if err != nil || json.Unmarshal(data, &out) != nil {
		return map[string]handed{}
	}
	return out
}

// HandOut notes the version of r that somebody gets whole. Replace then sees whether a person has changed the record in
// an editor since, who may leave `updated` as it was. Where HandOut cannot write the note, Replace compares `updated`
// alone.
func (s Store) HandOut(r *Record) {
	unlock, err := s.lock()
	if err != nil {
		return
	}
	defer unlock()
	all, now := s.handedOut(), s.Now().UTC()
	for k, h := range all {
		if now.Sub(h.When).Abs() >= handedFor {
			delete(all, k)
		}
	}
	if len(all) >= maxHanded/256 { // a script reads all records
		clear(all)
	}
	all[fingerprint(r.ID)] = handed{r.Hash(), r.Updated, now}
	if data, err := json.Marshal(all); err == nil {
		_ = safefile.ReplaceVolatile(s.handedPath(), append(data, '\n'), 0o600)
	}
}

// base returns the hash of the version that the record given was made from, "" when that may be the stored one.
func (s Store) base(stored, given *Record) string {
	switch h, ok := s.handedOut()[fingerprint(stored.ID)]; {
	case !given.Updated.Equal(stored.Updated): // no hash is like this text
		return "that of another version"
	case ok && h.Updated.Equal(given.Updated):
		return h.Hash
	}
	return ""
}
