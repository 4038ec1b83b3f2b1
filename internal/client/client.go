// Package client says how the programs differ in which people work with a model: Claude Code and OpenAI's Codex CLI. It
// knows where each keeps its sessions, what its hooks may do, and the form of its transcripts. The other packages know
// one form of events, tools and transcripts, that of Claude Code, the first client: client returns each line of Codex's
// transcripts as the lines that Claude Code would have written. Facts about Codex were measured on version 0.169.0.
package client

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// Client is a program in which people work with a model. Its methods take the path of a transcript of its own.
type Client struct {
	Name   string // for a person
	Model  string // who answers in it, for a person
	Label  string // of its prompts in the log; "" for Claude Code
	Hooks  string // the file in its folder that lists its hooks
	folder string // its folder in the home folder
	moved  string // the variable that names another folder
	id     string // the variable in which its commands find the session's id

	sessions []string // patterns of its transcripts' paths in its folder

	ShellHooks    bool // a hook is a line for a shell; it has neither args nor a condition
	ReadsPlain    bool // it puts plain text of a start before the model, also text that begins with a bracket
	ResumesLate   bool // the start of a resumed session may come after its first compaction, before that one's own start
	ReadsBrief    bool // its summariser reads what a hook answers to PreCompact
	ConfinesTools bool // a tool's command may write in the project alone; hooks run outside of that sandbox
}

// The clients.
var (
	ClaudeCode = &Client{Name: "Claude Code", Model: "Claude", Hooks: "settings.json", folder: ".claude",
		moved: "CLAUDE_CONFIG_DIR", id: "CLAUDE_CODE_SESSION_ID", sessions: []string{"projects/*/*.jsonl"},
		ReadsPlain: true, ReadsBrief: true}
	Codex = &Client{Name: "Codex", Model: "Codex", Label: "codex", Hooks: "hooks.json", folder: ".codex",
		moved: "CODEX_HOME", id: "CODEX_SESSION_ID", ShellHooks: true, ResumesLate: true,
		ConfinesTools: true,
		sessions:      []string{"sessions/*/*/*/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl"}}
)

// Of returns the client that wrote the transcript at path, by its name: Claude Code for any but a rollout.
func Of(path string) *Client {
	if name := filepath.Base(path); strings.HasPrefix(name, "rollout-") && strings.HasSuffix(name, ".jsonl") {
		return Codex
	}
	return ClaudeCode
}

// Labelled returns the client with this label.
func Labelled(label string) *Client {
	if label == Codex.Label {
		return Codex
	}
	return ClaudeCode
}

// SessionID returns the id of the session in which a command runs, "" outside any.
func SessionID(getenv func(string) string) string {
	if id := getenv(ClaudeCode.id); id != "" {
		return id
	}
	return getenv(Codex.id)
}

// WithSession returns getenv with the id of a session of c's.
func (c *Client) WithSession(getenv func(string) string, id string) func(string) string {
	return func(name string) string {
		if name == c.id {
			return id
		}
		return getenv(name)
	}
}

// Dir returns the folder in which the client keeps everything, "" when it is not known. home is the person's.
func (c *Client) Dir(getenv func(string) string, home string) string {
	dir := getenv(c.moved)
	if dir == "" && filepath.IsAbs(home) {
		dir = filepath.Join(home, c.folder)
	}
	return dir
}

// Sessions returns the transcripts of all sessions in the client's folder, not of subagents; none if it is unreadable.
func (c *Client) Sessions(dir string) []string { return Transcripts(dir, c.sessions...) }

// Transcripts returns the regular files in dir that fit these patterns of package path, but no subagent's transcript.
func Transcripts(dir string, patterns ...string) (paths []string) {
	for _, pattern := range patterns {
		found, _ := fs.Glob(os.DirFS(dir), pattern)
		for _, name := range found {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && !Of(path).IsSubagent(path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// IsSubagent reports whether a transcript is a subagent's. Codex's events of subagents name it, not the session's.
func (c *Client) IsSubagent(path string) bool {
	if c == Codex {
		return begins(path, `"thread_source":"subagent"`)
	}
	return strings.HasPrefix(filepath.Base(path), "agent-")
}

// IsAttended reports whether a person sits at the session with this environment and transcript. A Claude Code without a
// terminal has the entrypoint sdk-cli (measured on clients 2.1.9, 2.1.139 and 2.1.330); 2.1.330 says it itself.
func (c *Client) IsAttended(getenv func(string) string, path string) bool {
	if c == Codex {
		return !begins(path, `"originator":"codex_exec"`)
	}
	return getenv("CLAUDE_CODE_SESSION_ATTENDED") != "0" && !strings.HasPrefix(getenv("CLAUDE_CODE_ENTRYPOINT"), "sdk")
}

// headSize is how much of a rollout is read for what began it, in bytes: paths, some of them twice, stand before it.
// The instructions behind it cannot be taken for it, since their quotation marks have backslashes.
const headSize = 64 << 10

// begins reports whether what began the rollout at path holds these words.
func begins(path, words string) bool {
	head, _ := safefile.ReadStart(path, headSize)
	return bytes.Contains(head, []byte(words))
}
