package block

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/journal"
)

// The last large request stands under the header, in whole sentences where it can. What it shows is not quoted twice.
func TestNowLine(t *testing.T) {
	j := &journal.Journal{Mission: "fix auth"}
	long := strings.Repeat("and the list of hosts ", 6) + "is wrong."
	for request, want := range map[string]string{
		"read the hosts from the table":                      `Now: "read the hosts from the table"`,
		long + " Then look at the second list of the hosts.": `Now: "` + long + `"`,
		strings.Repeat("word ", 60):                          "Now: \"" + strings.Repeat("word ", 29) + "word…\"",
		`say "hello"` + "\nto them":                          `Now: "say ”hello” to them"`,
	} {
		words := &Words{Now: request, Asks: []journal.Saying{{Text: "read the hosts from the table"}, {Text: "wait"}}}
		got := strings.Split(Render(j, View{Path: path, Budget: 1000, Said: words}), "\n")
		if got[1] != want || strings.Count(strings.Join(got, "\n"), "read the hosts") != 1 {
			t.Errorf("the block of %q is\n%s, want\n%s", request, strings.Join(got, "\n"), want)
		}
	}
	words := &Words{Now: "読み取りを直してください" + strings.Repeat("長", 300)}
	v := View{Path: path, Budget: 350, Early: true, Said: words}
	if got := Render(j, v); !strings.Contains(got, "\nNow: \"読み取り") ||
		strings.Count(got, "長") > 50 {
		t.Errorf("the block is\n%s", got)
	}
	words.NowOld = true
	if got := Render(j, View{Path: path, Budget: 350, Early: true, Said: words}); strings.Contains(got, "Now: ") {
		t.Errorf("at a first compaction an older request stands in the block\n%s", got)
	}
	if got := Render(j, View{Path: path, Budget: 1000, Said: words}); !strings.Contains(got, "Now: ") {
		t.Errorf("later the block has no request\n%s", got)
	}
}

// Sentences said since the last compaction have a part of the room, whatever was said before.
func TestNewShare(t *testing.T) {
	w := Words{Talk: []journal.Saying{{Text: "what is in the Swedish list?", TS: "2026-03-02T10:00:00Z"}}}
	for n := range 90 {
		w.Leans = append(w.Leans,
			journal.Saying{Text: fmt.Sprint("the table may be number ", n), TS: "2026-03-01T10:00:00Z"})
	}
	for since, want := range map[string]bool{"": false, "2026-03-01T12:00:00Z": true} {
		w.Since = since
		got := Render(&journal.Journal{Mission: "fix auth"}, View{Path: path, Budget: 500, Said: &w})
		if strings.Contains(got, `"what is in the Swedish list?"`) != want {
			t.Errorf("the last compaction at %q: the block is\n%s", since, got)
		}
	}
}

// What is tied to a later sentence stands behind it, each with its day, or not at all.
func TestTied(t *testing.T) {
	w := Words{
		Rules: []journal.Saying{{Text: "no dark mode", TS: "2026-03-02T10:00:00Z"}},
		Asks:  []journal.Saying{{Text: "rename it", TS: "2026-03-02T09:00:00Z"}},
		Tied:  map[string][]journal.Saying{"no dark mode": {{Text: "add a dark mode", TS: "2026-03-01T10:00:00Z"}}},
	}
	v := View{Path: path, Budget: 1000, Said: &w}
	got := strings.Split(Render(&journal.Journal{Mission: "fix auth"}, v), "\n")[1]
	if want := `User said: "no dark mode" · by 2026-03-01: "add a dark mode" · by 2026-03-02: "rename it"`; got != want {
		t.Errorf("the block says\n%s, want\n%s", got, want)
	}
	w.Tied["no dark mode"][0].Text = strings.Repeat("dark ", 90)
	v.Budget = 60
	if got := Render(&journal.Journal{Mission: "fix auth"}, v); !strings.Contains(got, `"no dark mode"`) ||
		strings.Contains(got, "dark dark") {
		t.Errorf("without room the block is\n%s", got)
	}
}
