package history

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
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

// Format returns the line of history for c, without a line end. It leaves out kinds without a fact.
func (c Compaction) Format() string {
	line := `{"ts":` + jsonx.Quote(c.TS) + `,"kind":"compaction","session":` + jsonx.Quote(c.Session) +
		`,"trigger":` + jsonx.Quote(c.Trigger) + `,"number":` + strconv.Itoa(c.Number) + `,"facts":{`
	sep := ""
	for _, kind := range Kinds() {
		if k := c.Facts[kind]; k.There > 0 {
			line += fmt.Sprintf(`%s%q:{"there":%d,"summary":%d,"block":%d,"neither":%d}`, sep, kind, k.There, k.Summary,
				k.Block, k.Neither)
			sep = ","
		}
	}
	line, _ = redact.JSON(line + "}}")
	return line
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

// CompactionsOf returns the compactions of a session of the project slug, oldest first. dir is
// memento's folder.
func CompactionsOf(dir, slug, session string) (all []Compaction, err error) {
	err = EachLane(dir, func(lane project.Lane) error {
		if lane.Slug != slug {
			return nil
		}
		return compactions(lane, func(c Compaction) {
			known := slices.ContainsFunc(all, func(o Compaction) bool { return o.Number == c.Number && o.TS == c.TS })
			if c.Session == session && !known {
				all = append(all, c)
			}
		})
	})
	slices.SortStableFunc(all, func(a, b Compaction) int { return strings.Compare(a.TS, b.TS) })
	return all, err
}

// EachLane calls f with each lane in dir, memento's folder, that has a history, until f returns an error. It returns
// that, or the disk's.
func EachLane(dir string, f func(project.Lane) error) error {
	entries, err := safefile.List(filepath.Dir(project.Lane{Dir: dir}.History()))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		name, history := strings.CutSuffix(e.Name(), ".jsonl")
		if lane, ok := project.LaneNamed(dir, name); ok && history {
			if err := f(lane); err != nil {
				return err
			}
		}
	}
	return nil
}

// compactions calls f with each compaction of exactly this lane, oldest first. A missing history has none.
func compactions(lane project.Lane, f func(Compaction)) error {
	err := safefile.Lines(lane.History(), maxHistoryLine, func(raw []byte) bool {
		if bytes.Contains(raw, []byte(`"kind":"compaction"`)) && jsonx.Valid(raw, maxLineDepth) {
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
