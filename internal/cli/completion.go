package cli

import (
	"flag"
	"fmt"
	"slices"
)

func completionCommand() command {
	return command{
		name: "completion", args: "bash|zsh|fish", short: "print a completion script for a shell",
		asIs: true,
		long: `The shell completes commands and their flags, and files elsewhere.

  source <(memento completion bash)
  memento completion zsh > "${fpath[1]}/_memento"
  memento completion fish | source
`,
		run: func(c *call) error {
			const hint = "memento completion bash"
			scripts := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}
			switch {
			case len(c.args) > 0 && c.args[0] == "words": // from these scripts
				for _, word := range candidates(c.args[1:]) {
					fmt.Fprintln(c.Out, word)
				}
				return nil
			case len(c.args) != 1:
				return usage(hint, "which shell? bash, zsh or fish")
			case scripts[c.args[0]] == "":
				return usage(hint, "no script for %q, only bash, zsh and fish", c.args[0])
			}
			fmt.Fprint(c.Out, scripts[c.args[0]])
			return nil
		},
	}
}

// Each script passes the command of the line, if there is one already, to memento completion words. The shell filters
// the words that memento prints, one on a line, and offers files where none fits.
const (
	bashScript = `_memento() {
  local words="$(memento completion words -- "${COMP_WORDS[@]:1:COMP_CWORD > 1}" 2>/dev/null)"
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _memento memento
`
	zshScript = `#compdef memento
_memento() {
  local -a found
  found=(${(f)"$(memento completion words -- ${words[2,CURRENT > 2 ? 2 : 1]} 2>/dev/null)"})
  compadd -- $found
  (( CURRENT > 2 )) && _files
}
compdef _memento memento
`
	fishScript = `function __memento_words
  set -l typed (commandline -opc)
  memento completion words -- $typed[2] 2>/dev/null
end
complete -c memento -a '(__memento_words)'
`
)

// candidates returns the names of all commands, or behind a command its flags.
func candidates(typed []string) (out []string) {
	if len(typed) == 0 || typed[0] == "" {
		for _, cmd := range public() {
			out = append(out, cmd.name)
		}
		return out
	}
	cmd, ok := find(typed[0])
	if !ok {
		return nil
	}
	flagsOf(cmd).VisitAll(func(f *flag.Flag) {
		if f.Usage != "" {
			out = append(out, dashed(f.Name))
		}
	})
	return out
}

// public are the commands that a person types.
func public() []command {
	return slices.DeleteFunc(commands(), func(cmd command) bool { return cmd.hidden })
}
