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
			fault := func(dir string) string { // in a few words, why no hook of memento runs there
				_ = c.load() // the line has said what is wrong with the settings
				env := doctor.Env{Config: c.config, Machine: thisMachine(c)}
				env.Machine.Dir = dir
				return map[doctor.State]string{doctor.Note: "not wired (! memento install)",
					doctor.Bad: "wired with a fault (! memento doctor)"}[doctor.Wiring(env).State]
			}
			return c.say("%s", statusline.Line(c.In, c.Getenv, c.Now(), fault))
		},
	}
}
