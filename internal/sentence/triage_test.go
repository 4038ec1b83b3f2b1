package sentence

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/text"
)

// show is off so that nobody tunes the phrases by the sentences that were set aside.
var show = flag.Bool("show", false, "name the sentences set aside that are judged wrongly")

func half(string) float64 { return 0.5 }

// readLabels reads a set of sentences: the kind that each is worth, or -, who says it, and its words.
func readLabels(t *testing.T, name string) (out [][3]string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(l, "\t")
		if len(f) != 3 || f[0] != "-" && !slices.Contains(kindNames[:], f[0]) {
			t.Fatalf("%s: %q", name, l)
		}
		out = append(out, [3]string(f))
	}
	return out
}

// What is suggested is nearly always worth it, and most of what is worth it is suggested: over sentences that the
// phrases were chosen by, and over others that were written before and set aside.
func TestQuality(t *testing.T) {
	for _, name := range []string{"tuned.tsv", "aside.tsv"} {
		right, wrong, missed := 0, 0, 0
		for _, l := range readLabels(t, name) {
			typed := l[1] == "u"
			kind := "-"
			if found := Triage(l[2], typed, half); len(found) > 0 {
				kind = found[0].Kind
			}
			switch {
			case kind == l[0] && kind != "-":
				right++
			case kind != l[0]:
				if kind != "-" {
					wrong++
				}
				if l[0] != "-" {
					missed++
				}
				if name == "tuned.tsv" || *show {
					t.Logf("%s for %s: %s", kind, l[0], l[2])
				}
			}
		}
		precision, recall := float64(right)/float64(right+wrong), float64(right)/float64(right+missed)
		t.Logf("%s: precision %.3f, recall %.3f (%d right, %d wrong, %d missed)", name, precision, recall, right, wrong,
			missed)
		if precision < 0.9 || recall < 0.6 {
			t.Errorf("%s: precision %.3f, recall %.3f, want at least 0.9 and 0.6", name, precision, recall)
		}
	}
}

func TestTriage(t *testing.T) {
	const decided = "We decided to use PASETO because the keys rotate weekly."
	for _, tt := range []struct {
		name, message string
		typed         bool
		want          string // kinds and titles
	}{
		{"by itself", decided, true, "decision use PASETO because the keys rotate weekly"},
		{"Claude's", "I chose SQLite over Postgres because the tool has to run without a server.", false,
			"decision I chose SQLite over Postgres because the tool has to run without a server"},
		{"Claude's, without a reason", "I chose SQLite for the tool.", false, ""},
		{"a limit", "The kiosk must stay offline.", true, "constraint The kiosk must stay offline"},
		{"the same of Claude's, and no more", "The kiosk must stay offline.", false, ""},
		{"what Claude is about to do", "I'll go with PASETO because the keys rotate weekly.", false, ""},
		{"Claude's preferences are nobody's", "Always use tabs instead of spaces, that is better.", false, ""},
		{"beside a task", "Fix the header.\n" + decided + "\nThen push.", true,
			"decision use PASETO because the keys rotate weekly"},
		{"two", decided + " Never deploy on Fridays.", true,
			"decision use PASETO because the keys rotate weekly|constraint Never deploy on Fridays"},
		{"in a list", "- " + decided, false, "decision use PASETO because the keys rotate weekly"},
		{"in bold", "**" + decided + "**", false, "decision use PASETO because the keys rotate weekly"},
		{"a question", "Have we decided to use PASETO because the keys rotate weekly?", true, ""},
		{"in a fence", "Look:\n```\n" + decided + "\n```", true, ""},
		{"in a fence of Claude's", "Look:\n```\n" + decided + "\n```", false, ""},
		{"quoted", "> " + decided, true, ""},
		{"quoted by Claude", "> " + decided, false, ""},
		{"in quotation marks", `The page says "we decided to use PASETO because the keys rotate".`, true, ""},
		{"in a heading", "## " + decided, false, ""},
		{"in a table", "| " + decided + " |", false, ""},
		{"in a log",
			"2026-03-14 09:00:01 INFO start\n2026-03-14 09:00:02 INFO we decided to use PASETO because the keys rotate\n2026-03-14 09:00:03 ERROR stop\n2026-03-14 09:00:04 INFO start\n2026-03-14 09:00:05 INFO stop", true, ""},
		{"another's, announced", "The review says:\nIt was decided to use PASETO because the keys rotate weekly.", true,
			""},
		{"much too long", decided[:len(decided)-1] + strings.Repeat(" and so on", 60) + ".", true, ""},
		{"an option", "let's go with option 2 because it is simpler", true, ""},
		{"doubt", "I think maybe we decided to use PASETO.", true, ""},
		{"nothing", "", true, ""},
	} {
		var got []string
		for _, f := range Triage(tt.message, tt.typed, half) {
			got = append(got, f.Kind+" "+f.Title)
		}
		if all := strings.Join(got, "|"); all != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, all, tt.want)
		}
	}
	if found := Triage(decided, true, func(kind string) float64 { return 2 }); found != nil {
		t.Errorf("above every threshold: %v", found)
	}
}

// Whatever is said, what is suggested and what is kept is made of its words.
func FuzzTriage(f *testing.F) {
	for _, name := range []string{"tuned.tsv", "aside.tsv"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		for _, l := range strings.Split(string(data), "\n") {
			if _, words, ok := strings.Cut(l, "\t"); ok {
				f.Add(words[min(len(words), 2):])
			}
		}
	}
	for _, s := range []string{"Remember:\n- a b\n- c d", "remember that \xff\xfe we decided",
		"İİ we decided to use İ because", "**Decision:** `x", "“we", "记住：", "1. 1) - * # remember that a b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		check := func(title, quote string) {
			if !strings.Contains(s, quote) || !strings.Contains(quote, title) || title == "" ||
				text.Runes(title) > maxTitle || strings.Contains(title, "\n") {
				t.Errorf("%q gives %q, %q", s, title, quote)
			}
		}
		for _, by := range []bool{true, false} {
			for _, found := range Triage(s, by, half) {
				check(found.Title, found.Quote)
				if found.Score < 0.5 || found.Score > 1 || !slices.Contains(kindNames[:], found.Kind) {
					t.Errorf("%+v", found)
				}
			}
		}
		for _, k := range Keepsakes(s) {
			check(k.Title, k.Quote)
		}
	})
}

// A title has at most 120 characters, ends at a word, and is the sentence's from its first word that matters.
func TestTitle(t *testing.T) {
	word := strings.Repeat("x", 59)
	for in, want := range map[string]string{
		"We decided to use PASETO.":         "use PASETO",
		"- **Decision:** keep the old API":  "keep the old API",
		"Decision: keep the old API":        "keep the old API",
		"Policy: no.":                       "Policy: no",
		"2. Never deploy on Fridays!":       "Never deploy on Fridays",
		word + " " + word + "x":             word + " " + word + "x",
		strings.Repeat("abcdefghi ", 13):    strings.TrimSpace(strings.Repeat("abcdefghi ", 12)),
		strings.Repeat("x", 121):            strings.Repeat("x", 120),
		"one line\nand another one of them": "one line",
	} {
		if got := titleOf(in); got != want {
			t.Errorf("%q is called %q, want %q", in, got, want)
		}
	}
}
