package cli

import (
	"flag"
	"fmt"
	"sort"
	"strings"
)

func helpCommand() command {
	return command{
		name: "help", bare: true, args: "[COMMAND]", most: 1, short: "explain a command",
		long: "  memento help done\n",
		run: func(c *call) error {
			if len(c.args) == 0 {
				fmt.Fprint(c.Out, overview)
				return nil
			}
			cmd, err := find(c.args[0])
			if err == nil {
				fmt.Fprint(c.Out, cmd.help())
			}
			return err
		},
	}
}

// overview is what `memento help` prints. With the prompt below, it fits a screen of 24 lines of 80 characters.
const overview = `memento keeps the mission, your words and your records across compactions.
Usage: memento COMMAND [ARGUMENTS]
You
  status                    where things stand here; memento alone says the same
  show, view                the journal, a record, a session; a page of all
  search, list              find records and what was said; list records
  save, edit, rm            make a record, change it, delete it for good
  archive, restore          put a record away; make it active again
  handoff, rules            where to go on; what sessions are told
  pause, forget             stop memento here; erase a phrase, or a project
  share, trust, sync        the team's records; your machines alike
Claude
  mission                   set the mission; close it
  done                      note what is done, what is in hand, what comes next
Housekeeping
  config, doctor, gc        settings; check that all works; clear what is due
  workspace                 the projects seen; rename one everywhere
  import, export, backfill  records in and out; take in earlier sessions
  install, uninstall        wire memento into your clients, or take it out
  version, help             this program
More: memento help COMMAND
Exit codes: 0 done, 1 failed, 64 wrong call, 75 busy: try again
`

// help is the whole help of a command: its usage, what it does, its flags.
func (cmd command) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: memento %s", cmd.name)
	if cmd.args != "" {
		b.WriteString(" " + cmd.args)
	}
	fmt.Fprintf(&b, "\n\n%s.\n", strings.ToUpper(cmd.short[:1])+cmd.short[1:])
	if cmd.long != "" {
		b.WriteString("\n" + cmd.long)
	}
	var flags []string
	flagSet(cmd, &output{}).VisitAll(func(f *flag.Flag) {
		if f.Usage == "" {
			return // only a hook sets it
		}
		name, usage := flag.UnquoteUsage(f)
		flags = append(flags, fmt.Sprintf("  %-22s %s\n", dashed(f.Name)+prefixed(" ", name), usage))
	})
	if len(flags) > 0 {
		sort.Strings(flags)
		b.WriteString("\nFlags:\n" + strings.Join(flags, ""))
	}
	return b.String()
}
