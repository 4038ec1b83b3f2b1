package cli

import (
	"bytes"
	"errors"
	"testing"

	"github.com/mementohq/memento/internal/record"
)

// TestPrintJSON: an answer has the version first, its members in order and [] for an empty list. It escapes only what
// JSON must escape.
func TestPrintJSON(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		v    any
		want string
	}{
		{"a struct", struct {
			Path string   `json:"path"`
			Left []string `json:"left"`
		}{"a/b", array[string](nil)}, `{"version":1,"path":"a/b","left":[]}`},
		{"members", members{{"b", 1}, {"a", true}, {"c", nil}}, `{"version":1,"b":1,"a":true,"c":null}`},
		{"no escapes of HTML", members{{"a", "x -> <b> & c"}, {"n", members{{"<", ">"}}}},
			`{"version":1,"a":"x -> <b> & c","n":{"<":">"}}`},
		{"what cannot be read", members{{"p", unreadables([]record.Problem{{Path: "x.md",
			Err: errors.New("no\nway")}})}},
			`{"version":1,"p":[{"path":"x.md","error":"no way"}]}`},
	} {
		var out bytes.Buffer
		c := &output{Streams: Streams{Out: &out}}
		if c.printJSON(tt.v); out.String() != tt.want+"\n" {
			t.Errorf("%s: %swant %s", tt.name, out.String(), tt.want)
		}
	}
}
