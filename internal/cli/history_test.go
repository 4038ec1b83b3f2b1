package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/history"
)

// TestUnreadHistory: no command shows an unreadable history as an empty one, nor half of a mission as the whole.
func TestUnreadHistory(t *testing.T) {
	p := newPerson(t)
	p.run("mission", strings.Repeat("Ship the loyalty card to every shop there is. ", 20))
	history := filepath.Join(p.home, ".claude", ".memento", "history", "shop--alice.jsonl")
	if err := os.Remove(history); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(history, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"show", "status"} {
		if out, errs, code := p.run(command); code != exitOK ||
			!strings.Contains(out, "\nhistory  not read to its end: ") {
			t.Errorf("%s: %d\n%s%s", command, code, out, errs)
		}
	}
	if out, errs, code := p.run("show", "--mission"); code != exitFail || !strings.Contains(errs, "shop--alice.jsonl") {
		t.Errorf("show --mission: %d\n%s%s", code, out, errs)
	}
}

// Two lines that share six digits are shown with nine, and the short number finds neither.
func TestLineNumbers(t *testing.T) {
	var lines []history.Line
	seen := map[int]int{}
	for n := 0; len(lines) == 0; n++ {
		l := history.Line{Kind: "done", Text: fmt.Sprint(n)}
		short := lineNumber(l) / moreDigits
		if other, ok := seen[short]; ok {
			lines = []history.Line{{Kind: "done", Text: fmt.Sprint(other)}, {Kind: "done", Text: "alone"}, l}
		}
		seen[short] = n
	}
	numbers := lineNumbers(lines)
	for i, n := range numbers {
		if l, err := lineWith(lines, n, "entry", "memento show --history"); err != nil || l.Text != lines[i].Text {
			t.Errorf("%d is %q, %v; want %q", n, l.Text, err, lines[i].Text)
		}
	}
	short := numbers[0] / moreDigits
	if short != numbers[2]/moreDigits || numbers[1] >= firstNumber*moreDigits || short < firstNumber {
		t.Errorf("the numbers are %d", numbers)
	}
	if _, err := lineWith(lines, short, "entry", "memento show --history"); err == nil {
		t.Errorf("%d is taken for one of two lines", short)
	}
	if l, err := lineWith(lines, 1, "entry", "memento show --history"); err != nil || l.Text != lines[2].Text {
		t.Errorf("the newest is %q, %v", l.Text, err)
	}
}
