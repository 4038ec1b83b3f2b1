package hook

import (
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/digest"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/transcript"
)

// catalogue says in a line what records a subagent can look up.
func (h *handler) catalogue() string { return "" }

// unasked reports whether records of this kind are written without being asked for.
func (h *handler) unasked(kind string) bool {
	k := h.config.Kind(kind)
	return k.Enabled && k.AutoCapture
}

// keepSubagent keeps what a subagent answered as a record. What cannot be written is in the history all the same.
func (h *handler) keepSubagent(words string) {
	if !h.unasked("subagent") {
		return
	}
	a := digest.Answer{Session: h.event.SessionID, Agent: h.event.AgentType, Words: words}
	task, read := transcript.Subagent(h.event.AgentFile)
	a.Task = redact.Clean(task)
	for _, f := range read {
		if rel, err := filepath.Rel(h.state.Root, f); err == nil && h.state.Root != "" && !strings.HasPrefix(rel, "..") {
			f = filepath.ToSlash(rel)
		}
		a.Files = append(a.Files, f)
	}
	if j := h.read(); j != nil && j.Open() && h.mine(j) {
		a.Parent = j.Mission
	}
	store, project := h.records()
	_, _ = digest.Subagent(store, project, a)
}

// keepSession keeps what the session came to as a record. What cannot be written is in the journal and its history all the
// same, and is written when the session ends once more.
func (h *handler) keepSession() {
	if h.session == nil || !h.unasked("session") {
		return
	}
	store, project := h.records()
	if kept, err := digest.Session(store, project, digest.Look(h.store.Lane, h.read(), h.state), h.state.Record); err == nil {
		h.state.Record = kept
	}
}
