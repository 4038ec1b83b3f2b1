package exchange

import (
	"slices"

	"github.com/mementohq/memento/internal/schema"
)

// The layouts that Read knows.
const (
	Markdown = "markdown" // PROJECT--SLUG.md and .completed: memento's own, and named snapshots of another program
	// decisions/, analysis/, context/, progress/, subagent/ of Markdown, a project's or below projects/KEY/
	Folders    = "folders"
	Categories = "categories" // sessions/, decisions/, runbooks/, … of JSON with common fields
	Envelopes  = "envelopes"  // context/ and handoffs/ of JSON with meta and content
	Journal    = "journal"    // a journal: the mission in hand
	JSON       = "json"       // what memento export --format json wrote
)

// Layouts lists the layouts, for help and errors.
func Layouts() []string { return []string{Markdown, Folders, Categories, Envelopes, Journal, JSON} }

// shape says what the files of one layout in one folder become: the kind of record, and the place of each field. A
// field that the shape does not name stays in the body as it is.
type shape struct {
	layout   string
	folder   string // the folder of such files; for a file beside the folders, its role
	category string // the category that JSON files name
	kind     string // of the record
	tag      string
	fields   []pair // fields outside the content; see Draft.setField
	renamed  []pair // sections whose names differ
	main     string // the section for the text before a page's first section
	dated    bool   // the file's name begins with a day
}

// pair is a name in a layout, and memento's name for it, or its value.
type pair struct{ theirs, ours string }

// The folders of pages, and the roles of pages beside them.
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

// shapes returns the table of all shapes. As a function it costs a hook's start nothing.
func shapes() []shape {
	common := []pair{{"created_at", "created"}, {"updated_at", "updated"}, {"tags", "tags"}, {"related_files", "files"},
		// memento has its own schema, and counts the changes
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

// shapeOf returns the shape of a file of this layout: by category, or by folder if category is "".
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

// isFolder reports whether a memory can have a folder of this name.
func isFolder(name string) bool {
	return holds(name, Folders) || holds(name, Categories) || holds(name, Envelopes)
}

// holds reports whether a folder of this name holds files of this layout.
func holds(folder, layout string) bool {
	if layout == Folders && slices.Contains([]string{asProject, asUser, asWorkspace}, folder) {
		return false
	}
	_, ok := shapeOf(layout, "", folder)
	return ok
}

// member returns the layout's name for a section of memento's.
func (s shape) member(p schema.Part) string {
	for _, r := range s.renamed {
		if r.ours == p.Heading {
			return r.theirs
		}
	}
	return p.Key()
}
