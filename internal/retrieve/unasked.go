package retrieve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/search"
)

// Concerning returns the records of project, and the user's own, that one of texts clearly concerns, at most limit, the
// best first. It trusts the index and reads only the records that it returns. Without an index it returns none. It
// leaves out closed and hidden records, kinds that may rejects, and records for which skip returns true.
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
	keep := func(m search.Meta) bool { return q.among(m) && !schema.Over(m.Stage) }
	for _, words := range texts {
		hits, err := x.Query(words, search.Keep{Among: keep, Share: search.ClearShare}, limit+8)
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

// current reads the record of m. It returns nil when the record is gone, or when keep does not select it any more.
func current(s record.Store, m search.Meta, keep func(search.Meta) bool) *record.Record {
	r, err := s.Read(m.ID)
	if err != nil || !keep(document(r, m.Stamp).Meta) {
		return nil
	}
	return r
}

// Start holds the records that a session is told about at its start. In each list the last changed record comes first.
type Start struct {
	Preferences []Entry // the preferences that hold, the user's and the project's
	Noted       []Entry // the preferences that Claude worded
	Profile     []Entry // who the user is, and what works for him
	Notes       []Entry // the project's constraints, and mementos that the user asked to keep
	Handoff     *record.Record
}

// Entry is what a Start tells of a record.
type Entry struct {
	Title string // "" where the text says all
	Text  string // what the record says, "" for nothing but its title
	Said  bool   // Text is the user's words
}

// startKinds are the kinds of records in a Start.
var startKinds = [...]string{"preference", "handoff", "constraint", "memento", "profile"}

// noteTags are the tags of the mementos in a Start.
var noteTags = [...]string{"project", "remembered"}

const (
	// maxStart is the greatest number of entries in each list: a session begins with a few words, not with a long list.
	maxStart = 24
	// maxWhole is how many notes are read whole. Of the others the title is told, which the index has.
	maxWhole = 8
)

// Begin returns the Start of a session in project. Without an index it is empty.
func Begin(s record.Store, project string, may func(kind string) bool) (b Start) {
	x, err := search.Open(s.Dir)
	if err != nil {
		return b
	}
	defer x.Close()
	q := Query{Filter: record.Filter{Project: project}, Own: true, Shown: may}
	keep := func(m search.Meta) bool {
		return slices.Contains(startKinds[:], m.Kind) && q.among(m) && !schema.Over(m.Stage)
	}
	var all []search.Meta
	if x.Each(search.Keep{Among: keep}, func(m search.Meta) bool { all = append(all, m); return true }) != nil {
		return b // the index is damaged, and the next search builds it again
	}
	slices.SortFunc(all, func(a, b search.Meta) int { // the latest first
		return cmp.Or(cmp.Compare(b.Updated, a.Updated), strings.Compare(a.ID, b.ID))
	})
	for _, m := range all {
		full := len(b.Notes) >= maxStart
		switch m.Kind {
		case "handoff":
			full = b.Handoff != nil || m.Project != project
		case "preference":
			full = len(b.Preferences)+len(b.Noted) >= maxStart
		case "profile":
			full = false
		default:
			if !full && isNote(m) && len(b.Notes) >= maxWhole && stamp(s, m.ID) == m.Stamp {
				b.Notes = append(b.Notes, Entry{Title: m.Title})
				full = true
			}
			full = full || !isNote(m)
		}
		if full {
			continue
		}
		if r := current(s, m, keep); r != nil {
			b.take(r)
		}
	}
	return b
}

// take adds a record to a Start.
func (b *Start) take(r *record.Record) {
	byClaude := r.Source == "claude" || r.Source == "assistant" || strings.HasPrefix(r.Source, "agent:")
	switch {
	case r.Kind == "handoff":
		b.Handoff = r
	case r.Kind == "profile":
		b.Profile = append(b.Profile, profileOf(r)...)
	case r.Kind != "preference", r.Source == record.Repository: // the team's, which nobody heard from the user
		b.Notes = append(b.Notes, entryOf(r))
	case byClaude: // it worded the record, and no person did
		b.Noted = append(b.Noted, entryOf(r))
	default:
		b.Preferences = append(b.Preferences, entryOf(r))
	}
}

// entryOf returns what a Start tells of a record: the text of its main section.
func entryOf(r *record.Record) Entry {
	k, _ := schema.Named(r.Kind)
	e := Entry{Title: r.Title, Said: r.Source == "user" && slices.Contains(r.Tags, "remembered")}
	words, _ := markdown.Text(r.Body, k.MainPart().Heading)
	if k.MainPart().List {
		words = strings.Join(markdown.Items(words), "; ")
	}
	e.Text = strings.TrimSpace(words)
	return e
}

// profileOf returns what a Start tells of the user's profile.
func profileOf(r *record.Record) (out []Entry) {
	k, _ := schema.Named(r.Kind)
	for _, p := range k.Sections {
		words, _ := markdown.Text(r.Body, p.Heading)
		all := []string{words}
		if p.List {
			all = markdown.Items(words)
		}
		for _, words := range all {
			if words = strings.TrimSpace(words); words != "" {
				e := Entry{Text: words}
				if p.Heading == "Works" || p.Heading == "Does Not Work" {
					e.Title = strings.ToLower(p.Heading)
				}
				out = append(out, e)
			}
		}
	}
	return out
}

// isNote reports whether a record belongs to the notes of a Start.
func isNote(m search.Meta) bool {
	return m.Kind == "constraint" || m.Kind == "memento" && slices.ContainsFunc(m.Tags, func(t string) bool {
		return slices.ContainsFunc(noteTags[:], func(have string) bool { return strings.EqualFold(t, have) })
	})
}
