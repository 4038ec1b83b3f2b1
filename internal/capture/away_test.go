package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/withheld"
)

// committed is the two lines of a commit, at the times given; "" leaves the time out.
func committed(id, subject, called, answered string) string {
	line := func(kind, ts, block string) string {
		if ts != "" {
			ts = `,"timestamp":"` + ts + `"`
		}
		return fmt.Sprintf(`{"type":%q,"uuid":"%s-%s"%s,"message":{"content":[%s]}}`+"\n", kind, kind, id, ts, block)
	}
	return line("assistant", called,
		fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"git commit -m x"}}`, id)) +
		line("user", answered,
			fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"content":"[main 1234567] %s\n 1 file changed"}`, id,
				subject))
}

func (d *desk) pause(t *testing.T, on bool, key string) {
	t.Helper()
	err := error(nil)
	if on {
		err = withheld.Pause(d.store.Lane.Dir, key, d.store.Now, time.Minute, nil)
	} else {
		err = withheld.Unpause(d.store.Lane.Dir, key, d.store.Now, time.Minute, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Prompts and deeds from a pause are never captured, whenever the transcript is read. All others are.
func TestAway(t *testing.T) {
	stamp := func(at time.Time) string { return at.Format(time.RFC3339Nano) }
	for _, key := range []string{"myapp", withheld.All} {
		d := newDesk(t)
		st := d.session("s1")
		d.write(st, d.line("fix the auth pipeline"))
		d.write(st, committed("c0", "Fix the expiry", stamp(d.store.Now), stamp(d.store.Now)))
		d.store.Now = d.store.Now.Add(time.Minute)
		d.pause(t, true, key)
		d.write(st, d.line("never mention the zeppelin"))
		at := stamp(d.store.Now)
		d.write(st, committed("c1", "Paint the zeppelin", at, at)+committed("c2", "Hide the zeppelin", "", ""))
		d.write(st,
			fmt.Sprintf(`{"type":"queue-operation","operation":"enqueue","timestamp":%q,"content":"sell the zeppelin"}`+
				"\n", at))
		d.store.Now = d.store.Now.Add(time.Minute)
		d.pause(t, false, key)
		d.write(st, committed("c3", "Sell the zeppelin", at, stamp(d.store.Now.Add(time.Second))))
		d.write(st, `{"type":"queue-operation","operation":"dequeue"}`+"\n")
		d.write(st, d.line("sell the zeppelin"))
		d.write(st, d.line("and the logout"))
		d.write(st, committed("c4", "Fix the logout", stamp(d.store.Now), stamp(d.store.Now)))
		for range 2 {
			d.catchUp(st, TrustTranscript)
			j := d.journal()
			want(t, "mission", j.Mission, "fix the auth pipeline")
			want(t, "history", strings.Join(d.heard(), "|"), "fix the auth pipeline|and the logout")
			var acts []string
			for _, e := range j.Done {
				acts = append(acts, e.Act)
			}
			want(t, "done", strings.Join(acts, "|"), "Fix the expiry|Fix the logout")
			if all := d.files(); strings.Contains(strings.ToLower(all), "zeppelin") {
				t.Errorf("it is kept: %s", all)
			}
			st = d.session("s1") // a session that remembers nothing reads the same again
		}
	}
}

// While the lists of pauses and erasures cannot be read, nothing is captured, and reading does not go on.
func TestAwayUnreadable(t *testing.T) {
	for _, name := range []string{"erased.json", "paused.json"} {
		d := newDesk(t)
		st := d.session("s1")
		d.say(st, "fix the auth pipeline")
		path := filepath.Join(d.store.Lane.Dir, name)
		fixture.Write(t, path, `{"version":`)
		d.write(st, d.line("and the logout"))
		before := *st
		if err := CatchUp(d.store, st, TrustPrompt); err == nil || !reflect.DeepEqual(*st, before) {
			t.Errorf("%s: %v, read to %+v", name, err, st.Read)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		d.catchUp(st, TrustTranscript)
		want(t, "history", strings.Join(d.heard(), "|"), "fix the auth pipeline|and the logout")
	}
}
