package history

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/project"
)

// newLane returns a lane whose history holds these lines. Without lines it has no history.
func newLane(t *testing.T, lines ...string) project.Lane {
	t.Helper()
	lane := project.NewLane(t.TempDir(), "app", "", "default")
	if len(lines) == 0 {
		return lane
	}
	fixture.Write(t, lane.History(), strings.Join(lines, "\n"))
	return lane
}

// Lines that are damaged, of another kind or absurd stand between those that are read.
func TestRead(t *testing.T) {
	lane := newLane(t,
		`{"ts":"2026-03-14T09:26:53Z","kind":"said","session":"a","text":"staging only","ref":"u1"}`,
		`{"ts":"2026-03-14T09:2`,
		`{"x":`+strings.Repeat("[", 9<<20)+`}`,
		`{"x":`+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)+`}`,
		`{"kind":"said","text":"`+strings.Repeat("x", maxHistoryLine)+`"}`,
		"", "null", "[1]", "\x00\x00",
		`{"ts":"2026-03-14T09:27:00Z","kind":"done","act":"fix auth","result":"expiry corrected","ctx":"note: go on"}`,
		`{"kind":"mission","session":"a","reason":"parked","text":"fix auth","journal":{"mission":"fix auth"}}`+"\r",
		`{"kind":"said","text":"the last line was not finis`)
	var got []string
	if err := Read(lane, func(l Line) bool {
		got = append(got, l.Kind+"/"+l.Session+"/"+l.Text+"/"+l.Ref+l.Reason)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	want := "said/a/staging only/u1,///,///,done//fix auth -> expiry corrected | ctx: note: go on/,mission/a/fix auth/parked"
	if strings.Join(got, ",") != want {
		t.Errorf("the history holds\n%s, want\n%s", strings.Join(got, ","), want)
	}
	n := 0
	if err := Read(lane, func(Line) bool { n++; return n < 2 }); err != nil || n != 2 {
		t.Errorf("after 2 lines it was called %d times, %v", n, err)
	}
}

// TestReadTwice: a process killed between history and journal leaves lines that are written again, and Read skips
// them. Words that were said twice, and entries that were done or dropped twice, stay.
func TestReadTwice(t *testing.T) {
	lane := newLane(t,
		`{"ts":"1","kind":"said","session":"a","text":"staging only","ref":"u1"}`,
		`{"ts":"2","kind":"opened","session":"a","text":"fix auth","ref":"u1"}`,
		`{"ts":"3","kind":"done","session":"a","act":"fix auth","done":"2026-03-14T09:26:53Z"}`,
		`{"ts":"4","kind":"said","session":"a","text":"staging only","ref":"u1"}`,               // again
		`{"ts":"5","kind":"opened","session":"a","text":"fix auth","ref":"u1"}`,                 // again
		`{"ts":"6","kind":"done","session":"a","act":"fix auth","done":"2026-03-14T09:26:53Z"}`, // again
		`{"ts":"7","kind":"said","session":"a","text":"staging only","ref":"u2"}`,
		`{"ts":"8","kind":"said","session":"b","text":"staging only","ref":"u1"}`,
		`{"ts":"9","kind":"said","session":"a","text":"go on"}`,
		`{"ts":"10","kind":"said","session":"a","text":"go on"}`,
		`{"ts":"11","kind":"done","session":"a","act":"fix auth","done":"2026-03-14T09:30:00Z"}`,
		`{"ts":"12","kind":"done","session":"a","act":"fix auth","result":"expiry","done":"2026-03-14T09:30:00Z"}`,
		`{"ts":"13","kind":"rewound","session":"a","text":"x","ref":"u1"}`,
		`{"ts":"14","kind":"restored","session":"a","text":"x","ref":"u1"}`,
		`{"ts":"15","kind":"rewound","session":"a","text":"x","ref":"u1"}`,
		`{"ts":"16","kind":"wip","session":"a","text":"x"}`,
		`{"ts":"17","kind":"wip","session":"a","text":"x"}`, "")
	var got []string
	if err := Read(lane, func(l Line) bool {
		got = append(got, l.TS)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if want := "1 2 3 7 8 9 10 11 12 13 14 15 16 17"; strings.Join(got, " ") != want {
		t.Errorf("read are %v, want %s", got, want)
	}
}

func TestReadMissing(t *testing.T) {
	lane := newLane(t)
	if err := Read(lane, func(Line) bool { t.Error("a line"); return true }); err != nil {
		t.Error(err)
	}
	if err := os.MkdirAll(filepath.Dir(lane.History()), 0o700); err != nil {
		t.Fatal(err)
	}
	fixture.Link(t, "/etc/passwd", lane.History())
	if err := Read(lane, func(Line) bool { t.Error("a line"); return true }); err == nil {
		t.Error("a link was followed")
	}
}

// TestPartWithoutSubagents: Read skips the lines of subagents by their kind alone, without parsing them. A user may
// type the same words.
func TestPartWithoutSubagents(t *testing.T) {
	const at = "2026-03-14T09:26:53.123456789Z"
	lane := newLane(t,
		Format(at, "s1", "said", "text", `why does the log say "kind":"subagent"?`, "ref", "u1"),
		Format(at, "s1", "subagent", "agent", "a1", "type", "Explore", "verb", "report", "text",
			strings.Repeat("14 places\n", 20<<10)),
		Format(at, "s1", "subagent", "agent", "a1", "verb", "done", "text", "counted"),
		Format(at, "s1", "said", "text", "staging only", "ref", "u2"), "")
	var all, words []string
	answer := ""
	if err := Read(lane, func(l Line) bool {
		all = append(all, l.Kind)
		if l.Kind == "subagent" && answer == "" {
			answer = l.Text
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if err := (Part{}).Read(lane, func(l Line) bool { words = append(words, l.Text); return true }); err != nil {
		t.Fatal(err)
	}
	if strings.Join(all, " ") != "said subagent subagent said" ||
		strings.Join(words, "|") != `why does the log say "kind":"subagent"?|staging only` {
		t.Errorf("the history holds %q, of it words %q", all, words)
	}
	if answer != strings.Repeat("14 places\n", 20<<10) {
		t.Errorf("of a report of 200 KB the history has %d bytes", len(answer))
	}
}

// TestPart: Read passes on only a session's own lines and lines of the chosen kinds.
func TestPart(t *testing.T) {
	var lines []string
	for i := range 50 {
		for _, session := range []string{"s1", "s2"} {
			lines = append(lines, Format("1", session, "said", "text", fmt.Sprint(`"session":"s1" `, i),
				"ref", fmt.Sprint(session, i)))
		}
	}
	lines = append(lines, Format("1", "s1", "rewound", "text", "x", "ref", "s17"),
		Format("1", "s2", "rewound", "text", "x", "ref", "s27"), "")
	lane := newLane(t, lines...)
	read := func(session string, kinds ...string) (out string) {
		n := map[string]int{}
		part := Part{Session: session, Kinds: kinds}
		if err := part.Read(lane, func(l Line) bool { n[l.Session+" "+l.Kind]++; return true }); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(n)
	}
	for _, c := range []struct{ got, want string }{
		{read("s1"), "map[s1 rewound:1 s1 said:50]"},
		{read("s2", "rewound"), "map[s1 rewound:1 s2 rewound:1 s2 said:50]"},
		{read("s3"), "map[]"},
	} {
		if c.got != c.want {
			t.Errorf("read were %s, want %s", c.got, c.want)
		}
	}
	refs := 0
	if err := ReadRefs(lane, func(l Line) {
		if l.Kind == "said" && l.Ref != "" {
			refs++
		}
	}); err != nil || refs != 100 {
		t.Errorf("%d ids of prompts, %v", refs, err)
	}
}
