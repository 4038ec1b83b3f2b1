package digest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/work"
)

var morning = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

func shelf(t *testing.T) record.Store {
	t.Helper()
	return record.Store{Dir: filepath.Join(t.TempDir(), ".memento"), Now: func() time.Time { return morning },
		Wait: time.Second}
}

func good(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func section(body, heading string) string {
	words, _ := markdown.Text(body, heading)
	return words
}

// TestGather checks that the work of a session's earlier missions is gathered, and the work of other sessions is not.
func TestGather(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".memento")
	lane, ok := project.LaneNamed(dir, "shop--alice")
	if !ok {
		t.Fatal("no lane")
	}
	mission := func(id, words, reason, act string) string {
		return fmt.Sprintf(`{"ts":"2026-03-14T09:00:00Z","kind":"mission","reason":%q,"session":%q,"text":%q,`+
			`"body":{"mission":%q,"done":[{"act":%q,"result":"yes"}],"files":["b.go","a.go"],"wip":"half"}}`, reason,
			id, words, words, act)
	}
	fixture.Left(t, dir, "shop", mission("s1", "Fix the login", "parked", "found it"),
		mission("s2", "Another's", "closed", "another's"),
		`{"ts":"2026-03-14T09:00:00Z","kind":"done","session":"s1","body":{"act":"pruned",`+
			`"ts":"2026-03-14T08:00:00Z","ref":"t1"}}`,
		`{"ts":"2026-03-14T09:00:00Z","kind":"done","session":"s2","body":{"act":"not ours",`+
			`"ts":"2026-03-14T08:00:00Z","ref":"t2"}}`,
		`{"ts":"2026-03-14T09:00:00Z","kind":"files","session":"s1","text":"c.go"}`,
		mission("s1", "A slip", "rewound", "never"), mission("s1", "Fix the login", "closed", "found it"))
	st := &session.Memory{ID: "s1", Opened: true,
		Work: work.Work{Tasks: []work.Task{{ID: "1", Text: "found it", Status: "completed"},
			{ID: "2", Text: "tell Bob", Status: "completed"}}}}

	w := Gather(lane, nil, st)
	if !slices.Equal(w.Missions, []string{"Fix the login"}) || w.Closed != "closed" {
		t.Errorf("missions %q, put away as %q", w.Missions, w.Closed)
	}
	if got := w.completed(); !slices.Equal(got, []string{"found it -> yes", "pruned", "tell Bob"}) {
		t.Errorf("completed: %q", got)
	}
	if !slices.Equal(w.Files, []string{"a.go", "b.go", "c.go"}) {
		t.Errorf("files: %q", w.Files)
	}
	if w.Wip != "" {
		t.Errorf("of a mission that was closed %q is in hand", w.Wip)
	}

	j := &journal.Journal{Mission: "Port the cart", Session: "s1", Wip: "cart.go", Plan: []string{"review"},
		Error: &journal.Failure{Cmd: "make deploy", Line: "no route"}}
	w = Gather(lane, j, st)
	if !slices.Equal(w.Missions, []string{"Fix the login", "Port the cart"}) || w.Closed != "" || w.Wip != "cart.go" ||
		!slices.Equal(w.Plan, []string{"review"}) {
		t.Errorf("with one in hand: %+v", w)
	}
	if got := w.blockers(); !slices.Equal(got, []string{"`make deploy` -> no route"}) {
		t.Errorf("blockers: %q", got)
	}
	if w = Gather(lane, &journal.Journal{Mission: "Theirs", Session: "s3"}, st); slices.Contains(w.Missions, "Theirs") {
		t.Error("another session's mission is taken for this one's")
	}
	if w = Gather(lane, nil, &session.Memory{ID: "s9"}); w.Mission() != "" {
		t.Errorf("a session without a mission has %q", w.Mission())
	}
}

func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		what string
		w    Work
		want string
	}{
		{"nothing is known", Work{}, ""},
		{"tasks are open", Work{tasks: 3, finished: 1}, "partial"},
		{"all are done", Work{tasks: 3, finished: 3}, ""},
		{"a check fails", Work{tasks: 3, finished: 1, red: true}, "blocked"},
		{"closed", Work{Closed: "closed", tasks: 3, finished: 3}, "success"},
		{"closed with a check that fails", Work{Closed: "closed", red: true}, "blocked"},
		{"closed with tasks open", Work{Closed: "closed", tasks: 2}, "partial"},
		{"left", Work{Closed: "left", tasks: 2}, "abandoned"},
		{"accomplished, as the user said", Work{Closed: "finished", tasks: 3, finished: 3}, "success"},
		{"accomplished with a check that fails", Work{Closed: "finished", red: true}, "blocked"},
		{"over", Work{Closed: "over"}, ""},
		{"closed with something planned or failing", Work{Closed: "closed", more: true}, ""},
		{"parked", Work{Closed: "parked"}, ""},
	} {
		if got := c.w.outcome(); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestCommit(t *testing.T) {
	for _, c := range []struct {
		e    journal.Entry
		want string
	}{
		{journal.Entry{Act: "Renew the token", Ctx: "tool: [main 1a2b3c4]"}, "1a2b3c4 Renew the token"},
		{journal.Entry{Act: "Begin", Ctx: "tool: [main (root-commit) 1a2b3c4]"}, "1a2b3c4 Begin"},
		{journal.Entry{Act: "npm test", Ctx: "tool: 12 passing (3s)"}, ""},
		{journal.Entry{Act: "x", Ctx: "tool: []"}, ""},
		{journal.Entry{Act: "x", Ctx: "note: [main 1a2b3c4]"}, ""},
		{journal.Entry{Act: "x", Result: "y", Ctx: "tool: [main 1a2b3c4]"}, ""},
	} {
		if got := commitOf(c.e); got != c.want {
			t.Errorf("%+v: %q, want %q", c.e, got, c.want)
		}
	}
}

// TestSessionHasOneRecord loses the session memory that names the record.
func TestSessionHasOneRecord(t *testing.T) {
	s := shelf(t)
	long := strings.Repeat("Rename the carts table to baskets ", 6)
	w := Work{Session: "s1", Missions: []string{long}, Wip: "half", Files: []string{"a.go"}}
	kept, err := Session(s, "shop", w, "")
	good(t, err)
	r, err := s.Read(kept)
	good(t, err)
	if text.Runes(r.Title) > schema.MaxTitle || !strings.HasSuffix(r.Title, "…") ||
		section(r.Body, "Goal") != strings.TrimSpace(long) {
		t.Errorf("title %q, goal %q", r.Title, section(r.Body, "Goal"))
	}
	if again, err := Session(s, "shop", w, kept); err != nil || again != kept {
		t.Errorf("told twice: %+v, %v", again, err)
	}
	if now, _ := s.Read(kept); now.Hash() != r.Hash() {
		t.Error("told twice, it was written twice")
	}

	w.Wip, w.Files = "", []string{"b.go"}
	w.Done = []journal.Entry{{Act: "renamed"}}
	kept, err = Session(s, "shop", w, kept)
	good(t, err)
	r, err = s.Read(kept)
	good(t, err)
	if section(r.Body, "In Progress") != "" || section(r.Body, "Completed") != "- renamed" ||
		!slices.Equal(r.Files, []string{"a.go", "b.go"}) {
		t.Errorf("brought up to date: %q, files %q", r.Body, r.Files)
	}

	lost, err := Session(s, "shop", w, "")
	if good(t, err); lost != kept {
		t.Errorf("without its memory it is %s, not %s", lost, kept)
	}
	all, _, err := s.List(record.Filter{Status: schema.Statuses()})
	if good(t, err); len(all) != 1 {
		t.Errorf("%d records", len(all))
	}

	good(t, s.Remove(kept))
	if _, err = Session(s, "shop", w, kept); err != nil {
		t.Error(err)
	}
	if _, err := s.Read(kept); !errors.Is(err, record.ErrNotFound) {
		t.Error("what a person removed was written again")
	}
	if none, err := Session(s, "shop", Work{Session: "s2"}, ""); err != nil || none != "" {
		t.Errorf("a session without a mission has %+v, %v", none, err)
	}
}

// TestLostRecordIsFound checks that Session updates the record that no session memory names, and keeps a person's
// changes.
func TestLostRecordIsFound(t *testing.T) {
	s := shelf(t)
	w := Work{Session: "s1", Missions: []string{"Fix the login"},
		Failing: []journal.Failure{{Cmd: "npm test", Line: "401"}}, red: true}
	first, err := Session(s, "shop", w, "")
	good(t, err)
	w.Failing, w.red = nil, false
	w.Done = []journal.Entry{{Act: "npm test"}}
	for _, kept := range []string{"", first} { // the second: killed before the session memory was saved
		kept, err := Session(s, "shop", w, kept)
		good(t, err)
		r, err := s.Read(kept)
		good(t, err)
		if section(r.Body, "Outcome") != "" || section(r.Body, "Blockers") != "" ||
			section(r.Body, "Completed") != "- npm test" {
			t.Errorf("%+v: %q", kept, r.Body)
		}
		if now, err := Session(s, "shop", w, kept); err != nil || now != kept {
			t.Errorf("told twice: %+v, %v", now, err)
		}
	}

	r, err := s.Read(first)
	good(t, err)
	const mine = "It was the clock of the server."
	good(t, os.WriteFile(r.Path, []byte(strings.Replace(string(r.Bytes()), "Fix the login\n\n## ", "Fix the login\n\n"+
		mine+"\n\n## ", 1)), 0o600))
	w.Done = append(w.Done, journal.Entry{Act: "told Bob"})
	for range 2 {
		_, err = Session(s, "shop", w, "")
		good(t, err)
		r, err = s.Read(first)
		good(t, err)
		if !strings.Contains(r.Body, mine) || section(r.Body, "Completed") != "- npm test" {
			t.Errorf("changed by a person, then lost: %q", r.Body)
		}
	}
}

func TestSessionsOfOneMissionKeepTheirRecords(t *testing.T) {
	s := shelf(t)
	ids := map[string]bool{}
	for i := range 4 {
		at := morning.Add(time.Duration(i/2) * time.Minute)
		s.Now = func() time.Time { return at.Add(time.Duration(i) * time.Second) }
		kept, err := Session(s, "shop", Work{Session: fmt.Sprintf("s%d", i), Missions: []string{"Fix the tests"}},
			"")
		good(t, err)
		ids[kept] = true
	}
	if len(ids) != 4 {
		t.Errorf("4 sessions have %d records: %v", len(ids), ids)
	}
}

func TestSubagent(t *testing.T) {
	s := shelf(t)
	long := "First.\n\n" + strings.Repeat(strings.Repeat("word ", 100)+"\n\n", 60)
	for _, c := range []struct {
		what, words, title, summary, details string
	}{
		{"plain", "It works.\n\nAll of it.", "Explore: It works.", "It works.", "It works.\n\nAll of it."},
		{"headings", "# Result\n\nIt is slow.\n## Why\nx", "Explore: Result", "It is slow.\n## Why\nx",
			"```\n# Result\n\nIt is slow.\n## Why\nx\n```"},
		{"a fence without an end", "See:\n\n````go\nx", "Explore: See:", "See:", "`````\nSee:\n\n````go\nx\n`````"},
		{"a tag without an end", "Before.\n\nA <private> tag is kept nowhere.", "Explore: Before.", "Before.",
			"Before.\n\nA [private]"},
	} {
		r, err := Subagent(s, "shop", Answer{Session: "s1", Agent: "Explore", Words: c.words, Files: []string{"a.go"}})
		good(t, err)
		if r.Title != c.title || section(r.Body, "Details") != c.details ||
			section(r.Body, "Files Analyzed") != "- a.go" {
			t.Errorf("%s: %q: %q", c.what, r.Title, r.Body)
		}
		if got := section(r.Body, "Summary"); got != c.summary && got != text.Fenced("", c.summary) {
			t.Errorf("%s: the summary is %q", c.what, got)
		}
	}
	r, err := Subagent(s, "shop", Answer{Session: "s1", Agent: "Explore", Task: "Look everywhere", Words: long})
	good(t, err)
	details := section(r.Body, "Details")
	head, tail, _ := strings.Cut(details, "\n\n… (")
	if len(details) > maxAnswer+100 || !strings.HasPrefix(long, head+"\n\n") ||
		!strings.HasPrefix(tail, fmt.Sprintf("%d more bytes", len(strings.TrimSpace(long))-len(head))) {
		t.Errorf("%d bytes, ending %q", len(details), details[len(details)-60:])
	}
	if again, err := Subagent(s, "shop", Answer{Session: "s1", Agent: "Explore", Task: "Look everywhere",
		Words: long}); err != nil || again.ID != r.ID {
		t.Errorf("told twice: %v, %v", again, err)
	}
	if other, err := Subagent(s, "shop", Answer{Session: "s1", Agent: "Explore", Task: "Look everywhere",
		Words: "Nothing."}); err != nil || other.ID == r.ID {
		t.Errorf("another answer: %v, %v", other, err)
	}
	if none, err := Subagent(s, "shop", Answer{Agent: "Explore", Words: "<private>all of it"}); err != nil ||
		none != nil {
		t.Errorf("private words: %v, %v", none, err)
	}
}

// TestItemIsCarriedUntilDone also checks that the item stays in its section.
func TestItemIsCarriedUntilDone(t *testing.T) {
	s := shelf(t)
	first := Work{Session: "s1", Missions: []string{"Fix the login"}, Doing: []string{"check the expiry"},
		Plan: []string{"tell support"}, Next: []string{"tell support", "write a test"},
		Failing: []journal.Failure{{Cmd: "npm test", Line: "401"}}, tasks: 3}
	a, err := Handoff(s, "shop", first, Draft{})
	good(t, err)
	for heading, want := range map[string]string{"Progress": "0/3", "Pending": "- check the expiry\n- write a test",
		"Next Steps": "- tell support", "Blockers": "- `npm test` -> 401"} {
		if got := section(a.Body, heading); got != want {
			t.Errorf("%s: %q, want %q", heading, got, want)
		}
	}
	second := Work{Session: "s2", Missions: []string{"Port the cart"}, Done: []journal.Entry{{Act: "Write a test"}},
		passed: func(cmd string) bool { return false }}
	b, err := Handoff(s, "shop", second, Draft{})
	good(t, err)
	if want := []string{"check the expiry", "`npm test` -> 401", "tell support"}; !slices.Equal(b.Carried, want) ||
		!slices.Equal(b.Replaced, []string{a.ID}) {
		t.Errorf("carried %q, replaced %q", b.Carried, b.Replaced)
	}
	old, err := s.Read(a.ID)
	good(t, err)
	if old.Status != schema.Completed || !slices.ContainsFunc(old.Changes,
		func(c record.Change) bool { return c.Summary == "replaced by "+b.ID }) {
		t.Errorf("the first one is %s: %+v", old.Status, old.Changes)
	}
	third := Work{Session: "s3", Missions: []string{"And on"},
		passed: func(cmd string) bool { return cmd == "npm test" }}
	c, err := Handoff(s, "shop", third, Draft{Notes: []string{"by hand"}})
	good(t, err)
	if section(c.Body, "Blockers") != "" || section(c.Body, "Pending") != "- check the expiry" ||
		section(c.Body, "Progress") != "by hand" {
		t.Errorf("the third one: %q", c.Body)
	}
	if waiting, err := Waiting(s, "shop"); err != nil || len(waiting) != 1 || waiting[0].ID != c.ID {
		t.Errorf("%d wait, %v", len(waiting), err)
	}
	if other, err := Waiting(s, "cart"); err != nil || len(other) != 0 {
		t.Errorf("another project has %d, %v", len(other), err)
	}
	if none, err := Handoff(s, "cart", Work{}, Draft{}); err != nil || none != nil {
		t.Errorf("of nothing: %v, %v", none, err)
	}
}

func TestHandoffOfASessionBesideStays(t *testing.T) {
	s := shelf(t)
	login, err := Handoff(s, "shop", Work{Session: "s1", Missions: []string{"Fix the login"},
		Plan: []string{"tell support"}}, Draft{})
	good(t, err)
	css := Work{Session: "s2", Missions: []string{"Port the CSS"}, Plan: []string{"check the print sheet"}}
	b, err := Handoff(s, "shop", css, Draft{Beside: func(id string) bool { return id == "s1" }})
	good(t, err)
	if len(b.Replaced)+len(b.Carried) > 0 || strings.Contains(b.Body, "tell support") ||
		strings.Contains(b.Body, login.ID) {
		t.Errorf("replaced %q, carried %q: %s", b.Replaced, b.Carried, b.Body)
	}
	if waiting, err := Waiting(s, "shop"); err != nil || len(waiting) != 2 {
		t.Errorf("%d wait, %v", len(waiting), err)
	}
	if none, err := Handoff(s, "shop", Work{Session: "s3"},
		Draft{Notes: []string{"by hand"}, Beside: func(string) bool { return true }}); err != nil || none != nil {
		t.Errorf("another's title was taken: %+v, %v", none, err)
	}
	c, err := Handoff(s, "shop", css, Draft{Title: "Again", Beside: func(id string) bool { return true }})
	good(t, err)
	if !slices.Equal(c.Replaced, []string{b.ID}) {
		t.Errorf("its own was not replaced: %q", c.Replaced)
	}
}
