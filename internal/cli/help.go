package cli

import (
	"flag"
	"fmt"
	"sort"
	"strings"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/schema"
)

func helpCommand() command {
	return command{
		name: "help", companion: true, args: "[COMMAND|TOPIC]", short: "explain a command or a topic",
		long: "Topics: " + strings.Join(topics(), ", ") + `.

  memento help done
  memento help records
`,
		run: func(c *call) error {
			if len(c.args) == 0 {
				fmt.Fprint(c.Out, overview())
				return nil
			}
			name := c.args[0]
			if cmd, ok := find(name); ok {
				fmt.Fprint(c.Out, cmd.help())
				return nil
			}
			if t, ok := topic(name); ok {
				fmt.Fprint(c.Out, t)
				return nil
			}
			hint := suggestion(name)
			if near := nearest(name, topics()); near != "" {
				hint = "did you mean \"memento help " + near + "\"?"
			} else if rest, ok := strings.CutPrefix(hint, "did you mean \"memento "); ok {
				hint = "did you mean \"memento help " + rest
			}
			return usage(hint, "help: no command or topic %q", name)
		},
	}
}

// overview is what `memento help` prints. With the prompt below, it fits a screen of 24 lines of 80 characters.
func overview() string {
	return `memento keeps the mission, your words and your records across compactions.
Usage: memento COMMAND [ARGUMENTS]
You
  status                    where things stand here; memento alone says the same
  show, view                the journal, a record, a session; a page of all
  search, list              find records and what was said; list records
  save, edit, rm            make a record, change it, delete it for good
  archive, restore          put a record away; make it active again
  handoff, inbox, rules     where to go on; what waits; what sessions are told
  pause, forget             look away; erase a phrase, or all of a project
  share, trust, sync        the team's records; your machines alike
Claude
  mission                   set the mission; close it
  done                      note what is done, what is in hand, what comes next
Housekeeping
  config, doctor, gc        settings; check that all works; clear what is due
  workspace                 the projects seen; rename one everywhere
  import, export, backfill  records in and out; take in earlier sessions
  install, uninstall        wire memento into Claude Code, or take it out
  version, help, completion this program
More: memento help COMMAND|` + strings.Join(topics(), "|") + "\n"
}

// recordsTopic is the page about records. Its list of kinds comes from package schema.
func recordsTopic() string {
	var b strings.Builder
	b.WriteString(`Records: Markdown files with front matter, in memento's folder, that you can read, edit, grep and commit

  PROJECT--NAME.md             one of a project; every worktree of a repository has the same
  user--NAME.md                one of yours, in whatever project
  .completed/PROJECT--NAME.md  completed or archived

`)
	for _, group := range [...]struct {
		title string
		is    func(schema.Kind) bool
	}{
		{"Kinds that memento suggests as well, and writes once you or Claude accept a suggestion",
			func(k schema.Kind) bool { return k.Offered }},
		{"Kinds that are written when you or Claude ask for them",
			func(k schema.Kind) bool { return !k.Offered && !k.Unasked }},
		{"Kinds that memento writes unasked, since they only keep what was said",
			func(k schema.Kind) bool { return k.Unasked }},
	} {
		b.WriteString(group.title + "\n\n")
		for _, k := range schema.Kinds {
			if !group.is(k) {
				continue
			}
			kept := ""
			if days := int(k.Keep.Hours() / 24); days > 0 {
				kept = fmt.Sprintf("; retired after %d days without a change", days)
			}
			if k.Window > 0 {
				kept += fmt.Sprintf(", the newest %d stay active", k.Window)
			}
			if k.Personal {
				kept += "; always yours"
			}
			fmt.Fprintf(&b, "  %-11s %s%s\n", k.Name, k.About, kept)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, `The life of a record

  save → active    edit changes it
  archive          kept for good in .completed/, with a reason
    --as completed the work is done; in .completed/
    --as retired   out of use, with a reason; gc archives it %d days later
  restore          active again, however it was put away
  gc --purge       deletes what gc archived, and what is due to be archived
  rm               deleted at once; for 24 hours no record takes its title

memento list and memento search "QUERY" find records; --all looks in every project, --status all at records that are
not active. memento inbox lists sentences of sessions that may be worth a record. memento handoff shows or writes where
the next session goes on. memento help COMMAND explains each command.
`, int(schema.Grace.Hours()/24))
	return b.String()
}

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
	flagsOf(cmd).VisitAll(func(f *flag.Flag) {
		if f.Usage == "" {
			return // an old name, or a flag that only a hook sets
		}
		name, usage := flag.UnquoteUsage(f)
		if name != "" {
			name = " " + name
		}
		flags = append(flags, fmt.Sprintf("  %-22s %s\n", dashed(f.Name)+name, usage))
	})
	if len(flags) > 0 {
		sort.Strings(flags)
		b.WriteString("\nFlags:\n" + strings.Join(flags, ""))
	}
	return b.String()
}

// topics are the names that topic knows.
func topics() []string { return strings.Fields("records settings privacy exit-codes") }

// topic returns the text of a help topic.
func topic(name string) (string, bool) {
	switch name {
	case "exit-codes":
		return `Exit codes

   0  done
   1  it failed: the message says what and why, and nothing was lost
  64  the call was wrong: nothing was done
  75  another memento kept the journal locked for 5 seconds: run it again

memento hook always exits 0.
`, true
	case "records":
		return recordsTopic(), true
	case "settings":
		return `Settings: an environment variable wins over config.json, and config.json over the default. The variable of remind is
MEMENTO_REMIND; each setting has one:

  ` + strings.Join(config.Names()[:6], ", ") + `,
  ` + strings.Join(config.Names()[6:], ", ") + `

  memento config                   every value, its variable, and where it comes from
  memento config remind never      set one
  memento config --unset remind    back to the default
  memento config kinds             what can be set for each kind of record

At a terminal answers fit its width. NO_COLOR or --no-color leaves out colours and weight.
`, true
	case "privacy":
		return `Privacy

memento has no daemon, opens no network connection and calls no model; memento-sync connects to the git remote that
you give to memento sync, and to nothing else. memento stores on this machine, readable by your user only: what you
typed to Claude Code, Claude's final message of each turn, what its tools did (tasks, edited files, commits, the command
that fails), what Claude notes of the work, and records. Unasked it writes records of what a session came to and of
what its subagents answered. What looks like a password or a key is stored as [redacted:<kind>]; memento does not
recognise a password that is an ordinary word.

  memento show --said      everything you typed that is kept
  memento show --raw       the journal exactly as it is stored
  memento list --all       every record; memento inbox lists suggestions
  memento rules            what you said that new sessions are told; memento rules drop N drops a sentence for good
  <private>words</private> in a prompt, an answer or a refusal are never stored: memento stores [private].
  Claude still reads them, and may repeat them without the mark.

  memento pause            stop capturing and injecting in this project; --all everywhere; memento pause --end ends it
  memento forget "PHRASE"  erase everything that holds the phrase
  memento forget           erase this project's journal, history, turns, rules, session memory and records for good;
                           --keep-records leaves the records
  memento forget --all     erase the same of every project, and your own records; the settings and the fingerprints
                           of what was forgotten stay
`, true
	}
	return "", false
}
