package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// The outcomes of a draft.
const (
	New     = "new"     // Apply writes the record
	There   = "there"   // the same record exists
	Differs = "differs" // another record has this title, and stays
	Refused = "refused" // the draft makes no valid record
)

// Item is a draft and its outcome.
type Item struct {
	Draft
	Ready   *record.Record // the record that Apply writes; nil if refused
	Outcome string
	Why     string
	ID      string // of the new or the existing record
	Err     error  // why writing it failed
}

// Plan finds the outcome of each draft, and writes nothing. Kind, day or file tell two drafts of one title apart. Plan
// notes which new records the rules of gc will retire or archive. The error is the disk's.
func Plan(s record.Store, drafts []Draft, rules record.GC) ([]Item, error) {
	taken := map[string]bool{}     // ids
	titles := map[string][]*Item{} // by project and title
	stored, err := loadStored(s)
	if err != nil {
		return nil, err
	}
	out := make([]Item, 0, len(drafts))
	for _, d := range drafts {
		out = append(out, Item{Draft: d})
		it := &out[len(out)-1]
		if twin := it.makeTitleUnique(titles); twin != "" {
			it.Outcome, it.Why = There, "the same as "+twin
			continue
		}
		if err := it.decide(s, taken, stored); err != nil {
			return nil, fmt.Errorf("%s: %w", it.From, err)
		}
		it.noteCollection(s.Now(), rules)
		titles[titleKey(&it.Record)] = append(titles[titleKey(&it.Record)], it)
	}
	noteSurplus(s, stored.all, out)
	return out, nil
}

// noteSurplus notes the new records that are retired at once, since only so many of their kind stay active.
func noteSurplus(s record.Store, all []*record.Record, items []Item) {
	var active []*record.Record
	for _, r := range all {
		if r.Status == schema.Active {
			active = append(active, r)
		}
	}
	made := map[*record.Record]*Item{}
	for i := range items {
		if it := &items[i]; it.Outcome == New && it.Ready.Status == schema.Active {
			made[it.Ready] = it
			active = append(active, it.Ready)
		}
	}
	for r, most := range s.Surplus(active) {
		if it := made[r]; it != nil {
			it.addNote("it will be retired: only the newest %d of its kind stay active", most)
		}
	}
}

// titleKey is equal for two records of a project whose titles count as one.
func titleKey(r *record.Record) string { return r.Project + "\x00" + naming.TitleKey(r.Title) }

// makeTitleUnique gives the draft a title that no draft before it has. If one before it says the same, makeTitleUnique
// returns that one's file.
func (it *Item) makeTitleUnique(titles map[string][]*Item) (twin string) {
	r := &it.Record
	plain, tails := r.Title, []string(nil)
	others := titles[titleKey(r)]
	if it.own || others == nil {
		return ""
	}
	for _, other := range others {
		if it.isTwinOf(other) {
			return other.From
		}
		if other.Record.Kind != r.Kind {
			tails = []string{r.Kind}
		}
	}
	tails = append(tails, r.Created.Format("2006-01-02"), stem(it.From))
	for n := 2; n < 1000; n++ {
		tails = append(tails, fmt.Sprint(n))
	}
	for _, tail := range tails {
		r.Title = naming.TitleBeside(plain, text.OneLine(tail))
		others := titles[titleKey(r)]
		if others == nil {
			break
		}
		if i := slices.IndexFunc(others, it.isTwinOf); i >= 0 {
			return others[i].From
		}
	}
	r.Title, _ = text.Cut(r.Title, schema.MaxTitle)
	it.addNote("another record is called %q, so this one has a longer title", plain)
	return ""
}

// isTwinOf reports whether both items say the same, apart from the title.
func (it *Item) isTwinOf(other *Item) bool {
	return other.Record.Kind == it.Record.Kind && other.Record.Body == it.Record.Body &&
		slices.Equal(other.Record.Tags, it.Record.Tags)
}

// decide sets the outcome of a draft. It returns the disk's error; then the outcome is unknown.
func (it *Item) decide(s record.Store, taken map[string]bool, stored *stored) error {
	ready, err := s.Ready(it.Record, taken)
	var exists *record.ExistsError
	switch {
	case err == nil, errors.As(err, &exists):
	case isDiskError(err):
		return err
	default:
		it.Outcome, it.Why = Refused, err.Error()
		return nil
	}
	it.ID, it.Ready, it.Outcome = ready.ID, ready, New
	defer func() { taken[it.ID] = true }()
	source, titled := stored.sourceTwin(ready), stored.titles[titleKey(ready)]
	switch {
	case exists != nil:
		it.ID = exists.ID
	case it.own: // its id decides
		return nil
	case source != "": // imported earlier, under another title
		it.ID, it.Outcome = source, There
		return nil
	case titled == "":
		return nil
	default: // another id has this title
		it.ID = titled
	}
	it.Outcome = Differs
	old, err := s.Read(it.ID)
	switch {
	case isDiskError(err):
		return err
	case err != nil:
		it.Why = err.Error()
	default:
		if it.Why = listDifferences(old, ready); it.Why == "" {
			it.Outcome = There
		}
	}
	return nil
}

// isDiskError reports whether err comes from the disk, and not from a record.
func isDiskError(err error) bool {
	var name *naming.Error
	var front *markdown.FrontError
	return safefile.Unreadable(err) && !errors.Is(err, record.ErrInvalid) && !errors.Is(err, record.ErrNotFound) &&
		!errors.As(err, &name) && !errors.Is(err, record.ErrRemoved) && !errors.As(err, &front)
}

// noteCollection notes when gc will retire or archive a new record.
func (it *Item) noteCollection(now time.Time, rules record.GC) {
	if it.Outcome != New {
		return
	}
	r := it.Ready
	next, after := rules.Next(r, now)
	switch days := int(after.Hours() / 24); next {
	case schema.Retired:
		it.addNote("older than records of the kind %s are kept (%d days): memento gc retires it", r.Kind, days)
	case schema.Archived:
		it.addNote("retired for over %d days: memento gc archives it; memento restore keeps it", days)
	}
}

// listDifferences names the fields in which a stored record differs from r, "" for none. Times, status and history do
// not count.
func listDifferences(old, r *record.Record) string {
	out := namesOf(
		trait{"kind", old.Kind != r.Kind}, trait{"state", old.Stage != r.Stage},
		trait{"tags", !slices.Equal(old.Tags, r.Tags)}, trait{"files", !slices.Equal(old.Files, r.Files)},
		trait{"confidence", old.Confidence != r.Confidence}, trait{"branch", old.Branch != r.Branch},
		trait{"session", old.Session != r.Session}, trait{"body", old.Body != r.Body},
	)
	if out == nil {
		return ""
	}
	return "it differs in " + strings.Join(out, ", ")
}

// trait is a name for something that a record may have.
type trait struct {
	name string
	has  bool
}

// namesOf returns the names of the traits that a record has.
func namesOf(traits ...trait) (out []string) {
	for _, t := range traits {
		if t.has {
			out = append(out, t.name)
		}
	}
	return out
}

// stored holds the stored records, by title and by source.
type stored struct {
	all     []*record.Record
	titles  map[string]string           // ids by project and title
	sources map[string][]*record.Record // records by project and source
}

func loadStored(s record.Store) (*stored, error) {
	list, problems, err := s.List(record.Filter{Status: schema.Statuses()})
	for _, p := range problems {
		if isDiskError(p.Err) {
			err = p.Err
		}
	}
	st := &stored{list, map[string]string{}, map[string][]*record.Record{}}
	for _, r := range list {
		st.titles[titleKey(r)] = r.ID
		if r.Source != "" {
			key := r.Project + "\x00" + r.Source
			st.sources[key] = append(st.sources[key], r)
		}
	}
	return st, err
}

// sourceTwin returns the id of the stored record that came from the same file and says the same, "" for none.
func (st *stored) sourceTwin(r *record.Record) string {
	for _, old := range st.sources[r.Project+"\x00"+r.Source] {
		if listDifferences(old, r) == "" {
			return old.ID
		}
	}
	return ""
}

// Apply writes the new records, the oldest first, and returns how many it wrote. It ends at the first error of the
// disk: the records written until then stay, and a second Apply goes on from there. It sets the outcome of each item.
// progress, unless nil, is called before each record.
func Apply(s record.Store, items []Item, progress func(done, all int)) (int, error) {
	var todo []*Item
	for i := range items {
		if items[i].Outcome == New {
			todo = append(todo, &items[i])
		}
	}
	slices.SortStableFunc(todo, func(a, b *Item) int { return a.Ready.Created.Compare(b.Ready.Created) })
	n := 0
	for i, it := range todo {
		if progress != nil {
			progress(i, len(todo))
		}
		made, err := s.Import(*it.Ready)
		var exists *record.ExistsError
		switch {
		case errors.As(err, &exists): // another program saved this record meanwhile
			it.Outcome, it.Why = Differs, err.Error()
		case err != nil && made == nil && !isDiskError(err) && !errors.Is(err, safefile.ErrBusy) &&
			!errors.Is(err, safefile.ErrRefused):
			it.Outcome, it.Why = Refused, err.Error()
		case err != nil && made == nil:
			it.Err = err
			return n, fmt.Errorf("%s: %w", it.From, err)
		default:
			n++
			it.ID = made.ID
			if err != nil {
				return n, err
			}
		}
	}
	return n, nil
}
