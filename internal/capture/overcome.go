package capture

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/work"
)

// What follows tells a failure that is still open from a look around, and from one that was overcome since.

// After how many further commands a failure is left behind: one that says only that a command was put wrongly, any
// other, and that of a check. After manySteps that took the work further, commits, pushes and pull requests, it waits
// for none of them.
const (
	slipFades  = 8
	othersFade = 30
	checksFade = 100
	manySteps  = 3
)

// The same for one after which something much like it succeeded, or git went on: what is the same is not sure, so it is
// not left behind at once, but the second time, or with the next step at the latest.
const (
	likeFades = 25
	gitFades  = 5
)

// maxCompared bounds in bytes how much of a command is compared with those that failed: it may be a script of any
// length.
const maxCompared = 4 << 10

// settled takes out of w the failures that cmd overcame, which just ended: passed says well. A command that is another
// one's without its wrapper, or within one, was tried in its place, however it ended.
func settled(w *work.Work, cmd shellCommand, passed bool) {
	if len(cmd.shown) > maxCompared {
		cmd.shown = cmd.shown[:maxCompared] + "…" // which no failure has
	}
	w.Failures = slices.DeleteFunc(w.Failures, func(f work.Failure) bool {
		failed := keptCommand(f.Cmd)
		return (passed || slip(f.Line)) && instead(cmd, failed) ||
			passed && (strings.HasPrefix(cmd.key, f.Key+" -") || strings.HasPrefix(f.Key, cmd.key+" -") ||
				gitAgain(cmd, failed))
	})
	for i := range w.Failures {
		f := &w.Failures[i]
		failed := keptCommand(f.Cmd)
		switch like := passed && (gitWentOn(cmd, failed) || covers(cmd, failed)); {
		case like && f.Over > 0:
			f.Made = w.Made - manySteps
		case like:
			f.Over, f.Made = w.Ran, w.Made
		}
	}
	w.Failures = slices.DeleteFunc(w.Failures, func(f work.Failure) bool {
		since, made, fades := w.Ran-f.Ran, w.Made-f.Made, othersFade
		if f.Over > 0 && (made > 0 || w.Ran-f.Over > likeFades || !f.Check && w.Ran-f.Over > gitFades) {
			return true
		}
		if f.Check {
			fades = checksFade
		} else if slip(f.Line) {
			fades = slipFades
		}
		return made >= manySteps || since > fades
	})
}

// slip reports whether the line says that the command was put wrongly: the work itself has no fault by that.
func slip(line string) bool {
	line = strings.ToLower(line)
	return text.ContainsOne(line, "unrecognized", "unknown flag", "unknown option", "unknown command",
		"unknown shorthand", "unknown argument", "unexpected argument", "unexpected option", "invalid option",
		"illegal option", "unknown json field", "no such option", "no such command", "is not a git command",
		"command not found", "usage:", "no matches found:", "parse error", "syntaxerror", "syntax error near",
		"unexpected end of file", "unexpected eof", "unmatched")
}

// instead reports whether one of two commands is the other with something in front: a wrapper, a launcher.
func instead(cmd, failed shellCommand) bool {
	a, b := ownWords(cmd), ownWords(failed)
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) > 1 && slices.Equal(a, b[len(b)-len(a):])
}

// ownWords returns the words of a command line's only command, or of the first of a pipe, without what concerns its
// output.
func ownWords(cmd shellCommand) []string {
	line := plumbing(cmd.shown)
	all := simple(line)
	if len(all) != 1 {
		return nil
	}
	return bare(all[0])
}

// aCheck is one check of a command line, as far as it tells what is checked.
type aCheck struct {
	tools  string   // the family of tools, "" for a runner of anything
	kind   string   // test, lint, build, types, format
	part   string   // of the checks of this kind, as in "test:unit"
	files  []string // what alone is checked, none for all there is
	filter []string // what leaves out a part of that
	tags   []string // what it is built with
}

// covers reports whether the checks of cmd are at least all that failed had: of the same tools or by a runner, and no
// narrower.
func covers(cmd, failed shellCommand) bool {
	if !cmd.check || !failed.check {
		return false
	}
	mine, theirs := checks(cmd.shown), checks(failed.shown)
	if strict := slices.DeleteFunc(slices.Clone(theirs),
		func(c aCheck) bool { return c.kind == "format" }); len(strict) > 0 {
		theirs = strict // beside others, a formatter is run to format
	}
	for _, f := range theirs {
		if !slices.ContainsFunc(mine, func(c aCheck) bool { return c.covers(f) }) {
			return false
		}
	}
	return true
}

func (c aCheck) covers(f aCheck) bool {
	within := func(words, all []string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(all, w) })
	}
	whole := text.OneOf(c.part, "", "ci", "all", "full")
	switch {
	case c.kind == "" || c.tools != f.tools && !(c.tools == "" && whole && len(c.files)+len(c.filter) == 0):
		return false
	case c.kind != f.kind && !(c.kind == "test" && f.kind == "build" &&
		text.OneOf(c.tools, "go", "cargo", "swift", "xcodebuild", "gradle", "gradlew", "mvn", "dotnet")):
		return false
	case c.part != f.part && !(whole && text.OneOf(f.part, "", "fix", "write", "check", "ci", "all", "full")):
		return false
	}
	return within(c.filter, f.filter) && within(f.tags, c.tags) &&
		(len(c.files) == 0 || len(f.files) > 0 && within(f.files, c.files))
}

// checks returns the checks of a command line.
func checks(line string) (out []aCheck) {
	for _, words := range commandsIn(line) {
		if verifies(words) {
			out = append(out, readCheck(words))
		}
	}
	return out
}

// readCheck reads what the check with these words checks.
func readCheck(words []string) (c aCheck) {
	name := program(words)
	c.tools = name
	switch {
	case text.OneOf(name, "npm", "pnpm", "yarn", "bun", "jest", "vitest", "mocha", "ava", "tsc", "vue-tsc", "eslint",
		"biome", "prettier", "playwright", "cypress", "tap", "node", "turbo", "nx", "lerna", "deno"):
		c.tools = "js"
	case text.OneOf(name, "pytest", "python", "python3", "ruff", "mypy", "pyright", "flake8", "pylint", "black", "tox",
		"nox"):
		c.tools = "python"
	case text.OneOf(name, "go", "gofmt", "golangci-lint", "staticcheck"):
		c.tools = "go"
	case text.OneOf(name, "mise", "make", "gmake", "just", "task", "moon") || strings.HasSuffix(name, ".sh"):
		c.tools = ""
	}
	at := 0
	for i, w := range words {
		if i > 3 || strings.HasPrefix(w, "-") && i > 0 {
			continue
		}
		word, part, _ := strings.Cut(strings.TrimSuffix(w[strings.LastIndexByte(w, '/')+1:], ".sh"), ":")
		if kind := kindOf(word); kind != "" {
			c.kind, c.part, at = kind, part, i
		}
	}
	if c.kind == "" {
		c.kind = name
	}
	value := false // of the filter before it
	for _, w := range words[at+1:] {
		switch w = strings.Trim(w, `'"`); {
		case value:
			c.filter, value = append(c.filter, w), false
		case strings.Contains(w, ">") || text.OneOf(w, "./...", ".", "run", "--", ""):
		case strings.HasPrefix(w, "-tags"), strings.HasPrefix(w, "--tags"), strings.HasPrefix(w, "--features"):
			c.tags = append(c.tags, w)
		case filters(w):
			c.filter, value = append(c.filter, w), !strings.ContainsAny(w, "=:")
		case !strings.HasPrefix(w, "-"):
			c.files = append(c.files, w)
		}
	}
	return c
}

// filters reports whether an option leaves out a part of what would be checked.
func filters(option string) bool {
	for _, begin := range [...]string{"-run", "-k", "-t", "-m", "-only-testing", "-skip", "--filter", "--grep",
		"--testNamePattern", "--tests", "--project", "--package", "-p", "--new-from-rev", "--lib"} {
		if option == begin || strings.HasPrefix(option, begin+"=") || strings.HasPrefix(option, begin+":") {
			return true
		}
	}
	return false
}

// kindOf returns what kind of check a word names, "" for none.
func kindOf(word string) string {
	switch word {
	case "test", "tests", "pytest", "jest", "vitest", "mocha", "ava", "rspec", "phpunit", "bats", "tap", "ctest", "tox",
		"nox", "playwright", "cypress", "e2e", "unittest", "nextest":
		return "test"
	case "lint", "eslint", "biome", "clippy", "vet", "ruff", "golangci-lint", "staticcheck", "flake8", "pylint",
		"rubocop", "shellcheck", "hadolint", "actionlint", "swiftlint", "phpstan", "analyze":
		return "lint"
	case "tsc", "vue-tsc", "mypy", "pyright", "typecheck", "types":
		return "types"
	case "fmt", "format", "gofmt", "prettier", "black":
		return "format"
	case "build", "compile", "assemble":
		return "build"
	}
	return ""
}

// gitAgain reports whether cmd is what git had refused, done by other means.
func gitAgain(cmd, failed shellCommand) bool {
	before := gitVerbs(failed.shown)
	return len(before) > 0 && !failed.check && text.OneOf(before[len(before)-1], "commit", "push", "pull", "fetch",
		"add",
		"checkout", "switch", "tag", "clone") && slices.Contains(gitVerbs(cmd.shown), before[len(before)-1])
}

// gitWentOn reports whether cmd shows that git has gone on where failed had stopped: a conflict is settled when
// something is committed or pushed.
func gitWentOn(cmd, failed shellCommand) bool {
	before := gitVerbs(failed.shown)
	return len(before) > 0 && !failed.check && text.OneOf(before[len(before)-1], "commit", "merge", "rebase",
		"cherry-pick",
		"am", "revert", "pull", "stash", "checkout", "switch", "apply", "reset", "restore") &&
		slices.ContainsFunc(gitVerbs(cmd.shown), func(v string) bool {
			return text.OneOf(v, "commit", "merge", "rebase", "cherry-pick", "am", "revert", "push")
		})
}

// gitVerbs returns what git is called to do in a command line.
func gitVerbs(line string) (out []string) {
	for _, words := range commandsIn(line) {
		if words[0] != "git" {
			continue
		}
		for i := 1; i < len(words); i++ {
			if text.OneOf(words[i], "-C", "-c") {
				i++
			} else if !strings.HasPrefix(words[i], "-") {
				out = append(out, words[i])
				break
			}
		}
	}
	return out
}

// looksUp reports whether a command line does nothing but look for something, or show it: that it is not there says
// nothing of the work.
func looksUp(cmd shellCommand) bool {
	line := harmlessOutput.Replace(cmd.shown)
	if strings.Contains(line, ">") {
		return false
	}
	some := false
	for _, words := range commandsIn(line) {
		for len(words) > 0 && text.OneOf(words[0], "xargs", "else", "elif", "while", "until") {
			words = bare(words[1:])
		}
		switch {
		case len(words) == 0, strings.HasPrefix(words[0], "#"),
			text.OneOf(words[0], "for", "done", "fi", "case", "esac", "true", "false", "echo", "printf", "pwd", "cd",
				"}"):
		case !onlyReads(words):
			return false
		default:
			some = true
		}
	}
	return some || strings.HasPrefix(line, "cd ") && cmd.key != ""
}

var harmlessOutput = strings.NewReplacer("2>&1", "", "2>/dev/null", "", "2> /dev/null", "", "&>/dev/null", "",
	">/dev/null", "", "> /dev/null", "")

// onlyReads reports whether a command only reads.
func onlyReads(words []string) bool {
	name := program(words)
	switch name {
	case "ls", "cat", "bat", "head", "tail", "grep", "egrep", "fgrep", "rg", "ag", "ack", "fd", "test", "[", "[[",
		"which", "type", "whereis", "stat", "file", "wc", "awk", "jq", "yq", "du", "tree", "diff", "cmp", "sort",
		"uniq", "cut", "tr", "column", "less", "more", "readlink", "realpath", "dirname", "basename", "strings", "xxd",
		"od", "nl", "pgrep", "lsof", "printenv", "hash", "-v":
		return true
	case "sed":
		return !slices.ContainsFunc(words, func(w string) bool {
			return strings.HasPrefix(w, "-i") ||
				strings.HasPrefix(w, "--in-place")
		})
	case "find":
		return !slices.ContainsFunc(words, func(w string) bool {
			return text.OneOf(w, "-delete", "-exec", "-execdir",
				"-ok")
		})
	case "git":
		verbs := gitVerbs(strings.Join(words, " "))
		return len(verbs) > 0 && (text.OneOf(verbs[0], "log", "ls-files", "ls-tree", "check-ignore", "grep",
			"rev-parse",
			"cat-file", "diff", "status", "merge-base", "blame", "describe", "rev-list", "reflog", "for-each-ref",
			"show-ref") ||
			verbs[0] == "show" && slices.ContainsFunc(words[2:], func(w string) bool {
				return strings.Contains(w,
					":") && !strings.HasPrefix(w, "-")
			}))
	}
	return false
}

// notThere reports whether a line is a reader's word that something is not there, of a reader that the command line
// calls.
func notThere(line string, cmd shellCommand) bool {
	if strings.Contains(line, ": no matches found: ") {
		return true
	}
	low := strings.ToLower(line)
	if !strings.Contains(low, "no such file or directory") && !strings.Contains(low, "cannot access") &&
		!strings.Contains(low, "not found") && !strings.Contains(low, "is a directory") {
		return false
	}
	for _, words := range commandsIn(cmd.shown) {
		if words[0] != "cd" && (words[0] == "git" || !onlyReads(words)) {
			continue
		}
		name := program(words)
		if at := strings.Index(line, name+":"); at == 0 || at > 0 && strings.ContainsRune(" /:", rune(line[at-1])) {
			return true
		}
	}
	return false
}
