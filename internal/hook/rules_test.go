package hook

import (
	"testing"
	"time"

	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/rule"
)

func TestQuoteRule(t *testing.T) {
	now := time.Date(2026, 3, 20, 10, 0, 0, 0, time.UTC)
	for want, r := range map[string]rule.Rule{
		`"Never use tabs." (Mar 14)`: {Text: "Never use tabs.", Sessions: 1, Last: now.AddDate(0, 0, -6)},
		`"Say ”please”." (in 3 sessions, Dec 20, 2025)`: {Text: `Say "please".`, Sessions: 3,
			Last: now.AddDate(0, -3, 0)},
	} {
		if got := quoteRule(r, now); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestEntryText(t *testing.T) {
	for _, tt := range []struct {
		entry retrieve.Entry
		want  string
	}{
		{retrieve.Entry{Title: "Tabs, not spaces"}, "Tabs, not spaces"},
		{retrieve.Entry{Title: "indentation", Text: "tabs"}, "indentation: tabs"},
		{retrieve.Entry{Title: "Staging", Text: "Staging only until May,\nthen both."},
			"Staging only until May, then both."},
		{retrieve.Entry{Title: "No tabs", Text: "No tabs, please.", Said: true}, `"No tabs, please."`},
	} {
		if got := entryText(tt.entry); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.entry, got, tt.want)
		}
	}
}
