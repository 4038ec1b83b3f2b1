package main

import (
	"cmp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// runTool appends a call of the Bash tool, or of $TOOL, and its result to the session's transcript: tool ID COMMAND
// ok|failed OUTPUT [MORE]. "\n" in OUTPUT is a new line; MORE are JSON members of both lines, as `"isSidechain":true`.
func runTool(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: tool ID COMMAND ok|failed OUTPUT [MORE]")
	}
	more := ""
	if len(args) > 4 {
		more = "," + args[4]
	}
	now := `"timestamp":"` + time.Now().UTC().Format(time.RFC3339Nano) + `"`
	failed := "false"
	if args[2] == "failed" {
		failed = "true"
	}
	appendLine(ts, "t.jsonl", `{"type":"assistant","uuid":"a-`+args[0]+`",`+now+more+
		`,"message":{"role":"assistant","content":[{"type":"tool_use","id":`+quoteJSON(args[0])+`,"name":`+
		quoteJSON(cmp.Or(ts.Getenv("TOOL"), "Bash"))+`,"input":{"command":`+quoteJSON(args[1])+
		`,"description":"note it"}}]}}`)
	appendLine(ts, "t.jsonl", `{"type":"user","uuid":"r-`+args[0]+`",`+now+more+
		`,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":`+quoteJSON(args[0])+`,"is_error":`+
		failed+`,"content":`+quoteJSON(strings.ReplaceAll(args[3], `\n`, "\n"))+`}]}}`)
}
