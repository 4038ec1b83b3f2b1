package transcript

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/fixture"
)

// Lines of client 2.1.329 after a compaction, without the fields that the tests do not need.

// success is a hook that printed plain text, which the model got as it is.
func success(event, printed, content string) string {
	return `{"parentUuid":"b1","isSidechain":false,"attachment":{"type":"hook_success","hookName":"` + event +
		`","toolUseID":"db8c","hookEvent":"SessionStart","content":` +
		quote(content) + `,"stdout":` + quote(printed) +
		`,"stderr":"","exitCode":0,"command":"memento hook","durationMs":17},"type":"attachment","uuid":"h1",` +
		`"timestamp":"2026-03-14T09:27:10.475Z","version":"2.1.329"}` + "\n"
}

// context is what hooks gave as additionalContext, a text for each.
func context(event string, texts ...string) string {
	var list []string
	for _, x := range texts {
		list = append(list, quote(x))
	}
	return `{"parentUuid":"h1","isSidechain":false,"attachment":{"type":"hook_additional_context","content":[` +
		strings.Join(list, ",") + `],"hookName":"` + event + `","hookEvent":"` + event +
		`"},"type":"attachment","uuid":"h2","timestamp":"2026-03-14T09:27:12.440Z","version":"2.1.329"}` + "\n"
}

// preview returns the text by which the client replaces an output of more than 10,000 characters.
func preview(printed string) string {
	return "<persisted-output>\nOutput too large (15.5KB). Full output saved to: " +
		"/home/alice/.claude/projects/-srv-myapp/7d1e/tool-results/hook-7c74-stdout.txt\n\nPreview (first " +
		"2KB):\n" + printed[:min(len(printed), 2000)] + "\n...\n</persisted-output>"
}

// answer is Claude's answer at a time.
func answer(at, version string, more ...string) string {
	return `{"parentUuid":"h2","isSidechain":false,"message":{"role":"assistant","content":[{"type":"text",` +
		`"text":"I go on with the refresh path."}]},"type":"assistant","uuid":"a1",` +
		`"timestamp":"2026-03-14T` + at + `Z","version":"` + version + `"` + strings.Join(more, "") + "}\n"
}

func TestDelivered(t *testing.T) {
	const block = "[MEMENTO] Mission: Fix the login bug in paymentd: sessions expire after five minutes. | " +
		"proj:paymentd | path:/home/alice/.claude/.memento/paymentd--alice.json\nUser said: \"deploy to staging " +
		"only\"\nWIP: refresh path read"
	quoting := strings.Replace(block, "the login bug", "\"the login bug\" <now>", 1)
	banner := "Welcome back\n" + string(event.AddMessage(event.Context("SessionStart", quoting), "it is back"))
	long := block + strings.Repeat(" and more of it", 700)
	since := time.Date(2026, 3, 14, 9, 27, 10, 0, time.UTC)
	const before, after = "09:27:09.900", "09:27:14.100"
	boundary := `{"type":"system","subtype":"compact_boundary","uuid":"b1","timestamp":"2026-03-14T09:27:10.490Z"}` +
		"\n"
	failed := `{"type":"attachment","attachment":{"type":"hook_cancelled","hookName":"SessionStart:compact",` +
		`"hookEvent":"SessionStart","command":"memento hook","durationMs":5009,"timedOut":true,"timeoutMs":5000},` +
		`"uuid":"h1","timestamp":"2026-03-14T09:27:15.000Z"}` + "\n"
	for _, c := range []struct {
		name  string
		words string
		lines []string
		want  string
	}{
		{"plain text", block, []string{boundary, success("SessionStart:compact", block+"\n", block)}, Whole},
		{"as context, beside another hook's", block,
			[]string{boundary, context("SessionStart", "today's duty: Bob", block)}, Whole},
		{"white space aside", block, []string{success("SessionStart:resume", block,
			strings.ReplaceAll(block, "\n", "\r\n"))}, Whole},
		{"an answer as text, behind a profile's banner", quoting, []string{boundary,
			success("SessionStart:compact", banner, banner), answer(after, "2.1.329")}, Whole},
		{"its preview", quoting + long, []string{boundary, success("SessionStart:compact", banner,
			preview(banner[:len(banner)-120])), answer(after, "2.1.329")}, Cut},
		{"a preview", long, []string{boundary, success("SessionStart:compact", long, preview(long)),
			answer(after, "2.1.329")}, Cut},
		{"a preview of context", long, []string{context("UserPromptSubmit", preview(long)), answer(after, "2.1.329")},
			Cut},
		{"a preview, then the whole", block,
			[]string{success("SessionStart:compact", block, block[:120]), context("SessionStart", block),
				answer(after, "2.1.329")}, Whole},
		{"a preview, and no answer yet", long, []string{boundary, success("SessionStart:compact", long, preview(long))},
			""},
		{"out of time", block, []string{boundary, failed, answer(after, "2.1.329")}, Missing},
		{"another hook's text", block, []string{success("SessionStart:compact", "today's duty: Bob",
			"today's duty: Bob"), answer(after, "2.1.329")}, Missing},
		{"printed, and kept from the model", block,
			[]string{success("SessionStart:compact", block, ""), answer(after, "2.1.329")}, Missing},
		{"no answer yet", block, []string{boundary, failed}, ""},
		{"an answer from before", block, []string{answer(before, "2.1.329"), boundary}, ""},
		{"an answer from before, then the block", block,
			[]string{answer(before, "2.1.329"), boundary, success("SessionStart:compact", block, block)}, Whole},
		{"a subagent's answer", block, []string{strings.Replace(answer(after, "2.1.329"), `"isSidechain":false`,
			`"isSidechain":true`, 1)}, ""},
		{"the block in what was typed", block, []string{user("u1", block), answer(after, "2.1.329")}, Missing},
		{"the block in a file that was read", block, []string{result(block, `"hookEvent"`), answer(after, "2.1.329")},
			Missing},
		{"a client that does not note hooks", block, []string{boundary, answer(after, "2.1.74")}, Untold},
		{"a version of another form", block, []string{boundary, answer(after, "next")}, Untold},
		{"a later major version", block, []string{boundary, answer(after, "3.0.1")}, Missing},
		{"half a line", block, []string{strings.TrimSuffix(success("SessionStart:compact", block, block), "}\n")}, ""},
		{"a line that is no JSON", block, []string{`{"hookEvent":"SessionStart",` + "\n",
			success("SessionStart:compact", block, block)}, Whole},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := Delivered(transcriptOf(t, c.lines...), Position{}, c.words, since, nil)
			if err != nil || got != c.want {
				t.Errorf("Delivered: %q, %v; want %q", got, err, c.want)
			}
		})
	}
	t.Run("line by line", func(t *testing.T) {
		// However the lines are spread over events, the verdict is the same.
		path, at := transcriptOf(t), Position{}
		for i, line := range []string{boundary, success("SessionStart:compact", long, preview(long)),
			user("u1", "Go on."), answer(after, "2.1.329")} {
			fixture.Append(t, path, line)
			got, next, err := Delivered(path, at, long, since, nil)
			if want := map[bool]string{true: Cut}[i == 3]; err != nil || got != want {
				t.Fatalf("after line %d: %q, %v; want %q", i, got, err, want)
			}
			at = next
		}
	})
	t.Run("no transcript", func(t *testing.T) {
		from := Position{Offset: 9, File: "x"}
		if got, at, err := Delivered(t.TempDir()+"/none.jsonl", from, block, since, nil); got != "" || at != from ||
			!errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Delivered: %q, %v, %v", got, at, err)
		}
	})
}

// result is a tool's result.
func result(texts ...string) string {
	return `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":` +
		quote(strings.Join(texts, " ")) + `}]},"uuid":"r1","timestamp":"2026-03-14T09:27:13Z"}` + "\n"
}
