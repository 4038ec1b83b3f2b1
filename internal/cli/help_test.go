package cli

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/record"
)

// The overview lists each command that a person types once, in one of its groups, and each line fits a terminal.
func TestOverviewListsEveryCommand(t *testing.T) {
	var listed []string
	for _, g := range groups() {
		listed = append(listed, strings.Fields(g.names)...)
	}
	var there []string
	for _, c := range public() {
		there = append(there, c.name)
	}
	slices.Sort(listed)
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		t.Errorf("the groups have\n%q, there are\n%q", listed, there)
	}
	for line := range strings.Lines(overview()) {
		if utf8.RuneCountInString(line) > 120 {
			t.Errorf("%d characters: %s", utf8.RuneCountInString(line), line)
		}
	}
}

// The topic of records has a line for each kind, and the topics are those that help offers.
func TestTopics(t *testing.T) {
	for _, name := range []string{"records", "files", "settings", "privacy", "exit-codes"} {
		if words, ok := topic(name); !ok || len(words) < 100 {
			t.Errorf("%s: %q", name, words)
		}
	}
	for _, k := range record.Kinds {
		if words, _ := topic("records"); strings.Count(words, "\n  "+k.Name+" ") != 1 || !strings.Contains(words, k.About) {
			t.Errorf("the kind %s is not there once", k.Name)
		}
	}
}
