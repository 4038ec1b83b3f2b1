package cli

import (
	"flag"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/schema"
)

func completionCommand() command {
	return command{
		name: "completion", args: "bash|zsh|fish", short: "print a completion script for a shell",
		long: `  source <(memento completion bash)
  memento completion zsh > "${fpath[1]}/_memento"
  memento completion fish | source
`,
		run: func(c *call) error {
			if len(c.args) != 1 {
				return usage("memento completion bash", "completion: which shell? bash, zsh or fish")
			}
			switch c.args[0] {
			case "bash":
				fmt.Fprint(c.Out, bashCompletion())
			case "zsh":
				fmt.Fprint(c.Out, zshCompletion())
			case "fish":
				fmt.Fprint(c.Out, fishCompletion())
			default:
				return usage("memento completion bash", "completion: no script for %q, only bash, zsh and fish",
					c.args[0])
			}
			return nil
		},
	}
}

// public are the commands a person types.
func public() []command {
	var out []command
	for _, c := range commands() {
		if c.name != "hook" {
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

// arguments are the words that may stand behind a command's name; nil: the shell completes files.
func arguments(name string) []string {
	switch name {
	case "save":
		return schema.Names()
	case "inbox":
		return inboxVerbs()
	case "profile":
		return profileNames()
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

// valuesOf are the words that may stand behind a flag, whatever the command.
func valuesOf() []struct{ flag, words string } {
	return []struct{ flag, words string }{
		{"--kind", strings.Join(schema.Names(), " ")},
		{"--status", strings.Join(append(schema.Statuses(), "all"), " ")},
		{"--format", "markdown json envelope"},
	}
}

// cases are the words that may stand behind each command, and behind flags, a line of this format each.
func cases(format string) (commands, flags string) {
	for _, cmd := range public() {
		if words := append(arguments(cmd.name), cmd.flagNames()...); len(words) > 0 {
			commands += fmt.Sprintf(format, cmd.name, strings.Join(words, " "))
		}
	}
	for _, v := range valuesOf() {
		flags += fmt.Sprintf(format, v.flag, v.words)
	}
	return commands, flags
}

func bashCompletion() string {
	var names []string
	for _, cmd := range public() {
		names = append(names, cmd.name)
	}
	commands, flags := cases("    %s) words=%q ;;\n")
	return `_memento() {
  local word="${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="` + strings.Join(names, " ") + `"
  else
    case "${COMP_WORDS[COMP_CWORD-1]}" in
` + flags + `    *) case "${COMP_WORDS[1]}" in
` + commands + `    esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _memento memento
`
}

func zshCompletion() string {
	lines := ""
	for _, cmd := range public() {
		lines += fmt.Sprintf("    '%s:%s'\n", cmd.name, strings.ReplaceAll(cmd.short, "'", ""))
	}
	commands, flags := cases("      %s) candidates=(%s) ;;\n")
	return `#compdef memento
_memento() {
  local -a commands candidates
  commands=(
` + lines + `  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
  else
    case "${words[CURRENT-1]}" in
` + flags + `      *) case "${words[2]}" in
` + commands + `      esac ;;
    esac
    if (( $#candidates )); then
      compadd -- $candidates
    fi
    _default
  fi
}
compdef _memento memento
`
}

func fishCompletion() string {
	var b strings.Builder
	for _, cmd := range public() {
		fmt.Fprintf(&b, "complete -c memento -f -n __fish_use_subcommand -a %s -d %q\n", cmd.name, cmd.short)
		if args := arguments(cmd.name); args != nil {
			fmt.Fprintf(&b, "complete -c memento -n '__fish_seen_subcommand_from %s' -a %q\n", cmd.name,
				strings.Join(args, " "))
		}
		for _, f := range cmd.flagNames() {
			value := ""
			for _, v := range valuesOf() {
				if v.flag == f {
					value = fmt.Sprintf(" -x -a %q", v.words)
				}
			}
			fmt.Fprintf(&b, "complete -c memento -f -n '__fish_seen_subcommand_from %s' -l %s%s\n", cmd.name,
				strings.TrimPrefix(f, "--"), value)
		}
	}
	return b.String()
}
