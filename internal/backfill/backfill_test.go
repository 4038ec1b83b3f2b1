package backfill

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/transcript"
)

var morning = time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)

// desk is a home folder with transcripts.
type desk struct {
	*Backfill
	t *testing.T
}

func newDesk(t *testing.T) *desk {
	home := t.TempDir()
	claude := filepath.Join(home, ".claude")
	c := config.Config{ClaudeDir: claude, Dir: filepath.Join(claude, ".memento"), Enabled: true,
		Past: config.PastAnswers}
	return &desk{&Backfill{Config: c, Home: home, Now: morning.Add(24 * time.Hour), Wait: time.Second}, t}
}

func id(n int) string { return fmt.Sprintf("%08d-1111-4111-8111-111111111111", n) }

// lines are turns of a session: "prompt=answer".
func lines(session, cwd string, at time.Time, turns ...string) (out string) {
	for i, turn := range turns {
		said, answer, _ := strings.Cut(turn, "=")
		ts := at.Add(time.Duration(i) * time.Minute).Format(time.RFC3339)
		out += fmt.Sprintf(`{"type":"user","uuid":"u-%s","sessionId":%q,"cwd":%q,"timestamp":%q,`+
			`"message":{"role":"user","content":%q}}`+
			"\n", strings.ReplaceAll(said, " ", "-"), session, cwd, ts, said)
		out += fmt.Sprintf(`{"type":"assistant","uuid":"a-%s","timestamp":%q,"message":{"content":[{"type":"text",`+
			`"text":%q}]}}`+
			"\n", strings.ReplaceAll(said, " ", "-"), ts, answer)
	}
	return out
}

// put writes a transcript that changed at a time.
func (d *desk) put(session, content string, at time.Time) string {
	d.t.Helper()
	path := filepath.Join(d.Config.ClaudeDir, "projects", "-x", session+".jsonl")
	fixture.Write(d.t, path, content)
	if err := os.Chtimes(path, at, at); err != nil {
		d.t.Fatal(err)
	}
	return path
}

func (d *desk) run(paths ...string) Result {
	d.t.Helper()
	found, problems, err := d.Find(paths)
	if err == nil {
		err = d.Record(found)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	r, err := d.Run(found)
	if err != nil {
		d.t.Fatal(err)
	}
	r.Problems = append(r.Problems, problems...)
	return r
}

// kept lists the turns of a project by session.
func (d *desk) kept(project string) string {
	d.t.Helper()
	var out []string
	all, err := d.store().Sessions(project)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, one := range all {
		words := strings.TrimLeft(strings.SplitN(one.ID, "-1111", 2)[0], "0") + ":"
		turns, err := past.Read(d.store(), project, one.ID)
		if err != nil {
			d.t.Fatal(err)
		}
		for _, t := range turns {
			words += " " + t.Prompt + "=" + t.Answer
		}
		out = append(out, words)
	}
	return strings.Join(out, " | ")
}

// TestForks: a transcript that begins with a copy of another session's lines brings only its own turns, whichever
// changed last.
func TestForks(t *testing.T) {
	for _, later := range []time.Duration{-time.Hour, time.Hour} {
		d := newDesk(t)
		parent := lines(id(1), "/srv/shop", morning, "one=1", "two=2")
		d.put(id(1), parent, morning)
		d.put(id(2), parent+lines(id(2), "/srv/shop", morning.Add(time.Hour), "three=3"), morning.Add(later))
		if r := d.run(); r.Turns != 3 || r.Sessions != 2 {
			t.Errorf("%+v", r)
		}
		if got := d.kept("shop"); got != "1: one=1 two=2 | 2: three=3" {
			t.Error(got)
		}
	}
}

// TestFolders: a session belongs to the project of its folder, also when that is gone or has the name of another.
func TestFolders(t *testing.T) {
	d := newDesk(t)
	here := fixture.Repository(t, filepath.Join(d.Home, "code", "shop"), "https://example.com/alice/store.git")
	d.put(id(1), lines(id(1), here, morning, "here=1"), morning)
	d.put(id(2), lines(id(2), filepath.Join(here, "gone", "deeper"), morning, "within=2"), morning)
	d.put(id(3), lines(id(3), "/srv/zoo", morning, "gone=3"), morning)
	d.put(id(4), lines(id(4), "/mnt/zoo", morning, "another=4"), morning.Add(time.Hour))
	d.put(id(5), lines(id(5), d.Home, morning, "home=5"), morning)
	d.put(id(7), lines(id(7), "/srv/zoo/.claude/worktrees/lions", morning, "worktree=7"), morning.Add(2*time.Hour))
	d.run()
	for project, want := range map[string]string{"store": "1: here=1 | 2: within=2", "zoo": "3: gone=3 | 7: worktree=7",
		"zoo-2": "4: another=4", "": "5: home=5"} {
		if got := d.kept(project); got != want {
			t.Errorf("%q has %q, want %q", project, got, want)
		}
	}
	if err := os.Rename(here, here+"-away"); err != nil {
		t.Fatal(err)
	}
	d.put(id(6), lines(id(6), filepath.Join(here, "sub"), morning, "moved=6"), morning)
	d.run()
	if got := d.kept("store"); !strings.Contains(got, "moved=6") {
		t.Error("of a project that is gone:", got)
	}
}

// TestAgain: what was taken in is not read again until the transcript grows or more of a turn is to be kept.
func TestAgain(t *testing.T) {
	d := newDesk(t)
	d.Config.Past = config.PastWords
	path := d.put(id(1), lines(id(1), "/srv/shop", morning, "one=1"), morning)
	for _, step := range []struct {
		do              func()
		sessions, turns int
		kept            string
	}{
		{func() {}, 1, 1, "1: one="},
		{func() {}, 0, 0, "1: one="},
		{func() { d.Config.Past = config.PastAnswers }, 1, 0, "1: one=1"},
		{func() { fixture.Append(t, path, lines(id(1), "/srv/shop", morning.Add(time.Hour), "two=2")) }, 1, 1,
			"1: one=1 two=2"},
	} {
		step.do()
		if r := d.run(); r.Sessions != step.sessions || r.Turns != step.turns {
			t.Errorf("%+v, want %+v", r, step)
		}
		if got := d.kept("shop"); got != step.kept {
			t.Errorf("%q, want %q", got, step.kept)
		}
	}
}

// TestRules: what the user said for good in a session from before holds like what a hook heard, once.
func TestRules(t *testing.T) {
	d := newDesk(t)
	said := "Never commit to the main branch, in any session."
	d.put(id(1), lines(id(1), "/srv/shop", morning, "sort the jars=1", said+"=2"), morning)
	d.put(id(2), lines(id(2), "/srv/shop", morning.Add(time.Hour), "label the jars=1", said+"  =2"), morning)
	for range 2 {
		d.run()
		rules := rule.Store{Dir: d.Config.Dir, Now: d.Now, Wait: time.Second}.Rules("shop").Kept
		if len(rules) != 1 || rules[0].Text != said || rules[0].Sessions != 2 {
			t.Errorf("%+v", rules)
		}
	}
}

// TestLimits: what is too old is not taken in.
func TestLimits(t *testing.T) {
	d := newDesk(t)
	d.Config.PastDays = 30
	d.put(id(1), lines(id(1), "/srv/shop", morning.AddDate(0, 0, -40), "old=1")+
		lines(id(1), "/srv/shop", morning.AddDate(0, 0, -10), "older=2")+
		lines(id(1), "/srv/shop", morning, "new=3"), morning)
	d.run()
	if got := d.kept("shop"); got != "1: older=2 new=3" {
		t.Error(got)
	}
}

// TestProblems: a file that cannot be read is named and keeps nothing else out; a full disk ends the run, and what was
// taken in stays.
func TestProblems(t *testing.T) {
	d := newDesk(t)
	if found, _, err := d.Find(nil); err != nil || found != nil {
		t.Error("no folder:", found, err)
	}
	if _, _, err := d.Find([]string{t.TempDir()}); !errors.Is(err, ErrNoTranscripts) {
		t.Error("an empty folder:", err)
	}
	d.put(id(1), lines(id(1), "/srv/shop", morning, "one=1"), morning)
	d.put(id(2), lines(id(2), "/srv/shop", morning, "two=2"), morning.Add(time.Hour))
	d.put(id(3), "", morning)
	empty := filepath.Join(d.Config.ClaudeDir, "projects", "-x", id(3)+".jsonl")
	if _, _, err := d.Find([]string{empty}); !errors.Is(err, transcript.ErrNone) {
		t.Error("an empty file:", err)
	}
	if _, _, err := d.Find([]string{d.Home + "/nowhere"}); !errors.Is(err, os.ErrNotExist) {
		t.Error("nothing there:", err)
	}
	found, _, err := d.Find(nil)
	if err != nil || len(found) != 2 {
		t.Fatal(found, err)
	}
	defer safefile.TestOnlyFault(nil)
	safefile.TestOnlyFault(func(op, path string) error {
		if op == "append" && strings.Contains(path, id(2)) {
			return errors.New("no space left on device")
		}
		return nil
	})
	if r, err := d.Run(found); err == nil || r.Sessions != 1 || d.kept("shop") != "1: one=1" {
		t.Errorf("a full disk: %+v, %v, %s", r, err, d.kept("shop"))
	}
	safefile.TestOnlyFault(func(op, path string) error {
		if op == "open" && strings.Contains(path, id(2)) {
			return os.ErrPermission
		}
		return nil
	})
	if r := d.run(); len(r.Problems) != 1 || !errors.Is(r.Problems[0].Err, os.ErrPermission) {
		t.Errorf("no permission: %+v", r)
	}
	safefile.TestOnlyFault(nil)
	if r := d.run(); r.Turns != 1 || d.kept("shop") != "1: one=1 | 2: two=2" {
		t.Errorf("the rest: %+v, %s", r, d.kept("shop"))
	}
	if all, err := past.Read(d.store(), "shop", id(2)); len(all) != 1 || err != nil {
		t.Error(all, err)
	}
}
