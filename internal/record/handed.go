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

// handed is the version of a record that somebody got whole, to change it elsewhere. It holds no word of it.
type handed struct {
	Hash    string    `json:"hash"`
	Updated time.Time `json:"updated"` // as that version says
	When    time.Time `json:"when"`
}

func (s Store) handedPath() string { return filepath.Join(s.Dir, "state", "handed") }

// handedOut returns the versions that were handed out, by a hash of the record's id; none when that cannot be read.
func (s Store) handedOut() map[string]handed {
	out := map[string]handed{}
	data, err := safefile.Read(s.handedPath(), maxHanded)
	if err != nil || json.Unmarshal(data, &out) != nil {
		return map[string]handed{}
	}
	return out
}

// HandOut notes which version of r somebody gets whole, so that Replace can tell whether the record was changed in an
// editor since, which leaves `updated` as it was. It is a guard: where the note cannot be written, `updated` alone
// tells.
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
	if len(all) >= maxHanded/256 { // a script that reads them all
		clear(all)
	}
	all[titleFingerprint(r.Project, r.ID)] = handed{r.Hash(), r.Updated, now}
	if data, err := json.Marshal(all); err == nil {
		_ = safefile.ReplaceVolatile(s.handedPath(), append(data, '\n'), 0o600)
	}
}

// base returns the hash of the version that a whole file was made from, as far as that is known: "" when it may be the
// one stored.
func (s Store) base(stored, given *Record) string {
	switch h, ok := s.handedOut()[titleFingerprint(stored.Project, stored.ID)]; {
	case !given.Updated.Equal(stored.Updated): // it says itself that it is another one
		return "that of another version"
	case ok && h.Updated.Equal(given.Updated):
		return h.Hash
	}
	return ""
}
