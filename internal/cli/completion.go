package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

func completionCommand() command {
	return command{
		name: "completion", args: "bash|zsh|fish", short: "print a completion script for a shell",
		long: `  source <(memento completion bash)
  memento completion zsh > "${fpath[1]}/_memento"
  memento completion fish | source
`,
		run: func(c *call) error {
			scripts := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}
			switch {
			case len(c.args) > 1 && c.args[0] == "words": // from these scripts
				return c.printCandidates(c.args[1:])
			case len(c.args) == 2 && c.args[0] == "records": // from scripts of earlier versions
				return c.printRecords(c.args[1])
			case len(c.args) != 1:
				return usage("memento completion bash", "completion: which shell? bash, zsh or fish")
			case scripts[c.args[0]] == "":
				return usage("memento completion bash", "completion: no script for %q, only bash, zsh and fish",
					c.args[0])
			}
			fmt.Fprint(c.Out, scripts[c.args[0]])
			return nil
		},
	}
}

// The scripts pass the words of the line to memento completion words, the word at the cursor last. They filter the
// candidates that memento prints, one on a line, and offer files for the line ":files".
const (
	bashScript = `_memento() {
  local line word="${COMP_WORDS[COMP_CWORD]}" words="" IFS=$'\n'
  COMPREPLY=()
  for line in $(memento completion words -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$word" 2>/dev/null); do
    case "$line" in
    :files) COMPREPLY+=($(compgen -f -- "$word")) ;;
    *) words+="${line%%$'\t'*}$IFS" ;;
    esac
  done
  COMPREPLY+=($(compgen -W "$words" -- "$word"))
}
complete -F _memento memento
`
	zshScript = `#compdef memento
_memento() {
  local line
  local -a found
  for line in ${(f)"$(memento completion words -- "${(@)words[2,CURRENT-1]}" "$words[CURRENT]" 2>/dev/null)"}; do
    case $line in
    :files) _files ;;
    *) found+=("${line/$'\t'/:}") ;;
    esac
  done
  if (( CURRENT == 2 )); then
    _describe 'command' found
  elif (( $#found )); then
    compadd -- $found
  fi
}
compdef _memento memento
`
	fishScript = `function __memento_words
  for line in (memento completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c memento -f -a '(__memento_words)'
`
)

// printCandidates prints what may stand in the place of the last word.
func (c *call) printCandidates(words []string) error {
	typed := words[:len(words)-1]
	if len(typed) == 0 {
		for _, cmd := range public() {
			fmt.Fprintf(c.Out, "%s\t%s\n", cmd.name, cmd.short)
		}
		return nil
	}
	cmd, ok := find(typed[0])
	if !ok {
		return nil
	}
	last := typed[len(typed)-1]
	f := (&call{}).flagSet(cmd).Lookup(strings.TrimLeft(last, "-"))
	if f != nil && last != f.Name && !isBool(f) { // last is that flag
		c.printLines(flagValues(f.Name))
		return nil
	}
	if err := c.printRecords(cmd.name); err != nil {
		return err
	}
	c.printLines(append(arguments(cmd.name), cmd.flagNames()...))
	return nil
}

func (c *call) printLines(lines []string) {
	for _, line := range lines {
		fmt.Fprintln(c.Out, line)
	}
}

// flagValues are the words that may stand behind a flag, whatever the command; nil: any words.
func flagValues(name string) []string {
	switch name {
	case "kind":
		return schema.Names()
	case "status":
		return append(schema.Statuses(), "all")
	case "as":
		return []string{schema.Completed, schema.Retired}
	case "format":
		return exchange.Formats()
	case "body", "file", "remove-file", "to", "out":
		return []string{":files"}
	}
	return nil
}

// public are the commands that a person types, without old names.
func public() []command {
	var out []command
	for _, c := range commands() {
		if c.name != "hook" && !c.old {
			out = append(out, c)
		}
	}
	return out
}

func (cmd command) flagNames() []string {
	var out []string
	(&call{}).flagSet(cmd).VisitAll(func(f *flag.Flag) {
		if f.Usage != "" {
			out = append(out, "--"+f.Name)
		}
	})
	return out
}

// arguments are the words that may stand behind a command's name, besides records.
func arguments(name string) []string {
	switch name {
	case "save":
		return schema.Names()
	case "inbox":
		return inboxVerbs()
	case "rules":
		return rulesVerbs()
	case "profile":
		return append(profileNames(), ":files")
	case "import", "sync":
		return []string{":files"}
	case "workspace":
		return workspaceForms()
	case "config":
		return config.Names()
	case "completion":
		return strings.Fields("bash zsh fish")
	case "help":
		words := topics()
		for _, c := range public() {
			words = append(words, c.name)
		}
		return words
	}
	return nil
}

// printRecords prints the ids of the records here that the command takes, one on a line. It leaves out an id with a
// character that a shell would read.
func (c *call) printRecords(command string) error {
	if !text.OneOf(command, "show", "edit", "rm", "archive", "restore", "complete", "retire", "reopen", "share") {
		return nil
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(schema.Moves, func(m schema.Move) bool { return m.Verb == command })
	fits := func(r *record.Record) bool {
		switch {
		case command == "share":
			return r.Shared == "" && r.Project != naming.User && r.Status != schema.Archived
		case i < 0:
			return true
		case schema.Moves[i].To == schema.Active:
			return r.Status != schema.Active
		}
		return slices.Contains(schema.Moves[i].From, r.Status)
	}
	for _, project := range slices.Compact([]string{s.project, naming.User}) {
		list, _, err := s.store.List(record.Filter{Project: project, Status: schema.Statuses()})
		if err != nil {
			return err
		}
		for _, r := range list {
			strange := strings.ContainsFunc(r.ID, func(l rune) bool {
				return !unicode.IsLetter(l) && !unicode.IsDigit(l) && !strings.ContainsRune("-_.", l)
			})
			if fits(r) && !strange {
				fmt.Fprintln(c.Out, r.ID)
			}
		}
	}
	return nil
}
