package journal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
)

// TestManyAtOnce: very many edits and checks leave the journal for history as they come, since each is compared with
// all others in the journal.
func TestManyAtOnce(t *testing.T) {
	s := newStore(t)
	j := update(t, s, func(j *Journal) {
		for i := range 600 {
			j.AddFile(fmt.Sprint("part", i, ".go"))
			j.AddCaptured(Entry{Act: fmt.Sprint("commit ", i), Ctx: "tool: x", By: ByAuto})
			if len(j.Files) > 2*fileItems || len(j.Done) > maxAtOnce {
				t.Fatalf("after %d there are %d files, %d entries", i, len(j.Files), len(j.Done))
			}
		}
	})
	if len(j.Files) == 0 || j.Files[0] != "part599.go" || len(j.Done) == 0 ||
		j.Done[len(j.Done)-1].Act != "commit 599" {
		t.Errorf("left are %q, %+v", j.Files, j.Done)
	}
	files, done := len(j.Files), len(j.Done)
	if err := history.Read(s.Lane, func(l log.Entry) bool {
		switch l.Kind {
		case "files":
			files++
		case "done":
			done++
		}
		return true
	}); err != nil || files != 600 || done != 600 {
		t.Errorf("of 600 each %d files and %d entries are kept: %v", files, done, err)
	}
}

// TestCaptured: facts that memento captured never push out facts that somebody noted.
func TestCaptured(t *testing.T) {
	j := &Journal{Mission: "fix auth", now: morning}
	for i := range 4 {
		j.AddDone(Entry{Act: fmt.Sprint("noted ", i), By: ByClaude})
	}
	for i := range 9 {
		j.AddCaptured(Entry{Act: fmt.Sprint("captured ", i), By: ByAuto, Ref: fmt.Sprint("t", i)})
		j.AddCaptured(Entry{Act: fmt.Sprint("captured ", i), By: ByAuto, Ref: fmt.Sprint("t", i)})
	}
	j.AddCaptured(Entry{Act: "NOTED 3", By: ByAuto, Ref: "t9"})
	for len(j.Done) > 6 {
		j.foldOldest()
	}
	var acts []string
	for _, e := range j.Done {
		acts = append(acts, e.Act)
	}
	if got := strings.Join(acts, ", "); got != "noted 1, noted 2, noted 3, captured 6, captured 7, captured 8" {
		t.Errorf("what is left is %s", got)
	}
	j.SetCaptured("the quote", []string{"a", "b", "c", "d"}, nil)
	if j.Wip != "the quote" || j.WipBy != ByAuto || strings.Join(j.Plan, "") != "abc" || j.PlanBy != ByAuto {
		t.Errorf("it is %q by %q, %q by %q", j.Wip, j.WipBy, j.Plan, j.PlanBy)
	}
	j.SetCaptured("", nil, nil)
	if j.Wip != "" || j.WipBy != "" || j.Plan != nil || j.PlanBy != "" {
		t.Errorf("it is %q by %q, %q by %q", j.Wip, j.WipBy, j.Plan, j.PlanBy)
	}
	j.SetWip("mine", ByClaude)
	j.SetPlan([]string{"mine"}, ByUser)
	j.SetCaptured("the quote", []string{"a"}, nil)
	if j.Wip != "mine" || j.Plan[0] != "mine" {
		t.Errorf("it is %q, %q", j.Wip, j.Plan)
	}
}
