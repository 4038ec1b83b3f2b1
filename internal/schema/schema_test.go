package schema

import (
	"strings"
	"testing"
)

// TestParts: each kind has a section for a text without headings, and a section has a key in every spelling.
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
