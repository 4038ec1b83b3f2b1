package capture

import (
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
)

// planSteps returns the title of a plan and its steps, word for word: the headings that are numbered or called a step,
// else the numbered lines.
func planSteps(plan string) (out []string) {
	title, asks := "", false // asks: under a heading such as "Open questions"
	var headings, items []string
	var code text.Fence
	for l := range strings.Lines(plan) {
		l = strings.TrimSpace(l)
		head := strings.TrimLeft(l, "#")
		switch {
		case code.Has(l), strings.HasSuffix(strings.TrimRight(l, "*_) "), "?"):
		case len(head) == len(l):
			if isNumbered(l) && !asks {
				items = append(items, l)
			}
		case title == "":
			title = strings.TrimSpace(head)
		case strings.Contains(strings.ToLower(head), "question"):
			asks = true
		case isStep(strings.TrimSpace(head)):
			headings, asks = append(headings, strings.TrimSpace(head)), false
		}
	}
	if len(headings) > 0 {
		items = headings
	}
	if title != "" {
		out = append(out, oneLine(title, journal.MaxPlan))
	}
	for _, s := range items[:min(len(items), 20)] {
		out = append(out, oneLine(s, journal.MaxPlan))
	}
	return out
}

// isNumbered reports whether a line begins with a number and a dot or bracket.
func isNumbered(l string) bool {
	rest := strings.TrimLeft(l, "0123456789")
	return len(rest) < len(l) && len(rest) > 2 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' '
}

// isStep reports whether a heading is numbered, or called a step.
func isStep(heading string) bool {
	words := strings.Fields(strings.ToLower(heading))
	return isNumbered(heading) || len(words) > 1 && strings.ContainsAny(words[1], "0123456789") &&
		text.OneOf(words[0], "step", "phase", "task", "part", "stage")
}
