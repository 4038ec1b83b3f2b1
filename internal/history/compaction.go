package history

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
)

// FactCount counts the facts of one kind at a compaction.
type FactCount struct {
	There   int `json:"there"`   // before the compaction
	Summary int `json:"summary"` // of those, in the client's own summary, word for word
	Block   int `json:"block"`   // of those, in memento's block
	Neither int `json:"neither"`
}

// Add adds the counts of k.
func (t *FactCount) Add(k FactCount) {
	t.There += k.There
	t.Summary += k.Summary
	t.Block += k.Block
	t.Neither += k.Neither
}

// Compaction is one compaction of a session.
type Compaction struct {
	TS, Session string
	Trigger     string // manual, auto
	Number      int    // in its session, from 1
	Facts       map[string]FactCount
}

// Total adds up the facts of every kind.
func (c Compaction) Total() (t FactCount) {
	for _, k := range c.Facts {
		t.Add(k)
	}
	return t
}

// fields names the stored fields of a compaction.
func (c *Compaction) fields(t *jsonx.Table) {
	t.Wordless("trigger", &c.Trigger)
	jsonx.Number(t, "number", &c.Number)
	t.Custom("facts", func(v gjson.Result) string {
		if json.Unmarshal([]byte(v.Raw), &c.Facts) != nil {
			return "counts"
		}
		return ""
	}, func() string {
		raw, _ := json.Marshal(c.Facts)
		return string(raw)
	})
}

// Entry returns the entry for c. It leaves out kinds without a fact.
func (c Compaction) Entry() log.Entry {
	maps.DeleteFunc(c.Facts, func(_ string, k FactCount) bool { return k.There == 0 })
	return log.Entry{Kind: "compaction", Session: c.Session,
		Body: string(jsonx.Write(&c, (*Compaction).fields, ""))}
}

// CompactionOf returns the compaction that the entry notes. ok is false for an entry of another kind.
func CompactionOf(e log.Entry) (c Compaction, ok bool) {
	c = Compaction{TS: e.Stamp(), Session: e.Session, Facts: map[string]FactCount{}}
	if e.Kind == "compaction" {
		_, ok = jsonx.Read([]byte(e.Body), 8, &c, (*Compaction).fields)
	}
	return c, ok
}

// String returns one line about the compaction and its counts.
func (c Compaction) String() string {
	t := c.Total()
	return fmt.Sprintf("%s compaction, number %d of its session: of %d facts the summary kept %d word for word, memento's block %d", c.Trigger, c.Number, t.There, t.Summary, t.Block)
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
