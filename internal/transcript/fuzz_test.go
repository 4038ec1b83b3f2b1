package transcript

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/text"
)

// texts lists all text in a line of JSON, in keys too.
func texts(line []byte) (out []string) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return out
		}
		if s, ok := token.(string); ok {
			out = append(out, s)
		}
	}
}

// FuzzPrompts: each line of a prompt stands in some text of the transcript. The result is the same whether the file
// is read at once or while it is written.
func FuzzPrompts(f *testing.F) {
	f.Add([]byte(user("u1", "fix auth")+assistant("x")+user("u2", "two\nlines")+`{"type":"us`), 30)
	f.Add([]byte(user("u1", "<command-name>/review</command-name><command-args>the branch</command-args>")+
		printed(`"user"`)), 7)
	f.Add([]byte(user("u1", "<system-reminder>a</system-reminder>b<system-reminder>c</system-reminder>")), 200)
	f.Add([]byte(`{"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"go"},`+
		`{"type":"text","text":"\ud83d\ude80"}]}}`+"\r\n\x00\n"), 0)
	f.Add([]byte(user("u1", "one")[:60]+user("u2", `say "two" {`)+user("u3", "three")), 100)
	f.Add([]byte(strings.TrimSpace(user("u1", "one"))+user("u2", "two")[:90]+user("u3", "three")), 300)
	f.Add([]byte(`{"type":"user","message":{"content":"a","content":"b"},"origin":{"kind":5}}`+"\n"), 99)
	f.Add([]byte(queued("enqueue", `"staging \"only\""`)+queued("enqueue", `"two"`)+queued("remove", "")+
		queued("dequeue", "")+queued("remove", "")), 150)
	f.Add([]byte(user("u1", "a <private>b</private> c <PRIVATE>d")+queued("enqueue", `"<private>x</private>"`)+
		queued("remove", "")+user("u2", "e")), 60)
	f.Fuzz(func(t *testing.T, data []byte, split int) {
		path := transcriptOf(t, string(data))
		var all, steps []Prompt
		end, err := prompts(path, Position{}, func(p Prompt) { all = append(all, p) })
		if err != nil {
			t.Fatal(err)
		}
		if whole := bytes.LastIndexByte(data, '\n') + 1; end.Offset != int64(whole) {
			t.Errorf("read to %d, the last whole line ends at %d", end.Offset, whole)
		}
		split = max(0, min(split, len(data)))
		fixture.Write(t, path, string(data[:split]))
		at, err := prompts(path, Position{}, func(p Prompt) { steps = append(steps, p) })
		if err != nil {
			t.Fatal(err)
		}
		fixture.Append(t, path, string(data[split:]))
		at, err = prompts(path, at, func(p Prompt) { steps = append(steps, p) })
		if err != nil || at != end || !reflect.DeepEqual(steps, all) {
			t.Errorf("in two steps, at %d: %+v to %+v, %v, at once %+v to %+v", split, steps, at, err, all, end)
		}

		if !utf8.Valid(data) || bytes.Contains(bytes.ToLower(data), []byte(`\ud`)) {
			return // two parsers may replace a broken character differently
		}
		have := ""
		for _, l := range bytes.Split(data, []byte("\n")) {
			for i := range l {
				if i == 0 || l[i] == '{' { // a whole entry may follow one that was cut off
					have += "\n" + strings.Join(texts(l[i:]), "\n")
				}
			}
		}
		for _, p := range all {
			words := p.Text
			if name, args, ok := strings.Cut(words, " "); ok && strings.HasPrefix(name, "/") {
				words = strings.TrimPrefix(name, "/") + "\n" + args
			}
			for _, l := range strings.FieldsFunc(strings.ReplaceAll(words, text.PrivateMark, "\n"),
				func(r rune) bool { return r == '\n' }) {
				if !strings.Contains(have, l) {
					t.Errorf("%q stands nowhere in %s", l, data)
				}
			}
		}
	})
}
