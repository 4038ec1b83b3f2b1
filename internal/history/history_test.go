package history

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
)

// newLane returns a lane that these entries left.
func newLane(t *testing.T, all ...log.Entry) project.Lane {
	t.Helper()
	lane := project.NewLane(t.TempDir(), "app", "", "alice")
	Bind(lane, all)
	if err := (log.Store{Dir: lane.Dir, Wait: time.Second}).Keep("app", all, "", nil); err != nil {
		t.Fatal(err)
	}
	return lane
}

// TestRead: lines that are damaged, of another kind or absurd stand between those that are read. Those of several
// sessions come in the order of time, and what outlives its session once.
func TestRead(t *testing.T) {
	lane := project.NewLane(t.TempDir(), "app", "", "alice")
	fixture.Left(t, lane.Dir, "app",
		`{"ts":"2026-03-14T09:26:53Z","kind":"said","session":"s1","text":"staging only","ref":"u1"}`,
		`{"ts":"2026-03-14T09:2`,
		`{"x":`+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)+`}`,
		`{"kind":"said","session":"s1","text":"`+strings.Repeat("x", maxHistoryLine)+`"}`,
		"", "null", "[1]", "\x00\x00",
		`{"ts":"2026-03-14T09:27:00Z","kind":"done","act":"fix auth","result":"expiry corrected","ctx":"note: go on"}`,
		`{"ts":"2026-03-14T09:26:59Z","kind":"mission","session":"s2","reason":"parked","text":"fix auth","journal":{"mission":"fix auth"}}`,
		`{"kind":"said","text":"the last line was not finis`)
	fixture.Append(t, log.Store{Dir: lane.Dir}.Own("app"), `{"id":"x","kind":"said","lane":"--bob","text":"Bob's"}`+"\n")
	var got []string
	if err := Read(lane, func(l Line) bool {
		got = append(got, l.Kind+"/"+l.Session+"/"+l.Text+"/"+l.Ref+l.Reason)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	want := "said/s1/staging only/u1,mission/s2/fix auth/parked,done//fix auth -> expiry corrected | ctx: note: go on/"
	if strings.Join(got, ",") != want {
		t.Errorf("the history holds\n%s, want\n%s", strings.Join(got, ","), want)
	}
	n := 0
	if err := Read(lane, func(Line) bool { n++; return n < 2 }); err != nil || n != 2 {
		t.Errorf("after 2 lines it was called %d times, %v", n, err)
	}
}

// TestReadTwice: a process killed between log and journal leaves entries that are written again, and Read skips them.
// Words that were said twice, and entries that were done or dropped twice, stay.
func TestReadTwice(t *testing.T) {
	n := 0
	e := func(session, kind string, kv ...string) log.Entry {
		n++
		return Format(time.Unix(int64(n), 0).UTC().Format(time.RFC3339), session, kind, kv...)
	}
	done := "2026-03-14T09:26:53Z"
	lane := newLane(t,
		e("a", "said", "text", "staging only", "ref", "u1"),
		e("a", "opened", "text", "fix auth", "ref", "u1"),
		e("a", "done", "act", "fix auth", "done", done),
		e("a", "said", "text", "staging only", "ref", "u1"), // again
		e("a", "opened", "text", "fix auth", "ref", "u1"),   // again
		e("a", "done", "act", "fix auth", "done", done),     // again
		e("a", "said", "text", "staging only", "ref", "u2"),
		e("b", "said", "text", "staging only", "ref", "u1"),
		e("a", "said", "text", "go on"), e("a", "said", "text", "go on"),
		e("a", "done", "act", "fix auth", "done", "2026-03-14T09:30:00Z"),
		e("a", "done", "act", "fix auth", "result", "expiry", "done", "2026-03-14T09:30:00Z"),
		e("a", "rewound", "text", "x", "ref", "u1"), e("a", "restored", "text", "x", "ref", "u1"),
		e("a", "rewound", "text", "x", "ref", "u1"), e("a", "wip", "text", "x"), e("a", "wip", "text", "x"))
	var got []string
	if err := Read(lane, func(l Line) bool {
		at, _ := time.Parse(time.RFC3339, l.TS)
		got = append(got, fmt.Sprint(at.Unix()))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if want := "1 2 3 7 8 9 10 11 12 13 14 15 16 17"; strings.Join(got, " ") != want {
		t.Errorf("read are %v, want %s", got, want)
	}
}

func TestReadMissing(t *testing.T) {
	lane := project.NewLane(t.TempDir(), "app", "", "alice")
	if err := Read(lane, func(Line) bool { t.Error("a line"); return true }); err != nil {
		t.Error(err)
	}
	if err := os.MkdirAll(lane.Dir+"/log/app", 0o700); err != nil {
		t.Fatal(err)
	}
	fixture.Link(t, "/etc/passwd", log.Store{Dir: lane.Dir}.Own("app"))
	if err := Read(lane, func(Line) bool { t.Error("a line"); return true }); err == nil {
		t.Error("a link was followed")
	}
}

// TestPart: Read passes on only a session's own lines, without those of subagents, and lines of the chosen kinds that
// outlive other sessions. It looks for a subagent's kind without parsing the line; a user may type the same words.
func TestPart(t *testing.T) {
	const at = "2026-03-14T09:26:53.123456789Z"
	var all []log.Entry
	for i := range 50 {
		for _, session := range []string{"s1", "s2"} {
			all = append(all, Format(at, session, "said", "text", fmt.Sprint(`"session":"s1" "kind":"subagent" `, i),
				"ref", fmt.Sprint(session, i)))
		}
	}
	lane := newLane(t, append(all, Format(at, "s1", "dropped", "text", "x", "ref", "s17"),
		Format(at, "s2", "dropped", "text", "x", "ref", "s27"), Format(at, "s1", "subagent", "verb", "report", "text",
			strings.Repeat("14 places\n", 20<<10)))...)
	read := func(session string, kinds ...string) string {
		n := map[string]int{}
		part := Part{Session: session, Kinds: kinds}
		if err := part.Read(lane, func(l Line) bool { n[l.Session+" "+l.Kind]++; return true }); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(n)
	}
	for _, c := range []struct{ got, want string }{
		{read("s1"), "map[s1 dropped:1 s1 said:50]"},
		{read("s2", "dropped"), "map[s1 dropped:1 s2 dropped:1 s2 said:50]"},
		{read("s3"), "map[]"},
	} {
		if c.got != c.want {
			t.Errorf("read were %s, want %s", c.got, c.want)
		}
	}
}

// TestNewest: the own session is read, however much others wrote since.
func TestNewest(t *testing.T) {
	at := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	lane := project.NewLane(t.TempDir(), "app", "", "alice")
	for i, id := range []string{"s1", "s2", "s3"} {
		all := []log.Entry{Format(at.Format(time.RFC3339), id, "said", "text", "said in "+id, "ref", "u"+id)}
		Bind(lane, all)
		store := log.Store{Dir: lane.Dir, Wait: time.Second}
		if err := store.Keep("app", all, "", nil); err != nil {
			t.Fatal(err)
		}
		path, _ := store.File("app", id)
		if err := os.Chtimes(path, at, at.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	for own, want := range map[string]string{"": "said in s3", "s1": "said in s1", "s3": "said in s3"} {
		var got []string
		if err := Newest(lane, own, 1, func(l Line) bool { got = append(got, l.Text); return true }); err != nil ||
			strings.Join(got, "|") != want {
			t.Errorf("of %q it reads %q, %v", own, got, err)
		}
	}
}
