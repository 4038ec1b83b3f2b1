package cli

import (
	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/statusline"
)

func statuslineCommand() command {
	return command{
		name: "statusline", bare: true, asIs: true, hidden: true, short: "print the line for Claude Code's status line",
		long: `Claude Code runs it and gives it a JSON object on standard input: memento install --statusline. It writes no file and
never fails.

  echo '{}' | memento statusline
`,
		run: func(c *call) error {
			fault := func(dir string) string { return wiringFault(c, dir) }
			return c.say("%s", statusline.Line(c.In, c.Getenv, c.Now(), fault))
		},
	}
}

// wiringFault says in a few words why no hook of memento runs in dir, "" if nothing is wrong.
func wiringFault(c *call, dir string) string {
	_ = c.load() // the line has said what is wrong with the settings
	env := doctor.Env{Config: c.config, Machine: thisMachine(c)}
	env.Machine.Dir = dir
	switch doctor.Wiring(env).State {
	case doctor.Note:
		return "not wired (! memento install)"
	case doctor.Bad:
		return "wired with a fault (! memento doctor)"
	}
	return ""
}
