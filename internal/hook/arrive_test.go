package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/session"
)

// append adds to the transcript t.jsonl, or to another.
func (w *world) append(lines string, to ...string) {
	w.t.Helper()
	fixture.Append(w.t, filepath.Join(w.home, slices.Concat(to, []string{"t.jsonl"})[0]), lines)
}

// line is what the client writes of a prompt a second after now, with a newline.
func (w *world) line(uuid, parent, words string, more ...string) string {
	w.now = w.now.Add(time.Second)
	return fmt.Sprintf(`{"parentUuid":%q,"type":"user","message":{"role":"user","content":%s},"uuid":%q,`+
		`"timestamp":%q%s}`+"\n", parent, mustJSON(w.t, words), uuid, w.now.Format(time.RFC3339Nano),
		strings.Join(more, ""))
}

func (w *world) answer(uuid, parent string) string {
	return fmt.Sprintf(`{"parentUuid":%q,"type":"assistant","message":{"role":"assistant","content":[{"type":"text",`+
		`"text":"Done."}]},"uuid":%q,"timestamp":%q}`+"\n", parent, uuid, w.now.Format(time.RFC3339Nano))
}

// event sends an event that has no more to say than its name, a second later.
func (w *world) event(name string) string {
	w.now = w.now.Add(time.Second)
	return w.send(map[string]any{"hook_event_name": name, "agent_id": w.now.String(), "agent_type": "Explore",
		"reason": "clear", "trigger": "auto"})
}

// said is what the history of the project's lane has of the user's words, joined.
func (w *world) said() string {
	w.t.Helper()
	var out []string
	lane, ok := project.LaneNamed(filepath.Join(w.home, ".claude", ".memento"), "shop--alice")
	if !ok {
		w.t.Fatal("there is no such lane")
	}
	if err := history.Read(lane, func(l log.Entry) bool {
		if l.Kind == log.Typed {
			out = append(out, l.Text)
		}
		return true
	}); err != nil {
		w.t.Fatal(err)
	}
	return strings.Join(out, "|")
}

const firstPrompt = "Fix the checkout, never touch the tax tables."

// The client is killed while it writes the line of a prompt: the prompt is kept, and so is the one joined to it, also
// where the hook of the resumed session's start did not run.
func TestTorn(t *testing.T) {
	for name, told := range map[string]bool{"resumed": true, "resumed unheard": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.start("startup")
			w.prompt(firstPrompt)
			w.append(w.line("u1", "", firstPrompt) + w.answer("a1", "u1"))
			w.event("Stop")
			w.prompt("Round the totals up.")
			torn := w.line("u2", "a1", "Round the totals up.")
			w.append(torn[:len(torn)-90])
			if told {
				w.start("resume")
			}
			w.prompt("Write a test for the receipts.")
			w.append(w.line("u3", "a1", "Write a test for the receipts.") + w.answer("a3", "u3"))
			w.event("Stop")
			if want := firstPrompt + "|Round the totals up.|Write a test for the receipts."; w.said() != want {
				t.Errorf("kept is %q, want %q", w.said(), want)
			}
		})
	}
}

// At the end of a session, a submitted prompt that the transcript does not show counts as said, unless a hook blocked
// it.
func TestUnflushed(t *testing.T) {
	blocked := func(w *world) {
		w.append(fmt.Sprintf(`{"type":"system","subtype":"informational","content":"UserPromptSubmit operation `+
			`blocked by hook:\n[./no.sh]: no\n\n\nOriginal prompt: Deploy it now.","uuid":"s1","timestamp":%q}`+"\n",
			w.now.Add(time.Millisecond).Format(time.RFC3339Nano)))
	}
	for name, tt := range map[string]struct {
		before, end func(w *world)
		want        string
	}{
		"cleared": {func(*world) {}, func(w *world) { w.event("SessionEnd") },
			"|Deploy it now.|And tell the shops."},
		"cleared, and blocked":  {blocked, func(w *world) { w.event("SessionEnd") }, "|And tell the shops."},
		"killed":                {func(*world) {}, func(*world) {}, "|Deploy it now.|And tell the shops."},
		"killed, after a block": {blocked, func(*world) {}, "|And tell the shops."},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.start("startup")
			w.prompt(firstPrompt)
			w.append(w.line("u1", "", firstPrompt) + w.answer("a1", "u1"))
			w.event("Stop")
			w.prompt("Deploy it now.")
			tt.before(w)
			w.now = w.now.Add(time.Second)
			w.prompt("And tell the shops.")
			tt.end(w)
			w.now = w.now.Add(72 * time.Hour)
			w.send(map[string]any{"hook_event_name": "SessionStart", "source": "clear", "session_id": "s2",
				"transcript_path": filepath.Join(w.home, "t2.jsonl")})
			if got := w.said(); got != firstPrompt+tt.want {
				t.Errorf("kept is %q, want %q", got, firstPrompt+tt.want)
			}
			// The transcript shows it later, and the session is resumed: it is not said twice.
			w.append(w.line("u2", "a1", "And tell the shops."))
			w.start("resume")
			if got := w.said(); got != firstPrompt+tt.want {
				t.Errorf("resumed, kept is %q, want %q", got, firstPrompt+tt.want)
			}
		})
	}
}

// A prompt in the client's own form, in a line that does not name its writer, counts as typed if it was submitted.
func TestClientsForm(t *testing.T) {
	w := newWorld(t)
	w.start("startup")
	w.prompt(firstPrompt)
	w.append(w.line("u1", "", firstPrompt) + w.answer("a1", "u1") + w.line("i1", "a1", "[Request interrupted by user]"))
	w.prompt("[Request interrupted by user]")
	w.append(w.line("u2", "i1", "[Request interrupted by user]"))
	w.prompt("Stop hook feedback: it comes too often, make it quieter.")
	w.append(w.line("u3", "u2", "Stop hook feedback: it comes too often, make it quieter."))
	w.prompt("<task-notification>\n<task-id>b1</task-id>\n</task-notification>")
	w.append(w.line("n1", "u3", "<task-notification>\n<task-id>b1</task-id>\n</task-notification>"))
	w.event("Stop")
	if want := firstPrompt +
		"|[Request interrupted by user]|Stop hook feedback: it comes too often, make it quieter."; w.said() != want {
		t.Errorf("kept is %q, want %q", w.said(), want)
	}
	if st, err := session.Load(filepath.Join(w.home, ".claude", ".memento"), "s1"); err != nil || len(st.Pending) > 0 {
		t.Errorf("still waiting: %q, %v", st.Pending, err)
	}
}

// A prompt that counted as said before the transcript showed it gets its id later, so that it can be rewound.
func TestTakenRewound(t *testing.T) {
	long := "Fix the checkout of the shop in all its parts. " +
		strings.Repeat("It rounds the totals in a way that nobody understands any more. ", 12) +
		"Never touch the tax tables."
	for name, words := range map[string]string{"short": "Never round the totals.",
		"more than the journal holds": "Look at the totals. " +
			strings.Repeat("Some of them are wrong by a cent or two. ", 12) + "Never round the totals."} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.start("startup")
			w.prompt(long)
			w.event("SubagentStart")
			w.append(`{"parentUuid":null,"type":"attachment","attachment":{"type":"hook_success"},"uuid":"h1"}` + "\n" +
				w.line("u1", "h1", long) + w.answer("a1", "u1"))
			w.event("Stop")
			w.prompt(words)
			w.event("SubagentStart")
			w.append(w.line("u2", "a1", words) + w.answer("a2", "u2"))
			w.event("Stop")
			if got := w.start("compact"); !strings.Contains(got, "Never round the totals.") {
				t.Fatalf("the block is %q", got)
			}
			w.prompt("Write a test for the receipts.")
			w.append(w.line("u3", "a1", "Write a test for the receipts.") + w.answer("a3", "u3"))
			w.event("Stop")
			if got := w.start("compact"); strings.Contains(got, "Never round") ||
				!strings.Contains(got, "Fix the checkout") || !strings.Contains(got, "receipts") {
				t.Errorf("after going back the block is %q", got)
			}
			// The journal is lost, and the transcript is read again: nothing is said twice.
			fixture.Write(t, filepath.Join(w.home, ".claude", ".memento", "shop--alice.json"), "{{{")
			w.event("Stop")
			if want := long + "|" + words + "|Write a test for the receipts."; w.said() != want {
				t.Errorf("kept is %q, want %q", w.said(), want)
			}
			// Back to before the first prompt: the mission is another.
			w.prompt("Only count the receipts, change nothing.")
			w.append(w.line("u4", "h1", "Only count the receipts, change nothing.") + w.answer("a4", "u4"))
			w.event("Stop")
			if got := w.start("compact"); strings.Contains(got, "Fix the checkout") ||
				!strings.Contains(got, "Mission: Only count") {
				t.Errorf("after going back to the beginning the block is %q", got)
			}
		})
	}
}

// The brief at the second compaction has what the user said before the first, whenever the transcript showed it.
func TestBriefAfterTaken(t *testing.T) {
	rules := []string{"Never round the totals.", "Keep the old receipts readable."}
	for name, shown := range map[string]int{"shown before the first": 1, "shown between": 2, "never shown": 3} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.start("startup")
			lines, parent := "", ""
			for i, words := range append([]string{firstPrompt}, rules...) {
				w.prompt(words)
				w.event("SubagentStart")
				uuid := fmt.Sprint("u", i+1)
				lines += w.line(uuid, parent, words)
				parent = uuid
			}
			w.append(`{"type":"mode","uuid":"m0"}` + "\n")
			for compaction := 1; compaction <= 2; compaction++ {
				if shown == compaction {
					w.append(lines)
				}
				brief := w.event("PreCompact")
				if w.start("compact"); compaction == 1 {
					w.now = w.now.Add(time.Hour)
					continue
				}
				for _, words := range rules {
					if _, before, _ := strings.Cut(brief, "before the last compaction"); !strings.Contains(before,
						words) {
						t.Errorf("the second brief lacks %q: %q", words, brief)
					}
				}
			}
		})
	}
}

// A session beside another is killed with a prompt in no transcript, and its lane is never used again: the project's
// next session takes the prompt in; without one in the project, the next day's anywhere does.
func TestKilledBeside(t *testing.T) {
	for name, folder := range map[string]string{"in the project": "shop", "elsewhere": "blog",
		"without the cache": "shop"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if err := os.Mkdir(filepath.Join(w.home, "blog"), 0o700); err != nil {
				t.Fatal(err)
			}
			w.start("startup")
			w.prompt(firstPrompt)
			beside := func(fields map[string]any) {
				fields["session_id"], fields["transcript_path"] = "second-1", filepath.Join(w.home, "t2.jsonl")
				w.send(fields)
			}
			beside(map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
			beside(map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": "Translate the receipts."})
			w.now = w.now.Add(72 * time.Hour) // nothing was heard of either for long
			if name == "without the cache" {
				if err := os.RemoveAll(filepath.Join(w.home, ".claude", ".memento", "cache")); err != nil {
					t.Fatal(err)
				}
			}
			w.send(map[string]any{"hook_event_name": "SessionStart", "source": "startup", "session_id": "s3",
				"transcript_path": filepath.Join(w.home, "t3.jsonl"), "cwd": filepath.Join(w.home, folder)})
			if got := w.said(); got != firstPrompt+"|Translate the receipts." {
				t.Errorf("kept is %q", got)
			}
		})
	}
}

// The client is killed before it writes anything of a prompt, and the session is resumed.
func TestKilledResumed(t *testing.T) {
	w := newWorld(t)
	w.start("startup")
	w.prompt(firstPrompt)
	w.append(w.line("u1", "", firstPrompt) + w.answer("a1", "u1"))
	w.event("Stop")
	w.prompt("Round the totals up.")
	w.start("resume")
	w.prompt("Write a test for the receipts.")
	w.append(w.line("u2", "a1", "Write a test for the receipts.") + w.answer("a2", "u2"))
	w.event("Stop")
	if want := firstPrompt + "|Round the totals up.|Write a test for the receipts."; w.said() != want {
		t.Errorf("kept is %q, want %q", w.said(), want)
	}
}
