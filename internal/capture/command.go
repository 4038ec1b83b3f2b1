package capture

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// shellCommand is one shell command line as capture sees it.
type shellCommand struct {
	shown string // without the changes of folder in front
	// tells it apart from other commands; the same command run again, with other last arguments, has the same
	key   string
	check bool // it builds, tests or lints
}

// maxKey is how many words of a command tell it apart.
const maxKey = 3

// parseCommand looks at a command line without running or expanding anything.
func parseCommand(line string) shellCommand {
	c := shellCommand{shown: strings.TrimSpace(line)}
	for {
		rest, ok := strings.CutPrefix(c.shown, "cd ")
		if !ok {
			break
		}
		end := strings.Index(rest, "&&")
		if i := strings.IndexAny(rest, ";\n"); i >= 0 && (end < 0 || i < end) {
			rest = rest[i+1:]
		} else if end >= 0 {
			rest = rest[end+2:]
		} else {
			break
		}
		c.shown = strings.TrimSpace(rest)
	}
	for _, words := range commandsIn(c.shown) {
		if verifies(words) {
			c.check, c.key = true, strings.Join(words[:min(maxKey, len(words))], " ")
			return c
		}
	}
	words := strings.Fields(c.shown)
	c.key = strings.Join(words[:min(maxKey, len(words))], " ")
	return c
}

// commandsIn returns the words of each command in a line, without what only says how it is run.
func commandsIn(line string) (out [][]string) {
	for _, words := range simple(line) {
		if words = bare(words); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

// program returns the name of what a command runs, without its folder.
func program(words []string) string { return words[0][strings.LastIndexByte(words[0], '/')+1:] }

// simple splits a command line at its operators, outside quotes, and returns the words of each command.
func simple(line string) (out [][]string) {
	var quote rune
	start := 0
	add := func(end int) {
		if words := strings.Fields(line[start:end]); len(words) > 0 {
			out = append(out, words)
		}
	}
	for i, r := range line {
		if quote = quoted(quote, r); quote == 0 && strings.ContainsRune("|&;\n()", r) {
			add(i)
			start = i + 1
		}
	}
	add(len(line))
	return out
}

// quoted returns which quote is open behind r, when quote was before it; 0 is none.
func quoted(quote, r rune) rune {
	switch {
	case r == quote:
		return 0
	case quote == 0 && (r == '\'' || r == '"'):
		return r
	}
	return quote
}

// bare takes off what only says how a command is run: variables, sudo, a time limit, a package runner.
func bare(words []string) []string {
	for len(words) > 0 {
		switch w := words[0]; {
		case text.OneOf(w, "sudo", "time", "env", "exec", "command", "nice", "nohup", "!", "then", "do", "if", "{",
			"npx",
			"bunx", "--"),
			strings.Contains(w, "=") && !strings.HasPrefix(w, "-"):
			words = words[1:]
		case w == "timeout" && len(words) > 1:
			words = words[2:]
		case text.OneOf(w, "uv", "poetry", "pipenv", "pdm", "hatch") && len(words) > 1 && words[1] == "run",
			text.OneOf(w, "bundle", "pnpm", "yarn", "mise", "asdf", "direnv") && len(words) > 1 &&
				text.OneOf(words[1], "exec", "x", "dlx"):
			words = words[2:]
		default:
			return words
		}
	}
	return words
}

// verifies reports whether a command says if the work is sound.
func verifies(words []string) bool {
	if len(words) == 0 {
		return false
	}
	name := program(words)
	second := ""
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			second = w
			break
		}
	}
	switch name {
	case "pytest", "jest", "vitest", "mocha", "ava", "tsc", "vue-tsc", "eslint", "biome", "prettier", "ruff", "mypy",
		"pyright", "flake8", "pylint", "black", "tox", "nox", "rspec", "rubocop", "phpunit", "phpstan",
		"golangci-lint", "staticcheck", "gofmt", "make", "gmake", "ninja", "ctest", "gradlew", "gradlew.bat", "gradle",
		"mvn", "mvnw", "xcodebuild", "swiftlint", "shellcheck", "hadolint", "actionlint", "bats", "tap", "playwright",
		"cypress", "just", "rake", "test.sh", "build.sh", "check.sh", "lint.sh":
		return true
	case "go":
		return text.OneOf(second, "test", "build", "vet", "run", "generate")
	case "cargo":
		return text.OneOf(second, "test", "build", "check", "clippy", "nextest", "fmt")
	case "npm", "pnpm", "yarn", "bun":
		return script(words[1:])
	case "python", "python3":
		return len(words) > 2 && words[1] == "-m" && text.OneOf(words[2], "pytest", "unittest", "mypy", "ruff", "build",
			"tox")
	case "swift", "zig", "mix", "dotnet", "flutter", "dart", "deno", "sbt", "lein", "stack", "cabal", "bazel", "nix",
		"task", "turbo", "nx", "lerna", "moon", "rails", "composer", "helm", "terraform", "node":
		return text.OneOf(strings.TrimLeft(second, "."), "test", "tests", "build", "analyze", "lint", "check",
			"validate",
			"compile", "typecheck", "format", "flake") || name == "node" &&
			strings.Contains(strings.Join(words, " "), " --test")
	case "mise":
		return second == "run" || script(words[1:])
	case "docker", "podman":
		return second == "build" || strings.Contains(strings.Join(words, " "), "compose build")
	case "cmake":
		return strings.Contains(strings.Join(words, " "), "--build")
	}
	return false
}

// plumbing takes off the end of a command what only concerns its output.
func plumbing(cmd string) string {
	for _, mark := range [...]string{" 2>&1", " | tail", " | head", " | grep", " >/dev/null", " > /dev/null"} {
		if i := strings.Index(cmd, mark); i > 0 {
			cmd = cmd[:i]
		}
	}
	return cmd
}

// redirections takes out what stands in a command line with the signs of a pipe or a background job and is neither;
// what follows && runs after a success only.
var redirections = strings.NewReplacer("&&", "", ">&", "", "&>", "", ">|", "")
