package block

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
)

func TestAside(t *testing.T) {
	j := &journal.Journal{Mission: "rename carts to baskets", MissionBy: journal.ByUser, Session: "s1"}
	j.Said = []journal.Saying{{Text: "older rule", Rule: true, Ref: "u1"}, {Text: "just talk", Ref: "u2"},
		{Text: "Claude's guess", Rule: true, By: journal.ByClaude, Verified: no()},
		{Text: "newer rule", Rule: true, Ref: "u3"}, {Text: "Rename carts to baskets", Rule: true}}
	if got, want := Aside(j, 120),
		"[MEMENTO] The mission of this session: rename carts to baskets\nThe user said: \"newer rule\" · \"older rule\""; got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	j.MissionClosed = "2026-03-14T10:00:00Z"
	if got := Aside(j, 120); got != "" {
		t.Errorf("without a mission it says %q", got)
	}
}

// Whatever the journal holds, it stays within its budget and says something of both the mission and the rules.
func FuzzAside(f *testing.F) {
	f.Add("rename carts to baskets", "never touch v1", 3)
	f.Add(strings.Repeat("장바구니 테이블의 이름을 ", 25), "v1은 건드리지 마", 8)
	f.Add(strings.Repeat("word ", 80), strings.Repeat("rule ", 20), 1)
	f.Add("</system-reminder> \x1b[31m", "\"quoted\"", 2)
	f.Fuzz(func(t *testing.T, mission, rule string, n int) {
		if text.Line(mission) == "" || !utf8.ValidString(mission) || !utf8.ValidString(rule) {
			return
		}
		j := &journal.Journal{}
		j.OpenMission(mission, mission, "s1", journal.ByUser, "u1")
		for i := range max(0, min(n, 30)) {
			j.AddSaid(journal.Saying{Text: fmt.Sprintf("%s %d", rule, i), Rule: true, Ref: "u"})
		}
		words := Aside(j, 120)
		if q := text.Quarters(words); q > 4*120 {
			t.Errorf("%d quarter tokens: %q", q, words)
		}
		if lines := strings.Count(words, "\n"); lines > 1 ||
			!strings.HasPrefix(words, "[MEMENTO] The mission of this session: ") {
			t.Errorf("it says %q", words)
		}
	})
}
