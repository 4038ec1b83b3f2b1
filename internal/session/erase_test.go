package session

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// fill gives each field of v a value, each text another one, and returns how many texts there are.
func fill(v reflect.Value, texts int) int {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)))
			return texts
		}
		for i := range v.NumField() {
			texts = fill(v.Field(i), texts)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		texts = fill(v.Elem(), texts)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			texts = fill(v.Index(i), texts)
		}
	case reflect.String:
		v.SetString(fmt.Sprintf("xq%03dqx", texts))
		texts++
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	}
	return texts
}

// TestErase uses a memory with a value in each field. No field's name counts as words, each text is erased by itself,
// and values that are nobody's words stay.
func TestErase(t *testing.T) {
	var full Memory
	texts := fill(reflect.ValueOf(&full).Elem(), 0)
	data := encode(&full, `,"odd":{"deep":["xq900qx"]},"even":[1,  2],"two words":1`)
	holds := func(words string) func(string) bool {
		return func(s string) bool { return strings.Contains(s, words) }
	}
	names := 0
	for _, m := range regexp.MustCompile(`"([a-z_]+)":`).FindAllStringSubmatch(string(data), -1) {
		names++
		if out, found, ok := eraseMemory(data, holds(m[1]), false); !ok || found != nil || string(out) != string(data) {
			t.Errorf("%q, the name of a field, took out %q", m[1], found)
		}
	}
	if names < 80 {
		t.Errorf("only %d names", names)
	}
	var marks []string
	for n := range texts {
		words := fmt.Sprintf("xq%03dqx", n)
		out, found, ok := eraseMemory(data, holds(words), false)
		if ok && found == nil && string(out) == string(data) {
			marks = append(marks, words)
			continue
		}
		if !ok || !slices.Equal(found, []string{words}) || strings.Contains(string(out), words) ||
			strings.Contains(string(out), `"block":`) || !strings.Contains(string(out), `"even":[1,  2]`) {
			t.Errorf("%s took out %q and left %s", words, found, out)
		}
		var left Memory
		if _, ok := decode(out, &left); !ok || left.ID != full.ID || left.Read != full.Read || left.Unheard == nil ||
			!left.MayRepeat || left.Handled == nil {
			t.Errorf("%s left %+v", words, left)
		}
	}
	// The session's id, lane, root, transcript and position, its fingerprints, and memento's and the client's own
	// words.
	if len(marks) != 46 {
		t.Errorf("%d of %d texts are not erased: %q of %s", len(marks), texts, marks, data)
	}
	out, found, ok := eraseMemory(data, holds("xq900qx"), false)
	if !ok || found == nil || strings.Contains(string(out), "odd") {
		t.Errorf("a field of another version: %q, %s", found, out)
	}
	if out, found, ok = eraseMemory(data, holds("two words"), false); !ok || found == nil ||
		strings.Contains(string(out), "two words") {
		t.Errorf("a key that is no name: %q, %s", found, out)
	}
	inner := strings.Replace(string(data), `"work":{`, `"work":{"later":"the xq901qx",`, 1)
	if out, found, ok = eraseMemory([]byte(inner), holds("xq901qx"), false); !ok || found == nil ||
		strings.Contains(string(out), "xq901qx") {
		t.Errorf("a field of another version in one of ours: %q, %s", found, out)
	}
	if out, found, ok = eraseMemory(data, holds("nowhere"), true); !ok || found != nil ||
		strings.Contains(string(out), `"block":`) || strings.Contains(string(out), `"arrived":`) {
		t.Errorf("what the block was made of went elsewhere: %q, %s", found, out)
	}
	for _, damaged := range []string{``, `[]`, `{}`, `{"id":5}`, `{"id":"s1","told":"yes"}`} {
		if _, _, ok := eraseMemory([]byte(damaged), holds("x"), false); ok {
			t.Errorf("%q is a state", damaged)
		}
	}
}
