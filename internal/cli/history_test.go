package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/log"
)

// TestUnreadHistory: no command shows an unreadable history as an empty one, nor half of a mission as the whole.
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
	for _, command := range []string{"show", "status"} {
		if out, errs, code := p.run(command); code != exitOK ||
			!strings.Contains(out, "\nhistory  not read to its end: ") {
			t.Errorf("%s: %d\n%s%s", command, code, out, errs)
		}
	}
	if out, errs, code := p.run("show", "--mission"); code != exitFail || !strings.Contains(errs, "project.jsonl") {
		t.Errorf("show --mission: %d\n%s%s", code, out, errs)
	}
}

// A number that two missions share finds neither, and counting from the newest finds both.
func TestMissionNumbers(t *testing.T) {
	var missions []log.Entry
	seen := map[int]int{}
	for n := 0; len(missions) == 0; n++ {
		l := log.Entry{Kind: "mission", Text: fmt.Sprint(n)}
		number := shownNumber(missionIdentity(l))
		if other, ok := seen[number]; ok {
			missions = []log.Entry{{Text: fmt.Sprint(other)}, {Text: "alone"}, l}
		}
		seen[number] = n
	}
	numberOf := func(i int) int { return shownNumber(missionIdentity(missions[i])) }
	if l, err := missionWith(missions, numberOf(1)); err != nil || l.Text != "alone" {
		t.Errorf("the one alone is %q, %v", l.Text, err)
	}
	if _, err := missionWith(missions, numberOf(0)); err == nil {
		t.Error("a shared number is taken for one of two missions")
	}
	if l, err := missionWith(missions, 1); err != nil || l.Text != missions[2].Text {
		t.Errorf("the newest is %q, %v", l.Text, err)
	}
}
