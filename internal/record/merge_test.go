package record

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/markdown"
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
	case 5:
		return "> quoted\n**Version 1 of 2**\n" + e.word() + "\n"
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
			f.set("changes", "changes:\n  - {date: 2026-01-01T00:00:00Z, summary: created} # "+e.word()+
				"\n  - date: 2026-01-0"+e.of("1", "2", "3")+"T00:00:00Z\n    summary: "+e.word()+"\n")
		case n == 12:
			f.set(e.of("pinned", "files", "stage", "state"), e.of("pinned: "+e.word()+"\n",
				"files:\n  - a.go # "+e.word()+"\n  - b.go\n", "stage: accepted\n", "state: proposed\n",
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

func TestMergeProperties(t *testing.T) {
	for seed := range cases(6000) {
		e := &editor{Rand: rand.New(rand.NewPCG(seed, 1))}
		base, v := e.versions(2)
		l, r := v[0], v[1]
		m, _ := Merge("shop--x", base, l, r)
		show := func(what string, more []byte) {
			t.Helper()
			t.Fatalf("seed %d: %s\n--base\n%s\n--local\n%s\n--remote\n%s\n--merged\n%s\n--other\n%s",
				seed, what, base, l, r, m, more)
		}
		if got, _ := Merge("shop--x", base, r, l); !same(got, m) {
			show("the sides are not equal", got)
		}
		if got, _ := Merge("shop--x", base, l, l); !same(got, l) {
			show("the same on both sides changes", got)
		}
		if got, _ := Merge("shop--x", base, l, base); !same(got, l) {
			show("one side is not taken as it is", got)
		}
		for _, side := range [][]byte{l, r} {
			if got, _ := Merge("shop--x", base, m, side); !same(got, m) {
				show("a second merge changes it", got)
			}
			if got, _ := Merge("shop--x", side, m, side); !same(got, m) {
				show("a fast-forward changes it", got)
			}
		}
		have := map[string]bool{}
		for _, w := range wordsOf(m) {
			have[w] = true
		}
		was := map[string]bool{}
		for _, w := range wordsOf(base) {
			was[w] = true
		}
		for _, w := range append(wordsOf(l), wordsOf(r)...) {
			if strings.HasPrefix(w, "word") && !was[w] && !have[w] && bytes.Count(m, []byte("```base64")) == 0 {
				show("lost: "+w, nil)
			}
		}
		if readable := func(b []byte) bool { _, err := markdown.Parse(b); return err == nil }; m != nil &&
			(readable(l) || readable(r)) && !readable(m) && len(bytes.TrimSpace(m)) > 0 && !same(m, l) && !same(m, r) {
			show("it cannot be read", nil)
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

// Three machines edit, and then sync through one remote, in each order: all end with the same bytes.
func TestMergeOfThree(t *testing.T) {
	for seed := range cases(3000) {
		e := &editor{Rand: rand.New(rand.NewPCG(seed, 3))}
		base, v := e.versions(3)
		var want []byte
		var first []int
		permute(3, func(order []int) {
			remote := base
			for _, i := range order {
				remote, _ = Merge("shop--x", base, v[i], remote)
			}
			for _, i := range order { // those that came before fetch what came later
				if got, _ := Merge("shop--x", v[i], v[i], remote); !same(got, remote) {
					t.Fatalf("seed %d: a clone that was merged keeps its own", seed)
				}
			}
			switch {
			case first == nil:
				want, first = remote, order
			case !same(want, remote):
				t.Fatalf("seed %d: %v and %v differ\n--base\n%s\n--a\n%s\n--b\n%s\n--c\n%s\n--one\n%s\n--other\n%s",
					seed, first, order, base, v[0], v[1], v[2], want, remote)
			}
		})
	}
}

const back = " (changed on two machines; keep "

// Large and hostile files cost bounded time, and stay as a whole where they are too large.
func TestMergeHostile(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 2_000
	}
	lines := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, n-i)
		}
		return b.String()
	}
	numbers := strings.TrimSuffix(lines("%d, "), ", ")
	front := func(s string) string { return "---\ntitle: x\n" + s + "---\n" }
	for name, text := range map[string]string{
		"keys":     front(lines("k%d: 1\n")),
		"comments": front(lines("# %d\n")),
		"others":   front(lines("# Another version of title" + back + "one, then delete this line): %d\n")),
		"tags":     front("tags: [" + numbers + "]\n"),
		"block":    front("tags:\n" + lines("- %d # c\n")),
		"changes":  front("changes:\n" + lines("- {date: %d, summary: x}\n")),
		"headings": front("") + lines("## %d\n"),
		"same":     front("") + strings.Repeat("## a\n", n),
		"parts":    front("") + strings.Repeat("# a\n## a\n", n),
		"labels": front("") +
			lines("**Version %[1]d of 2** (changed on two machines; keep what holds, then delete this line)\n%[1]d\n"),
		"fences": front("") + strings.Repeat("```\n## a\n~~~\n", n),
		"blank":  front("") + strings.Repeat("\n \t\n", 3*n),
		"quotes": front("a: '" + strings.Repeat("''", 3*n) + "'\n"),
		"huge":   front("") + strings.Repeat(strings.Repeat("x", 99)+"\n", 5*n),
		"binary": strings.Repeat("\x00\xff", 250*n),
	} {
		base := []byte(front("") + "## a\n\nold\n")
		l, r := []byte(text+"local\n"), []byte(text+"remote\n")
		m, _ := Merge("shop--x", base, l, r)
		again, _ := Merge("shop--x", base, r, l)
		if !same(m, again) {
			t.Errorf("%s: the sides are not equal", name)
		}
		if again, _ = Merge("shop--x", base, m, l); !same(m, again) && len(m) <= maxMerged {
			t.Errorf("%s: a second merge changes it", name)
		}
	}
}

// What a person finds in a file that two machines changed, and how it becomes one again.
func TestMergeLabels(t *testing.T) {
	const head = "---\nid: shop--x\nkind: decision\ntitle: %s\nproject: shop\nstatus: %s\n" +
		"created: 2026-01-01T00:00:00Z\nupdated: %s\ntags: [a%s]\n" +
		"changes:\n  - {date: 2026-01-01T00:00:00Z, summary: created}\n%s---\n## Context\n\n%s\n"
	file := func(title, status, updated, tags, change, text string) []byte {
		return fmt.Appendf(nil, head, title, status, updated, tags, change, text)
	}
	base := file("Old", "active", "2026-01-01T00:00:00Z", "", "", "Old text.")
	l := file("JWT", "active", "2026-03-01T00:00:00Z", ", l",
		"  - {date: 2026-03-01T00:00:00Z, summary: second}\n", "Text of desk.")
	r := file("PASETO", "active", "2026-02-01T00:00:00Z", ", r",
		"  - {date: 2026-02-01T00:00:00Z, summary: first}\n", "Text of lap.\n\n## More\n\nNew.")
	want := `---
id: shop--x
kind: decision
title: JWT
# Another version of title` + back + `one, then delete this line): PASETO
project: shop
status: active
created: 2026-01-01T00:00:00Z
updated: 2026-03-01T00:00:00Z
tags: [a, l, r]
changes:
  - {date: 2026-01-01T00:00:00Z, summary: created}
  - {date: 2026-02-01T00:00:00Z, summary: first}
  - {date: 2026-03-01T00:00:00Z, summary: second}
---
## Context

**Version 1 of 2**` + back + `what holds, then delete this line)

Text of desk.

**Version 2 of 2**` + back + `what holds, then delete this line)

Text of lap.

## More

New.
`
	m, conflicts := Merge("shop--x", base, l, r)
	if string(m) != want || conflicts != 2 {
		t.Fatalf("%d conflicts, got\n%s", conflicts, m)
	}
	third := file("Old", "active", "2026-01-01T00:00:00Z", "", "", "A third text.")
	if m3, _ := Merge("shop--x", base, third, m); !strings.Contains(string(m3), "**Version 3 of 3**") ||
		!strings.Contains(string(m3), "**Version 1 of 3**"+back+"what holds, then delete this line)\n\nA third text.") {
		t.Errorf("a third version does not join the two:\n%s", m3)
	}
	// A person settles it on one machine, while the other has the two versions still.
	settled := file("PASETO", "active", "2026-04-01T00:00:00Z", ", l, r", "", "Both texts.\n\n## More\n\nNew.")
	if got, n := Merge("shop--x", m, settled, m); !same(got, settled) || n != 0 {
		t.Errorf("settled, got %d\n%s", n, got)
	}
	// Two persons settle it in opposite ways: neither word goes.
	jwt := file("JWT", "active", "2026-04-01T00:00:00Z", "", "", "Text of desk.\n\n## More\n\nNew.")
	paseto := file("PASETO", "active", "2026-04-01T00:00:00Z", "", "", "Text of lap.\n\n## More\n\nNew.")
	if got, n := Merge("shop--x", m, jwt, paseto); n != 2 || !bytes.Contains(got, []byte("Text of desk.")) ||
		!bytes.Contains(got, []byte("Text of lap.")) {
		t.Errorf("settled in opposite ways, got %d\n%s", n, got)
	}
	edited := bytes.Replace(m, []byte("New."), []byte("Newer."), 1)
	if got, n := Merge("shop--x", m, settled, edited); n != 0 ||
		!bytes.Contains(got, []byte("Both texts.\n\n## More\n\nNewer.")) {
		t.Errorf("settled here and edited there, got %d\n%s", n, got)
	}
	// Edited beats archived; of two moves the one that keeps the record at hand counts.
	away := func(status string) []byte { return file("Old", status, "2026-02-01T00:00:00Z", "", "", "Old text.") }
	for _, tt := range []struct {
		l, r []byte
		want string
	}{{away("archived"), third, "active"}, {away("archived"), away("retired"), "retired"},
		{away("archived"), base, "archived"}, {away("completed"), nil, "completed"}} {
		got, _ := Merge("shop--x", base, tt.l, tt.r)
		if !bytes.Contains(got, []byte("\nstatus: "+tt.want+"\n")) {
			t.Errorf("want %s, got\n%s", tt.want, got)
		}
	}
	if got, _ := Merge("shop--x", base, nil, base); got != nil {
		t.Errorf("removed, and not changed elsewhere, got\n%s", got)
	}
	// Files that memento cannot read stay whole, beside what it can read and beside each other.
	bad, worse := []byte("---\nno key\n---\nBad.\n"), []byte("\xff\x00")
	m, n := Merge("shop--x", base, bad, worse)
	if m, n2 := Merge("shop--x", base, m, third); n != 1 || n2 != 1 || !bytes.Contains(m, []byte("Bad.\n")) ||
		!bytes.Contains(m, []byte("```base64\n/wA=\n```")) ||
		!bytes.Contains(m, []byte("## Context\n\nA third text.")) {
		t.Errorf("unreadable, %d, %d, got\n%s", n, n2, m)
	}
}

// Three machines edit and sync for many rounds, also what a merge made of a record: all end with the same bytes, and
// each word stands there that nobody took out.
func TestMergeRounds(t *testing.T) {
	for seed := range cases(1500) {
		e := &editor{Rand: rand.New(rand.NewPCG(seed, 5))}
		start := e.base().bytes(false, false)
		first := e.words + 1
		var local, last [3][]byte
		for i := range local {
			local[i], last[i] = start, start
		}
		remote, gone := start, map[string]bool{}
		edit := func(data []byte) []byte {
			head, body, ok := strings.Cut(string(data[4:]), "\n---\n")
			lines := strings.SplitAfter(body, "\n")
			at := e.IntN(len(lines))
			switch {
			case !ok:
				return data
			case e.IntN(4) == 0:
				for _, w := range wordsOf([]byte(lines[at])) {
					gone[w] = true
				}
				lines[at] = ""
			default:
				lines = slices.Insert(lines, at, e.of("- ", "", "## ", "### ", "# ")+e.word()+"\n")
			}
			return []byte("---\n" + head + "\n---\n" + strings.Join(lines, ""))
		}
		sync := func(i int) {
			local[i], _ = Merge("shop--x", last[i], local[i], remote)
			remote, last[i] = local[i], local[i]
		}
		for range 25 {
			if i := e.IntN(3); e.IntN(2) == 0 {
				local[i] = edit(local[i])
			} else {
				sync(i)
			}
		}
		for range 2 {
			for i := range local {
				sync(i)
			}
		}
		have := wordsOf(remote)
		slices.Sort(have)
		added := wordsOf(start)
		for n := first; n <= e.words; n++ {
			added = append(added, fmt.Sprint("word", n))
		}
		for _, w := range added {
			_, there := slices.BinarySearch(have, w)
			if !there && !gone[w] && strings.HasPrefix(w, "word") {
				t.Fatalf("seed %d: lost %s\n%s", seed, w, remote)
			}
		}
		for i := range local {
			if !same(local[i], remote) {
				t.Fatalf("seed %d: machine %d has\n%s\nand the remote\n%s", seed, i, local[i], remote)
			}
		}
	}
}
