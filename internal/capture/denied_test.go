package capture

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/session"
)

// denial is the two lines of a journal command that nobody could be asked about.
func (d *desk) denial(id, command string) (call, result string) {
	d.store.Now = d.store.Now.Add(1e9)
	line := func(kind, block string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"%s-%s","timestamp":%q,"message":{"content":[%s]}}`+"\n", kind, kind, id,
			d.store.Now.Format("2006-01-02T15:04:05Z"), block)
	}
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		d.t.Fatal(err)
	}
	return line("assistant", fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Bash","input":%s}`, id, input)),
		line("user",
			fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"is_error":true,"content":"This command requires approval"}`, id))
}

// TestDeniedAcrossEvents: the call is read by one event, its result by another, with others in between.
func TestDeniedAcrossEvents(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "Move the invoices to the new tax table.")
	call, result := d.denial("t1", `memento done "read the tax table" --wip "write the migration"`)
	d.write(st, call)
	d.catchUp(st, TrustTranscript)
	d.say(st, "and the receipts as well")
	if j := d.journal(); len(j.Done) != 0 {
		t.Fatalf("taken before its result was known: %+v", j.Done)
	}
	d.write(st, result)
	d.catchUp(st, TrustTranscript)
	d.catchUp(st, TrustTranscript)
	j := d.journal()
	if len(j.Done) != 1 || j.Done[0].Act != "read the tax table" || j.Done[0].By != journal.ByClaude ||
		j.Wip != "write the migration" || j.WipBy != journal.ByClaude {
		t.Errorf("done %+v, wip %q by %s", j.Done, j.Wip, j.WipBy)
	}
	if len(st.Work.Calls) != 0 {
		t.Errorf("still waiting for %+v", st.Work.Calls)
	}
}

// TestDeniedOnce: each denied command is applied once and in order, even after a crash.
func TestDeniedOnce(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "Move the invoices to the new tax table.")
	const held = 8 // ids that a journal holds
	const n = 3 * held
	for i := range n {
		call, result := d.denial(fmt.Sprint("t", i), fmt.Sprintf("memento done 'table %d of the set'", i))
		d.write(st, call+result)
		if i%5 != 0 { // several in one event, and one at a time
			d.catchUp(st, TrustTranscript)
		}
		if i%7 == 0 {
			// its state was lost
			fresh := session.Memory{ID: st.ID, Lane: st.Lane, Transcript: st.Transcript, Started: st.Started}
			*st = fresh
		}
	}
	d.catchUp(st, TrustTranscript)
	var acts []string
	if err := history.Read(d.store.Lane, func(l log.Entry) bool {
		if l.Kind == "done" {
			acts = append(acts, l.Text)
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	j := d.journal()
	for _, e := range j.Done {
		acts = append(acts, e.Act)
	}
	for i := range n {
		if want := fmt.Sprintf("table %d of the set", i); i >= len(acts) || acts[i] != want {
			t.Fatalf("want %d entries in order, each once, got %s", n, strings.Join(acts, ", "))
		}
	}
	if len(acts) != n {
		t.Errorf("%d entries, want %d", len(acts), n)
	}
}

// TestDeniedAfterDamage: a damaged journal gets its facts back from the transcript.
func TestDeniedAfterDamage(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "Move the invoices to the new tax table.")
	call, result := d.denial("t1", `memento done --wip "write the migration"`)
	d.write(st, call+result)
	d.catchUp(st, TrustTranscript)
	fixture.Write(t, d.store.Lane.Journal(), `{"mission":`)
	d.catchUp(st, TrustTranscript)
	if j := d.journal(); j.Wip != "write the migration" {
		t.Errorf("wip is %q", j.Wip)
	}
}
