package cli

import (
	"flag"
	"fmt"
	"io"

	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

func doctorCommand() command {
	fix, dryRun := false, false
	return command{
		name: "doctor", short: "check that memento can do its work here, and show that it does",
		long: `Ends with a rehearsal in a scratch folder: a session that is compacted, and the block it
gets back. Nothing outside that folder is changed.

With --fix it first mends what it may: hooks that are stale, missing or there twice, the skill,
who may enter memento's folder and read its records, what a killed process left, a damaged
search index, a config.json that is not JSON (set aside). It says each thing. A settings file
that is not valid JSON, a journal, what is wrong in a record, and what stands in memento's place
it leaves to you, and says what to do.

  memento doctor
  memento doctor --fix --dry-run
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.json, "json", false, "print JSON")
			fs.BoolVar(&fix, "fix", false, "mend what can be mended")
			fs.BoolVar(&dryRun, "dry-run", false, "with --fix: say what would be done, and do nothing")
		},
		run: func(c *call) error { return runDoctor(c, fix, dryRun) },
	}
}

func runDoctor(c *call, fix, dryRun bool) error {
	if err := c.noArgs(); err != nil {
		return err
	}
	unread := c.load()
	if c.config.Dir == "" {
		return unread
	}
	if dryRun && !fix {
		const what = "doctor: --dry-run is for --fix; without it nothing is changed anyway"
		return &usageError{what: what, hint: "memento doctor --fix --dry-run"}
	}
	var found []doctor.Finding
	if fix {
		found = doctor.Mend(c.patient(), dryRun)
		unread = c.reload() // with a config.json that can be read now
	}
	if unread != nil {
		what := "memento's settings cannot be read, so hooks keep nothing: " + text.Reason(unread)
		found = append(found, doctor.Finding{State: doctor.Bad, What: what, Hint: stepFor(unread)})
	}
	env := c.patient()
	found = append(found, doctor.Examine(env)...)
	rehearsed, block := doctor.Rehearse(env)
	return c.examined(append(found, rehearsed), block)
}

// patient is this run of memento, as the doctor looks at it.
func (c *call) patient() doctor.Env {
	return doctor.Env{
		Config: c.config, Machine: c.machine(), Version: Version, Now: c.Now,
		Session: c.sessionID(), Claude: c.caller() == journal.ByClaude,
		Lane:   func() (project.Lane, error) { return c.ownLane(false) },
		Paused: c.paused, Apart: c.apart,
		Run: func(args []string, dir string, getenv func(string) string, in io.Reader, out io.Writer) int {
			s := Streams{In: in, Out: out, Err: out, Getenv: getenv, Dir: dir, Exe: c.Exe, Now: c.Now,
				Windows: c.Windows}
			return Main(args, s)
		},
	}
}

// machine is this run of memento, as the installer looks at it.
func (c *call) machine() install.Machine {
	return install.Machine{ConfigDir: c.config.ClaudeDir, Dir: c.Dir, Exe: c.Exe, Called: c.Called, Getenv: c.Getenv}
}

// examined prints what the doctor found, and the block of the rehearsal, "" for none.
func (c *call) examined(found []doctor.Finding, block string) error {
	ok := true
	for _, f := range found {
		ok = ok && f.State != doctor.Bad
	}
	if c.json {
		c.printJSON(struct {
			OK        bool             `json:"ok"`
			Findings  []doctor.Finding `json:"findings"`
			Rehearsal string           `json:"rehearsal"`
		}{ok, array(found), block})
	} else {
		for _, f := range found {
			fmt.Fprintf(c.Out, "%-4s %s\n", f.State, text.Line(f.What))
			if f.Hint != "" {
				fmt.Fprintf(c.Out, "     hint: %s\n", text.Line(f.Hint))
			}
		}
		if block != "" {
			fmt.Fprintf(c.Out, "\nThe rehearsal, in a scratch folder. After the compaction Claude reads:\n\n%s\n",
				block)
		}
	}
	if !ok {
		return errSilent
	}
	return nil
}
