package cli

import (
	"fmt"

	"github.com/mementohq/memento/internal/statusline"
)

func statuslineCommand() command {
	return command{
		name: "statusline", asIs: true, short: "print the line for Claude Code's status line",
		long: `Claude Code runs it and gives it a JSON object on standard input. It prints one line: the mission, the work in
hand, the rules held, the compactions of this session, and what waits for you. It fits COLUMNS, leaves out
colours if NO_COLOR is set, writes no file, and never fails: an empty line says that there is nothing to show.

  memento install --statusline
  echo '{}' | memento statusline
`,
		run: func(c *call) error {
			fmt.Fprintln(c.Out, statusline.Line(c.In, c.Getenv, c.Now()))
			return nil
		},
	}
}
