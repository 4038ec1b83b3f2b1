package record

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/schema"
)

// forms are the parts of a file, in their order, and how each may read. W stands for a word that no other file has, so
// that a test can look for it.
var forms = [][]string{
	{"id: shop--x\n", ""}, {"kind: decision\n", ""},
	{"title: A\n", "title: \"q # \\\"x\\\"\"\n", "title: 'it''s # 1'\n", ""},
	{"status: active\n", "status: archived\n", "status: odd\n", ""},
	{"created: 2026-01-01T00:00:00Z\n", "created: never\n", "created: 2025-01-01\n", ""},
	{"updated: 2026-02-02T00:00:00Z\n", "updated: 2026-02-03T00:00:00Z\n"},
	{"tags: [a, b]\n", "tags: [z, a] # W\n", "tags: [\"x, y\", b]\n", "tags: # W\n  # W\n  - a # W\n  - c\n", ""},
	{"stage: accepted\n", "stage: proposed\n", ""},
	{"pinned: yes # because\n", "pinned: W\n", "pinned:\n  - W\n  # W\n  - b\n", "# W\n\n", ""},
	{"changes:\n  - {date: 2026-01-01T00:00:00Z, summary: created}\n",
		"changes:\n  - date: 2026-01-02T00:00:00Z\n    summary: W\n", ""},
	{"", "", "", "", "bad line W\n"},
	{"---\n"},
	{"## Context\n\nOld.\n", "W\n\n# Part\n", "## Context\n\n```\n## W\n```\n", "  W\n\n\n- W", "~~~\nW\n"},
}

// versions returns a random base and n versions of it. A base may be missing or unreadable, a version removed or blank.
func versions(r *rand.Rand, n int) (base []byte, list [][]byte) {
	words := 0
	change := func(parts []string, odds int) []byte {
		parts = slices.Clone(parts)
		for i, all := range forms {
			for r.IntN(odds) == 0 {
				words++
				parts[i] = strings.ReplaceAll(all[r.IntN(len(all))], "W", fmt.Sprint("word", words))
			}
		}
		file := "---\n" + strings.Join(parts, "")
		if r.IntN(8) == 0 {
			file = strings.ReplaceAll(file, "\n", "\r\n")
		}
		return []byte(file)
	}
	var parts []string
	for _, all := range forms {
		parts = append(parts, all[r.IntN(len(all))])
	}
	base = change(parts, 1000)
	for range n {
		list = append(list, [][]byte{change(parts, 3), change(parts, 3), change(parts, 10), slices.Clone(base), nil,
			[]byte("\n")}[r.IntN(6)])
	}
	if r.IntN(6) == 0 {
		base = nil
	}
	return base, list
}

func same(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

// wordsOf returns the words of a file.
func wordsOf(data []byte) (words []string) {
	return strings.FieldsFunc(string(data), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
}

// cases returns how many random cases a test tries.
func cases(n uint64) uint64 {
	if testing.Short() {
		return n / 10
	}
	return n
}

// merge merges versions as one remote does that keeps the other versions too.
func merge(base, local, remote []byte, others map[string][]byte) []byte {
	m, other := Merge("x", base, local, remote)
	if other.Data != nil {
		others[other.Slug] = other.Data
	}
	return m
}

func TestMergeProperties(t *testing.T) {
	for seed := range cases(2000) {
		base, v := versions(rand.New(rand.NewPCG(seed, 1)), 2)
		l, r := v[0], v[1]
		m, other := Merge("x", base, l, r)
		show := func(what string, more []byte) {
			t.Helper()
			t.Fatalf("seed %d: %s\n--base\n%s\n--local\n%s\n--remote\n%s\n--merged\n%s\n--other\n%s\n--more\n%s",
				seed, what, base, l, r, m, other.Data, more)
		}
		blank := len(bytes.TrimSpace(l))+len(bytes.TrimSpace(r)) == 0
		if got, too := Merge("x", base, r, l); !blank && (!same(got, m) || !same(too.Data, other.Data)) {
			show("the sides are not equal", got)
		}
		if got, too := Merge("x", base, l, l); !same(got, l) || too.Data != nil {
			show("the same on both sides changes", got)
		}
		if got, too := Merge("x", base, l, base); !same(got, l) || too.Data != nil {
			show("one side is not taken as it is", got)
		}
		for _, side := range [][]byte{l, r} {
			if got, too := Merge("x", side, m, side); !same(got, m) || too.Data != nil {
				show("a fast-forward changes it", got)
			}
		}
		lost(base, [][]byte{m, other.Data}, v, func(word string) { show("lost: "+word, nil) })
	}
}

// lost calls report for each word that a version added and that no result has.
func lost(base []byte, results, versions [][]byte, report func(word string)) {
	have, was := map[string]bool{}, map[string]bool{}
	for _, data := range results {
		for _, w := range wordsOf(data) {
			have[w] = true
		}
	}
	for _, w := range wordsOf(base) {
		was[w] = true
	}
	for _, data := range versions {
		for _, w := range wordsOf(data) {
			if strings.HasPrefix(w, "word") && !was[w] && !have[w] {
				report(w)
			}
		}
	}
}

// Three machines edit, and then sync through one remote, in each order: no word is lost, and those that came before
// take what came later.
func TestMergeOfThree(t *testing.T) {
	for seed := range cases(600) {
		base, v := versions(rand.New(rand.NewPCG(seed, 3)), 3)
		for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			remote, others := base, map[string][]byte{}
			for _, i := range order {
				remote = merge(base, v[i], remote, others)
			}
			for _, i := range order {
				if got := merge(v[i], v[i], remote, others); !same(got, remote) {
					t.Fatalf("seed %d: a clone that was merged keeps its own", seed)
				}
			}
			results := append(slices.Collect(maps.Values(others)), remote)
			lost(base, results, v, func(word string) { t.Fatalf("seed %d, %v: lost %s", seed, order, word) })
		}
	}
}

// What a person finds after two machines changed a record.
func TestMerge(t *testing.T) {
	const form = "---\nid: shop--x\nkind: decision\ntitle: %s\nproject: shop\nstatus: %s\n" +
		"created: 2026-01-01T00:00:00Z\nupdated: %s\ntags: [a%s]\npinned: 'yes' # why\n" +
		"changes:\n  - {date: 2026-01-01T00:00:00Z, summary: created}\n%s---\n## Context\n\n%s\n"
	file := func(title, status, updated, tags, change, text string) []byte {
		return fmt.Appendf(nil, form, title, status, updated, tags, change, text)
	}
	base := file("Old", "active", "2026-01-01T00:00:00Z", "", "", "Old text.")
	l := file("JWT", "active", "2026-03-01T00:00:00Z", ", l",
		"  - {date: 2026-03-01T00:00:00Z, summary: second}\n", "Old text.")
	r := file("PASETO", "active", "2026-02-01T00:00:00Z", ", r",
		"  - {date: 2026-02-01T00:00:00Z, summary: first}\n", "Text of lap.\n\n## More\n\nNew.")
	m, other := Merge("x", base, l, r)
	want := file("JWT", "active", "2026-03-01T00:00:00Z", ", l, r",
		"  - {date: 2026-02-01T00:00:00Z, summary: changed on two machines, field: title, old: PASETO, new: JWT}\n"+
			"  - {date: 2026-02-01T00:00:00Z, summary: first}\n  - {date: 2026-03-01T00:00:00Z, summary: second}\n",
		"Text of lap.\n\n## More\n\nNew.")
	if string(m) != string(want) || other.Data != nil {
		t.Fatalf("by field, other %q, got\n%s", other.Slug, m)
	}
	// Where both changed the text, the later one stays, and the other becomes a record of its own.
	desk := file("Old", "active", "2026-03-02T00:00:00Z", "", "", "Text of desk.")
	m, other = Merge("x", base, desk, r)
	d, err := Decode("shop--"+other.Slug, other.Data)
	if err != nil || d.VersionOf != "x" || d.doc == nil || !strings.HasPrefix(d.Title, "PASETO (another version, ") ||
		!strings.HasSuffix(string(other.Data), "---\n## Context\n\nText of lap.\n\n## More\n\nNew.\n") {
		t.Errorf("the other: %v\n%s", err, other.Data)
	}
	if id, _ := d.doc.Get("id"); id != d.ID || !bytes.Contains(m, []byte("Text of desk.")) ||
		!bytes.Contains(m, []byte("tags: [a, r]")) || bytes.Contains(m, []byte("Text of lap")) {
		t.Errorf("%s stays\n%s", id, m)
	}
	if _, again := Merge("x", base, r, file("Old", "active", "2026-04-01T00:00:00Z", "", "", "A third.")); again.Slug !=
		other.Slug {
		t.Errorf("the same text is %s and %s", other.Slug, again.Slug)
	}
	// The same text with another title is another version.
	if _, titled := Merge("x", base, file("Sessions", "active", "2026-02-01T00:00:00Z", "", "",
		"Text of lap.\n\n## More\n\nNew."), desk); titled.Slug == other.Slug {
		t.Errorf("both titles are %s", titled.Slug)
	}
	// A comment between the entries of the history stays.
	noted := bytes.Replace(file("Old", "active", "2026-04-01T00:00:00Z", "", "", "A third."), []byte("changes:\n"),
		[]byte("changes:\n  # reviewed\n"), 1)
	noted = bytes.Replace(noted, []byte("created}\n"),
		[]byte("created}\n  # told Ann\n  - {summary: by hand, who: Bo}\n"), 1)
	if m, _ := Merge("x", base, noted, r); !bytes.Contains(m, []byte("  # told Ann\n  - {")) ||
		!bytes.Contains(m, []byte("  # reviewed\n")) || !bytes.Contains(m, []byte("who: Bo")) {
		t.Errorf("not all of the history stays:\n%s", m)
	}
	// Of two moves the later one counts; a record that one machine put away and the other edited is put away.
	away := func(status string) []byte { return file("Old", status, "2026-02-01T00:00:00Z", "", "", "Old text.") }
	for _, tt := range []struct {
		l, r []byte
		want string
	}{{away("archived"), desk, "archived"}, {away("archived"), away("retired"), "retired"},
		{away("archived"), base, "archived"}, {away("completed"), nil, "completed"}} {
		got, _ := Merge("x", base, tt.l, tt.r)
		if !bytes.Contains(got, []byte("\nstatus: "+tt.want+"\n")) {
			t.Errorf("want %s, got\n%s", tt.want, got)
		}
	}
	if got, _ := Merge("x", base, nil, base); got != nil {
		t.Errorf("removed, and not changed elsewhere, got\n%s", got)
	}
	// A file that memento cannot read, or that would be too large, stays whole.
	bad := []byte("---\nno key\n---\nBad.\n")
	if m, other := Merge("x", base, bad, desk); !same(m, desk) || !same(other.Data, bad) {
		t.Errorf("unreadable: %s\n%s", m, other.Data)
	}
	large := file("Old", "active", "2026-03-03T00:00:00Z", "", "", "")
	large = append(large, strings.Repeat("x", schema.MaxBytes-len(large))...)
	if m, other := Merge("x", base, large, r); !same(m, large) || !bytes.Contains(other.Data, []byte("Text of lap.")) {
		t.Errorf("too large: %d bytes, %s", len(m), other.Data)
	}
}
