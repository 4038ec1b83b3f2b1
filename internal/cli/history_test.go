package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnreadHistory: no command shows an unreadable history as an empty one.
func TestUnreadHistory(t *testing.T) {
	p := newPerson(t)
	p.run("mission", strings.Repeat("Ship the loyalty card to every shop there is. ", 20))
	history := filepath.Join(p.home, ".claude", ".memento", "log", "shop", "project.jsonl")
	if err := os.Remove(history); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(history, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := p.run("show"); code != exitOK || !strings.Contains(out, "\nhistory  not read to its end: ") {
		t.Errorf("show: %d\n%s%s", code, out, errs)
	}
	if out, errs, code := p.run("show", "--said"); code != exitFail || !strings.Contains(errs, "project.jsonl") {
		t.Errorf("show --said: %d\n%s%s", code, out, errs)
	}
}
