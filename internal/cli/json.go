package cli

import (
	"bytes"
	"encoding/json"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// printJSON prints an answer on one line: the version of memento's answers, then what v says, a struct or members.
func (c *call) printJSON(v any) { c.Out.Write(append(versioned(v), '\n')) }

// versioned is v, a struct or members, as a JSON object that begins with the version of memento's answers.
func versioned(v any) []byte {
	return append([]byte(`{"version":1,`), bytes.TrimPrefix(jsonOf(v), []byte("{"))...)
}

// jsonOf is v in JSON, with <, > and & as they are. These are texts, numbers and lists of them, so that nothing can
// fail.
func jsonOf(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimRight(out.Bytes(), "\n")
}

// array is items where JSON is to have [] for none, not null.
func array[T any](items []T) []T { return append([]T{}, items...) }

// member is one of an object.
type member struct {
	name  string
	value any
}

// members are a JSON object whose members stand in this order.
type members []member

// MarshalJSON writes the members in their order.
func (all members) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, jsonOf(m.name)...), ':'), jsonOf(m.value)...)
	}
	return append(out, '}'), nil
}

// numbers is an object of numbers, by names in this order.
func numbers(names []string, n map[string]int) members {
	out := members{}
	for _, name := range names {
		out = append(out, member{name, n[name]})
	}
	return out
}

// storedRecord is a record in an answer: what it is, not what it says.
type storedRecord struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Title   string   `json:"title"`
	Project string   `json:"project"`
	Status  string   `json:"status"`
	Tags    []string `json:"tags"`
	Path    string   `json:"path"`
	Hash    string   `json:"hash"`
	Secrets []string `json:"secrets"`
}

func storedAs(r *record.Record) storedRecord {
	return storedRecord{r.ID, r.Kind, r.Title, r.Project, r.Status, array(r.Tags), r.Path, r.Hash(), array(r.Secrets)}
}

// standing is how a record stands and how its matter does, where there is anything to say of it.
type standing struct {
	Status string `json:"status,omitempty"`
	Stage  string `json:"stage,omitempty"`
	State  string `json:"state,omitempty"` // the old name of stage
}

func standingOf(status, stage string) standing {
	if status == schema.Active {
		status = ""
	}
	return standing{status, stage, stage}
}

// recordFields are the fields of a record in an answer. A file has a stage only under its old name, state.
func recordFields(r *record.Record) map[string]any {
	fields := r.Fields()
	if r.Stage != "" {
		fields["stage"] = r.Stage
	}
	return fields
}

// unreadable is a record's file that could not be read.
type unreadable struct {
	Path  string `json:"path"`
	Error string `json:"error"`
}

func unreadables(problems []record.Problem) []unreadable {
	out := []unreadable{}
	for _, p := range problems {
		out = append(out, unreadable{p.Path, text.Line(p.Err.Error())})
	}
	return out
}
