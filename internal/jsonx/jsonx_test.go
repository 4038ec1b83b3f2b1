package jsonx

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func TestTooDeep(t *testing.T) {
	for in, deep := range map[string]int{
		``: 0, `5`: 0, `"[[["`: 0, `[]`: 1, `{}`: 1, `[[],[]]`: 2, `{"a":[{"b":{}}]}`: 4, `["\"[[", [1]]`: 2,
		`["\\", [1]]`: 2, `[[`: 2,
	} {
		deepest(t, []byte(in), deep)
	}
	if got := TooDeep(`{"a[[":[], "b":[[1]]}`, 2); got != 16 {
		t.Errorf("it is too deep at %d, want 16", got)
	}
}

// deepest checks that data nests levels deep for TooDeep, and no deeper.
func deepest(t *testing.T, data []byte, deep int) {
	t.Helper()
	if at := TooDeep(data, deep); at >= 0 {
		t.Errorf("%s is deeper than %d at %d", data, deep, at)
	}
	if at := TooDeep(data, deep-1); at < 0 && deep > 0 {
		t.Errorf("%s is not as deep as %d", data, deep)
	} else if deep > 0 && data[at] != '[' && data[at] != '{' {
		t.Errorf("%s is too deep at %d, which is no bracket", data, at)
	}
}

// depth returns how deep data nests, by another parser.
func depth(t *testing.T, data []byte) int {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	at, deepest := 0, 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			return deepest
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token {
		case json.Delim('['), json.Delim('{'):
			at++
			deepest = max(deepest, at)
		case json.Delim(']'), json.Delim('}'):
			at--
		}
	}
}

func FuzzTooDeep(f *testing.F) {
	for _, seed := range []string{`{"a":[{"b":{}}]}`, `["\"[[", [1]]`, `{"a[[":[], "b":[[1]]}`, `"\\"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if json.Valid(data) {
			deepest(t, data, depth(t, data))
		}
	})
}

func TestObject(t *testing.T) {
	const written = "{\n  \"zeta\": {\"n\": 1.50},\n  \"a<b\" : \"}\",\n  \"a\":1, \"a\":2,\"last\":[1, 2]\n}"
	for _, tt := range []struct {
		name, raw string
		change    func(*Object)
		want      string
	}{
		{"nothing", written, func(*Object) {}, written},
		{"a value", written, func(o *Object) { o.Set("a<b", "5") }, strings.Replace(written, `"}"`, "5", 1)},
		{"the first of two", written, func(o *Object) { o.Set("a", "5") },
			strings.Replace(written, `"a":1`, `"a":5`, 1)},
		{"both of two", written, func(o *Object) { o.Drop("a") },
			strings.Replace(written, "\n  \"a\":1, \"a\":2,", "", 1)},
		{"the first", written, func(o *Object) { o.Drop("zeta") },
			strings.Replace(written, "\n  \"zeta\": {\"n\": 1.50},", "", 1)},
		{"one more, as the others stand", "{\n  \"a\": 1\n}", func(o *Object) { o.Set("b", "2") },
			"{\n  \"a\": 1,\n  \"b\": 2\n}"},
		{"the only one", `{ "a": 1 }`, func(o *Object) { o.Drop("a", "b") }, "{ }"},
		{"into nothing", "", func(o *Object) { o.Set("größer\n", "2") }, `{"größer\n":2}`},
		{"into an empty one", " {}\n", func(o *Object) { o.Set("a", "2") }, `{"a":2}`},
	} {
		o := ObjectOf(tt.raw)
		tt.change(o)
		if got := o.String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if o := ObjectOf(written); o.Get("a") != "1" || o.Get("b") != "" {
		t.Errorf("it holds %q and %q", o.Get("a"), o.Get("b"))
	}
}

// FuzzObject: an unchanged object is written as it stood. A changed object is a valid one that holds the change.
func FuzzObject(f *testing.F) {
	for _, seed := range []string{`{}`, `{ }`, `{"a":1}`, "{\n\t\"a\" : [{}] ,\r\n \"b\":\"}\"}", `{"\u0061":1,"a":2}`,
		`{"":{"":""}}`} {
		f.Add([]byte(seed), "a")
	}
	f.Fuzz(func(t *testing.T, data []byte, key string) {
		if _, ok := Parse(data, 100); !ok || strings.ToValidUTF8(key, "") != key {
			return
		}
		raw := string(bytes.Trim(data, " \t\r\n"))
		o := ObjectOf(raw)
		if got := o.String(); got != raw {
			t.Fatalf("%q is written as %q", raw, got)
		}
		o.Set(key, `["new"]`)
		if root, ok := Parse([]byte(o.String()), 100); !ok || ObjectOf(root.Raw).Get(key) != `["new"]` {
			t.Fatalf("%q with %q set is %q", raw, key, o)
		}
		o.Drop(key)
		if root, ok := Parse([]byte(o.String()), 100); !ok || ObjectOf(root.Raw).Get(key) != "" {
			t.Fatalf("%q without %q is %q", raw, key, o)
		}
	})
}
