package retrieve

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/search"
)

// Query says which words to search for, and in which records and turns.
type Query struct {
	Words  string
	Filter record.Filter // nil Kinds select the kinds that Shown accepts; Match is ignored
	// Own adds the user's own records to those of Filter.Project.
	Own bool
	// Shown accepts the kinds to show when Filter names none; nil accepts all. Hidden kinds are never shown so.
	Shown func(kind string) bool
	Limit int
	// Said, unless nil, receives how many of the changed records are indexed so far.
	Said func(done, all int)

	// Types selects search.Record, search.Said and search.Answer; nil selects all. Turns are never among the answers
	// when Filter has kinds, statuses or tags, which they have not.
	Types []string
}

// Found is a record, or a side of a turn, that answers a query.
type Found struct {
	*record.Record           // nil for a turn
	Type           string    // see search.Meta
	Turn           past.Turn // zero for a record
	Score          float64
	Snippet        string // a passage of its text, with line ends
	Text           string // its text, or of a long one the part around the passage
	Clear          bool   // see search.Hit
	quoted         bool   // it has the words in double quotes as they stand
}

// Answer is what Search found.
type Answer struct {
	Found    []Found
	Problems []record.Problem // what could not be read
	// Loose says that nothing has the words in double quotes as they stand, so that Found has them in any order.
	Loose bool
}

// keep returns the selection of q's documents for the index.
func (q Query) keep() search.Keep {
	k := search.Keep{Last: func(m search.Meta) bool {
		return schema.Over(m.Stage) || m.Status == schema.Retired || m.Status == schema.Archived
	}}
	k.Among = func(m search.Meta) bool {
		if m.Type == search.Record {
			return q.asks(m.Type) && q.among(m)
		}
		return q.asks(m.Type) && (q.Filter.Project == "" || naming.ProjectOrUser(m.Project) == q.Filter.Project)
	}
	if !q.Filter.Since.IsZero() {
		k.Since = q.Filter.Since.Unix()
	}
	if len(q.Filter.Tags) > 0 {
		k.Each = func(m search.Meta) bool { return q.Filter.HasTags(m.Tags) }
	}
	return k
}

// among reports whether q selects records with m's kind, project and status.
func (q Query) among(m search.Meta) bool {
	f := q.Filter
	k, _ := schema.Named(m.Kind)
	isOwn := m.Project == naming.User && (k.Personal || k.Shared) // it is the user's and holds in every project
	if f.Project != "" && m.Project != f.Project && !(q.Own && isOwn) || !f.HasStatus(m.Status) {
		return false
	}
	if f.Kinds == nil {
		return !k.Hidden && (q.Shown == nil || q.Shown(m.Kind))
	}
	return slices.Contains(f.Kinds, m.Kind)
}

// Search returns the records and turns that answer q, best first and closed records last, and the files of q's project
// that it cannot read. Of a turn it returns one side. The answer is right even when the index is damaged; a Problem
// with the index's path says that it could not be used. Errors: the disk's, but for a missing folder.
func Search(s record.Store, q Query) (out Answer, err error) {
	r := reach{said: q.Said}
	phrases := search.Phrases(q.Words)
	for {
		x, failed := q.open(s, r)
		if x.Index == nil {
			return out, failed
		}
		hits, bad := x.Query(q.Words, q.keep(), q.most(phrases))
		x.Close()
		found, stale := q.read(s, phrases, hits)
		if bad == nil && !x.whole && (stale || len(hits) == 0) {
			r.whole = true // an edit in place may have what the query asks for
			continue
		}
		if bad != nil { // a page that only this query read is damaged
			if r.memory {
				return out, bad
			}
			_ = search.Drop(s.Dir) // the index is not asked again
			r.memory = true
			continue
		}
		out.Found, out.Loose = choose(found, q.Limit)
		if out.Problems = x.problems(s, q.Filter.Project); failed != nil {
			path := filepath.Join(s.Dir, search.Folder)
			out.Problems = append(out.Problems, record.Problem{Path: path, Err: failed})
		}
		return out, nil
	}
}

// open opens the index of what q asks for, and updates it. Errors are as those of compare.
func (q Query) open(s record.Store, r reach) (x compared, err error) {
	if x = (compared{Index: &search.Index{}, whole: true}); q.asks(search.Record) {
		x, err = compare(s, r)
	}
	if x.Index == nil || !q.asks(search.Said) && !q.asks(search.Answer) {
		return x, err
	}
	y, bad := followTurns(log.Store{Dir: s.Dir, Wait: s.Wait}, q, r)
	if y != nil {
		x.Join(y)
	}
	return x, cmp.Or(err, bad)
}

// manyHits is how many hits Search reads, to find those that have the words in double quotes as they stand.
const manyHits = 200

// most returns how many hits to ask the index for: of a turn both sides may be among them.
func (q Query) most(phrases []string) int {
	if phrases != nil {
		return max(manyHits, 2*q.Limit)
	}
	return 2 * q.Limit
}

// choose returns the first limit of those that have the quoted words together, without any the first of all, and true.
func choose(all []Found, limit int) (out []Found, loose bool) {
	loose = len(all) > 0 && !slices.ContainsFunc(all, func(f Found) bool { return f.quoted })
	out = slices.DeleteFunc(all, func(f Found) bool { return !f.quoted && !loose })
	return out[:min(len(out), limit)], loose
}

// read reads the records and turns of hits, until there are enough for the limit. It leaves out records that changed
// since they were indexed; stale says that there are some.
func (q Query) read(s record.Store, phrases []string, hits []search.Hit) (out []Found, stale bool) {
	turns := turnReader{store: log.Store{Dir: s.Dir, Wait: s.Wait}}
	enough := 0
	for _, h := range hits {
		if enough == q.Limit {
			break
		}
		f := Found{Type: h.Type, Score: h.Score, Clear: h.Clear()}
		title, body := "", ""
		if h.Type == search.Record {
			at := stamp(s, h.ID)
			r, err := s.Read(h.ID)
			if err != nil || at != h.Stamp || r.Kind != h.Kind || r.Status != h.Status {
				stale = true
				continue
			}
			f.Record, title, body = r, r.Title, words(r)
		} else {
			ok := false
			if f.Turn, ok = turns.turn(h); !ok || hasTurn(out, f.Turn) {
				continue
			}
			if body = f.Turn.Prompt; h.Type == search.Answer {
				body = answerText(f.Turn)
			}
		}
		f.Snippet, f.Text = passage(body, h.From, h.To, wide), passage(body, h.From, h.To, maxText)
		lacks := func(phrase string) bool { return !search.HasPhrase(title+"\n"+body, phrase) }
		if f.quoted = !slices.ContainsFunc(phrases, lacks); f.quoted {
			enough++
		}
		out = append(out, f)
	}
	return out, stale
}

// The sizes, in bytes, up to which a passage takes in the lines around it: of a Found's Snippet and Text.
const (
	wide    = 160
	maxText = 2000
)

// passage returns the text between from and to, with the lines around it while it stays within wide bytes.
func passage(s string, from, to, wide int) string {
	from, to = min(max(from, 0), len(s)), min(max(to, from, 0), len(s))
	for grown := true; grown; {
		grown = false
		if next := strings.IndexByte(s[to:], '\n') + 1; next > 0 && to+next-from <= wide {
			to, grown = to+next, true
		} else if next == 0 && to < len(s) && len(s)-from <= wide {
			to = len(s)
		}
		if from > 0 {
			if start := strings.LastIndexByte(s[:from-1], '\n') + 1; to-start <= wide {
				from, grown = start, true
			}
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(s[from:to], "")) // a turn may have grown since it was indexed
}
