package cli

import (
	"flag"
	"fmt"
	"strings"
)

func completionCommand() command {
	return command{
		name: "completion", args: "bash|zsh|fish", short: "print a completion script for a shell",
		long: `  source <(memento completion bash)
  memento completion zsh > "${fpath[1]}/_memento"
  memento completion fish > ~/.config/fish/completions/memento.fish
`,
		run: func(c *call) error {
			if len(c.args) != 1 {
				return &usageError{what: "completion: which shell? bash, zsh or fish", hint: "memento completion bash"}
			}
			switch c.args[0] {
			case "bash":
				fmt.Fprint(c.Out, bashCompletion())
			case "zsh":
				fmt.Fprint(c.Out, zshCompletion())
			case "fish":
				fmt.Fprint(c.Out, fishCompletion())
			default:
				return &usageError{what: fmt.Sprintf("completion: no script for %q, only bash, zsh and fish", c.args[0]), hint: "memento completion bash"}
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

func bashCompletion() string {
	var names, cases []string
	for _, cmd := range public() {
		names = append(names, cmd.name)
		if flags := cmd.flagNames(); len(flags) > 0 {
			cases = append(cases, fmt.Sprintf("    %s) words=%q ;;\n", cmd.name, strings.Join(flags, " ")))
		}
	}
	return `_memento() {
  local word="${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="` + strings.Join(names, " ") + `"
  else
    case "${COMP_WORDS[1]}" in
` + strings.Join(cases, "") + `    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _memento memento
`
}

func zshCompletion() string {
	var lines []string
	for _, cmd := range public() {
		lines = append(lines, fmt.Sprintf("    '%s:%s'\n", cmd.name, strings.ReplaceAll(cmd.short, "'", "")))
	}
	return `#compdef memento
_memento() {
  local -a commands
  commands=(
` + strings.Join(lines, "") + `  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
  else
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
		for _, f := range cmd.flagNames() {
			fmt.Fprintf(&b, "complete -c memento -f -n '__fish_seen_subcommand_from %s' -l %s\n", cmd.name, strings.TrimPrefix(f, "--"))
		}
	}
	return b.String()
}
