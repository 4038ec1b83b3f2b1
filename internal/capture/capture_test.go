package capture

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

var morning = time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)

// desk is a lane with sessions working in it, and a clock.
type desk struct {
	t     testing.TB
	store journal.Store
	home  string
	typed int
}

func newDesk(t testing.TB) *desk {
	home := t.TempDir()
	dir := filepath.Join(home, ".memento")
	return &desk{t: t, home: home, store: journal.Store{
		Lane: project.NewLane(dir, "myapp", "", "alice"),
		Config: config.Config{Dir: dir, Tag: "alice", MaxEntries: 6, MaxFileBytes: 6 << 10, StaleDays: 7,
			BudgetTokens: 350, Past: config.PastAnswers},
		Now: morning, Wait: time.Minute,
	}}
}

// session is a new session whose transcript will be in a file of its own.
func (d *desk) session(id string) *session.Memory {
	st := &session.Memory{ID: id, Lane: d.store.Lane.Name, Transcript: filepath.Join(d.home, id+".jsonl"),
		Started: d.store.Now}
	st.Entry = d.store.Now
	return st
}

// line is the transcript's line of something typed now; each has a uuid of its own.
func (d *desk) line(words string) string {
	d.typed++
	d.store.Now = d.store.Now.Add(time.Minute)
	data, err := json.Marshal(map[string]any{"type": "user",
		"message": map[string]any{"role": "user", "content": words}, "uuid": fmt.Sprint("u", d.typed),
		"timestamp": d.store.Now.Format(time.RFC3339Nano)})
	if err != nil {
		d.t.Fatal(err)
	}
	return string(data) + "\n"
}

func (d *desk) write(st *session.Memory, line string) {
	d.t.Helper()
	fixture.Append(d.t, st.Transcript, line)
}

// say types words in the session and catches up.
func (d *desk) say(st *session.Memory, all ...string) *journal.Journal {
	d.t.Helper()
	for _, words := range all {
		d.write(st, d.line(words))
		d.catchUp(st, TrustTranscript)
	}
	return d.journal()
}

func (d *desk) catchUp(st *session.Memory, trust Trust) {
	d.t.Helper()
	if err := CatchUp(d.store, st, trust); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) update(change func(*journal.Journal)) {
	d.t.Helper()
	if _, err := d.store.Update(func(j *journal.Journal) error { change(j); return nil }); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) journal() *journal.Journal {
	d.t.Helper()
	j, err := d.store.Read()
	if err != nil {
		d.t.Fatal(err)
	}
	return j
}

// heard lists what history holds as said, oldest first.
func (d *desk) heard() []string {
	d.t.Helper()
	var out []string
	if err := history.Read(d.store.Lane, func(l log.Entry) bool {
		if l.Kind == log.Typed {
			out = append(out, l.Text)
		}
		return true
	}); err != nil {
		d.t.Fatal(err)
	}
	return out
}

// files is all that is kept of the lane, byte for byte.
func (d *desk) files() string {
	d.t.Helper()
	all := fixture.Read(d.t, d.store.Lane.Journal())
	if err := history.Read(d.store.Lane, func(l log.Entry) bool {
		all += "\n" + string(l.JSON())
		return true
	}); err != nil {
		d.t.Fatal(err)
	}
	return all
}

// said lists what a block may quote beside the mission of j, messages that set a rule with a mark.
func (d *desk) said(j *journal.Journal) string {
	var out []string
	for _, m := range Recall(d.store.Lane, j.Session, j.Earlier...).Words(j, "").All {
		words := m.Text
		if slices.ContainsFunc(m.Parts, sentence.Part.Rule) {
			words = "!" + words
		}
		if len(m.Parts) > 0 && !text.Same(m.Text, j.Mission) {
			out = append(out, words)
		}
	}
	return strings.Join(out, "|")
}

func want(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestSession(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	j := d.say(st, "hi", "fix the auth pipeline. Staging only.", "ok", "why does CI fail?", "continue",
		"never push to main", "continue, but don't touch the schema", "what does memento have on this session?",
		"thanks")
	want(t, "the mission", j.Mission, "fix the auth pipeline. Staging only.")
	want(t, "from", j.MissionRef+j.MissionBy+j.Session, "u2users1")
	want(t, "said", d.said(j), "why does CI fail?|!never push to main|!continue, but don't touch the schema")
	want(t, "in hand", j.Wip+j.WipBy, `"continue, but don't touch the schema"auto`)
	want(t, "history", strings.Join(d.heard(), "|"),
		"hi|fix the auth pipeline. Staging only.|ok|why does CI fail?|continue|never push to main|continue, but "+
			"don't touch the schema|what does memento have on this session?|thanks")
	if info, err := os.Stat(st.Transcript); err != nil || st.Read.Offset != info.Size() {
		t.Errorf("it was read to %d, %v", st.Read.Offset, err)
	}
}

// What Claude wrote of the work in hand stands.
func TestWipIsClaudes(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "fix the auth pipeline")
	d.update(func(j *journal.Journal) { j.SetWip("deploying", journal.ByClaude) })
	want(t, "in hand", d.say(st, "look at CI too").Wip, "deploying")
	d.update(func(j *journal.Journal) { j.SetWip("", "") })
	want(t, "in hand", d.say(st, "look at the docs of it, please; "+strings.Repeat("long ", 50)).Wip[:20],
		`"look at the docs of`)
	if wip := d.journal().Wip; text.Runes(wip) > journal.MaxWip || !strings.HasSuffix(wip, `…"`) {
		t.Errorf("in hand is %s", wip)
	}
}

// After a crash before the session memory was written, the same lines are read again. Nothing is kept twice.
func TestCrash(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	for _, words := range []string{"fix the auth pipeline", "never push to main", "look at CI", "ok",
		"I am switching to a different project now", "build the importer"} {
		before := *st
		d.say(st, words)
		files := d.files()
		again := before
		d.catchUp(&again, TrustTranscript)
		if got := d.files(); got != files {
			t.Errorf("after %q and a crash it is\n%s, was\n%s", words, got, files)
		}
		if again.Read != st.Read {
			t.Errorf("after %q and a crash it was read to %+v, was %+v", words, again.Read, st.Read)
		}
	}
	fresh := d.session("s1") // the whole state is gone: all of it is read again
	heard := len(d.heard())
	j, mission := d.journal(), d.journal().Mission
	d.catchUp(fresh, TrustTranscript)
	if len(d.heard()) != heard || d.journal().Mission != mission || d.said(d.journal()) != d.said(j) {
		t.Errorf("without a state it is %+v, was %+v", d.journal(), j)
	}
}

// Nothing is kept twice when the transcript is read again in pieces, or was cut and is whole again.
func TestReadAgain(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	filler := `{"type":"progress","data":"` + strings.Repeat("x", 300<<10) + "\"}\n"
	for _, words := range []string{"fix the auth pipeline", "never push to main", "look at CI first",
		"keep the token format"} {
		d.say(st, words)
		d.write(st, filler)
	}
	d.catchUp(st, TrustTranscript)
	heard := len(d.heard())
	whole, err := os.ReadFile(st.Transcript)
	if err != nil {
		t.Fatal(err)
	}

	now := morning
	testOnlyClock = func() time.Time { now = now.Add(patience); return now }
	defer func() { testOnlyClock = spent }()
	fresh := d.session("s1")
	for reads := 1; fresh.Read.Offset < int64(len(whole)); reads++ {
		if d.catchUp(fresh, TrustTranscript); reads > 10 {
			t.Fatalf("after %d reads it is at %d", reads, fresh.Read.Offset)
		}
	}
	testOnlyClock = spent
	d.catchUp(fresh, TrustTranscript) // finds its end
	want(t, "in pieces", fmt.Sprint(len(d.heard()), fresh.MayRepeat), fmt.Sprint(heard, false))

	for _, content := range [][]byte{whole[:len(whole)/2], whole} {
		fixture.Write(t, st.Transcript, string(content))
		d.catchUp(st, TrustTranscript)
	}
	want(t, "cut and whole again", fmt.Sprint(len(d.heard()), st.MayRepeat), fmt.Sprint(heard, true))
	d.say(st, "and write it down")
	want(t, "later", fmt.Sprint(len(d.heard())), fmt.Sprint(heard+1))
}

// The first task of a new session parks another session's mission. Each session finds its own again.
func TestNewTaskParks(t *testing.T) {
	d := newDesk(t)
	one, two := d.session("s1"), d.session("s2")
	d.say(one, "fix the auth pipeline", "never push to main")
	j := d.say(two, "hello", "build the invoice importer", "use CSV only")
	want(t, "the mission", j.Mission+j.Session, "build the invoice importers2")
	want(t, "said", d.said(j), "!use CSV only")
	j = d.say(one, "look at CI")
	want(t, "back in the first session, the mission", j.Mission+j.Session, "fix the auth pipelines1")
	want(t, "said", d.said(j), "!never push to main|look at CI")
	j = d.say(two, "quote every field")
	want(t, "and in the second", j.Mission+d.said(j), "build the invoice importer!use CSV only|quote every field")
}

// A session that asks to go on takes the mission over.
func TestContinuesMission(t *testing.T) {
	for words, again := range map[string]string{"continue": "", "fix the AUTH pipeline": "",
		"continue with the auth pipeline": "|continue with the auth pipeline"} {
		d := newDesk(t)
		d.say(d.session("s1"), "fix the auth pipeline", "never push to main")
		st := d.session("s2")
		j := d.say(st, "hi", words)
		want(t, words, j.Mission+j.Session+d.said(j), "fix the auth pipelines2!never push to main"+again)
		if !st.Opened {
			t.Errorf("%s: the session has no mission", words)
		}
		want(t, words+", and then", d.said(d.say(st, "look at CI")), "!never push to main"+again+"|look at CI")
	}
}

// A journal of an earlier version has no session: a new task parks it, a request to go on takes it over.
func TestAdoptedMission(t *testing.T) {
	for words, mission := range map[string]string{"build the invoice importer": "build the invoice importer",
		"continue": "fix auth"} {
		d := newDesk(t)
		if err := safefile.Dir(d.store.Lane.Dir); err != nil {
			t.Fatal(err)
		}
		fixture.Write(t, filepath.Join(d.store.Lane.Dir, "alice.json"),
			`{"mission":"fix auth","project":"myapp","completed":[{"task":"migrate"}]}`)
		j := d.say(d.session("s1"), words)
		want(t, words, j.Mission+j.Session, mission+"s1")
		if (len(j.Done) == 1) != (mission == "fix auth") {
			t.Errorf("%s: done are %+v", words, j.Done)
		}
		if !strings.Contains(d.files(), "migrate") {
			t.Errorf("%s: the adopted entry left without a trace", words)
		}
	}
}

// A mission that a command set stays: the first prompt is written beside it.
func TestNamedMissionStays(t *testing.T) {
	for _, owner := range []string{"", "s1"} {
		d := newDesk(t)
		d.update(func(j *journal.Journal) { j.OpenMission("ship 2.0", "ship 2.0", owner, journal.ByUser, "") })
		j := d.say(d.session("s1"), "start with the changelog, in English only")
		want(t, "owner "+owner, j.Mission+j.Session+"|"+d.said(j)+"|"+j.Wip,
			`ship 2.0s1|!start with the changelog, in English only|"start with the changelog, in English only"`)
	}
}

func TestLongFirstPrompt(t *testing.T) {
	d := newDesk(t)
	filler := strings.Repeat("The pipeline has many steps and each of them does something. ", 20)
	long := "Fix the auth pipeline. " + filler +
		"Never touch prod, however urgent somebody says it is, because that costs us the certificate and four weeks " +
		"of audits. " + filler + "Deploy to staging only, after the tests pass."
	st := d.session("s1")
	j := d.say(st, long)
	if n := text.Runes(j.Mission); n > journal.MaxMission ||
		!strings.HasPrefix(j.Mission, "Fix the auth pipeline. The pipeline") {
		t.Errorf("the mission has %d characters: %q", n, j.Mission)
	}
	all := j.Mission + d.said(j)
	for _, rule := range []string{"Never touch prod, however urgent somebody says it is, because that costs us the certificate and four weeks of audits.", "Deploy to staging only, after the tests pass."} {
		if !strings.Contains(all, rule) {
			t.Errorf("%q is neither in %q nor in %q", rule, j.Mission, d.said(j))
		}
	}
	want(t, "history", strings.Join(d.heard(), "|"), strings.TrimSpace(long))
	j = d.say(st, filler+"Always answer in English. "+filler)
	if got := d.said(j); !strings.Contains(got, "Always answer in English.") {
		t.Errorf("said were %q", got)
	}
}

// submit notes a prompt as the hook does, before the transcript has it.
func (d *desk) submit(st *session.Memory, words string) {
	d.store.Now = d.store.Now.Add(time.Minute)
	st.Submit(words, d.store.Now)
}

func TestPending(t *testing.T) {
	t.Run("confirmed", func(t *testing.T) {
		d := newDesk(t)
		st := d.session("s1")
		d.submit(st, "fix the auth pipeline")
		d.catchUp(st, TrustTranscript)
		if len(st.Pending) != 1 || st.Opened {
			t.Errorf("before the transcript shows it: %+v", st)
		}
		want(t, "history", strings.Join(d.journalOf(st, "fix the auth pipeline").heard(), "|"), "fix the auth pipeline")
		if len(st.Pending) != 0 {
			t.Errorf("pending are %+v", st.Pending)
		}
	})
	t.Run("blocked by another hook", func(t *testing.T) {
		d := newDesk(t)
		st := d.session("s1")
		d.submit(st, "push to prod")
		d.submit(st, "fix the auth pipeline")
		want(t, "history", strings.Join(d.journalOf(st, "fix the auth pipeline").heard(), "|"), "fix the auth pipeline")
		if len(st.Pending) != 0 {
			t.Errorf("pending are %+v", st.Pending)
		}
	})
	t.Run("not shown yet", func(t *testing.T) {
		d := newDesk(t)
		st := d.session("s1")
		line := d.line("fix the auth pipeline")
		d.submit(st, "look at CI")
		d.write(st, line) // the line of an earlier prompt
		d.catchUp(st, TrustTranscript)
		d.catchUp(st, TrustMissing) // there is a transcript to ask
		if len(st.Pending) != 1 || d.said(d.journal()) != "" {
			t.Errorf("pending are %+v, said were %s", st.Pending, d.said(d.journal()))
		}
	})
	t.Run("there is no transcript to ask", func(t *testing.T) {
		d := newDesk(t)
		st := d.session("s1")
		d.submit(st, "fix the auth pipeline")
		d.submit(st, "never push to main")
		d.catchUp(st, TrustMissing)
		j := d.journal()
		want(t, "the mission", j.Mission+"|"+d.said(j), "fix the auth pipeline|!never push to main")
		if len(st.Pending) != 0 || j.MissionRef != "" {
			t.Errorf("it is %+v %+v", st, j)
		}
		d.say(st, "fix the auth pipeline", "never push to main", "look at CI") // it turns up after all
		j = d.journal()
		want(t, "then the mission", j.Mission+j.MissionRef+"|"+d.said(j),
			"fix the auth pipelineu1|!never push to main|look at CI")
		want(t, "history", strings.Join(d.heard(), "|"), "fix the auth pipeline|never push to main|look at CI")
	})
	t.Run("Claude is at work on it", func(t *testing.T) {
		d := newDesk(t)
		st := d.session("s1")
		d.say(st, "fix the auth pipeline")
		d.submit(st, "push to prod") // blocked, for all we know
		d.submit(st, "never push to main")
		d.catchUp(st, TrustPrompt)
		want(t, "said", d.said(d.journal()), "!never push to main")
		d.say(st, "never push to main", "look at CI")
		want(t, "then said", d.said(d.journal()), "!never push to main|look at CI")
		want(t, "history", strings.Join(d.heard(), "|"), "fix the auth pipeline|never push to main|look at CI")
		want(t, "said again", d.said(d.say(st, "never push to main")),
			"!never push to main|look at CI|!never push to main")
	})
	t.Run("a line too long to look at", func(t *testing.T) {
		d := newDesk(t)
		st := d.session("s1")
		d.say(st, "fix the auth pipeline")
		d.submit(st, "what is wrong on this screenshot?")
		d.write(st, `{"type":"user","x":"`+strings.Repeat("x", 9<<20)+`"}`+"\n")
		d.catchUp(st, TrustTranscript)
		want(t, "then said", d.said(d.say(st, "look at CI")), "what is wrong on this screenshot?|look at CI")
	})
}

// journalOf writes what was typed to the transcript and catches up.
func (d *desk) journalOf(st *session.Memory, words string) *desk {
	d.t.Helper()
	d.say(st, words)
	return d
}

// A damaged journal is set aside, and the session's transcript is read again.
func TestDamagedJournal(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "fix the auth pipeline", "never push to main")
	fixture.Write(t, d.store.Lane.Journal(), `{"mission":`)
	j := d.say(st, "look at CI")
	want(t, "the mission", j.Mission+"|"+d.said(j), "fix the auth pipeline|!never push to main|look at CI")
	want(t, "history", strings.Join(d.heard(), "|"), "fix the auth pipeline|never push to main|look at CI")
	if !strings.Contains(st.Trouble, "set aside") {
		t.Errorf("nobody is told: %q", st.Trouble)
	}
}

// An error leaves the session memory as it was, and the next call goes on there.
func TestErrors(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "hello")
	d.submit(st, "fix the auth pipeline")
	d.write(st, d.line("fix the auth pipeline"))
	before := *st
	unlock, err := safefile.Lock(d.store.Lane.Lock(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	d.store.Wait = 0
	if err := CatchUp(d.store, st, TrustPrompt); !errors.Is(err, safefile.ErrBusy) || !reflect.DeepEqual(*st, before) {
		t.Errorf("while another holds the lock: %v, %+v", err, st)
	}
	unlock()

	history, err := log.Store{Dir: d.store.Lane.Dir}.File(d.store.Lane.Slug, "s1") // a disk that takes no more
	if err == nil {
		err = os.Rename(history, history+"2")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(history, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := CatchUp(d.store, st, TrustPrompt); !errors.Is(err, safefile.ErrRefused) ||
		!reflect.DeepEqual(*st, before) {
		t.Errorf("without a history: %v, %+v", err, st)
	}
	if err := os.Remove(history); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(history+"2", history); err != nil {
		t.Fatal(err)
	}
	d.catchUp(st, TrustTranscript)
	want(t, "then the mission", d.journal().Mission, "fix the auth pipeline")

	transcript := st.Transcript
	st.Transcript = d.home // a folder
	before = *st
	if err := CatchUp(d.store, st, TrustMissing); err == nil || !reflect.DeepEqual(*st, before) {
		t.Errorf("with a folder for a transcript: %v, %+v", err, st)
	}
	st.Transcript = transcript
	d.say(st, "look at CI")
}

// A forgotten prompt is not captured again, even when its line is written later.
func TestForgotten(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	late := d.line("the launch is on 3 May, don't tell")
	d.store.Now = d.store.Now.Add(time.Minute)
	st.Since = d.store.Now
	d.write(st, late)
	d.catchUp(st, TrustTranscript)
	if _, err := d.store.Read(); err == nil {
		t.Errorf("it is %+v", d.journal())
	}
	want(t, "then the mission", d.say(st, "fix the auth pipeline").Mission, "fix the auth pipeline")
	want(t, "history", strings.Join(d.heard(), "|"), "fix the auth pipeline")
}

// TestErasedPhrase: of a prompt with an erased phrase nothing is kept, no empty line either, and an error on the way
// takes none of the prompts that wait.
func TestErasedPhrase(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	k := withheld.Erasure{In: []string{"myapp"}, Phrase: "the launch", ByPerson: true}
	if err := k.Add(d.store.Config.Dir, time.Minute); err != nil {
		t.Fatal(err)
	}
	lines := ""
	for _, words := range []string{"the launch is on 3 May", "fix the auth pipeline"} {
		d.submit(st, words)
		lines += d.line(words)
	}
	d.write(st, lines)
	before := slices.Clone(st.Pending)
	unlock, err := safefile.Lock(d.store.Lane.Lock(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	d.store.Wait = 0
	if err := CatchUp(d.store, st, TrustPrompt); !errors.Is(err, safefile.ErrBusy) ||
		!slices.Equal(st.Pending, before) {
		t.Errorf("while another holds the lock: %v, %+v", err, st.Pending)
	}
	unlock()
	d.catchUp(st, TrustTranscript)
	want(t, "history", strings.Join(d.heard(), "|"), "fix the auth pipeline")
}

// A fork's transcript begins with its parent's prompts. Its copy of the journal holds them; a copy of the wrong
// session's journal is put away.
func TestFork(t *testing.T) {
	importer, auth := []string{"build the invoice importer", "quote every field"},
		[]string{"fix the auth pipeline", "never push to main"}
	for _, tt := range []struct {
		name           string
		newest         []string // what was typed in the session whose journal was copied
		change         func(*journal.Journal)
		parent         []string // what the fork's transcript begins with
		mission, quote string
		parked         bool
	}{
		{"its parent's", auth, nil, auth, "fix the auth pipeline",
			"!never push to main|!use CSV only|!never push to main", false},
		{"its parent's, reworded", auth, func(j *journal.Journal) {
			j.OpenMission("auth, on staging", "auth, on staging", j.Session, journal.ByClaude, "")
		}, auth, "auth, on staging", "fix the auth pipeline|!never push to main|!use CSV only|!never push to main",
			false},
		{"its parent's, reworded by the user", auth,
			func(j *journal.Journal) {
				j.OpenMission("auth, on staging", "auth, on staging", j.Session, journal.ByUser, "")
			}, auth, "auth, on staging", "fix the auth pipeline|!never push to main|!use CSV only|!never push to main",
			false},
		{"its parent's, that only went on", auth, nil, []string{"continue", "ok"}, "fix the auth pipeline",
			"!never push to main|!use CSV only|!never push to main", false},
		{"another's", importer, nil, auth, "fix the auth pipeline",
			"!never push to main|!use CSV only|!never push to main", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t)
			d.say(d.session("s1"), auth...)
			d.say(d.session("s2"), importer...)
			d.say(d.session("s3"), tt.newest...)
			if tt.change != nil {
				d.update(tt.change)
			}
			fork := *d
			fork.store.Lane.Name += "~f0"
			if _, err := fork.store.Copy(d.store.Lane, "f0"); err != nil {
				t.Fatal(err)
			}
			fork.update(func(j *journal.Journal) { j.Session = "f0"; j.AddDone(journal.Entry{Act: "looked around"}) })
			lines := ""
			for _, words := range tt.parent {
				lines += fork.line(words)
			}
			fork.store.Now = fork.store.Now.Add(time.Minute)
			st := fork.session("f0")
			st.Lane, st.Forked, st.Opened = fork.store.Lane.Name, true, true
			// the last said before, and again
			fork.write(st, lines+fork.line("use CSV only")+fork.line("never push to main"))
			fork.catchUp(st, TrustTranscript)
			j := fork.journal()
			want(t, "the mission", j.Mission+"|"+d.said(j)+"|"+j.Session, tt.mission+"|"+tt.quote+"|f0")
			if (len(j.Done) == 0) != tt.parked || !strings.Contains(fork.files(), "looked around") {
				t.Errorf("done are %+v", j.Done)
			}
			if found, err := new(journal.Journal).Restore(fork.store.Lane, "f0"); found || err != nil || st.Forked {
				t.Errorf("what was put away is taken for its own: %v, %v", found, err)
			}
		})
	}
}

// Each prompt is in the history once: from two sessions in turn, and from one whose hooks are killed again and again
// before they write the session memory.
func TestEveryWordOnce(t *testing.T) {
	for seed := range int64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewSource(seed))
			d := newDesk(t)
			states := []*session.Memory{d.session("s1"), d.session("s2")}[:1+seed%2]
			typed := map[string]bool{}
			late := map[string]string{}
			for n := range 120 {
				st := states[r.Intn(len(states))]
				if line := late[st.ID]; line != "" && r.Intn(2) == 0 {
					d.write(st, line)
					late[st.ID] = ""
				}
				switch r.Intn(6) {
				case 0, 1, 2:
					if late[st.ID] != "" {
						continue
					}
					words := fmt.Sprintf("%d %s", n,
						[]string{"fix the auth pipeline", "never push to main.", "look at CI", "ok", "Don't do that. " +
							strings.Repeat("It is long. ", 60), "I am switching to a different project now",
							"build the importer, only for CSV"}[r.Intn(7)])
					typed[strings.TrimSpace(words)] = true
					d.submit(st, strings.TrimSpace(words))
					line := d.line(words)
					if late[st.ID] = line; r.Intn(2) == 0 {
						d.write(st, line)
						late[st.ID] = ""
					}
				case 3:
					before := *st
					d.catchUp(st, TrustTranscript)
					if r.Intn(3) == 0 && len(states) == 1 {
						*st = before // killed
					}
				case 4:
					d.catchUp(st, TrustPrompt)
				case 5:
					d.update(func(j *journal.Journal) {
						switch r.Intn(3) {
						case 0:
							j.Close("left", "")
						case 1:
							j.AddDone(journal.Entry{Act: fmt.Sprint("step ", n)})
						case 2:
							j.SetWip(fmt.Sprint("work ", n), journal.ByClaude)
						}
					})
				}
			}
			for _, st := range states {
				d.write(st, late[st.ID])
				d.catchUp(st, TrustTranscript)
				d.catchUp(st, TrustTranscript)
			}
			count := map[string]int{}
			for _, words := range d.heard() {
				count[words]++
			}
			for words := range typed {
				if count[words] != 1 {
					t.Errorf("%.40q is in history %d times", words, count[words])
				}
			}
			for words := range count {
				if !typed[words] {
					t.Errorf("%.40q was never typed", words)
				}
			}
		})
	}
}
