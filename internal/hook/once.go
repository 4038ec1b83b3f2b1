package hook

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// first reports whether this process is the one that answers the event, and counts it; another of another installation
// may have before (see session.Handled). A session without an id, in which nothing can be remembered, is answered by
// each.
//
// The events that need no such care do not ask. Stop, SubagentStop and SessionEnd say nothing and, told twice, change
// nothing a second time: what was read, counted or kept is remembered by what it was. PreToolUse and PermissionRequest
// may be answered by each, since they allow the same; of two rewritten commands the client takes the answer that came
// last (measured on client 2.1.329), and runs one of the person's own binaries either way.
func (h *handler) first() bool {
	if h.session == nil {
		return true
	}
	e := h.event
	// Settings' hooks have no root: two scopes that run one binary, one by its path and one by its name, look like one
	// here.
	m := session.Moment{By: hash(h.env.Getenv("CLAUDE_PLUGIN_ROOT"), h.env.exe())}
	pid := h.env.Getenv("CLAUDE_PID")
	prompt := ""
	// What a payload says of when it was, as measured on client 2.1.329.
	switch {
	case e.Name == "UserPromptSubmit" && e.PromptID != "", e.Name == "SubagentStart" && e.AgentID != "":
		m.Single = session.Together
	case e.Name == "UserPromptSubmit":
		whole := transcript.Clean(e.Prompt)
		seen := sentence.Ends(whole)
		if prompt = redact.Clean(seen); len(seen) < len(whole) { // its ends and its length tell it from others
			prompt += strconv.Itoa(len(whole))
		}
	case e.Name == "PreCompact" && e.PromptID != "",
		e.Name == "SessionStart" && e.Source == "compact" && e.PromptID != "",
		e.Name == "SessionStart" && e.Source != "compact" && pid != "":
		m.Single = time.Second // a compaction takes a model's answer, and no session begins twice in one client
	}
	m.Key, m.Aside = hash(e.Name, pid, e.PromptID, e.AgentID, e.Source, e.Trigger, prompt), e.Name == "SubagentStart"
	return h.state.First(m, h.env.Now)
}

// hash is a mark of the words in this order. All versions have to make the same: one that does not answers once more.
func hash(words ...string) string {
	sum := fnv.New64a()
	for _, w := range words {
		fmt.Fprintf(sum, "%d:%s", len(w), w)
	}
	return fmt.Sprintf("%016x", sum.Sum64())
}
