package block

import (
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/journal"
)

// What was said is shown newest first, whatever it is worth; what was said on an earlier day than the newest shows its
// day.
func TestQuotesByTime(t *testing.T) {
	words := &Words{
		Rules: []journal.Saying{{Text: "never push", TS: "2026-03-12T10:00:00Z"},
			{Text: "use tabs", TS: "2026-03-14T12:00:00.5Z"}},
		Asks:  []journal.Saying{{Text: "you can push", TS: "2026-03-14T12:30:00Z"}},
		Leans: []journal.Saying{{Text: "only 3", Asked: "How many?", TS: "2026-03-11T12:00:00Z"}},
		Talk:  []journal.Saying{{Text: "undated"}},
	}
	j := journal.Journal{Mission: "fix auth", Project: "shop"}
	got := Render(&j, View{Path: path, Budget: 1000, Said: words})
	if want := "\n" +
		`User said: "you can push" · "use tabs" · by 2026-03-12: "never push" · by 2026-03-11: "only 3" (asked: "How many?") · "undated"`; !strings.HasSuffix(got, want) {
		t.Errorf("the block is\n%s, want its end\n%s", got, want)
	}
	var facts []string
	for _, f := range Facts(&j, got) {
		facts = append(facts, strings.Join(f.Words, "+"))
	}
	if got, want := strings.Join(facts, "|"),
		"fix auth|you can push|use tabs|never push|only 3+How many?|undated"; got != want {
		t.Errorf("its facts are %s, want %s", got, want)
	}
	if got, want := Brief(&j, 1500, View{Said: words}),
		"The user said: \"use tabs\"\nThe user said on 2026-03-12: \"never push\"\n"; !strings.Contains(got, want) {
		t.Errorf("the brief is\n%s, want in it\n%s", got, want)
	}
	j.Said = []journal.Saying{{Text: "never push", TS: "2026-03-12T10:00:00Z", Rule: true, Ref: "u1"},
		{Text: "push now", TS: "2026-03-14T10:00:00Z", Rule: true, Ref: "u2"}}
	if got, want := Aside(&j, 120),
		"[MEMENTO] The mission of this session: fix auth\nThe user said: \"push now\" · by 2026-03-12: \"never push\""; got != want {
		t.Errorf("a subagent is told\n%s, want\n%s", got, want)
	}
}
