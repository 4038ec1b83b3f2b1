package capture

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/log"
	turns "github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
)

// answers is the line of a text of Claude's.
func (d *desk) answers(id, words string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":%q,"timestamp":%q,"message":{"content":[{"type":"text",`+
		`"text":%q}]}}`+
		"\n", id, d.store.Now.Format(time.RFC3339Nano), words)
}

// keep is an event at which Claude answered final last.
func (d *desk) keep(st *session.Memory, final string) {
	d.t.Helper()
	d.catchUp(st, TrustTranscript)
	if err := KeepAnswer(d.store, st, final); err != nil {
		d.t.Fatal(err)
	}
}

// kept lists the turns of a session: "prompt=answer", with what happened in them.
func (d *desk) kept(st *session.Memory) string {
	d.t.Helper()
	var out []string
	all, err := turns.Read(log.Store{Dir: d.store.Lane.Dir}, d.store.Lane.Slug, st.ID)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, one := range all {
		words := one.Prompt + "=" + one.Answer
		for _, r := range one.Ran {
			words += fmt.Sprintf(" %s:%s:%v", r.Cmd, r.Line, r.Failed)
		}
		if words += strings.Join(append(one.Commits, one.Files...), ","); one.Compacted {
			words += " compacted"
		}
		out = append(out, words)
	}
	return strings.Join(out, " | ")
}

// TestKeepTurns: a turn is kept whole, however many events it is read in.
func TestKeepTurns(t *testing.T) {
	tool := func(id, name, input, result string, failed bool) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"c%s","message":{"content":[{"type":"tool_use","id":%q,`+
			`"name":%q,"input":%s}]}}`+
			"\n", id, id, name, input) +
			fmt.Sprintf(`{"type":"user","uuid":"r%s","message":{"content":[{"type":"tool_result","tool_use_id":%q,`+
				`"is_error":%v,"content":%q}]}}`+
				"\n", id, id, failed, result)
	}
	for _, often := range []bool{false, true} {
		d := newDesk(t)
		st := d.session("s1")
		lines := []string{
			d.line("make the cart faster"), d.answers("a1", "I look first."),
			tool("t1", "Bash", `{"command":"go test ./cart"}`,
				"Exit code 1\n--- FAIL: TestTotal\ncart_test.go:9: got 3", true),
			tool("t2", "Edit", `{"file_path":"cart.go"}`, "ok", false),
			tool("t3", "Bash", `{"command":"git commit -m x"}`, "[main 1234567] Sum once\n 1 file changed", false),
			`{"type":"system","subtype":"compact_boundary","uuid":"b1"}` + "\n",
			`{"type":"assistant","isSidechain":true,"uuid":"x1","message":{"content":[{"type":"text","text":"a ` +
				`subagent"}]}}` + "\n",
			d.answers("a2", "The cart sums once now."),
			d.line("thanks, and the invoice?"), d.answers("a3", "It is untouched."),
		}
		for _, l := range lines {
			d.write(st, l)
			if often {
				d.catchUp(st, TrustTranscript)
				d.keep(st, "")
			}
		}
		d.catchUp(st, TrustTranscript)
		d.keep(st, "")
		all := "make the cart faster=The cart sums once now. go test ./cart:cart_test.go:9: got 3:true" +
			"1234567 Sum once,cart.go compacted | thanks, and the invoice?=It is untouched."
		got := d.kept(st)
		if want := strings.ReplaceAll(all, "cart_test.go:9: got 3", "--- FAIL: TestTotal"); got != all && got != want {
			t.Errorf("often %v: %s", often, got)
		}
		st.Turns, st.Read = session.Turns{}, transcript.Position{} // the memory was lost
		d.keep(st, "")
		if again := d.kept(st); again != got {
			t.Error("read again:", again)
		}
		d = newDesk(t)
		d.store.Config.Past = config.PastWords
		other := d.session("s2")
		d.write(other, strings.Join(lines, ""))
		d.keep(other, "")
		if got := d.kept(other); got != "make the cart faster= | thanks, and the invoice?=" {
			t.Error("words alone:", got)
		}
		d.store.Config.Past = config.PastJournal
		none := d.session("s3")
		none.Transcript = other.Transcript
		d.keep(none, "all is done")
		if got := d.kept(none); got != "" {
			t.Error("nothing is to be kept:", got)
		}
	}
}

// TestTurnsWithheld: words that may not be kept take Claude's answer to them along, and nothing of a later turn.
func TestTurnsWithheld(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.write(st, d.line("first")+d.answers("a1", "one"))
	d.write(st, d.line("use <private>the zeppelin</private> here")+d.answers("a2", "the zeppelin is used"))
	d.write(st, d.line("<private>sell the zeppelin</private>")+d.answers("a3", "the zeppelin is sold"))
	d.write(st, d.line("second")+d.answers("a4", "two"))
	d.store.Now = d.store.Now.Add(time.Minute)
	d.pause(t, true, "myapp")
	d.write(st, d.line("paint the zeppelin")+d.answers("a5", "the zeppelin is painted"))
	d.store.Now = d.store.Now.Add(time.Minute)
	d.pause(t, false, "myapp")
	d.store.Now = d.store.Now.Add(time.Minute)
	d.write(st, d.answers("a6", "the zeppelin dries"))
	d.write(st, d.line("third")+d.answers("a7", "three"))
	forgotten := d.line("forget the zeppelin")
	d.write(st, forgotten+d.answers("a8", "the zeppelin is forgotten"))
	last := []string{fmt.Sprint("u", d.typed)}
	if err := (withheld.Erasure{IDs: last}).Add(d.store.Lane.Dir, time.Second); err != nil {
		t.Fatal(err)
	}
	d.catchUp(st, TrustTranscript)
	d.keep(st, "the zeppelin is forgotten")
	if got := d.kept(st); got != "first=one | use [private] here= | second=two | third=three" {
		t.Error(got)
	}
}

// TestTurnsRewound: only the live branch is kept.
func TestTurnsRewound(t *testing.T) {
	c := newChat(t, "s1")
	c.turn("first")
	c.turn("second")
	c.keep(c.st, "")
	c.back(2)
	c.turn("another")
	for range 2 {
		c.catchUp(c.st, TrustTranscript)
		c.keep(c.st, "")
		if got := c.kept(c.st); got != "first=on it | another=on it" {
			t.Error(got)
		}
		c.st.Turns, c.st.Read = session.Turns{}, transcript.Position{}
	}
}

// TestTurnsFinal: the client's last message counts when the transcript does not show it yet.
func TestTurnsFinal(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.write(st, d.line("first")+d.answers("a1", "I look"))
	d.keep(st, "all done")
	if got := d.kept(st); got != "first=all done" {
		t.Error(got)
	}
	d.write(st, d.answers("a2", "all done"))
	d.submit(st, "second")
	d.keep(st, "an answer to the second")
	if got := d.kept(st); got != "first=all done" {
		t.Error("a prompt that the transcript does not show:", got)
	}
}
