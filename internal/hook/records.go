package hook

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/text"
)

const (
	// comparedFor is how long a session trusts the search index, besides checking what it shows. What memento itself
	// writes is indexed at once, or marked as written since; this is about files that a person or another program
	// changed.
	comparedFor = 10 * time.Minute
	// notesBudget is what a session is told of the records at its start, in quarters of a token.
	notesBudget = 4 * 120
	// maxTitle is how much of a record's title is shown, in characters.
	maxTitle = 80
)

// records is the store of the records, and the project as they name it.
func (h *handler) records() (record.Store, string) {
	project := naming.User
	if slug := h.store.Lane.Slug; slug != "" {
		project = naming.Project(slug)
	}
	s := retrieve.Open(h.config.Dir, func() time.Time { return h.env.Now }, wait)
	return s, project
}

// keeping is records for what writes one: it knows the branch, and how many of a kind stay active.
func (h *handler) keeping() (record.Store, string) {
	s, project := h.records()
	if s.Max = retrieve.Most(h.config); h.store.Branch != nil {
		s.Branch = h.store.Branch()
	}
	return s, project
}

// shown reports whether records of a kind are shown though nobody asked.
func (h *handler) shown(kind string) bool { return h.config.Kind(kind).Enabled }

// compare brings the search index up to date with the folder, unless that was done lately.
func (h *handler) compare(s record.Store, project string) {
	if since := h.env.Now.Sub(h.state.Compared); h.session == nil || since >= 0 && since < comparedFor &&
		!s.LastDeferred().After(h.state.Compared) {
		return
	}
	if !retrieve.Heal(s, project) {
		h.state.Compared = h.env.Now
	}
}

// concerning returns the records that a prompt clearly concerns, a line each, or "".
func (h *handler) concerning(typed string) string {
	if h.config.MaxInject < 1 || strings.HasPrefix(typed, "/") || !sentence.IsSubstantive(typed) {
		return ""
	}
	s, project := h.records()
	h.compare(s, project)
	out := ""
	for _, f := range retrieve.Concerning(s, project, questions(typed), h.config.MaxInject, h.shown,
		func(r *record.Record) bool {
			return h.state.WasBrought(r.ID, r.Hash())
		}) {
		h.state.Bring(f.ID, f.Hash())
		line := text.Data(f.Kind) + " · " + title(f.Title) + " · " + text.Data(f.Path)
		if out == "" {
			line = "[MEMENTO] On record: " + line
		}
		out = lines(out, line)
	}
	return out
}

// questions are what of a prompt is looked up: all of it and, should nothing concern that, its longest sentences.
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

// notes is what a session begins with of the records: the user's preferences, the project's own notes, a handoff that
// waits, and how many suggestions wait in the inbox; "" when there is nothing.
func (h *handler) notes() string {
	s, project := h.records()
	h.compare(s, project)
	b := retrieve.Begin(s, project, h.shown)
	last := ""
	if h.event.Source == "startup" || h.event.Source == "clear" || h.event.Source == "" { // not where work goes on
		if r := b.Handoff; r != nil && !h.state.WasBrought(r.ID, handoffTold) {
			h.state.Bring(r.ID, handoffTold)
			last = "A handoff waits: " + title(r.Title) + " (memento show " + r.ID + ")"
		}
		last = lines(last, h.suggestions(project))
	}
	return lines(startLines(b, notesBudget-text.Quarters("[MEMENTO] "+last)-1), last)
}

// handoffTold stands for the state of a handoff that was announced: it is announced once in a session.
const handoffTold = "told"

// suggestions says how many suggestions wait in the inbox, "" when none does.
func (h *handler) suggestions(project string) string {
	switch n := suggest.Waiting(h.config.Dir, project); n {
	case 0:
		return ""
	case 1:
		return "1 suggestion for a record waits (memento inbox)"
	default:
		return fmt.Sprintf("%d suggestions for records wait (memento inbox)", n)
	}
}

// startLines lists titles of b, as many as fit budget: one of each list in turn, so that none crowds another out. What
// Claude worded is not called the user's.
func startLines(b retrieve.Start, budget int) string {
	const all = "memento profile"
	lists := [...]struct {
		label, command string
		titles, shown  []string
	}{
		{label: "The user's preferences: ", command: all, titles: b.Preferences},
		{label: "Preferences as Claude noted them: ", command: all, titles: b.Noted},
		{label: "Notes on this project: ", command: "memento list", titles: b.Notes},
	}
	left := budget
	for i := range lists {
		if len(lists[i].titles) > 0 {
			left -= text.Quarters(lists[i].label+" (999 more: "+lists[i].command+")") + 2 // and line ends
		}
	}
	for n := range max(len(b.Preferences), len(b.Noted), len(b.Notes)) {
		for i := range lists {
			l := &lists[i]
			if n >= len(l.titles) {
				continue
			}
			entry := title(l.titles[n])
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
		if more := len(l.titles) - len(l.shown); more > 0 {
			line += fmt.Sprintf(" (%d more: %s)", more, l.command)
		}
		out = lines(out, line)
	}
	return out
}

// unasked reports whether records of this kind are written without being asked for.
func (h *handler) unasked(kind string) bool {
	k := h.config.Kind(kind)
	return k.Enabled && k.AutoCapture
}
