package cli

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// At a terminal memento alone fills at most one screen, with many records, too. Away from one it prints the help.
func TestHere(t *testing.T) {
	p := newPerson(t)
	if out, _, code := p.run(); code != exitOK || out != overview() {
		t.Errorf("at no terminal: %d\n%s", code, out)
	}
	screen := func() string {
		t.Helper()
		code, out, errs := at(t, p.home, p.dir, "")
		if code != exitOK || errs != "" {
			t.Errorf("%d %s", code, errs)
		}
		if n := strings.Count(out, "\n"); n >= 24 {
			t.Errorf("it has %d lines:\n%s", n, out)
		}
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(line) - 1; n > 80 && !strings.HasPrefix(line, "journal ") {
				t.Errorf("%d characters: %s", n, line)
			}
		}
		return out
	}
	if out := screen(); !strings.Contains(out, "memento  not wired here") || !strings.Contains(out, "records  0 active") {
		t.Errorf("with nothing there:\n%s", out)
	}
	p.run("mission", strings.Repeat("Ship the loyalty card to every shop there is. ", 9))
	p.run("done", "fix the rounding", "--plan", "docs", "--wip", "wire the card into checkout")
	for n := range 30 {
		p.run("save", "debt", fmt.Sprintf("Slow test %d of the checkout, which nobody has found time to look at", n))
	}
	p.run("save", "handoff", "Monday to Tuesday", "--set", "task=Ship it")
	out := screen()
	for _, want := range []string{
		"project  shop, instance alice", "mission open: Ship the loyalty card", "progress 1 done, 2 open",
		"blocker  none",
		"records  31 active: debt 30, handoff 1", "handoff  one waits: memento show shop--monday-to-tuesday",
		"  handoff · Monday to Tuesday · just now", "more: memento list\n", "more     memento help",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
}
