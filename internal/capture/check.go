package capture

import (
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

const (
	// checkers are programs of which each call is a check.
	checkers = ` jest vitest mocha ava tsc vue-tsc eslint biome prettier playwright cypress tap pytest ruff mypy pyright` +
		` flake8 pylint black tox nox gofmt golangci-lint staticcheck rspec rubocop phpunit phpstan ninja ctest gradlew` +
		` gradlew.bat gradle mvn mvnw xcodebuild swiftlint shellcheck hadolint actionlint bats rake make gmake just` +
		` test.sh build.sh check.sh lint.sh `
	// scripts are programs that run scripts with names of their own.
	scripts = ` npm pnpm yarn bun mise `
	// tools are programs that check when their first argument says so.
	tools = ` node deno turbo nx lerna python python3 go task moon cargo docker podman cmake swift zig mix dotnet` +
		` flutter dart sbt lein stack cabal bazel nix rails composer helm terraform `
	// checkWords say that something is checked.
	checkWords = ` test tests build analyze lint check validate compile typecheck format fmt flake vet clippy nextest` +
		` pytest unittest mypy ruff tox tsc jest vitest eslint playwright e2e ci `
)

// isCheck reports whether a command tells if the work is sound: it tests, lints, builds or formats.
func isCheck(words []string) bool {
	isIn := func(list, w string) bool { return strings.Contains(list, " "+w+" ") }
	name := programOf(words)
	isScript := isIn(scripts, name)
	switch {
	case isIn(checkers, name):
		return true
	case !isScript && !isIn(tools, name), strings.HasPrefix(name, "python") && (len(words) < 2 || words[1] != "-m"):
		return false
	}
	for _, w := range words[1:] {
		switch {
		case text.OneOf(w, "--test", "--build"):
			return true
		case w[0] == '-' || text.OneOf(w, "run", "exec", "workspace", "compose"):
			continue
		}
		between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
		for _, part := range strings.FieldsFunc(w, between) {
			if isIn(checkWords, part) {
				return true
			}
		}
		if !isScript {
			return false
		}
	}
	return false
}
