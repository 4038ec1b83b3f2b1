package capture

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// shellCommand is one shell command line.
type shellCommand struct {
	shown string // the line, without a cd in front
	key   string // its first words: the same command with other last arguments has the same key
	check bool   // it builds, tests or lints
}

// keyWords is the number of words in a key.
const keyWords = 3

// parseCommand reads a command line. It runs and expands nothing.
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
	key := strings.Fields(c.shown)
	for _, words := range commandsIn(c.shown) {
		if c.check = isCheck(words); c.check {
			key = words
			break
		}
	}
	c.key = strings.Join(key[:min(keyWords, len(key))], " ")
	return c
}

// commandsIn returns the words of each command in a line, without prefixes such as sudo.
func commandsIn(line string) (out [][]string) {
	for _, words := range splitCommands(line) {
		if words = withoutPrefix(words); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

// programOf returns the name of the program that a command runs, without its folder.
func programOf(words []string) string { return words[0][strings.LastIndexByte(words[0], '/')+1:] }

// splitCommands splits a command line at its operators, outside quotes, and returns the words of each command.
func splitCommands(line string) (out [][]string) {
	var quote rune
	start := 0
	add := func(end int) {
		if words := strings.Fields(line[start:end]); len(words) > 0 {
			out = append(out, words)
		}
	}
	for i, r := range line {
		if quote = quoteAfter(quote, r); quote == 0 && strings.ContainsRune("|&;\n()", r) {
			add(i)
			start = i + 1
		}
	}
	add(len(line))
	return out
}

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

// notOperators removes the signs that look like a pipe or a background job and are neither. A command behind && runs
// after a success only.
var notOperators = strings.NewReplacer("&&", "", ">&", "", "&>", "", ">|", "")

// isMasked reports whether the exit code of c may be another command's: of one that c is piped into, or that follows.
func (c shellCommand) isMasked() bool {
	var unquoted strings.Builder
	var quote rune
	for _, r := range c.shown {
		before := quote
		if quote = quoteAfter(quote, r); quote == 0 && before == 0 {
			unquoted.WriteRune(r)
		}
	}
	return strings.ContainsAny(notOperators.Replace(unquoted.String()), "|;&\n")
}

// calls reports whether a command line runs a command with these words side by side. A command that only prints its
// arguments or files does not run them.
func calls(line string, words ...string) bool {
	for _, all := range commandsIn(line) {
		if looks(programOf(all)) {
			continue
		}
		for i := range all {
			if len(all)-i >= len(words) && slices.Equal(all[i:i+len(words)], words) {
				return true
			}
		}
	}
	return false
}

// looks reports whether a program only searches for something or shows it, as far as its name says.
func looks(program string) bool {
	const lookers = ` ls cat bat head tail grep egrep fgrep rg ag ack fd find test [ [[ which type whereis stat file wc` +
		` awk sed jq yq du tree diff cmp sort uniq cut tr tee column less more readlink realpath dirname basename` +
		` strings xxd od nl pgrep lsof printenv hash -v echo printf pwd cd sleep mkdir true false for while until done` +
		` fi esac case elif else } xargs memento `
	return strings.Contains(lookers, " "+program+" ")
}

// lookingVerbs are the subcommands of git that only look.
const lookingVerbs = ` log ls-files ls-tree check-ignore grep rev-parse cat-file diff status merge-base blame` +
	` describe rev-list reflog for-each-ref show-ref `

// harmlessOutput removes the redirections that write no file.
var harmlessOutput = strings.NewReplacer("2>&1", "", "2>/dev/null", "", "2> /dev/null", "", "&>/dev/null", "",
	">/dev/null", "", "> /dev/null", "")

// onlyLooks reports whether a command line only searches for something or shows it. Its failure says nothing about the
// work.
func (c shellCommand) onlyLooks() bool {
	all := commandsIn(c.shown)
	if text.ContainsOne(harmlessOutput.Replace(c.shown), ">", " -delete", " -exec", "sed -i") {
		return false
	}
	return len(all) > 0 && !slices.ContainsFunc(all, func(words []string) bool {
		isGit := words[0] == "git" && len(words) > 1 && strings.Contains(lookingVerbs, " "+words[1]+" ")
		return !isGit && !looks(programOf(words))
	})
}
