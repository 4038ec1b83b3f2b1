package record

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// StatusError is the reason when a record has a status that a move does not begin at.
type StatusError struct {
	ID, Status string   // what it is
	To         string   // what it was to become
	From       []string // what may become that
}

func (e *StatusError) Error() string {
	if e.Status == e.To {
		return e.ID + " is " + e.Status + " already"
	}
	return fmt.Sprintf("%s is %s; this is for what is %s", e.ID, e.Status, strings.Join(e.From, " or "))
}

// Move gives a record another status by the one of schema.Moves that has this verb. Errors: those of Update;
// *StatusError; ErrInvalid where a reason is needed and missing, or the verb is none.
func (s Store) Move(id, verb, ifMatch, reason string) (*Record, error) {
	i := slices.IndexFunc(schema.Moves, func(m schema.Move) bool { return m.Verb == verb })
	if i < 0 {
		return nil, fmt.Errorf("%w: there is no move %q", ErrInvalid, verb)
	}
	m := schema.Moves[i]
	if strings.TrimSpace(reason) == "" {
		reason = m.Summary
	}
	if reason == "" {
		return nil, fmt.Errorf("%w: a reason is needed", ErrInvalid)
	}
	r, unlock, err := s.take(id)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if ifMatch != "" && ifMatch != r.Hash() {
		return nil, &ConflictError{r.ID, r.Hash(), r.Bytes(), r.Bytes()}
	}
	stray := m.To == schema.Active && !slices.Contains(schema.Statuses(), r.Status)
	if !slices.Contains(m.From, r.Status) && !stray {
		return nil, &StatusError{r.ID, r.Status, m.To, m.From}
	}
	return s.turn(r, m.To, reason, s.Now())
}

// turn gives a record another status. The caller holds the lock.
func (s Store) turn(r *Record, to, summary string, now time.Time) (*Record, error) {
	was, old := r.Path, r.Status
	r.Status = to
	r.Updated = later(now, r.Updated)
	r.note(Change{Summary: summary, Field: "status", Old: old, New: to}, now)
	r.clean()
	return s.write(r, s.Path(r.ID, to), was)
}

// Remove deletes a record wherever it stands, whatever state its file is in; for 24 hours no other takes its title. It
// cannot be undone.
func (s Store) Remove(id string) error {
	if _, _, err := naming.Split(id); err != nil {
		return err
	}
	id = idOf(id)
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	r, _, err := s.both(id)
	if r == nil && err != nil && (isNotFound(err) || safefile.Unreadable(err) && !isFront(err)) {
		return err
	}
	project, title, _ := naming.Split(id)
	if r != nil {
		title = r.Title
	}
	_, slug, _ := naming.Split(id)
	if err := s.forbid(s.Now(), titleFingerprint(project, title), nameFingerprint(project, slug)); err != nil {
		return err
	}
	for _, path := range s.asides()[id] {
		if err := safefile.Remove(path); err != nil {
			return err
		}
	}
	return s.erase(id)
}

// asides lists the copies of records by id: what was set aside when an interrupted move left two versions, and drafts.
func (s Store) asides() map[string][]string {
	out := map[string][]string{}
	for _, dir := range s.Folders() {
		entries, err := safefile.List(dir)
		if err != nil {
			continue // what cannot be listed now is there at the next
		}
		for _, e := range entries {
			for _, mark := range [...]string{".older-", draftMark} {
				name, _, aside := strings.Cut(e.Name(), mark)
				if id, ok := naming.Stem(name); ok && aside {
					out[id] = append(out[id], filepath.Join(dir, e.Name()))
				}
			}
		}
	}
	return out
}

func (s Store) erase(id string) error {
	for _, path := range s.paths(id) {
		if err := safefile.Remove(path); err != nil {
			return err
		}
	}
	if s.Index != nil {
		s.Index.Deleted(id)
	}
	return nil
}

// Taken reports why no record of a project, or of User, but the one called id may have this title: *ExistsError when
// another has it, whatever its own name, ErrRemoved when one that had it was removed in the last 24 hours (see
// AskedAt). It reads the records that the index names, else all of the project; with a file among them that cannot be
// read it does without. Errors beside those: the disk's.
func (s Store) Taken(project, title, id string) error {
	if when, ok := s.removed(s.Now())[titleFingerprint(project, title)]; ok && s.refuses(when) {
		return lately(title, when)
	}
	var list []*Record
	var ids []string
	known := false
	if s.Index != nil {
		ids, known = s.Index.Titled(project, title)
	}
	if !known {
		var err error
		if list, _, err = s.List(Filter{Project: project, Status: schema.Statuses()}); err != nil {
			return err
		}
	}
	for _, other := range ids {
		if r, err := s.Read(other); err == nil {
			list = append(list, r)
		}
	}
	for _, r := range list {
		if r.ID != id && naming.TitleKey(r.Title) == naming.TitleKey(title) {
			return &ExistsError{r.ID, r.Status}
		}
	}
	return nil
}

// lately is ErrRemoved for a title that was removed at this time.
func lately(title string, when time.Time) error {
	const why = "a record called %q %w at %s; for 24 hours none of that title is written"
	return fmt.Errorf(why, title, ErrRemoved, stamp(when))
}

// refuses reports whether a title that was removed at this time is not free yet.
func (s Store) refuses(removed time.Time) bool { return s.asked.IsZero() || s.asked.Before(removed) }

const (
	removedFor  = 24 * time.Hour
	maxRemovals = 1 << 20 // bytes of the file
)

// titleFingerprint stands for a title in a project without any word of either: a part for the project, which may get
// another name, and one for the title.
func titleFingerprint(project, title string) string {
	return fingerprint(project) + fingerprint(naming.TitleKey(title))
}

// RenameRemoved keeps for the project to what was noted of the removed records of the project from, so that their
// titles stay refused. Errors: safefile's; the list is then as it was.
func (s Store) RenameRemoved(from, to string) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	all := s.removed(s.Now())
	changed := false
	for k, when := range maps.Clone(all) {
		if title, ours := strings.CutPrefix(k, fingerprint(from)); ours {
			delete(all, k)
			all[fingerprint(to)+title], changed = when, true
		}
	}
	if !changed {
		return nil
	}
	return s.keepRemoved(all)
}

func (s Store) removals() string { return filepath.Join(s.Dir, "state", "removed.json") }

// removed returns what was removed in the last 24 hours. A list that cannot be read is empty: it is a guard, no
// promise.
func (s Store) removed(now time.Time) map[string]time.Time {
	out := map[string]time.Time{}
	data, err := safefile.Read(s.removals(), maxRemovals)
	if err != nil || json.Unmarshal(data, &out) != nil {
		return map[string]time.Time{}
	}
	for k, t := range out {
		if now.Sub(t).Abs() >= removedFor { // a clock that was wrong keeps no title for longer
			delete(out, k)
		}
	}
	return out
}

// nameFingerprint stands for the name of a removed record. No title has a NUL.
func nameFingerprint(project, slug string) string { return titleFingerprint(project, "\x00"+slug) }

// RemovedName reports whether a record of this name was removed in the last 24 hours.
func (s Store) RemovedName(project, slug string) bool {
	_, ok := s.removed(s.Now())[nameFingerprint(project, slug)]
	return ok
}

func (s Store) forbid(now time.Time, marks ...string) error {
	all := s.removed(now)
	for _, m := range marks {
		all[m] = now.UTC().Truncate(time.Second)
	}
	return s.keepRemoved(all)
}

func (s Store) keepRemoved(all map[string]time.Time) error {
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return safefile.Replace(s.removals(), append(data, '\n'), 0o600)
}
