package e2e

import (
	"encoding/json"
	"strings"
	"testing"
)

// A journal command that the plan mode denied is in the journal all the same, as Claude's, and once.
func TestDeniedCommand(t *testing.T) {
	w := newWorld(t)
	command := `memento done "it's measured" --ctx "user: ` + mission + `" --wip "` + wip + `"`
	r := w.run(Session{Mode: "plan", Prompts: []string{mission, "What would come next?"}, Script: Script{Main: []Turn{Bash(command)}}})
	if x, ok := r.Tool(command); !ok || !x.Failed {
		t.Fatalf("the plan mode let it run: %+v", x)
	}
	var journal struct {
		WIP   string `json:"wip"`
		WIPBy string `json:"wip_by"`
		Done  []struct {
			Act      string `json:"act"`
			By       string `json:"by"`
			Verified *bool  `json:"verified"`
		} `json:"done"`
	}
	if err := json.Unmarshal([]byte(w.read()), &journal); err != nil {
		t.Fatal(err)
	}
	if journal.WIP != wip || journal.WIPBy != "claude" || len(journal.Done) != 1 || journal.Done[0].Act != "it's measured" || journal.Done[0].By != "claude" ||
		journal.Done[0].Verified == nil || !*journal.Done[0].Verified {
		t.Errorf("the journal does not hold the words of the command: %+v", journal)
	}
	if strings.Count(w.read(), "it's measured") != 1 {
		t.Errorf("not once:\n%s", w.read())
	}
}
