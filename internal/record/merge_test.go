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

// editor makes random files and random edits of them. Each word that it writes is new, so that a test can look for it.
type editor struct {
	*rand.Rand
	words int
}

func (e *editor) word() string {
	e.words++
	return fmt.Sprintf("word%d", e.words)
}

func (e *editor) of(list ...string) string { return list[e.IntN(len(list))] }

// text returns the text of a section: plain, empty, with fenced code that holds a heading, with no end of the fence.
func (e *editor) text() string {
	switch e.IntN(9) {
	case 0:
		return ""
	case 1:
		return "```\n## no heading " + e.word() + "\n```\n"
	case 2:
		return "- " + e.word() + "\n- " + e.word() + "\n\n### small " + e.word() + "\n"
	case 3:
		return "  indented " + e.word() + "\n\n\n" + e.word() + "  \n"
	case 4:
		return "~~~~sh\n" + e.word() + "\n```\n" + e.word() + "\n"
	}
	return e.word() + " " + e.word() + "\n"
}

func (e *editor) heading() string {
	return e.of("## Context", "## Decision", "## Context", "## Notes ##", "  ## Steps", "# Part", "# Other", "##",
		"## New "+e.of("a", "b", "c", "d", "e"))
}

// file is a file in pieces that an edit changes.
type file struct {
	front []string // lines
	text  []string // sections with their headings
}

func (f file) bytes(crlf, cut bool) []byte {
	s := "---\n" + strings.Join(f.front, "") + "---\n" + strings.Join(f.text, "")
	if cut {
		s = strings.TrimRight(s, "\n")
		if strings.HasSuffix(s, "---") {
			s += "\n"
		}
	}
	if crlf {
		s = strings.ReplaceAll(s, "\n", "\r\n")
	}
	return []byte(s)
}

func (e *editor) section() string {
	s := e.heading() + "\n" + e.of("", "\n", "\n\n") + e.text()
	return s + e.of("", "\n")
}

func (e *editor) base() file {
	f := file{front: []string{
		"id: shop--x\n", "kind: decision\n", "title: Title " + e.word() + "\n", "status: active\n",
		"created: 2026-01-0" + e.of("1", "2") + "T00:00:00Z\n", "updated: 2026-02-02T00:00:00Z\n",
		"tags: [a, b]\n", "pinned: yes # because\n", "# a comment\n",
		"changes:\n  - {date: 2026-01-01T00:00:00Z, summary: created}\n",
	}}
	for range e.IntN(5) {
		f.front = slices.Delete(f.front, 1, 2)
	}
	f.text = append(f.text, e.of("", "intro "+e.word()+"\n", "# Big title\n\nintro\n"))
	for range e.IntN(6) {
		f.text = append(f.text, e.section())
	}
	return f
}

// edit returns the bytes of f after some edits, nil for a file that was removed.
func (e *editor) edit(f file, steps int) []byte {
	f = file{slices.Clone(f.front), slices.Clone(f.text)}
	for range steps {
		switch n := e.IntN(17); {
		case n == 0 && len(f.text) > 1:
			i := 1 + e.IntN(len(f.text)-1)
			f.text = slices.Delete(f.text, i, i+1)
		case n < 4:
			i := e.IntN(len(f.text) + 1)
			f.text = slices.Insert(f.text, i, e.section())
		case n < 8 && len(f.text) > 1:
			i := 1 + e.IntN(len(f.text)-1)
			heading, _, _ := strings.Cut(f.text[i], "\n")
			f.text[i] = heading + "\n" + e.text()
		case n == 8:
			f.set("title", "title: "+e.of("A", "B: c", "\"q # \\\"x\\\"\"", "'it''s # 1'")+"\n")
		case n == 9:
			f.set("tags", "tags: ["+e.of("a, b, c", "b", "z, a", "\"x, y\", m")+"] # "+e.word()+"\n")
		case n == 10:
			f.set("status", "status: "+e.of("active", "archived", "retired", "completed", "odd")+"\n")
		case n == 11:
			f.set("changes", "changes:\n  - {date: 2026-01-01T00:00:00Z, summary: created}"+
				"\n  - date: 2026-01-0"+e.of("1", "2", "3")+"T00:00:00Z\n    summary: "+e.word()+"\n")
		case n == 12:
			f.set(e.of("pinned", "files", "stage"), e.of("pinned: "+e.word()+"\n",
				"files:\n  - a.go # here\n  - b.go\n", "stage: accepted\n", "stage: proposed\n",
				"pinned:\n  - "+e.word()+"\n  # "+e.word()+"\n  - b\n"))
		case n == 13:
			i := e.IntN(len(f.front) + 1)
			f.front = slices.Insert(f.front, i, "# "+e.of("note", e.word())+"\n", "\n")
		case n == 14:
			f.set("created", "created: "+e.of("2026-01-01", "never", "2025-01-01T00:00:00Z")+"\n")
		case n == 15 && len(f.text) > 2:
			i := 1 + e.IntN(len(f.text)-2)
			f.text[i], f.text[i+1] = f.text[i+1], f.text[i]
		case n == 16 && e.IntN(4) == 0:
			return nil
		}
	}
	switch e.IntN(24) {
	case 0:
		f.front = append(f.front, "bad line "+e.word()+"\n")
	case 1:
		return []byte(e.of("", "\n", " \n\n"))
	}
	return f.bytes(e.IntN(8) == 0, e.IntN(4) == 0)
}

// set replaces the line of a key, or adds it. It leaves a file with the key in another place alone.
func (f *file) set(key, line string) {
	name, _, _ := strings.Cut(line, ":")
	f.front = slices.DeleteFunc(f.front, func(l string) bool {
		return strings.HasPrefix(l, key+":") || strings.HasPrefix(l, name+":")
	})
	f.front = append(f.front, line)
}

// versions returns a base and n files made from it; a base may be missing.
func (e *editor) versions(n int) (base []byte, list [][]byte) {
	f := e.base()
	base = f.bytes(e.IntN(8) == 0, e.IntN(4) == 0)
	for range n {
		v := e.edit(f, e.IntN(5))
		if e.IntN(5) == 0 {
			v = slices.Clone(base)
		}
		list = append(list, v)
	}
	if e.IntN(6) == 0 {
		base = nil
	} else if e.IntN(12) == 0 {
		base = []byte("---\nunreadable " + e.word() + "\n")
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
		e := &editor{Rand: rand.New(rand.NewPCG(seed, 1))}
		base, v := e.versions(2)
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

// permute calls do with each order of n things.
func permute(n int, do func(order []int)) {
	var rec func(done, left []int)
	rec = func(done, left []int) {
		if len(left) == 0 {
			do(done)
		}
		for i, x := range left {
			rec(append(slices.Clone(done), x), append(slices.Clone(left[:i]), left[i+1:]...))
		}
	}
	var all []int
	for i := range n {
		all = append(all, i)
	}
	rec(nil, all)
}

// Three machines edit, and then sync through one remote, in each order: no word is lost, and those that came before
// take what came later.
func TestMergeOfThree(t *testing.T) {
	for seed := range cases(600) {
		e := &editor{Rand: rand.New(rand.NewPCG(seed, 3))}
		base, v := e.versions(3)
		permute(3, func(order []int) {
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
		})
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
