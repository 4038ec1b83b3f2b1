package journal

import (
	"fmt"
	"testing"

	"github.com/mementohq/memento/internal/history"
)

// What very many edits and checks leave no room for goes to history as they come: each of them is compared with all that is there.
func TestManyAtOnce(t *testing.T) {
	s := newStore(t)
	j := update(t, s, func(j *Journal) {
		for i := range 3000 {
			j.Edited(fmt.Sprint("part", i, ".go"))
			j.AddCaptured(Entry{Act: fmt.Sprint("commit ", i), Ctx: "tool: x", By: ByAuto})
			if len(j.Files) > 2*fileItems || len(j.Done) > maxAtOnce {
				t.Fatalf("after %d there are %d files, %d entries", i, len(j.Files), len(j.Done))
			}
		}
	})
	if len(j.Files) == 0 || j.Files[0] != "part2999.go" || len(j.Done) == 0 || j.Done[len(j.Done)-1].Act != "commit 2999" {
		t.Errorf("left are %q, %+v", j.Files, j.Done)
	}
	files, done := len(j.Files), len(j.Done)
	if err := history.Read(s.Lane, func(l history.Line) bool {
		switch l.Kind {
		case "files":
			files++
		case "done":
			done++
		}
		return true
	}); err != nil || files != 3000 || done != 3000 {
		t.Errorf("of 3,000 each %d files and %d entries are kept: %v", files, done, err)
	}
}
