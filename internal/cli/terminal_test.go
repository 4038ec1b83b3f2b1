package cli

import (
	"bytes"
	"cmp"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/screen"
)

// reader is a person who reads at a terminal.
type reader struct {
	person
	screen screen.Screen
	paged  []string // what the pager got
	missed error    // what the pager says
	claude bool     // whether Claude is the one that reads
}

// read runs a command and returns what the terminal shows of both outputs, in their order. The person types in.
func (r *reader) read(t *testing.T, in string, args ...string) string {
	t.Helper()
	var all bytes.Buffer
	s := r.streams(strings.NewReader(in), &all, &all)
	s.Terminal, s.Watched = true, func() bool { return true }
	s.Screen = func() screen.Screen { return r.screen }
	s.Page = func(_ string, text []byte) error {
		r.paged = append(r.paged, string(text))
		return r.missed
	}
	if getenv := s.Getenv; r.claude {
		s.Getenv = func(name string) string { return cmp.Or(map[string]string{"CLAUDECODE": "1"}[name], getenv(name)) }
	}
	Main(args, s)
	return all.String()
}

// newReader returns a person with a store, in which titles and words are long, wide and hostile.
func newReader(t *testing.T) *reader {
	t.Helper()
	r := &reader{person: newPerson(t), screen: screen.Screen{Wide: 80, High: 24, Styled: true, Moves: true}}
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
	}
	return r
}

// TestTerminalFits: whatever a person asks for fits every width from 40 to 200 columns. A path alone on its line, which
// is there to be copied, may be longer.
func TestTerminalFits(t *testing.T) {
	r := newReader(t)
	var calls [][]string
	for _, line := range strings.Split(`|list|list --all --status all|search use|search use --all|show --history|rules|inbox|
		workspace|status|config|config kinds|doctor|show|show --mission|show use-paseto-for-m|
		show deploy|handoff|trust|gc --dry-run|gc --orphans|forget use --dry-run|help|
		help save|help sync|help records|help files|help settings|help privacy|import --help|list --kid|show nothing|completion nosuch`, "|") {
		calls = append(calls, strings.Fields(line))
	}
	for _, wide := range []int{40, 59, 80, 120, 200} {
		r.screen.Wide = wide
		for _, args := range calls {
			shown := r.read(t, "", args...)
			for line := range strings.Lines(shown) {
				_, line = cutLast(strings.TrimRight(line, " \n"), "\r\x1b[K")
				if n := screen.Columns(line); n > wide && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("%v: %d columns in %d: %q", args, n, wide, line)
				}
			}
			if shown == "" || strings.Count(shown, "\n") > len(shown)/5 {
				t.Errorf("%v in %d columns: %q", args, wide, shown)
			}
		}
	}
}

// cutLast is strings.Cut at the last sep; all of s is after it where there is none.
func cutLast(s, sep string) (before, after string) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+len(sep):]
}

// TestTerminalList: a list says the same in one line, in two, and without styles.
func TestTerminalList(t *testing.T) {
	r := newReader(t)
	r.run("rm", "shop--deploy", "--yes")
	r.screen.Styled = false
	for wide, want := range map[int]string{
		100: `Tests ✅ and 👩‍💻 people ⚠️ and cafés, which nobody has…     debt      now  tests-and
認証ログインの設計を全部見直すことにしました、来週までに、…  debt      now  認証ログインの設計
Use PASETO for machines                                      decision  now  use-paseto-for-machines
Use PASETO for sessions, since the JWT libraries disagree…   decision  now  use-paseto-for-sessions
`,
		40: `Tests ✅ and 👩‍💻 people ⚠️ and cafés…
  debt · now · tests-and
認証ログインの設計を全部見直すことにし…
  debt · now · 認証ログインの設計
Use PASETO for machines
  decision · now ·
  use-paseto-for-machines
Use PASETO for sessions, since the JWT…
  decision · now ·
  use-paseto-for-sessions
`} {
		r.screen.Wide = wide
		shown := r.read(t, "", "list")
		if shown != want {
			t.Errorf("in %d columns:\n%s", wide, shown)
		}
	}
	r.screen.Styled = true
	for _, plain := range []string{r.read(t, "", "list", "--no-color"), r.read(t, "", "--no-color", "list")} {
		if strings.Contains(plain, "\x1b") {
			t.Errorf("--no-color: %q", plain)
		}
	}
}

// TestTerminalHere: memento alone fills at most a usual screen.
func TestTerminalHere(t *testing.T) {
	r := newReader(t)
	for _, size := range [][2]int{{80, 24}, {120, 50}} {
		r.screen.Wide, r.screen.High = size[0], size[1]
		shown := r.read(t, "")
		if n := strings.Count(shown, "\n"); n >= size[1] || !strings.Contains(shown, "records") {
			t.Errorf("%d lines of %d columns on %v:\n%s", n, r.screen.Wide, size, shown)
		}
	}
}

// TestTerminalHostile: nothing that is stored reaches a terminal that would obey it, not even with --raw and --json.
func TestTerminalHostile(t *testing.T) {
	r := newReader(t)
	r.screen.Moves = false // no progress
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

// TestTerminalAsks: a person sees what a question is about before the question, also with a pager.
func TestTerminalAsks(t *testing.T) {
	r := newReader(t)
	r.screen.Pager, r.screen.High, r.screen.Styled, r.screen.Moves = "less", 1, false, false
	shown := r.read(t, "n\n", "forget", "half cents")
	list, question := strings.Index(shown, "would erase"), strings.Index(shown, "[y/N]")
	if list < 0 || question < list || len(r.paged) > 0 {
		t.Errorf("the pager got %q, and the terminal\n%s", r.paged, shown)
	}
	var all strings.Builder
	s := r.streams(strings.NewReader(""), &all, &all)
	s.Terminal, s.Screen = true, func() screen.Screen { return r.screen }
	s.Page = func(string, []byte) error { return nil }
	history, _ := pace.History(filepath.Join(r.home, ".claude", ".memento"))
	fixture.Write(t, filepath.Join(history, "HEAD"), "")
	ran := false
	s.RunCompanion = func(args []string) (int, error) {
		ran = true
		if !strings.Contains(all.String(), "forgotten: ") {
			t.Errorf("%v takes memento's place, and the person has seen only\n%s", args, all.String())
		}
		return 0, nil
	}
	if Main([]string{"forget", "half cents", "--yes"}, s); !ran {
		t.Error("memento-sync did not run")
	}
	shown = r.read(t, "y\n", "rm", "shop--deploy")
	if !strings.Contains(shown, "[y/N] ") {
		t.Errorf("rm: %s", shown)
	}
}

// TestTerminalPages: the pager gets an answer that is longer than the screen, whole. What cannot be shown there is
// printed.
func TestTerminalPages(t *testing.T) {
	r := newReader(t)
	r.screen.Styled = false
	whole := r.read(t, "", "help", "files")
	lines := strings.Count(whole, "\n")
	r.screen.Pager = "less"
	for _, test := range []struct {
		high   int
		missed error
		paged  bool
		prints bool
		args   string
	}{
		{lines + 1, nil, false, true, "help files"},
		{lines, nil, true, false, "help files"},
		{lines, errors.New("no such program"), true, true, "help files"},
		{1, nil, true, false, "show deploy --raw"},
		{1, nil, false, true, "list --json"},
		{1, nil, false, true, "completion bash"},
	} {
		r.screen.High, r.missed, r.paged = test.high, test.missed, nil
		shown := r.read(t, "", strings.Fields(test.args)...)
		if len(r.paged) > 0 != test.paged || (shown != "") != test.prints {
			t.Errorf("%s on %d lines, %v: the pager got %d texts, the terminal %d bytes", test.args, test.high,
				test.missed,
				len(r.paged), len(shown))
		}
		if test.args == "help files" && shown+strings.Join(r.paged, "") != whole && test.missed == nil {
			t.Errorf("on %d lines it is not whole", test.high)
		}
	}
	r.claude, r.paged = true, nil // nobody would leave the pager
	if shown := r.read(t, "", "help", "files"); len(r.paged) > 0 || shown != whole {
		t.Errorf("Claude got %d texts in the pager, and %d bytes", len(r.paged), len(shown))
	}
}

// TestTerminalProgress: at a terminal progress stands in one line, which goes away before anything else is printed.
func TestTerminalProgress(t *testing.T) {
	r := newReader(t)
	var all bytes.Buffer
	s := r.streams(strings.NewReader(""), &all, &all)
	now := time.Now()
	s.Now = func() time.Time { now = now.Add(2 * time.Second); return now }
	s.Watched, s.Screen = func() bool { return true }, func() screen.Screen { return r.screen }
	Main([]string{"search", "--rebuild"}, s)
	bar, rest, _ := strings.Cut(all.String(), "\x1b[K\r\x1b[K")
	_, last := cutLast(bar, "\r")
	if !strings.HasPrefix(last, "memento: indexing: ") || strings.Contains(bar, "\n") ||
		!strings.Contains(rest, "records") {
		t.Errorf("%q", all.String())
	}
}
