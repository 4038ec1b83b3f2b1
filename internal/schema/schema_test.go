package schema

import (
	"strings"
	"testing"
)

// A text without headings has a section of its kind to go under, and a section answers to its name however it is typed.
func TestParts(t *testing.T) {
	main := map[string]string{"memento": "Context", "decision": "Decision", "runbook": "Steps", "constraint": "Rule",
		"debt": "Description", "preference": "Value", "session": "Goal",
		"analysis": "Summary", "subagent": "Summary", "context": "Notes", "handoff": "Task", "profile": "About",
		"initiative": "Goal"}
	for _, k := range Kinds {
		if p := k.MainPart(); p.Heading != main[k.Name] || p.Values != nil {
			t.Errorf("%s: %+v", k.Name, p)
		}
		for _, p := range k.Sections {
			for _, name := range []string{p.Key(), p.Heading, strings.ToUpper(p.Key()),
				strings.ReplaceAll(p.Key(), "_", "-")} {
				if got, ok := k.Part(name); !ok || got.Heading != p.Heading {
					t.Errorf("%s: %q is %+v, %t", k.Name, name, got, ok)
				}
			}
		}
		if p, ok := k.Part("no such"); ok {
			t.Errorf("%s: %+v", k.Name, p)
		}
	}
}
