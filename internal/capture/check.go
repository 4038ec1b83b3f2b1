package capture

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// checker says when a program checks the work, and whose checks it runs.
type checker struct {
	family  string // the tools it belongs to, "" for one that runs checks of any tools
	always  bool   // each call is a check
	script  bool   // a call is a check when its arguments name a script that checks
	verbs   string // the first arguments that make a call a check, separated by spaces
	holding string // words anywhere in a call that make it a check
}

// toolVerbs are the first arguments by which many build tools check.
const toolVerbs = "test tests build analyze lint check validate compile typecheck format flake"

// checkerNamed returns the checker of this name; false for a program that checks nothing.
func checkerNamed(name string) (checker, bool) {
	switch name {
	case "jest", "vitest", "mocha", "ava", "tsc", "vue-tsc", "eslint", "biome", "prettier", "playwright", "cypress",
		"tap":
		return checker{family: "js", always: true}, true
	case "npm", "pnpm", "yarn", "bun":
		return checker{family: "js", script: true}, true
	case "node":
		return checker{family: "js", verbs: toolVerbs, holding: " --test"}, true
	case "deno", "turbo", "nx", "lerna":
		return checker{family: "js", verbs: toolVerbs}, true
	case "pytest", "ruff", "mypy", "pyright", "flake8", "pylint", "black", "tox", "nox":
		return checker{family: "python", always: true}, true
	case "python", "python3":
		return checker{family: "python", verbs: "pytest unittest mypy ruff build tox"}, true // behind -m
	case "gofmt", "golangci-lint", "staticcheck":
		return checker{family: "go", always: true}, true
	case "go":
		return checker{family: "go", verbs: "test build vet run generate"}, true
	case "rspec", "rubocop", "phpunit", "phpstan", "ninja", "ctest", "gradlew", "gradlew.bat", "gradle", "mvn", "mvnw",
		"xcodebuild", "swiftlint", "shellcheck", "hadolint", "actionlint", "bats", "rake":
		return checker{family: name, always: true}, true
	case "make", "gmake", "just", "test.sh", "build.sh", "check.sh", "lint.sh":
		return checker{always: true}, true
	case "task", "moon":
		return checker{verbs: toolVerbs}, true
	case "mise":
		return checker{script: true, verbs: "run"}, true
	case "cargo":
		return checker{family: name, verbs: "test build check clippy nextest fmt"}, true
	case "docker", "podman":
		return checker{family: name, verbs: "build", holding: "compose build"}, true
	case "cmake":
		return checker{family: name, holding: "--build"}, true
	case "swift", "zig", "mix", "dotnet", "flutter", "dart", "sbt", "lein", "stack", "cabal", "bazel", "nix", "rails",
		"composer", "helm", "terraform":
		return checker{family: name, verbs: toolVerbs}, true
	}
	return checker{}, false
}

// isCheck reports whether a command tells if the work is sound: it tests, lints, builds or formats.
func isCheck(words []string) bool {
	name := programOf(words)
	by, ok := checkerNamed(name)
	if !ok || by.always {
		return ok
	}
	verb := ""
	if at := slices.IndexFunc(words[1:], func(w string) bool { return w[0] != '-' }); at >= 0 {
		verb = strings.TrimLeft(words[1+at], ".")
	}
	if by.family == "python" && verb != "" && words[1] != "-m" {
		verb = ""
	}
	return verb != "" && strings.Contains(" "+by.verbs+" ", " "+verb+" ") || by.script && namesCheck(words[1:]) ||
		by.holding != "" && strings.Contains(strings.Join(words, " "), by.holding)
}

// namesCheck reports whether the arguments of a package manager name a script that checks something.
func namesCheck(args []string) bool {
	for _, w := range args {
		if w[0] == '-' || text.OneOf(w, "run", "exec", "workspace") {
			continue
		}
		for _, part := range strings.FieldsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if text.OneOf(part, "test", "tests", "build", "lint", "typecheck", "check", "tsc", "jest", "vitest",
				"eslint", "playwright", "e2e", "ci", "compile", "format", "fmt") {
				return true
			}
		}
	}
	return false
}

// kindOf returns the kind of check that a word names, "" for none.
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

// checkScope is what one check checks.
type checkScope struct {
	family  string   // the tools that check, "" for a runner of any
	kind    string   // test, lint, build, types or format, else the program's name
	part    string   // a part of these checks: unit in test:unit
	files   []string // the only files and folders checked, none for all
	filters []string // options that leave checks out
	tags    []string // build tags
}

// scopesIn returns the scopes of the checks in a command line.
func scopesIn(line string) (out []checkScope) {
	for _, words := range commandsIn(line) {
		if isCheck(words) {
			out = append(out, scopeOf(words))
		}
	}
	return out
}

// scopeOf returns the scope of a check with these words.
func scopeOf(words []string) (c checkScope) {
	by, _ := checkerNamed(programOf(words))
	c.family, c.kind = by.family, programOf(words)
	at := 0
	for i, w := range words[:min(4, len(words))] {
		if w[0] == '-' {
			continue
		}
		word, part, _ := strings.Cut(strings.TrimSuffix(w[strings.LastIndexByte(w, '/')+1:], ".sh"), ":")
		if kind := kindOf(word); kind != "" {
			c.kind, c.part, at = kind, part, i
		}
	}
	isValue := false // w is the value of the filter before it
	for _, w := range words[at+1:] {
		switch w = strings.Trim(w, `'"`); {
		case isValue:
			c.filters, isValue = append(c.filters, w), false
		case strings.Contains(w, ">") || text.OneOf(w, "./...", ".", "run", "--", ""):
		case text.BeginsWithOne(w, "-tags", "--tags", "--features"):
			c.tags = append(c.tags, w)
		case isFilter(w):
			c.filters, isValue = append(c.filters, w), !strings.ContainsAny(w, "=:")
		case w[0] != '-':
			c.files = append(c.files, w)
		}
	}
	return c
}

// isFilter reports whether an option leaves checks out.
func isFilter(option string) bool {
	name := option
	if i := strings.IndexAny(option, "=:"); i >= 0 {
		name = option[:i]
	}
	return text.OneOf(name, "-run", "-k", "-t", "-m", "-only-testing", "-skip", "--filter", "--grep",
		"--testNamePattern", "--tests", "--project", "--package", "-p", "--new-from-rev", "--lib")
}

// covers reports whether cmd runs at least the checks of failed: with the same tools or a runner of any, and with no
// narrower scope.
func covers(cmd, failed shellCommand) bool {
	if !cmd.check || !failed.check {
		return false
	}
	ran, wanted := scopesIn(cmd.shown), scopesIn(failed.shown)
	formats := func(c checkScope) bool { return c.kind == "format" }
	if strict := slices.DeleteFunc(slices.Clone(wanted), formats); len(strict) > 0 {
		wanted = strict // beside other checks, a formatter formats
	}
	return !slices.ContainsFunc(wanted, func(w checkScope) bool {
		return !slices.ContainsFunc(ran, func(r checkScope) bool { return r.covers(w) })
	})
}

// covers reports whether c checks at least what other checks.
func (c checkScope) covers(other checkScope) bool {
	whole := text.OneOf(c.part, "", "ci", "all", "full")
	switch {
	case c.family != other.family && !(c.family == "" && whole && len(c.files)+len(c.filters) == 0):
		return false
	case c.kind != other.kind && !(c.kind == "test" && other.kind == "build" &&
		text.OneOf(c.family, "go", "cargo", "swift", "xcodebuild", "gradle", "gradlew", "mvn", "dotnet")):
		return false // a test of these tools builds first
	case c.part != other.part && !(whole && text.OneOf(other.part, "", "fix", "write", "check", "ci", "all", "full")):
		return false
	}
	return subset(c.filters, other.filters) && subset(other.tags, c.tags) &&
		(len(c.files) == 0 || len(other.files) > 0 && subset(other.files, c.files))
}

// subset reports whether all of words are in set.
func subset(words, set []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(set, w) })
}
