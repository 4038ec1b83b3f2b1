package journal

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/text"
)

// erasing takes out what holds words.
func erasing(words string) *Erasure {
	phrase := text.Fold(words)
	return &Erasure{
		Has:   func(s string) bool { return strings.Contains(text.Fold(s), phrase) },
		Loose: func(data []byte) bool { return strings.Contains(text.Fold(string(data)), phrase) },
		Went:  func(string) {},
	}
}

// Whatever a journal or a line of history is, what is left is JSON without the words.
func FuzzErase(f *testing.F) {
	f.Add([]byte(`{"mission":"the red lid","done":[{"act":"a","result":"red lid"}],"x":{"red lid":1},"summary":"a; red; lid","said":["the red lid",5]}`), "red lid")
	f.Add([]byte(`{"kind":"mission","text":"x","journal":{"mission":"lids are red","wip":"red"},"a.b":"red","red*":[{"red":[["red"]]}]}`), "red")
	f.Add([]byte(`{"kind":"said","text":"\u0072ed\nlid","text":"red lid"}`), "red lid")
	f.Add([]byte("{\"mission\":\"lids\",\n\"x\":{\n\"said\":[\"the red lid\",5]}}"), "red lid")
	f.Fuzz(func(t *testing.T, data []byte, words string) {
		if text.Runes(text.Fold(words)) < 2 || !whole(data) || bytes.Contains(data, []byte(`\u`)) || strings.ContainsAny(words, `\"{}[],:`) {
			return
		}
		e := erasing(words)
		for name, do := range map[string]func([]byte) ([]byte, []Gone){"journal": e.Journal, "line": e.Line} {
			if name == "line" && bytes.Contains(data, []byte("\n")) {
				continue // no line of history
			}
			out, gone := do(data)
			parts := [][]byte{out}
			if name == "line" { // one may become several
				parts = bytes.Split(out, []byte("\n"))
			}
			for _, l := range parts {
				if len(gone) > 0 && len(out) > 0 && !json.Valid(l) {
					t.Errorf("%s: %q becomes %q", name, data, out)
				}
			}
			if len(gone) == 0 && !bytes.Equal(out, data) {
				t.Errorf("%s: without a hit %q becomes %q", name, data, out)
			}
			if _, again := do(out); len(out) > 0 && whole(out) && len(again) > 0 {
				t.Errorf("%s: %q becomes %q, which still holds %q", name, data, out, words)
			}
		}
	})
}
