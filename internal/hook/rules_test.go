package hook

import (
	"testing"

	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/sentence"
)

// ruleSaid returns a rule of these words, said on a day in some sessions.
func ruleSaid(words, day string, sessions int, older bool) rule.Rule {
	c := sentence.Candidates(words, false)[0]
	return rule.Rule{Text: words, Kind: c.Kind, Deny: c.Deny, Words: c.Words, Sessions: sessions,
		Last: day + "T10:00:00Z", Older: older}
}

func TestQuoteRule(t *testing.T) {
	newer := ruleSaid("Never use tabs in the Go files.", "2026-03-14", 1, false)
	older := ruleSaid("Always use tabs in the Go files.", "2026-01-05", 3, true)
	other := ruleSaid(`Always say "please" in the dialogs.`, "2026-02-01", 2, false)
	all := []rule.Rule{newer, older, other}
	for i, want := range []string{
		`"Never use tabs in the Go files." (on 2026-03-14)`,
		`"Always use tabs in the Go files." (on 2026-01-05, said in 3 sessions)`,
		`"Always say ”please” in the dialogs." (said in 2 sessions)`,
	} {
		if got := quoteRule(all[i], all); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := quoteRule(newer, []rule.Rule{newer, other}); got != `"Never use tabs in the Go files."` {
		t.Errorf("without a contrary one: %s", got)
	}
}

func TestEntryText(t *testing.T) {
	for _, tt := range []struct {
		entry retrieve.Entry
		want  string
	}{
		{retrieve.Entry{Title: "Tabs, not spaces"}, "Tabs, not spaces"},
		{retrieve.Entry{Title: "indentation", Text: "tabs"}, "indentation: tabs"},
		{retrieve.Entry{Title: "Staging", Text: "Staging only until May,\nthen both."}, "Staging only until May, then both."},
		{retrieve.Entry{Title: "No tabs", Text: "No tabs, please.", Said: true}, `"No tabs, please."`},
	} {
		if got := entryText(tt.entry); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.entry, got, tt.want)
		}
	}
}
