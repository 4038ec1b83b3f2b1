package markdown

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

const sample = `---
# kept
id: myapp--fix-auth-bug
kind: "decision"   # quoted
title: 'It''s the token: PASETO'
project: myapp

status: active
created: 2026-03-14T09:26:53Z
updated: 2026-03-15
tags: [auth, "needs, care", 'x']  # three
files:
  # the middleware first
  - src/auth.ts

  - "a: b"
owner: Alice # nobody reads it
changes:
- {date: 2026-03-14T09:26:53Z, summary: "created"}
- date: 2026-03-15
  summary: 'state: accepted'
  field: state
# last
---
# Fix

## Context

Words.
`

var accepted = []string{
	sample,
	strings.ReplaceAll(sample, "\n", "\r\n"),
	"---\n---\n", "---\n---", "---\na: b\n---", "\ufeff---\na: b\n---\nbody", "---\na:\n---\n", "---\na: [ ]\n---\n",
	"---\na: # c\nb:   \n---\n",
	"---\na: -1\nb: http://x.y/z#f\nc: a#b\nd: 'it''s'\ne: \"\\u00e9\\n\\x41\\U0001F600\"\n---\n",
	"---\ntags:\n- a\n- b\nc: d\n---\n",
	"---\ntags:\n    - a  # c\n    # d\n    - 'b'\n\n---\n", "---\nchanges: []\n---\n",
	"---\nchanges:\n  -   date: a\n      summary: b\n---\n",
	"---\na: x  y # c\nb: 修复 認証\nc: 12:30\nd: ~\ne: null\nf: -\"\ng: a]b\nh: a, b\n---\n---\nmore\n---\n",
	"---\na: [x:y, -z, \"]\", a b]\n---\n",
	"---\na:\n-\n- b\n---\n",
}

var refused = []struct {
	in, why string
	line    int
}{
	{"", "does not begin", 1}, {"# A title\n", "does not begin", 1}, {"--- \na: b\n---\n", "does not begin", 1},
	{"---\na: b\n", "closing line", 3}, {"---\na: b\n--- \n", "is expected", 3},
	{"---\na: \x00\n---\n", "NUL", 2}, {"---\na: b\n---\n\x00", "NUL", 4}, {"---\na: \xff\n---\n", "UTF-8", 2},
	{"---\na: b\n---\n\xff", "UTF-8", 4},
	{"---\n\ta: b\n---\n", `'\t'`, 2}, {"---\na: \x1b[31m\n---\n", `'\x1b'`, 2},
	{"---\na: b\u2028c\n---\n", `'\u2028'`, 2}, {"---\na: b\rc: d\n---\n", `'\r'`, 2},
	{"---\na: b\na: c\n---\n", "twice", 3}, {"---\n- a\n---\n", "without a key", 2},
	{"---\n# c\n  a\n---\n", "without a key", 3},
	{"---\na:b\n---\n", "is expected", 2}, {"---\nab\n---\n", "is expected", 2},
	{"---\n\"a\": b\n---\n", "is expected", 2}, {"---\na b: c\n---\n", "is expected", 2},
	{"---\n<<: b\n---\n", "is expected", 2}, {"---\n...\n---\n", "is expected", 2},
}

// unread are values that memento keeps, and reads neither as a text nor as a list.
var unread = []string{
	" &x b", " *x", " !!str b", " |\n  b", " >\n  b", " b\n  c", "\n  b: c", " {b: c}", " {b}", " b: c", " \"b", " 'b",
	" \"b\" c", ` "\q"`, ` "\u0000"`, ` "\ud800"`, " [b", " [b,\n  c]", " [b, ]", " [[b]]", " [b] c", " [b: c]",
	"\n  - a: b", "\n  - a\n - b", "\n  - - a", "\n  - a\n  b", " b\n- c",
}

// badChanges are values of changes that are no history.
var badChanges = []string{
	"\n  - {date: a, date: b}", "\n  - a", "\n  - {date: a", " [a]", " b", "\n  -\n", "\n  - date: a\n    b",
}

// TestUnread: what memento does not read stays byte for byte when another key is set.
func TestUnread(t *testing.T) {
	for _, value := range append(slices.Clone(unread), badChanges...) {
		in := "---\nkind: debt\nchanges:" + value + "\nz: y\n---\n"
		d, err := Parse([]byte(in))
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if slices.Contains(badChanges, value) {
			if got, ok := d.Maps("changes"); ok {
				t.Errorf("%q is %q", value, got)
			}
		} else if list, ok := d.List("changes"); ok {
			t.Errorf("%q is %q", value, list)
		}
		d.Set("kind", "runbook")
		if want := strings.Replace(in, "debt", "runbook", 1); string(d.Bytes()) != want {
			t.Errorf("%q, want %q", d.Bytes(), want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, in := range accepted {
		d, err := Parse([]byte(in))
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if got := string(d.Bytes()); got != in {
			t.Errorf("%q became %q", in, got)
		}
		oracle(t, in, d)
	}
	for _, tt := range refused {
		_, err := Parse([]byte(tt.in))
		var front *FrontError
		if !errors.As(err, &front) || front.Line != tt.line || !strings.Contains(front.Why, tt.why) {
			t.Errorf("%q: %v, want line %d with %q", tt.in, err, tt.line, tt.why)
		}
	}
}

func TestGet(t *testing.T) {
	d, err := Parse([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"kind": "decision", "title": "It's the token: PASETO", "owner": "Alice",
		"updated": "2026-03-15"} {
		if got, ok := d.Get(key); !ok || got != want {
			t.Errorf("%s is %q, %v", key, got, ok)
		}
	}
	if got, _ := d.List("tags"); !slices.Equal(got, []string{"auth", "needs, care", "x"}) {
		t.Errorf("tags %q", got)
	}
	if got, _ := d.List("files"); !slices.Equal(got, []string{"src/auth.ts", "a: b"}) {
		t.Errorf("files %q", got)
	}
	got, ok := d.Maps("changes")
	if !ok || len(got) != 2 || !maps.Equal(got[1],
		map[string]string{"date": "2026-03-15", "summary": "state: accepted", "field": "state"}) {
		t.Errorf("changes %q", got)
	}
	if d.Line("owner") != 17 || d.Line("none") != 0 {
		t.Errorf("owner is in line %d", d.Line("owner"))
	}
}

// A set key changes, and the rest of the file stays as it was.
func TestSet(t *testing.T) {
	for _, tt := range []struct {
		name     string
		do       func(*Doc)
		old, new string // lines of the sample
	}{
		{"in quotes, before a comment", func(d *Doc) { d.Set("kind", "debt") }, `kind: "decision"   # quoted`,
			`kind: debt   # quoted`},
		{"in single quotes", func(d *Doc) { d.Set("title", `\1 $& 'x'`) }, `title: 'It''s the token: PASETO'`,
			`title: "\\1 $& 'x'"`},
		{"bare", func(d *Doc) { d.Set("status", "retired") }, "status: active", "status: retired"},
		{"bare to quoted", func(d *Doc) { d.Set("status", "yes") }, "status: active", `status: "yes"`},
		{"a time", func(d *Doc) { d.Set("updated", "2026-03-16T00:00:00Z") }, "updated: 2026-03-15",
			"updated: 2026-03-16T00:00:00Z"},
		{"the same", func(d *Doc) { d.Set("kind", "decision") }, "", ""},
		{"new", func(d *Doc) { d.Set("stage", "accepted") }, "created:", "stage: accepted\ncreated:"},
		{"new, unknown", func(d *Doc) { d.Set("zone", "a\nb") }, "# last\n", "# last\nzone: \"a\\nb\"\n"},
		{"a flow list", func(d *Doc) { d.SetList("tags", []string{"a, b", "c"}) }, `[auth, "needs, care", 'x']`,
			`["a, b", c]`},
		{"a block list", func(d *Doc) { d.SetList("files", []string{"src/auth.ts", "a: b", "c"}) }, `  - "a: b"`,
			"  - \"a: b\"\n  - c"},
		{"a block list less one", func(d *Doc) { d.SetList("files", []string{"a: b"}) }, "  - src/auth.ts\n\n", ""},
		{"an entry", func(d *Doc) { d.Add("changes", 50, [][2]string{{"date", "2026-03-16"}, {"summary", "a, b"}}) },
			"  field: state\n", "  field: state\n- {date: \"2026-03-16\", summary: \"a, b\"}\n"},
		{"an entry too many", func(d *Doc) { d.Add("changes", 1, [][2]string{{"summary", "c"}}) },
			"- {date: 2026-03-14T09:26:53Z, summary: \"created\"}\n- date: 2026-03-15\n  summary: 'state: " +
				"accepted'\n  field: state\n", "- {summary: c}\n"},
		{"entries that are there", func(d *Doc) {
			d.Add("changes", 3, [][2]string{{"summary", "new"}}, [][2]string{{"date", "2026-03-14T09:26:53Z"}})
		}, "- {date: 2026-03-14T09:26:53Z, summary: \"created\"}\n- date: 2026-03-15\n  summary: 'state: " +
			"accepted'\n  field: state\n", "- date: 2026-03-15\n  summary: 'state: accepted'\n  field: state\n" +
			"- {summary: new}\n- {date: 2026-03-14T09:26:53Z, summary: \"created\"}\n"},
	} {
		for _, nl := range []string{"\n", "\r\n"} {
			lines := func(s string) string { return strings.ReplaceAll(s, "\n", nl) }
			d, err := Parse([]byte(lines(sample)))
			if err != nil {
				t.Fatal(err)
			}
			tt.do(d)
			if got, want := string(d.Bytes()), strings.Replace(lines(sample), lines(tt.old), lines(tt.new),
				1); got != want {
				t.Errorf("%s: %q, want %q", tt.name, got, want)
			}
			oracle(t, string(d.Bytes()), d)
		}
	}
}

// oracle compares a document's values with those that a YAML library reads. Parse reads no values, so the library may
// refuse the file.
func oracle(t *testing.T, file string, d *Doc) {
	t.Helper()
	head := strings.TrimPrefix(strings.TrimSuffix(file, d.Body), "\ufeff")
	head = strings.TrimPrefix(strings.TrimPrefix(head, "---"), "\r")
	head = strings.TrimSuffix(strings.TrimRight(head, "\r\n"), "---")
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(head), &doc); err != nil || len(doc.Content) == 0 {
		return
	}
	for _, key := range d.Keys() {
		_, isText := d.Get(key)
		_, isList := d.List(key)
		if _, isMaps := d.Maps(key); !isText && !isList && !isMaps { // an open quote may hold the lines below
			return
		}
	}
	n := doc.Content[0]
	if n.Kind != yaml.MappingNode && len(d.Keys()) > 0 || len(n.Content) != 2*len(d.Keys()) {
		t.Fatalf("YAML reads %d keys, memento %q in %q", len(n.Content)/2, d.Keys(), head)
	}
	for i, key := range d.Keys() {
		if n.Content[2*i].Value != key {
			t.Fatalf("key %q is %q to YAML", key, n.Content[2*i].Value)
		}
		v := n.Content[2*i+1]
		value, isText := d.Get(key)
		list, isList := d.List(key)
		entries, isMaps := d.Maps(key)
		switch {
		case isText:
			if v.Kind != yaml.ScalarNode || v.Value != value {
				t.Fatalf("%s is %q, to YAML %q in %q", key, value, v.Value, head)
			}
		case isList:
			var all []string
			for _, e := range v.Content {
				if e.Kind != yaml.ScalarNode {
					t.Fatalf("%s holds %v to YAML in %q", key, e.Kind, head)
				}
				all = append(all, e.Value)
			}
			if v.Kind != yaml.SequenceNode || !slices.Equal(list, all) {
				t.Fatalf("%s is %q, to YAML %q in %q", key, list, all, head)
			}
		case isMaps:
			var all []map[string]string
			if err := v.Decode(&all); err != nil || !slices.EqualFunc(entries, all, maps.Equal) {
				t.Fatalf("%s is %q, to YAML %q in %q", key, entries, all, head)
			}
		}
	}
}

// Parse and Bytes return the file unchanged, and a YAML library reads the same values in it.
func FuzzParse(f *testing.F) {
	for _, in := range accepted {
		f.Add([]byte(in))
	}
	for _, tt := range refused {
		f.Add([]byte(tt.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		d, err := Parse(in)
		if err != nil {
			return
		}
		if got := d.Bytes(); !bytes.Equal(got, in) {
			t.Fatalf("%q became %q", in, got)
		}
		oracle(t, string(in), d)
	})
}

func isHistory(d *Doc) bool {
	_, ok := d.Maps("changes")
	return ok
}

// Get and a YAML library return the value that was set. All other values and the body stay.
func FuzzSet(f *testing.F) {
	for i, in := range accepted {
		f.Add([]byte(in), "title", "a", `it's "x": # \1 $&`+"\n\t\u2028", i%3)
		f.Add([]byte(in), "changes", "true", "2026-03-14T09:26:53Z", 2)
		f.Add([]byte(in), "a", "- a", " b ", i%3)
	}
	f.Fuzz(func(t *testing.T, in []byte, key, a, b string, how int) {
		d, err := Parse(in)
		if err != nil || !isKey(key) || strings.ContainsRune(a+b, 0) || !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		old := d.Keys()
		was := map[string]string{}
		for _, it := range d.items {
			was[it.key] += it.raw
		}
		if how == 2 {
			if key = "changes"; !isHistory(d) {
				return
			}
		} else if key == "changes" {
			return
		}
		switch how {
		case 0:
			d.Set(key, a)
		case 1:
			d.SetList(key, []string{a, b})
		case 2:
			d.Add(key, 50, [][2]string{{"date", a}, {"summary", b}})
		default:
			return
		}
		again, err := Parse(d.Bytes())
		if err != nil {
			t.Fatalf("%q is not read again: %v", d.Bytes(), err)
		}
		for _, d := range []*Doc{d, again} {
			switch how {
			case 0:
				if got, ok := d.Get(key); !ok || got != a {
					t.Fatalf("%q, want %q in %q", got, a, d.Bytes())
				}
			case 1:
				if got, ok := d.List(key); !ok || !slices.Equal(got, []string{a, b}) {
					t.Fatalf("%q, want %q in %q", got, []string{a, b}, d.Bytes())
				}
			case 2:
				if got, ok := d.Maps(key); !ok ||
					!maps.Equal(got[len(got)-1], map[string]string{"date": a, "summary": b}) {
					t.Fatalf("%q, want %q in %q", got, []string{a, b}, d.Bytes())
				}
			}
			for _, k := range old {
				if k != key && d.find(k).raw != was[k] {
					t.Fatalf("%s was %q, is %q", k, was[k], d.find(k).raw)
				}
			}
		}
		if !bytes.HasSuffix(in, []byte(d.Body)) || d.Body != again.Body {
			t.Fatalf("the body became %q", again.Body)
		}
		oracle(t, string(d.Bytes()), again)
	})
}
