// Package e2e runs the real Claude Code client, headless, against a mock of the Messages API on loopback. Its tests
// show what only the real client can show: what reaches the model, which tool calls run without a dialog, what a
// compaction leaves.
//
// The package holds the mock (mock.go), the client (client.go) and the scenarios (*_test.go). The
// binary may not link it, and it imports no other package of memento: like a user, it knows the plugin's folder, the
// command and the files on disk. Its assumptions about the client were measured on client 2.1.329.
package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Kind says who sent a request.
type Kind int

const (
	// Side is a request of the client's own (a title, a probe): few tools or none.
	Side Kind = iota
	// Main is the main model's request.
	Main
	// Subagent is the request of an agent started by the Agent tool.
	Subagent
	// Summary is a request of the client's summariser. It has the tools and the system prompt of Main; only its last
	// message differs.
	Summary
)

func (k Kind) String() string {
	return [...]string{"side", "main", "subagent", "summary"}[k]
}

// Call is one tool call of the model.
type Call struct {
	Tool  string
	Input map[string]any
}

// Turn is one answer of the model: text, tool calls, or both. Tokens is the input_tokens that it reports (0 means
// 1,000); a large number makes the client compact by itself. Later, when set, makes the turn at the time of the
// request, for a path that is not known before. Typed is the prompt that the person types while the model answers.
type Turn struct {
	Text   string
	Calls  []Call
	Tokens int
	Later  func() Turn
	Typed  string
}

// Say returns a turn of plain text.
func Say(text string) Turn { return Turn{Text: text} }

// Use returns a turn of one tool call.
func Use(tool string, input map[string]any) Turn {
	return Turn{Calls: []Call{{Tool: tool, Input: input}}}
}

// Bash returns a turn that runs one shell command.
func Bash(command string) Turn {
	return Use("Bash", map[string]any{"command": command, "description": "run a command"})
}

// Later returns a turn that f makes when the client asks for it.
func Later(f func() Turn) Turn { return Turn{Later: f} }

// At returns the turn with the input_tokens that it reports.
func (t Turn) At(tokens int) Turn { t.Tokens = tokens; return t }

// While returns the turn during which the person types words.
func (t Turn) While(words string) Turn { t.Typed = words; return t }

// Script holds the answers of the mocked models, in order. A model without another turn says "ok".
type Script struct {
	Main    []Turn
	Sub     []Turn
	Summary []string // text inside <summary>…</summary>; the last one is repeated
}

// Block is one content block of a message.
type Block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	UseID   string          `json:"tool_use_id"`
	Content Content         `json:"content"`
	IsError bool            `json:"is_error"`
}

// Content is a message's content: the API allows a string or a list of blocks.
type Content []Block

// UnmarshalJSON reads both forms; a string becomes one text block.
func (c *Content) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = Content{{Type: "text", Text: text}}
		return nil
	}
	var blocks []Block
	if err := json.Unmarshal(data, &blocks); err != nil {
		return fmt.Errorf("reading content: %w", err)
	}
	*c = blocks
	return nil
}

// Text returns all texts of the content, also those of tool results, one block on each line.
func (c Content) Text() string {
	var out []string
	for _, b := range c {
		switch {
		case b.Text != "":
			out = append(out, b.Text)
		case len(b.Content) > 0:
			out = append(out, b.Content.Text())
		}
	}
	return strings.Join(out, "\n")
}

// Message is one message of a request.
type Message struct {
	Role    string  `json:"role"`
	Content Content `json:"content"`
}

// Request is one request the client sent to the model.
type Request struct {
	Kind     Kind
	Model    string    `json:"model"`
	Stream   bool      `json:"stream"`
	System   Content   `json:"system"`
	Messages []Message `json:"messages"`
	Tools    []struct {
		Name string `json:"name"`
	} `json:"tools"`
	Body []byte // the request as it came
}

// Text returns the conversation of the request, without the system prompt.
func (r Request) Text() string {
	var out []string
	for _, m := range r.Messages {
		out = append(out, m.Content.Text())
	}
	return strings.Join(out, "\n")
}

// Tail returns the messages after the model's last answer: the newest prompt or tool result, and the texts of hooks.
func (r Request) Tail() string {
	from := 0
	for i, m := range r.Messages {
		if m.Role == "assistant" {
			from = i + 1
		}
	}
	return Request{Messages: r.Messages[from:]}.Text()
}

// Brief returns the text that the PreCompact hook gave the summariser, or "".
func (r Request) Brief() string {
	_, after, ok := strings.Cut(r.Text(), "Additional Instructions:\n")
	if !ok {
		return ""
	}
	brief, _, _ := strings.Cut(after, "\n\nREMINDER: Do NOT call any tools.")
	return brief
}

func kind(r Request) Kind {
	if n := len(r.Messages); n > 0 && strings.Contains(r.Messages[n-1].Content.Text(),
		"create a detailed summary of the conversation") {
		return Summary
	}
	switch {
	case strings.Contains(r.System.Text(), "cc_is_subagent=true"):
		return Subagent
	case len(r.Tools) > 3:
		return Main
	}
	return Side
}

// Mock answers as the Messages API does, on its own loopback port, and keeps every request.
type Mock struct {
	URL string

	server *http.Server
	script Script
	typed  func(words string) // the person's keyboard, nil for none

	mu       sync.Mutex
	requests []Request
	asked    [Summary + 1]int
}

// NewMock listens on loopback and serves script until Close.
func NewMock(script Script) (*Mock, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening on loopback: %w", err)
	}
	m := &Mock{URL: "http://" + l.Addr().String(), script: script}
	m.server = &http.Server{Handler: m, ReadHeaderTimeout: 10 * time.Second}
	go m.server.Serve(l)
	return m, nil
}

// Close stops the server, and breaks off running requests.
func (m *Mock) Close() { m.server.Close() }

// Requests returns the requests so far, in order.
func (m *Mock) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Request(nil), m.requests...)
}

// ServeHTTP answers one request. It answers other requests than messages with a harmless object, since the client
// also sends probes.
func (m *Mock) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch {
	case req.Method != http.MethodPost || !strings.HasPrefix(req.URL.Path, "/v1/messages"):
		reply(w, map[string]any{"ok": true})
		return
	case strings.Contains(req.URL.Path, "count_tokens"):
		reply(w, map[string]any{"input_tokens": 1000})
		return
	}
	r := Request{Body: body}
	if err := json.Unmarshal(body, &r); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Kind = kind(r)
	turn, n := m.next(r)
	if turn.Later != nil {
		turn = turn.Later()
	}
	if turn.Typed != "" && m.typed != nil {
		m.typed(turn.Typed)
	}
	send(w, r, turn, n)
}

// next stores the request and chooses its answer. n is the request's number. The ids of tool calls contain n, so that
// they are unique.
func (m *Mock) next(r Request) (turn Turn, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, r)
	i := m.asked[r.Kind]
	m.asked[r.Kind]++
	pick := func(turns []Turn) Turn {
		if i < len(turns) {
			return turns[i]
		}
		return Say("ok")
	}
	switch r.Kind {
	case Main:
		turn = pick(m.script.Main)
	case Subagent:
		turn = pick(m.script.Sub)
	case Summary:
		text := "The work so far was summarised."
		if k := len(m.script.Summary); k > 0 {
			text = m.script.Summary[min(i, k-1)]
		}
		// Without the tags the client treats the answer as a failure and asks a second time (client 2.1.329).
		turn = Say("<analysis>read</analysis>\n<summary>\n" + text + "\n</summary>")
	default:
		turn = Say("ok")
	}
	return turn, len(m.requests)
}

type object = map[string]any

func send(w http.ResponseWriter, r Request, turn Turn, n int) {
	tokens := turn.Tokens
	if tokens == 0 {
		tokens = 1000
	}
	var content []object
	if turn.Text != "" || len(turn.Calls) == 0 {
		content = append(content, object{"type": "text", "text": turn.Text})
	}
	stop := "end_turn"
	for i, c := range turn.Calls {
		stop = "tool_use"
		content = append(content, object{"type": "tool_use",
			"id": fmt.Sprintf("toolu_%d_%d_%d", time.Now().UnixNano(), n, i), "name": c.Tool, "input": c.Input})
	}
	usage := object{"input_tokens": tokens, "output_tokens": 20, "cache_read_input_tokens": 0,
		"cache_creation_input_tokens": 0}
	message := object{"id": fmt.Sprintf("msg_%d_%d", time.Now().UnixNano(), n), "type": "message", "role": "assistant",
		"model":   r.Model,
		"content": content, "stop_reason": stop, "stop_sequence": nil, "usage": usage}
	if !r.Stream {
		reply(w, message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(name string, fields object) {
		fields["type"] = name
		data, _ := json.Marshal(fields)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data)
	}
	message["content"], message["stop_reason"] = []object{}, nil
	event("message_start", object{"message": message})
	for i, c := range content {
		start, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": c["text"]}
		if c["type"] == "tool_use" {
			input, _ := json.Marshal(c["input"])
			start = object{"type": "tool_use", "id": c["id"], "name": c["name"], "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": string(input)}
		}
		event("content_block_start", object{"index": i, "content_block": start})
		event("content_block_delta", object{"index": i, "delta": delta})
		event("content_block_stop", object{"index": i})
	}
	event("message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil},
		"usage": object{"input_tokens": tokens, "output_tokens": 20}})
	event("message_stop", object{})
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}
