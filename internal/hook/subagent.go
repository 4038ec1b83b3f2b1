package hook

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/digest"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/session"
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
		words = block.Aside(j, asideBudget-(text.Quarters(records)+4)/4)
	}
	if words == "" && records != "" {
		records = "[MEMENTO] " + records
	}
	words = lines(words, records)
	if words = h.withRules(words); words == "" {
		return nil
	}
	h.store.Injected(h.event.SessionID, "SubagentStart", words)
	return event.Context("SubagentStart", words)
}

// subagentStop keeps the answer of a subagent. An event without an agent type is the client's own summariser (measured
// on client 2.1.329).
//
// Many subagents may end at once, and only one process at a time can hold the session. A process that cannot hold it
// leaves its report in a file. One that held it looks for such files again after it has released the session.
func (h *handler) subagentStop() {
	r := session.Report{
		Session: h.event.SessionID, Agent: h.event.AgentID, Type: h.event.AgentType, File: h.event.AgentFile,
		At:    h.env.Now,
		Words: strings.TrimSpace(text.Private(redact.Clean(h.event.LastMessage))),
	}
	if r.Type == "" && r.Words != "" && h.config.Ask != config.AskNever && h.bind() == nil {
		h.answered(r.Words)
	}
	if r.Type == "" || r.Words == "" {
		return
	}
	if h.bind() == nil {
		h.keepReports(r)
	} else {
		st, _ := session.Load(h.config.Dir, r.Session) // unknown, it has no lane yet
		r.Lane = st.Lane
		_ = r.Leave(h.config.Dir)
	}
	for waiting := math.MaxInt; r.Session != ""; {
		if h.session != nil {
			_ = h.session.Save()
			h.session = nil
		}
		before := waiting
		if waiting = len(session.Reports(h.config.Dir, r.Session)); waiting == 0 || waiting >= before ||
			h.bind() != nil {
			return
		}
		h.keepReports()
	}
}

// maxReports is the number of waiting reports that one event keeps. More would take longer than a hook may.
const maxReports = 64

// keepReports writes these reports and those that wait for the session into the history, and each as a record. A report
// that cannot be written because of a lock waits for the next event.
func (h *handler) keepReports(all ...session.Report) {
	if h.session != nil {
		all = append(all, session.Reports(h.config.Dir, h.session.ID)...)
	}
	if len(all) == 0 {
		return
	}
	all = all[:min(len(all), maxReports)]
	leave := func(r session.Report) {
		if r.Lane = h.store.Lane.Name; !r.Left() {
			_ = r.Leave(h.config.Dir)
		}
	}
	marks := make([]string, len(all))
	for i, r := range all {
		marks[i] = r.Fingerprint()
	}
	if _, err := h.store.Update(func(j *journal.Journal) error {
		for i, r := range all {
			if !h.state.Reported(marks[i]) {
				j.Keep(log.Entry{Kind: "subagent", Time: r.At.Truncate(time.Second), Session: r.Session,
					Agent: r.Agent, AgentType: r.Type, Verb: "report", Text: r.Words})
			}
		}
		return nil
	}); err != nil {
		for _, r := range all {
			leave(r)
		}
		return
	}
	for i, r := range all {
		known := h.state.Reported(marks[i])
		if !known {
			h.state.Report(marks[i])
		}
		if (!known || r.Left()) && errors.Is(h.keepSubagent(r), safefile.ErrBusy) {
			leave(r)
			continue
		}
		r.Done()
	}
}

// catalogue returns a line with the number of records of each kind, "" for none.
func (h *handler) catalogue() string {
	store, project := h.records()
	h.compare(store)
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

// several returns the plural of a kind.
func several(kind string) string {
	switch kind {
	case "analysis":
		return "analyses"
	case "debt":
		return "debts"
	}
	return kind + "s"
}

// keepSubagent writes a subagent's answer as a record. The history holds the answer too. It returns digest.Subagent's
// error.
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
	store.Again = true // the log holds the answer
	r, err := digest.Subagent(store, project, a)
	if err == nil && r != nil && a.Task == "" && left.File != "" {
		late := r.ID + " " + left.File
		h.state.Late = slices.DeleteFunc(h.state.Late, func(l string) bool { return l == late })
		h.state.Late = append(h.state.Late[max(0, len(h.state.Late)-maxLate+1):], late)
	}
	return err
}

// maxAnswer is how much of a subagent's answer a record holds, in characters. The history holds the whole answer.
const maxAnswer = 256 << 10

// maxLate is the number of subagents whose task a session still waits for.
const maxLate = 64

// asked returns a subagent's task and the files that it read, as far as its transcript shows them yet.
func (h *handler) asked(path string) (task string, files []string) {
	task, read := transcript.Subagent(path)
	for _, f := range read {
		if rel, err := filepath.Rel(h.state.Root, f); err == nil && h.state.Root != "" &&
			!strings.HasPrefix(rel, "..") {
			f = filepath.ToSlash(rel)
		}
		files = append(files, f)
	}
	return redact.Clean(task), files
}

// fillLate adds the tasks of subagents to their records: a subagent's transcript may lag behind SubagentStop (measured
// on client 2.1.329).
func (h *handler) fillLate() {
	if len(h.state.Late) == 0 {
		return
	}
	store, _ := h.records()
	store.Again = true
	var left []string
	for _, l := range h.state.Late {
		id, path, _ := strings.Cut(l, " ")
		task, files := h.asked(path)
		if task == "" || digest.AddTask(store, id, task, files) != nil {
			left = append(left, l)
		}
	}
	h.state.Late = left
}
