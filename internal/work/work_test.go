package work

import (
	"slices"
	"strconv"
	"testing"
)

func TestManyTasks(t *testing.T) {
	var w Work
	w.SetTask(Task{ID: "first", Text: "plan it", Status: "in_progress"})
	for i := range MaxTasks + 20 {
		id := strconv.Itoa(i)
		w.SetTask(Task{ID: id, Text: "task " + id, Status: "pending"})
		w.SetTask(Task{ID: id, Status: "completed"})
	}
	w.SetTask(Task{ID: "last", Text: "ship it", Status: "pending"})
	doing, next := w.Open()
	if len(w.Tasks) != MaxTasks || !slices.Equal(doing, []string{"plan it"}) ||
		!slices.Equal(next, []string{"ship it"}) {
		t.Errorf("of %d tasks, in progress are %q, to come %q", len(w.Tasks), doing, next)
	}
	for i := range MaxTasks {
		w.SetTask(Task{ID: "open" + strconv.Itoa(i), Text: "open " + strconv.Itoa(i)})
	}
	if _, next = w.Open(); len(w.Tasks) != MaxTasks || next[len(next)-1] != "open 199" {
		t.Errorf("of %d open tasks the last is %q", len(w.Tasks), next[len(next)-1])
	}
}
