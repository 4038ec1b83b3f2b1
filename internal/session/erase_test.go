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

// TestWords uses a memory with a value in each field. No field's name counts as words, and each text is found but for
// the ids, places, positions and fingerprints, and memento's and the client's own words.
func TestWords(t *testing.T) {
	var full Memory
	texts := fill(reflect.ValueOf(&full).Elem(), 0)
	data := encode(&full, `,"odd":{"deep":["xq900qx"]},"even":[1,  2],"two words":1`)
	find := func(words string) []string {
		found, ok := Words(data, func(s string) bool { return strings.Contains(s, words) })
		if !ok {
			t.Errorf("%q: it is damaged", words)
		}
		return found
	}
	names := 0
	for _, m := range regexp.MustCompile(`"([a-z_]+)":`).FindAllStringSubmatch(string(data), -1) {
		if names++; find(m[1]) != nil {
			t.Errorf("%q, the name of a field, is found", m[1])
		}
	}
	if names < 80 {
		t.Errorf("only %d names", names)
	}
	var marks []string
	for n := range texts {
		words := fmt.Sprintf("xq%03dqx", n)
		if found := find(words); found == nil {
			marks = append(marks, words)
		} else if !slices.Equal(found, []string{words}) {
			t.Errorf("of %s it finds %q", words, found)
		}
	}
	if len(marks) != 48 { // two of them are pending, and in another file
		t.Errorf("%d of %d texts are not found: %q of %s", len(marks), texts, marks, data)
	}
	for _, words := range []string{"xq900qx", "two words"} {
		if find(words) == nil {
			t.Errorf("in a field of another version %q is not found", words)
		}
	}
	for _, damaged := range []string{"{", `{"id":7}`, `{"lane":"x"}`} {
		if _, ok := Words([]byte(damaged), func(string) bool { return true }); ok {
			t.Errorf("%q is no memory", damaged)
		}
	}
}
