package capture

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// chat is a session whose lines continue each other, as the client writes them.
type chat struct {
	*desk
	st  *session.Memory
	tip string // the line the next one continues
}

func newChat(t testing.TB, id string) *chat {
	d := newDesk(t)
	c := &chat{desk: d, st: d.session(id)}
	c.put(map[string]any{"type": "attachment", "uuid": "begin", "parentUuid": nil,
		"attachment": map[string]any{"type": "hook_success", "hookName": "SessionStart:startup"}})
	return c
}

func (c *chat) put(line map[string]any) {
	c.t.Helper()
	data, err := json.Marshal(line)
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(c.st, string(data)+"\n")
	c.tip = line["uuid"].(string)
}

// turn writes a prompt and Claude's answer, and returns the prompt's uuid.
func (c *chat) turn(words string) string {
	c.t.Helper()
	c.typed++
	c.store.Now = c.store.Now.Add(time.Minute)
	id := fmt.Sprint("u", c.typed)
	c.put(map[string]any{"type": "user", "parentUuid": c.tip, "uuid": id,
		"timestamp": c.store.Now.Format(time.RFC3339Nano), "message": map[string]any{"role": "user", "content": words}})
	c.put(map[string]any{"type": "assistant", "parentUuid": id, "uuid": "a" + id,
		"message": map[string]any{"role": "assistant",
			"content": []any{map[string]any{"type": "text", "text": "on it"}}}})
	return id
}

// back goes back to before the prompt id, the n-th typed.
func (c *chat) back(before int) {
	c.tip = "begin"
	if before > 1 {
		c.tip = fmt.Sprint("au", before-1)
	}
}

// marks lists what history says about rewinds.
func (c *chat) marks() string {
	var out []string
	_ = history.Read(c.store.Lane, func(l log.Entry) bool {
		if l.Kind == "rewound" || l.Kind == "restored" {
			out = append(out, l.Kind+" "+l.Ref())
		}
		return true
	})
	return strings.Join(out, ", ")
}

// Rewound words are not quoted any more, however many events it takes to notice. They stay in history.
func TestRewound(t *testing.T) {
	for _, steps := range []bool{false, true} {
		t.Run(fmt.Sprint("step by step: ", steps), func(t *testing.T) {
			c := newChat(t, "s1")
			look := func() {
				if steps {
					c.catchUp(c.st, TrustTranscript)
				}
			}
			for _, words := range []string{"fix the auth pipeline", "never push to main",
				"use ash4d for the tokens. Keep all the colours.", "rewrite the schema in one go"} {
				c.turn(words)
				look()
			}
			c.back(3)
			c.turn("keep the tokens, print them once")
			c.catchUp(c.st, TrustTranscript)
			j := c.journal()
			want(t, "the mission", j.Mission, "fix the auth pipeline")
			want(t, "said", strings.ReplaceAll(c.said(j), "!", ""),
				"never push to main|keep the tokens, print them once")
			want(t, "in hand", j.Wip, `"keep the tokens, print them once"`)
			want(t, "marked", c.marks(), "rewound u3, rewound u4")
			want(t, "heard", strings.Join(c.heard(), "|"),
				"fix the auth pipeline|never push to main|use ash4d for the tokens. Keep all the colours.|rewrite "+
					"the schema in one go|keep the tokens, print them once")
			w := words(c.desk, "u4")
			all, _ := quoted(w)
			want(t, "quoted", all, "fix the auth pipeline|never push to main|keep the tokens, print them once")
			if w.Before != 2 {
				t.Errorf("before a rewound prompt came %d messages", w.Before)
			}
			if sentence := Heard(c.store.Lane, "use ash4d for the tokens"); sentence != "" {
				t.Errorf("rewound words were found: %q", sentence)
			}
			if sentence := Heard(c.store.Lane, "never push to main"); sentence == "" {
				t.Error("words that hold were not found")
			}
			all = c.files()
			c.catchUp(c.st, TrustTranscript)
			want(t, "after the same event again", c.files(), all)
			c.st.Read, c.st.Stray = transcript.Position{}, false
			c.catchUp(c.st, TrustTranscript)
			want(t, "said, read anew", strings.ReplaceAll(c.said(c.journal()), "!", ""),
				"never push to main|keep the tokens, print them once")
			want(t, "marked, read anew", c.marks(), "rewound u3, rewound u4")
			want(t, "heard, read anew", fmt.Sprint(len(c.heard())), "5")
		})
	}
}

// After going back to before the first prompt, the next prompt opens the mission. Deeds stay.
func TestMissionRewound(t *testing.T) {
	for _, steps := range []bool{false, true} {
		c := newChat(t, "s1")
		c.turn("migrate the users table to the new schema")
		c.turn("the old column stays nullable")
		if steps {
			c.catchUp(c.st, TrustTranscript)
			c.update(func(j *journal.Journal) { j.AddDone(journal.Entry{Act: "commit 3f2a1c9", By: journal.ByAuto}) })
		}
		c.back(1)
		c.turn("only write the migration plan, change nothing")
		c.turn("put it in docs/plan.md")
		c.catchUp(c.st, TrustTranscript)
		j := c.journal()
		want(t, "the mission", j.Mission+" "+j.MissionRef+" "+j.Session,
			"only write the migration plan, change nothing u3 s1")
		want(t, "said", c.said(j), "put it in docs/plan.md")
		want(t, "marked", c.marks(), "rewound u1, rewound u2")
		if steps && (len(j.Done) != 1 || !c.st.Opened) {
			t.Errorf("done is %+v, opened %v", j.Done, c.st.Opened)
		}
		missions, _ := history.Missions(c.store.Lane)
		if steps && (len(missions) != 1 || missions[0].Reason != "rewound" ||
			missions[0].Text != "migrate the users table to the new schema") {
			t.Errorf("the missions put away are %+v", missions)
		}
	}
}

// The work in hand goes with the prompt it was quoted from.
func TestWipRewound(t *testing.T) {
	c := newChat(t, "s1")
	c.turn("fix the auth pipeline")
	c.turn("rewrite the token parser, and then look at each of its callers again, whatever they are named, because " +
		strings.Repeat("many of them differ ", 8))
	c.catchUp(c.st, TrustTranscript)
	if j := c.journal(); j.Wip == "" {
		t.Fatal("nothing is in hand")
	}
	c.back(2)
	c.turn("ok")
	c.catchUp(c.st, TrustTranscript)
	want(t, "in hand", c.journal().Wip, "")
}

// Words that the live branch repeats stay.
func TestWipSaidTwice(t *testing.T) {
	c := newChat(t, "s1")
	c.turn("fix the auth pipeline")
	c.turn("run the tests of the token parser")
	c.turn("Run the tests of the token parser")
	c.catchUp(c.st, TrustTranscript)
	c.back(3)
	c.turn("ok")
	c.catchUp(c.st, TrustTranscript)
	want(t, "in hand", c.journal().Wip, `"Run the tests of the token parser"`)
	want(t, "marked", c.marks(), "rewound u3")
}

// A crash between two writes leaves the history ahead of the journal. The next event brings both together.
func TestRewoundHalfWritten(t *testing.T) {
	c := newChat(t, "s1")
	c.turn("fix the auth pipeline")
	c.turn("never push to main")
	c.catchUp(c.st, TrustTranscript)
	before, err := os.ReadFile(c.store.Lane.Journal())
	if err != nil {
		t.Fatal(err)
	}
	then := *c.st
	then.Work = c.st.Work.Clone()
	c.back(2)
	c.turn("ok")
	c.catchUp(c.st, TrustTranscript)
	want(t, "in hand", c.journal().Wip, "")
	fixture.Write(t, c.store.Lane.Journal(), string(before))
	c.catchUp(&then, TrustTranscript)
	want(t, "in hand, after a crash", c.journal().Wip, "")
	want(t, "said, after a crash", c.said(c.journal()), "")
	want(t, "marked once", c.marks(), "rewound u2")
}

// After returning to a branch that was left, its words hold again.
func TestRestored(t *testing.T) {
	c := newChat(t, "s1")
	c.turn("fix the auth pipeline")
	c.turn("never push to main")
	c.catchUp(c.st, TrustTranscript)
	c.back(2)
	c.turn("deploy to staging only") // u3
	c.catchUp(c.st, TrustTranscript)
	want(t, "said on the second branch", strings.ReplaceAll(c.said(c.journal()), "!", ""), "deploy to staging only")
	c.tip = "au2"
	c.turn("and bump the version") // u4
	c.catchUp(c.st, TrustTranscript)
	want(t, "said on the first one again", strings.ReplaceAll(c.said(c.journal()), "!", ""),
		"never push to main|and bump the version")
	want(t, "marked", c.marks(), "rewound u2, restored u2, rewound u3")
	all, _ := quoted(words(c.desk, "u4"))
	want(t, "quoted", all,
		"fix the auth pipeline|never push to main|and bump the version")
	files := c.files()
	c.catchUp(c.st, TrustTranscript)
	want(t, "after the same event again", c.files(), files)
}

// What the client leaves aside itself is no rewind: a command it carries out, the prompts before a compaction, a parent
// that was never written.
func TestNotRewound(t *testing.T) {
	c := newChat(t, "s1")
	c.turn("fix the auth pipeline")
	c.turn("never push to main")
	c.catchUp(c.st, TrustTranscript)
	tip := c.tip
	c.put(map[string]any{"type": "user", "parentUuid": tip, "uuid": "c1",
		"message": map[string]any{"role": "user", "content": "/compact keep the token format"}})
	c.put(map[string]any{"type": "system", "subtype": "compact_boundary", "parentUuid": nil, "logicalParentUuid": tip,
		"uuid": "b1"})
	c.put(map[string]any{"type": "user", "parentUuid": "b1", "uuid": "s1", "isCompactSummary": true,
		"message": map[string]any{"role": "user", "content": "This session is being continued"}})
	c.turn("now the tests")
	c.catchUp(c.st, TrustTranscript)
	c.tip = "never-written"
	c.turn("and the docs")
	c.catchUp(c.st, TrustTranscript)
	want(t, "marked", c.marks(), "")
	want(t, "said", strings.ReplaceAll(c.said(c.journal()), "!", ""), "never push to main|now the tests|and the docs")
}

// A transcript that takes too long is read on at the next event. Prompts that it does not show wait for its end.
func TestPatience(t *testing.T) {
	now := morning
	testOnlyClock = func() time.Time { now = now.Add(patience); return now }
	defer func() { testOnlyClock = spent }()
	c := newChat(t, "s1")
	c.turn("fix the auth pipeline")
	c.put(map[string]any{"type": "assistant", "parentUuid": c.tip, "uuid": "long1",
		"message": map[string]any{"content": strings.Repeat("x", 300<<10)}})
	c.turn("never push to main")
	c.put(map[string]any{"type": "assistant", "parentUuid": c.tip, "uuid": "long2",
		"message": map[string]any{"content": strings.Repeat("x", 300<<10)}})
	c.st.Submit("deploy to staging only", c.store.Now.Add(time.Minute))
	c.turn("deploy to staging only")
	info, err := os.Stat(c.st.Transcript)
	if err != nil {
		t.Fatal(err)
	}
	events, heard := 0, ""
	for ; c.st.Read.Offset < info.Size() && events < 10; events++ {
		c.catchUp(c.st, TrustPrompt)
		heard += fmt.Sprint(len(c.heard()), " pending ", len(c.st.Pending), ", ")
	}
	want(t, "heard", heard, "1 pending 1, 2 pending 1, 3 pending 0, ")
	want(t, "said", strings.ReplaceAll(c.said(c.journal()), "!", ""), "never push to main|deploy to staging only")
	c.back(2)
	c.turn("never push at all")
	c.catchUp(c.st, TrustTranscript)
	want(t, "marked without time to look", c.marks(), "")
	if prompts := transcript.Left(c.st.Transcript, info.Size(), func() bool { return false }); prompts != nil {
		t.Error("a file that was not read to its end was judged")
	}
}
