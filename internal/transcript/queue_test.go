package transcript

import (
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// queued is a line about the queue of prompts; content is raw JSON, "" for none.
func queued(operation, content string) string {
	if content != "" {
		content = `,"content":` + content
	}
	return `{"type":"queue-operation","operation":"` + operation +
		`","timestamp":"2026-03-14T09:26:53.123Z","sessionId":"7d1e"` + content + "}\n"
}

// Older clients write no line of its own for a prompt that they pass on within a turn.
func TestQueue(t *testing.T) {
	notification := queued("enqueue", quote("<task-notification>\n<task-id>b1</task-id>\n</task-notification>"))
	attachment := func(words string) string {
		return `{"type":"attachment","attachment":{"type":"queued_command","prompt":` + quote(words) +
			`},"uuid":"q1"}` + "\n"
	}
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"handed on", []string{queued("enqueue", `"staging only"`), assistant("x"), queued("remove", "")},
			"staging only"},
		{"two at once", []string{queued("enqueue", `"one"`), queued("enqueue", `"two"`), queued("remove", ""),
			queued("remove", "")}, "one|two"},
		{"all with one", []string{queued("enqueue", `"one"`), queued("enqueue", `"two"`), queued("remove", ""),
			queued("enqueue", `"three"`), queued("remove", "")}, "one|two|three"},
		{"a picture before", []string{queued("enqueue", ""), queued("enqueue", `"two"`), queued("dequeue", ""),
			user("u1", "as drawn"), queued("remove", "")}, "as drawn|two"},
		{"a shell command before", []string{queued("enqueue", `"ls"`), queued("enqueue", `"two"`),
			queued("dequeue", ""), user("u1", "<bash-input>ls</bash-input>"), queued("remove", "")}, "two"},
		{"a notification before", []string{notification, queued("enqueue", `"two"`), queued("dequeue", ""),
			user("u1", "<task-notification>\n<task-id>b1</task-id>\n</task-notification>"), queued("remove", "")},
			"two"},
		{"a command with its own turn", []string{queued("enqueue", `"/review it"`), queued("enqueue", `"two"`),
			queued("remove", ""), attachment("two"), queued("dequeue", ""), user("u1", "/review it")},
			"/review it|two"},
		{"typed once more", []string{queued("enqueue", `"go on"`), queued("remove", ""), user("u1", "go on")},
			"go on|go on"},
		{"not yet", []string{queued("enqueue", `"staging only"`)}, ""},
		{"a turn of its own", []string{queued("enqueue", `"staging only"`), queued("dequeue", ""),
			user("u1", "staging only")}, "staging only"},
		{"taken back", []string{queued("enqueue", `"stagin"`), queued("popAll", `"stagin"`),
			queued("enqueue", `"staging only"`), queued("remove", "")}, "staging only"},
		{"the client's own", []string{notification, queued("enqueue", quote(`{"task_id":"b1","tool_use_id":"t1"}`)),
			queued("remove", ""), queued("remove", "")}, ""},
		{"beside the client's own", []string{notification, queued("enqueue", `"staging only"`), queued("remove", ""),
			queued("remove", "")}, "staging only"},
		{"of a newer client", []string{queued("enqueue", `"staging only"`), queued("remove", `"staging only"`),
			attachment("staging only")}, "staging only"},
		{"of one in between", []string{queued("enqueue", `"staging only"`), queued("remove", ""),
			attachment("staging only"), attachment("staging only")}, "staging only|staging only"},
		{"nothing there", []string{queued("remove", ""), queued("dequeue", ""), queued("popAll", ""),
			queued("other", `"x"`), queued("enqueue", `5`), queued("enqueue", ""), queued("remove", "")}, ""},
		{"a command", []string{queued("enqueue", `"/review the auth branch"`), queued("remove", "")},
			"/review the auth branch"},
		{"more than are held", []string{queued("enqueue", `"first"`),
			strings.Repeat(queued("enqueue", `"x"`), maxQueue), strings.Repeat(queued("remove", ""), 2)},
			strings.Repeat("x|", maxQueue-1) + "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := transcriptOf(t, tt.lines...)
			got, at := read(t, path, Position{})
			if got != tt.want {
				t.Errorf("typed was %q, want %q", got, tt.want)
			}
			var steps []string
			fixture.Write(t, path, "")
			pos := Position{}
			for _, l := range strings.SplitAfter(strings.Join(tt.lines, ""), "\n") {
				fixture.Append(t, path, l)
				var now string
				if now, pos = read(t, path, pos); now != "" {
					steps = append(steps, now)
				}
			}
			if step := strings.Join(steps, "|"); step != tt.want || pos != at {
				t.Errorf("line by line it was %q to %+v, at once to %+v", step, pos, at)
			}
		})
	}
}

// TestQueueRewound: a queued prompt has an id of its own and belongs to the turn in which it was typed.
func TestQueueRewound(t *testing.T) {
	lines := chain("hook h -", "prompt a", "answer b", "prompt c")
	path := transcriptOf(t, append(append(lines, queued("enqueue", `"staging only"`), queued("remove", "")),
		chain("answer d c", "prompt e b")...)...)
	id := ""
	if _, err := readEntries(path, Position{}, func(e Entry) {
		if e.Prompts[0].Text == "staging only" {
			id = e.UUID
			if p := e.Prompts[0]; p.UUID != id || p.TS != "2026-03-14T09:26:53.123Z" || e.TS != p.TS {
				t.Errorf("it is %+v", p)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	if tree := Left(path, 1<<20, nil); id == "" || !tree[id] || !tree["c"] || tree["a"] || tree["e"] {
		t.Errorf("%s among %v", id, tree)
	}
}

// A prompt that later gets a line of its own was typed when it entered the queue.
func TestQueueTyped(t *testing.T) {
	path := transcriptOf(t, "")
	var got []string
	at := Position{}
	for _, l := range []string{queued("enqueue", `"staging only"`), user("u0", "something else"), queued("dequeue", ""),
		user("u1", "staging only"), user("u2", "staging only")} {
		fixture.Append(t, path, l) // a line at a time: what waits is remembered in between
		next, err := readEntries(path, at, func(e Entry) { got = append(got, e.UUID+" "+e.Prompts[0].Typed) })
		if err != nil {
			t.Fatal(err)
		}
		at = next
	}
	if s := strings.Join(got, "|"); s != "u0 |u1 2026-03-14T09:26:53.123Z|u2 " {
		t.Errorf("%s", s)
	}
}

func FuzzQueueOf(f *testing.F) {
	f.Add("=ff,1,2")
	f.Add("!,!,3")
	f.Add(",,-5,x,99999999999999999999,=,==")
	f.Fuzz(func(t *testing.T, s string) {
		q := queueOf(s)
		again := queueOf(q.String())
		if again.String() != q.String() || len(q.at) > maxQueue || len(q.given) > maxQueue {
			t.Errorf("%q is %v, then %v", s, q, again)
		}
	})
}
