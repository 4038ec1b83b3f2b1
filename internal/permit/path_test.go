package permit

import "testing"

func TestJournal(t *testing.T) {
	const lane = "/home/alice/.claude/.memento/myapp--alice.json"
	for _, c := range []struct {
		tool, path, lane string
		want             bool
	}{
		{"Read", lane, lane, true},
		{"Write", lane, lane, false},
		{"Edit", lane, lane, false},
		{"Bash", lane, lane, false},
		{"read", lane, lane, false},
		{"NotebookEdit", lane, lane, false},
		{"", lane, lane, false},
		{"Read", "/home/alice/.claude/.memento/myapp--bob.json", lane, false},
		{"Read", "/home/alice/.claude/.memento/../.memento/myapp--alice.json", lane, false},
		{"Read", "/home/alice/.claude//.memento/myapp--alice.json", lane, false},
		{"Read", "/home/alice/.claude/./.memento/myapp--alice.json", lane, false},
		{"Read", lane + "/", lane, false},
		{"Read", lane + "\x00", lane, false},
		{"Read", lane + " ", lane, false},
		{"Read", "/home/alice/.claude/.memento/MyApp--alice.json", lane, false},
		{"Read", "~/.claude/.memento/myapp--alice.json", lane, false},
		{"Read", "myapp--alice.json", lane, false},
		{"Read", "/home/alice/.claude/.memento", lane, false},
		{"Read", "/home/alice/.claude/settings.json", lane, false},
		{"Read", "", lane, false},
		{"Read", lane, "", false},
		// A lane that is no clean absolute path approves nothing.
		{"Read", "", "", false},
		{"Read", "myapp--alice.json", "myapp--alice.json", false},
		{"Read", "/home/alice/../bob/x.json", "/home/alice/../bob/x.json", false},
	} {
		if got := Journal(c.tool, c.path, c.lane); got != c.want {
			t.Errorf("Journal(%q, %q, %q) = %v, want %v", c.tool, c.path, c.lane, got, c.want)
		}
	}
}
