package exchange

import (
	"slices"

	"github.com/mementohq/memento/internal/schema"
)

// The layouts that can be read.
const (
	Markdown = "markdown" // PROJECT--SLUG.md and .completed: our own, and the named snapshots of others
	// decisions/, analysis/, context/, progress/, subagent/ of Markdown, a project's or below projects/KEY/
	Folders    = "folders"
	Categories = "categories" // sessions/, decisions/, runbooks/, … of JSON with common fields
	Envelopes  = "envelopes"  // context/ and handoffs/ of JSON with meta and content
	Journal    = "journal"    // a user's journal
	JSON       = "json"       // what memento export --format json wrote
)

// Layouts lists them, for help and errors.
func Layouts() []string { return []string{Markdown, Folders, Categories, Envelopes, Journal, JSON} }

// A shape says of the files of one layout in one folder what they become: which kind, and which of their fields goes
// where. A field that no shape names stays in the record as it is.
type shape struct {
	layout   string
	folder   string // of a memory's, where such files stand; for those beside the folders, what they are
	category string // what JSON calls it
	kind     string // ours
	tag      string
	fields   []pair // of theirs around the content, and where each goes: see Draft.set
	renamed  []pair // what they call a section, and what it is called here; where both agree, nothing is said
	main     string // the section for what a page says before its first
	dated    bool   // the file's name begins with its day
}

// A pair is a name of theirs, and what it means or holds.
type pair struct{ theirs, ours string }

// The folders of pages, and what a page beside them is.
const (
	inDecisions = "decisions"
	inAnalysis  = "analysis"
	inContext   = "context"
	inProgress  = "progress"
	inSubagent  = "subagent"
	asProject   = "project"
	asUser      = "user"
	asWorkspace = "workspace"
)

// shapes is the table of all. It is a function, so that no hook pays for it.
func shapes() []shape {
	common := []pair{{"created_at", "created"}, {"updated_at", "updated"}, {"tags", "tags"}, {"related_files", "files"},
		// the schema is ours, and changes are counted
		{"confidence", "confidence"}, {"schema_version", ""}, {"times_updated", ""}}
	meta := []pair{{"created", "created"}, {"session_id", "session"}}
	return []shape{
		{layout: Categories, category: "session_summary", folder: "sessions", kind: "session", fields: common},
		{layout: Categories, category: "decision", folder: "decisions", kind: "decision", fields: common},
		{layout: Categories, category: "runbook", folder: "runbooks", kind: "runbook", fields: common},
		{layout: Categories, category: "constraint", folder: "constraints", kind: "constraint", fields: common},
		{layout: Categories, category: "tech_debt", folder: "tech-debt", kind: "debt", fields: common,
			renamed: []pair{{"reason_deferred", "Why Deferred"}, {"acceptance_criteria", "Acceptance"}}},
		{layout: Categories, category: "preference", folder: "preferences", kind: "preference", fields: common},

		{layout: Envelopes, category: "context", folder: "context", kind: "context", fields: meta},
		{layout: Envelopes, category: "handoffs", folder: "handoffs", kind: "handoff", fields: meta,
			renamed: []pair{{"context_references", "References"}}},

		{layout: Folders, folder: inDecisions, kind: "decision", main: "Context", dated: true,
			fields:  []pair{{"date", "created"}, {"category", "tag"}, {"status", "state"}},
			renamed: []pair{{"Alternatives Considered", "Alternatives"}}},
		{layout: Folders, folder: inAnalysis, kind: "analysis", main: "Summary",
			fields:  []pair{{"analyzed", "created"}, {"path", "Path"}, {"type", "Type"}},
			renamed: []pair{{"Issues Found", "Issues"}}},
		{layout: Folders, folder: inSubagent, kind: "subagent", main: "Summary", dated: true,
			fields: []pair{{"date", "created"}, {"agent", "Agent"}, {"task", "Task"},
				{"parent context", "Parent Context"}}},
		{layout: Folders, folder: inContext, kind: "context", main: "Notes"},
		{layout: Folders, folder: inProgress, kind: "memento", tag: "progress", main: "Progress"},
		{layout: Folders, folder: asProject, kind: "memento", tag: "project", main: "Context",
			fields: []pair{{"last updated", "updated"}}, renamed: []pair{{"Overview", "Context"}}},
		{layout: Folders, folder: asUser, kind: "profile", main: "Notes"},
		{layout: Folders, folder: asWorkspace, kind: "memento", tag: "workspace", main: "Context"},
	}
}

// shapeOf returns the shape of a file of this layout: by its category or, where it names none, by its folder.
func shapeOf(layout, category, folder string) (shape, bool) {
	all := shapes()
	i := slices.IndexFunc(all, func(s shape) bool {
		return s.layout == layout && (category != "" && s.category == category || category == "" && s.folder == folder)
	})
	if i < 0 {
		return shape{}, false
	}
	return all[i], true
}

// isFolder reports whether a memory may have a folder of this name.
func isFolder(name string) bool {
	return holds(name, Folders) || holds(name, Categories) || holds(name, Envelopes)
}

// holds reports whether files of this layout stand in the folder of this name.
func holds(folder, layout string) bool {
	if layout == Folders && slices.Contains([]string{asProject, asUser, asWorkspace}, folder) {
		return false
	}
	_, ok := shapeOf(layout, "", folder)
	return ok
}

// member is what their content calls a section of ours.
func (s shape) member(p schema.Part) string {
	for _, r := range s.renamed {
		if r.ours == p.Heading {
			return r.theirs
		}
	}
	return p.Key()
}
