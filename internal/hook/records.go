package hook

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

const (
	// comparedFor is how long a session trusts the search index before it compares it with the files. What was saved
	// meanwhile waits: the session that saved it knows it, and the next one compares at its start.
	comparedFor = 10 * time.Minute
	// notesBudget is how much a session is told at its start of the records and of what the user said in earlier
	// sessions, in quarters of a token; at least notesBeside beside an earlier mission.
	notesBudget = 4 * 200
	notesBeside = 4 * 120
	// againBudget is how much of the records a session is told where its work goes on, beside the block.
	againBudget = 4 * 120
	// maxTitle is the longest title that is shown, in characters.
	maxTitle = 80
	// maxEntry is the longest content of a record that is shown, in characters.
	maxEntry = 160
)

// records returns the store of the records, and the project's name in it.
func (h *handler) records() (record.Store, string) {
	s := record.Store{Dir: h.config.Dir, Now: func() time.Time { return h.env.Now }, Wait: wait}
	return s, naming.ProjectOrUser(h.store.Lane.Slug)
}

// keeping is records for writing: the store knows the branch.
func (h *handler) keeping() (record.Store, string) {
	s, project := h.records()
	if h.store.Branch != nil {
		s.Branch = h.store.Branch()
	}
	return s, project
}

// shown reports whether records of a kind are shown unasked.
func (h *handler) shown(kind string) bool { return h.config.Kind(kind).Enabled }

// compare brings the search index up to date with the files, at most every comparedFor.
func (h *handler) compare(s record.Store) {
	if since := h.env.Now.Sub(h.state.Compared); since >= 0 && since < comparedFor {
		return
	}
	if !retrieve.Heal(s) {
		h.state.Compared = h.env.Now
	}
}

// mayBring reports whether records and rules may go with a prompt: a chore ("commit and push") brings nothing.
func (h *handler) mayBring(typed string) bool {
	return h.config.MaxInject > 0 && !strings.HasPrefix(typed, "/") && sentence.IsSubstantive(typed) &&
		!sentence.IsEveryday(typed)
}

// concerning returns a line for each record that clearly concerns a prompt, "" for none. What a session came to is
// searched when somebody asks: unasked, it answered 1 of 102 later needs.
func (h *handler) concerning(typed string) string {
	s, project := h.records()
	h.compare(s)
	byPerson := func(kind string) bool { return h.shown(kind) && kind != "session" }
	found := retrieve.Concerning(s, project, questions(typed), h.config.MaxInject, byPerson,
		func(r *record.Record) bool { return h.state.WasBrought(r.ID, r.Hash()) })
	out := ""
	for _, f := range found {
		h.state.Bring(f.ID, f.Hash())
		kind := f.Kind
		if !text.Name(kind) { // written by hand: no words begin a line, where memento's own header stands
			kind = "record"
		}
		out = lines(out, kind+" · "+title(f.Title)+" · "+text.Data(f.Path))
	}
	if out == "" {
		return ""
	}
	return "[MEMENTO] On record: " + out
}

// questions returns the searches for a prompt: the whole prompt, then its longest sentences.
func questions(typed string) []string {
	all := sentence.Split(typed)
	if len(all) < 2 {
		return []string{typed}
	}
	slices.SortStableFunc(all, func(a, b string) int { return len(b) - len(a) })
	return append([]string{typed}, all[:min(len(all), 3)]...)
}

func title(s string) string {
	s, _ = text.Cut(text.Data(s), maxTitle)
	return s
}

// start returns the records that a session is told about at its start, which it looks up once.
func (h *handler) start() retrieve.Start {
	if h.begun == nil {
		s, project := h.records()
		h.tellShared(project)
		h.compare(s)
		b := retrieve.Begin(s, project, h.shown)
		h.begun = &b
	}
	return *h.begun
}

// notes returns what a session is told at its start, beside shown: what the user said in earlier sessions, the user's
// preferences and profile, and the project's notes; "" for nothing. A waiting handoff stands
// with the previous mission.
func (h *handler) notes(shown string) string {
	if h.event.Source != "compact" && h.event.Source != "resume" {
		_ = h.rules().Refresh(h.store.Lane.Slug, h.before()...) // what fails is done later
	}
	return h.notesOf(h.start(), shown)
}

// notesOf returns the notes of b, the records that a session is told about at its start.
func (h *handler) notesOf(b retrieve.Start, shown string) string {
	taken := text.Quarters("[MEMENTO] ") + 1
	if h.event.Source == "compact" || h.event.Source == "resume" {
		return startLines(b, againBudget-taken)
	}
	return h.toldRules(b, shown, max(notesBeside, notesBudget-text.Quarters(shown))-taken)
}

// handoff returns, once in a session, the line about a handoff that waits beside the previous mission j; "" for none.
// The title of a handoff is by default the mission's words, which j's line has said already.
func (h *handler) handoff(j *journal.Journal) string {
	r := h.start().Handoff
	if r == nil || h.state.WasBrought(r.ID, onceTold) {
		return ""
	}
	h.state.Bring(r.ID, onceTold)
	words := strings.TrimSuffix(text.Fold(r.Title), text.Ellipsis)
	if j.Open() && strings.HasPrefix(text.Fold(j.Mission), words) {
		return "Its handoff waits: memento show " + r.ID
	}
	return "A handoff waits: " + title(r.Title) + " (memento show " + r.ID + ")"
}

// startLines lists as many entries of b as fit the budget. It takes one of each list in turn, so that no list crowds
// out another.
func startLines(b retrieve.Start, budget int) string {
	const all = "memento list --project user"
	lists := [...]struct {
		label, command string
		entries        []retrieve.Entry
		shown          []string
	}{
		{label: "The user's preferences: ", command: all, entries: b.Preferences},
		{label: "Preferences as Claude noted them: ", command: all, entries: b.Noted},
		{label: "About the user: ", command: all, entries: b.Profile},
		{label: "Notes on this project: ", command: "memento list", entries: b.Notes},
	}
	left, most := budget, 0
	for i := range lists {
		l := &lists[i]
		if most = max(most, len(l.entries)); len(l.entries) > 0 {
			left -= text.Quarters(l.label+" (999 more: "+l.command+")") + 2 // and line ends
		}
	}
	for n := range most {
		for i := range lists {
			l := &lists[i]
			if n >= len(l.entries) {
				continue
			}
			entry := entryText(l.entries[n])
			if cost := text.Quarters(entry) + text.Quarters(" · "); cost <= left {
				left -= cost
				l.shown = append(l.shown, entry)
			}
		}
	}
	out := ""
	for _, l := range lists {
		if l.shown == nil {
			continue
		}
		line := l.label + strings.Join(l.shown, " · ")
		if more := len(l.entries) - len(l.shown); more > 0 {
			line += fmt.Sprintf(" (%d more: %s)", more, l.command)
		}
		out = lines(out, line)
	}
	return out
}

// entryText returns an entry as it is shown: the user's words between quotation marks, anything else behind its title.
func entryText(e retrieve.Entry) string {
	words, _ := text.Cut(text.Line(e.Text), maxEntry)
	switch {
	case words == "":
		return title(e.Title)
	case e.Said:
		return text.Quote(words)
	case strings.Contains(text.Fold(words), text.Fold(e.Title)): // also for no title
		return text.Data(words)
	}
	return title(e.Title) + ": " + text.Data(words)
}

// unasked reports whether records of this kind are written unasked.
func (h *handler) unasked(kind string) bool {
	k := h.config.Kind(kind)
	return k.Enabled && k.AutoCapture
}
