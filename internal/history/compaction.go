package history

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
)

// Kinds returns the kinds of facts that are counted at a compaction, the most valuable first.
func Kinds() []string {
	return []string{"mission", "rule", "said", "wip", "error", "task", "file", "done"}
}

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

// Format returns the entry for c. It leaves out kinds without a fact.
func (c Compaction) Format() log.Entry {
	e := Format(c.TS, c.Session, "compaction", "trigger", c.Trigger)
	e.Extra += `,"number":` + strconv.Itoa(c.Number) + `,"facts":{`
	sep := ""
	for _, kind := range Kinds() {
		if k := c.Facts[kind]; k.There > 0 {
			e.Extra += fmt.Sprintf(`%s%q:{"there":%d,"summary":%d,"block":%d,"neither":%d}`, sep, kind, k.There,
				k.Summary, k.Block, k.Neither)
			sep = ","
		}
	}
	e.Extra += "}"
	return e
}

// Compaction returns the compaction that the line notes. ok is false for a line of another kind.
func (l Line) Compaction() (c Compaction, ok bool) {
	if l.Kind != "compaction" {
		return c, false
	}
	return compaction(gjson.Parse(l.Raw)), true
}

func compaction(v gjson.Result) Compaction {
	c := Compaction{TS: v.Get("ts").String(), Session: v.Get("session").String(), Trigger: v.Get("trigger").String(),
		Number: int(v.Get("number").Int()), Facts: map[string]FactCount{}}
	for _, kind := range Kinds() {
		if k := v.Get("facts." + kind); k.IsObject() {
			c.Facts[kind] = FactCount{There: int(k.Get("there").Int()), Summary: int(k.Get("summary").Int()),
				Block: int(k.Get("block").Int()), Neither: int(k.Get("neither").Int())}
		}
	}
	return c
}

// String returns one line about the compaction and its counts.
func (c Compaction) String() string {
	t := c.Total()
	return fmt.Sprintf("%s compaction, number %d of its session: of %d facts the summary kept %d word for word, memento's block %d", c.Trigger, c.Number, t.There, t.Summary, t.Block)
}

// CompactionsOf returns the compactions of a session of the project slug, oldest first. dir is memento's folder.
func CompactionsOf(dir, slug, session string) (all []Compaction, err error) {
	err = Part{Session: session}.Read(project.Lane{Dir: dir, Slug: slug}, func(l Line) bool {
		if c, ok := l.Compaction(); ok {
			all = append(all, c)
		}
		return true
	})
	slices.SortStableFunc(all, func(a, b Compaction) int { return strings.Compare(a.TS, b.TS) })
	return all, err
}
