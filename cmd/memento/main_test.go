package main

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/cli"
)

// noSleep makes a process that was built with -race exit at once, instead of after a second.
const noSleep = "atexit_sleep_ms=0"

// TestScript runs every command and event: testdata/script/*.txtar. "memento ARGS" and "hook EVENT" run in this
// process, which spares the start of one. "exec memento" starts one, where a script needs standard input, a terminal,
// other programs, or two at a time.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			for k, v := range map[string]string{"HOME": home, "USER": "alice",
				"M": filepath.Join(home, ".claude", ".memento"), "P": filepath.Join(env.WorkDir, "shop"), "TZ": "UTC",
				// the process of the client, unless a script sets another one
				"CLAUDE_PID": strconv.Itoa(os.Getpid()),
				"GORACE":     noSleep} {
				env.Setenv(k, v)
			}
			env.Cd = filepath.Join(env.WorkDir, "shop")
			return os.MkdirAll(env.Cd, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"memento": runMemento,
			"hook":    runHook, "typed": runTyped, "printed": runPrinted, "summed": runSummed, "called": runCalled,
			"given": runGiven, "answered": runAnswered, "said": runSaid, "age": runAge, "mode": runMode,
			"lines": runLines, "shellmode": runShellMode,
			"cmpbody": runCmpBody, "env-from": runEnvFrom, "wait-gone": runWaitGone,
		},
	})
}

// runMemento runs a command in the script's folder and environment: memento ARGS.
func runMemento(ts *testscript.TestScript, neg bool, args []string) {
	code := cli.Main(args, cli.Streams{In: strings.NewReader(""), Piped: true, Out: ts.Stdout(), Err: ts.Stderr(),
		Getenv: ts.Getenv, Dir: ts.MkAbs("."), Exe: self, Called: "memento", Now: time.Now})
	if (code != 0) != neg {
		ts.Fatalf("memento ended with %d", code)
	}
	if len(args) > 0 && args[0] == "pause" {
		time.Sleep(2 * time.Millisecond) // a pause is a millisecond long at least, which is longer than a few steps
	}
}

// runHook sends one event as session s1 in $P: hook EVENT KEY=VALUE... A value that starts with { is JSON as it is;
// session=, transcript= and cwd= replace the defaults. "! hook" demands an empty answer. For any input, a hook
// exits with 0 and writes nothing to standard error. If $EXE is a Windows path, the hook runs as if on Windows.
func runHook(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: hook EVENT KEY=VALUE...")
	}
	fields := map[string]string{"session_id": "s1", "transcript_path": ts.MkAbs("t.jsonl"), "cwd": ts.Getenv("P"),
		"hook_event_name": args[0]}
	for _, a := range args[1:] {
		k, v, _ := strings.Cut(a, "=")
		switch k {
		case "session":
			k = "session_id"
		case "transcript":
			k = "transcript_path"
		case "last_assistant_message":
			v = strings.ReplaceAll(v, `\n`, "\n")
		}
		fields[k] = v
	}
	var in strings.Builder
	for k, v := range fields {
		if in.Len() > 0 {
			in.WriteByte(',')
		}
		if !strings.HasPrefix(v, "{") {
			v = quoteJSON(v)
		}
		in.WriteString(quoteJSON(k) + ":" + v)
	}
	file := ts.MkAbs(".event.json")
	ts.Check(os.WriteFile(file, []byte("{"+in.String()+"}"), 0o600))
	sendFile(ts, neg, file)
}

func sendFile(ts *testscript.TestScript, neg bool, file string) {
	f, err := os.Open(file)
	ts.Check(err)
	defer f.Close()
	out, err := os.Create(ts.MkAbs("answer"))
	ts.Check(err)
	defer out.Close()
	stderr := ts.MkAbs("answer.err")
	e, err := os.Create(stderr)
	ts.Check(err)
	defer e.Close()
	code := cli.Main([]string{"hook"}, cli.Streams{In: f, Out: out, Err: e, Getenv: ts.Getenv, Dir: ts.Getenv("P"),
		Exe: cmp.Or(ts.Getenv("EXE"), "/opt/memento/bin/memento"), Now: time.Now, Windows: ts.Getenv("EXE") != ""})
	if code != 0 {
		ts.Fatalf("the hook ended with %d", code)
	}
	if said := ts.ReadFile("answer.err"); said != "" {
		ts.Fatalf("the hook wrote to standard error: %s", said)
	}
	answer := splitMessage(ts, ts.ReadFile("answer"))
	ts.Logf("[answer]\n%s", answer)
	if neg && answer != "" {
		ts.Fatalf("the hook answered, though nothing was to be said")
	}
}

// splitMessage writes what the person is told to the file message, and the rest of a hook's response to the file
// answer, as if the person were told nothing.
func splitMessage(ts *testscript.TestScript, response string) string {
	message := ""
	if strings.HasPrefix(response, "{") && gjson.Get(response, "systemMessage").Exists() {
		message = gjson.Get(response, "systemMessage").Str + "\n"
		ts.Logf("[message]\n%s", message)
		switch rest := gjson.Get(response, "hookSpecificOutput"); {
		case !rest.Exists():
			response = ""
		case rest.Get("hookEventName").Str == "SessionStart": // plain text without a message
			response = rest.Get("additionalContext").Str + "\n"
		default:
			response = `{"hookSpecificOutput":` + rest.Raw + "}\n"
		}
		ts.Check(os.WriteFile(ts.MkAbs("answer"), []byte(response), 0o600))
	}
	ts.Check(os.WriteFile(ts.MkAbs("message"), []byte(message), 0o600))
	return response
}

// runTyped appends what the user typed to the session's transcript: typed UUID TEXT [FILE].
func runTyped(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: typed UUID TEXT [FILE]")
	}
	name := "t.jsonl"
	if len(args) > 2 {
		name = args[2]
	}
	appendLine(ts, name, `{"type":"user","uuid":`+quoteJSON(args[0])+`,"timestamp":"`+
		time.Now().UTC().Format(time.RFC3339Nano)+`","message":{"role":"user","content":[{"type":"text","text":`+
		quoteJSON(args[1])+"}]}}")
}

// runShellMode appends the client's line for what a person typed in a session's shell mode, in the form of client
// 2.1.330: shellmode SESSION COMMAND [AGE]. Without a command it is a prompt.
func runShellMode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: shellmode SESSION COMMAND [AGE]")
	}
	at := time.Now()
	if len(args) > 2 {
		age, err := time.ParseDuration(args[2])
		ts.Check(err)
		at = at.Add(-age)
	}
	display := "Go on."
	if args[1] != "" {
		display = "! " + args[1]
	}
	appendLine(ts, filepath.Join(ts.Getenv("M"), "..", "history.jsonl"), `{"display":`+quoteJSON(display)+
		`,"pastedContents":{},"timestamp":`+strconv.FormatInt(at.UnixMilli(), 10)+`,"project":`+
		quoteJSON(ts.Getenv("P"))+`,"sessionId":`+quoteJSON(args[0])+`}`)
}

// runSummed appends the client's lines for a compaction, in the form of client 2.1.330: summed manual|auto SUMMARY
// [FILE].
func runSummed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: summed manual|auto SUMMARY [FILE]")
	}
	name := "t.jsonl"
	if len(args) > 2 {
		name = args[2]
	}
	now := `"timestamp":"` + time.Now().UTC().Format(time.RFC3339Nano) + `"`
	appendLine(ts, name, `{"type":"system","subtype":"compact_boundary",`+now+`,"compactMetadata":{"trigger":`+
		quoteJSON(args[0])+`}}`)
	appendLine(ts, name, `{"type":"user",`+now+`,"isCompactSummary":true,"message":{"role":"user","content":`+
		quoteJSON(args[1])+`}}`)
}

// runPrinted appends a tool's output to the session's transcript: printed TEXT.
func runPrinted(ts *testscript.TestScript, neg bool, args []string) {
	appendLine(ts, "t.jsonl",
		`{"type":"user","uuid":"p1","message":{"role":"user","content":[{"type":"tool_result",`+
			`"tool_use_id":"toolu_1","content":`+quoteJSON(args[0])+"}]}}")
}

// runCalled appends a call of a tool and its answer: called TOOL INPUT ANSWER [EXTRA]. INPUT and EXTRA (toolUseResult)
// are JSON. "! called" appends a call that failed.
func runCalled(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: called TOOL INPUT ANSWER [EXTRA]")
	}
	n, err := os.ReadFile(ts.MkAbs("t.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		ts.Fatalf("%v", err)
	}
	id := "toolu_" + strconv.Itoa(strings.Count(string(n), "\n"))
	now := time.Now().UTC().Format(time.RFC3339Nano)
	appendLine(ts, "t.jsonl", `{"type":"assistant","uuid":"`+id+`a","timestamp":"`+now+
		`","message":{"role":"assistant","content":[{"type":"tool_use","id":"`+id+`","name":`+quoteJSON(args[0])+
		`,"input":`+args[1]+`}]}}`)
	extra := ""
	if len(args) > 3 {
		extra = `,"toolUseResult":` + args[3]
	}
	appendLine(ts, "t.jsonl", `{"type":"user","uuid":"`+id+`b","timestamp":"`+now+
		`","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`","is_error":`+
		strconv.FormatBool(neg)+`,"content":`+quoteJSON(strings.ReplaceAll(args[2], `\n`, "\n"))+"}]}"+extra+"}")
}

// runGiven appends the client's note of a hook's last answer, in the form of client 2.1.329: given plain, given
// context, or given cut, which has only a preview of the answer.
func runGiven(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: given plain|context|cut")
	}
	words := strings.TrimSpace(ts.ReadFile("answer"))
	var answer struct {
		Specific struct{ AdditionalContext string } `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(words), &answer) == nil {
		words = answer.Specific.AdditionalContext
	}
	tail := `},"uuid":"h1","timestamp":"` + time.Now().UTC().Format(time.RFC3339Nano) + `","version":"2.1.329"}`
	if args[0] == "context" {
		appendLine(ts, "t.jsonl",
			`{"type":"attachment","attachment":{"type":"hook_additional_context","hookEvent":"SessionStart",`+
				`"hookName":"SessionStart","content":["another hook's words",`+quoteJSON(words)+"]"+tail)
		return
	}
	shown := words
	if args[0] == "cut" {
		shown = "<persisted-output>\nOutput too large (12KB). Full output saved to: " +
			"/home/alice/hook-1-stdout.txt\n\nPreview (first " +
			"2KB):\n" + words[:len(words)-20] + "\n...\n</persisted-output>"
	}
	appendLine(ts, "t.jsonl",
		`{"type":"attachment","attachment":{"type":"hook_success","hookEvent":"SessionStart",`+
			`"hookName":"SessionStart:compact",`+
			`"content":`+quoteJSON(shown)+`,"stdout":`+quoteJSON(words)+`,"exitCode":0`+tail)
}

// runAnswered appends an answer of Claude's: answered [VERSION].
func runAnswered(ts *testscript.TestScript, neg bool, args []string) {
	version := "2.1.329"
	if len(args) > 0 {
		version = args[0]
	}
	appendLine(ts, "t.jsonl", `{"type":"assistant","isSidechain":false,"uuid":"a1","timestamp":"`+
		time.Now().UTC().Format(time.RFC3339Nano)+`","version":"`+version+
		`","message":{"role":"assistant","content":[{"type":"text","text":"I go on."}]}}`)
}

// runSaid appends what Claude said to the session's transcript: said UUID TEXT [FILE].
func runSaid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: said UUID TEXT [FILE]")
	}
	name := "t.jsonl"
	if len(args) > 2 {
		name = args[2]
	}
	appendLine(ts, name, `{"type":"assistant","isSidechain":false,"uuid":`+quoteJSON(args[0])+`,"timestamp":"`+
		time.Now().UTC().Format(time.RFC3339Nano)+`","message":{"role":"assistant","content":[{"type":"text","text":`+
		quoteJSON(strings.ReplaceAll(args[1], `\n`, "\n"))+"}]}}")
}

func appendLine(ts *testscript.TestScript, name, line string) {
	f, err := os.OpenFile(ts.MkAbs(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	ts.Check(err)
	defer f.Close()
	_, err = f.WriteString(line + "\n")
	ts.Check(err)
}

// runAge moves every time in a file DAYS into the past: age DAYS FILE. Times are recognised by today's date.
func runAge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: age DAYS FILE")
	}
	days, err := strconv.Atoi(args[0])
	ts.Check(err)
	now := time.Now().UTC()
	data := ts.ReadFile(args[1])
	for _, d := range []time.Time{now, now.AddDate(0, 0, -1)} { // the test may run across midnight
		data = strings.ReplaceAll(data, d.Format("2006-01-02T"), d.AddDate(0, 0, -days).Format("2006-01-02T"))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(data), 0o600))
}

// runMode checks a file's permissions: mode -rw------- FILE.
func runMode(ts *testscript.TestScript, neg bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := info.Mode().Perm().String(); (got == args[0]) == neg {
		ts.Fatalf("%s has mode %s", args[1], got)
	}
}

// runLines checks how many lines a file has: lines 3 FILE.
func runLines(ts *testscript.TestScript, neg bool, args []string) {
	n := strconv.Itoa(strings.Count(ts.ReadFile(args[1]), "\n"))
	if (n == args[0]) == neg {
		ts.Fatalf("%s has %s lines", args[1], n)
	}
}

// runCmpBody compares the text behind the front matter of a record with a file: cmpbody RECORD FILE.
func runCmpBody(ts *testscript.TestScript, neg bool, args []string) {
	_, body, _ := strings.Cut(strings.TrimPrefix(ts.ReadFile(args[0]), "---\n"), "\n---\n")
	if want := ts.ReadFile(args[1]); (body == want) == neg {
		ts.Fatalf("the body of %s is\n%s\nand %s is\n%s", args[0], body, args[1], want)
	}
}

// runEnvFrom sets a variable to the content of a file: env-from NAME FILE.
func runEnvFrom(ts *testscript.TestScript, neg bool, args []string) {
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(args[1])))
}

// runWaitGone waits for the end of the process whose id is in a file: wait-gone FILE.
func runWaitGone(ts *testscript.TestScript, neg bool, args []string) {
	proc := "/proc/" + strings.TrimSpace(ts.ReadFile(args[0])) + "/stat"
	for range 1000 {
		if data, err := os.ReadFile(proc); err != nil || strings.Contains(string(data), ") Z ") {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	ts.Fatalf("%s is still there", proc)
}

func quoteJSON(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(data)
}
