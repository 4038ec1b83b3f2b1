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
	"github.com/mementohq/memento/internal/suggest"
)

func completionCommand() command {
	return command{
		name: "completion", args: "bash|zsh|fish", short: "print a completion script for a shell",
		asIs: true,
		long: `  source <(memento completion bash)
  memento completion zsh > "${fpath[1]}/_memento"
  memento completion fish | source
`,
		run: func(c *call) error {
			const hint = "memento completion bash"
			scripts := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}
			switch {
			case len(c.args) > 1 && c.args[0] == "words": // from these scripts
				for _, word := range candidates(c, c.args[1:len(c.args)-1], c.args[len(c.args)-1]) {
					fmt.Fprintln(c.Out, word)
				}
				return nil
			case len(c.args) != 1:
				return usage(hint, "completion: which shell? bash, zsh or fish")
			case scripts[c.args[0]] == "":
				return usage(hint, "completion: no script for %q, only bash, zsh and fish", c.args[0])
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
      printf '%s\n' $line
    end
  end
end
complete -c memento -f -a '(__memento_words)'
`
)

// valuesOf lists what may stand behind a flag ("--kind", or "inbox --kind" for one command alone) or behind the words
// of a command that takes no record there; ":files" stands for files.
func valuesOf(c *call, behind string) []string {
	switch behind {
	case "--body", "--file", "--out", "export --to", "import", "sync", "backfill", "workspace join":
		return []string{":files"}
	case "--project", "workspace --to", "workspace rename":
		return projectNames(c.folder)
	case "inbox --kind":
		return suggest.Kinds()
	case "--kind", "save":
		return schema.Names()
	case "--status":
		return append(schema.Statuses(), "all")
	case "--only":
		return []string{"records", "said", "answers"}
	case "--as":
		return []string{schema.Completed, schema.Retired}
	case "--format":
		return exchange.Formats()
	case "inbox":
		return inboxVerbs()
	case "rules":
		return rulesVerbs()
	case "handoff":
		return []string{"write", "done"}
	case "workspace":
		return workspaceForms
	case "config":
		return append(config.Names(), "kinds")
	case "completion":
		return []string{"bash", "zsh", "fish"}
	case "help":
		words := topics()
		for _, cmd := range public() {
			words = append(words, cmd.name)
		}
		return words
	}
	return nil
}

// candidates returns what may stand in the place of word, of which the beginning was typed, behind the words typed.
func candidates(c *call, typed []string, word string) (out []string) {
	if len(typed) == 0 {
		for _, cmd := range public() {
			out = append(out, cmd.name+"\t"+cmd.short)
		}
		return out
	}
	cmd, ok := find(typed[0])
	if !ok {
		return nil
	}
	flags := flagsOf(cmd)
	args, open := positional(flags, typed[1:])
	if open != "" {
		if values := valuesOf(c, cmd.name+" "+dashed(open)); values != nil {
			return values
		}
		return valuesOf(c, dashed(open))
	}
	out = append(recordNames(c, cmd.name, word, args, slices.Contains(typed, "--undo")),
		valuesOf(c, strings.Join(append([]string{cmd.name}, args...), " "))...)
	flags.VisitAll(func(f *flag.Flag) {
		if f.Usage != "" {
			out = append(out, dashed(f.Name))
		}
	})
	return out
}

// positional returns the words that are arguments, without flags and their values. open is the name of the flag whose
// value comes next, "" for none.
func positional(flags *flag.FlagSet, words []string) (args []string, open string) {
	for i := 0; i < len(words); i++ {
		name, _, inline := strings.Cut(strings.TrimLeft(words[i], "-"), "=")
		f := flags.Lookup(name)
		switch {
		case !strings.HasPrefix(words[i], "-"):
			args = append(args, words[i])
		case f == nil || inline || isBool(f):
		case i+1 == len(words):
			return args, f.Name
		default:
			i++
		}
	}
	return args, ""
}

// projectNames returns the names of the known projects that a shell need not quote.
func projectNames(f *folder) (names []string) {
	if f.load() != nil {
		return nil
	}
	for _, k := range f.workspace().Known {
		if plainWord(k.Slug) {
			names = append(names, k.Slug)
		}
	}
	slices.Sort(names)
	return names
}

// plainWord reports whether a shell reads nothing into s.
func plainWord(s string) bool {
	return !strings.ContainsFunc(s, func(l rune) bool {
		return !unicode.IsLetter(l) && !unicode.IsDigit(l) && !strings.ContainsRune("-_.", l)
	})
}

// public are the commands that a person types.
func public() []command {
	return slices.DeleteFunc(commands(), func(cmd command) bool { return cmd.hidden })
}

// recordNames returns the ids of the records here that the command takes behind args, and their names alone if word,
// what was typed of it, begins one. It leaves out an id with a character that a shell would read.
func recordNames(c *call, command, word string, args []string, undo bool) (out []string) {
	var fits func(*record.Record) bool
	switch command {
	case "edit", "show":
		if len(args) > 0 {
			return nil
		}
		fits = func(*record.Record) bool { return true }
	case "rm", "export":
		fits = func(*record.Record) bool { return true }
	case "archive":
		fits = func(r *record.Record) bool { return r.Status != schema.Archived }
	case "restore":
		fits = func(r *record.Record) bool { return r.Status != schema.Active }
	case "share":
		fits = func(r *record.Record) bool {
			return r.Shared == "" && r.Project != naming.User && r.Status != schema.Archived
		}
	case "trust":
		fits = func(r *record.Record) bool { return undo && r.Shared != "" }
	default:
		return nil
	}
	s, err := c.shelf()
	if err != nil {
		return nil
	}
	for _, project := range slices.Compact([]string{s.project, naming.User}) {
		list, _, _ := s.store.List(record.Filter{Project: project, Status: schema.Statuses()})
		for _, r := range list {
			if !fits(r) || !plainWord(r.ID) {
				continue
			}
			out = append(out, r.ID)
			if word != "" && strings.HasPrefix(r.Slug, word) {
				out = append(out, r.Slug)
			}
		}
	}
	return out
}
