package capture

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/work"
)

func TestParseCommand(t *testing.T) {
	for _, tt := range []struct {
		line, shown, key string
		check            bool
	}{
		{"npm test -- --ci", "npm test -- --ci", "npm test --", true},
		{"cd /srv/shop && npm test", "npm test", "npm test", true},
		{"cd web\ncd api; CGO_ENABLED=1 go test -race ./... 2>&1 | tail -5",
			"CGO_ENABLED=1 go test -race ./... 2>&1 | tail -5", "go test -race", true},
		{"git stash && timeout 60 cargo test --all", "git stash && timeout 60 cargo test --all", "cargo test --all",
			true},
		{"uv run pytest -q tests/test_auth.py", "uv run pytest -q tests/test_auth.py", "pytest -q tests/test_auth.py",
			true},
		{"./gradlew :app:assemble", "./gradlew :app:assemble", "./gradlew :app:assemble", true},
		{"yarn workspace web typecheck", "yarn workspace web typecheck", "yarn workspace web", true},
		{"mise exec -- golangci-lint run", "mise exec -- golangci-lint run", "golangci-lint run", true},
		{"npm install", "npm install", "npm install", false},
		{"go mod tidy", "go mod tidy", "go mod tidy", false},
		{"ls -la /srv", "ls -la /srv", "ls -la /srv", false},
		{`git commit -m "make test faster; npm test"`, `git commit -m "make test faster; npm test"`, "git commit -m",
			false},
		{"cd /srv", "cd /srv", "cd /srv", false},
		{"", "", "", false},
		{"&& ||", "&& ||", "&& ||", false},
	} {
		got := parseCommand(tt.line)
		if got.shown != tt.shown || got.key != tt.key || got.check != tt.check {
			t.Errorf("%q is %+v, want %q, %q, %t", tt.line, got, tt.shown, tt.key, tt.check)
		}
	}
}

func TestCalls(t *testing.T) {
	for line, want := range map[string]bool{
		`git commit -m "x"`: true, "git -C web add . && git -C web commit --amend --no-edit": true,
		"GIT_EDITOR=true git commit": true, `bash -c "git commit -m x"`: true,
		"git commit -F - <<'EOF'\nDon't log tokens\nEOF": true, "cat docs/commit.md": false,
		"grep -rn commit docs": false, "echo git commit": false, "git log --oneline": false, "": false,
	} {
		if got := parseCommand(line).calls("commit"); got != want {
			t.Errorf("calls(%q) = %t", line, got)
		}
	}
	if !parseCommand("gh pr create --fill").calls("pr",
		"create") || parseCommand(`grep -rn "pr create" docs`).calls("pr", "create") ||
		parseCommand("gh pr view --create").calls("pr", "create") || parseCommand("gh pr").calls("pr", "create") {
		t.Error("a pull request is not told from words about one")
	}
}

func TestAsShown(t *testing.T) {
	for output, want := range map[string]string{
		"\x1b[31merror:\x1b[0m \x1b[1;4mno such file\x1b[K":                            "error: no such file",
		"\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\ \x1b]0;title\x07and more": "link and more",
		"a\r\nb\r\n": "a\nb\n",
		"get\r10% \r90% error budget\rdone: 3\nb": "done: 3\nb",
		"50%\r\r\nok": "50%\nok",
		"\r\r\x1b[":   "",
		"plain":       "plain",
		"":            "",
	} {
		if got := asShown(output); got != want {
			t.Errorf("asShown(%q) = %q, want %q", output, got, want)
		}
	}
}

func TestWhyFailed(t *testing.T) {
	for output, want := range map[string]string{
		"Exit code 1\n> shop@1.0.0 test\n\n  Error: expected 200, got 401\n2 failing": "Error: expected 200, got 401",
		"0 errors, 3 warnings\nfatal: not a git repository":                           "fatal: not a git repository",
		"FAIL\nFAIL\tshop/auth": "FAIL\tshop/auth",
		"run\nFAIL\nexit":       "FAIL",
		"10 errors":             "10 errors",
		"Exit code 2\nusage: x": "usage: x",
		"Exit code 1":           "",
		"> shop@1.0.0 test\n> jest --errorOnDeprecated\nError: 401": "Error: 401",
		"--- FAIL: TestTotal (0.00s)\n    cart_test.go:41: total is " +
			"-2147483548\nFAIL": "--- FAIL: TestTotal (0.00s) cart_test.go:41: total is -2147483548",
		"--- FAIL: TestTotal (0.00s)\n    --- FAIL: TestTotal/large (0.00s)\n        cart_test.go:41: " +
			"no": "--- FAIL: TestTotal/large (0.00s) cart_test.go:41: no",
		"--- FAIL: TestTotal " +
			"(0.00s)\nFAIL": "--- FAIL: TestTotal (0.00s)",
		"--- FAIL: TestTotal " +
			"(0.00s)": "--- FAIL: TestTotal (0.00s)",
		"---\n===== results =====\n}\n|#####     | 50%\n⠋⠙\n████░░ 3 of 9": "",
		"On branch main\nnothing to commit, working tree " +
			"clean": "nothing to commit, working tree clean",
		"Auto-merging a.go\nCONFLICT (content): Merge conflict in a.go\nAutomatic merge " +
			"failed": "Automatic merge failed",
		"building\nlinking\ndone": "",
		"only this":               "only this",
		"test errors_are_counted ... ok\ntest widths ... " +
			"FAILED": "test widths ... FAILED",
		"": "",
	} {
		if got := whyFailed(output); got != want {
			t.Errorf("whyFailed(%q) = %q, want %q", output, got, want)
		}
	}
}

// A revert is a commit too: what it undoes is done no longer.
func TestCommitsOf(t *testing.T) {
	for line, want := range map[string]int{"git commit -am x": 1, "git revert --no-edit HEAD": 1,
		"git cherry-pick 5d6e7f8": 1, "cat made.txt": 0} {
		if got := commitsOf(parseCommand(line), "[main 1a2b3c4] Revert \"x\""); len(got) != want {
			t.Errorf("%q made %q", line, got)
		}
	}
}

func TestCommitsIn(t *testing.T) {
	for output, want := range map[string]string{
		"[main 1a2b3c4] fix: renew the token\n 2 files changed": "[main 1a2b3c4]|fix: renew the token",
		"lint ok\n[feat/x (root-commit) 0123456789abcdef] first": "[feat/x (root-commit) " +
			"0123456789abcdef]|first",
		"[detached HEAD 1a2b3c4] one\n[detached HEAD 5d6e7f8] two": "[detached HEAD 1a2b3c4]|one|[detached " +
			"HEAD 5d6e7f8]|two",
		"[INFO] building\n[main nothash] x\n[1a2b3c4] y\n[main 1a2b] no": "",
		"": "",
	} {
		var all []string
		for _, c := range commitsIn(output) {
			all = append(all, c[0], c[1])
		}
		if got := strings.Join(all, "|"); got != want {
			t.Errorf("commitsIn(%q) = %q, want %q", output, got, want)
		}
	}
}

func TestGivenSubject(t *testing.T) {
	for line, want := range map[string]string{
		`git add -A && git commit -qm "Round per line" && git push -q`:       "Round per line",
		"cd /srv && git -C x commit -q -m 'fix: it' -m 'why'":                "fix: it",
		"git commit --quiet --message=\"Say it\"":                            "Say it",
		"git commit -qm \"$(cat <<'EOF'\nOne subject\n\nIts body.\nEOF\n)\"": "One subject",
		`git commit -q -m "$MESSAGE"`:                                        "",
		`git commit -q --amend --no-edit --author="Ann"`:                     "",
		`git commit --dry-run -m "x"`:                                        "",
		`git log --grep commit -m "x"; echo commit -m "y"`:                   "",
		"git commit -qF - <<'EOF'\nfix\nEOF":                                 "",
	} {
		if got := givenSubject(line); got != want {
			t.Errorf("givenSubject(%q) = %q, want %q", line, got, want)
		}
	}
}

func TestPlanSteps(t *testing.T) {
	for plan, want := range map[string]string{
		"# Move the sessions\n\nWhy: slow\n\n1. add the table\n2. copy the " +
			"rows": "Move the sessions|1. add the table|2. copy the rows",
		"# Plan\n## Context\n1. it is slow\n## Step 1: table\n```\n## Step 9\n```\n### Phase 2 " +
			"rows": "Plan|Step 1: table|Phase 2 rows",
		"# Move\n1. add the table\n2. accept `?page=2`\n## Open questions\n1. Which warehouse?\n2. Keep the views? " +
			"(I would)\n3. Who signs off": "Move|1. add the table|2. accept `?page=2`",
		"# Move\n## 1. Which warehouse?\n## 2. Copy the " +
			"rows": "Move|2. Copy the rows",
		"just do it": "",
		"":           "",
	} {
		if got := strings.Join(planSteps(plan), "|"); got != want {
			t.Errorf("planSteps(%q) = %q, want %q", plan, got, want)
		}
	}
}

// Each file has one name, however a tool was called with it.
func TestRelative(t *testing.T) {
	for _, tt := range [][4]string{
		{"/srv/shop/src/a.ts", "/srv/shop", "", "src/a.ts"}, {"/srv/shop/src/a.ts", "/srv/shop/", "", "src/a.ts"},
		{"/srv/shopping/a.ts", "/srv/shop", "", "/srv/shopping/a.ts"},
		{"/srv/shop", "/srv/shop", "", "/srv/shop"}, {"/etc/hosts", "", "", "/etc/hosts"},
		{"a.ts", "/srv/shop", "", "a.ts"},
		{"./src/a.ts", "/srv/shop", "/srv/shop", "src/a.ts"}, {"a.ts", "/srv/shop", "/srv/shop/src", "src/a.ts"},
		{"/srv/shop/src/../src//a.ts", "/srv/shop", "", "src/a.ts"},
		{"../x/a.ts", "/srv/shop", "/srv/shop", "/srv/x/a.ts"},
		{`C:\shop\src\a.ts`, `C:\shop`, `C:\shop`, "src/a.ts"}, {"c:/Shop/src/a.ts", `C:\shop`, `C:\shop`, "src/a.ts"},
		{`D:\shop\a.ts`, `C:\shop`, "", "D:/shop/a.ts"},
	} {
		if got := relative(tt[0], tt[1], tt[2]); got != tt[3] {
			t.Errorf("relative(%q) in %q and %q = %q, want %q", tt[0], tt[1], tt[2], got, tt[3])
		}
	}
}

// Everything read from an output or a command is a part of it.
func FuzzOutput(f *testing.F) {
	f.Add("Exit code 1\n  Error: expected 200\n", "cd x && npm test 'a; b'")
	f.Add("[main 1a2b3c4] fix\nhttps://github.com/acme/shop/pull/12.\n12 passing", "git commit")
	f.Add("# Plan\n1. a\n## Step 2 b\n", "\x00 && '")
	f.Add("", "! FOO=1")
	f.Fuzz(func(t *testing.T, output, line string) {
		parts := append([]string{whyFailed(output), verdictIn(output), pullRequest(output)},
			strings.Fields(withoutOutput(output))...)
		for _, c := range commitsIn(output) {
			parts = append(parts, c[:]...)
		}
		for _, part := range parts {
			if !strings.Contains(output, part) {
				t.Errorf("%q is no part of %q", part, output)
			}
		}
		for _, s := range planSteps(output) {
			if utf8.ValidString(output) && !strings.Contains(strings.Join(strings.Fields(output), " "),
				strings.TrimSuffix(s, "…")) {
				t.Errorf("the step %q is no part of %q", s, output)
			}
		}
		c := parseCommand(line)
		if !strings.Contains(line, c.shown) {
			t.Errorf("%q is no part of %q", c.shown, line)
		}
		if len(strings.Fields(line)) > 0 && c.shown != "" && c.key == "" {
			t.Errorf("%q has no key", line)
		}
		showsFailure(output)
	})
}

// Each check is kept as it last ran, without what filters its output.
func TestNoteChecks(t *testing.T) {
	d := newDesk(t)
	st := d.session("s1")
	run := func(id, cmd string, failed bool, out string) {
		d.write(st, toolLines(id, "Bash", `{"command":"`+cmd+`"}`, failed, out, ""))
	}
	run("t1", "cd web && npm run lint && npm test -- --ci", false, "ok")
	run("t2", "go test ./... 2>&1 | tail -3", false, "ok  \tshop/cart\t0.2s")
	run("t3", "ls src", false, "a.go")
	run("t4", "npm run lint", true, "Exit code 1\nerror: a.ts:3 unused")
	d.catchUp(st, TrustTranscript)
	want := []work.Check{{Key: "npm test --", Dir: "web", Cmd: "cd web && npm test -- --ci", Passed: true},
		{Key: "go test ./...", Cmd: "go test ./...", Passed: true}, {Key: "npm run lint", Cmd: "npm run lint"}}
	if !slices.Equal(st.Work.Checks, want) {
		t.Errorf("the checks are %+v, not %+v", st.Work.Checks, want)
	}
}

// A check stands with a result only when its own result is known: not that of a command beside it, of a reader behind
// it, or of one that goes on in the background.
func TestChecksNotKnown(t *testing.T) {
	background := `,"toolUseResult":{"stdout":"","stderr":"","interrupted":false,"backgroundTaskId":"b1"}`
	for _, c := range []struct {
		cmd    string
		failed bool
		out    string
		extra  string
		want   string
	}{
		{"npm test", false, "12 passing", "", "passed"},
		{"npm test", true, "Exit code 1\n1 failing", "", "failed"},
		{"npm test 2>&1 | tail -5", false, "1 failing", "", "failed"},
		{"npm test 2>&1 | tail -5", false, "12 passing", "", "passed"},
		{"go vet ./... | head", false, "", "", "passed"},
		{"npm run lint && npm test", true, "Exit code 1\nerror: a.ts:3 unused", "", "unsure"},
		{"npm test && git push", true, "Exit code 1\nerror: failed to push some refs", "", "unsure"},
		{"npm run lint || true", false, "a.ts:3 unused", "", "unsure"},
		{"npm run lint; npm test", false, "12 passing", "", "unsure"},
		{"go test ./... | grep FAIL", true, "Exit code 1", "", "unsure"},
		{"npm test", false, "Command running in background with ID: b1", background, ""},
		{"make deploy", false, "deployed", "", ""},
		{"bundle exec rake db:migrate", false, "migrated", "", ""},
	} {
		d := newDesk(t)
		st := d.session("s1")
		d.write(st, toolLines("t0", "Bash", `{"command":"ls"}`, false, "a", "")+
			toolLines("t1", "Bash", `{"command":"`+c.cmd+`"}`, c.failed, c.out, c.extra))
		d.catchUp(st, TrustTranscript)
		got := ""
		for _, k := range st.Work.Checks {
			switch {
			case k.Unsure:
				got = "unsure"
			case k.Passed:
				got = "passed"
			default:
				got = "failed"
			}
		}
		if got != c.want {
			t.Errorf("%s with %q is %q, not %q", c.cmd, c.out, got, c.want)
		}
	}

	// what was known of it before does not hold any more
	d := newDesk(t)
	st := d.session("s1")
	d.write(st, toolLines("t1", "Bash", `{"command":"npm test"}`, false, "12 passing", "")+
		toolLines("t2", "Bash", `{"command":"npm run lint && npm test"}`, true, "Exit code 1", ""))
	d.catchUp(st, TrustTranscript)
	if slices.ContainsFunc(st.Work.Checks, func(k work.Check) bool { return !k.Unsure }) {
		t.Errorf("the checks are %+v", st.Work.Checks)
	}
	// and a failure stays open while the check that may clear it still runs
	d.write(st, toolLines("t3", "Bash", `{"command":"npm test"}`, true, "Exit code 1\n1 failing", "")+
		toolLines("t4", "Bash", `{"command":"npm test"}`, false, "Command running in background with ID: b1",
			background))
	d.catchUp(st, TrustTranscript)
	if !slices.ContainsFunc(st.Work.Failures, func(f work.Failure) bool { return f.Cmd == "npm test" }) {
		t.Errorf("the failures are %+v", st.Work.Failures)
	}
}
