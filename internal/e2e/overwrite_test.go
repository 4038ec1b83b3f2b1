package e2e

import (
	"encoding/json"
	"testing"
)

// What a Write of the whole journal dropped is back at the next event, in the modes that ask nobody too.
func TestOverwrite(t *testing.T) {
	for _, mode := range []string{"default", "bypassPermissions"} {
		t.Run(mode, func(t *testing.T) {
			w := newWorld(t)
			w.run(Session{Prompts: []string{mission}, Script: Script{Main: []Turn{
				Bash(`memento done "it's built" --result "4 files"`), Bash(`memento done "it's measured" --result "12 ms"`),
			}}})
			file := w.journal()
			r := w.run(Session{Mode: mode, Args: []string{"--continue"}, Prompts: []string{"Bring the journal up to date."}, Script: Script{Main: []Turn{
				Use("Read", map[string]any{"file_path": file}),
				Use("Write", map[string]any{"file_path": file, "content": `{"mission":"Get it out of the door","done":[{"act":"it's deployed"}]}`}),
			}}})
			wrote := false
			for _, x := range r.Tools {
				wrote = wrote || x.Name == "Write" && !x.Failed && !x.Denied
			}
			if !wrote {
				t.Fatal("the journal was not written")
			}
			var journal struct {
				Mission string                  `json:"mission"`
				By      string                  `json:"mission_by"`
				Done    []struct{ Act string }  `json:"done"`
				Said    []struct{ Text string } `json:"said"`
			}
			if err := json.Unmarshal([]byte(w.read()), &journal); err != nil {
				t.Fatal(err)
			}
			if d := journal.Done; len(d) != 3 || d[0].Act != "it's built" || d[1].Act != "it's measured" || d[2].Act != "it's deployed" {
				t.Errorf("done: %+v", d)
			}
			if journal.Mission != "Get it out of the door" || journal.By != "claude" || len(journal.Said) == 0 || journal.Said[0].Text != mission {
				t.Errorf("the user's words do not stand beside Claude's: %+v", journal)
			}
		})
	}
}
