package hook

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/digest"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// catalogue says in a line what records a subagent can look up, "" when there are none.
func (h *handler) catalogue() string {
	store, project := h.records()
	h.compare(store, project)
	counts := retrieve.Counts(store, project, h.shown)
	var parts []string
	for _, k := range schema.Kinds {
		switch n := counts[k.Name]; {
		case n == 1:
			parts = append(parts, "1 "+k.Name)
		case n > 1:
			parts = append(parts, strconv.Itoa(n)+" "+several(k.Name))
		}
	}
	if parts == nil {
		return ""
	}
	return "Records here: " + strings.Join(parts, ", ") + "; " + h.shell("`memento search \"…\"` finds them.")
}

// several is the name of a kind for more than one of it.
func several(kind string) string {
	switch kind {
	case "analysis":
		return "analyses"
	case "debt":
		return "debts"
	}
	return kind + "s"
}

// unasked reports whether records of this kind are written without being asked for.
func (h *handler) unasked(kind string) bool {
	k := h.config.Kind(kind)
	return k.Enabled && k.AutoCapture
}

// keepSubagent keeps what a subagent answered as a record. What cannot be written is in the history all the same.
// Errors: those of digest.Subagent.
func (h *handler) keepSubagent(left session.Report) error {
	if !h.unasked("subagent") {
		return nil
	}
	a := digest.Answer{Session: left.Session, Agent: left.Type}
	a.Words, _ = text.Cut(left.Words, maxAnswer)
	a.Task, a.Files = h.asked(left.File)
	if j := h.read(); j != nil && j.Open() && h.mine(j) {
		a.Parent = j.Mission
	}
	store, project := h.keeping()
	r, err := digest.Subagent(store.Deferred(), project, a) // its words stand in the history, too
	if err == nil && r != nil && a.Task == "" && left.File != "" {
		late := r.ID + " " + left.File
		h.state.Late = slices.DeleteFunc(h.state.Late, func(l string) bool { return l == late })
		h.state.Late = append(h.state.Late[max(0, len(h.state.Late)-maxLate+1):], late)
	}
	return err
}

// maxAnswer is how much of a subagent's answer its record holds, in characters: the history has all of it.
const maxAnswer = 256 << 10

// maxLate is how many subagents' records a session still looks for what was asked.
const maxLate = 64

// asked is what a subagent was asked and the files it read, as far as its own transcript shows it yet.
func (h *handler) asked(path string) (task string, files []string) {
	task, read := transcript.Subagent(path)
	for _, f := range read {
		if rel, err := filepath.Rel(h.state.Root, f); err == nil && h.state.Root != "" && !strings.HasPrefix(rel, "..") {
			f = filepath.ToSlash(rel)
		}
		files = append(files, f)
	}
	return redact.Clean(task), files
}

// fillLate adds to subagents' records what they were asked: a subagent's transcript may lag behind the event that it has answered (measured
// on client 2.1.329). After the session's end nobody looks again.
func (h *handler) fillLate() {
	if len(h.state.Late) == 0 {
		return
	}
	store, _ := h.records()
	store = store.Deferred()
	var left []string
	for _, l := range h.state.Late {
		id, path, _ := strings.Cut(l, " ")
		task, files := h.asked(path)
		if task == "" || digest.Asked(store, id, task, files) != nil {
			left = append(left, l)
		}
	}
	h.state.Late = left
}

// endWait is how long the end of a session waits for the records: nobody waits for it, and all hooks of a session's end have 1.5 s
// together (measured on client 2.1.329).
const endWait = 600 * time.Millisecond

// keepSession keeps what the session came to as a record. What cannot be written is in the journal and its history all the
// same, and is written when the session ends once more.
func (h *handler) keepSession() {
	if h.session == nil || h.state.Forked || !h.unasked("session") { // a fork without a turn has only what it copied
		return
	}
	store, project := h.keeping()
	store = store.Deferred() // what it holds stands in the journal and its history, too
	store.Wait = endWait
	if kept, err := digest.Session(store, project, digest.Look(h.store.Lane, h.read(), h.state), h.state.Record); err == nil {
		h.state.Record = kept
	}
	h.collect(store)
}

// collect retires and archives what is due, once a day at most. It reads the records that the index names, and no others, so that
// it costs next to nothing on nearly all days; what is not in the index waits for memento gc.
func (h *handler) collect(store record.Store) {
	if !retrieve.Indexed(h.config.Dir) {
		return
	}
	if !digest.Daily(h.config.Dir, h.env.Now) {
		return
	}
	g := retrieve.Rules(h.config)
	if g.IDs = retrieve.Due(store, g); len(g.IDs) > 0 {
		_, _ = store.Collect(g)
	}
}
