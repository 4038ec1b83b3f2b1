package capture

import (
	"reflect"
	"testing"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/work"
)

func TestSurvey(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "Rename the carts table to baskets, in the API too.", "Never touch the v1 endpoints.",
		"the old name may stay in the changelog")
	st.Work.Tasks = []work.Task{{ID: "1", Text: "rename in api/v2", Status: "in_progress"},
		{ID: "2", Text: "update the docs", Status: "pending"},
		{ID: "3", Text: "write the migration", Status: "completed"}}
	j, err := d.store.Update(func(j *journal.Journal) error {
		j.SetWip("rename in api/v2", journal.ByClaude)
		j.SetPlan([]string{"Update the docs", "tell the mobile team"}, journal.ByClaude)
		j.Error = &journal.Failure{Cmd: "go test ./api/v2", Line: "undefined: Cart"}
		j.Files = []string{"api/v2/cart.go", "db/migrate.sql"}
		j.AddDone(journal.Entry{Act: "wrote the migration…"})
		j.AddSaid(journal.Saying{Text: "use the blue theme", Rule: true, By: journal.ByClaude})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	block := block.Render(j, block.View{Path: "/x.json", Budget: 350})
	summary := "The user wants to *rename the carts table* to baskets, in the API too.\n\nNever   touch the V1 endpoints!\nFiles: cart.go. The migration was wrote the migrations."
	facts := Facts(st, j, Recall(d.store.Lane, st.ID).Words(j, ""))
	got := Survey(facts, summary, block)
	kept := func(there, summary, block, neither int) history.FactCount {
		return history.FactCount{There: there, Summary: summary, Block: block, Neither: neither}
	}
	want := map[string]history.FactCount{
		"mission": kept(1, 1, 1, 0), "rule": kept(1, 1, 1, 0), "said": kept(1, 0, 1, 0), "wip": kept(1, 0, 1, 0),
		"error": kept(1, 0, 1, 0),
		"task":  kept(2, 0, 2, 0), "file": kept(2, 1, 2, 0), "done": kept(1, 0, 1, 0),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("counted\n%+v, want\n%+v\nblock: %s", got, want, block)
	}
	got = Survey(facts, "", "")
	total := history.Compaction{Facts: got}.Total()
	if total.There != total.Neither || total.Summary+total.Block != 0 || total.There != 10 {
		t.Errorf("with nothing kept: %+v", total)
	}
}
