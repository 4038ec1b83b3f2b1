// Package schema says what a record can be: the kinds, the sections, stages and limits of each, how long it is kept,
// and which status follows which. It is a table with its readers; files, names and changes of records may not come in.
package schema

import (
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/markdown"
)

// Limits of a record.
const (
	MaxBytes   = 100 << 10 // of the file
	MaxTitle   = 120       // characters
	MaxTag     = 60        // characters, each
	MaxChanges = 50        // entries; the oldest are dropped
)

// Kind is a kind of record and everything that depends on the kind. No other place holds such facts.
type Kind struct {
	Name     string
	About    string
	Sections []Part
	Main     string        // the section for a text that has no headings; "": the first that is free text
	Stages   []string      // the stages it can have; none: any
	Personal bool          // it belongs to the user, not to a project
	Shared   bool          // it belongs to a project, or to the user and so to every project
	Unasked  bool          // memento writes it unasked: it holds only words that were said
	Keep     time.Duration // time without a change after which an active one is retired; 0: never
	Window   int           // how many of a project stay active, newest first; 0: all
	Hidden   bool          // retrieval leaves it out unless asked for it
}

// Part is a section of a record of some kind.
type Part struct {
	Heading string
	List    bool     // one item a line, behind a hyphen
	Values  []string // the texts it may have; none: any
}

const day = 24 * time.Hour

// Kinds lists all kinds. It is a literal that the linker lays out: code that builds it would cost every hook.
var Kinds = []Kind{
	{Name: "memento", About: "a named snapshot of work in hand",
		Sections: []Part{
			{Heading: "Context"}, {Heading: "Progress"},
			{Heading: "Decisions", List: true}, {Heading: "Next Steps", List: true},
		}},
	{Name: "decision", About: "what was decided, and why not otherwise", Main: "Decision",
		Stages: []string{"proposed", "accepted", "deprecated", "superseded"},
		Sections: []Part{
			{Heading: "Context"}, {Heading: "Decision"},
			{Heading: "Alternatives", List: true}, {Heading: "Rationale", List: true},
			{Heading: "Consequences", List: true},
		}},
	{Name: "runbook", About: "what to do when something happens", Main: "Steps",
		Sections: []Part{
			{Heading: "Trigger"}, {Heading: "Symptoms", List: true},
			{Heading: "Steps", List: true}, {Heading: "Verification"},
			{Heading: "Root Cause"}, {Heading: "Environment"},
		}},
	{Name: "constraint", About: "a limit that work has to respect",
		Stages: []string{"active", "lifted"},
		Sections: []Part{
			{Heading: "Kind", Values: []string{"limitation", "gap", "policy", "technical"}}, {Heading: "Rule"},
			{Heading: "Impact", List: true}, {Heading: "Workarounds", List: true},
			{Heading: "Severity", Values: []string{"high", "medium", "low"}}, {Heading: "Expires"},
		}},
	{Name: "debt", About: "work that was put off",
		Stages: []string{"open", "in_progress", "resolved", "wont_fix"},
		Sections: []Part{
			{Heading: "Description"}, {Heading: "Priority", Values: []string{"critical", "high", "medium", "low"}},
			{Heading: "Why Deferred"}, {Heading: "Impact", List: true}, {Heading: "Suggested Fix", List: true},
			{Heading: "Acceptance", List: true},
		}},
	{Name: "preference", About: "how the user wants things", Shared: true, Main: "Value",
		Sections: []Part{
			{Heading: "Topic"}, {Heading: "Value"}, {Heading: "Reason"},
			{Heading: "Strength", Values: []string{"strong", "default", "soft"}}, {Heading: "Prefer", List: true},
			{Heading: "Avoid", List: true},
		}},
	{Name: "session", About: "what a session came to", Unasked: true, Keep: 90 * day, Hidden: true, Window: 5,
		Sections: []Part{
			{Heading: "Goal"}, {Heading: "Outcome", Values: []string{"success", "partial", "blocked", "abandoned"}},
			{Heading: "Completed", List: true}, {Heading: "In Progress", List: true}, {Heading: "Blockers", List: true},
			{Heading: "Next Actions", List: true}, {Heading: "Key Changes", List: true},
		}},
	{Name: "analysis", About: "what was found out about a file or a component", Main: "Summary",
		Sections: []Part{
			{Heading: "Path"}, {Heading: "Type", Values: []string{"file", "component", "module", "service"}},
			{Heading: "Summary"},
			{Heading: "Key Findings", List: true}, {Heading: "Issues", List: true},
			{Heading: "Recommendations", List: true},
		}},
	{Name: "subagent", About: "what a subagent returned", Unasked: true, Keep: 14 * day, Hidden: true, Main: "Summary",
		Sections: []Part{
			{Heading: "Agent"}, {Heading: "Task"}, {Heading: "Parent Context"},
			{Heading: "Summary"}, {Heading: "Details"},
			{Heading: "Files Analyzed", List: true}, {Heading: "Recommendations", List: true},
		}},
	{Name: "context", About: "a snapshot for a few days", Keep: 7 * day,
		Sections: []Part{{Heading: "Pending", List: true}, {Heading: "Decisions", List: true}, {Heading: "Notes"}}},
	{Name: "handoff", About: "where the next session goes on", Unasked: true,
		Sections: []Part{
			{Heading: "Task"}, {Heading: "Progress"},
			{Heading: "Completed", List: true}, {Heading: "Pending", List: true},
			{Heading: "Blockers", List: true}, {Heading: "Next Steps", List: true}, {Heading: "References", List: true},
		}},
	{Name: "profile", About: "who the user is", Personal: true,
		Sections: []Part{
			{Heading: "About"}, {Heading: "Preferences", List: true}, {Heading: "Works", List: true},
			{Heading: "Does Not Work", List: true}, {Heading: "Notes"},
		}},
	{Name: "initiative", About: "work across several projects", Personal: true,
		Stages: []string{"planned", "active", "done", "dropped"},
		Sections: []Part{
			{Heading: "Goal"}, {Heading: "Projects", List: true},
			{Heading: "Relations", List: true}, {Heading: "Progress"},
			{Heading: "Next Steps", List: true},
		}},
}

// Named returns the kind called name; ok is false when there is none.
func Named(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}

// Over reports whether a record with this stage no longer holds.
func Over(stage string) bool {
	switch stage {
	case "superseded", "deprecated", "lifted", "resolved", "wont_fix", "dropped":
		return true
	}
	return false
}

// Names lists the names of the kinds, for help and errors.
func Names() (names []string) {
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return names
}

// One returns the kind's name behind its article.
func (k Kind) One() string {
	if k.Name != "" && strings.IndexByte("aeiou", k.Name[0]) >= 0 {
		return "an " + k.Name
	}
	return "a " + k.Name
}

// Part returns the section with this key ("next_steps", "Next Steps" and "next-steps" are the same); ok is false when
// the kind has none.
func (k Kind) Part(key string) (Part, bool) {
	key = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(key)))
	for _, p := range k.Sections {
		if p.Key() == key {
			return p, true
		}
	}
	return Part{}, false
}

// MainPart returns the section for a text without headings. It may be a list.
func (k Kind) MainPart() Part {
	for _, p := range k.Sections {
		if p.Heading == k.Main || k.Main == "" && !p.List && p.Values == nil {
			return p
		}
	}
	return k.Sections[0]
}

// Key returns the name of the section in JSON: next_steps for "Next Steps".
func (p Part) Key() string { return strings.ReplaceAll(strings.ToLower(p.Heading), " ", "_") }

// Content returns the sections of body that this kind knows, but empty ones, by their keys: texts, or lists' items.
func (k Kind) Content(body string) map[string]any {
	out := map[string]any{}
	for _, p := range k.Sections {
		text, _ := markdown.Text(body, p.Heading)
		switch {
		case strings.TrimSpace(text) == "":
		case p.List:
			out[p.Key()] = markdown.Items(text)
		default:
			out[p.Key()] = text
		}
	}
	return out
}
