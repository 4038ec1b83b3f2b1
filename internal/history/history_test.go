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
		`{"ts":"2026-03-14T09:26:53Z","id":"u1","kind":"typed","session":"s1","text":"staging only"}`,
		`{"ts":"2026-03-14T09:2`,
		`{"x":`+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)+`}`,
		"", "null", "[1]", "\x00\x00",
		`{"ts":"2026-03-14T09:27:00Z","kind":"done","body":{"act":"fix auth","result":"expiry corrected",`+
			`"ctx":"note: go on"}}`,
		`{"ts":"2026-03-14T09:26:59Z","kind":"mission","session":"s2","reason":"parked","text":"fix auth",`+
			`"body":{"mission":"fix auth"}}`,
		`{"kind":"typed","text":"the last line was not finis`)
	fixture.Append(t, log.Store{Dir: lane.Dir}.Own("app"),
		`{"id":"x","kind":"typed","lane":"--bob","text":"Bob's"}`+"\n")
	var got []string
	if err := Read(lane, func(l log.Entry) bool {
		got = append(got, l.Kind+"/"+l.Session+"/"+l.Text+"/"+l.Ref()+l.Reason)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	want := "typed/s1/staging only/u1,mission/s2/fix auth/parked,done//fix auth -> expiry corrected | ctx: note: go on/"
	if strings.Join(got, ",") != want {
		t.Errorf("the history holds\n%s, want\n%s", strings.Join(got, ","), want)
	}
	n := 0
	if err := Read(lane, func(log.Entry) bool { n++; return n < 2 }); err != nil || n != 2 {
		t.Errorf("after 2 lines it was called %d times, %v", n, err)
	}
}

// TestReadTwice: an entry that stands in the log twice counts once. A prompt that was kept before the transcript showed
// it counts under its later ID, and says whether it was rewound.
func TestReadTwice(t *testing.T) {
	n := 0
	e := func(session string, e log.Entry) log.Entry {
		n++
		e.Session, e.Time = session, time.Unix(int64(n), 0).UTC()
		return e
	}
	typed := func(id string) log.Entry { return log.Entry{ID: id, Kind: log.Typed, Text: "staging only"} }
	done := log.Entry{Kind: "done", Body: `{"act":"fix auth","ts":"2026-03-14T09:26:53Z"}`}
	again := log.Entry{Kind: "done", Body: `{"act":"fix auth","ts":"2026-03-14T09:30:00Z"}`}
	opened := log.Entry{Kind: "opened", Text: "fix auth", Of: "u1"}
	was := typed("u3")
	was.Was = "~1"
	lane := newLane(t, e("a", typed("u1")), e("a", opened), e("a", done), e("a", typed("u1")), e("a", opened),
		e("a", done), e("a", typed("u2")), e("b", typed("u1")), e("a", typed("~1")), e("a", was), e("a", again),
		e("a", log.Entry{Kind: log.Rewound, Of: "u1"}), e("a", log.Entry{Kind: log.Restored, Of: "u1"}),
		e("a", log.Entry{Kind: log.Rewound, Of: "u1"}), e("a", log.Entry{Kind: log.Rewound, Of: "elsewhere"}),
		e("a", log.Entry{Kind: "wip", Text: "x"}), e("a", log.Entry{Kind: "wip", Text: "x"}))
	got := ""
	if err := Read(lane, func(e log.Entry) bool {
		got += fmt.Sprint(" ", e.Time.Unix())
		if e.Gone {
			got += "!"
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if want := " 1! 2 3 7 8 10 11 12 13 14 15 16 17"; got != want {
		t.Errorf("read are%s, want%s", got, want)
	}
}

func TestReadMissing(t *testing.T) {
	lane := project.NewLane(t.TempDir(), "app", "", "alice")
	if err := Read(lane, func(log.Entry) bool { t.Error("a line"); return true }); err != nil {
		t.Error(err)
	}
	if err := os.MkdirAll(lane.Dir+"/log/app", 0o700); err != nil {
		t.Fatal(err)
	}
	fixture.Link(t, "/etc/passwd", log.Store{Dir: lane.Dir}.Own("app"))
	if err := Read(lane, func(log.Entry) bool { t.Error("a line"); return true }); err == nil {
		t.Error("a link was followed")
	}
}

// TestPart: Read passes on only a session's own lines, without those of subagents, and lines of the chosen kinds that
// outlive other sessions..
func TestPart(t *testing.T) {
	var all []log.Entry
	for i := range 50 {
		for _, session := range []string{"s1", "s2"} {
			all = append(all, log.Entry{ID: fmt.Sprint(session, i), Kind: log.Typed, Session: session,
				Text: fmt.Sprint(`"session":"s1" "kind":"subagent" `, i)})
		}
	}
	lane := newLane(t, append(all, log.Entry{Kind: log.Dropped, Session: "s1", Text: "x", Of: "s17"},
		log.Entry{Kind: log.Dropped, Session: "s2", Text: "x", Of: "s27"},
		log.Entry{Kind: "subagent", Session: "s1", Verb: "report", Text: strings.Repeat("14 places\n", 20<<10)})...)
	read := func(session string, kinds ...string) string {
		n := map[string]int{}
		part := Part{Session: session, Kinds: kinds}
		if err := part.Read(lane, func(l log.Entry) bool { n[l.Session+" "+l.Kind]++; return true }); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(n)
	}
	for _, c := range []struct{ got, want string }{
		{read("s1"), "map[s1 dropped:1 s1 typed:50]"},
		{read("s2", "dropped"), "map[s1 dropped:1 s2 dropped:1 s2 typed:50]"},
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
		all := []log.Entry{{ID: "u" + id, Kind: log.Typed, Session: id, Time: at, Text: "said in " + id}}
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
		if err := Newest(lane, own, 1, func(l log.Entry) bool { got = append(got, l.Text); return true }); err != nil ||
			strings.Join(got, "|") != want {
			t.Errorf("of %q it reads %q, %v", own, got, err)
		}
	}
}
