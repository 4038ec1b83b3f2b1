package capture

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/work"
)

// tried is one command and its output.
type tried struct {
	line, output string
	failed       bool
}

// failures returns the commands that are open after these.
func failures(t *testing.T, all ...tried) (open []work.Failure) {
	t.Helper()
	d := newDesk(t)
	st := d.session("s1")
	d.say(st, "Port the shop's import to Go, please.")
	for i, c := range all {
		input, _ := json.Marshal(map[string]string{"command": c.line})
		output := c.output
		if c.failed {
			output = "Exit code 1\n" + output
		}
		d.write(st, toolLines(fmt.Sprint("t", i), "Bash", string(input), c.failed, output, ""))
	}
	d.catchUp(st, TrustTranscript)
	if j := d.journal(); (j.Error != nil) != (len(st.Work.Failures) > 0) {
		t.Errorf("the journal's failure is %v, open are %v", j.Error, st.Work.Failures)
	}
	return st.Work.Failures
}

// TestLookUps: a command that only looks for something and does not find it is no open failure.
func TestLookUps(t *testing.T) {
	for _, c := range []tried{
		{"ls build/", "ls: build/: No such file or directory", true},
		{"cat docs/plan.md 2>/dev/null", "", true},
		{"grep -rn 'old name' src | head -5", "", true},
		{"find . -name '*.orig' | xargs ls", "ls: a: No such file or directory", true},
		{"test -f go.mod && echo yes", "", true},
		{"[ -d web ]", "", true},
		{"which jq", "", true},
		{"command -v jq", "jq not found", true},
		{"git check-ignore -v build", "", true},
		{"git ls-files --error-unmatch x", "error: pathspec 'x' did not match", true},
		{"git diff --exit-code", "diff --git a/x b/x", true},
		{"cd /srv/shop && ls *.xcodeproj; pwd", "(eval):1: no matches found: *.xcodeproj", true},
		{"cd /nowhere", "bash: line 1: cd: /nowhere: No such file or directory", true},
		{"for f in a b; do cat $f; done", "cat: a: No such file or directory", true},
		{"LC_ALL=C sort names.txt", "sort: cannot read: names.txt: No such file or directory", true},
	} {
		if open := failures(t, c); len(open) > 0 {
			t.Errorf("%q is open: %+v", c.line, open)
		}
	}
}

// TestFailures: a command that changes or checks something and fails stays open, even if its error is about reading.
func TestFailures(t *testing.T) {
	for _, c := range []tried{
		{"npm test", "2 failing", true},
		{"npm test | tail -5", "2 failing", false},
		{"./deploy.sh", "cat: VERSION: No such file or directory", true},
		{"cat a.txt > b.txt", "b.txt: Permission denied", true},
		{"find . -name '*.orig' -delete", "find: a: Permission denied", true},
		{"sed -i s/a/b/ x.txt", "sed: x.txt: No such file or directory", true},
		{"make dist && ls dist", "make: *** [dist] Error 2", true},
		{"git push", "! [rejected] main -> main (fetch first)", true},
		{"curl -fsS https://shop.example/health", "curl: (22) The requested URL returned error: 503", true},
		{"make check", "cat: version.txt: No such file or directory", true},
	} {
		if open := failures(t, c); len(open) != 1 {
			t.Errorf("%q: open are %+v", c.line, open)
		}
	}
}

// TestOvercome: a failure is dropped when its work succeeded, by the same command or another.
func TestOvercome(t *testing.T) {
	commit := func(n int) tried {
		return tried{"git add -A && git commit -qm step", fmt.Sprintf("[main 1a2b3c%d] step %d", n, n), false}
	}
	many := func(n int, c tried) (out []tried) {
		for range n {
			out = append(out, c)
		}
		return out
	}
	idle := tried{"echo hello", "hello", false}
	red := tried{"npm test", "2 failing", true}
	for _, tt := range []struct {
		name string
		all  []tried
		open string // what is open in the end
	}{
		{"nothing since", []tried{red}, "npm test"},
		{"the same with other options", []tried{red, {"npm test -- --runInBand | tail -3", "12 passing", false}}, ""},
		{"with other flags", []tried{{"npm install left-pad", "npm ERR! ERESOLVE unable to resolve", true},
			{"npm install left-pad --legacy-peer-deps", "added 1 package", false}}, ""},
		{"with a variable", []tried{{"./import.sh --first 9", "Error: timed out", true},
			{"PROXY=http://127.0.0.1:3128 ./import.sh --first 9", "9 rows", false}}, ""},
		{"in another folder", []tried{{"cd apps/shop && npm test", "2 failing", true},
			{"cd apps/admin && npm test -- --ci", "12 passing", false}}, "cd apps/shop && npm test"},
		{"in the same folder", []tried{{"cd apps/shop && npm test", "2 failing", true},
			{"cd shop && npm test", "12 passing", false}}, ""},
		{"in an unknown folder", []tried{{"cd apps/shop && npm test", "2 failing", true}, {"npm test", "12 passing", false}},
			""},
		{"a push that only a commit followed", []tried{{"git push", "! [rejected]", true}, commit(1)}, "git push"},
		{"commits since", []tried{red, commit(1), commit(2), commit(3)}, ""},
		{"one commit since", []tried{red, commit(1)}, "npm test"},
		{"a commit, a push and a pull request",
			[]tried{red, commit(1), {"git push", "main -> main", false},
				{"gh pr create --fill", "https://github.com/acme/shop/pull/12", false}}, ""},
		{"some time ago", append([]tried{{"firebase deploy", "Error: HTTP 400", true}}, many(20, idle)...),
			"firebase deploy"},
		{"long ago", append([]tried{{"firebase deploy", "Error: HTTP 400", true}}, many(31, idle)...), ""},
		{"a check, long ago", append([]tried{red}, many(40, idle)...), "npm test"},
		{"a check, very long ago", append([]tried{red}, many(101, idle)...), ""},
	} {
		var open []string
		for _, f := range failures(t, tt.all...) {
			open = append(open, f.Cmd)
		}
		if got := strings.Join(open, " and "); got != tt.open {
			t.Errorf("%s: open is %q, want %q", tt.name, got, tt.open)
		}
	}
}

// TestKeptLine: lineEnd separates the lines of a kept command, but not those of a commit message.
func TestKeptLine(t *testing.T) {
	for line, want := range map[string]string{
		"npm test":                               "npm test",
		"export A=1\n\n  ./run   $A\n":           "export A=1 ⏎ ./run $A",
		"cat > a.py <<'EOF'\nx = 1\nEOF":         "cat > a.py <<'EOF' ⏎ x = 1 ⏎ EOF",
		"python3 -c \"\nx = 1\ny\"":              "python3 -c \" x = 1 y\"",
		"git commit -m \"one\n\ntwo\"\ngit push": "git commit -m \"one two\" ⏎ git push",
	} {
		if got := keptLine(line, maxCmd); got != want {
			t.Errorf("keptLine(%q) = %q, want %q", line, got, want)
		}
		if a, b := parseCommand(line), keptCommand(keptLine(line, maxCmd)); a.key != b.key {
			t.Errorf("%q is %q when it is read again as %q", line, a.key, b.key)
		}
	}
}
