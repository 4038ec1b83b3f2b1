package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/text"
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
			scripts := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}
			switch {
			case len(c.args) > 1 && c.args[0] == "words": // from these scripts
				return c.printCandidates(c.args[1:])
			case len(c.args) == 2 && c.args[0] == "records": // from scripts of earlier versions
				return c.printRecords(c.args[1], "", nil, false)
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
      printf '%s\n' $line
    end
  end
end
complete -c memento -f -a '(__memento_words)'
`
)

// printCandidates prints what may stand in the place of the last word.
func (c *call) printCandidates(words []string) error {
	typed, word := words[:len(words)-1], words[len(words)-1]
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
	flags := flagsOf(cmd)
	args, flag := positional(flags, typed[1:])
	if flag != "" {
		c.printLines(c.flagValues(cmd.name, flag, args))
		return nil
	}
	if err := c.printRecords(cmd.name, word, args, slices.Contains(typed, "--undo")); err != nil {
		return err
	}
	c.printLines(append(c.arguments(cmd.name, word, args), cmd.flagNames()...))
	return nil
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

func (c *call) printLines(lines []string) {
	for _, line := range lines {
		fmt.Fprintln(c.Out, line)
	}
}

// flagValues are the words that may stand behind a flag of the command; nil: any words. args are the arguments so far.
func (c *call) flagValues(command, name string, args []string) []string {
	switch command + " " + name {
	case "workspace to":
		return c.projectNames()
	case "inbox kind":
		return suggest.Kinds()
	}
	switch name {
	case "kind":
		return schema.Names()
	case "status":
		return append(schema.Statuses(), "all")
	case "only":
		return []string{"records", "said", "answers"}
	case "as":
		return []string{schema.Completed, schema.Retired}
	case "scope":
		return []string{string(install.User), string(install.Project), string(install.Local)}
	case "format":
		return exchange.Formats()
	case "project":
		return c.projectNames()
	case "body", "file", "to", "out":
		return []string{":files"}
	}
	return nil
}

// projectNames returns the names of the known projects that a shell need not quote.
func (c *call) projectNames() (names []string) {
	if c.load() != nil {
		return nil
	}
	for _, k := range c.workspace().Known {
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
	var out []command
	for _, c := range commands() {
		if !c.hidden {
			out = append(out, c)
		}
	}
	return out
}

func (cmd command) flagNames() []string {
	var out []string
	flagsOf(cmd).VisitAll(func(f *flag.Flag) {
		if f.Usage != "" {
			out = append(out, dashed(f.Name))
		}
	})
	return out
}

// arguments are the words that may stand behind a command's name and the arguments args, besides records. word is what
// was typed of the next one.
func (c *call) arguments(name, word string, args []string) []string {
	if len(args) > 0 {
		return c.laterArguments(name, args)
	}
	switch name {
	case "save":
		return schema.Names()
	case "inbox":
		return inboxVerbs()
	case "rules":
		return rulesVerbs()
	case "handoff":
		return []string{"write"}
	case "import", "sync", "backfill":
		return []string{":files"}
	case "workspace":
		return workspaceForms()
	case "config":
		names := append(config.Names(), "kinds")
		if strings.HasPrefix(word, "kinds.") {
			names = kindSettings()
		}
		return names
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

// laterArguments are arguments behind the first.
func (c *call) laterArguments(name string, args []string) []string {
	form, n := name+" "+args[0], len(args)
	switch {
	case name == "backfill", n == 1 && form == "workspace join":
		return []string{":files"}
	case n == 1 && form == "workspace rename":
		return c.projectNames()
	case n == 1 && name == "config":
		return settingValues(args[0])
	}
	return nil
}

// kindSettings returns the names of the settings that each kind of record has.
func kindSettings() (names []string) {
	for _, kind := range schema.Names() {
		for _, field := range config.KindFields() {
			names = append(names, "kinds."+kind+"."+field)
		}
	}
	return names
}

// settingValues returns the values of a setting that takes one of a few; nil: any.
func settingValues(name string) []string {
	switch field := name[strings.LastIndexByte(name, '.')+1:]; field {
	case "remind", "notify":
		return strings.Fields("auto always never")
	case "past":
		return strings.Fields("answers words journal")
	case "sync":
		return strings.Fields("auto off")
	case "enabled", "auto_capture", "archive_retired", "debug":
		return strings.Fields("true false")
	}
	return nil
}

// printRecords prints the ids of the records here that the command takes, one on a line, and their names alone if
// word, what was typed of it, begins one. It leaves out an id with a character that a shell would read. args are the
// arguments before it.
func (c *call) printRecords(command, word string, args []string, undo bool) error {
	switch {
	case text.OneOf(command, "edit", "show") && len(args) > 0, command == "trust" && !undo:
		return nil
	case !text.OneOf(command, "show", "edit", "rm", "archive", "restore", "share", "export", "trust"):
		return nil
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	fits := func(r *record.Record) bool {
		switch {
		case command == "share":
			return r.Shared == "" && r.Project != naming.User && r.Status != schema.Archived
		case command == "trust":
			return r.Shared != ""
		case command == "restore":
			return r.Status != schema.Active
		}
		return command != "archive" || r.Status != schema.Archived
	}
	for _, project := range slices.Compact([]string{s.project, naming.User}) {
		list, _, err := s.store.List(record.Filter{Project: project, Status: schema.Statuses()})
		if err != nil {
			return err
		}
		for _, r := range list {
			if !fits(r) || !plainWord(r.ID) {
				continue
			}
			fmt.Fprintln(c.Out, r.ID)
			if word != "" && strings.HasPrefix(r.Slug, word) {
				fmt.Fprintln(c.Out, r.Slug)
			}
		}
	}
	return nil
}
