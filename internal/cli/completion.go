package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
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
			if len(c.args) == 2 && c.args[0] == "records" { // asked by the scripts
				return c.printFitting(c.args[1])
			}
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

// public are the commands a person types, without the old names.
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

// takesRecords are the commands whose arguments are records.
const takesRecords = " show edit rm archive restore complete retire reopen "

// takesFiles are the commands whose arguments are files, and fileFlags the flags whose values are.
const (
	takesFiles = " import profile "
	fileFlags  = " --body --file --remove-file --to --out "
)

// asksRecords is the part of a script that asks memento for the records a command may be given; "" where it takes none.
func asksRecords(command string) string {
	if !strings.Contains(takesRecords, " "+command+" ") {
		return ""
	}
	return "memento completion records " + command + " 2>/dev/null"
}

// printFitting prints the ids of the records that the command can be given here, one on a line. A shell reads them: an
// id with a character that means something to one is left out.
func (c *call) printFitting(command string) error {
	if asksRecords(command) == "" {
		return nil
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	verb := command
	fits := func(r *record.Record) bool {
		i := slices.IndexFunc(schema.Moves, func(m schema.Move) bool { return m.Verb == verb })
		switch {
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

// wordFlags are the flags whose value is any words, or any file.
func wordFlags(files bool) string {
	var out []string
	for _, cmd := range commands() {
		(&call{}).flagSet(cmd).VisitAll(func(f *flag.Flag) {
			name := dashed(f.Name)
			known := slices.ContainsFunc(valuesOf(),
				func(v struct{ flag, words string }) bool { return v.flag == name })
			if f.Usage != "" && !isBool(f) && !known && strings.Contains(fileFlags, " "+name+" ") == files {
				out = append(out, name)
			}
		})
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "|")
}

// valuesOf are the words that may stand behind a flag, whatever the command.
func valuesOf() []struct{ flag, words string } {
	return []struct{ flag, words string }{
		{"--kind", strings.Join(schema.Names(), " ")},
		{"--status", strings.Join(append(schema.Statuses(), "all"), " ")},
		{"--as", schema.Completed + " " + schema.Retired},
		{"--format", "markdown json envelope"},
	}
}

// cases are the words that may stand behind each command, and behind flags, a line of this format each.
func cases(format string) (verbs, flags string) {
	for _, cmd := range commands() {
		if cmd.name == "hook" {
			continue
		}
		words := append(arguments(cmd.name), cmd.flagNames()...)
		if asks := asksRecords(cmd.name); asks != "" {
			words = append([]string{"$(" + asks + ")"}, words...)
		}
		if len(words) > 0 {
			verbs += fmt.Sprintf(format, cmd.name, strings.Join(words, " "))
		}
	}
	for _, v := range valuesOf() {
		flags += fmt.Sprintf(format, v.flag, v.words)
	}
	return verbs, flags
}

func bashCompletion() string {
	var names []string
	for _, cmd := range public() {
		names = append(names, cmd.name)
	}
	verbs, flags := cases("    %s) words=\"%s\" ;;\n")
	filed := strings.ReplaceAll(strings.TrimSpace(takesFiles), " ", "|")
	return `_memento() {
  local word="${COMP_WORDS[COMP_CWORD]}" words="" files=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="` + strings.Join(names, " ") + `"
  else
    case "${COMP_WORDS[COMP_CWORD-1]}" in
` + flags + `    ` + wordFlags(false) + `) ;;
    ` + wordFlags(true) + `) files=1 ;;
    *) case "${COMP_WORDS[1]}" in
` + verbs + `    esac
    case "${COMP_WORDS[1]}" in ` + filed + `) files=1 ;; esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ -n "$files" ]; then
    local IFS=$'\n'
    COMPREPLY+=($(compgen -f -- "$word"))
  fi
}
complete -F _memento memento
`
}

func zshCompletion() string {
	lines := ""
	for _, cmd := range public() {
		lines += fmt.Sprintf("    '%s:%s'\n", cmd.name, strings.ReplaceAll(cmd.short, "'", ""))
	}
	verbs, flags := cases("      %s) candidates=(%s) ;;\n")
	filed := strings.ReplaceAll(strings.TrimSpace(takesFiles), " ", "|")
	return `#compdef memento
_memento() {
  local -a commands candidates
  local files=""
  commands=(
` + lines + `  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
  else
    case "${words[CURRENT-1]}" in
` + flags + `      ` + wordFlags(false) + `) ;;
      ` + wordFlags(true) + `) files=1 ;;
      *) case "${words[2]}" in
` + verbs + `      esac
      case "${words[2]}" in ` + filed + `) files=1 ;; esac ;;
    esac
    if (( $#candidates )); then
      compadd -- $candidates
    fi
    if [[ -n "$files" ]]; then
      _files
    fi
  fi
}
compdef _memento memento
`
}

func fishCompletion() string {
	var b strings.Builder
	for _, cmd := range commands() {
		if cmd.name == "hook" {
			continue
		}
		if !cmd.old {
			fmt.Fprintf(&b, "complete -c memento -f -n __fish_use_subcommand -a %s -d %q\n", cmd.name, cmd.short)
		}
		if !strings.Contains(takesFiles, " "+cmd.name+" ") {
			fmt.Fprintf(&b, "complete -c memento -f -n '__fish_seen_subcommand_from %s'\n", cmd.name)
		}
		if asks := asksRecords(cmd.name); asks != "" {
			fmt.Fprintf(&b, "complete -c memento -f -n '__fish_seen_subcommand_from %s' -a '(%s)'\n", cmd.name, asks)
		}
		if args := arguments(cmd.name); args != nil {
			fmt.Fprintf(&b, "complete -c memento -n '__fish_seen_subcommand_from %s' -a %q\n", cmd.name,
				strings.Join(args, " "))
		}
		for _, f := range cmd.flagNames() {
			value := ""
			switch at := "|" + f + "|"; {
			case strings.Contains("|"+wordFlags(true)+"|", at):
				value = " -r -F"
			case strings.Contains("|"+wordFlags(false)+"|", at):
				value = " -x"
			}
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
