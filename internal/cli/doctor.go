package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
)

func doctorCommand() command {
	return command{
		name: "doctor", bare: true, json: true, short: "check that memento can do its work here, and show that it does",
		long: `It changes nothing; a hint is the command that mends. It ends with a rehearsal in a scratch folder: a session that is
compacted, and the block that comes back.

  memento doctor
`,
		run: runDoctor,
	}
}

func runDoctor(c *call) error {
	unread := c.load()
	if c.config.Dir == "" {
		return unread
	}
	var found []doctor.Finding
	if unread != nil {
		what := "memento's settings cannot be read, so hooks keep nothing: " + text.Reason(unread)
		found = append(found, doctor.Finding{State: doctor.Bad, What: what, Hint: hintOf(unread)})
	}
	env := patient(c)
	rehearsed, block := doctor.Rehearse(env)
	found = append(append(found, doctor.Examine(env)...), rehearsed)
	ok := !slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.State == doctor.Bad })
	if c.json {
		c.printJSON(members{{"ok", ok}, {"findings", array(found)}, {"rehearsal", block}})
	} else {
		for _, f := range found {
			printFinding(c, f)
		}
		if block != "" {
			fmt.Fprintf(c.Out, "\nThe rehearsal, in a scratch folder. After the compaction Claude reads:\n\n%s\n", block)
		}
	}
	if !ok {
		return errSilent
	}
	return nil
}

// patient describes this run of memento for the doctor.
func patient(c *call) doctor.Env {
	return doctor.Env{
		Config: c.config, Machine: thisMachine(c), Now: c.Now, Session: c.sessionID(), Claude: c.by == journal.ByClaude,
		Lane: c.lane, Paused: c.paused,
		Run: func(args []string, dir string, getenv func(string) string, in io.Reader, out io.Writer) int {
			return Main(args, Streams{In: in, Out: out, Err: out, Getenv: getenv, Dir: dir, Exe: c.Exe, Now: c.Now,
				Windows: c.Windows})
		},
	}
}

// thisMachine describes this run of memento for the installer.
func thisMachine(c *call) install.Machine {
	return install.Machine{ConfigDir: c.config.ClaudeDir, Dir: c.Dir, Exe: c.Exe, Version: Version, Called: c.Called,
		Getenv: c.Getenv}
}

// printFinding prints a finding and its hint.
func printFinding(c *call, f doctor.Finding) {
	const stateWide = 5
	state := fmt.Sprintf("%-4s", f.State)
	if f.State == doctor.Bad {
		state = c.screen.Alarm(state)
	}
	c.printLine(stateWide, state+" "+c.shorter(text.Line(f.What)))
	if f.Hint != "" {
		c.printLine(stateWide, "     hint: "+text.Line(f.Hint))
	}
}
