package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/text"
)

// erasing forgets the texts that hold words.
func erasing(words string) fixture.Forgotten {
	phrase := text.Fold(words)
	return func(s string) bool { return strings.Contains(text.Fold(s), phrase) }
}

// FuzzErase: from any journal or line of history, Erase leaves JSON without the words.
func FuzzErase(f *testing.F) {
	f.Add([]byte(`{"mission":"the red lid","done":[{"act":"a","result":"red lid"}],"x":{"red lid":1},"summary":"a; `+
		`red; lid","said":["the red lid",5]}`), "red lid")
	f.Add([]byte(`{"kind":"mission","id":"1","text":"x","body":{"mission":"lids are red","wip":"red"},"a.b":"red",`+
		`"red*":[{"red":[["red"]]}]}`), "red")
	f.Add([]byte(`{"id":"1","kind":"cut","text":"\u0072ed\nlid","text":"red lid"}`), "red lid")
	f.Add([]byte("{\"mission\":\"lids\",\n\"x\":{\n\"said\":[\"the red lid\",5]}}"), "red lid")
	f.Fuzz(func(t *testing.T, data []byte, words string) {
		if text.Runes(text.Fold(words)) < 2 || !jsonx.Valid(data, maxDepth) || bytes.Contains(data, []byte(`\u`)) ||
			strings.ContainsAny(words, `\"{}[],:`) {
			return
		}
		e := erasing(words)
		for name, do := range map[string]func([]byte) ([]byte, []log.Gone){
			"journal": func(data []byte) ([]byte, []log.Gone) { return Erase(e, data) },
			"line":    func(line []byte) ([]byte, []log.Gone) { return eraseLine(e, line) },
		} {
			out, gone := do(data)
			if len(gone) > 0 && len(out) > 0 && !json.Valid(out) {
				t.Errorf("%s: %q becomes %q", name, data, out)
			}
			if len(gone) == 0 && !bytes.Equal(out, data) {
				t.Errorf("%s: without a hit %q becomes %q", name, data, out)
			}
			if _, again := do(out); len(out) > 0 && len(again) > 0 {
				t.Errorf("%s: %q becomes %q, which still holds %q", name, data, out, words)
			}
		}
	})
}

// eraseLine erases in a line of the log. What is no entry of a journal stays.
func eraseLine(words log.Forgotten, line []byte) (out []byte, gone []log.Gone) {
	one, ok := log.Parse(line)
	if !ok || one.Happened() {
		return line, nil
	}
	if gone = EraseEntry(words, &one); len(gone) == 0 {
		return line, nil
	}
	if one.ID == "" {
		return nil, gone
	}
	return one.JSON(), gone
}

// fill gives each field of v a value, each text another one, and returns how many texts there are.
func fill(v reflect.Value, texts int) int {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				texts = fill(v.Field(i), texts)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		texts = fill(v.Elem(), texts)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		texts = fill(v.Index(0), texts)
	case reflect.String:
		v.SetString(fmt.Sprintf("xq%03dqx", texts))
		texts++
	case reflect.Bool:
		v.SetBool(true)
	}
	return texts
}

// TestEraseEveryField: each text of a journal is erased by itself. Values that are nobody's words stay, in the
// journal and in a line of history that holds it.
func TestEraseEveryField(t *testing.T) {
	t.Parallel()
	var full Journal
	texts := fill(reflect.ValueOf(&full).Elem(), 0)
	data := full.encode()
	line := []byte(`{"id":"1","ts":"2026-03-14T09:00:00Z","kind":"mission","text":"another","body":` +
		string(pretty.Ugly(data)) + `}`)
	var stay []string
	for n := range texts {
		words := fmt.Sprintf("xq%03dqx", n)
		out, gone := Erase(erasing(words), data)
		left, went := eraseLine(erasing(words), line)
		if (gone == nil) != bytes.Contains(out, []byte(words)) ||
			(went == nil) != bytes.Contains(left, []byte(words)) || (gone == nil) != (went == nil) {
			t.Errorf("%s: %q goes and leaves %s; of a line %q goes and leaves %s", words, gone, out, went, left)
		}
		if gone == nil {
			field := regexp.MustCompile(`"([a-z_]+)": \[?"` + words).FindSubmatch(data)
			stay = append(stay, string(field[1]))
		}
	}
	want := "mission_opened mission_closed mission_ref mission_by project branch summary_by wip_by next_at " +
		"ts by ref plan_by ts session"
	if got := strings.Join(stay, " "); got != want {
		t.Errorf("these stay: %s\nwant: %s", got, want)
	}
	// The id of a prompt is nobody's words. The part behind a slash in it may be words.
	for _, tt := range []struct{ words, ref, want string }{{"u1", "u1", "u1"}, {"red lid", "u1/the red lid", ""}} {
		out, _ := Erase(erasing(tt.words), []byte(`{"mission":"x","mission_ref":"`+tt.ref+`"}`))
		if got := gjson.GetBytes(out, "mission_ref").Str; got != tt.want {
			t.Errorf("of %s is left %q", tt.ref, got)
		}
	}
}
