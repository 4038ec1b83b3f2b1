package hook

import (
	"strings"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// maxRelated is how many related projects a session is told of.
const maxRelated = 6

// related returns a line with how the project stands to others, "" for nothing.
func (h *handler) related() string {
	slug := h.store.Lane.Slug
	if slug == "" {
		return ""
	}
	var out []string
	for _, r := range project.RelationsOf(h.config.Dir, slug) {
		if words := relation(r, slug); words != "" {
			out = append(out, words)
		}
	}
	if len(out) == 0 {
		return ""
	}
	more := ""
	if len(out) > maxRelated {
		out, more = out[:maxRelated], " (more: memento workspace)"
	}
	return "Related projects: " + strings.Join(out, " · ") + more
}

// relation says how the project with this slug stands to another, "" for a kind that memento does not know.
func relation(r project.Relation, slug string) string {
	ours, theirs := "", ""
	switch r.Kind {
	case "depends-on":
		ours, theirs = "this one depends on ", " depends on this one"
	case "fork-of":
		ours, theirs = "this one is a fork of ", " is a fork of this one"
	case "upstream-of":
		ours, theirs = "this one is upstream of ", " is upstream of this one"
	case "related":
		ours, theirs = "this one has to do with ", " has to do with this one"
	default:
		return ""
	}
	if r.From == slug {
		return ours + text.Data(r.To)
	}
	return text.Data(r.From) + theirs
}
