package capture

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// approvedPlan returns the plan that the person approved, "" when they did not.
func approvedPlan(r transcript.Result) string {
	words := r.Text()
	if !strings.HasPrefix(words, "User has approved your plan") {
		return ""
	}
	if plan := r.Extra().Get("plan").String(); plan != "" {
		return text.Private(plan) // the person may have edited it
	}
	_, plan, _ := strings.Cut(words, "\n## Approved Plan")
	_, plan, _ = strings.Cut(plan, ":\n") // "(edited by user)", if it was (client 2.1.329)
	return text.Private(strings.TrimSpace(plan))
}

// planSteps returns the title of a plan and its steps, word for word: the headings that are numbered or called a step,
// else the numbered lines.
func planSteps(plan string) (out []string) {
	title := ""
	var headings, items, section []string // section has the numbered lines under one heading
	var code text.Fence
	for l := range strings.Lines(plan) {
		l = strings.TrimSpace(l)
		head := strings.TrimLeft(l, "#")
		switch {
		case code.Has(l):
		case len(head) < len(l):
			items, section = append(items, withoutQuestions(section)...), nil
			head = strings.TrimSpace(head)
			if title == "" {
				title = head
			} else if isStep(head) && !isQuestion(head) {
				headings = append(headings, head)
			}
		case isNumbered(l):
			section = append(section, l)
		}
	}
	items = append(items, withoutQuestions(section)...)
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

// withoutQuestions leaves out the questions among the numbered lines of a section, and all lines when half of them ask.
func withoutQuestions(section []string) []string {
	left := slices.DeleteFunc(slices.Clone(section), isQuestion)
	if 2*len(left) <= len(section) {
		return nil
	}
	return left
}

// isQuestion reports whether a sentence of the line is a question.
func isQuestion(l string) bool {
	return strings.HasSuffix(strings.TrimRight(l, "*_) "), "?") || strings.Contains(l, "? ") || strings.Contains(l, "？")
}

// isNumbered reports whether a line begins with a number and a dot or bracket.
func isNumbered(l string) bool {
	rest := strings.TrimLeft(l, "0123456789")
	return len(rest) < len(l) && len(rest) > 2 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' '
}

// isStep reports whether a heading is numbered, or called a step in one of a few languages.
func isStep(heading string) bool {
	if isNumbered(heading) {
		return true
	}
	words := strings.Fields(strings.ToLower(heading))
	return len(words) > 1 && text.OneOf(words[0], "step", "phase", "task", "part", "stage", "fase", "passo", "etapa",
		"paso", "schritt", "étape", "tarefa", "tarea") && strings.ContainsAny(words[1], "0123456789")
}
