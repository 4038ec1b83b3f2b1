package capture

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
)

// listen catches up and returns the words that the listener received.
func (d *desk) listen(st *session.Memory) string {
	d.t.Helper()
	var out []string
	if err := Listen(d.store, st, TrustTranscript, func(said []Said) error {
		for _, s := range said {
			what := s.By + " " + s.UUID + " " + s.Text
			if s.Gone {
				what = "gone " + s.UUID
			}
			if s.Old {
				what = "old " + what
			}
			out = append(out, what)
		}
		return nil
	}); err != nil {
		d.t.Fatal(err)
	}
	return strings.Join(out, "|")
}

func claude(id, words string) string {
	return `{"type":"assistant","uuid":"` + id +
		`","timestamp":"2026-03-14T12:00:00Z","message":{"role":"assistant","content":[{"type":"text","text":"` +
		words + `"}]}}` + "\n"
}

func TestListen(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.write(st, d.line("Build the shop"))
	d.write(st, claude("a1", "On <private>x</private> it."))
	d.write(st, d.line("staging only"))
	d.write(st,
		`{"type":"assistant","isSidechain":true,"uuid":"a2","message":{"content":[{"type":"text","text":"never"}]}}`+
			"\n")
	d.write(st,
		`{"type":"user","uuid":"r1","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"never"}]}}`+"\n")
	if got, want := d.listen(st),
		"user u1 Build the shop|claude a1 On [private] it.|user u2 staging only"; got != want {
		t.Errorf("it hears %s, want %s", got, want)
	}
	if got := d.listen(st); got != "" {
		t.Errorf("again it hears %s", got)
	}
	d.write(st, claude("a3", "Done.")) // nothing for the journal
	if got := d.listen(st); got != "claude a3 Done." {
		t.Errorf("then it hears %s", got)
	}
	st.Submit("blocked, perhaps", d.store.Now)
	if got := d.listen(st); got != "" {
		t.Errorf("of what waits for the transcript it hears %s", got)
	}
}

// When the listener is busy, the journal is written all the same, and the listener receives the words again with the
// next ones. Any other error of the listener is ignored.
func TestListenBusy(t *testing.T) {
	busy := func([]Said) error { return fmt.Errorf("inbox: %w", safefile.ErrBusy) }
	d := newDesk(t)
	st := d.session("s1")
	d.write(st, d.line("Build the shop"))
	if err := Listen(d.store, st, TrustTranscript, busy); err != nil {
		t.Fatal(err)
	}
	if j := d.journal(); j.Mission != "Build the shop" {
		t.Errorf("the mission is %q", j.Mission)
	}
	d.write(st, claude("a1", "On it."))
	d.write(st, d.line("staging only"))
	if err := Listen(d.store, st, TrustTranscript, busy); err != nil {
		t.Fatal(err)
	}
	if j := d.journal(); len(j.Said) != 1 || j.Said[0].Text != "staging only" {
		t.Errorf("the journal has %+v", j.Said)
	}
	if got, want := d.listen(st), "user u1 Build the shop|claude a1 On it.|user u2 staging only"; got != want {
		t.Errorf("it hears %s, want %s", got, want)
	}
	if got := d.listen(st); got != "" {
		t.Errorf("after that it hears %s", got)
	}

	d.write(st, d.line("no force push"))
	if err := Listen(d.store, st, TrustTranscript, func([]Said) error { return errors.New("refused") }); err != nil {
		t.Errorf("Listen: %v", err)
	}
	if got := d.listen(st); got != "" {
		t.Errorf("after an error of its own it hears %s", got)
	}
	d.write(st, d.line("at most 10 MB"))
	d.catchUp(st, TrustTranscript) // a command, which hands nothing on
	d.write(st, claude("a2", "Fine."))
	if got, want := d.listen(st), "user u4 at most 10 MB|claude a2 Fine."; got != want {
		t.Errorf("after nobody newest it hears %s, want %s", got, want)
	}
}

// The listener does not receive words that were rewound before it could. It is told that words it received are gone as
// soon as it is no longer busy.
func TestListenBusyBranch(t *testing.T) {
	busy := func([]Said) error { return safefile.ErrBusy }
	c := newChat(t, "s1")
	c.turn("Build the shop")
	c.listen(c.st)
	c.turn("at most 10 MB")
	for range 2 {
		if err := Listen(c.store, c.st, TrustTranscript, busy); err != nil {
			t.Fatal(err)
		}
		c.back(2)
		c.turn("at most 20 MB")
	}
	if err := Listen(c.store, c.st, TrustTranscript, busy); err != nil {
		t.Fatal(err)
	}
	if got, want := c.listen(c.st),
		"gone au2|gone au3|gone u2|gone u3|user u4 at most 20 MB|claude au4 on it"; got != want {
		t.Errorf("it hears %s, want %s", got, want)
	}
	if got := c.listen(c.st); got != "" {
		t.Errorf("again it hears %s", got)
	}
	if j := c.journal(); len(j.Said) != 1 || j.Said[0].Ref != "u4" {
		t.Errorf("the journal has %+v", j.Said)
	}
}

// The listener receives no words from before the fork.
func TestListenBusyFork(t *testing.T) {
	d := newDesk(t)
	parent, st := d.session("s1"), d.session("s2")
	st.Forked, st.Transcript = true, parent.Transcript
	d.say(parent, "Build the shop", "staging only")
	st.Started = d.store.Now.Add(time.Second)
	d.write(st, d.line("at most 10 MB"))
	d.catchUp(st, TrustTranscript)
	if got, want := d.listen(st), "user u3 at most 10 MB"; got != want {
		t.Errorf("it hears %s, want %s", got, want)
	}
}

// What one event has no time to deliver, the next ones deliver.
func TestListenBusyLong(t *testing.T) {
	now := time.Time{}
	testOnlyClock = func() time.Time { return now }
	t.Cleanup(func() { testOnlyClock = spent })
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "Build the shop")
	d.listen(st)
	for i := range 3 {
		d.write(st, d.line(fmt.Sprint("staging only, part ", i)))
		d.write(st,
			`{"type":"user","uuid":"r1","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"`+
				strings.Repeat("x", newest)+`"}]}}`+"\n")
	}
	if d.catchUp(st, TrustTranscript); st.Unheard == nil {
		t.Fatal("nothing is left to be heard")
	}
	testOnlyClock = func() time.Time { now = now.Add(patience); return now } // time enough for one look
	var got []string
	for range 4 {
		got = append(got, d.listen(st))
	}
	if want := "user u2 staging only, part 0,user u3 staging only, part 1,user u4 staging only, part 2,"; strings.Join(got, ",") != want {
		t.Errorf("it hears %q, want %q", got, want)
	}
}

// Prompts from long before the first event are marked as old. Of Claude's texts only the newest are delivered.
func TestListenOld(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.write(st, d.line("Build the shop"))
	d.write(st, claude("a1", "On it."))
	d.write(st, `{"type":"user","uuid":"r1","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"`+
		strings.Repeat("x", newest)+`"}]}}`+"\n")
	d.write(st, d.line("staging only"))
	d.write(st, claude("a2", "Done."))
	if got, want := d.listen(st), "old user u1 Build the shop|user u2 staging only|claude a2 Done."; got != want {
		t.Errorf("it hears %s, want %s", got, want)
	}
	d.write(st, d.line("no force push"))
	d.write(st, claude("a3", "Fine."))
	d.write(st, `{"type":"user","uuid":"r2","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"`+
		strings.Repeat("x", newest)+`"}]}}`+"\n")
	if got, want := d.listen(st), "user u3 no force push"; got != want {
		t.Errorf("in a long turn it hears %s, want %s", got, want)
	}
}

// The listener is told that rewound words are gone, and receives the words typed in their place.
func TestListenRewound(t *testing.T) {
	c := newChat(t, "s1")
	c.turn("Build the shop")
	c.turn("at most 10 MB")
	if got := c.listen(c.st); !strings.Contains(got, "user u2 at most 10 MB") {
		t.Errorf("it hears %s", got)
	}
	c.back(2)
	c.turn("at most 20 MB")
	if got, want := c.listen(c.st), "gone au2|gone u2|user u3 at most 20 MB|claude au3 on it"; got != want {
		t.Errorf("it hears %s, want %s", got, want)
	}

	// What was left before anybody newest was never said.
	c = newChat(t, "s2")
	c.turn("Build the shop")
	c.turn("at most 10 MB")
	c.back(2)
	c.turn("at most 20 MB")
	if got := c.listen(c.st); strings.Contains(got, "user u2") || strings.Contains(got, "claude au2") ||
		!strings.Contains(got, "user u3 at most 20 MB") {
		t.Errorf("read at once it hears %s", got)
	}
}
