package capture

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/withheld"
)

// answer is the transcript's line of something that Claude says now.
func (d *desk) answer(words string) string {
	d.typed++
	d.store.Now = d.store.Now.Add(time.Minute)
	return fmt.Sprintf(`{"type":"assistant","uuid":"a%d","timestamp":%q,"message":{"role":"assistant",`+
		`"content":[{"type":"text","text":%q}]}}`+"\n",
		d.typed, d.store.Now.Format(time.RFC3339Nano), words)
}

// queue is the transcript's line of something that the client does with its queue of prompts now.
func (d *desk) queue(op, more string) string {
	return fmt.Sprintf(`{"type":"queue-operation","operation":%q,"timestamp":%q%s}`+"\n", op,
		d.store.Now.Format(time.RFC3339Nano), more)
}

// A short reply stands with what it answers, and with nothing else of Claude's.
func TestProposed(t *testing.T) {
	const deploy = "Shall I deploy the shop to production now?"
	refused := toolLines("t1", "Bash", `{"command":"rm -r dist"}`, true,
		"The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed,"+
			" the user said:\nno",
		"")
	for name, c := range map[string]struct {
		play func(d *desk, st *session.Memory) []string
		want string
	}{
		"a question": {func(d *desk, st *session.Memory) []string {
			return []string{d.answer(deploy), d.line("yes")}
		}, deploy},
		"words typed when a call was refused": {func(d *desk, st *session.Memory) []string {
			return []string{d.answer(deploy), d.line("first run the whole suite, and show me what failed"), refused}
		}, ""},
		"a question that another prompt answered": {func(d *desk, st *session.Memory) []string {
			return []string{d.answer(deploy), d.line("first run the whole suite, and show me what failed"),
				toolLines("t2", "Bash", `{"command":"ls"}`, false, "dist", ""), d.line("ok")}
		}, ""},
		"a question behind one that was forgotten": {func(d *desk, st *session.Memory) []string {
			lines := []string{d.answer(deploy), d.line("wait"), d.answer("Shall I call Project Falcon off?"),
				d.line("yes")}
			if err := (withheld.Erasure{IDs: []string{"a" + fmt.Sprint(d.typed-1)}}).Add(d.store.Lane.Dir,
				time.Minute); err != nil {
				t.Fatal(err)
			}
			return lines
		}, ""},
		"a question asked while the reply waited in the queue": {func(d *desk, st *session.Memory) []string {
			return []string{d.queue("enqueue", `,"content":"ok"`), d.answer(deploy), d.queue("dequeue", ""),
				d.line("ok")}
		}, ""},
		"a question asked before a queued reply was passed on": {func(d *desk, st *session.Memory) []string {
			return []string{d.queue("enqueue", `,"content":"ok"`), d.answer(deploy), d.queue("remove", "")}
		}, ""},
		"a question asked in a pause": {func(d *desk, st *session.Memory) []string {
			lines := []string{d.answer(deploy), d.line("wait")}
			if err := withheld.Pause(d.store.Lane.Dir, withheld.Key("myapp"), d.store.Now.Add(time.Second), time.Minute,
				nil); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, d.answer("Shall I call Project Falcon off?"))
			if err := withheld.Unpause(d.store.Lane.Dir, withheld.Key("myapp"), d.store.Now.Add(time.Second),
				time.Minute, func(string) withheld.Place { return withheld.Place{} }); err != nil {
				t.Fatal(err)
			}
			return append(lines, d.line("yes"))
		}, ""},
		"private words": {func(d *desk, st *session.Memory) []string {
			return []string{d.answer("<private>Falcon. " + strings.Repeat("The suite is green. ", 4000) +
				"Falcon flies at noon, does it not?</private>"), d.line("yes")}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			st := d.session("s1")
			d.write(st, d.line("split the orders table by year"))
			d.write(st, strings.Join(c.play(d, st), ""))
			if err := CatchUp(d.store, st, TrustTranscript); err != nil {
				t.Fatal(err)
			}
			if got := st.Work.Proposed; got != c.want {
				t.Errorf("it answers %q, not %q", got, c.want)
			}
		})
	}
}

// What Claude says counts also when a command of memento's, which has no listener, reads it.
func TestProposedBetween(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.write(st, d.line("split the orders table by year")+d.answer("Shall I deploy the shop to staging now?")+
		d.line("go"))
	if err := CatchUp(d.store, st, TrustTranscript); err != nil {
		t.Fatal(err)
	}
	d.write(st, d.answer("Shall I deploy the shop to production now?"))
	d.catchUp(st, TrustPrompt)
	d.write(st, d.line("no"))
	if err := CatchUp(d.store, st, TrustTranscript); err != nil {
		t.Fatal(err)
	}
	if got := st.Work.Proposed; got != "Shall I deploy the shop to production now?" {
		t.Errorf("the reply answers %q", got)
	}
}

// A reply does not answer what Claude said on a branch that the user left.
func TestProposedRewound(t *testing.T) {
	c := newChat(t, "s1")
	say := func(words string) {
		c.put(map[string]any{"type": "assistant", "parentUuid": c.tip, "uuid": c.tip + "b",
			"message": map[string]any{"role": "assistant", "content": words}})
	}
	c.turn("split the orders table by year")
	say("Shall I deploy the shop to staging now?")
	tip := c.tip
	c.turn("yes")
	say("Shall I deploy the shop to production now?")
	c.tip = tip
	c.turn("no")
	if err := CatchUp(c.store, c.st, TrustTranscript); err != nil {
		t.Fatal(err)
	}
	if got := c.st.Work.Proposed; got != "" {
		t.Errorf("the reply answers %q", got)
	}
}

// A prompt behind a compaction stands below lines of the client's, and answers what Claude said before.
func TestProposedBehindCompaction(t *testing.T) {
	const ask = "Shall I deploy the shop to staging now?"
	c := newChat(t, "s1")
	c.turn("split the orders table by year")
	c.put(map[string]any{"type": "assistant", "parentUuid": c.tip, "uuid": "b1",
		"message": map[string]any{"role": "assistant", "content": ask}})
	c.put(map[string]any{"type": "system", "subtype": "compact_boundary", "uuid": "b2", "parentUuid": nil,
		"logicalParentUuid": "b1"})
	c.put(map[string]any{"type": "user", "uuid": "b3", "parentUuid": "b2", "isCompactSummary": true,
		"message": map[string]any{"role": "user", "content": "The session so far."}})
	c.tip = "an attachment"
	c.turn("yes")
	if err := CatchUp(c.store, c.st, TrustTranscript); err != nil {
		t.Fatal(err)
	}
	if got := c.st.Work.Proposed; got != ask {
		t.Errorf("the reply answers %q", got)
	}
}
