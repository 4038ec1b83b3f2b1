package transcript

import (
	"fmt"
	"math"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// link returns a line of a transcript that continues parent ("" for none). kind decides its fields.
func link(kind, uuid, parent string) string {
	head := `{"parentUuid":` + quote(parent)
	if parent == "" {
		head = `{"parentUuid":null`
	}
	tail := `,"uuid":"` + uuid + `"}` + "\n"
	switch kind {
	case "prompt":
		return head + `,"isSidechain":false,"type":"user","message":{"role":"user","content":"` + uuid + ` please"}` +
			tail
	case "queued":
		return head + `,"type":"attachment","attachment":{"type":"queued_command","prompt":"` + uuid + ` too"}` + tail
	case "command":
		return head +
			`,"type":"user","message":{"role":"user","content":"<command-name>/go</command-name><command-args>` + uuid +
			`</command-args>"}` + tail
	case "answer":
		return head + `,"type":"assistant","message":{"content":[{"type":"text","text":"done"}]}` + tail
	case "call":
		return head + `,"type":"assistant","message":{"content":[{"type":"tool_use","id":"t` + uuid +
			`","name":"Bash","input":{}}]}` + tail
	case "result":
		return head + `,"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}` +
			tail
	case "aside":
		return head +
			`,"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]},` +
			`"toolUseResult":{"questions":[],"answers":{"Which one?":"` + uuid + `"}}` + tail
	case "subagent":
		return head + `,"isSidechain":true,"type":"user","message":{"content":"` + uuid + ` please"}` + tail
	case "boundary":
		return strings.Replace(head, `{"parentUuid":`, `{"parentUuid":null,"logicalParentUuid":`, 1) +
			`,"type":"system","subtype":"compact_boundary"` + tail
	}
	return head + `,"type":"` + kind + `"` + tail
}

// chain returns a transcript from "kind uuid parent" triples. Without a parent a line continues the one before it.
func chain(lines ...string) []string {
	var out []string
	last := ""
	for _, l := range lines {
		f := strings.Fields(l)
		if len(f) < 3 {
			f = append(f, last)
		}
		if f[2] == "-" {
			f[2] = ""
		}
		out = append(out, link(f[0], f[1], f[2]))
		last = f[1]
	}
	return out
}

// off lists the rewound prompts by uuid.
func off(tree map[string]bool) string {
	var out []string
	for id, gone := range tree {
		if gone {
			out = append(out, id)
		}
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}

// strays lists the prompts that may stand on another branch.
func strays(t testing.TB, path string) string {
	t.Helper()
	var out []string
	if _, err := readEntries(path, Position{}, func(e Entry) {
		if e.Stray {
			out = append(out, e.UUID)
		}
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

// TestTree uses lines in the forms of clients 2.0 to 2.1.
func TestTree(t *testing.T) {
	long := []string{"prompt a -", "call c"}
	for i := range 3 * turnSize {
		long = append(long, fmt.Sprintf("progress g%d c", i))
	}
	for _, tt := range []struct {
		name  string
		lines []string
		stray string // prompts that a look at the whole file is spent on
		off   string
	}{
		{"one after another", []string{"hook h -", "prompt a", "answer b", "prompt c", "answer d", "prompt e"}, "", ""},
		{"an edited prompt", []string{"hook h -", "prompt a", "answer b", "prompt c", "prompt d b"}, "d", "c"},
		{"gone back two turns", []string{"hook h -", "prompt a", "answer b", "prompt c", "answer d", "queued e",
			"answer f", "prompt g b", "prompt h"}, "g", "c e"},
		{"gone back to the beginning", []string{"hook h -", "prompt a", "answer b", "prompt c", "prompt d h"}, "d",
			"a c"},
		{"gone back within a turn", []string{"hook h -", "prompt a", "call b", "result c", "answer d", "prompt e b"},
			"", ""},
		{"gone back and forth", []string{"prompt a -", "answer b", "prompt c", "answer d", "prompt e b", "answer f",
			"prompt g d"}, "e g", "e"},
		{"parallel calls", []string{"prompt a -", "call b", "call c", "result d b", "result e c", "progress f b",
			"answer g d", "prompt h"}, "", ""},
		{"a refusal beside another result", []string{"prompt a -", "call b", "call c", "aside d b", "result e c",
			"answer f e", "prompt g"}, "", ""},
		{"answers on a branch that was left",
			[]string{"prompt z -", "answer y", "prompt a", "call b", "aside d", "prompt g y"}, "g", "a d"},
		{"a queued prompt", []string{"prompt a -", "call b", "result c", "queued d", "answer e", "prompt f"}, "", ""},
		{"a long turn", append(long, "result d c", "answer e", "prompt f"), "", ""},
		{"a subagent's lines", []string{"prompt a -", "call b", "subagent s -", "answer u s", "result c b", "prompt d"},
			"", ""},
		{"a subagent's lines between", []string{"prompt a -", "call b", "subagent s b", "result c b", "prompt d"}, "",
			""},
		{"a compaction", []string{"prompt a -", "answer b", "boundary c b", "summary d", "prompt e"}, "", ""},
		{"a compaction after a command", []string{"prompt a -", "answer b", "command x b", "boundary c b", "summary d",
			"command y", "prompt e"}, "y", ""},
		{"a compaction that names nothing in the file",
			[]string{"prompt a -", "answer b", "boundary c zz", "summary d", "prompt e"}, "e", ""},
		{"a compaction that names what follows it",
			[]string{"prompt a -", "answer b", "boundary c f", "summary d", "hook e", "hook f", "prompt g"}, "g", ""},
		{"what was kept over a compaction goes on",
			[]string{"prompt a -", "answer b", "prompt c", "answer d", "boundary e d", "summary f", "prompt g d"}, "",
			""},
		{"gone back, then compacted", []string{"prompt a -", "answer b", "prompt c", "answer d", "command x b",
			"boundary e b", "summary f", "prompt g"}, "x g", "c"},
		{"a command the client carries out",
			[]string{"prompt a -", "answer b", "meta c", "command d", "answer e c", "prompt f"}, "f", ""},
		{"a command Claude answered", []string{"prompt a -", "answer b", "command d", "answer e", "prompt f b"}, "f",
			"d"},
		{"a parent that was never written", []string{"prompt a -", "answer b", "prompt c zz", "answer d", "prompt e"},
			"c", ""},
		{"no parent at all", []string{"prompt a -", "answer b", "prompt c -", "prompt d -"}, "", ""},
		{"lines out of order", []string{"prompt a -", "answer b", "hook d e", "hook e b", "prompt f d"}, "f", ""},
		{"the end of a turn before its prompt", []string{"prompt a -", "answer b", "hook s d", "hook t s", "prompt c b",
			"answer d c", "prompt e t", "answer f"}, "e", ""},
		{"a prompt before its parent", []string{"prompt a -", "answer b", "prompt c s", "hook s b", "answer d c"}, "c",
			""},
		{"gone back to the end of a turn that came before its prompt", []string{"prompt a -", "answer b", "hook s d",
			"prompt c b", "answer d c", "prompt e s", "answer f", "prompt g s"}, "e g", "e"},
		{"gone back to before a turn whose end came first", []string{"prompt a -", "answer b", "hook s d", "prompt c b",
			"answer d c", "prompt e b"}, "e", "c"},
		{"a circle", []string{"prompt a b", "prompt b a", "prompt c c"}, "c", ""},
		{"the same line twice", []string{"prompt a -", "answer b", "prompt c", "prompt c b", "answer d", "prompt e"},
			"c", ""},
		{"nothing typed", []string{"hook a -", "answer b"}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := transcriptOf(t, chain(tt.lines...)...)
			if got := strays(t, path); got != tt.stray {
				t.Errorf("looked into for %q, want %q", got, tt.stray)
			}
			if got := off(Left(path, math.MaxInt64, nil)); got != tt.off {
				t.Errorf("rewound is %q, want %q", got, tt.off)
			}
		})
	}
}

// Left ignores the lines behind the offset, and a line that is too long to be read.
func TestRewoundThen(t *testing.T) {
	lines := chain("hook h -", "prompt a", "answer b", "prompt c", "prompt d b")
	path := transcriptOf(t, append(lines, strings.Repeat("z", maxLine+1)+"\n")...)
	if got := Left(path, int64(len(strings.Join(lines[:4], ""))), nil); off(got) != "" || len(got) != 2 {
		t.Errorf("before the last line it was %v", got)
	}
	if got := Left(path, math.MaxInt64, nil); off(got) != "c" || len(got) != 3 {
		t.Errorf("at the end it was %v", got)
	}
	if got := Left(path+".none", math.MaxInt64, nil); got != nil {
		t.Errorf("no file was judged as %v", got)
	}
}

// A stored turn that cannot be read counts as empty.
func TestTurnOf(t *testing.T) {
	long := make(turn, turnSize+1)
	for _, s := range []string{"", "!", "AAAA", long.String()} {
		if got := turnOf(s); len(got) != 0 {
			t.Errorf("%.20q is %v", s, got)
		}
	}
	want := turn{1, math.MaxUint64}
	if got := turnOf(want.String()); !slices.Equal(got, want) {
		t.Errorf("%v came back as %v", want, got)
	}
}

// Left agrees with a plain walk from the newest prompt back over the parents, and reading forward notices every branch,
// in however many steps.
func FuzzTree(f *testing.F) {
	f.Add([]byte{0, 1, 4, 1, 0, 1, 4, 1, 0, 3})
	f.Add([]byte{0, 1, 5, 1, 5, 1, 6, 2, 6, 2, 7, 3, 4, 2, 0, 1, 8, 9, 2, 1, 0, 40})
	f.Add([]byte{0, 250, 4, 251, 0, 252, 1, 1, 3, 5, 4, 1, 0, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		kinds := []string{"prompt", "queued", "command", "aside", "answer", "call", "result", "progress", "boundary",
			"subagent"}
		type line struct {
			kind, parent string
			turn         int // the newest prompt before it
		}
		var all []line
		var text, names []string
		newest := -1
		for i := 0; i+1 < len(data) && i < 400; i += 2 {
			n := len(all)
			l := line{kind: kinds[int(data[i])%len(kinds)], turn: newest}
			switch back := int(data[i+1]); {
			case back == 255:
			case back == 254:
				l.parent = "never-written"
			case back == 253:
				l.parent = fmt.Sprint("n", n+1)
			default:
				l.parent = fmt.Sprint("n", n-back%8)
			}
			if slices.Index(kinds, l.kind) < 3 {
				newest = n
			}
			all, names = append(all, l), append(names, fmt.Sprint("n", n))
			text = append(text, link(l.kind, fmt.Sprint("n", n), l.parent))
		}
		begins := func(i int) bool { return slices.Index(kinds, all[i].kind) < 3 }
		circle := false
		// up returns the prompt that line i continues.
		up := func(i int) int {
			at, seen := i, map[int]bool{}
			for {
				j := slices.IndexFunc(names, func(n string) bool { return n == all[at].parent })
				switch {
				case j < 0 || all[j].kind == "subagent":
					j = all[at].turn
				case seen[j]:
					circle = true
					return -1
				case !begins(j):
					seen[j], at = true, j
					continue
				}
				if begins(i) && j >= i {
					j = all[i].turn
				}
				return j
			}
		}
		live, answered := map[int]bool{}, map[int]bool{}
		for at := newest; at >= 0; at = up(at) {
			live[at] = true
		}
		for i, l := range all {
			if l.kind == "answer" || l.kind == "call" {
				answered[up(i)] = true
			}
		}
		var want []string
		for i, l := range all {
			switch l.kind {
			case "prompt", "queued":
				if live[i] {
					continue
				}
			case "command":
				if live[i] || !answered[i] {
					continue
				}
			case "aside":
				if at := up(i); at < 0 || live[at] {
					continue
				}
			default:
				continue
			}
			want = append(want, fmt.Sprint("n", i))
		}
		sort.Strings(want)

		path := transcriptOf(t, text...)
		got := off(Left(path, math.MaxInt64, nil))
		if circle {
			return // any end of it will do
		}
		if got != strings.Join(want, " ") {
			t.Errorf("rewound is %q, want %q, in\n%s", got, want, strings.Join(text, ""))
		}
		once := strays(t, path)
		if got != "" && once == "" {
			t.Errorf("%s was rewound, and nothing led to a look, in\n%s", got, strings.Join(text, ""))
		}
		var steps []string
		var at Position
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		for _, l := range text {
			fixture.Append(t, path, l)
			next, err := readEntries(path, at, func(e Entry) {
				if e.Stray {
					steps = append(steps, e.UUID)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			at = next
		}
		if step := strings.Join(steps, " "); step != once {
			t.Errorf("step by step %q, at once %q", step, once)
		}
	})
}
