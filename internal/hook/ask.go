package hook

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/text"
)

// Which of the user's words hold on in later sessions is for Claude to say: it is shown the user's own statements,
// numbered, and answers with numbers. So it can keep nothing that nobody typed. It is asked beside a prompt, at a
// compaction, and in the line about notes.

const (
	leastAsked = 3 // statements that are worth a line beside a prompt
	mostAsked  = 12
	askHead    = "[MEMENTO] Said in earlier sessions, and nobody has judged it:\n"
	askTail    = "Which of them hold in later sessions too (rules, ways of working, facts)? `memento rules keep N N`, or " +
		"`memento rules none`: no dialog, when the task allows, no word about it."
	askBudget = 4 * 120 // the most that they take, in quarters of a token
	// maxAsked is the most characters of a statement. It tells which one is meant, and what it says.
	maxAsked = 60
	// askPause is how long nobody asks once two asks had no answer.
	askPause = 14 * 24 * time.Hour
)

// mayAsk reports whether Claude may be asked, and may answer by a command: not where nobody sits at the session, and
// not in a mode in which no command runs.
func (h *handler) mayAsk() bool {
	switch {
	case h.config.Ask == config.AskNever, text.OneOf(h.event.PermissionMode, "plan", "dontAsk"):
		return false
	case h.config.Ask == config.AskAlways:
		return true
	}
	return h.client.IsAttended(h.env.Getenv, h.event.TranscriptPath)
}

// askBeside returns the statements of earlier sessions that nobody has judged, for Claude to choose from, "" where it
// is not asked: it is asked at one prompt of a session, never the first, and once a day in a project.
func (h *handler) askBeside(typed string, first bool) string {
	if first || h.state.RulesAsked || strings.HasPrefix(typed, "/") || !h.mayAsk() {
		return ""
	}
	h.state.RulesAsked = true
	store, slug := h.rules(), h.store.Lane.Slug
	waiting, last, unanswered := store.Unjudged(slug)
	age := h.env.Now.Sub(last)
	if h.config.Ask != config.AskAlways && (age < 24*time.Hour || unanswered > 1 && age < askPause) {
		return ""
	}
	others := slices.DeleteFunc(waiting, func(w rule.Waiting) bool { return w.Session == h.event.SessionID })
	asked, words := offer(others, askBudget)
	if len(asked) < leastAsked || store.Offer(slug, h.event.SessionID, asked) != nil {
		return ""
	}
	return askHead + words + askTail
}

// offer returns the first of the statements that fit into room, in quarters of a token, and their lines.
func offer(waiting []rule.Waiting, room int) (asked []rule.Waiting, words string) {
	for _, w := range waiting {
		said, _ := text.Cut(w.Text, maxAsked)
		line := strconv.Itoa(w.N) + " " + text.Quote(said) + "\n"
		if room -= text.Quarters(line); room < 0 || len(asked) == mostAsked {
			break
		}
		asked, words = append(asked, w), words+line
	}
	return asked, words
}

// askAtCompaction returns the statements since the last compaction, for the summariser to choose from, in at most room
// quarters of a token; "" for none.
func (h *handler) askAtCompaction(room int) string {
	const head = "Since the last compaction the user said, numbered:\n"
	const older = "Kept from earlier sessions:\n"
	const tail = "The summary ends with one last line that says which of these go on to hold in later sessions too (rules, " +
		"ways of working, facts), and which a later one replaced: `memento: keep N, N; over N by N`, or `memento: none`."
	if !h.mayAsk() {
		return ""
	}
	store, slug := h.rules(), h.store.Lane.Slug
	if store.Refresh(slug, h.before()...) != nil {
		return ""
	}
	waiting, _, _ := store.Unjudged(slug)
	own := slices.DeleteFunc(waiting, func(w rule.Waiting) bool { return w.Session != h.event.SessionID })
	asked, words := offer(own, room-text.Quarters(head+tail))
	kept, more := offer(store.Touched(slug, asked), room-text.Quarters(head+words+older+tail))
	if more != "" {
		asked, words = append(asked, kept...), words+older+more
	}
	if asked == nil || store.Offer(slug, h.event.SessionID, asked) != nil {
		return ""
	}
	return head + words + tail
}

// answered takes in what the summariser answered. What it was not asked about, and what it says in another form, counts
// for nothing.
func (h *handler) answered(summary string) {
	choice, ok := rule.ReadChoice(summary)
	if !ok || h.config.Ask == config.AskNever {
		return
	}
	_ = h.rules().Answer(h.store.Lane.Slug, h.event.SessionID, choice)
}

// tellChosen tells the person, once, which of their words Claude has kept.
func (h *handler) tellChosen() {
	for _, r := range h.keptRules() {
		id := "chosen-" + ruleID(r)
		if r.By == rule.ByClaude && h.env.Now.Sub(r.Decided) < maxNews && !h.state.WasBrought(id, onceTold) {
			h.state.Bring(id, onceTold)
			back := " (! memento rules drop " + strconv.Itoa(r.N) + " takes it back)"
			h.tell(kept, "kept from your words: "+text.Quote(r.Text)+back, notice.Rule(r.Text))
		}
	}
}
