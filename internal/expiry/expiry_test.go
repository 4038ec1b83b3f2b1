package expiry

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func always() bool { return true }

// desk is a home folder with transcripts of one folder, /srv/shop.
type desk struct {
	*testing.T
	config.Config
	folder, root string
}

func newDesk(t *testing.T) *desk {
	claude := filepath.Join(t.TempDir(), ".claude")
	c := config.Config{ClaudeDir: claude, Dir: filepath.Join(claude, ".memento"), Enabled: true,
		Past: config.PastAnswers}
	fixture.Write(t, filepath.Join(c.Dir, "state", "x"), "")
	return &desk{t, c, FolderOf(c, "/srv/shop"), t.TempDir()}
}

// put writes a transcript that nobody changed for some days.
func (d *desk) put(session string, days int) Transcript {
	d.Helper()
	path := filepath.Join(d.folder, session+".jsonl")
	fixture.Write(d.T, path, fmt.Sprintf(
		`{"type":"user","uuid":"u-%s","sessionId":%q,"cwd":"/srv/shop","message":{"role":"user","content":"Mend the roof."}}`+
			"\n", session, session))
	return d.touch(session, days)
}

func (d *desk) touch(session string, days int) Transcript {
	d.Helper()
	path := filepath.Join(d.folder, session+".jsonl")
	at := noon.AddDate(0, 0, -days)
	if err := os.Chtimes(path, at, at); err != nil {
		d.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		d.Fatal(err)
	}
	return Transcript{Path: path, Session: session, Size: info.Size(), Changed: info.ModTime()}
}

func names(all []Transcript) string {
	var out []string
	for _, t := range all {
		out = append(out, t.Session)
	}
	return strings.Join(out, " ")
}

// TestDays: the administrator's settings come first, then the project's, then the user's. What the client refuses stops
// its deleting.
func TestDays(t *testing.T) {
	d := newDesk(t)
	TestOnlyManaged = t.TempDir()
	defer func() { TestOnlyManaged = "" }()
	want := func(days int) {
		t.Helper()
		if got := Days(d.Config, d.root); got != days {
			t.Errorf("%d days, want %d", got, days)
		}
	}
	want(30)
	fixture.Write(t, filepath.Join(d.ClaudeDir, "settings.json"), "\ufeff"+`{"cleanupPeriodDays": 90}`)
	want(90)
	fixture.Write(t, filepath.Join(d.root, ".claude", "settings.json"), `{"cleanupPeriodDays": 10}`)
	want(10)
	local := filepath.Join(d.root, ".claude", "settings.local.json")
	for value, days := range map[string]int{"4": 4, "0": 0, "-3": 0, `"7"`: 0, "2.5": 0, "1e300": 1e5} {
		fixture.Write(t, local, `{"cleanupPeriodDays": `+value+`}`)
		want(days)
	}
	fixture.Write(t, local, "no JSON")
	want(10)
	fixture.Write(t, filepath.Join(TestOnlyManaged, "managed-settings.json"), `{"cleanupPeriodDays": 365}`)
	want(365)
	fixture.Write(t, filepath.Join(TestOnlyManaged, "managed-settings.d", "20-days.json"), `{"cleanupPeriodDays": 60}`)
	fixture.Write(t, filepath.Join(TestOnlyManaged, "managed-settings.d", "10-days.json"), `{"cleanupPeriodDays": 50}`)
	want(60)
	if got := Days(d.Config, ""); got != 60 {
		t.Error("outside any project:", got)
	}
}

// TestDue: what goes within a week or should be gone, the first to go first; nothing of subagents.
func TestDue(t *testing.T) {
	d := newDesk(t)
	for session, days := range map[string]int{"young": 22, "week": 24, "late": 29, "over": 40, "agent-1": 29} {
		d.put(session, days)
	}
	if got := names(Due(d.folder, 30, noon, always)); got != "over late week" {
		t.Error(got)
	}
	if got := names(Due(d.folder, 0, noon, always)); got != "" {
		t.Error("nothing is deleted, and it names", got)
	}
	n := 0
	if got := Due(d.folder, 30, noon, func() bool { n++; return n <= 2 }); len(got) > 2 {
		t.Error("without time it looked at", names(got))
	}
}

// TestWhole: a transcript is whole when a backfill took it in as it is, or hooks read it up to lines of no turn.
func TestWhole(t *testing.T) {
	d := newDesk(t)
	store := past.Store{Dir: d.Dir, Wait: time.Second}
	at := d.put("s1", 29)
	want := func(whole bool, what string) {
		t.Helper()
		known, err := Load(d.Config)
		if err != nil {
			t.Fatal(err)
		}
		if known.Whole(at) != whole {
			t.Errorf("%s: %v", what, !whole)
		}
	}
	note := func(mark string) {
		t.Helper()
		if err := store.NoteTaken("s1", mark); err != nil {
			t.Fatal(err)
		}
	}
	want(false, "nobody has read it")
	note(past.Mark("answers", at.Size, at.Changed))
	want(true, "a backfill took it in")
	fixture.Append(t, at.Path, `{"type":"user","uuid":"u2","message":{"role":"user","content":"And the door."}}`+"\n")
	at = d.touch("s1", 29)
	want(false, "it grew since")

	end := transcript.End(at.Path)
	note(past.ReadMark("answers", end.Offset, end.File))
	want(true, "hooks read it")
	fixture.Append(t, at.Path, `{"type":"last-prompt","prompt":"x"}`+"\n"+`{"type":"mode"}`+"\n")
	at = d.touch("s1", 29)
	want(true, "only lines of no turn came")
	d.Past = config.PastWords
	want(false, "another part of the turns is kept")
	d.Past = config.PastAnswers
	fixture.Append(t, at.Path,
		`{"type":"assistant","uuid":"a2","message":{"content":[{"type":"text","text":"Done."}]}}`+"\n")
	at = d.touch("s1", 29)
	want(false, "an answer came")

	// the memory of a session whose client was killed
	st, err := session.Open(d.Dir, "s1", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	st.Lane, st.Turns.Read = "shop--alice", transcript.End(at.Path)
	for keep, whole := range map[string]bool{"": false, "words": false, "answers": true} {
		st.Turns.Keep = keep
		if err := st.Save(); err != nil {
			t.Fatal(err)
		}
		want(whole, "a memory that keeps "+keep)
	}
	st.Release()
	fixture.Write(t, at.Path, strings.Repeat("x", int(at.Size)))
	want(false, "another file stands in its place")
}

// TestLost: what memento took in whole and what the caller skips is not lost.
func TestLost(t *testing.T) {
	d := newDesk(t)
	lost := func(days int, skip string) string {
		return names(Lost(d.Config, d.root, d.folder, noon.AddDate(0, 0, days),
			func(session string) bool { return session == skip }, always))
	}
	d.put("young", 21)
	if got := lost(0, ""); got != "" {
		t.Error("for nothing:", got)
	}
	if got := lost(3, ""); got != "young" {
		t.Errorf("three days later: %q", got)
	}
	at := d.put("second", 27)
	if got := lost(3, "young"); got != "second" {
		t.Errorf("without the first: %q", got)
	}
	store := past.Store{Dir: d.Dir, Wait: time.Second}
	if err := store.NoteTaken("second", past.Mark("answers", at.Size, at.Changed)); err != nil {
		t.Fatal(err)
	}
	if got := lost(3, ""); got != "young" {
		t.Errorf("after a backfill: %q", got)
	}
}

func TestSentence(t *testing.T) {
	one := Transcript{Deleted: noon.Add(time.Hour)}
	day := one.Deleted.Local().Format(time.DateOnly)
	const within, lacking = "within a week Claude Code deletes ", " of this project that memento has not taken in whole "
	for _, tt := range []struct {
		lost []Transcript
		want string
	}{
		{[]Transcript{one, one}, within + "2 transcripts" + lacking + "(the first on " + day + ")"},
		{[]Transcript{one}, within + "1 transcript" + lacking + "(on " + day + ")"},
		{[]Transcript{{Deleted: noon.Add(-time.Hour)}}, within + "1 transcript" + lacking + "(at any time)"},
	} {
		if got := Sentence(tt.lost, noon); got != tt.want {
			t.Error(got)
		}
	}
}
