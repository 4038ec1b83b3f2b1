package cli

import (
	"fmt"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/text"
)

// say prints a line of the answer. It returns nil, as printJSON does: Main returns the first error of standard output.
func (o *output) say(format string, args ...any) error {
	fmt.Fprintf(o.Out, format+"\n", args...)
	return nil
}

// printJSON prints v, a struct or members, as one line of JSON that begins with the version of memento's answers.
func (o *output) printJSON(v any) error { return o.say("%s", versioned(v)) }

// printAnswer prints v as printJSON does if --json was given, else the line that the format makes of args.
func (o *output) printAnswer(v any, format string, args ...any) error {
	if o.json {
		return o.printJSON(v)
	}
	return o.say(format, args...)
}

// versioned encodes v, a struct or members, as a JSON object that begins with the version of memento's answers.
func versioned(v any) []byte {
	data, _ := jsonx.Marshal(v) // of strings, numbers and lists of them, so that it cannot fail
	return append([]byte(`{"version":1,`), data[1:]...)
}

// array copies items, so that JSON has [] for none instead of null.
func array[T any](items []T) []T { return append([]T{}, items...) }

// member is one member of a JSON object.
type member struct {
	name  string
	value any
}

// members are a JSON object that keeps the order of its members.
type members []member

func (all members) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range all {
		if i > 0 {
			out = append(out, ',')
		}
		value, err := jsonx.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		out = append(append(out, jsonx.Quote(m.name)+":"...), value...)
	}
	return append(out, '}'), nil
}

// unreadables are the files of records that memento could not read.
func unreadables(problems []record.Problem) []members {
	out := []members{}
	for _, p := range problems {
		out = append(out, members{{"path", p.Path}, {"error", text.Line(p.Err.Error())}})
	}
	return out
}
