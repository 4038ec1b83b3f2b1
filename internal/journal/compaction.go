package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// Kinds are the kinds of fact that a compaction is counted by, in the order of their value.
func Kinds() []string {
	return []string{"mission", "rule", "said", "wip", "error", "task", "file", "done"}
}

// Kept counts the facts of one kind at a compaction.
type Kept struct {
	There   int // before it
	Summary int // that the client's own summary has, word for word
	Block   int // that memento's block has
	Neither int
}

// Add adds the counts of k to these.
func (t *Kept) Add(k Kept) {
	t.There += k.There
	t.Summary += k.Summary
	t.Block += k.Block
	t.Neither += k.Neither
}

// Compaction is one compaction of a session, as it was counted when it happened.
type Compaction struct {
	TS, Session string
	Trigger     string // manual, auto
	Number      int    // in its session, from 1
	Facts       map[string]Kept
}

// Total adds up the facts of every kind.
func (c Compaction) Total() (t Kept) {
	for _, k := range c.Facts {
		t.Add(k)
	}
	return t
}

// Compacted keeps c in history. Kinds without a fact are left out.
func (j *Journal) Compacted(c Compaction) {
	line := `{"ts":` + str(j.stamp()) + `,"kind":"compaction","session":` + str(c.Session) + `,"trigger":` + str(c.Trigger) + `,"number":` + strconv.Itoa(c.Number) + `,"facts":{`
	sep := ""
	for _, kind := range Kinds() {
		if k := c.Facts[kind]; k.There > 0 {
			line += fmt.Sprintf(`%s%q:{"there":%d,"summary":%d,"block":%d,"neither":%d}`, sep, kind, k.There, k.Summary, k.Block, k.Neither)
			sep = ","
		}
	}
	j.leave(line + "}}")
}

func compaction(v gjson.Result) Compaction {
	c := Compaction{TS: v.Get("ts").String(), Session: v.Get("session").String(), Trigger: v.Get("trigger").String(), Number: int(v.Get("number").Int()), Facts: map[string]Kept{}}
	for _, kind := range Kinds() {
		if k := v.Get("facts." + kind); k.IsObject() {
			c.Facts[kind] = Kept{There: int(k.Get("there").Int()), Summary: int(k.Get("summary").Int()), Block: int(k.Get("block").Int()), Neither: int(k.Get("neither").Int())}
		}
	}
	return c
}

// String says in a line what became of the facts.
func (c Compaction) String() string {
	t := c.Total()
	return fmt.Sprintf("%s compaction, number %d of its session: of %d facts the summary kept %d word for word, memento's block %d", c.Trigger, c.Number, t.There, t.Summary, t.Block)
}

// Compactions calls f with each compaction of exactly this lane, oldest first. A missing history has none.
func Compactions(lane project.Lane, f func(Compaction)) error {
	err := safefile.Lines(lane.History(), maxHistoryLine, func(raw []byte) bool {
		if bytes.Contains(raw, []byte(`"kind":"compaction"`)) && event.TooDeep(raw, maxDepth) < 0 && gjson.ValidBytes(raw) {
			if v := gjson.ParseBytes(raw); v.Get("kind").Str == "compaction" {
				f(compaction(v))
			}
		}
		return true
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
