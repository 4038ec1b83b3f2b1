package client

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
)

// Lines returns what a line of the client's transcript says as lines of Claude Code's. It returns none for a line of a
// rollout, Codex's transcript, that says nothing of what was typed, answered, run or edited. Of what stands twice in a
// rollout it takes the items that Codex shows: they have typed words alone, where the model's input also has what the
// client and hooks added.
func (c *Client) Lines(line []byte) [][]byte {
	if c != Codex {
		return [][]byte{line}
	}
	if !says(line) || !jsonx.Valid(line, maxDepth) {
		return nil
	}
	v := gjson.ParseBytes(line)
	w := writer{at: v.Get("timestamp").Str}
	payload := v.Get("payload")
	switch v.Get("type").Str {
	case "session_meta":
		session := `,"sessionId":` + jsonx.Quote(payload.Get("id").Str)
		w.line(`"type":"session","cwd":` + jsonx.Quote(payload.Get("cwd").Str) + session)
		if before, ok := goesBack(payload); ok {
			w.line(`"type":"system","subtype":"reverted","before":` + before + session)
		}
	case "event_msg":
		if payload.Get("type").Str == "item_completed" {
			w.item(payload.Get("item"), v.Get("ordinal").Int())
		}
	case "response_item":
		w.hook(payload)
		w.plan(payload)
	case "compacted":
		w.compacted(payload.Get("message").Str)
	}
	return w.out
}

// maxDepth is the deepest nesting of a line that is read.
const maxDepth = 256

// says reports whether a line may say something: most bytes of a rollout are instructions and states of the client.
func says(line []byte) bool {
	head := line[:min(len(line), 200)]
	for _, kind := range [...]string{`"session_meta"`, `"item_completed"`, `"response_item"`, `"compacted"`} {
		if bytes.Contains(head, []byte(kind)) {
			return true
		}
	}
	return false
}

// writer collects lines in Claude Code's form, which have the time at.
type writer struct {
	at  string
	out [][]byte
}

// line adds a line with these fields, which are JSON.
func (w *writer) line(fields string) {
	w.out = append(w.out, []byte(`{`+fields+`,"timestamp":`+jsonx.Quote(w.at)+`}`))
}

// item adds what a completed item says.
func (w *writer) item(item gjson.Result, ordinal int64) {
	id := item.Get("id").Str
	switch item.Get("type").Str {
	case "UserMessage":
		w.message(`"user","promptSource":"typed","ordinal":`+strconv.FormatInt(ordinal, 10), id,
			`[`+textPart(texts(item.Get("content")))+`]`)
	case "AgentMessage":
		w.message(`"assistant"`, id, `[`+textPart(texts(item.Get("content")))+`]`)
	case "CommandExecution":
		w.call(id, id, "Bash", `{"command":`+jsonx.Quote(command(item.Get("command")))+`}`, item)
	case "FileChange":
		item.Get("changes").ForEach(func(path, change gjson.Result) bool {
			name := "Edit"
			if change.Get("type").Str == "add" {
				name = "Write"
			}
			w.call(id, id+"#"+path.Str, name, `{"file_path":`+jsonx.Quote(path.Str)+`}`, item)
			return true
		})
	}
}

// message adds a message with this content, which is JSON. who is the line's type as JSON, and what follows it.
func (w *writer) message(who, id, content string) {
	role, _, _ := strings.Cut(who, ",")
	w.line(`"type":` + who + `,"uuid":` + jsonx.Quote(id) +
		`,"message":{"role":` + role + `,"content":` + content + `}`)
}

// call adds the call of a tool and its result, whose input is JSON.
func (w *writer) call(line, id, tool, input string, item gjson.Result) {
	cwd := item.Get("cwd").Str
	if path, ok := strings.CutPrefix(cwd, "file://"); ok {
		cwd = decodePath(path)
	}
	quoted := jsonx.Quote(id)
	w.message(`"assistant"`, line+"#call", `[{"type":"tool_use","id":`+quoted+`,"name":"`+tool+`","input":`+input+`}]`)
	output := item.Get("aggregated_output").Str + item.Get("stdout").Str + item.Get("stderr").Str
	failed, code := "", item.Get("exit_code")
	who := `"user","cwd":` + jsonx.Quote(cwd)
	switch status := item.Get("status").Str; {
	case code.Raw == "-1": // the client ended it
		who += `,"toolUseResult":{"interrupted":true}`
	case status == "declined":
		failed, who = `,"is_error":true`, who+`,"toolDenialKind":"declined"`
	case status != "completed":
		failed = `,"is_error":true`
		if code.Exists() {
			output = "Exit code " + code.Raw + "\n" + output
		}
	}
	w.message(who, line+"#result", `[{"type":"tool_result","tool_use_id":`+quoted+failed+
		`,"content":`+jsonx.Quote(output)+`}]`)
}

// decodePath decodes %20 and the like in the path of an address; a path with another percent sign stays as it is.
// Package net/url would do it, and its start would cost each hook a tenth of a Go hello-world.
func decodePath(path string) string {
	decoded, rest, more := strings.Cut(path, "%")
	for more {
		code, err := strconv.ParseUint(rest[:min(2, len(rest))], 16, 8)
		if err != nil || len(rest) < 2 {
			return path
		}
		plain := ""
		plain, rest, more = strings.Cut(rest[2:], "%")
		decoded += string([]byte{byte(code)}) + plain
	}
	return decoded
}

// hook adds what a hook told the model, from a message of the model's input.
func (w *writer) hook(message gjson.Result) {
	kinds := message.Get("internal_chat_message_metadata_passthrough.content_item_kinds").Raw
	if message.Get("role").Str != "developer" || !strings.Contains(kinds, `"hooks.additional_context"`) {
		return
	}
	w.line(`"type":"attachment","uuid":` + jsonx.Quote(message.Get("id").Str) +
		`,"attachment":{"type":"hook_additional_context","hookEvent":"","content":` +
		jsonx.Quote(texts(message.Get("content"))) + `}`)
}

// plan adds the task list that a call of update_plan sets, as one of TodoWrite, whose states have the same names.
func (w *writer) plan(call gjson.Result) {
	if call.Get("type").Str != "function_call" || call.Get("name").Str != "update_plan" {
		return
	}
	todos := ""
	for _, step := range gjson.Get(call.Get("arguments").Str, "plan").Array() {
		todos += `,{"content":` + jsonx.Quote(step.Get("step").Str) +
			`,"status":` + jsonx.Quote(step.Get("status").Str) + `}`
	}
	id := call.Get("call_id").Str
	w.call(id, id, "TodoWrite", `{"todos":[`+strings.TrimPrefix(todos, ",")+`]}`, gjson.Parse(`{"status":"completed"}`))
}

// compacted adds the boundary of a compaction and its summary, without the words that the client puts before it.
func (w *writer) compacted(message string) {
	w.line(`"type":"system","subtype":"compact_boundary","uuid":` + jsonx.Quote("compacted "+w.at) +
		`,"compactMetadata":{"trigger":"auto"}`)
	if _, summary, ok := strings.Cut(message, summaryBegins); ok {
		message = summary
	}
	w.message(`"user","isCompactSummary":true`, "summary "+w.at, jsonx.Quote(message))
}

// summaryBegins ends the words that the client puts before a summary.
const summaryBegins = "use the information in this summary to assist with your own analysis:\n"

// texts returns the texts of a message's parts. What is no text, such as a picture, has none.
func texts(content gjson.Result) string {
	var all []string
	content.ForEach(func(_, part gjson.Result) bool {
		if words := part.Get("text"); words.Type == gjson.String {
			all = append(all, words.Str)
		}
		return true
	})
	return strings.Join(all, "\n")
}

func textPart(words string) string { return `{"type":"text","text":` + jsonx.Quote(words) + `}` }

// command returns the command line of a call: the third of the words shell, -lc, line that the client hands over.
func command(words gjson.Result) string {
	all := jsonx.Words(words)
	if len(all) == 3 && strings.HasPrefix(all[1], "-") {
		return all[2]
	}
	return strings.Join(all, " ")
}
