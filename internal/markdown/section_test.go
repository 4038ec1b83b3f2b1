package markdown

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

const page = "# Title\n\nIntro.\n\n## Context\n\nWords.\n\n```sh\n## not a heading\n```\n\n### " +
	"Deeper\n\nMore.\n\n## Next Steps ##\n- a\n- b\n\n# Part two\n\nEnd.\n\n## Last\nx"

func TestSections(t *testing.T) {
	var got []string
	for _, s := range Sections(page) {
		got = append(got, s.Heading)
	}
	if want := []string{"Context", "Next Steps", "Last"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, tt := range []struct{ body, heading, want string }{
		{page, "context", "Words.\n\n```sh\n## not a heading\n```\n\n### Deeper\n\nMore."},
		{page, "Next Steps", "- a\n- b"}, {page, "Last", "x"},
		{"~~~\n```\n## A\n~~~\n## B\nb", "B", "b"}, {"````\n```\n## A\n````\n## B\nb", "B", "b"},
		{"``` x`y\n## B\nb", "B", "b"}, {"   ## B\nb", "B", "b"},
		{"## B\r\n\r\nb\r\n\r\n## C\r\n", "B", "b"}, {"## B\none\n## B\ntwo", "B", "one"},
	} {
		if got, ok := Text(tt.body, tt.heading); !ok || got != tt.want {
			t.Errorf("%q of %q is %q, %v", tt.heading, tt.body, got, ok)
		}
	}
	for _, body := range []string{"", "    ## B\n", "##B\n", "```\n## B\n", "# B\n", "### B\n", "text ## B"} {
		if got, ok := Text(body, "B"); ok {
			t.Errorf("%q has the section B: %q", body, got)
		}
	}
}

func TestSetSection(t *testing.T) {
	for _, tt := range []struct{ body, heading, text, want string }{
		{"", "A", "x", "## A\n\nx\n"},
		{"intro", "A", "x\n", "intro\n\n## A\n\nx\n"},
		{"## A\nold\n\n## B\n\nb\n", "a", `\1 $& %s`, "## A\n\n\\1 $& %s\n\n## B\n\nb\n"},
		{"## A\n\n## B\nb", "B", "new\n\n", "## A\n\n## B\n\nnew\n"},
		{"## A\r\nold\r\n## B\r\n", "A", "one\ntwo", "## A\r\n\r\none\r\ntwo\r\n\r\n## B\r\n"},
		{"## A\nold\n", "A", "```\n## code\n```", "## A\n\n```\n## code\n```\n"},
	} {
		if got, err := SetSection(tt.body, tt.heading, tt.text); err != nil || got != tt.want {
			t.Errorf("%q with %q in %s: %q, %v, want %q", tt.body, tt.text, tt.heading, got, err, tt.want)
		}
	}
	got, err := AppendSection("## A\n- a\n\n## B\n", "A", "- b")
	if want := "## A\n\n- a\n- b\n\n## B\n"; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, tt := range []struct{ body, heading, text string }{{"", "A", "## B\n"}, {"", "A", "x\n# B"},
		{"", "A", "```\nx"}, {"```\nx", "A", "x"}, {"", "", "x"}, {"", "A\nB", "x"}, {"", "A #", "x"}} {
		if got, err := SetSection(tt.body, tt.heading, tt.text); !errors.Is(err, ErrSection) {
			t.Errorf("%q in %q of %q: %q, %v", tt.text, tt.heading, tt.body, got, err)
		}
	}
}

// Text returns the section that SetSection wrote, and the other sections stay as they were.
func FuzzSetSection(f *testing.F) {
	for _, text := range []string{"x", `\1 $&`, "```\n## y\n```", "- a\r\n- b", "\n\n ", "~~~"} {
		f.Add(page, text)
		f.Add(strings.ReplaceAll(page, "\n", "\r\n"), text)
		f.Add("## Context", text)
		f.Add("0", "\r# 0")
	}
	f.Fuzz(func(t *testing.T, body, text string) {
		const heading = "Context"
		got, err := SetSection(body, heading, text)
		if err != nil {
			return
		}
		want := strings.ReplaceAll(strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\r\n"), "\n", lineEnd(body))
		if s, ok := Text(got, heading); !ok || s != want {
			t.Fatalf("%q, want %q in %q", s, want, got)
		}
		was, is := Sections(body), Sections(got)
		s, ok := section(body, heading)
		if !ok {
			if !strings.HasPrefix(got, body) || len(is) != len(was)+1 {
				t.Fatalf("%q became %q", body, got)
			}
			return
		}
		if !strings.HasPrefix(got, body[:s.Start]) || !strings.HasSuffix(got, body[s.End:]) || len(is) != len(was) {
			t.Fatalf("%q became %q", body, got)
		}
	})
}
