package capture

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// shellCommand is one shell command line.
type shellCommand struct {
	shown    string     // the line, without a cd in front
	dir      string     // where that cd goes, "" without one
	there    string     // the cd to dir, as it stands before what is shown
	commands [][]string // the words of each command in it, without prefixes such as sudo
	key      string     // its first words: the same command with other last arguments has the same key
	check    bool       // it builds, tests or lints
	masked   bool       // its exit code may be that of a command which follows, or which the output is piped into
}

// keyWords is the number of words in a key.
const keyWords = 3

// parseCommand reads a command line. It runs and expands nothing.
func parseCommand(line string) (c shellCommand) {
	line = strings.TrimSpace(line)
	var quote rune
	begin, start := 0, 0 // of what is shown, of the command
	end := func(at int) {
		words := strings.Fields(line[start:at])
		isFirst := len(c.commands) == 0 && begin == start && at < len(line)
		if isFirst && (len(words) > 0 && words[0] == "cd" || len(words) == 0 && begin > 0) {
			begin, c.masked = at+1, false
			if len(words) > 1 {
				c.dir = slashed(strings.Trim(words[1], `"'`))
			}
		} else if words = withoutPrefix(words); len(words) > 0 {
			c.commands = append(c.commands, words)
		}
		start = at + 1
	}
	for i, r := range line {
		if quote = quoteAfter(quote, r); quote != 0 || !strings.ContainsRune("|&;\n()", r) {
			continue
		}
		beside := line[max(0, i-1):i] + line[i+1:min(len(line), i+2)]
		if r == '&' && strings.Contains(beside, ">") || r == '|' && strings.HasPrefix(beside, ">") { // a redirection
			continue
		}
		// a command behind && runs after a success only
		c.masked = c.masked || r != '(' && r != ')' && (r != '&' || !strings.Contains(beside, "&"))
		end(i)
	}
	end(len(line))
	c.shown = strings.TrimSpace(line[begin:])
	key := strings.Fields(c.shown)
	if words := withoutPrefix(key); len(words) > 0 {
		key = words
	}
	if i := slices.IndexFunc(c.commands, isCheck); i >= 0 {
		c.check, key = true, c.commands[i]
	}
	c.key = strings.Join(key[:min(keyWords, len(key))], " ")
	return c
}

// programOf returns the name of the program that a command runs, without its folder.
func programOf(words []string) string { return words[0][strings.LastIndexByte(words[0], '/')+1:] }

// quoteAfter returns the quotation mark that is open behind r, 0 for none. quote was open before r.
func quoteAfter(quote, r rune) rune {
	switch {
	case r == quote:
		return 0
	case quote == 0 && (r == '\'' || r == '"'):
		return r
	}
	return quote
}

// withoutPrefix removes the words that only say how a command is run: variables, sudo, a time limit, a package runner.
func withoutPrefix(words []string) []string {
	for len(words) > 0 {
		second := ""
		if len(words) > 1 {
			second = words[1]
		}
		switch first := words[0]; {
		case text.OneOf(first, "sudo", "time", "env", "exec", "command", "nice", "nohup", "!", "then", "do", "if", "{",
			"npx", "bunx", "--"), strings.Contains(first, "=") && first[0] != '-':
			words = words[1:]
		case first == "timeout" && second != "",
			second == "run" && text.OneOf(first, "uv", "poetry", "pipenv", "pdm", "hatch"),
			text.OneOf(second, "exec", "x", "dlx") &&
				text.OneOf(first, "bundle", "pnpm", "yarn", "mise", "asdf", "direnv"):
			words = words[2:]
		default:
			return words
		}
	}
	return words
}

// withoutOutput cuts a command line where it begins to redirect or filter its output.
func withoutOutput(line string) string {
	for _, begin := range [...]string{" 2>&1", " | tail", " | head", " | grep", " >/dev/null", " > /dev/null"} {
		if i := strings.Index(line, begin); i > 0 {
			line = line[:i]
		}
	}
	return line
}

// calls reports whether c runs a command with these words side by side. A command that only prints its arguments or
// files does not run them.
func (c shellCommand) calls(words ...string) bool {
	return slices.ContainsFunc(c.commands, func(all []string) bool {
		if looks(programOf(all)) {
			return false
		}
		for len(all) > len(words) && !slices.Equal(all[:len(words)], words) {
			all = all[1:]
		}
		return len(all) >= len(words) && slices.Equal(all[:len(words)], words)
	})
}

// looks reports whether a program only searches for something or shows it, as far as its name says.
func looks(program string) bool {
	const lookers = ` ls cat bat head tail grep egrep fgrep rg ag ack fd find test [ [[ which type whereis stat file wc` +
		` awk sed jq yq du tree diff cmp sort uniq cut tr tee column less more readlink realpath dirname basename` +
		` strings xxd od nl pgrep lsof printenv hash -v echo printf pwd cd sleep mkdir true false for while until done` +
		` fi esac case elif else } xargs memento `
	return strings.Contains(lookers, " "+program+" ")
}

// harmlessOutput removes the redirections that write no file.
var harmlessOutput = strings.NewReplacer("2>&1", "", "2>/dev/null", "", "2> /dev/null", "", "&>/dev/null", "",
	">/dev/null", "", "> /dev/null", "")

// onlyLooks reports whether a command line only searches for something or shows it. Its failure says nothing about the
// work.
func (c shellCommand) onlyLooks() bool {
	const gitVerbs = ` log ls-files ls-tree check-ignore grep rev-parse cat-file diff status merge-base blame describe` +
		` rev-list reflog for-each-ref show-ref `
	if text.ContainsOne(harmlessOutput.Replace(c.shown), ">", " -delete", " -exec", "sed -i") {
		return false
	}
	return len(c.commands) > 0 && !slices.ContainsFunc(c.commands, func(words []string) bool {
		isGit := words[0] == "git" && len(words) > 1 && strings.Contains(gitVerbs, " "+words[1]+" ")
		return !isGit && !looks(programOf(words))
	})
}

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
