package work

import (
	"reflect"
	"testing"
)

// What the session itself has seen counts before what it takes over.
func TestInherit(t *testing.T) {
	w := Work{Ran: 2, Made: 1, Failures: []Failure{{Key: "npm test", Line: "new"}}, Touched: []string{"b.go"},
		Checks: []Check{{Key: "go vet", Passed: true}}}
	w.Inherit(Work{Ran: 90, Failures: []Failure{{Key: "npm test", Line: "old", Ran: 80}, {Key: "make", Ran: 85}},
		Checks: []Check{{Key: "go vet"}, {Key: "npm test"}}, Touched: []string{"a.go", "b.go"},
		Tasks: []Task{{ID: "1", Text: "Ship"}, {ID: "2", Text: "Test", Status: "completed"}}, Asked: `"ship it"`})
	want := Work{Ran: 2, Made: 1, Failures: []Failure{{Key: "make", Ran: 2, Made: 1}, {Key: "npm test", Line: "new"}},
		Checks: []Check{{Key: "npm test"}, {Key: "go vet", Passed: true}}, Touched: []string{"b.go", "a.go"},
		Tasks: []Task{{ID: "earlier:1", Text: "Ship"}}, Asked: `"ship it"`}
	if !reflect.DeepEqual(w, want) {
		t.Errorf("Inherit = %+v, want %+v", w, want)
	}
	w.SetTask(Task{ID: "1", Text: "Ship it today"})
	if len(w.Tasks) != 1 || w.Tasks[0].ID != "1" {
		t.Errorf("beside a list of the session's own: %+v", w.Tasks)
	}
}
