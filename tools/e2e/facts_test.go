package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFacts checks what the journal takes from a session although the model notes nothing: tasks, files, a failing
// command with the line that says why, the answer to a question, and a prompt that was typed while the model worked.
func TestFacts(t *testing.T) {
	const (
		doing    = "find the callers of Refresh"
		next     = "convert the expiry to UTC"
		finished = "read session.go"
		queued   = "While you are there: never log the token itself."
		question = "Which clock decides when a session expires?"
		answer   = "The database's, never the server's own"
		failing  = "./check.sh session"
		why      = "session.go:47:12: undefined: expiryUTC"
	)
	w := newWorld(t)
	for name, text := range map[string]string{
		"session.go": "package session\n\nconst expiry = 5\n",
		"check.sh":   "#!/bin/sh\necho '# git.example.com/shop/paymentd'\necho './" + why + "'\nexit 1\n",
	} {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	source := filepath.Join(w.dir, "session.go")
	task := func(subject string) Turn {
		return Use("TaskCreate", map[string]any{"subject": subject, "description": subject})
	}
	update := func(id, status string) Turn {
		return Use("TaskUpdate", map[string]any{"taskId": id, "status": status})
	}
	r := w.run(Session{
		Prompts: []string{mission, second, "/compact", "Go on."},
		// newer models need the second variable
		Env:     []string{"CLAUDE_CODE_ENABLE_TASKS=1", "CLAUDE_CODE_ENABLE_TODO_TOOLS=1"},
		Args:    []string{"--allowedTools", "Bash Read Edit"},
		Ask:     true,
		Answers: map[string]string{question: answer},
		Script: Script{Main: []Turn{
			Say("I will look at the session handling."),
			task(finished), task(doing), task(next),
			update("1", "completed"), update("2", "in_progress"),
			Use("Read", map[string]any{"file_path": source}),
			Use("Edit", map[string]any{"file_path": source, "old_string": "const expiry = 5",
				"new_string": "const expiry = 24 * 60"}),
			Bash("true").While(queued),
			Bash("sleep 0.3"),
			Use("AskUserQuestion", map[string]any{"questions": []map[string]any{{"question": question,
				"header": "Clock", "multiSelect": false, "options": []map[string]any{
					{"label": "The server's", "description": "what it is now"},
					{"label": "The database's", "description": "one for all servers"}}}}}),
			Bash(failing),
			Say("It does not build yet."),
		}},
	})
	for _, x := range r.Tools {
		if x.Failed != (x.Name == "Bash" && commandOf(x.Input) == failing) {
			t.Errorf("%s %s: failed %t: %s", x.Name, x.Input, x.Failed, x.Output)
		}
	}
	block := one(t, "the block", r.Said("SessionStart:compact"))
	want(t, "the block", block, "Mission: "+mission, queued, answer, "WIP: "+doing, "Plan: "+next, "Done: "+finished,
		"session.go", failing, why)
	want(t, "the request after the compaction", last(t, r).Text(), block)
	briefs := r.Of(Summary)
	if len(briefs) != 1 {
		t.Fatalf("%d compactions, not 1", len(briefs))
	}
	want(t, "the brief in the summariser's request", briefs[0].Brief(), mission, doing, next, failing)
	said := w.shell(memento(), "show", "--said")
	want(t, "what was said", said, mission, second, queued, answer)
}
