package retrieve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/search"
)

// healed is how many records a hook indexes anew at most: more than that it leaves for the next.
const healed = 64

// Heal compares the index with the folder as far as a hook has time for. more reports whether there is more to do than
// it did. A folder without any index is looked into, too: a person may have put records there.
func Heal(s record.Store, project string) (more bool) {
	x, done, _, err := compare(s, reach{project: project, hook: true})
	if x == nil {
		return false
	}
	defer x.Close()
	if err != nil {
		return false // a later comparison may fare better; one after the other would not
	}
	return slices.ContainsFunc(done.Left, named)
}

// Concerning returns the records of project, and the user's own, that one of texts clearly concerns: at most limit, the
// clearest first. It trusts the index, but for what it returns, and costs no more than a look where there is none. None
// is over, hidden or of a kind that may refuses; skip leaves out further ones.
func Concerning(
	s record.Store, project string, texts []string, limit int,
	may func(kind string) bool, skip func(*record.Record) bool,
) (out []Found) {
	x, err := search.Open(s.Dir)
	if err != nil {
		return nil
	}
	defer x.Close()
	if x.Len() == 0 {
		return nil
	}
	q := Query{Filter: record.Filter{Project: project}, Own: true, Shown: may}
	keep := func(m search.Meta) bool { return q.among(m) && !schema.Over(m.State) }
	for _, words := range texts {
		hits, err := x.Query(words, search.Keep{Among: keep}, limit+8)
		if err != nil {
			return out
		}
		for _, h := range hits {
			if !h.Clear() || slices.ContainsFunc(out, func(f Found) bool { return f.ID == h.ID }) {
				continue
			}
			r := current(s, h.Meta, keep)
			if r == nil || skip(r) {
				continue
			}
			if out = append(out, Found{Record: r, Score: h.Score, Clear: true}); len(out) >= limit {
				return out
			}
		}
		if out != nil {
			return out
		}
	}
	return out
}

// current returns the record that the index says m of, as it stands now; nil when it is gone, or keep no longer has it.
func current(s record.Store, m search.Meta, keep func(search.Meta) bool) *record.Record {
	r, err := s.Read(m.ID)
	if err != nil || !keep(document(r, m.Stamp).Meta) {
		return nil
	}
	return r
}

// Start is what a session begins with of the records, each the one changed last first.
type Start struct {
	Preferences []string // titles of those in force, the user's and the project's
	Noted       []string // titles of those that Claude worded
	Notes       []string // titles of the project's limits, and of what the user asked to be kept
	Handoff     *record.Record
}

// startKinds are those of the records that a session begins with.
var startKinds = [...]string{"preference", "handoff", "constraint", "memento"}

// noteTags mark the mementos that a session begins with.
var noteTags = [...]string{"project", "remembered"}

// maxStart is how many titles of each sort are worth reading: a session begins with a few words, not with a list.
const maxStart = 24

// Begin gathers what a session in project begins with. As with Concerning, where there is no index there is nothing.
func Begin(s record.Store, project string, may func(kind string) bool) (b Start) {
	x, err := search.Open(s.Dir)
	if err != nil {
		return b
	}
	defer x.Close()
	q := Query{Filter: record.Filter{Project: project}, Own: true, Shown: may}
	keep := func(m search.Meta) bool {
		return slices.Contains(startKinds[:], m.Kind) && q.among(m) && !schema.Over(m.State)
	}
	var preferences, notes, handoffs []search.Meta
	err = x.Each(search.Keep{Among: keep}, func(m search.Meta) bool {
		switch {
		case m.Kind == "preference":
			preferences = append(preferences, m)
		case m.Kind == "handoff" && m.Project == project:
			handoffs = append(handoffs, m)
		case note(m):
			notes = append(notes, m)
		}
		return true
	})
	if err != nil { // damaged: the next search makes it again
		return Start{}
	}
	titles := func(all []search.Meta) (out []string) {
		slices.SortFunc(all, newest)
		for _, m := range all {
			if at, ok := x.Stamp(m.ID); ok && stamp(s, m.ID) == at {
				out = append(out, m.Title)
			} else if r := current(s, m, keep); r != nil {
				out = append(out, r.Title)
			}
			if len(out) == maxStart {
				break
			}
		}
		return out
	}
	b.Notes = titles(notes)
	slices.SortFunc(preferences, newest)
	for _, m := range preferences {
		r := current(s, m, keep)
		if r == nil {
			continue
		}
		switch holds, noted := Preferred(r, project); {
		case !holds:
			continue
		case noted:
			b.Noted = append(b.Noted, r.Title)
		default:
			b.Preferences = append(b.Preferences, r.Title)
		}
		if len(b.Preferences)+len(b.Noted) == maxStart {
			break
		}
	}
	slices.SortFunc(handoffs, newest)
	for _, m := range handoffs {
		if b.Handoff = current(s, m, keep); b.Handoff != nil {
			break
		}
	}
	return b
}

// Preferred reports whether a record is a preference that holds in project, and whether Claude noted it, not the user.
// It decides what a session is told, and what memento profile shows.
func Preferred(r *record.Record, project string) (holds, noted bool) {
	q := Query{Filter: record.Filter{Project: project, Kinds: []string{"preference"}}, Own: true}
	m := search.Meta{Kind: r.Kind, Project: r.Project, Status: r.Status}
	return q.among(m) && !schema.Over(r.Stage), byClaude(r)
}

// note reports whether a record is one of those that a session begins with.
func note(m search.Meta) bool {
	return m.Kind == "constraint" || m.Kind == "memento" && slices.ContainsFunc(m.Tags, func(t string) bool {
		return slices.ContainsFunc(noteTags[:], func(have string) bool { return strings.EqualFold(t, have) })
	})
}

// newest orders records by their last change, the latest first.
func newest(a, b search.Meta) int {
	return cmp.Or(cmp.Compare(b.Updated, a.Updated), strings.Compare(a.ID, b.ID))
}

// byClaude reports whether Claude or a subagent worded a record, and no person.
func byClaude(r *record.Record) bool {
	return r.Source == "claude" || r.Source == "assistant" || strings.HasPrefix(r.Source, "agent:")
}
