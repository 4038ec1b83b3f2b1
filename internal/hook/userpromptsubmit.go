package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// After so many prompts, or so long, without an entry by Claude, a line reminds it.
const (
	remindPrompts = 10
	remindAfter   = 30 * time.Minute
)

// userPromptSubmit notes the prompt. It answers with a line at most, or with the whole journal if the prompt asks for
// it.
func (h *handler) userPromptSubmit() []byte {
	whole := transcript.Clean(h.event.Prompt)
	if h.bind() != nil || whole == "" || !h.first() {
		return nil
	}
	h.catchUp(capture.TrustTranscript) // the transcript has all earlier turns by now
	first := !h.state.Opened && len(h.state.Pending) == 0
	typed := sentence.Ends(whole)
	h.state.Submit(whole, h.env.Now)
	if sentence.Closes(typed) { // with a transcript, the next event finds out whether this was said
		h.catchUp(capture.TrustMissing)
		return nil
	}
	h.state.Prompts++
	words := ""
	switch called := h.calledBack(typed, first); {
	case called != "":
		words = called
	case sentence.MentionsMemento(typed):
		words = h.whole("")
	case sentence.AsksCheckpoint(typed):
		words = h.whole(h.shell("The user wants the journal brought up to date. What is not in it yet is added in one " +
			`call: memento done "…" --result "…" --wip "…" --plan "…".`))
	case h.undelivered() && h.state.Trouble == "":
		words = h.again()
	default:
		words = h.line(typed, first)
	}
	if h.mayBring(typed) {
		words = lines(words, h.concerning(typed), h.concerningRules(typed), h.askBeside(typed, first))
		h.tellChosen()
	}
	h.tellArrived()
	if words == "" {
		return nil
	}
	h.store.Injected(h.event.SessionID, "UserPromptSubmit", words)
	return event.Context("UserPromptSubmit", words)
}

// tellArrived tells, once, a person whom the plugin's launcher (bin/memento) has told that the binary is missing that
// it is there now. The launcher leaves a file that says so.
func (h *handler) tellArrived() {
	data, root := h.env.Getenv("CLAUDE_PLUGIN_DATA"), h.env.Getenv("CLAUDE_PLUGIN_ROOT")
	if data == "" || root == "" {
		return
	}
	told := filepath.Join(data, "build", root, "told")
	if info, err := os.Lstat(told); err != nil || !info.Mode().IsRegular() || safefile.Remove(told) != nil {
		return
	}
	h.tell(arrived, "the binary is there now, and memory begins"+h.firstWords())
}

// firstWords says, once in the life of a store, what is kept of each turn and that earlier sessions can be taken in; ""
// where nothing is kept.
func (h *handler) firstWords() string {
	kept := ""
	switch h.config.Past {
	case config.PastAnswers:
		kept = ": what you type and what Claude answers is kept on this disk alone (! memento config past)"
	case config.PastWords:
		kept = ": what you type is kept on this disk alone (! memento config past)"
	default:
		return ""
	}
	if n := len(client.ClaudeCode.Sessions(h.config.ClaudeDir)); n > 1 { // this one is among them
		kept += "; ! memento backfill --all --yes takes in " + text.Count(n-1, "earlier session")
	}
	return kept
}

// line returns the one line that may go with a prompt, or "".
func (h *handler) line(typed string, first bool) string {
	if h.state.Trouble != "" {
		trouble := h.state.Trouble
		h.state.Trouble = ""
		words, _ := text.Cut(text.Line(trouble), maxWhy)
		h.tell(notKept, words+" · ! memento doctor")
		return "[MEMENTO] " + text.Data(trouble) + " (`memento doctor` says what to do)"
	}
	if h.config.Remind == config.RemindNever {
		return ""
	}
	if first && sentence.Begins(typed) {
		if hint := h.noteHint(); hint != "" {
			return hint
		}
	}
	idle := max(0, h.env.Now.Sub(h.state.Entry)) // the clock may have been set back
	if h.state.Opened && (h.state.Prompts >= remindPrompts || idle >= remindAfter && h.state.Prompts > 1) {
		n := h.state.Prompts
		h.state.Prompts, h.state.Entry = 0, h.env.Now
		return fmt.Sprintf(h.shell("[MEMENTO] %d prompts and %d minutes since Claude's last journal entry "+
			`(memento done|wip|plan "…").`), n, int(idle.Minutes()))
	}
	if h.config.Remind == config.RemindAlways {
		return h.shell(`[MEMENTO] The journal takes results and next steps: memento done|wip|plan "…".`)
	}
	return ""
}

// noteHint returns, once in a session, how Claude notes results; "" when the person wants no reminders.
func (h *handler) noteHint() string {
	if h.state.Introduced || h.config.Remind == config.RemindNever {
		return ""
	}
	h.state.Introduced = true
	if h.mayAsk() {
		return h.shell(`[MEMENTO] At a task's end: memento done "what" --result "…" --keep "the user's words that hold ` +
			`in later sessions too (a rule, a way of working, a fact)" --wip "…"`)
	}
	return h.shell(`[MEMENTO] At a task's end: memento done "…" --result "…" --wip "…" --plan "…"`)
}

// shell returns hint with its commands quoted for both shells of Windows: PowerShell expands variables between double
// quotation marks and splits some words.
func (h *handler) shell(hint string) string {
	if !h.env.Windows {
		return hint
	}
	parts := strings.Split(hint, `"`)
	for i := 1; i < len(parts); i += 2 { // between quotation marks
		parts[i] = strings.ReplaceAll(parts[i], "'", "''")
	}
	return strings.Join(parts, "'")
}
