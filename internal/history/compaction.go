package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
)

// Compaction is one compaction of a session.
type Compaction struct {
	TS, Session string
	Trigger     string   // manual, auto
	Number      int      // in its session, from 1
	Facts       int      // in memento's block after it
	Kept        int      // of those, in the client's own summary, word for word
	Lost        []string // the others, which memento's block brought back
}

// fields names the stored fields of a compaction.
func (c *Compaction) fields(t *jsonx.Table) {
	t.Wordless("trigger", &c.Trigger)
	jsonx.Number(t, "number", &c.Number)
	jsonx.Number(t, "facts", &c.Facts)
	jsonx.Number(t, "kept", &c.Kept)
	t.Texts("lost", &c.Lost)
}

// Entry returns the entry for c.
func (c Compaction) Entry() log.Entry {
	return log.Entry{Kind: "compaction", Session: c.Session,
		Body: string(jsonx.Write(&c, (*Compaction).fields))}
}

// CompactionOf returns the compaction that the entry notes. ok is false for an entry of another kind.
func CompactionOf(e log.Entry) (c Compaction, ok bool) {
	c = Compaction{TS: e.Stamp(), Session: e.Session}
	if e.Kind == "compaction" {
		ok = jsonx.Read([]byte(e.Body), 8, &c, (*Compaction).fields)
	}
	return c, ok
}

// String returns one line about the compaction and its counts.
func (c Compaction) String() string {
	return fmt.Sprintf("%s compaction, number %d of its session: of %d facts in memento's block the summary kept %d "+
		"word for word", c.Trigger, c.Number, c.Facts, c.Kept)
}

// CompactionsOf returns the compactions of a session of the project slug, oldest first. dir is memento's folder.
func CompactionsOf(dir, slug, session string) (all []Compaction, err error) {
	err = Part{Session: session}.Read(project.Lane{Dir: dir, Slug: slug}, func(e log.Entry) bool {
		if c, ok := CompactionOf(e); ok {
			all = append(all, c)
		}
		return true
	})
	slices.SortStableFunc(all, func(a, b Compaction) int { return strings.Compare(a.TS, b.TS) })
	return all, err
}
