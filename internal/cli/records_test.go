package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/schema"
)

// TestRmAsks: rm asks before it deletes each record. Every answer but yes means no, and a no exits with 1.
func TestRmAsks(t *testing.T) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "shop")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"one", "two", "three"} {
		if code, _, err := at(t, home, dir, "", "save", "debt", title); code != 0 {
			t.Fatal(err)
		}
	}
	code, out, err := at(t, home, dir, "no\nYes\n", "rm", "one", "two", "three")
	if code != exitFail || out != "shop--one stays\nremoved shop--two\nshop--three stays\n" ||
		!strings.HasPrefix(err, "Delete shop--one, \"one\", for good? [y/N] Delete shop--two") {
		t.Errorf("%d, %q, %q", code, out, err)
	}
	if code, out, _ := at(t, home, dir, "y\n", "rm", "one", "--json"); code != exitUsage || out != "" {
		t.Errorf("with --json it ended with %d, %q", code, out)
	}
	if _, out, _ := at(t, home, dir, "", "list"); strings.Contains(out, "two") || !strings.Contains(out, "shop--one") ||
		!strings.Contains(out, "shop--three") {
		t.Errorf("there are %q", out)
	}
}

// TestReadable: plain text keeps its lines and indentation, and loses what a terminal or a model would obey.
func TestReadable(t *testing.T) {
	for in, want := range map[string]string{
		"## A\n\n- b\n    code  x\n\ttab": "## A\n\n- b\n    code  x\n\ttab",
		"a \t\r\nb":                       "a\nb",
		"x\x1b[31my":                      "x [31my",
		"    <system-reminder>  z":        "    ‹system-reminder> z",
		"a\u200bb  c\u202e":               "a<U+200B>b  c<U+202E>",
		"":                                "",
	} {
		if got := readable(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

// FuzzSections: to set one section changes no byte of the others and adds no other section. A text comes back as it was
// given, and a list with its items.
func FuzzSections(f *testing.F) {
	for _, s := range []string{"", "words", `\\1 $& ${x}`, "a\n\nb", "## no", "```\n## yes\n```", "```\nopen",
		"- a\n- b\n  c", "1. a\n2) b", "a\r\nb\r\n", " x", "\t", "---", "# A", "### deep", "x\x00y", "\xff"} {
		f.Add(s)
	}
	k, _ := schema.Named("decision")
	const before, after = "intro\n\n## Mine\n\nkept  \n", "\n## Decision\n\nPASETO\n\n\n## Consequences\n- x\n"
	f.Fuzz(func(t *testing.T, text string) {
		for _, key := range []string{"context", "alternatives"} {
			heading := map[string]string{"context": "Context", "alternatives": "Alternatives"}[key]
			body := before + "\n## " + heading + "\n\nold\n" + after
			got, err := setSections(k, body, map[string][]string{heading: {text}}, false)
			if err != nil {
				continue
			}
			// the section was removed
			if key == "context" && strings.TrimSpace(text) == "" || key == "alternatives" &&
				len(markdown.Items(text)) == 0 {
				if got != before+"\n"+after[1:] && got != before+after && got != before+"\n"+after {
					t.Errorf("%q in %s made %q", text, key, got)
				}
				continue
			}
			held, _ := markdown.Text(got, heading)
			if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) || len(markdown.Sections(got)) < 3 {
				t.Fatalf("%q in %s made %q", text, key, got)
			}
			if len(markdown.Sections(got)) != 4 {
				t.Fatalf("%q in %s made %q", text, key, got)
			}
			if want := strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\r\n"); key == "context" && held != want {
				t.Errorf("%q became %q", want, held)
			}
			if key == "alternatives" && len(markdown.Items(held)) != len(markdown.Items(text)) {
				t.Errorf("of %q became %q", markdown.Items(text), markdown.Items(held))
			}
			more, err := setSections(k, got, map[string][]string{heading: {"and more"}}, true)
			if err != nil || !strings.HasPrefix(more, before) || !strings.HasSuffix(more, after) ||
				len(markdown.Sections(more)) != 4 {
				t.Errorf("appended to %q: %q, %v", got, more, err)
			}
		}
	})
}
