package session

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/mementohq/memento/internal/jsonx"
)

// FuzzMemory: any memory that can be read is written in one line, and then read the same.
func FuzzMemory(f *testing.F) {
	for _, seed := range []string{
		``, `[]`, `{}`, `null`, `{"id":"s1","lane":"alice"}`,
		`{"ID":"s1","read":{"offset":5},"read":null,"later":[1,{"a":"\n"}]}`,
		`{"\u0069d":"s1","prompts":3,"prompts":-1}`,
		`{"id":1}`, `{"prompts":1e3}`, `{"prompts":99999999999999999999}`, `{"told":"true"}`, `{"read":[]}`,
		`{"taken":{}}`,
		`{"taken":[null,"x"],"pending":[null,{"text":"größer","at":"2026-03-14T09:26:53.5+01:00"}]}`,
		`{"started":"today"}`, `{"unheard":{}}`, `{"work":{"tasks":[{"id":"1","text":"a\u2028\ud800"}],"calls":[]}}`,
		"{\"block\":\"\xff\x00\"}", `{"":"","a":1}`, `{"started":"0000-01-01T00:00:00+01:00"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var first, second, third Memory
		if !decode(data, &first) {
			return
		}
		encode := func(m *Memory) []byte { return jsonx.Write(m, (*Memory).fields) }
		out := encode(&first)
		if !decode(out, &second) {
			t.Fatalf("%q is written as %q, which cannot be read", data, out)
		}
		if same := encode(&second); !bytes.Equal(same, out) { // bytes that are no characters are replaced once
			t.Fatalf("%q is written as %q, and then as %q", data, out, same)
		}
		if !decode(out, &third) || !reflect.DeepEqual(second, third) {
			t.Fatalf("%q reads as %+v and %+v", out, second, third)
		}
	})
}
