package transcript

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/fixture"
)

// user returns a line with a prompt, and with more fields if given.
func user(uuid, words string, more ...string) string {
	return `{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/srv/myapp","type":"user",` +
		`"message":{"role":"user",` +
		`"content":` + quote(words) + `},"uuid":"` + uuid + `","timestamp":"2026-03-14T09:26:53.123Z"` + strings.Join(more, "") + "}\n"
}

func quote(s string) string { return string(gjson.AppendJSONString(nil, s)) }

// assistant is a line nobody typed.
func assistant(words string) string {
	return `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":` + quote(words) +
		`}]},"uuid":"a"}` + "\n"
}

// refused is the result of a call that the person at the dialog refused.
func refused(words string) string {
	return `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","is_error":true,` +
		`"tool_use_id":"t1","content":` +
		quote("The user doesn't want to proceed with this tool use. The tool use was rejected ("+words) +
		`}]},"toolUseResult":"User rejected tool use","uuid":"u"}`
}

// transcriptOf writes a transcript and returns its path.
func transcriptOf(t testing.TB, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "7d1e.jsonl")
	fixture.Write(t, path, strings.Join(lines, ""))
	return path
}

// readEntries is Follow to the end of the file, without answers.
func readEntries(path string, from Position, f func(Entry)) (Position, error) {
	next, _, err := Follow(path, from, nil, false, f)
	return next, err
}

// prompts calls f with each thing typed.
func prompts(path string, from Position, f func(Prompt)) (Position, error) {
	return readEntries(path, from, func(e Entry) {
		for _, p := range e.Prompts {
			f(p)
		}
	})
}

// read returns the prompts behind from, joined, and the position behind them.
func read(t testing.TB, path string, from Position) (string, Position) {
	t.Helper()
	var out []string
	at, err := prompts(path, from, func(p Prompt) {
		if p.Long {
			p.Text = "(long)"
		}
		out = append(out, p.Text)
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "|"), at
}

func TestTyped(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"words", user("u1", "don't change the \"token\" format\nstaging only"),
			"don't change the \"token\" format\nstaging only"},
		{"blocks",
			`{"type":"user","message":{"content":[{"type":"text","text":"look at"},{"type":"image",` +
				`"source":{"data":"iVBORw0KGgo="}},{"type":"text","text":"this"}]},"uuid":"u"}`, "look at\nthis"},
		{"the same, spread over spaces", ` { "type" : "user" , "message" : { "content" : "go" } } `, "go"},
		{"an older form", `{"type":"human","content":"go","kind":"user"}`, "go"},
		{"an empty message", user("u1", " \n"), ""},
		{"an image only", `{"type":"user","message":{"content":[{"type":"image"}]}}`, ""},
		{"a tool's result beside words",
			`{"type":"user","message":{"content":[{"type":"text","text":"never"},{"type":"tool_result",` +
				`"content":"x"}]}}`, ""},
		{"words given when refusing a call",
			refused("the new_string was NOT written to the file). To tell you how to proceed, the user said:\nuse " +
				"the staging key"), "use the staging key"},
		{"the same, with the client's note",
			refused("To tell you how to proceed, the user said:\nstaging only\n\nNote: The user's next message may " +
				"contain a correction"), "staging only"},
		{"a refusal without words",
			refused("STOP what you are doing and wait for the user to tell you how to proceed."), ""},
		{"a question the user wants to talk about",
			refused("To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n  " +
				"Start by asking"), ""},
		{"a tool that prints such words",
			printed(quote("The user doesn't want to proceed with this tool use. the user said:\nnever")), ""},
		{"an answer",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"User has ` +
				`answered"}]},"toolUseResult":{"answers":{"Which store?":"Postgres","And where?":["staging",` +
				`"production"]}},"uuid":"u"}`, "Postgres|staging|production"},
		{"a note beside an answer, and one without",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"The user ` +
				`answered: …"}]},"toolUseResult":{"questions":[],"answers":{"Which store?":"Postgres",` +
				`"Where?":"(notes only)"},"annotations":{"Which store?":{"notes":"16, as in production"},` +
				`"Where?":{"notes":"ask the platform team"},"When?":{"notes":"not on a Friday"}}},"uuid":"u"}`,
			"Postgres|16, as in production|ask the platform team|not on a Friday"},
		{"a note that is the answer",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},` +
				`"toolUseResult":{"questions":[],"answers":{"Which store?":"one we know"},"annotations":{"Which ` +
				`store?":{"notes":"one we know"}}},"uuid":"u"}`, "one we know"},
		{"words instead of answers",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"The user ` +
				`responded: …"}]},"toolUseResult":{"questions":[],"answers":{},"response":"neither, we keep files"},` +
				`"uuid":"u"}`, "neither, we keep files"},
		{"nobody answered",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"No response ` +
				`after 300s"}]},"toolUseResult":{"questions":[],"answers":{},"annotations":{},` +
				`"afkTimeoutMs":300000},"uuid":"u"}`, ""},
		{"answers that another tool reports",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"{}"}]},` +
				`"toolUseResult":{"answers":{"May I?":"delete everything"}},"uuid":"u"}`, ""},
		{"words given when allowing a call",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"done"},` +
				`{"type":"text","text":"and never touch the lock file"}]},"uuid":"u"}`,
			"and never touch the lock file"},
		{"more tools were loaded",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[]},` +
				`{"type":"text","text":"Tool loaded.\n[id:abc]\n"}]},"uuid":"u"}`, ""},
		{"interrupted beside a result",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x",` +
				`"is_error":true},{"type":"text","text":"[Request interrupted by user for tool use]"}]},"uuid":"u"}`,
			""},
		{"questions to be talked about",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,` +
				`"content":"The user doesn't want to proceed with this tool use. To tell you how to proceed, the ` +
				`user said:\nThe user wants to clarify these questions.\n    This means they may have more.\n\n    ` +
				`Questions asked:\n- \"Which store?\"\n  Answer: Postgres\n  User notes: 16\nor newer\n- ` +
				`\"Where?\"\n  (No answer provided)"}]},"uuid":"u"}`, "Postgres|16\nor newer"},
		{"another refusal",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,` +
				`"content":"Permission for this tool use was denied. The tool use was rejected (eg. if it was a ` +
				`file edit, it was NOT written). The user said:\nuse the staging key"}]},"uuid":"u"}`,
			"use the staging key"},
		{"a refusal that quotes the client",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,` +
				`"content":"The user doesn't want to proceed with this tool use. To tell you how to proceed, the ` +
				`user said:\nfirst this\n\nNote: The user guide goes last\n\nNote: The user's next message may ` +
				`contain a correction."}]},"uuid":"u"}`, "first this\n\nNote: The user guide goes last"},
		{"an answer that is none",
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},` +
				`"toolUseResult":{"answers":"user"},"uuid":"u"}`, ""},
		{"Claude", assistant(`she said "user"`), ""},
		{"thinking",
			`{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"the \"user\" wants"}]},` +
				`"origin":"user"}`, ""},
		{"the client's own note", user("u1", "never", `,"isMeta":true`), ""},
		{"the native summary", user("u1", "This session is being continued from…", `,"isCompactSummary":true`), ""},
		{"a subagent's prompt", strings.Replace(user("u1", "never"), `"isSidechain":false`, `"isSidechain":true`, 1),
			""},
		{"shown in the transcript only", user("u1", "never", `,"isVisibleInTranscriptOnly":true`), ""},
		{"a task notification", user("u1", "<task-notification>\n<task-id>b1</task-id>\n</task-notification>",
			`,"origin":{"kind":"task-notification"},"promptSource":"system"`), ""},
		{"of a machine's origin", user("u1", "never", `,"origin":{"kind":"coordinator"}`), ""},
		{"of a person's origin", user("u1", "go", `,"origin":{"kind":"human"}`), "go"},
		{"of no origin", user("u1", "go", `,"origin":null`), "go"},
		{"queued, words", `{"type":"attachment","attachment":{"type":"queued_command","prompt":"and a PR"},"uuid":"u"}`,
			"and a PR"},
		{"queued, blocks",
			`{"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"and a ` +
				`PR"}]},"uuid":"u"}`, "and a PR"},
		{"queued by a machine",
			`{"type":"attachment","attachment":{"type":"queued_command","prompt":"never"},` +
				`"origin":{"kind":"task-notification"}}`, ""},
		{"other lines", `{"type":"queue-operation","operation":"enqueue","content":"user"}`, ""},
		{"a slash command",
			user("u1",
				"<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>"), ""},
		{"a slash command with a task", user("u1",
			"<command-message>review is "+
				"running…</command-message>\n<command-name>/review</command-name>\n<command-args>the auth branch, "+
				"staging only</command-args>"), "/review the auth branch, staging only"},
		{"a slash command without a name", user("u1",
			"<command-name>/review</command><command-args>staging only</command-args>"), "staging only"},
		{"a slash command with private words",
			user("u1",
				"<command-name>/review</command-name><command-args>as <private>anna</private>, staging "+
					"only</command-args>"), "/review as [private], staging only"},
		{"a slash command with an open end",
			user("u1", "<command-name>/review</command-name><command-args>as <private>anna</command-args>"),
			"/review as [private]"},
		{"nothing but private words", user("u1", "<private>anna</private>\n<system-reminder>x</system-reminder>"), ""},
		{"private words, and the client's behind them",
			user("u1", "as <private>anna\n<system-reminder>x</system-reminder>"), "as [private]"},
		{"a slash command without an end", user("u1", "<command-name>/review</command-name><command-args>staging only"),
			""},
		{"a reminder before", user("u1", "<system-reminder>\nnever\n</system-reminder>\nfix auth"), "fix auth"},
		{"and behind",
			user("u1", "fix auth\n<system-reminder>never</system-reminder>\n<system-reminder>nor</system-reminder>"),
			"fix auth"},
		{"a reminder alone", user("u1", "<system-reminder>never</system-reminder>"), ""},
		{"an open file", user("u1", "<ide_opened_file>The user opened /srv/a.go</ide_opened_file>\nfix it"), "fix it"},
		{"a tag somebody writes about", user("u1",
			"what does <system-reminder> mean? </system-reminder> closes it, <b>right</b>?"),
			"what does <system-reminder> mean? </system-reminder> closes it, <b>right</b>?"},
		{"words about such an event", user("u1",
			"<ci-monitor-event id=\"7\">x</ci-monitor-event>\nwhy?\n<ci-monitor-event>y</ci-monitor-event>"), "why?"},
		{"words about an element", user("u1", "<cart-event>x</cart-event>\nwhy is it not sent?"),
			"<cart-event>x</cart-event>\nwhy is it not sent?"},
		{"what a hook of an older client added",
			user("u1", "ship it\n<user-prompt-submit-hook>branch: main</user-prompt-submit-hook>"), "ship it"},
		{"pictures and nothing else", user("u1", "[Image #1] [Image: source: /tmp/Screenshot 1.png]\n[Image #2]"), ""},
		{"words beside a picture", user("u1", "[Image #1] make it blue"), "[Image #1] make it blue"},
		{"a plan for a new session", user("u1",
			"Implement the following plan:\n\n# Pricing\n\n1. Round up\n\n\nIf you need specific details from "+
				"before exiting plan mode (like exact code snippets, error messages, or content you generated), "+
				"read the full transcript at: /home/alice/t.jsonl\n\nUser feedback on this plan: round down"),
			"Implement the following plan:\n\n# Pricing\n\n1. Round up\n\nUser feedback on this plan: round down"},
		{"a plan with nothing behind", user("u1",
			"Implement the following plan:\n\n# Pricing\n\nIf you need specific details from before exiting plan "+
				"mode (like exact code snippets), read the full transcript at: /home/alice/t.jsonl"),
			"Implement the following plan:\n\n# Pricing"},
		{"HTML", user("u1", "<div>hello</div>"), "<div>hello</div>"},
		{"not an object", `["user"]`, ""},
		{"not JSON", `"user" go`, ""},
		{"wrong types", `{"type":"user","message":{"content":{"text":"user"}},"isMeta":"no"}`, ""},
		{"deep", `{"type":"user","message":{"content":"go"},"x":` + strings.Repeat("[", 300) +
			strings.Repeat("]", 300) + `}`, "(long)"},
		{"very deep", `{"type":"user","x":` + strings.Repeat("[", 7<<20), "(long)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := transcriptOf(t, strings.TrimSuffix(tt.line, "\n")+"\n")
			if got, _ := read(t, path, Position{}); got != tt.want {
				t.Errorf("typed was %q, want %q", got, tt.want)
			}
		})
	}
}

// A line is read once. A line that has no end yet is left for the next reading.
func TestGoOn(t *testing.T) {
	path := transcriptOf(t, user("u1", "one"), assistant("x"), user("u2", "two"), `{"type":"user","mess`)
	got, at := read(t, path, Position{})
	if got != "one|two" {
		t.Errorf("typed was %s", got)
	}
	if got, again := read(t, path, at); got != "" || again != at {
		t.Errorf("again it was %s, at %+v, was %+v", got, again, at)
	}
	fixture.Append(t, path, `age":{"content":"three"}}`)
	if got, again := read(t, path, at); got != "" || again != at {
		t.Errorf("with no line end yet it was %s, at %+v, was %+v", got, again, at)
	}
	fixture.Append(t, path, "\n"+user("u4", "four"))
	got, at = read(t, path, at)
	if got != "three|four" {
		t.Errorf("then it was %s", got)
	}
	if end := End(path); end.Offset != at.Offset || end.File != at.File {
		t.Errorf("it ends at %+v, read to %+v", end, at)
	}
}

// A replaced file is read from its beginning.
func TestStartOver(t *testing.T) {
	one, two, three := user("u1", "one")+assistant(strings.Repeat("x", headSize)), user("u2", "two"),
		user("u3", "three")
	for name, content := range map[string]string{"cut": one, "another, shorter": three, "another, longer": three + two +
		one, "rewritten": strings.Replace(one, "u1", "x1", 1) + two, "rewritten at its end": one +
		strings.Replace(two, "two", "TWO", 1), "same length": two + one} {
		path := transcriptOf(t, one, two)
		_, at := read(t, path, Position{})
		fixture.Write(t, path, content)
		fresh, end := read(t, path, Position{})
		if got, to := read(t, path, at); got != fresh || to != end {
			t.Errorf("%s: typed was %s to %+v, from its beginning %s to %+v", name, got, to, fresh, end)
		}
	}
	path := transcriptOf(t, one, two)
	_, end := read(t, path, Position{})
	for _, from := range []Position{{Offset: -5}, {Offset: -5, File: end.File}, {Offset: 3}, {Offset: end.Offset},
		{Offset: 1 << 60}, {Offset: end.Offset + 1, File: ""}, {Offset: end.Offset, File: "0"}} {
		if got, to := read(t, path, from); got != "one|two" || to != end {
			t.Errorf("from %+v typed was %s to %+v", from, got, to)
		}
	}
}

func TestOddFiles(t *testing.T) {
	for name, tt := range map[string]struct{ content, want string }{
		"empty":                {"", ""},
		"line ends of Windows": {strings.ReplaceAll(user("u1", "one")+user("u2", "two"), "\n", "\r\n"), "one|two"},
		"empty lines":          {"\n\n" + user("u1", "one") + "\n\n" + user("u2", "two"), "one|two"},
		"NUL bytes": {"\x00\x00\x00\n" + user("u1", "one") + strings.Repeat("\x00", 5000) + "\n" +
			user("u2", "two"), "one|two"},
		"a line cut off by a kill": {`{"type":"user","mess` + "\n" + user("u1", "one"), "(long)|one"},
		"not UTF-8": {user("u1", "one") + "{\"type\":\"user\",\"message\":{\"content\":\"caf\xe9\"}}\n",
			"one|caf\xe9"},
		"a byte order mark": {"\ufeff" + user("u1", "one") + user("u2", "two"), "one|two"},
	} {
		path := transcriptOf(t, tt.content)
		if got, _ := read(t, path, Position{}); got != tt.want {
			t.Errorf("%s: typed was %q, want %q", name, got, tt.want)
		}
	}
}

func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	from := Position{Offset: 5, File: "x"}
	at, err := prompts(filepath.Join(dir, "none.jsonl"), from, nil)
	if !errors.Is(err, fs.ErrNotExist) || at != from {
		t.Errorf("missing: %+v, %v", at, err)
	}
	if at, err := prompts(dir, from, nil); err == nil || at != from {
		t.Errorf("a folder: %+v, %v", at, err)
	}
	path := transcriptOf(t, user("u1", "one"))
	fixture.Link(t, path, filepath.Join(dir, "link.jsonl"))
	if at, err := prompts(filepath.Join(dir, "link.jsonl"), from, nil); err == nil || at != from {
		t.Errorf("a link: %+v, %v", at, err)
	}
	for _, p := range []string{"", filepath.Join(dir, "none.jsonl"), dir, transcriptOf(t)} {
		if got := End(p); got != (Position{}) {
			t.Errorf("%s ends at %+v", p, got)
		}
	}
}

// Lines of megabytes are read. A line longer than maxLine becomes an entry that is marked Long.
func TestLongLines(t *testing.T) {
	image := `,"image":"` + strings.Repeat("iVBORw0K", 1<<17) + `"`
	words := strings.Repeat("word ", 60_000)
	line := user("u3", words)
	fit := user("u5", "just", `,"x":"`+strings.Repeat("x", maxLine-len(user("u5", "just", `,"x":""`)))+`"`)
	path := transcriptOf(t, user("u1", "one", image), assistant(strings.Repeat("x", 200<<10)), user("u2", "two"), line,
		fit, strings.Replace(fit, "just", "never", 1), user("u6", "six"), strings.Repeat("y", 3*maxLine)+"\n",
		user("u7", "seven"))
	got, at := read(t, path, Position{})
	if want := "one|two|" + strings.TrimSpace(words) + "|just|(long)|six|(long)|seven"; got != want {
		t.Errorf("typed was %d characters, %.50s … %s", len(got), got, got[max(0, len(got)-60):])
	}
	fixture.Append(t, path, user("u8", "eight"))
	if got, _ := read(t, path, at); got != "eight" {
		t.Errorf("then it was %.50s", got)
	}
}

// A line without an end is read in pieces, each once, however little time the reader has: goOn is called within the
// line.
func TestLineWithoutEnd(t *testing.T) {
	path := transcriptOf(t, user("u1", "one"), strings.Repeat("y", 5*maxLine))
	asked, calls := 0, 0
	never := func() bool { asked++; return false }
	typed := func(at Position) (string, Position, bool) {
		var all []string
		calls++
		next, end, err := Follow(path, at, never, false, func(e Entry) {
			for _, p := range e.Prompts {
				all = append(all, p.Text+strings.Repeat("(long)", strings.Count(fmt.Sprint(p.Long), "true")))
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(all, "|"), next, end
	}
	got, at, end := typed(Position{})
	if got != "one" || end {
		t.Fatalf("first %q, %+v, at the end: %v", got, at, end)
	}
	for range 5 * maxLine / checkBytes {
		if end {
			break
		}
		before := at
		if got, at, end = typed(at); got != "" || !end && at.Long <= before.Long || at.Offset != before.Offset {
			t.Fatalf("then %q, from %+v to %+v", got, before, at)
		}
	}
	if most := 5 * maxLine / checkBytes; !end || at.Long != 5*maxLine || asked > most {
		t.Errorf("after %d calls it was read to %+v, at the end: %v; the clock was looked at %d times, at most %d "+
			"are needed", calls, at, end, asked, most)
	}
	if !Unchanged(path, at) {
		t.Error("what was read to its end has changed")
	}
	fixture.Append(t, path, "y\n"+user("u2", "two"))
	if Unchanged(path, at) {
		t.Error("what was added is no change")
	}
	if got, at, _ = typed(at); got != "(long)" || at.Long != 0 {
		t.Errorf("ended, it was %q, to %+v", got, at)
	}
	if got, at, _ = typed(at); got != "two" {
		t.Errorf("behind it was %q, to %+v", got, at)
	}
	// A line that may still have to be judged is read again.
	path = transcriptOf(t, user("u1", "one"), strings.TrimSuffix(user("u2", strings.Repeat("w", maxLine/2)), "\n"))
	_, at, _ = typed(Position{})
	if _, at, end = typed(at); !end || at.Long != 0 {
		t.Errorf("one that fits was read to %+v, at the end: %v", at, end)
	}
	fixture.Append(t, path, "\n")
	if got, _, _ = typed(at); len(got) != maxLine/2 {
		t.Errorf("ended, it was %d bytes", len(got))
	}
	// A file that was cut meanwhile holds another line there.
	fixture.Write(t, path, user("u1", "one")+user("u3", "three"))
	if got, _, _ = typed(Position{Offset: at.Offset, File: at.File, Long: 5 * maxLine}); got != "three" {
		t.Errorf("cut, it was %.50q", got)
	}
}

// Reading more than the memory that it may take: never more than one line is held.
func TestMemory(t *testing.T) {
	for name, tt := range map[string]struct {
		line string
		most uint64 // MB of heap
	}{
		"many lines":    {assistant(strings.Repeat("x", 2000)), 4},
		"long lines":    {assistant(strings.Repeat(`x "user" `, 100<<10)), 10},
		"large lines":   {assistant(strings.Repeat(`x "user" `, 600<<10)), 16},
		"endless lines": {assistant(strings.Repeat("x", 26<<20)), 20},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "7d1e.jsonl")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			typed := 0
			for size := 0; size < int(tt.most+4)<<20; typed++ {
				n, err := f.WriteString(user("u", fmt.Sprint("prompt ", typed)) + tt.line)
				if err != nil {
					t.Fatal(err)
				}
				size += n
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			tt.line = ""
			runtime.GC()
			var before, now runtime.MemStats
			runtime.ReadMemStats(&before)
			n, most := 0, uint64(0)
			if _, err := prompts(path, Position{}, func(p Prompt) {
				if p.Long {
					return
				}
				if n++; n%5000 == 0 || n < 20 {
					runtime.GC() // count live memory only
					runtime.ReadMemStats(&now)
					most = max(most, now.HeapAlloc)
				}
			}); err != nil || n != typed {
				t.Errorf("typed were %d of %d, %v", n, typed, err)
			}
			if used := (most - min(most, before.HeapAlloc)) >> 20; used > tt.most {
				t.Errorf("it took %d MB, at most %d", used, tt.most)
			}
		})
	}
}

// One line has the call, another its result.
func TestEntry(t *testing.T) {
	path := transcriptOf(t,
		`{"parentUuid":"u1","type":"assistant","message":{"content":[{"type":"text","text":"now"},`+
			`{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"npm test"}},{"type":"tool_use",`+
			`"id":"t2","name":"Edit","input":{}}]},"uuid":"a1","timestamp":"2026-03-14T09:26:53Z"}`+"\n",
		`{"parentUuid":"a1","type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1",`+
			`"is_error":true,"content":[{"type":"text","text":"Exit code 1"},{"type":"text","text":"401"}]}]},`+
			`"toolUseResult":{"code":1},"uuid":"u2"}`+"\n",
		`{"parentUuid":null,"logicalParentUuid":"u2","type":"system","subtype":"compact_boundary","uuid":"s1"}`+"\n",
		`{"type":"pr-link","prUrl":"https://github.com/acme/shop/pull/12"}`+"\n",
		`{"isSidechain":true,"type":"assistant","message":{"content":[{"type":"tool_use","id":"t3","name":"Bash",`+
			`"input":{}}]},"uuid":"a2"}`+"\n",
		assistant("nothing to see"),
		strings.Repeat("z", maxLine+1)+"\n",
	)
	var got []string
	if _, err := readEntries(path, Position{}, func(e Entry) {
		line := e.UUID
		for _, c := range e.Calls {
			line += " " + c.ID + "=" + c.Name + c.Input.Get("command").String()
		}
		for _, r := range e.Results {
			line += fmt.Sprintf(" %s=%t %q %s", r.ID, r.Failed, r.Text(), r.Extra.Raw)
		}
		got = append(got, fmt.Sprintf("%s %s,%t,%t,%d", line, e.PR, e.Boundary, e.Long, len(e.Prompts)))
	}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a1 t1=Bashnpm test t2=Edit ,false,false,0",
		`u2 t1=true "Exit code 1\n401" {"code":1} ,false,false,0`,
		"s1 ,true,false,0",
		" https://github.com/acme/shop/pull/12,false,false,0",
		" ,false,true,1",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("it shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
