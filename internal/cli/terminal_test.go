package cli

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/screen"
)

// reader is a person who reads at a terminal.
type reader struct {
	person
	screen screen.Screen
}

// read runs a command and returns what the terminal shows of both outputs, in their order. The person types in.
func (r *reader) read(t *testing.T, in string, args ...string) string {
	t.Helper()
	var all bytes.Buffer
	s := r.streams(strings.NewReader(in), &all, &all)
	s.Terminal, s.Watched = true, func() bool { return true }
	s.Screen = func() screen.Screen { return r.screen }
	Main(args, s)
	return all.String()
}

// newReader returns a person with a store, in which titles and words are long, wide and hostile.
func newReader(t *testing.T) *reader {
	t.Helper()
	r := &reader{person: newPerson(t), screen: screen.Screen{Wide: 80, Styled: true}}
	for _, args := range [][]string{
		{"mission", strings.Repeat("Ship the loyalty card to every shop there is. ", 5)},
		{"done", "fix the rounding of half cents", "--result", strings.Repeat("認証ログイン", 20), "--plan", "docs"},
		{"save", "decision", "Use PASETO for sessions, since the JWT libraries disagree about the algorithm none"},
		{"save", "decision", "Use PASETO for machines"},
		{"save", "debt", "認証ログインの設計を全部見直すことにしました、来週までに、必ず"},
		{"save", "debt", "Tests ✅ and 👩‍💻 people ⚠️ and cafe\u0301s, which nobody has found time to look at"},
		{"save", "runbook", "Deploy", "--set", "steps=run " + strings.Repeat("abc/", 60) + "x with care"},
		{"save", "preference", "Tabs", "--project", "user"},
	} {
		if out, errs, code := r.run(args...); code != exitOK {
			t.Fatalf("%v: %s%s", args, out, errs)
		}
		time.Sleep(2 * time.Millisecond) // records of one millisecond have no order
	}
	return r
}

// TestTerminalFits: whatever a person asks for fits every width from 40 to 200 columns. A long word, such as a path,
// stays whole, so that it can be copied.
func TestTerminalFits(t *testing.T) {
	r := newReader(t)
	var calls [][]string
	for _, line := range strings.Split(`|list|list --all --status all|search use|search use --all|show --history|rules|
		workspace|status|config|config kinds|doctor|show|show use-paseto-for-m|
		show deploy|handoff|trust|gc --dry-run|forget use --dry-run|help|
		help save|help sync|import --help`, "|") {
		calls = append(calls, strings.Fields(line))
	}
	for _, wide := range []int{40, 59, 80, 120, 200} {
		r.screen.Wide = wide
		for _, args := range calls {
			shown := r.read(t, "", args...)
			for line := range strings.Lines(shown) {
				line = strings.TrimRight(line, " \n")
				isLong := func(word string) bool { return screen.Columns(word) > wide/2 }
				if n := screen.Columns(line); n > wide && !slices.ContainsFunc(strings.Fields(line), isLong) {
					t.Errorf("%v: %d columns in %d: %q", args, n, wide, line)
				}
			}
			if shown == "" || strings.Count(shown, "\n") > len(shown)/5 {
				t.Errorf("%v in %d columns: %q", args, wide, shown)
			}
		}
	}
}

// TestTerminalHere: memento alone fills at most a usual screen.
func TestTerminalHere(t *testing.T) {
	r := newReader(t)
	for _, size := range [][2]int{{80, 24}, {120, 50}} {
		r.screen.Wide = size[0]
		shown := r.read(t, "")
		if n := strings.Count(shown, "\n"); n >= size[1] || !strings.Contains(shown, "records") {
			t.Errorf("%d lines of %d columns on %v:\n%s", n, r.screen.Wide, size, shown)
		}
	}
}

// TestTerminalHostile: nothing that is stored reaches a terminal that would obey it, not even with --raw and --json.
func TestTerminalHostile(t *testing.T) {
	r := newReader(t)
	const hostile = "over \x1b]0;owned\x07 \u009b2J \x1b[31mcents\x1b[0m \r gone \x7f"
	fixture.Write(t, filepath.Join(r.home, ".claude", ".memento", "shop--bad.md"),
		"---\nid: shop--bad\nproject: shop\n"+
			"kind: debt\nstatus: active\ntitle: \"over \\u001b]0;owned\\u0007 cents\"\ntags:\n  - x\n"+
			"created: 2026-01-05T10:00:00Z\nupdated: 2026-01-05T10:00:00Z\n---\n\n## Description\n\n"+hostile+"\n")
	for _, args := range []string{"show shop--bad", "show shop--bad --raw", "show shop--bad --json", "list",
		"list --json",
		"search cents", "search cents --json", "export --to -", "view --out -"} {
		shown := r.read(t, "", strings.Fields(args)...)
		for _, style := range []string{"\x1b[0m", "\x1b[1m", "\x1b[2m"} {
			shown = strings.ReplaceAll(shown, style, "")
		}
		obeyed := func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }
		if i := strings.IndexFunc(shown, obeyed); i >= 0 || !strings.Contains(shown, "over") {
			t.Errorf("%s, at %d: %q", args, i, shown)
		}
	}
}

// TestTerminalAsks: a person sees what a question is about before the question.
func TestTerminalAsks(t *testing.T) {
	r := newReader(t)
	r.screen.Styled = false
	shown := r.read(t, "n\n", "forget", "half cents")
	list, question := strings.Index(shown, "would erase"), strings.Index(shown, "[y/N]")
	if list < 0 || question < list {
		t.Errorf("the terminal shows\n%s", shown)
	}
	shown = r.read(t, "y\n", "rm", "shop--deploy")
	if !strings.Contains(shown, "[y/N] ") {
		t.Errorf("rm: %s", shown)
	}
}
