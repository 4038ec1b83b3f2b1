package hook

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/digest"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// asideBudget is the most that a subagent is told, in tokens: it has a task of its own.
const asideBudget = 120

// subagentStart tells a subagent the mission, the user's rules of this and earlier sessions, and the number of records.
func (h *handler) subagentStart() []byte {
	if h.bind() != nil || !h.first() {
		return nil
	}
	h.catchUp(capture.TrustPrompt)
	records := h.catalogue()
	words := ""
	if j := h.read(); j != nil && j.Session != "" && j.Session == h.event.SessionID {
		words = redact.Clean(block.Aside(j, h.words(j), asideBudget-(text.Quarters(records)+4)/4))
	}
	words = headed(words, records)
	q := quotes{handler: h, all: h.keptRules(), shown: text.Fold(words), left: maxTold,
		room: notesBudget - text.Quarters("[MEMENTO] "+words) - 1}
	if words = headed(words, q.quote()); words == "" {
		return nil
	}
	h.store.Injected(h.event.SessionID, "SubagentStart", words)
	return event.Context("SubagentStart", words)
}

// reportWait is how long a subagent's answer waits for the log and the records. Many subagents may end at once, and
// nobody types meanwhile.
const reportWait = 5 * time.Second

// subagentStop keeps the answer of a subagent in the log, and as a record. It does not hold the session: many subagents
// may end at once. An event without an agent type is the client's own summariser (measured on
// client 2.1.329).
func (h *handler) subagentStop() {
	words := strings.TrimSpace(text.Private(redact.Clean(h.event.LastMessage)))
	if words == "" {
		return
	}
	if h.event.AgentType == "" {
		if h.config.Ask != config.AskNever && h.bind() == nil {
			h.answered(words)
		}
		return
	}
	st, lane, err := h.peek()
	if err != nil {
		return
	}
	h.state = &st
	h.store = journal.Store{Lane: lane, Config: h.config, Now: h.env.Now, Wait: reportWait, Branch: h.branch}
	answer := []log.Entry{{ID: text.Fingerprint(h.event.SessionID, h.event.AgentID, words), Kind: "subagent",
		Time: h.env.Now, Session: h.event.SessionID, Agent: h.event.AgentID, AgentType: h.event.AgentType,
		Verb: "report", Text: words}}
	history.Bind(lane, answer)
	_ = log.Store{Dir: h.config.Dir, Wait: reportWait}.Keep(lane.Slug, answer, "", nil)
	h.keepSubagent(words)
}

// catalogue returns a line with the number of records, "" for none.
func (h *handler) catalogue() string {
	store, project := h.records()
	h.compare(store)
	n := retrieve.Count(store, project, h.shown)
	if n == 0 {
		return ""
	}
	return text.Count(n, "record") + " here; " + h.shell("`memento search \"…\"` finds them.")
}

// keepSubagent writes a subagent's answer as a record. If that fails, the log still holds the answer.
func (h *handler) keepSubagent(words string) {
	if !h.unasked("subagent") {
		return
	}
	a := digest.Answer{Session: h.event.SessionID, Agent: h.event.AgentType, Words: words}
	a.Task, a.Files = h.asked(h.event.AgentFile)
	if j, err := h.store.Read(); err == nil && j.Open() && h.mine(j) {
		a.Parent = j.Mission
	}
	store, project := h.keeping()
	store.Wait, store.Again = reportWait, true // the log holds the answer
	_, _ = digest.Subagent(store, project, a)
}

// asked returns a subagent's task and the files that it read, as far as its transcript shows them.
func (h *handler) asked(path string) (task string, files []string) {
	task, read := transcript.Subagent(path)
	for try := 0; task == "" && path != "" && try < 10; try++ { // the client may still be writing it
		time.Sleep(20 * time.Millisecond)
		task, read = transcript.Subagent(path)
	}
	for _, f := range read {
		if rel, err := filepath.Rel(h.state.Root, f); err == nil && h.state.Root != "" &&
			!strings.HasPrefix(rel, "..") {
			f = filepath.ToSlash(rel)
		}
		files = append(files, f)
	}
	return redact.Clean(task), files
}
